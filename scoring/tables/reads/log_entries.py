"""Log rows as API clients read them, in responses and streams."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, NotRequired, TypedDict

from referee.engine import sheet
from scoring.models import Table, TableEvent
from scoring.models.fields import written
from scoring.tables.reads.findings import positions
from scoring.tables.reads.results import points_hidden
from scoring.tables.reads.state import is_veiled, standing_now, veiled


class CarriedChange(TypedDict):
    """The points carried over to a table, before and after a correction."""

    before: list[int]
    after: list[int]


class SecretChoices(TypedDict, total=False):
    """The content of a row without an event: a sealed choice, carried points, an agreement, or a new scorekeeper."""

    seat: Annotated[int | None, "The seat that chose."]
    chosen: list[int]
    again: list[int]
    confirmed: Annotated[int, "The hand whose result the seat agrees with, from 1."]
    ruling: Annotated[int, "The log row of the ruling that the seat agrees with."]
    keeper: Annotated[int, "The link of the phone that keeps the score from now on."]
    carried: Annotated[CarriedChange, "Corrected points that this table starts with, or scores of a past game."]


class LogWriter(TypedDict):
    """Who wrote a log row."""

    role: Annotated[str, "`scorekeeper`, `player`, or another kind of writer."]
    seat: int | None
    name: str


class LogEntry(TypedDict):
    """A log row."""

    position: Annotated[
        list[int] | None, "Its place in the record, as hand and event, both from 0; null if it is not part of it."
    ]
    seq: int
    hand: int
    event: sheet.EventData | None
    amends: int | None
    amended_by: int | None
    reason: str
    by: str
    who: LogWriter
    at: sheet.Moment
    hidden: NotRequired[SecretChoices | None]


class StreamedRow(TypedDict):
    """`recorded` in a group’s stream: a log row of one of its tables."""

    table: Annotated[str, "The code of the table."]
    row: LogEntry


class TableOpened(TypedDict):
    """`opened`: a new table of the group."""

    table: Annotated[str, "The code of the table."]
    game: sheet.GameId
    title: NotRequired[sheet.Title]
    seats: list[str]


class TableFinished(TypedDict):
    """`finished`: the latest event has ended the game."""

    table: Annotated[str, "The code of the table."]


def describe_entries(row: Table, entries: Sequence[TableEvent]) -> list[LogEntry]:
    """Describe log rows without information that is still hidden; the same for every reader."""
    places = positions(row, {entry.hand for entry in entries})
    carried = any("carried" in (entry.choosing or ()) for entry in entries)
    points = not carried or not points_hidden(standing_now(row))
    shown = [_describe_entry(entry, places, points=points) for entry in entries]
    if any(entry.event and is_veiled(entry.event) for entry in entries):
        state = standing_now(row).state
        for line in shown:
            line["event"] = line["event"] and veiled(line["event"], line["hand"] - 1, state)
    return shown


def _describe_entry(entry: TableEvent, positions: Mapping[int, sheet.Position], *, points: bool) -> LogEntry:
    by, _, name = entry.by.partition(": ")
    role, _, seat = by.partition("-")
    hidden: Any = entry.choosing
    if hidden is not None:
        hidden = {key: value for key, value in hidden.items() if points or key != "carried"}
        if "confirmed" in hidden:
            hidden["confirmed"] += 1
    return {
        "position": positions.get(entry.seq),
        "seq": entry.seq,
        "hand": entry.hand + 1,
        "event": entry.event,
        "amends": entry.amends,
        "amended_by": entry.amended_by,
        "reason": entry.reason,
        "by": by,
        "who": {"role": role, "seat": int(seat) if seat else None, "name": name},
        "at": written(entry.at),
        "hidden": hidden,
    }
