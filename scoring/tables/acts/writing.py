"""The only writer of log rows and of the table columns derived from them.

The caller passes the version it has read; the statement that updates the table checks that it is current and that the
caller's link is still valid. So an act judged without a lock is written only if its premises still hold.
"""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from functools import lru_cache
from operator import attrgetter
from typing import Any, NamedTuple

from django.db import connection, transaction

from scoring.models import Table, TableEvent
from scoring.models.fields import canonical

MOST_ROWS = 1000  # rows per statement; databases limit its parameters

Values = Mapping[str, Any]


class LogRow(NamedTuple):
    """A log row to insert; see ``TableEvent``."""

    seq: int
    hand: int
    place: int
    event: object
    at: datetime
    by: str = ""
    amends: int | None = None
    amended_by: int | None = None
    reason: str = ""
    key: str | None = None
    fingerprint: str = ""
    batch: int = 1
    choosing: object = None


LOG_COLUMNS = ("table_id", *LogRow._fields)
INTO = "scoring_tableevent ({})".format(", ".join(f'"{column}"' for column in LOG_COLUMNS))
_values = attrgetter(*LogRow._fields)


def move_on(row: Table, changed: Values, entries: Sequence[TableEvent], *, right: tuple[int, ...], alone: bool) -> bool:
    """Write changed columns and new rows, unless the version has changed or ``right`` is no longer valid.

    ``alone``: the act has no other writes.
    """
    move = _move_sql(tuple(changed), len(right))
    values = (*changed.values(), row.pk, row.version, stored(row.updated), *right)
    if alone and len(entries) == 1 and connection.vendor == "postgresql" and not connection.in_atomic_block:
        # One round trip: a single statement is its own transaction.
        with connection.cursor() as cursor:
            cursor.execute(_move_and_add(move), (*values, *_log_values(entries[0])))
            return bool(cursor.rowcount)
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(move, values)
        if not cursor.rowcount:
            return False
        add_to_log(row.pk, entries)
    return True


def add_to_log(table: int, entries: Iterable[TableEvent | LogRow]) -> None:
    rows = [value for entry in entries for value in (table, *_log_values(entry))]
    width = len(LOG_COLUMNS)
    with connection.cursor() as cursor:
        for first in range(0, len(rows), width * MOST_ROWS):
            some = rows[first : first + width * MOST_ROWS]
            cursor.execute(_add(len(some) // width), some)


LINK = "l.table_id = scoring_table.id AND l.id = %s AND l.revoked IS NULL"
STANDS = (
    "",
    f" AND EXISTS (SELECT 1 FROM scoring_link l WHERE {LINK})",
    " AND EXISTS (SELECT 1 FROM scoring_link l JOIN scoring_devicetable d"
    f" ON d.link_id = l.id AND d.table_id = l.table_id WHERE {LINK} AND d.id = %s)",
)
"""SQL conditions by the length of ``right``: none, a link of the table, such a link on a device."""


@lru_cache(maxsize=64)
def _move_sql(columns: tuple[str, ...], parts: int) -> str:
    set_ = ", ".join(f'"{column}" = %s' for column in columns)
    return f"UPDATE scoring_table SET {set_} WHERE id = %s AND version = %s AND updated = %s{STANDS[parts]}"


@lru_cache(maxsize=64)
def _move_and_add(move: str) -> str:
    values = ", ".join(["%s"] * (len(LOG_COLUMNS) - 1))
    return f"WITH moved AS ({move} RETURNING id) INSERT INTO {INTO} SELECT id, {values} FROM moved"


@lru_cache(maxsize=64)
def _add(rows: int) -> str:
    one = f"({', '.join(['%s'] * len(LOG_COLUMNS))})"
    return f"INSERT INTO {INTO} VALUES {', '.join([one] * rows)}"


def _log_values(entry: TableEvent | LogRow) -> tuple[Any, ...]:
    seq, hand, place, event, at, *others, choosing = _values(entry)
    return (seq, hand, place, _json(event), stored(at), *others, _json(choosing))


def _json(value: object) -> str | None:
    return None if value is None else canonical(value)


def stored(moment: datetime) -> str | None:
    return _stored(moment, connection.vendor)


@lru_cache(maxsize=64)
def _stored(moment: datetime, _vendor: str) -> str | None:
    """Cached conversion of a time to its stored value: an act's time is in several columns and in the next check."""
    return connection.ops.adapt_datetimefield_value(moment)
