"""What an exchange or a riot that was wrong looks like: what was done, what the rule asks, what showed it.

Nothing is told that the record does not say: a card of the exchange that nobody saw stays unseen.
"""

from collections.abc import Iterator

from referee.engine.rulings import Certainty, Irregularity, Reason, Step
from referee.games.american_deuce.exchange import DEUCE, KING, LOWEST
from referee.games.american_deuce.findings import DIRECT, NAMED
from referee.games.american_deuce.state import Laid, RoundState
from referee.games.american_deuce.worlds import Exchange
from referee.packs import Card

DONE, ASKED, SHOWN = "done", "asked", "shown"
UNSEEN = "?"
RIOT_LED = "riot-led"


def steps_of(hand: RoundState, found: Irregularity) -> tuple[Step, ...]:
    """Return the steps of a finding about the exchange or about a riot that was led; other findings have none."""
    if found.code == RIOT_LED and found.certainty is Certainty.PROVED:
        return riot_steps(hand, found)
    if found.code in (KING, DEUCE, LOWEST) and hand.exchange is not None:
        exchange = hand.exchange
        return (done(hand, found, exchange), lowest(hand, found, exchange), *shown(hand, found, exchange))
    return ()


def done(hand: RoundState, found: Irregularity, exchange: Exchange) -> Step:
    """Return what was said or given (AD-7, AD-8, AD-Q6)."""
    if found.code == KING:
        king_code = "step-nobody-said" if exchange.king is None else "step-king-said"
        return Step(DONE, Reason(king_code, ("AD-7",), {"seat": exchange.king}), king(hand))
    facts = {"seat": found.seat}
    if found.code == LOWEST:
        return Step(DONE, Reason("step-gave-back", ("AD-7",), facts), (code(hand, exchange.returned),))
    reason_code, clause = ("step-no-deuce", "AD-8") if exchange.constipated else ("step-gave", "AD-7")
    return Step(DONE, Reason(reason_code, (clause,), facts), (code(hand, exchange.given),))


def lowest(hand: RoundState, found: Irregularity, exchange: Exchange) -> Step:
    """Return what the rule asks for: a 2 of whoever holds the King, for it the lowest card (AD-7, AD-Q8)."""
    if found.code == LOWEST:
        return Step(ASKED, Reason("step-lowest", ("AD-7", "AD-Q8")), (code(hand, exchange.given),))
    twos = tuple(card.code for card in hand.rules.pack.cards if hand.rules.twos >> card.index & 1)
    return Step(ASKED, Reason("step-king-drops" if found.code == KING else "step-owed", ("AD-7",)), twos)


def shown(hand: RoundState, found: Irregularity, exchange: Exchange) -> Iterator[Step]:
    """Yield what gave it away: a card of the offender's, the play since which it is certain, or a card given back."""
    if found.proved_by and laid(hand, found.proved_by[-1]):
        yield proved(hand, found)
    elif found.code == KING and exchange.returned is not None and hand.rules.king >> exchange.returned & 1:
        yield Step(SHOWN, Reason("step-gave-back", ("AD-7",), {"seat": hand.president}), king(hand))


def riot_steps(hand: RoundState, found: Irregularity) -> tuple[Step, ...]:
    """Return a riot that was led, what had to be left then, and the play that shows it was not (AD-24, AD-Q12)."""
    led = laid(hand, found.event)
    if led is None:
        return ()
    trick, play = led
    begun = Step(DONE, Reason("step-led", ("AD-24",), {"seat": play.seat}), codes(hand, play.cards), trick)
    return (begun, Step(ASKED, Reason("step-fours-left", ("AD-24", "AD-Q12")), ()), proved(hand, found))


def proved(hand: RoundState, found: Irregularity) -> Step:
    """Return the card that contradicts what was done, or the play since which it is certain (REC-17)."""
    played = laid(hand, found.proved_by[-1])
    assert played is not None, "only plays are looked at"
    trick, play = played
    card = found.reason.facts.get("card") if found.reason.phrase.removeprefix(NAMED) in DIRECT.values() else None
    facts = {"seat": play.seat}
    if isinstance(card, Card):
        return Step(SHOWN, Reason("step-showed", ("REC-17",), facts), (card.code,), trick)
    return Step(SHOWN, Reason("step-since", ("REC-17",), facts), codes(hand, play.cards), trick)


def laid(hand: RoundState, event: int) -> tuple[int, Laid] | None:
    """Return the play of an event and the number of its trick."""
    for number, plays in enumerate([*(trick.plays for trick in hand.taken), hand.plays], 1):
        for play in plays:
            if play.event == event and play.cards:
                return number, play
    return None


def king(hand: RoundState) -> tuple[str, ...]:
    """Return the King of diamonds of this table."""
    return (code(hand, hand.rules.king.bit_length() - 1),)


def code(hand: RoundState, card: int | None) -> str:
    """Return the code of a card of the exchange, ``?`` where nobody saw it."""
    return UNSEEN if card is None else hand.rules.pack.cards[card].code


def codes(hand: RoundState, cards: tuple[int, ...]) -> tuple[str, ...]:
    """Return the codes of cards that were played."""
    return tuple(card.code for card in hand.cards(cards))
