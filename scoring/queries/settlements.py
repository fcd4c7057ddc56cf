"""Which events remedies settled. A remedy names its event by the position it had; amendments move positions."""

from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from django.db.models import Q

from referee.engine.event_kinds import SETTLES
from scoring.models import Table, TableEvent


class Settlement(NamedTuple):
    """The row of a remedy, and what it settled: the act that stands at this place of a hand."""

    remedy: TableEvent
    hand: int
    place: int


def settlements(row: Table, hands: Collection[int]) -> list[Settlement]:
    """Return what the remedies standing now have settled in these hands, in the order in which they were recorded.

    The place of an event stays when another takes its place, and when one before it is struck. What was left open in a
    hand can be settled in a later one.
    """
    if not hands:
        return []
    settled: list[Settlement] = []
    places: defaultdict[int, list[int]] = defaultdict(list)
    here_or_later = Q(hand__in=hands) | Q(hand__gt=min(hands), event__contains=SETTLES)
    for entry in TableEvent.objects.filter(here_or_later, table=row).order_by("seq"):
        named = _named(entry, places)
        if named is not None and entry.amended_by is None:
            settled.append(Settlement(entry, *named))
        if entry.hand in hands:
            _stand(entry, places[entry.hand])
    return settled


def _named(remedy: TableEvent, places: Mapping[int, Sequence[int]]) -> tuple[int, int] | None:
    """Find the place that a remedy names, where these places were taken when it was recorded, in order."""
    match (remedy.event or {}).get(SETTLES):
        case [int(hand), int(position)] if hand in places and 0 <= position < len(places[hand]):
            place = places[hand][position]
            return (hand, place) if (hand, place) < (remedy.hand, remedy.place) else None
    return None


def _stand(entry: TableEvent, places: list[int]) -> None:
    """Take the place of a row, or leave it where the row struck what stood there."""
    at = bisect_left(places, entry.place)
    there = at < len(places) and places[at] == entry.place
    if entry.event is None and there:
        del places[at]
    elif entry.event is not None and not there:
        places.insert(at, entry.place)


def with_positions_now(row: Table, entries: Sequence[TableEvent]) -> list[Mapping[str, object]]:
    """Return the events of the rows that stand, each remedy naming what it settled by the position it has now.

    What a remedy settled may be struck by now: then it names nothing any more.
    """
    hands = {hand for entry in entries if (hand := _hand_named(entry)) is not None}
    if not hands:
        return [entry.event or {} for entry in entries]
    settled = {each.remedy.seq: (each.hand, each.place) for each in settlements(row, hands)}
    in_hand = Counter[int]()
    positions: dict[tuple[int, int], list[int]] = {}
    for entry in entries:
        positions[entry.hand, entry.place] = [entry.hand, in_hand[entry.hand]]
        in_hand[entry.hand] += 1
    return [_named_now(entry, settled, positions) for entry in entries]


def _hand_named(entry: TableEvent) -> int | None:
    match (entry.event or {}).get(SETTLES):
        case [int(hand), int(_)] if hand <= entry.hand:
            return hand
    return None


def _named_now(
    entry: TableEvent,
    settled: Mapping[int, tuple[int, int]],
    positions: Mapping[tuple[int, int], list[int]],
) -> Mapping[str, object]:
    event = entry.event or {}
    if entry.seq not in settled:
        return event
    position = positions.get(settled[entry.seq])
    rest = {key: value for key, value in event.items() if key != SETTLES}
    return rest if position is None else rest | {SETTLES: position}
