"""Threading a hand of a table anew: rows that take another seat, as a correction has changed whose turn it was."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from referee.engine.bounds import Watch, no_watch
from referee.engine.event_kinds import Event
from referee.engine.reading import dump_event, stored_event
from referee.engine.rethreading import Entry, rethread
from referee.engine.table import TableState
from scoring.models import TableEvent


@dataclass(frozen=True, slots=True)
class MovedEntry:
    """A play or pass that moves to another seat: its row, its position in the record, its trick, counted from 1.

    ``event`` is what it then is: another card, too, where that is corrected with it.
    """

    entry: TableEvent
    position: int
    trick: int | None
    event: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Threaded:
    """What a hand becomes: the rows whose event is another one then, with that event, and which of them move.

    What no longer fits is among the rows, as it was tried, and moves nothing.
    """

    rows: list[tuple[TableEvent, dict[str, object]]] = field(default_factory=list)
    moved: list[MovedEntry] = field(default_factory=list)


def thread_anew(
    start: TableState, there: Sequence[TableEvent], news: Sequence[TableEvent], watch: Watch = no_watch
) -> Threaded:
    """Thread a hand anew, when ``news`` stand at their places among, or instead of, the rows that are ``there``.

    ``start`` is the table with the hand just dealt.
    """
    recorded = {entry.place: entry for entry in there}
    meant: Mapping[int, TableEvent] = recorded | {entry.place: entry for entry in news}
    places = sorted(meant)
    entries = [Entry(_event(recorded.get(place)), _event(meant[place])) for place in places]
    found = rethread(start, entries, watch)
    moves = {places[move.place]: move for move in found.moved}
    threaded = Threaded()
    for place, entry, event in zip(places, entries, found.events, strict=True):
        if event is None or event is entry.meant:
            continue
        dumped = dump_event(event, start.rules.pack)
        threaded.rows.append((meant[place], dumped))
        if place in moves:
            position = sum(earlier < place for earlier in recorded)
            threaded.moved.append(MovedEntry(recorded[place], position, moves[place].trick, dumped))
    return threaded


def _event(entry: TableEvent | None) -> Event | None:
    return None if entry is None or entry.event is None else stored_event(entry.event)
