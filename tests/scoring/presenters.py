"""What prepares a page is handed all that it needs: every test of the application has its statements looked at.

An import contract keeps most of what reads the database away from ``scoring.pages.show``. A module that it may import,
for what was read, may also hold what reads it; so a statement is traced back to whoever asks.
"""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

import pytest
from django.db import connection

PRESENTERS = "scoring.pages.show."


def presenter() -> str | None:
    """Return the function of a presenter that is at work, with its module; ``None`` where none is."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None:
        name = str(frame.f_globals.get("__name__", ""))
        if name.startswith(PRESENTERS):
            return f"{name}.{frame.f_code.co_name}()"
        frame = frame.f_back
    return None


def look(execute: Callable[..., Any], sql: str, params: Any, many: bool, context: Any) -> Any:
    """Let a statement through, unless a presenter waits for what it reads."""
    if (who := presenter()) is not None:
        pytest.fail(f"{who} reads the database, its view should have: {sql[:200]}")
    return execute(sql, params, many, context)


@contextmanager
def read_beforehand() -> Iterator[None]:
    """Look at every statement of this thread."""
    with connection.execute_wrapper(look):
        yield
