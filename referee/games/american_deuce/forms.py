"""What the record of a round can take next, for pages and clients."""

from dataclasses import replace

from referee.engine.asks import Ask, Field
from referee.engine.phases import PLAY
from referee.games.american_deuce.combinations import RANKS
from referee.games.american_deuce.groups import beatable, gone_from
from referee.games.american_deuce.state import SUITS, RoundState

MOST_IN_A_PLAY = 5
UNSEEN = "? (not seen)"


def asks(hand: RoundState) -> tuple[Ask, ...]:
    """Return what the record can take next."""
    if hand.phase not in (SUITS, PLAY):
        return ()
    found = []
    cards = unplayed(hand)
    if hand.phase is SUITS:
        suits = tuple(s.code for s in hand.rules.pack.suits if s.code not in hand.suits)
        found.append(Ask("suit", "Name a suit", hand.to_act(), (Field("suit", "suit", "Suit", suits),)))
    if hand.phase is PLAY:
        most = min(MOST_IN_A_PLAY, max(hand.left))
        usual = len(hand.last.cards) if hand.last else hand.lock or 1
        played = Field("cards", "cards", "Cards", cards, count=(1, most), order=as_ranked(hand), usual=usual)
        turn = hand.to_act()
        ways = [Ask("play", "Play", turn, (played,), preview=True)]
        if hand.last is not None or hand.may_pass_lead(turn[0]):
            ways.insert(1 if beatable(hand, turn[0]) else 0, Ask("pass", "Pass", turn))
        found += ways
        if hand.last is None and hand.exchange is None and not hand.taken:
            found.append(Ask("drop-deuce", "Drop a Deuce", (), exchange_fields(hand, cards)))
        if hand.put_right_next():
            found.append(Ask("put-right", "Put the exchange right", (), late_fields(hand, cards)))
    left = Field("cards_left", "numbers", "Cards left", least=0, most=max(hand.left), rest=0, ceilings=hand.left)
    found.append(Ask("result", "Result of the round", (), (left,)))
    return tuple(found)


def exchange_fields(hand: RoundState, cards: tuple[str, ...]) -> tuple[Field, ...]:
    """Return the fields of an exchange: who has the King, and what was seen of the cards, the likely ones first."""
    rank = {card.code: RANKS.index(card.rank) for card in hand.rules.pack.cards}
    returned = tuple(sorted(cards, key=lambda code: rank[code]))
    given = tuple(sorted(cards, key=lambda code: (rank[code] + 1) % len(RANKS)))
    constipated = {code: rank[code] != RANKS.index("2") for code in cards}
    cabinet = tuple(str(seat) for seat in sorted(hand.setup.seating[1:]))
    return (
        Field("king", "seat", "Holder of the King of diamonds", cabinet, optional=True, none="Nobody"),
        Field("constipated", "flag", "Constipated King: no 2", optional=True, none="Gives a 2", after="king"),
        Field(
            "given",
            "card",
            "Card to the President-Elect",
            given,
            optional=True,
            none=UNSEEN,
            after="king",
            goes_with=constipated,
        ),
        Field("returned", "card", "Card given back", returned, optional=True, none=UNSEEN, after="king"),
    )


def late_fields(hand: RoundState, cards: tuple[str, ...]) -> tuple[Field, ...]:
    """Return the fields of an exchange that is put right late: what was seen of the two cards."""
    given, returned = exchange_fields(hand, cards)[2:]
    return replace(given, after="", goes_with={}), replace(returned, after="")


def as_ranked(hand: RoundState) -> tuple[str, ...]:
    """Return all cards suit by suit from the highest, each from the 3 to the 2 (AD-4, AD-6)."""
    suits = {suit: place for place, suit in enumerate(hand.suits)}
    cards = sorted(hand.rules.pack.cards, key=lambda card: (card.star, suits[card.suits[0]], RANKS.index(card.rank)))
    return tuple(card.code for card in cards)


def unplayed(hand: RoundState) -> tuple[str, ...]:
    """Return the codes of the cards that have not left the hands."""
    gone = gone_from(hand)
    return tuple(c.code for c in hand.rules.pack.cards if not gone >> c.index & 1)
