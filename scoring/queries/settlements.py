"""Which events remedies settled. A remedy names its event by the position it had; amendments move positions."""

from bisect import bisect_left
from collections import Counter
from collections.abc import Mapping, Sequence

from referee.engine.event_kinds import SETTLES
from scoring.models import Table, TableEvent


def settled_places(row: Table, hand: int) -> dict[int, int]:
    """Return the place in a hand that each remedy standing now has settled, by the number of the remedy's row.

    The place of an event stays when another takes its place, and when one before it is struck.
    """
    settled: dict[int, int] = {}
    places: list[int] = []
    for entry in TableEvent.objects.filter(table=row, hand=hand).order_by("seq"):
        named = _named(entry, places)
        if named is not None and entry.amended_by is None:
            settled[entry.seq] = named
        _stand(entry, places)
    return settled


def _named(remedy: TableEvent, places: Sequence[int]) -> int | None:
    """Find the place that a remedy names, where these places were taken when it was recorded, in order."""
    match (remedy.event or {}).get(SETTLES):
        case [int(hand), int(position)] if hand == remedy.hand and 0 <= position < len(places):
            return places[position] if places[position] < remedy.place else None
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
    hands = {entry.hand for entry in entries if SETTLES in (entry.event or {})}
    if not hands:
        return [entry.event or {} for entry in entries]
    settled = {seq: place for hand in hands for seq, place in settled_places(row, hand).items()}
    in_hand = Counter[int]()
    positions: dict[tuple[int, int], int] = {}
    for entry in entries:
        positions[entry.hand, entry.place] = in_hand[entry.hand]
        in_hand[entry.hand] += 1
    return [_named_now(entry, settled, positions) for entry in entries]


def _named_now(
    entry: TableEvent, settled: Mapping[int, int], positions: Mapping[tuple[int, int], int]
) -> Mapping[str, object]:
    event = entry.event or {}
    if entry.seq not in settled:
        return event
    position = positions.get((entry.hand, settled[entry.seq]))
    rest = {key: value for key, value in event.items() if key != SETTLES}
    return rest if position is None else rest | {SETTLES: [entry.hand, position]}
