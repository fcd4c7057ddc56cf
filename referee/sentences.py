"""The referee's sentences for players, in English, by the code of their reason.

Facts are filled in by name. Cards say themselves ("the Sea (Crown of Waves)"; ``:The`` starts a
sentence), seats are replaced by the players' names. Other languages translate these templates.
"""

SENTENCES = {
    # impossible
    "hand-finished": "This hand is over: it takes no {event} any more.",
    "game-over": "The game is over: no further hand is dealt.",
    "hand-running": "The hand before still runs: finish it, or record its result, first.",
    "not-dealt": "No hand is dealt yet.",
    "size-unknown": "The size of the next hand is unknown, because the last card was not recorded.",
    "wrong-phase": "A {event} cannot be recorded here: the hand is in its {phase} phase.",
    "no-such-seat": "There is no seat {number}; this table has {players} seats, counted from 0.",
    "wrong-count": "Another number of cards is needed here.",
    "wrong-count-one": "Exactly one card is needed here.",
    "wrong-count-lead": "The leader lays exactly one card.",
    "wrong-count-response": "A response is one card or two.",
    "wrong-count-none": "A play has at least one card.",
    "not-in-deck": "{why}",
    "no-ruling-card": "{card:The} cannot be a ruling card; only an Ace or a Crown can.",
    "already-played": "{card:The} has been played already.",
    "too-many-cards": "{seat} cannot play that: the hand holds no such number of cards any more.",
    "not-in-hand": "{seat} cannot hold {card}: the record places it elsewhere.",
    "bad-suit": "“{suit}” cannot be named here.",
    "bad-bid": "{number} cannot be bid; a bid is a number from 0 to {most}.",
    "bad-result-points": "A trick of this game carries no points of its own.",
    "bad-result-tricks": "The result of this game is the tricks of each player.",
    "bad-result-seats": "A result has one number for each seat.",
    "bad-result-fewer": "A player cannot end with fewer tricks than are recorded.",
    "bad-result-sum": "The hand has {total} tricks; these numbers add up to {sum}.",
    "bad-transfer-self": "Tricks go from one player to another.",
    "bad-transfer-more": "A player can give up only tricks that were won.",
    # irregular
    "passed": "{seat} has passed already and is out until the next trick.",
    "out-of-turn": "{seat} acted out of turn; it was {turn}’s turn.",
    "no-suit-called": "{seat} led {card} without naming the suit to follow.",
    "excuse-led": "{seat} led the Excuse while holding other cards.",
    "trump-led": "{seat} led the own trump, {card}, while holding {held} of another suit.",
    "revoke": "{seat} played {card} although {held} would have followed.",
    "forbidden-bid": "The hook forbids {number}: the bids would add up to the tricks.",
    # proofs
    "proved-revoke": "{seat} did not follow with {act} and now shows {card}, which would have followed.",
    "proved-trump-led": "{seat} led the own trump, {act}, and now shows {card} of another suit.",
    "joint-revoke": "Counted together, {count} of the plays that did not follow cannot all have been right.",
    # tricks
    "highest-trump": "{card:The} is the highest trump.",
    "highest-follower": "{card:The} is the highest card that follows.",
    "higher-symbol": "Cards of one rank follow; {card} matches the higher symbol on the card led.",
    "earlier-of-equals": "Of equal cards the earlier wins: {card}.",
    "later-of-equals": "Of equal cards the later wins: {card}.",
    "recorded-winner": "{seat} was recorded as the winner; the cards were not.",
    # scores
    "tricks": "{tricks} tricks, a point each.",
    "bid-missed": "Bid {bid}, took {tricks}: below the bid, nothing.",
    "bid-made": "Bid {bid}, took {tricks}: 5 × {bid} + {over} = {sum}.",
    "zero-bid": "Bid 0, took none: {sum}.",
    "bid-off-by": "Bid {bid}, took {tricks}, off by {off}: {times} × {bid} = {sum}.",
    "bid-far-off": "Bid {bid}, took {tricks}, off by {off}: {sum}.",
    "penalty": "Adjusted by the table by {points}{why}.",
    # what was not checked
    "hands-unknown": (
        "The hands of {count} players were not entered: following suit is judged only by the cards played."
    ),
    "tricks-without-cards": "{count} tricks were recorded by their winner only.",
    "result-only": "The last {count} tricks were recorded by the result only.",
    "no-counting": "Cards left hands unseen, so nothing is proved by counting.",
    "tide-unknown": "The last card was not recorded, so the size of the next hand is unknown.",
}
