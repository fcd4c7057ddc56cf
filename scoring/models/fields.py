"""JSON kept as the exact text that was written.

PostgreSQL's own JSON type sorts the keys of what it is given; a record must come back byte for byte.
"""

import json
from typing import TYPE_CHECKING, Any

from django.db import models

if TYPE_CHECKING:
    TextField = models.TextField[Any, Any]
else:
    TextField = models.TextField


def canonical(value: object) -> str:
    """Write JSON the one way it is written here: no spaces, keys in the order they were given."""
    return ENCODER.encode(value)


ENCODER = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))


class CanonicalJSONField(TextField):
    """A JSON value, stored as text."""

    _pyi_private_set_type: Any
    _pyi_private_get_type: Any

    def from_db_value(self, value: str | None, expression: object, connection: object) -> Any:
        return None if value is None else json.loads(value)

    def to_python(self, value: Any) -> Any:
        return value

    def get_prep_value(self, value: Any) -> str | None:
        return None if value is None else canonical(value)
