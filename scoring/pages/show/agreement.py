"""Who agrees with the result of the hand that is over, and whether this phone is still to be asked."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from scoring.queries.state import Standing


@dataclass(frozen=True, slots=True)
class Agreement:
    """Who agrees with the hand of this number, from 1; ``asked``: this phone's player may still say so."""

    hand: int
    names: tuple[str, ...]
    asked: bool


def agreement(
    at: Standing, confirmed: Mapping[int, Mapping[int, int]], seat: int | None, *, hidden: bool
) -> Agreement | None:
    """Return who agrees with the last hand; nothing while nobody may know what it brought."""
    if at.hand is None or hidden or at.hand.scores() is None or not at.hand.is_over():
        return None
    agreed = confirmed.get(at.hand.setup.index, {})
    names = tuple(at.names[each] for each in agreed)
    return Agreement(at.hand.setup.index + 1, names, seat is not None and seat not in agreed)


def who_agreed(confirmed: Mapping[int, Mapping[int, int]], names: Sequence[str]) -> tuple[tuple[int, str], ...]:
    """Return who has agreed with each hand, by its number from 1."""
    return tuple((hand + 1, ", ".join(names[seat] for seat in seats)) for hand, seats in confirmed.items())
