"""Handling of database outages (unreachable, full, read-only), and retries after a deadlock."""

import logging
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from typing import ParamSpec, TypeVar

from django.db import InterfaceError, InternalError, OperationalError, connection, transaction

logger = logging.getLogger(__name__)
SECONDS_AWAY = 5  # Retry-After
SECONDS_BETWEEN = 30.0  # between log lines
READ_ONLY = "25006"  # SQLSTATE of a write to a read-only database
_logged = [float("-inf")]
_noticed = [float("-inf")]


def is_away(problem: BaseException) -> bool:
    """Return whether an error means that the database is unreachable, full or read-only, so a retry may succeed."""
    if isinstance(problem, InternalError):
        return getattr(problem.__cause__, "sqlstate", None) == READ_ONLY
    return isinstance(problem, OperationalError | InterfaceError)


def was_away(since: float) -> bool:
    """Return whether this process has seen a database outage since a ``time.monotonic`` time."""
    return _noticed[0] > since


def database_is_away(why: Exception) -> None:
    """Log a database outage, at most once in ``SECONDS_BETWEEN``."""
    now = _noticed[0] = time.monotonic()
    if now - _logged[0] >= SECONDS_BETWEEN:
        _logged[0] = now
        logger.error("The database is unavailable: %s", str(why).strip())


@contextmanager
def noted_if_it_can_be() -> Iterator[None]:
    """Context for bookkeeping writes of a read, such as a counter; outages (a full disk) are logged and ignored."""
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
"""SQLSTATE of a deadlock on PostgreSQL, which rolls one of the transactions back."""
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
