"""What the record of a round can take next, for pages and clients."""

from referee.engine.asks import Ask, Field
from referee.engine.phases import PLAY
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
        played = Field("cards", "cards", "Cards", cards, count=(1, most))
        found.append(Ask("play", "Play", hand.to_act(), (played,), preview=True))
        if hand.last is not None:
            found.append(Ask("pass", "Pass", hand.to_act()))
        elif hand.exchange is None and not hand.taken:
            found.append(Ask("drop-deuce", "Drop a Deuce", (), exchange_fields(hand, cards)))
    left = Field("cards_left", "numbers", "Cards left", least=0, most=max(hand.left), rest=0)
    found.append(Ask("result", "Result of the round", (), (left,)))
    return tuple(found)


def exchange_fields(hand: RoundState, cards: tuple[str, ...]) -> tuple[Field, ...]:
    """Return the fields of an exchange: who has the King, and what was seen of the cards."""
    cabinet = tuple(str(seat) for seat in sorted(hand.setup.seating[1:]))
    return (
        Field("king", "seat", "Holder of the King of diamonds", cabinet, optional=True, none="Nobody"),
        Field("constipated", "flag", "Has no 2", optional=True, after="king"),
        Field("given", "card", "Card to the President-Elect", cards, optional=True, none=UNSEEN, after="king"),
        Field("returned", "card", "Card given back", cards, optional=True, none=UNSEEN, after="king"),
    )


def unplayed(hand: RoundState) -> tuple[str, ...]:
    """Return the codes of the cards that have not left the hands."""
    gone = hand.evidence().seen(apart=())
    return tuple(c.code for c in hand.rules.pack.cards if not gone >> c.index & 1)
