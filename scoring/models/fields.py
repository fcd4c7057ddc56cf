"""JSON kept as the exact text that was written.

PostgreSQL's own JSON type sorts the keys of what it is given; a record must come back byte for byte.
"""

import json
from typing import TYPE_CHECKING, Any

from django.core.exceptions import ValidationError
from django.db import models

if TYPE_CHECKING:
    TextField = models.TextField[Any, Any]
else:
    TextField = models.TextField


def canonical(value: object) -> str:
    """Write JSON the one way it is written here: no spaces, keys in the order they were given."""
    return ENCODER.encode(value)


ENCODER = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))


class StoredJSON(str):
    """JSON as the text that stands in a database, to be written to another one as it is."""

    __slots__ = ()


class CanonicalJSONField(TextField):
    """A JSON value, stored as text. Here it is an object, a list or nothing, never a text of its own."""

    _pyi_private_set_type: Any
    _pyi_private_get_type: Any

    def from_db_value(self, value: str | None, expression: object, connection: object) -> Any:
        return None if value is None else json.loads(value)

    def to_python(self, value: Any) -> Any:
        """Read the text that ``value_to_string`` wrote; raises ``ValidationError`` where it is no JSON."""
        if not isinstance(value, str):
            return value
        try:
            return json.loads(value)
        except ValueError as problem:
            raise ValidationError(f"This is no JSON: {problem}") from problem

    def value_to_string(self, obj: models.Model) -> Any:
        """Return what Django writes of it: the text that is stored."""
        return self.get_prep_value(self.value_from_object(obj))

    def get_prep_value(self, value: Any) -> str | None:
        if isinstance(value, StoredJSON):
            return str(value)
        return None if value is None else canonical(value)
