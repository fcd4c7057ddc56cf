"""Which events others name: remedies what they settled, disputes what they are about.

An event is named by the position that it had then; amendments move positions.
"""

from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from typing import Any, NamedTuple

from django.db.models import Q

from referee.engine.event_kinds import DISPUTES, SETTLES
from referee.engine.sheet import DescribedWithdrawn
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
    return _naming(row, hands, SETTLES)


def disputed(row: Table, hands: Collection[int]) -> list[Settlement]:
    """Return which events of these hands are disputed, each with the row that raised the dispute, in their order."""
    return _naming(row, hands, DISPUTES)


def rested_on(found: DescribedWithdrawn, remedies: Sequence[TableEvent], seqs: Sequence[int]) -> list[TableEvent]:
    """Return the remedies that were taken on a finding while it stood, before a later event of its hand disproved it.

    ``seqs`` are the rows of its hand, in order; ``remedies`` those that settled anything about the same act.
    """
    known, gone = (found["proved_by"] or [found["event"]])[-1][1], found["withdrawn_by"][1]
    return [row for row in remedies if row.seq in seqs and known < seqs.index(row.seq) < gone]


def _naming(row: Table, hands: Collection[int], key: str) -> list[Settlement]:
    if not hands:
        return []
    found: list[Settlement] = []
    places: defaultdict[int, list[int]] = defaultdict(list)
    here_or_later = Q(hand__in=hands) | Q(hand__gt=min(hands), event__contains=key)
    for entry in TableEvent.objects.filter(here_or_later, table=row).order_by("seq"):
        named = _named(entry, places, key)
        if named is not None and entry.amended_by is None:
            found.append(Settlement(entry, *named))
        if entry.hand in hands:
            _stand(entry, places[entry.hand])
    return found


def _named(remedy: TableEvent, places: Mapping[int, Sequence[int]], key: str) -> tuple[int, int] | None:
    """Find the place that a row names, where these places were taken when it was recorded, in order."""
    match _position(remedy.event or {}, key):
        case [int(hand), int(position)] if hand in places and 0 <= position < len(places[hand]):
            place = places[hand][position]
            return (hand, place) if (hand, place) < (remedy.hand, remedy.place) else None
    return None


def _position(event: Mapping[str, Any], key: str) -> object:
    """Return the position that an event names under a key: what it settles, or what its dispute is about."""
    if key == SETTLES:
        return event.get(SETTLES)
    match event.get(DISPUTES):
        case {"about": {"hand": hand, "event": position}}:
            return [hand, position]
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
    """Return the events of the rows that stand, each naming what it settled or disputes by the position it has now.

    What was settled or disputed may be struck by now: then nothing is named any more.
    """
    events: list[Mapping[str, Any]] = [entry.event or {} for entry in entries]
    positions: dict[tuple[int, int], list[int]] = {}
    for key, rename in ((SETTLES, _settling), (DISPUTES, _disputing)):
        named = [_hand_named(entry, key) for entry in entries]
        hands = {hand for hand in named if hand is not None}
        if not hands:
            continue
        positions = positions or _positions(entries)
        found = {each.remedy.seq: (each.hand, each.place) for each in _naming(row, hands, key)}
        for number, entry in enumerate(entries):
            if entry.seq in found:
                events[number] = rename(events[number], positions.get(found[entry.seq]))
    return events


def _positions(entries: Sequence[TableEvent]) -> dict[tuple[int, int], list[int]]:
    in_hand = Counter[int]()
    positions: dict[tuple[int, int], list[int]] = {}
    for entry in entries:
        positions[entry.hand, entry.place] = [entry.hand, in_hand[entry.hand]]
        in_hand[entry.hand] += 1
    return positions


def _hand_named(entry: TableEvent, key: str) -> int | None:
    match _position(entry.event or {}, key):
        case [int(hand), int(_)] if hand <= entry.hand:
            return hand
    return None


def _settling(event: Mapping[str, Any], position: list[int] | None) -> Mapping[str, Any]:
    rest = {key: value for key, value in event.items() if key != SETTLES}
    return rest if position is None else rest | {SETTLES: position}


def _disputing(event: Mapping[str, Any], position: list[int] | None) -> Mapping[str, Any]:
    mark = event[DISPUTES]
    about = {key: value for key, value in mark["about"].items() if key != "event" or position is not None}
    if position is not None:
        about["event"] = position[1]
    return {**event, DISPUTES: {**mark, "about": about}}
