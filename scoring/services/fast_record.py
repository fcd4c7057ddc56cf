"""The usual request, done fast: the scorekeeper records one event, and the referee takes it.

Nearly everything that is ever written to a table is a card that somebody has just played. Such an event
needs one query to read the table with the caller's link, the referee, and one write. All else (a batch, an
event that is not taken as it stands, a retry, a caller who has not seen the table as it is, a choice that
may be hidden) is left to ``recording``, which takes its time, says why, and would do the same with every
event that is taken here.

Most tables are written to by one phone, so the state that this process saved last is mostly the present one.
It is judged without asking, no row is locked meanwhile, and the one statement that writes asks everything at
once: whether the table is still as it was, and whether the link still allows to write. Where it is not so,
the table is read, and the same is done again.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from functools import lru_cache
from threading import Lock
from typing import Any

from django.db import IntegrityError, connection, transaction
from django.utils import timezone

from referee.engine.adjudication import describe_hand
from referee.engine.catalogue import find_game
from referee.engine.event_kinds import Event
from referee.engine.phases import PLAY
from referee.engine.reading import dump_event
from referee.engine.rulings import Refusal, Verdict
from referee.engine.snapshot import OldSnapshot, Saved, dump_table, load_table, save_table
from referee.engine.table import Ruling, TableState, hand_for, judge
from scoring.models import HandSheet, Table
from scoring.models.fields import canonical
from scoring.queries.rules import stored_rules
from scoring.services.exceptions import TooMany
from scoring.services.limits import counted
from scoring.services.notifications import announce_version
from scoring.services.room import has_room
from scoring.services.turns import Request, fingerprint

READ = """
    SELECT t.id, t.version, t.updated, l.id, t.writes, t.game, t.options, t."end", t.seats, t.snapshot
    FROM scoring_table t JOIN scoring_link l ON l.table_id = t.id
    WHERE t.code = %s AND t.hidden = '{}' AND l.token_hash = %s AND l.role = 'scorekeeper' AND l.revoked IS NULL
"""
MOVE = """
    UPDATE scoring_table SET version = %s, snapshot = %s, finished = %s, writes = %s, updated = %s
    WHERE id = %s AND version = %s AND updated = %s
    AND EXISTS (SELECT 1 FROM scoring_link l WHERE l.id = %s AND l.revoked IS NULL)
"""
COLUMNS = 'table_id, seq, place, hand, event, "by", at, key, fingerprint, reason, batch'
ADD = f"INSERT INTO scoring_tableevent ({COLUMNS}) VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s, '', 1)"
MOVE_AND_ADD = f"""
    WITH moved AS ({MOVE} RETURNING id)
    INSERT INTO scoring_tableevent ({COLUMNS})
    SELECT id, %s, %s, %s, %s, %s, %s, %s, %s, '', 1 FROM moved
"""


@dataclass(frozen=True, slots=True)
class OneRecorded:
    """The new version, the ruling, and the players' names by seat."""

    version: int
    ruling: Ruling
    names: list[str]


@dataclass(frozen=True, slots=True)
class Seen:
    """A table as it was read or written: the state as it is saved, and the players' names by seat.

    ``link`` is the scorekeeper's whose token this is, ``writes`` the acts counted in this minute. ``updated``
    tells this version from one of the same number after a backup was put back.
    """

    pk: int
    version: int
    updated: datetime
    token_hash: str
    link: int
    writes: Mapping[str, int]
    saved: Saved
    names: list[str]


def record_one(code: str, token_hash: str, event: Event, request: Request) -> OneRecorded | None:
    """Record one event if that is as simple as it nearly always is; nothing was written otherwise."""
    if not (event.kind.in_trick or event.kind.aside):
        return None
    for seen in _sights(code, token_hash):
        if seen is None or request.expected not in (None, seen.version):
            continue
        dealt = _dealt(seen.saved.table, event)
        ruling = None if dealt is None else judge(dealt, event)
        if dealt is None or ruling is None or ruling.verdict is not Verdict.ACCEPTED:
            continue
        if not has_room(seen.version, event, ruling.table):
            return None
        try:
            now = _write(seen, dealt, event, ruling, request)
        except IntegrityError:  # the key is known: this is a retry, or should have been one
            return None
        except TooMany:
            continue
        if now is not None:
            remembered.keep(code, now)
            announce_version(now.pk, now.version)
            return OneRecorded(now.version, ruling, now.names)
    return None


def _sights(code: str, token_hash: str) -> Iterator[Seen | None]:
    """Yield the table as this process left it, and where that is no good, as it is."""
    yield remembered.get(code, token_hash)
    yield _read(code, token_hash)


def _read(code: str, token_hash: str) -> Seen | None:
    """Read a table, if the token is a scorekeeper's and the game is installed here."""
    with connection.cursor() as cursor:
        cursor.execute(READ, (code, token_hash))
        row = cursor.fetchone()
    if row is None:
        return None
    pk, version, updated, link, writes, game, options, end, seats, snapshot = row
    found, names = find_game(game), _names(seats)
    if found is None:
        return None
    rules = stored_rules(found, len(names), options, end)
    try:
        saved = Saved(load_table(rules, json.loads(snapshot)), snapshot, {})
    except OldSnapshot:
        return None
    return Seen(pk, version, updated, token_hash, link, json.loads(writes), saved, names)


def _dealt(state: TableState, event: Event) -> TableState | None:
    """Return the table with the hand of this event dealt, if cards are being played in it.

    Before that hands have choices that may be hidden; and a table that ends by the clock is looked at with it.
    """
    dealt = hand_for(state, event)
    if isinstance(dealt, Refusal) or dealt.hand is None or dealt.hand.phase is not PLAY:
        return None
    return None if dealt.rules.end.kind == "time" else dealt


@lru_cache(maxsize=2048)
def _names(seats: str) -> list[str]:
    names: list[str] = json.loads(seats)
    return names


def _write(seen: Seen, dealt: TableState, event: Event, ruling: Ruling, request: Request) -> Seen | None:
    """Write the event and the new snapshot, and return how the table is now, if it still was as it was seen."""
    before, state = seen.saved.table, ruling.table
    assert state.hand is not None
    now = replace(
        seen,
        version=seen.version + 1,
        updated=timezone.now(),
        writes=counted(seen.writes, seen.link),
        saved=save_table(state, seen.saved),
    )
    told, moment = canonical(dump_event(event, state.rules.pack)), _stored(now.updated)
    move = (
        *(now.version, now.saved.text, state.finished(), canonical(now.writes), moment),
        *(seen.pk, seen.version, _stored(seen.updated), seen.link),
    )
    hand = state.hand.setup.index
    add = (now.version, now.version, hand, told, request.by, moment, *_marks(event, request))
    # A key that is known breaks the transaction it is met in: one that others began gets a savepoint instead.
    if connection.vendor == "postgresql" and dealt is before and not connection.in_atomic_block:
        written = _in_one_statement(move, add)
    else:
        written = _in_one_transaction(seen, None if dealt is before else dealt, move, add)
    return now if written else None


def _stored(moment: datetime) -> str | None:
    """Return a moment the way Django stores it in this database."""
    return connection.ops.adapt_datetimefield_value(moment)


def _marks(event: Event, request: Request) -> tuple[str | None, str]:
    """Return what a retry will be known by."""
    return (request.key, fingerprint("events", [dump_event(event)])) if request.key else (None, "")


def _in_one_statement(move: tuple[Any, ...], add: tuple[Any, ...]) -> bool:
    """Write in one trip to the server: a statement by itself is a transaction."""
    with connection.cursor() as cursor:
        cursor.execute(MOVE_AND_ADD, (*move, *add))
        return bool(cursor.rowcount)


def _in_one_transaction(seen: Seen, dealt: TableState | None, move: tuple[Any, ...], add: tuple[Any, ...]) -> bool:
    """Write statement by statement; ``dealt`` is the hand that begins with this event, if one does."""
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(MOVE, move)
        if not cursor.rowcount:
            return False
        if dealt is not None:
            _turn_hand(seen, dealt)
        cursor.execute(ADD, (seen.pk, *add))
    return True


def _turn_hand(seen: Seen, dealt: TableState) -> None:
    """Keep the sheet of the hand that is left, and where the new one begins."""
    row, left = Table.objects.filter(pk=seen.pk), seen.saved.table.hand
    if left is not None:
        start = row.values_list("hand_start", flat=True).get()
        sheet = describe_hand(left, seen.names)
        HandSheet.objects.create(table_id=seen.pk, number=left.setup.index, sheet=sheet, start=start)
    assert dealt.hand is not None
    row.update(hand_start=dump_table(dealt), hand_number=dealt.hand.setup.index)


class Remembered:
    """The tables that this process wrote to last, by code, as they were then; threads may share it."""

    MOST = 1000

    def __init__(self) -> None:
        self._seen: dict[str, Seen] = {}
        self._keeping = Lock()

    def __len__(self) -> int:
        return len(self._seen)

    def get(self, code: str, token_hash: str) -> Seen | None:
        """Return how this process left a table with this token, unless its game has been replaced since."""
        seen = self._seen.get(code)
        if seen is None or seen.token_hash != token_hash:
            return None
        if find_game(seen.saved.table.rules.game.id) is not seen.saved.table.rules.game:
            return None
        return seen

    def keep(self, code: str, seen: Seen) -> None:
        """Remember a table just written to, and forget the one that was written to longest ago."""
        with self._keeping:
            self._seen.pop(code, None)
            self._seen[code] = seen
            if len(self._seen) > self.MOST:
                self._seen.pop(next(iter(self._seen)))


remembered = Remembered()
