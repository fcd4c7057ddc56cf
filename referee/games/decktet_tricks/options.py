"""House rules that Ace Trump and Ransom Trump share."""

from referee.engine.game import conflict
from referee.engine.rules import Option, Options, Problem, switch
from referee.engine.texts import Listing, phrase
from referee.tricks.rules import opposite

TIES = Option(
    "ties", "Equal ranks", "Which of two equal cards wins if no trump was played.", ("AT-12", "AT-V2", "AT-V8"),
    ("symbol", "early", "late"),
    ("the led card’s upper suit", "the earlier card (Early Bird)", "the later card (Late Bird)"),
    says=(
        "ties broken by the led card’s upper suit", "ties to the earlier card (Early Bird)",
        "ties to the later card (Late Bird)",
    ),
)  # fmt: skip
CALLED_SUIT = switch(
    "called_suit", "Called suit", "The leader calls one suit of the card led, and only that suit has to be followed.",
    "AT-V7", says="the leader calling the suit",
)  # fmt: skip
EXCUSE = switch(
    "excuse",
    "Play with the Excuse",
    "You may play it at any time, and it never wins.",
    "AT-15",
    "AT-16",
    says="with the Excuse",
)
PAWNS = switch(
    "pawns", "Play with Pawns", "Four cards with three suits, between 9 and Crown.", "AT-15", "AT-17", says="with Pawns"
)
COURTS = switch(
    "courts", "Play with Courts", "Four cards with three suits, between Pawn and Crown.", "AT-Q11", says="with Courts"
)
EXCUSE_LED = Option(
    "excuse_led", "When the Excuse is led", "What the others have to follow if the Excuse is led.", ("AT-Q9",),
    ("next-card", "free", "forbidden"),
    ("the next card counts as led", "anything may be played", "not allowed, unless it is the last card"),
    says=("", "anything allowed after a led Excuse", "the Excuse led only as the last card"),
    needs="excuse",
)  # fmt: skip
PARTNERS = switch(
    "partners",
    "Partners",
    "Players who sit opposite each other are partners; their scores are added up.",
    "AT-V3",
    says="with partners",
)
BIDDING = switch(
    "bidding", "Bidding",
    "Bid your tricks before play: 5 points for each trick you bid, 1 for each extra trick; nothing if you win fewer.",
    "AT-V4",
    says="bidding for tricks",
)  # fmt: skip
HOOK = switch(
    "hook",
    "Hook",
    "The last bidder may not make the bids add up to the number of tricks.",
    "AT-Q15",
    says="with the hook",
)
PARTNER_BID = Option(
    "partner_bid", "Partners’ bids", "Whether partners’ bids are scored separately or together.", ("AT-Q16",),
    ("separate", "joint"), ("separately", "together"), says=("", "partners’ bids counted together"),
)  # fmt: skip

SHARED = (TIES, CALLED_SUIT, EXCUSE, PAWNS, COURTS, EXCUSE_LED, PARTNERS, BIDDING, HOOK, PARTNER_BID)


def check_shared(options: Options, players: int, pairs: tuple[int, ...]) -> list[Problem]:
    """Conflicts among the shared options; ``pairs`` are the numbers of players that allow partners."""
    problems = []
    if options["partners"] and players not in pairs:
        allowed, option = Listing(pairs, last="{first} or {last}"), phrase(PARTNERS.label)
        needed = phrase("{option}: only for {allowed} players.", option=option, allowed=allowed)
        problems.append(conflict("partners", needed))
    if options["hook"] and not options["bidding"]:
        problems.append(conflict("hook", "hook works only with bidding."))
    if options["partner_bid"] == "joint" and not (options["partners"] and options["bidding"]):
        problems.append(conflict("partner_bid", "partner_bid=joint works only with partners and bidding."))
    return problems


def opposite_sides(options: Options, players: int) -> tuple[tuple[int, ...], ...]:
    """Each seat's side: opposite seats, if partners play (AT-V3, AT-Q17)."""
    if not options["partners"]:
        return tuple((seat,) for seat in range(players))
    return opposite(players)
