"""Who agrees with the result of the hand that is over, and whether this phone is still to be asked."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from scoring.queries.state import Standing


@dataclass(frozen=True, slots=True)
class Confirmation:
    """Who agrees with the hand of this number, from 1; ``can_confirm``: this phone's player may still do so."""

    hand: int
    names: tuple[str, ...]
    can_confirm: bool


def confirmation(
    at: Standing, confirmed: Mapping[int, Mapping[int, int]], seat: int | None, *, hidden: bool
) -> Confirmation | None:
    """Return who agrees with the last hand; nothing while nobody may know what it brought."""
    if at.hand is None or hidden or at.hand.scores() is None or not at.hand.is_over():
        return None
    seats = confirmed.get(at.hand.setup.index, {})
    names = tuple(at.names[each] for each in seats)
    return Confirmation(at.hand.setup.index + 1, names, seat is not None and seat not in seats)


class Confirmed(NamedTuple):
    """Who has agreed with the hand of this number, from 1: the seats, and their names."""

    hand: int
    seats: tuple[int, ...]
    names: str


def who_confirmed(confirmed: Mapping[int, Mapping[int, int]], names: Sequence[str]) -> tuple[Confirmed, ...]:
    """Return who has agreed with each hand of which anybody has."""
    return tuple(
        Confirmed(hand + 1, tuple(seats), ", ".join(names[seat] for seat in seats))
        for hand, seats in confirmed.items()
        if seats
    )
