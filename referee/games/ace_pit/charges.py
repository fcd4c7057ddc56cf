"""Who can have answered with what is no set, or forgotten a draw, as far as the record tells (IR-13, IR-15)."""

from collections.abc import Iterator

from referee.engine.guided import Charge
from referee.engine.phases import PLAY
from referee.engine.rulings import Reason
from referee.games.ace_pit.reasons import both, clauses, named
from referee.games.ace_pit.sets import RESPONDER, breakdown
from referee.games.ace_pit.state import LONGEST_RESPONSE, TRICKS, PitState, PitTrick


def no_sets(hand: PitState) -> Iterator[Charge]:
    """Yield for each seat and trick whether two cards that are no set can have been the answer (AP-5, AP-Q4)."""
    for number, trick in tricks_shown(hand):
        if trick is None:
            yield from (Charge(seat, number) for seat in range(hand.rules.players))
        elif trick.laid is None:
            yield Charge(1 - trick.leader, number)
        else:
            yield Charge(trick.leader, number, cleared=_led(trick.leader, number))
            yield Charge(1 - trick.leader, number, cleared=_is_set(hand, number, trick))
    if hand.laid is not None:
        number = len(hand.taken) + 1
        yield Charge(hand.leader, number, cleared=_led(hand.leader, number))
        yield Charge(1 - hand.leader, number)


def draws_due(hand: PitState) -> Iterator[Charge]:
    """Yield for each seat and trick whether a card was to be drawn after it (AP-14)."""
    over = Reason("cleared-all-drawn", ("AP-14", "AP-17")) if hand.phase is not PLAY else None
    for number, trick in tricks_shown(hand):
        if trick is None:
            yield from (Charge(seat, number, cleared=over) for seat in range(hand.rules.players))
            continue
        answered = 1 - trick.leader
        yield Charge(trick.leader, number, cleared=over or _led(trick.leader, number))
        due = trick.laid is None or len(trick.response) == LONGEST_RESPONSE
        facts = {"seat": answered, "trick": number, "cards": both([hand.card(card) for card in trick.response])}
        one = None if due else Reason("cleared-one-card", ("AP-14",), facts)
        yield Charge(answered, number, cleared=over or one)


CHARGES = {"no-combination": no_sets, "draw": draws_due}
"""The acts of a hand of which somebody can be accused."""


def tricks_shown(hand: PitState) -> Iterator[tuple[int | None, PitTrick | None]]:
    """Yield every finished trick; ``None`` where nothing is known of it, not even who led."""
    yield from enumerate(hand.taken, 1)
    if hand.rest is not None:
        for number in range(len(hand.taken) + 1, TRICKS + 1):
            yield number, None
    elif not hand.taken and hand.laid is None and hand.phase is PLAY:
        yield None, None


def _led(seat: int, trick: int | None) -> Reason:
    return Reason("cleared-laid", ("AP-4",), {"seat": seat, "trick": trick})


def _is_set(hand: PitState, number: int | None, trick: PitTrick) -> Reason | None:
    """Return why an answer was one; ``None`` for two cards that are no set."""
    assert trick.laid is not None
    laid, response = hand.card(trick.laid), [hand.card(card) for card in trick.response]
    facts: dict[str, object] = {"seat": 1 - trick.leader, "trick": number, "cards": both(response), "laid": laid}
    if len(response) < LONGEST_RESPONSE:
        return Reason("cleared-one-card-answer", ("AP-5",), facts)
    outcome = breakdown(laid, response, hand.rules.options)
    if outcome.winner is None:
        return None
    if outcome.winner != RESPONDER:
        return Reason("cleared-fits", ("AP-5", "AP-20"), facts)
    return Reason("cleared-set", clauses(laid, response, outcome.items), facts | {"names": named(outcome.items)})
