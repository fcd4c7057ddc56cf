"""The usual request, done fast: the scorekeeper records one event in the middle of a hand.

Nearly everything that is ever written to a table is a card that somebody has just played. Such an event
needs one query to read the table with the caller's link, the referee, and one write. All else (a batch, a
new hand, an event that is not taken as it stands, a retry, a caller who has not seen the table as it is)
is left to ``recording``, which takes its time, says why, and would say the same of every event taken here.

No row is locked while the referee thinks. The write itself asks whether the table is still at the version
that was read, so of two writers one is too late, and looks again.
"""

import json
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from django.db import IntegrityError, connection, transaction
from django.utils import timezone

import referee.table as game_table
from referee.catalogue import find_game
from referee.events import Event, Note, Pass, Play, Trick
from referee.hand import PLAY, Rules
from referee.records import dump_event
from referee.rulings import Ruling, Verdict
from referee.snapshot import dump_table, load_table
from scoring.models import Role
from scoring.models.fields import canonical
from scoring.queries.rules import rules_told
from scoring.services.announcing import announce_version
from scoring.services.writing import Request, fingerprint

TAKEN_HERE = (Play, Pass, Trick, Note)
TRIES = 3
"""How often the table may be changed by others between the reading and the writing."""

READ = """
    SELECT t.id, t.version, t.game, t.options, t."end", t.seats, t.hand_number, t.snapshot
    FROM scoring_table t JOIN scoring_link l ON l.table_id = t.id
    WHERE t.code = %s AND l.token_hash = %s AND l.role = %s AND l.revoked IS NULL
"""
MOVE = """
    UPDATE scoring_table SET version = %s, snapshot = %s, finished = %s, updated = %s
    WHERE id = %s AND version = %s
"""
COLUMNS = 'table_id, seq, hand, event, "by", at, key, fingerprint, batch'
ADD = f"INSERT INTO scoring_tableevent ({COLUMNS}) VALUES (%s, %s, %s, %s, %s, %s, %s, %s, 1)"
MOVE_AND_ADD = f"""
    WITH moved AS ({MOVE} RETURNING id)
    INSERT INTO scoring_tableevent ({COLUMNS})
    SELECT id, %s, %s, %s, %s, %s, %s, %s, 1 FROM moved
"""


@dataclass(frozen=True, slots=True)
class OneRecorded:
    """The new version, the ruling, and the players' names by seat."""

    version: int
    ruling: Ruling
    names: list[str]


@dataclass(frozen=True, slots=True)
class _Seen:
    """The table as it was read."""

    pk: int
    version: int
    names: list[str]
    hand: int
    state: game_table.Table


def record_one(code: str, token_hash: str, event: Event, request: Request) -> OneRecorded | None:
    """Record one event if that is as simple as it nearly always is; nothing was written otherwise."""
    if not isinstance(event, TAKEN_HERE):
        return None
    for _ in range(TRIES):
        seen = _read(code, token_hash)
        if seen is None or request.expected not in (None, seen.version):
            return None
        ruling = game_table.judge(seen.state, event)
        if ruling.verdict is not Verdict.ACCEPTED:
            return None
        try:
            if _write(seen, event, ruling, request):
                return OneRecorded(seen.version + 1, ruling, seen.names)
        except IntegrityError:  # the key is known: this is a retry, or should have been one
            return None
    return None


def _read(code: str, token_hash: str) -> _Seen | None:
    """Read a table in the middle of a hand, if the token is a scorekeeper's."""
    with connection.cursor() as cursor:
        cursor.execute(READ, (code, token_hash, Role.SCOREKEEPER.value))
        row = cursor.fetchone()
    if row is None:
        return None
    pk, version, game, options, end, seats, hand, snapshot = row
    told = _told(game, options, end, seats)
    if told is None:
        return None
    rules, names = told
    state = remembered.state(pk, rules, snapshot)
    if state.hand is None or state.hand.phase is not PLAY:
        return None
    return _Seen(pk, version, names, hand, state)


def _told(game: str, options: str, end: str, seats: str) -> tuple[Rules, list[str]] | None:
    """Return the rules and the players' names; nothing when the game is not installed here."""
    found = find_game(game)
    if found is None:
        return None
    names = _names(seats)
    return rules_told(found, len(names), options, end), names


@lru_cache(maxsize=2048)
def _names(seats: str) -> list[str]:
    names: list[str] = json.loads(seats)
    return names


def _write(seen: _Seen, event: Event, ruling: Ruling, request: Request) -> bool:
    """Write the event and the new snapshot; return whether the table was still as it was read."""
    state, version, now = ruling.table, seen.version + 1, timezone.now()
    snapshot = canonical(dump_table(state))
    move = (version, snapshot, state.finished(), now, seen.pk, seen.version)
    add = (version, seen.hand, canonical(dump_event(event, state.rules)), request.by, now, *_marks(event, request))
    if connection.vendor == "postgresql":
        written = _in_one_statement(move, add)
    else:
        written = _in_one_transaction(seen.pk, move, add)
    if written:
        remembered.keep(seen.pk, snapshot, state)
        announce_version(seen.pk, version)
    return written


def _marks(event: Event, request: Request) -> tuple[str | None, str]:
    """Return what a retry will be known by."""
    return (request.key, fingerprint("events", [dump_event(event)])) if request.key else (None, "")


def _in_one_statement(move: tuple[Any, ...], add: tuple[Any, ...]) -> bool:
    """Write in one trip to the server: a statement by itself is a transaction."""
    with connection.cursor() as cursor:
        cursor.execute(MOVE_AND_ADD, (*move, *add))
        return bool(cursor.rowcount)


def _in_one_transaction(pk: int, move: tuple[Any, ...], add: tuple[Any, ...]) -> bool:
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(MOVE, move)
        if not cursor.rowcount:
            return False
        cursor.execute(ADD, (pk, *add))
    return True


class Remembered:
    """The states that this process wrote last, so that it need not load what it has just saved.

    A state is good only for the very text that it was saved as: whatever else writes to the table, in this
    process or another one, leaves another text, and that is loaded.
    """

    MOST = 1000

    def __init__(self) -> None:
        self._states: dict[int, tuple[str, game_table.Table]] = {}

    def state(self, pk: int, rules: Rules, snapshot: str) -> game_table.Table:
        """Return the state that a snapshot holds."""
        saved = self._states.get(pk)
        if saved is not None and saved[0] == snapshot and saved[1].rules is rules:
            return saved[1]
        return load_table(rules, json.loads(snapshot))

    def keep(self, pk: int, snapshot: str, state: game_table.Table) -> None:
        """Remember a state just written, and forget the one that was written longest ago."""
        self._states.pop(pk, None)
        self._states[pk] = snapshot, state
        if len(self._states) > self.MOST:
            self._states.pop(next(iter(self._states)), None)


remembered = Remembered()
