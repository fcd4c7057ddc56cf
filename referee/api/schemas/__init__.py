"""The shapes of requests and answers as JSON Schema, which OpenAPI 3.1 speaks natively."""

from referee.api.schemas.adjudication import ADJUDICATION
from referee.api.schemas.answers import ANSWERS
from referee.api.schemas.audit import AUDIT
from referee.api.schemas.catalogue import CATALOGUE
from referee.api.schemas.common import COMMON
from referee.api.schemas.guides import GUIDES
from referee.api.schemas.record import RECORD, events
from referee.api.schemas.what_if import WHAT_IF
from referee.engine.shapes import Schema


def components() -> dict[str, Schema]:
    """Return every component by its name; other parts of the API refer to them, too."""
    return COMMON | events() | RECORD | ADJUDICATION | ANSWERS | CATALOGUE | WHAT_IF | AUDIT | GUIDES
