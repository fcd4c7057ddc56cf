"""Which events remedies settled. A remedy names its event by the position it had; amendments move positions."""

from collections import Counter
from collections.abc import Mapping, Sequence

from referee.engine.event_kinds import SETTLES
from scoring.models import Table, TableEvent


def settled_places(row: Table, hand: int) -> dict[int, int]:
    """Return the place in a hand that each remedy standing now has settled, by the number of the remedy's row.

    The place of an event stays when another takes its place, and when one before it is struck.
    """
    entries = list(TableEvent.objects.filter(table=row, hand=hand, event__isnull=False).order_by("place", "seq"))
    named = {entry.seq: _settled(entry, entries) for entry in entries if entry.amended_by is None}
    return {seq: place for seq, place in named.items() if place is not None}


def _settled(remedy: TableEvent, entries: Sequence[TableEvent]) -> int | None:
    """Find the place that a remedy names, in the record as it stood when the remedy was recorded."""
    stood = [
        entry.place
        for entry in entries
        if entry.place < remedy.place
        and entry.seq < remedy.seq
        and (entry.amended_by is None or entry.amended_by > remedy.seq)
    ]
    match (remedy.event or {}).get(SETTLES):
        case [int(hand), int(position)] if hand == remedy.hand and 0 <= position < len(stood):
            return stood[position]
    return None


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
