"""History is read from a copy of the database, where there is one, and where it has all that the database has.

What a group has played, its statistics, its archive and the records of games that are over are read where they hold up
no card: from a standby that PostgreSQL keeps beside the database (``REPLICA_URL``). Each such reading asks the database
how far its log has come, and reads from the copy only once that has come as far. So nobody is shown less than there was
when they asked, neither what they wrote themselves nor what somebody has just told them across the table; and no
process has to remember who wrote what. A copy is there within some thousandths of a second; for one that takes longer
than ``SECONDS_TO_WAIT``, is away, or is no standby any more, the database itself answers.

What decides who may look is never read from a copy: a right that was taken away is gone at once.
"""

import logging
import os
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from dataclasses import dataclass
from functools import wraps
from typing import Any, Concatenate, ParamSpec, Protocol, TypeVar, cast

from django.conf import settings
from django.db import DEFAULT_DB_ALIAS, Error, InterfaceError, OperationalError, connection, connections

logger = logging.getLogger(__name__)
REPLICA = "replica"
SECONDS_TO_WAIT, SECONDS_BETWEEN_LOOKS = 0.02, 0.002
"""How long a reading waits for the copy to come as far as the database was when it began."""
SECONDS_BEHIND, SECONDS_AWAY = 1.0, 3.0
"""For how long nobody asks a copy again that was late, or that was away."""
SECONDS_TO_SAY, SECONDS_TO_READ = 2.0, 30.0
"""After how long one that says nothing is cut off: when it is asked how far it is, and in the middle of a reading."""

Params = ParamSpec("Params")
Read = TypeVar("Read")
_from_replica: ContextVar[bool] = ContextVar("from_replica", default=False)


class HistoryRouter:
    """Sends what is read as history to the copy, and everything else, all that is written first, to the database."""

    def db_for_read(self, model: object, **hints: Any) -> str:
        return REPLICA if _from_replica.get() else self.db_for_write(model, **hints)

    def db_for_write(self, model: object, **hints: Any) -> str:
        """Return the database of what is at hand, such as a backup that is being written; of the copy, the original."""
        state = getattr(hints.get("instance"), "_state", None)
        known = getattr(state, "db", None) or DEFAULT_DB_ALIAS
        return DEFAULT_DB_ALIAS if known == REPLICA else known

    def allow_relation(self, one: object, other: object, **hints: object) -> bool | None:
        """What was read from the copy is what stands in the database."""
        return True

    def allow_migrate(self, db: str, app_label: str, **hints: object) -> bool:
        return db != REPLICA


@dataclass(slots=True)
class Copy:
    """What this process knows of the copy: until when nobody asks it, why it is away, who has answered how often."""

    rests_until: float = float("-inf")
    why: str = ""
    from_replica: int = 0
    from_database: int = 0

    def is_away(self, why: str) -> None:
        """Leave it alone for a while; say so once."""
        self.rests_until = time.monotonic() + SECONDS_AWAY
        connections[REPLICA].close()
        if not self.why:
            logger.error("The replica is away, history is read from the database itself: %s", why)
        self.why = why

    def is_there(self) -> None:
        """Say once that it is back."""
        if self.why:
            logger.info("The replica is there again.")
        self.why = ""


COPY = Copy()


def has_replica() -> bool:
    """Return whether this installation has a copy to read history from."""
    return REPLICA in settings.DATABASES


def history(read: Callable[Params, Read]) -> Callable[Params, Read]:
    """Have a function read from the copy, where it can; what it returns has been read to the end."""

    @wraps(read)
    def reading(*args: Params.args, **kwargs: Params.kwargs) -> Read:
        if not has_replica() or _from_replica.get():
            return read(*args, **kwargs)
        if _may_answer():
            token = _from_replica.set(True)
            try:
                with _cut_off_after(SECONDS_TO_READ):
                    found = read(*args, **kwargs)
            except (OperationalError, InterfaceError) as problem:
                COPY.is_away(_reason(problem))
            else:
                COPY.from_replica += 1
                return found
            finally:
                _from_replica.reset(token)
        COPY.from_database += 1
        return read(*args, **kwargs)

    return reading


class _Over(Protocol):
    finished: bool


Table = TypeVar("Table", bound=_Over)
More = ParamSpec("More")


def history_once_over(
    read: Callable[Concatenate[Table, More], Read],
) -> Callable[Concatenate[Table, More], Read]:
    """Have a function that reads a table read it from the copy, where it can, once its game is over."""
    from_copy = history(read)

    @wraps(read)
    def reading(row: Table, /, *args: More.args, **kwargs: More.kwargs) -> Read:
        return (from_copy if row.finished else read)(row, *args, **kwargs)

    return reading


def _may_answer() -> bool:
    """Return whether the copy is there and has all that the database has now."""
    if connection.in_atomic_block or time.monotonic() < COPY.rests_until:
        return False  # an act sees its own rows, which nobody else can see yet
    try:
        position = _position()
    except Error:  # whoever reads will be told
        return False
    try:
        there = _come_as_far(position)
    except Error as problem:
        COPY.is_away(_reason(problem))
        return False
    if there is None:
        COPY.is_away("it is no standby")
        return False
    COPY.is_there()
    if not there:
        COPY.rests_until = time.monotonic() + SECONDS_BEHIND
    return there


def _position() -> str:
    """Return how far the log of the database has come."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_current_wal_insert_lsn()::text")
        return str(cursor.fetchone()[0])


def _come_as_far(position: str) -> bool | None:
    """Wait a moment for the copy to come so far, and return whether it has; ``None``: it follows no database."""
    deadline = time.monotonic() + SECONDS_TO_WAIT
    while True:
        with _cut_off_after(SECONDS_TO_SAY), connections[REPLICA].cursor() as cursor:
            cursor.execute("SELECT pg_is_in_recovery(), pg_last_wal_replay_lsn() >= %s::pg_lsn", [position])
            follows, there = cursor.fetchone()
        if not follows:
            return None
        if there or time.monotonic() > deadline:
            return bool(there)
        time.sleep(SECONDS_BETWEEN_LOOKS)


@contextmanager
def _cut_off_after(seconds: float) -> Iterator[None]:
    """End the line to a copy that says nothing for so long: whoever waits for it is told that it has gone."""
    held = connections[REPLICA]
    held.ensure_connection()
    line = os.dup(cast(Any, held.connection).fileno())
    timer = threading.Timer(seconds, _end, (line,))
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        timer.join()
        os.close(line)


def _end(line: int) -> None:
    with suppress(OSError), socket.socket(fileno=os.dup(line)) as ended:
        ended.shutdown(socket.SHUT_RDWR)


def _reason(problem: Exception) -> str:
    return (str(problem).strip().splitlines() or [type(problem).__name__])[0]


def how_it_stands() -> str:
    """Ask the copy how it is, for who watches over the service; empty: it is there, and as far as the database.

    Raises ``Error``.
    """
    position = _position()
    if _come_as_far(position):
        return ""
    with connections[REPLICA].cursor() as cursor:
        cursor.execute(
            "SELECT pg_is_in_recovery(), pg_wal_lsn_diff(%s::pg_lsn, pg_last_wal_replay_lsn())::bigint", [position]
        )
        follows, bytes_behind = cursor.fetchone()
    if not follows:
        return "It is no standby."
    return f"It is {bytes_behind} bytes of log behind." if bytes_behind > 0 else ""
