"""Doing an act again that the database broke off because it and another one waited for each other."""

from collections.abc import Callable
from functools import wraps
from typing import ParamSpec, TypeVar

from django.db import OperationalError, connection

Params = ParamSpec("Params")
Done = TypeVar("Done")
DEADLOCK = "40P01"
"""What PostgreSQL calls it (SQLSTATE): of those who wait for each other it breaks one off, with all it did."""
TRIES = 3


def past_deadlocks(act: Callable[Params, Done]) -> Callable[Params, Done]:
    """Have an act that is a transaction by itself done again when it was broken off: the others have gone on then."""

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
