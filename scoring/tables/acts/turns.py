"""The single entry point for writes: every act is a turn, and changed totals propagate to later tables."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from copy import copy
from dataclasses import dataclass
from typing import TypeVar

from django.db import IntegrityError, transaction

from referee.engine.adjudication import describe_table
from referee.engine.comparison import Changes, compare
from referee.engine.replaying import TooCostly
from referee.engine.rules import Refused
from referee.engine.texts import phrase
from scoring.models import Table, TableEvent
from scoring.tables.acts import holding
from scoring.tables.acts.exceptions import AlreadyContinued, LaterTableNotTaken, LinkRevoked, NoSuchTable, NotDone
from scoring.tables.acts.keys import Caller, before
from scoring.tables.acts.turn import Hold, JudgedAgain, Turn, judge_carrying
from scoring.tables.reads import log
from scoring.tables.reads.access import right_stands
from scoring.tables.reads.results import by_distance, carried_now, next_of
from scoring.tables.reads.state import Standing, standing

# --- Later tables of the same game: changed totals propagate to them
# Carried points are computed from the totals of earlier tables (``Table.carried_from``). Tables are locked oldest
# first, then the group's scores, so that acts don't deadlock.


@dataclass(frozen=True, slots=True)
class LaterTable:
    """A later table of the same game, rejudged with new carried points, and its changes."""

    at: Standing
    judged: JudgedAgain
    changes: Changes

    @property
    def stop(self) -> log.Stop | None:
        return self.judged.stop


class ChangesLaterTables(NotDone):
    tables: Sequence[LaterTable]
    says = phrase("This changes the totals that a later table begins with.")


def later_tables(turn: Turn) -> list[LaterTable]:
    """Lock and rejudge the tables that continue this one, oldest first; returns only those that change."""
    if not turn.row.finished or not turn.entries:
        return []  # only a finished table can be continued
    turn.hold()
    if turn.later is None or turn.later[0] is not turn.state:
        turn.later = turn.state, _later_tables(turn)
    later: list[LaterTable] = turn.later[1]
    return later


def _later_tables(turn: Turn) -> list[LaterTable]:
    following = _held(turn.row)
    if following is None:
        return []
    if not turn.state.finished():
        raise AlreadyContinued(following=following)
    made, found = [turn.state.totals()], list[LaterTable]()
    if made[0] == turn.before.totals():
        return []
    while following is not None:
        row, following = following, _held(following)
        at, carried = standing(row), carried_now(row, by_distance(made))
        state = at.state
        if carried != tuple(row.carried):
            judged = judge_carrying(row, carried, turn.watch)
            state = judged.state
            found.append(_later_table(at, judged, last=following is None))
            if judged.stop is not None:
                break
        made.append(state.totals())
    return found


def _later_table(at: Standing, judged: JudgedAgain, *, last: bool) -> LaterTable:
    totals = (describe_table(at.state), describe_table(judged.state))
    changes = compare((), (), totals, stopped=judged.stop is not None)
    return LaterTable(at, judged, changes if last else changes.without_winners())


def _held(row: Table) -> Table | None:
    pk = Table.objects.filter(previous=row).values_list("pk", flat=True).first()
    return None if pk is None else Table.objects.select_for_update(no_key=True).filter(pk=pk, previous=row).first()


def cause(row: Table, version: int) -> str:
    """Fingerprint of the row that a change at an earlier table adds to a later table's log."""
    return f"table {row.pk} {version}"


def changed_before(row: Table, version: int) -> list[LaterTable]:
    found, following = list[LaterTable](), next_of(row)
    while following is not None:
        later, following = following, next_of(following)
        entry = TableEvent.objects.filter(table=later, fingerprint=cause(row, version)).first()
        if entry is None:
            continue
        at = Standing(later, log.as_it_was(later, entry.seq - 1))
        judged = JudgedAgain(0, [], None, log.as_it_was(later, entry.seq))
        found.append(_later_table(at, judged, last=following is None))
    return found


# --- The entry point for writes: every act at a table is a turn
# ``turn_at`` locks the table, recognizes a retry, checks the version the caller has seen, and counts against the rate
# limit. Its ``with`` block judges and collects what is to be written; then all of it is written or nothing, and the new
# version is announced.
#
# Most cards come from the phone that recorded the previous one, so the state cached in this process is usually current:
# ``at_once`` judges by it without a read, and the writing statement checks that it was current. If it wasn't, or
# nothing is cached, the act runs again in ``turn_at``: only what is passed to ``at_once`` may run twice.
Done = TypeVar("Done")


@contextmanager
def turn_at(code: str, caller: Caller, fingerprint: str, *, acts: int = 1) -> Iterator[Turn]:
    """Lock a table for one act and commit what it gathers, or nothing if the block raises.

    A retry is recognized by the caller's key and ``fingerprint``: its turn ``repeats``. ``acts`` counts against the
    rate limit. Raises ``MovedOn``, ``KeyReused``, ``TooMany``, ``LinkRevoked``, ``NoSuchTable``,
    ``ChangesLaterTables``. The block may run again after a deadlock (``past_deadlocks``).
    """
    with transaction.atomic():
        turn = _hold(code, caller, fingerprint)
        if turn.repeats:
            turn.count()
            turn.write_count()
            yield turn
            return
        turn.check_version(caller.expected)
        turn.count(acts)
        yield turn
        _write(turn)


def _write(turn: Turn) -> None:
    later = later_tables(turn)
    for each in later:
        if each.stop is not None:
            raise LaterTableNotTaken(each.at, each.stop, version=turn.found)
    if later and turn.caller.asks_first:
        raise ChangesLaterTables(tables=later)
    written = turn.write()
    assert written, "a table that is held moves no further"
    for each in later:
        caller, known_by = turn.caller.without_key(), cause(turn.row, turn.row.version)
        following = Turn(each.at.row, each.at.state, caller, known_by, held=True)
        reason = next((entry.reason for entry in turn.entries if entry.reason), "")
        following.carry(each.judged.state.carried, reason)
        following.adopt(each.judged)
        written = following.write()
        assert written, "a table that is held moves no further"


@contextmanager
def trial_at(code: str, caller: Caller, *, acts: int = 1) -> Iterator[Turn]:
    """Try an act as in ``turn_at``; only the rate limit's count is written, even if the act is refused."""
    refused: NotDone | Refused | None = None
    with transaction.atomic():
        turn = _hold(code, caller, "")
        turn.trial = True
        turn.check_version(caller.expected)
        turn.count(acts)
        turn.write_count()
        try:
            yield turn
        except (NotDone, Refused) as why:
            refused = why
        else:
            turn.row.left = turn.hands_left()  # for descriptions of the trial's result
    if refused is not None:
        raise refused


def at_once(code: str, caller: Caller, fingerprint: str, act: Callable[[Turn], Done], acts: int) -> Done | None:
    """Perform an act on the cached table, without a lock; ``None`` if the cache is stale or not enough.

    An act that the cached state refuses also returns ``None``, to be checked against the database.
    """
    known = holding.state_cache.get(code)
    if known is None or not known.usable or caller.expected not in (None, known.row.version):
        return None
    turn = Turn(copy(known.row), known.saved.table, caller, fingerprint, held=False, saved=known.saved)
    try:
        turn.count(acts)
        answer = act(turn)
        return answer if turn.entries and turn.write() else None
    except TooCostly:
        raise
    except (Hold, NotDone, Refused, IntegrityError):
        return None


def _hold(code: str, caller: Caller, fingerprint: str) -> Turn:
    """Load and lock a table; SQLite has no row locks, there the transaction began as the only writer.

    The link is validated again, because a client can delay the request's body for as long as it likes.
    """
    row = holding.lock_table(code)
    if row is None:
        raise NoSuchTable
    if not right_stands(row.pk, caller.right):
        raise LinkRevoked
    known = holding.cached_state(row)
    state, saved = (standing(row).state, None) if known is None else (known.saved.table, known.saved)
    turn = Turn(row, state, caller, fingerprint, held=True, saved=saved)
    turn.logged, turn.done = before(row, caller, fingerprint)
    return turn
