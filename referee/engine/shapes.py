"""Shapes of requests and answers as JSON Schema: what a game says of its questions, and the API of everything."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from referee.engine.reader import LARGEST

Schema = dict[str, Any]


def ref(name: str) -> Schema:
    """Refer to a shape that the schema of the whole API describes under this name."""
    return {"$ref": f"#/components/schemas/{name}"}


OWN_KEYS = {"^x_": ref("AnyValue")}
"""Keys of a caller's own, kept as they are."""


def closed(
    properties: dict[str, Schema],
    required: Sequence[str] = (),
    description: str = "",
    *,
    extra: bool = False,
) -> Schema:
    """Describe a request: other keys are refused, save those in ``x_`` where ``extra`` allows them."""
    schema: Schema = {"type": "object", "properties": properties, "additionalProperties": False}
    if description:
        schema["description"] = description
    if required:
        schema["required"] = list(required)
    if extra:
        schema["patternProperties"] = OWN_KEYS
    return schema


def answer(properties: dict[str, Schema], description: str = "", optional: Sequence[str] = ()) -> Schema:
    """Describe a part of an answer: every key is there, and there may be more."""
    schema: Schema = {
        "type": "object",
        "properties": properties,
        "required": [key for key in properties if key not in optional],
    }
    if description:
        schema["description"] = description
    return schema


def array(items: Schema, description: str = "", **more: object) -> Schema:
    """Describe a list."""
    schema: Schema = {"type": "array", "items": items} | more
    return schema | {"description": description} if description else schema


def text(description: str = "", *, longest: int | None = None, example: str = "") -> Schema:
    """Describe a text."""
    schema: Schema = {"type": "string"}
    if longest is not None:
        schema["maxLength"] = longest
    if description:
        schema["description"] = description
    if example:
        schema["examples"] = [example]
    return schema


def one_of(words: Iterable[str], description: str = "") -> Schema:
    """Describe a text that is one of a few words."""
    schema: Schema = {"type": "string", "enum": list(words)}
    return schema | {"description": description} if description else schema


def number(description: str = "") -> Schema:
    """Describe a whole number of a size that makes sense."""
    schema: Schema = {"type": "integer", "minimum": -LARGEST, "maximum": LARGEST}
    return schema | {"description": description} if description else schema


def nullable(schema: Schema) -> Schema:
    """Allow null, too."""
    if isinstance(schema.get("type"), list):
        return schema
    if "type" in schema:
        return schema | {"type": [schema["type"], "null"]}
    return {"anyOf": [schema, {"type": "null"}]}


FLAG: Schema = {"type": "boolean"}
INTEGER: Schema = {"type": "integer"}
TIME: Schema = {"type": "string", "format": "date-time"}
CARD = ref("Card")
SUIT = ref("Suit")
NULL_CARD = nullable(text("A card, or null.", longest=60))
NULL_SUIT = nullable(text("A suit, or null.", longest=60))
REASON = ref("Reason")

DEALT: Mapping[str, Schema] = {
    "cards_each": array(INTEGER, "Per seat, from the dealer’s left."),
    "aside": INTEGER,
    "tricks": nullable(INTEGER),
    "reason": REASON,
}
"""What every game answers when it is asked how it is dealt."""


def joined(one: Schema, other: Schema) -> Schema:
    """Return the shape of what either of two shapes allows; lists of objects have the keys of both.

    >>> joined({"type": "integer"}, {"type": "string"})
    {'anyOf': [{'type': 'integer'}, {'type': 'string'}]}
    """
    if one == other:
        return one
    ours, theirs = one.get("items", {}), other.get("items", {})
    if "properties" in ours and "properties" in theirs:
        return one | {"items": ours | {"properties": joined_keys(ours["properties"], theirs["properties"])}}
    shapes = [shape for each in (one, other) for shape in each.get("anyOf", [each])]
    return {"anyOf": [shape for place, shape in enumerate(shapes) if shape not in shapes[:place]]}


def joined_keys(one: Mapping[str, Schema], other: Mapping[str, Schema]) -> dict[str, Schema]:
    """Return the keys of either of two objects, each with what either allows."""
    both = {**other, **one}
    return {key: joined(one[key], other[key]) if key in one and key in other else both[key] for key in [*one, *both]}
