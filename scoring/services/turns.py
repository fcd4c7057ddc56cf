"""The one door for writing: every act at a table is a turn.

``turn_at`` finds and holds the table, knows a request that comes again, compares the version that the caller has seen,
counts, and lets what stands under its ``with`` judge and gather what is to be written; then it writes all of it at once
or nothing, and announces the new version.

Most cards come from the one phone that wrote the card before. The state that this process left is then the present
one: ``at_once`` judges a card by it without asking, and the statement that writes asks whether it was true. Where it
was not, or where nothing is known, the card is judged again in ``turn_at``: only what is given to ``at_once`` may run
twice.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from copy import copy
from typing import TypeVar

from django.db import IntegrityError, transaction

from referee.engine.bounds import TooCostly
from referee.engine.options import Refused
from scoring.queries.access import right_stands
from scoring.queries.state import standing
from scoring.services import seen
from scoring.services.chains import ChangesLaterTables, carry, cause, later_tables
from scoring.services.exceptions import LaterTableNotTaken, LinkRevoked, NoSuchTable, NotDone
from scoring.services.holding import lock_table
from scoring.services.keys import Caller, before
from scoring.services.turn import Hold, Turn

Done = TypeVar("Done")


@contextmanager
def turn_at(code: str, caller: Caller, fingerprint: str, *, acts: int = 1) -> Iterator[Turn]:
    """Hold a table for one act, and write what the act gathers: all of it, or nothing where it raises.

    A retry is known by the caller's key and this ``fingerprint``: its turn ``repeats`` what was done, and writes
    nothing. ``acts``: as how many it counts. Raises ``MovedOn``, ``KeyReused``, ``TooMany``, ``LinkRevoked``,
    ``NoSuchTable``, and ``ChangesLaterTables`` where the caller asks first. What uses it is done again after a deadlock
    (``past_deadlocks``).
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
        raise ChangesLaterTables(later)
    written = turn.write()
    assert written, "a table that is held moves no further"
    for each in later:
        following = Turn(
            each.at.row, each.at.state, turn.caller.without_key(), cause(turn.row, turn.row.version), held=True
        )
        carry(following, each, turn)
        written = following.write()
        assert written, "a table that is held moves no further"


@contextmanager
def trial_at(code: str, caller: Caller, *, acts: int = 1) -> Iterator[Turn]:
    """Do an act at a table as in ``turn_at``, and write nothing of it but that it was asked for.

    That is written also where the act is refused: asking is what costs.
    """
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
    if refused is not None:
        raise refused


def at_once(code: str, caller: Caller, fingerprint: str, act: Callable[[Turn], Done], acts: int) -> Done | None:
    """Do an act with what this process knows of the table; ``None`` where that is not enough, or not true any more.

    What is refused here is refused by a guess, so it is looked at again; a key that was used breaks the transaction.
    """
    known = seen.state_cache.get(code)
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
    """Read a table and hold it: one writer at a time.

    SQLite has no row locks; there the transaction itself began as the only writer. The link is asked for again: a
    request can hang between its head and its body for as long as its sender likes.
    """
    row = lock_table(code)
    if row is None:
        raise NoSuchTable
    if not right_stands(row.pk, caller.right):
        raise LinkRevoked
    known = seen.cached_state(row)
    state, saved = (standing(row).state, None) if known is None else (known.saved.table, known.saved)
    turn = Turn(row, state, caller, fingerprint, held=True, saved=saved)
    turn.logged, turn.done = before(row, caller, fingerprint)
    return turn
