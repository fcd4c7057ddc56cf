"""Who may write a table's data: every test of the application has its SQL statements checked.

An act at a table is a turn, and a turn writes through ``scoring.tables.acts.writing``. The few other writers are listed
here, each with its reason; nothing else may write, by model, manager or raw SQL.
"""

import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

from django.db import connection

TURN, WRITING = "scoring.tables.acts.turn", "scoring.tables.acts.writing"
NEW_TABLES = {
    "scoring.tables.acts.opening": "opens a table, which nobody can write to yet",
    "scoring.tables.acts.importing": "brings a record as a new table",
    "scoring.groups.acts.group_importing": "brings the tables of a group as new ones",
}
NAMES_GO = {"scoring.groups.acts.people": "takes a name out of every row"}
WRITERS: dict[str, dict[str, str]] = {
    "rows of the log": {WRITING: "the one writer"},
    "what rows of the log say": {
        TURN: "names in an earlier row the one that amends it",
        "scoring.tables.acts.keys": "forgets the keys of requests that nobody will send again",
        **NAMES_GO,
    },
    "a new table": NEW_TABLES,
    "a snapshot": {
        WRITING: "the one writer",
        "scoring.groups.acts.group_importing": NEW_TABLES["scoring.groups.acts.group_importing"],
        **NAMES_GO,
    },
    "sheets and hands dealt": {
        TURN: "leaves a hand, or judges hands again",
        "scoring.tables.reads.log": "draws a sheet up again that a new name has emptied, when it is read",
        "scoring.groups.acts.people": "empties sheets in which a name stands that has changed",
        **NEW_TABLES,
        **NAMES_GO,
    },
}
KINDS = {
    "rows of the log": re.compile(r'INSERT INTO "?scoring_tableevent\b'),
    "what rows of the log say": re.compile(r'UPDATE "?scoring_tableevent\b'),
    "a new table": re.compile(r'INSERT INTO "?scoring_table\b'),
    "a snapshot": re.compile(r'UPDATE "?scoring_table"? SET [^W]*"snapshot"'),
    "sheets and hands dealt": re.compile(r'(INSERT INTO|UPDATE) "?scoring_(handsheet|dealthand)\b'),
}


def kinds_of(sql: str) -> list[str]:
    return [kind for kind, pattern in KINDS.items() if pattern.search(sql)]


def writer() -> str | None:
    """Return the application module a statement comes from; ``None`` if a test wrote it itself."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None:
        name = frame.f_globals.get("__name__", "")
        if name.startswith("scoring.") and not name.startswith(("scoring.models", "scoring.migrations")):
            return str(name)
        frame = frame.f_back
    return None


def look(execute: Callable[..., Any], sql: str, params: Any, many: bool, context: Any) -> Any:
    """Let a statement through if its module may write this data."""
    for kind in kinds_of(sql):
        who = writer()
        assert who is None or who in WRITERS[kind], f"{who} writes {kind}: {sql[:200]}"
    return execute(sql, params, many, context)


@contextmanager
def guarded() -> Iterator[None]:
    with connection.execute_wrapper(look):
        yield
