"""Recorded events as stream messages, after a cursor in a table's log or in a group's tables."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from functools import reduce
from heapq import merge
from operator import itemgetter, or_
from typing import Any, Generic, NamedTuple, TypeVar

from django.db.models import Q
from django.utils import timezone

from scoring.models import Table, TableEvent
from scoring.tables.reads.access import HEAVY
from scoring.tables.reads.log import log
from scoring.tables.reads.log_entries import StreamedRow, TableFinished, TableOpened, describe_entries
from scoring.tables.reads.rules import game_and_title

MOST_ROWS = 100  # rows per part
MOST_TABLES = 50  # tables per query

Cursor = TypeVar("Cursor")


class Part(NamedTuple, Generic[Cursor]):
    """Encoded messages after a cursor, the cursor after them, and whether there is ``more``."""

    messages: bytes
    cursor: Cursor
    more: bool


def message(event: str, cursor: object, data: object) -> bytes:
    told = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    return f"event: {event}\nid: {cursor}\ndata: {told}\n\n".encode()


# --- A table's messages, after a row of its log. A table's versions are committed in order


def table_cursor(text: str, table: Table) -> int:
    """Parse a client's position. Raises ``ValueError`` if the table has no such row yet."""
    if not re.fullmatch(r"[0-9]{1,10}", text) or int(text) > table.version:
        raise ValueError(text)
    return int(text)


def recorded_at(table: int, after: int) -> Part[int]:
    row = Table.objects.defer(*HEAVY).filter(pk=table).first()
    entries = [] if row is None else describe_entries(row, log(row, after=after, most=MOST_ROWS))
    messages = b"".join(message("recorded", entry["seq"], entry) for entry in entries)
    return Part(messages, entries[-1]["seq"] if entries else after, len(entries) == MOST_ROWS)


# --- A group's messages, after a row of each of its tables
# Tables are written concurrently, and a write that began earlier may be committed later. So a cursor holds a time, and
# the version of every table that changed shortly before it; any other table that changes has new rows since then.

LONG_ENOUGH = timedelta(minutes=10)
"""Upper bound for the duration of a write plus the clock skew between machines."""
LONGEST_CURSOR = 6000
GROUP_CURSOR = re.compile(r"[0-9a-f]{1,9}(-[0-9a-f]{1,15}\.[0-9a-f]{1,8})*")


class GroupCursor(NamedTuple):
    """A Unix timestamp, and the versions of tables by id that the client has seen."""

    moment: int
    versions: tuple[tuple[int, int], ...] = ()

    def __str__(self) -> str:
        return "-".join((f"{self.moment:x}", *(f"{table:x}.{seq:x}" for table, seq in self.versions)))

    @property
    def edge(self) -> datetime:
        return datetime.fromtimestamp(self.moment, UTC) - LONG_ENOUGH


def group_cursor_now(group: int) -> GroupCursor:
    now = GroupCursor(int(timezone.now().timestamp()))
    return _cursor(now.moment, {row.pk: row.version for row in _changed(group, now.edge)})


def group_cursor(text: str, group: int) -> GroupCursor:
    """Parse a client's position. Raises ``ValueError`` if this group's stream can't have sent it."""
    if len(text) > LONGEST_CURSOR or not GROUP_CURSOR.fullmatch(text):
        raise ValueError(text)
    moment, *pairs = text.split("-")
    versions = {int(table, 16): int(seq, 16) for table, seq in (pair.split(".") for pair in pairs)}
    cursor = _cursor(int(moment, 16), versions)
    if cursor.edge > timezone.now():
        raise ValueError(text)
    tables = Table.objects.filter(group=group, pk__in=versions).values_list("pk", "version")
    if any(versions[pk] > version for pk, version in tables):
        raise ValueError(text)
    return cursor


def _cursor(moment: int, versions: Mapping[int, int]) -> GroupCursor:
    return GroupCursor(moment, tuple(sorted(versions.items())))


def _changed(group: int, since: datetime) -> list[Table]:
    rows = Table.objects.filter(group=group, updated__gte=since).order_by("pk")
    return list(rows.defer(*HEAVY))


def recorded_in(group: int, cursor: GroupCursor) -> Part[GroupCursor]:
    """Read recorded events of all tables of a group, sorted by time within a part."""
    now, seen = GroupCursor(int(timezone.now().timestamp())), dict(cursor.versions)
    changed = _changed(group, cursor.edge)
    behind = [row for row in changed if row.version > seen.get(row.pk, -1)]
    asked = behind[:MOST_TABLES]
    entries = _rows(asked, seen, cursor.edge)
    cut = len(entries) == MOST_ROWS
    reached = [row for row in asked if not cut or row.pk <= entries[-1].table_id]
    told = [
        _of_table(row, [each for each in entries if each.table_id == row.pk],
                  opened=row.pk not in seen and row.created >= cursor.edge)
        for row in reached
    ]  # fmt: skip
    messages = []
    for _at, event, table, seq, data in merge(*told, key=itemgetter(0)):
        seen[table] = seq
        messages.append(message(event, _cursor(cursor.moment, seen), data))
    for row in reached[:-1] if cut else reached:
        seen[row.pk] = max(row.version, seen.get(row.pk, 0))
    more = cut or len(behind) > len(asked)
    if more:
        return Part(b"".join(messages), _cursor(cursor.moment, seen), more)
    # Clients that have read everything get the same cursor, so that they share further reads.
    stands = {row.pk: max(row.version, seen[row.pk]) for row in changed if row.updated >= now.edge}
    return Part(b"".join(messages), _cursor(now.moment, stands), more)


def _rows(tables: Sequence[Table], seen: Mapping[int, int], edge: datetime) -> list[TableEvent]:
    if not tables:
        return []
    wanted = (Q(table=row, seq__gt=seen[row.pk]) if row.pk in seen else Q(table=row, at__gte=edge) for row in tables)
    return list(TableEvent.objects.filter(reduce(or_, wanted)).order_by("table", "seq")[:MOST_ROWS])


Told = tuple[datetime, str, int, int, Any]
"""Time, message type, table id, preceding log row, and content."""


def _of_table(row: Table, entries: Sequence[TableEvent], *, opened: bool) -> Iterator[Told]:
    if opened:
        new: TableOpened = {"table": row.code, **game_and_title(row), "seats": row.seats}
        yield row.created, "opened", row.pk, 0, new
    last = max((entry.seq for entry in entries if entry.at == row.finished_at), default=None)
    for entry, described in zip(entries, describe_entries(row, entries) if entries else (), strict=True):
        yield entry.at, "recorded", row.pk, entry.seq, StreamedRow(table=row.code, row=described)
        if entry.seq == last:
            yield entry.at, "finished", row.pk, entry.seq, TableFinished(table=row.code)
