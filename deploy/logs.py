"""Log formatting, as text or JSON and always without tokens and codes, and request ids."""

import json
import logging
import re
from contextvars import ContextVar
from datetime import UTC, datetime
from uuid import uuid4

HEADER = "X-Request-Id"
FITTING = re.compile(r"[A-Za-z0-9._:-]{1,64}", re.ASCII)
"""Request ids accepted from clients; others could forge log lines."""
_current: ContextVar[str] = ContextVar("request_id", default="")


def begin_request(proposed: str) -> str:
    """Set the current request id to the one proposed, if it is well-formed, or a new one; return it."""
    found = proposed if FITTING.fullmatch(proposed) else uuid4().hex
    _current.set(found)
    return found


class WithRequestId(logging.Filter):
    """Adds the request id, if any, to each log record."""

    def filter(self, record: logging.LogRecord) -> bool:
        found = _current.get()
        record.request = f" [{found}]" if found else ""
        return True


# --- Log formats: lines for people, JSON for programs; tokens, codes and rows of data are removed from both
# python-json-logger would cover only building the JSON object. Secrets have to be removed from lines as well, and
# before escaping.

SECRET = re.compile(r"(token=|Bearer |#)[\w~+/.-]{16,}=*")
"""Secrets in URLs, headers and URL fragments."""
DETAIL = re.compile(r"^\s*(DETAIL|CONTEXT): .*$", re.MULTILINE)
"""PostgreSQL's details of a rejected row, which contain names."""
CODE = re.compile(r"(/(?:t|g|tables|groups)/)[\w-]{8,9}(?![\w-])|(/laws/)[\w-]{24}(?![\w-])")
"""Codes in URLs: with one, anyone can open a public table or law book."""


def without_secrets(text: str) -> str:
    """Redact tokens, codes and database rows."""
    return DETAIL.sub(r"\1: …", SECRET.sub(r"\1…", CODE.sub(r"\1\2…", text)))


class LineFormatter(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        return without_secrets(super().format(record))


class JsonFormatter(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        entry: dict[str, object] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "logger": record.name,
            "message": without_secrets(record.getMessage()),
        }
        if found := _current.get():
            entry["request_id"] = found
        entry |= getattr(record, "facts", {})
        if record.exc_info:
            entry["exception"] = without_secrets(self.formatException(record.exc_info))
        return json.dumps(entry, ensure_ascii=False, default=str)
