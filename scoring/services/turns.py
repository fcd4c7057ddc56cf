"""The one door for writing: every act at a table is a turn.

``take_turn`` finds the table, knows a request that comes again, compares the version that the caller has seen, counts,
lets the act judge and gather what is to be written, and writes all of it at once or nothing. It alone announces a new
version. An act is a function of a ``Turn``. It may run twice, so what it does it does through the turn.

Most cards come from the one phone that wrote the card before. The state that this process left is then the present
one: it is judged without asking, and the statement that writes asks whether it was true. Where it was not, where
nothing is known, and for acts that look further than the state, the table is read first and held meanwhile.
"""

from collections.abc import Callable
from copy import copy
from typing import TypeVar

from django.db import IntegrityError, transaction

from referee.engine.bounds import TooCostly
from referee.engine.options import Refused
from scoring.queries.access import right_stands
from scoring.queries.state import standing
from scoring.services import seen
from scoring.services.chains import carry, cause, check_later, later_tables
from scoring.services.deadlocks import past_deadlocks
from scoring.services.exceptions import ChangesLaterTables, LinkRevoked, NoSuchTable, NotDone
from scoring.services.holding import hold_table
from scoring.services.keys import Caller
from scoring.services.turn import Hold, Turn

Done = TypeVar("Done")


@past_deadlocks
def take_turn(
    code: str,
    caller: Caller,
    fingerprint: str,
    act: Callable[[Turn], Done],
    *,
    again: Callable[[Turn], Done | None],
    acts: int = 1,
) -> Done:
    """Do an act at a table, and write what it gathers: all of it or nothing.

    A retry is known by the caller's key and this ``fingerprint``. ``again`` returns what was answered to this very
    request, or ``None`` where it comes for the first time. ``acts``: as how many it counts. Raises ``MovedOn``,
    ``KeyReused``, ``TooMany``, ``LinkRevoked``, ``NoSuchTable``, ``ChangesLaterTables`` where the caller asks first,
    and what the act raises; nothing is written then.
    """
    done = _at_once(code, caller, fingerprint, act, acts)
    if done:
        return done[0]
    with transaction.atomic():
        turn = _hold(code, caller, fingerprint)
        answer = again(turn)
        if answer is not None:
            turn.count()
            turn.write_count()
            return answer
        turn.check_version(caller.expected)
        turn.count(acts)
        answer = act(turn)
        later = later_tables(turn)
        check_later(turn, later)
        if later and caller.asks_first:
            raise ChangesLaterTables(later)
        written = turn.write()
        assert written, "a table that is held moves no further"
        for each in later:
            following = Turn(
                each.at.row, each.at.state, caller.without_key(), cause(turn.row, turn.row.version), held=True
            )
            carry(following, each, turn)
            written = following.write()
            assert written, "a table that is held moves no further"
        return answer


def try_turn(code: str, caller: Caller, act: Callable[[Turn], Done], *, acts: int = 1) -> Done:
    """Do an act at a table as ``take_turn`` would, and write nothing of it but that it was asked for.

    That is written also where the act is refused: asking is what costs.
    """
    with transaction.atomic():
        turn = _hold(code, caller, "")
        turn.trial = True
        turn.check_version(caller.expected)
        turn.count(acts)
        turn.write_count()
        try:
            return act(turn)
        except (NotDone, Refused) as why:
            refused = why
    raise refused


def _at_once(code: str, caller: Caller, fingerprint: str, act: Callable[[Turn], Done], acts: int) -> tuple[Done] | None:
    """Do an act with what this process knows of the table; ``None`` where that is not enough, or not true any more.

    What is refused here is refused by a guess, so it is looked at again; a key that was used breaks the transaction.
    """
    known = seen.tables.get(code)
    if known is None or not known.usable or caller.expected not in (None, known.row.version):
        return None
    turn = Turn(copy(known.row), known.saved.table, caller, fingerprint, held=False, saved=known.saved)
    try:
        turn.count(acts)
        answer = act(turn)
        return (answer,) if turn.entries and turn.write() else None
    except TooCostly:
        raise
    except (Hold, NotDone, Refused, IntegrityError):
        return None


def _hold(code: str, caller: Caller, fingerprint: str) -> Turn:
    """Read a table and hold it: one writer at a time.

    SQLite has no row locks; there the transaction itself began as the only writer. The link is asked for again: a
    request can hang between its head and its body for as long as its sender likes.
    """
    row = hold_table(code)
    if row is None:
        raise NoSuchTable
    if not right_stands(row.pk, caller.right):
        raise LinkRevoked
    known = seen.known(row)
    if known is not None:
        return Turn(row, known.saved.table, caller, fingerprint, held=True, saved=known.saved)
    return Turn(row, standing(row).state, caller, fingerprint, held=True)
