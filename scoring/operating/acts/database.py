"""Database outages (unreachable, full, read-only), and retries after a deadlock."""

import logging
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from typing import ParamSpec, TypeVar

from django.db import InterfaceError, InternalError, OperationalError, connection, transaction

logger = logging.getLogger(__name__)
SECONDS_AWAY = 5  # when to ask again
SECONDS_BETWEEN = 30.0  # how often it is said
READ_ONLY = "25006"  # what PostgreSQL calls it (SQLSTATE) when somebody writes to a database that only reads for now
_logged = [float("-inf")]
_noticed = [float("-inf")]


def is_away(problem: BaseException) -> bool:
    """Return whether an error means the database is unreachable, full or read-only, so a retry may succeed."""
    if isinstance(problem, InternalError):
        return getattr(problem.__cause__, "sqlstate", None) == READ_ONLY
    return isinstance(problem, OperationalError | InterfaceError)


def was_away(since: float) -> bool:
    """Return whether the database has refused anything in this process since a time (`time.monotonic`)."""
    return _noticed[0] > since


def database_is_away(why: Exception) -> None:
    """Log that the database is unreachable, full or read-only, at most once a moment."""
    now = _noticed[0] = time.monotonic()
    if now - _logged[0] >= SECONDS_BETWEEN:
        _logged[0] = now
        logger.error("The database does not take or give anything now: %s", str(why).strip())


@contextmanager
def noted_if_it_can_be() -> Iterator[None]:
    """Write bookkeeping of a read, such as a count; failures on a full disk are ignored."""
    try:
        with transaction.atomic():
            yield
    except Exception as problem:
        if not is_away(problem):
            raise
        database_is_away(problem)


Params = ParamSpec("Params")
Done = TypeVar("Done")
DEADLOCK = "40P01"
"""PostgreSQL's SQLSTATE of a deadlock, after which one transaction is rolled back."""
TRIES = 3


def past_deadlocks(act: Callable[Params, Done]) -> Callable[Params, Done]:
    """Decorator: retry a self-contained transaction after a deadlock."""

    @wraps(act)
    def trying(*args: Params.args, **kwargs: Params.kwargs) -> Done:
        for _ in range(TRIES - 1):
            try:
                return act(*args, **kwargs)
            except OperationalError as why:
                if connection.in_atomic_block or getattr(why.__cause__, "sqlstate", None) != DEADLOCK:
                    raise
        return act(*args, **kwargs)

    return trying
