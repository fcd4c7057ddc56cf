"""Who can have acted out of turn, and whose hand can have a wrong number of cards, as far as a record tells.

What only its game knows a hand answers itself (``Guided.charges``).
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from referee.engine.event_kinds import Event
from referee.engine.guided import Acted, Charge
from referee.engine.hand import Hand
from referee.engine.phases import PLAY
from referee.engine.rulings import Reason


def charges_of(act: str, hand: Hand, events: Sequence[Event], coming: Hand | None) -> Sequence[Charge] | None:
    """Return every act of a kind that can have been done in a hand; ``None`` where anybody can have done it.

    ``coming`` is the next hand, where this one is over, for the lead to it.
    """
    if not act:
        return None
    found = hand.charges(act, events)
    if found is None and act in EVERYWHERE:
        found = tuple(EVERYWHERE[act](hand, tuple(hand.acted(events))))
    if found is not None and coming is not None:
        leader = coming.to_act() if coming.phase is PLAY else ()
        found = (*found, *(Charge(seat) for seat in range(hand.rules.players) if seat not in leader))
    return found


def leads(hand: Hand, plays: Sequence[Acted]) -> Iterator[Charge]:
    """Yield for each seat and trick whether it can have led it out of turn (IR-8, REC-12)."""
    first: dict[int, Acted] = {}
    out_of_turn = _out_of_turn(hand)
    for laid in plays:
        first.setdefault(laid.trick, laid)
    for trick, laid in first.items():
        facts: dict[str, object] = {"seat": laid.seat, "trick": trick}
        fair = None if laid.event in out_of_turn else Reason("cleared-own-lead", ("REC-12",), facts)
        yield Charge(laid.seat, trick, laid.event, fair)
        for seat in _others(hand, laid.seat):
            other = Reason("cleared-other-led", ("REC-12",), {"seat": seat, "other": laid.seat, "trick": trick})
            yield Charge(seat, trick, cleared=other)
    yield from _untold(hand, plays)
    running = hand.trick_number()
    if running is not None and plays and running not in first:
        for seat in range(hand.rules.players):
            turn = Reason("cleared-own-lead", ("REC-12",), {"seat": seat, "trick": running})
            yield Charge(seat, running, cleared=turn if seat in hand.to_act() else None)


def plays_in_turn(hand: Hand, plays: Sequence[Acted]) -> Iterator[Charge]:
    """Yield for each seat and trick whether it can have played to it out of turn (IR-8, REC-12)."""
    first: dict[int, Acted] = {}
    out_of_turn = _out_of_turn(hand)
    for laid in plays:
        facts: dict[str, object] = {"seat": laid.seat, "trick": laid.trick}
        if first.setdefault(laid.trick, laid) is laid:
            yield Charge(laid.seat, laid.trick, laid.event, Reason("cleared-led", ("REC-12",), facts, LED))
        else:
            fair = None if laid.event in out_of_turn else Reason("cleared-in-turn", ("REC-12",), facts)
            yield Charge(laid.seat, laid.trick, laid.event, fair)
    yield from _untold(hand, plays)
    running = hand.trick_number()
    if running not in first or hand.phase is not PLAY:
        return
    there = {laid.seat for laid in plays if laid.trick == running}
    for seat in range(hand.rules.players):
        if hand.CLIMBS or seat not in there:
            turn = Reason("cleared-in-turn", ("REC-12",), {"seat": seat, "trick": running}, TURN)
            yield Charge(seat, running, cleared=turn if seat in hand.to_act() else None)


LED, TURN = "cleared-led-it", "cleared-turn"
"""The sentences that tell a lead, and whose turn it is, from a play in turn."""


def numbers_of_cards(hand: Hand, plays: Sequence[Acted]) -> Iterator[Charge]:
    """Yield whose hand can have had a wrong number of cards: not one that was entered (REC-8, IR-10)."""
    for seat in range(hand.rules.players):
        entered = hand.setup.known[seat] if hand.setup.known else None
        facts: dict[str, object] = {"seat": seat, "count": (entered or 0).bit_count()}
        yield Charge(seat, cleared=None if entered is None else Reason("cleared-entered", ("REC-8",), facts))


EVERYWHERE: Mapping[str, Callable[[Hand, Sequence[Acted]], Iterable[Charge]]] = {
    "lead": leads,
    "play": plays_in_turn,
    "number": numbers_of_cards,
}
"""The acts of any game of which somebody can be accused."""


def _out_of_turn(hand: Hand) -> frozenset[int]:
    return frozenset(found.event for found in hand.irregularities if found.code == "out-of-turn")


def _others(hand: Hand, seat: int) -> Iterator[int]:
    return (other for other in range(hand.rules.players) if other != seat)


def _untold(hand: Hand, plays: Sequence[Acted]) -> Iterator[Charge]:
    """Yield a charge for everybody where tricks, or the whole play, are not recorded by their cards."""
    if not plays or any(reason.code in UNTOLD for reason in hand.unchecked()):
        yield from map(Charge, range(hand.rules.players))


UNTOLD = frozenset({"tricks-without-cards", "result-only"})
"""What a hand says cannot be checked where nobody recorded how a trick went."""
