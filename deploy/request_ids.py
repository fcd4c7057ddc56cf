"""The id by which a request is known to its sender, in the answer and in the log."""

import logging
import re
from contextvars import ContextVar
from uuid import uuid4

HEADER = "X-Request-Id"
FITTING = re.compile(r"[A-Za-z0-9._:-]{1,64}", re.ASCII)
"""What is taken from a caller; anything else could be mistaken for something in a log."""
_current: ContextVar[str] = ContextVar("request_id", default="")


def begin_request(proposed: str) -> str:
    """Begin a request under the id that its sender gave it, or a new one; return it."""
    found = proposed if FITTING.fullmatch(proposed) else uuid4().hex
    _current.set(found)
    return found


def current_request() -> str:
    """Return the id of the request that is being answered; empty outside of one."""
    return _current.get()


class WithRequestId(logging.Filter):
    """Lets every line of the log say which request it is about, where it is about one."""

    def filter(self, record: logging.LogRecord) -> bool:
        found = current_request()
        record.request = f" [{found}]" if found else ""
        return True
