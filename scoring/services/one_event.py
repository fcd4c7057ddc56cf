"""The usual request, done fast: the scorekeeper records one event, and the referee takes it.

Nearly everything that is ever written to a table is a card that somebody has just played. Such an event
needs one query to read the table with the caller's link, the referee, and one write. All else (a batch, an
event that is not taken as it stands, a retry, a caller who has not seen the table as it is, a choice that
may be hidden) is left to ``recording``, which takes its time, says why, and would do the same with every
event that is taken here.

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
from referee.adjudication import describe_hand
from referee.catalogue import find_game
from referee.events import Event, Note, Pass, Play, Trick
from referee.hand import PLAY, Rules
from referee.records import dump_event
from referee.rulings import Refusal, Ruling, Verdict
from referee.snapshot import Saved, dump_table, load_table, save_table
from scoring.models import HandSheet, Role, Table
from scoring.models.fields import canonical
from scoring.queries.rules import rules_told
from scoring.services.announcing import announce_version
from scoring.services.recording import begin
from scoring.services.writing import Request, fingerprint

TAKEN_HERE = (Play, Pass, Trick, Note)
TRIES = 3
"""How often the table may be changed by others between the reading and the writing."""

READ = """
    SELECT t.id, t.version, t.game, t.options, t."end", t.seats, t.snapshot
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
    """The table as it was read: the state as it is saved, and the players' names by seat."""

    pk: int
    version: int
    saved: Saved
    names: list[str]


def record_one(code: str, token_hash: str, event: Event, request: Request) -> OneRecorded | None:
    """Record one event if that is as simple as it nearly always is; nothing was written otherwise."""
    if not isinstance(event, TAKEN_HERE):
        return None
    for _ in range(TRIES):
        seen = _read(code, token_hash)
        if seen is None or request.expected not in (None, seen.version):
            return None
        dealt = _dealt(seen.saved.table, event)
        ruling = None if dealt is None else game_table.judge(dealt, event)
        if dealt is None or ruling is None or ruling.verdict is not Verdict.ACCEPTED:
            return None
        try:
            if _write(seen, dealt, event, ruling, request):
                return OneRecorded(seen.version + 1, ruling, seen.names)
        except IntegrityError:  # the key is known: this is a retry, or should have been one
            return None
    return None


def _read(code: str, token_hash: str) -> _Seen | None:
    """Read a table, if the token is a scorekeeper's and the game is installed here."""
    with connection.cursor() as cursor:
        cursor.execute(READ, (code, token_hash, Role.SCOREKEEPER.value))
        row = cursor.fetchone()
    if row is None:
        return None
    pk, version, game, options, end, seats, snapshot = row
    found, names = find_game(game), _names(seats)
    if found is None:
        return None
    rules = rules_told(found, len(names), options, end)
    return _Seen(pk, version, remembered.find(pk, rules, snapshot), names)


def _dealt(state: game_table.Table, event: Event) -> game_table.Table | None:
    """Return the table with the hand of this event dealt, if cards are being played in it.

    Before that hands have choices that may be hidden, and an end by the clock is told by who deals.
    """
    dealt = begin(state, event)
    if isinstance(dealt, Refusal) or dealt.hand is None or dealt.hand.phase is not PLAY:
        return None
    return None if dealt is not state and dealt.rules.end.kind == "time" else dealt


@lru_cache(maxsize=2048)
def _names(seats: str) -> list[str]:
    names: list[str] = json.loads(seats)
    return names


def _write(seen: _Seen, dealt: game_table.Table, event: Event, ruling: Ruling, request: Request) -> bool:
    """Write the event and the new snapshot; return whether the table was still as it was read."""
    before, state = seen.saved.table, ruling.table
    assert state.hand is not None
    version, now = seen.version + 1, timezone.now()
    saved = save_table(state, seen.saved)
    told = canonical(dump_event(event, state.rules))
    move = (version, saved.text, state.finished(), now, seen.pk, seen.version)
    add = (version, state.hand.setup.index, told, request.by, now, *_marks(event, request))
    if connection.vendor == "postgresql" and dealt is before:
        written = _in_one_statement(move, add)
    else:
        written = _in_one_transaction(seen, None if dealt is before else dealt, move, add)
    if written:
        remembered.keep(seen.pk, saved)
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


def _in_one_transaction(
    seen: _Seen, dealt: game_table.Table | None, move: tuple[Any, ...], add: tuple[Any, ...]
) -> bool:
    """Write statement by statement; ``dealt`` is the hand that begins with this event, if one does."""
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(MOVE, move)
        if not cursor.rowcount:
            return False
        if dealt is not None:
            _turn_hand(seen, dealt)
        cursor.execute(ADD, (seen.pk, *add))
    return True


def _turn_hand(seen: _Seen, dealt: game_table.Table) -> None:
    """Keep the sheet of the hand that is left, and where the new one begins."""
    row, left = Table.objects.filter(pk=seen.pk), seen.saved.table.hand
    if left is not None:
        start = row.values_list("hand_start", flat=True).get()
        sheet = describe_hand(left, seen.names)
        HandSheet.objects.create(table_id=seen.pk, number=left.setup.index, sheet=sheet, start=start)
    assert dealt.hand is not None
    row.update(hand_start=dump_table(dealt), hand_number=dealt.hand.setup.index)


class Remembered:
    """The states that this process wrote last, so that it need not load what it has just saved.

    A state is good only for the very text that it was saved as: whatever else writes to the table, in this
    process or another one, leaves another text, and that is loaded.
    """

    MOST = 1000

    def __init__(self) -> None:
        self._saved: dict[int, Saved] = {}

    def find(self, pk: int, rules: Rules, text: str) -> Saved:
        """Return the state that a snapshot holds."""
        saved = self._saved.get(pk)
        if saved is not None and saved.text == text and saved.table.rules is rules:
            return saved
        return Saved(load_table(rules, json.loads(text)), text, {})

    def keep(self, pk: int, saved: Saved) -> None:
        """Remember a state just written, and forget the one that was written longest ago."""
        self._saved.pop(pk, None)
        self._saved[pk] = saved
        if len(self._saved) > self.MOST:
            self._saved.pop(next(iter(self._saved)), None)


remembered = Remembered()
