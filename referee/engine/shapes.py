"""JSON Schema from typed dictionaries and dataclasses.

A shape is declared once. Its docstring is the description; ``Annotated`` describes its keys: a string is the
description, a ``dict`` adds keywords, ``Named`` refers to a component or makes one.
"""

import inspect
import types
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, is_dataclass
from typing import (
    Annotated,
    Any,
    Literal,
    NotRequired,
    Required,
    TypeVar,
    Union,
    get_args,
    get_origin,
    get_type_hints,
    is_typeddict,
)

from referee.engine.reader import LARGEST

Schema = dict[str, Any]
T = TypeVar("T")
ALSO = "__also__"


@dataclass(frozen=True, slots=True, eq=False)
class Named:
    """Marks a type as the component of this name; without a ``schema`` it is described elsewhere."""

    name: str
    schema: Schema | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Formatted:
    """Gives the JSON Schema ``format`` of a string."""

    format: str


class Internal:
    """Marks a key that answers do not contain."""


PLAIN_TYPES: dict[Any, Schema] = {
    str: {"type": "string"},
    int: {"type": "integer"},
    float: {"type": "number"},
    bool: {"type": "boolean"},
    dict: {"type": "object"},
    Any: {},
    object: {},
}


def component_name(shape: type) -> str:
    return shape.__name__.removeprefix("Described")


def schema_of(hint: Any, found: dict[str, Schema]) -> Schema:
    """Return the schema of a type; the components it refers to are added to ``found``."""
    origin, args = get_origin(hint), get_args(hint)
    if is_typeddict(hint) or is_dataclass(hint):
        return ref(add_component(hint, found))
    if origin is Annotated:
        name = next((note for note in args[1:] if isinstance(note, Named)), None)
        schema = schema_of(args[0], found) if name is None else ref(name.name)
        if name is not None and name.schema is not None:
            found.setdefault(name.name, name.schema)
        for note in args[1:]:
            if isinstance(note, str):
                schema = schema | {"description": note}
            elif isinstance(note, dict):
                schema = schema | note
            elif isinstance(note, Formatted):
                schema = schema | {"format": note.format}
        return schema
    if origin in (Required, NotRequired):
        return schema_of(args[0], found)
    if origin in (Union, types.UnionType):
        shapes = [schema_of(each, found) for each in args if each is not types.NoneType]
        if len(shapes) == 1:
            whole = shapes[0]
        elif all(shape.keys() == {"type"} for shape in shapes):
            whole = {"type": [shape["type"] for shape in shapes]}
        else:
            whole = {"anyOf": shapes}
        return nullable(whole) if types.NoneType in args else whole
    if origin in (list, tuple, Sequence):
        return array(schema_of(args[0], found))
    if origin in (dict, Mapping):
        values = schema_of(args[1], found)
        return {"type": "object", "additionalProperties": values} if values else {"type": "object"}
    if origin is Literal:
        return one_of(args)
    return dict(PLAIN_TYPES[hint])


def described(shape: type) -> str:
    return " ".join(inspect.cleandoc(shape.__doc__ or "").replace("``", "`").split())


def add_component(shape: type, found: dict[str, Schema]) -> str:
    """Add a typed dictionary or dataclass to the components, with what it refers to; return its name."""
    name = component_name(shape)
    if name in found:
        return name
    found[name] = {}
    hints = get_type_hints(shape, include_extras=True)
    hints = {key: hint for key, hint in hints.items() if Internal not in _notes(hint)}
    schema: Schema = {"type": "object", "properties": {key: schema_of(hint, found) for key, hint in hints.items()}}
    if needed := [key for key in hints if key in vars(shape).get("__required_keys__", hints)]:
        schema["required"] = needed
    if text := described(shape):
        schema["description"] = text
    found[name] = schema | vars(shape).get(ALSO, {})
    return name


CLOSED: Schema = {"additionalProperties": False}
"""Other keys are refused."""
OWN_KEYS: Schema = {"patternProperties": {"^x_": {"$ref": "#/components/schemas/AnyValue"}}}
"""The caller's own ``x_`` keys are accepted and kept as they are."""


def also(keywords: Schema) -> Callable[[type[T]], type[T]]:
    def add(shape: type[T]) -> type[T]:
        setattr(shape, ALSO, keywords)
        return shape

    return add


def _notes(hint: Any) -> Sequence[object]:
    inner = get_args(hint)[0] if get_origin(hint) in (Required, NotRequired) else hint
    return get_args(inner)[1:] if get_origin(inner) is Annotated else ()


def ref(name: str) -> Schema:
    """Return a reference to a component of the API's schema."""
    return {"$ref": f"#/components/schemas/{name}"}


def _told(description: str, **schema: object) -> Schema:
    return schema | {"description": description} if description else schema


def closed(
    properties: dict[str, Schema], required: Sequence[str] = (), description: str = "", *, extra: bool = False
) -> Schema:
    """Return the schema of a request: other keys are refused, except ``x_`` keys with ``extra``."""
    schema = _told(description, type="object", properties=properties, additionalProperties=False)
    if required:
        schema["required"] = list(required)
    return schema | OWN_KEYS if extra else schema


def answer(properties: dict[str, Schema], description: str = "", optional: Sequence[str] = ()) -> Schema:
    """Return the schema of a part of an answer; keys are required unless ``optional``, and others may be added."""
    required = [key for key in properties if key not in optional]
    return _told(description, type="object", properties=properties, required=required)


def array(items: Schema, description: str = "", **more: object) -> Schema:
    return _told(description, type="array", items=items, **more)


def text(description: str = "", *, longest: int | None = None, example: str = "") -> Schema:
    schema = _told(description, type="string", **({} if longest is None else {"maxLength": longest}))
    return schema | {"examples": [example]} if example else schema


def one_of(words: Iterable[str], description: str = "") -> Schema:
    return _told(description, type="string", enum=list(words))


def number(description: str = "") -> Schema:
    return _told(description, type="integer", minimum=-LARGEST, maximum=LARGEST)


def nullable(schema: Schema) -> Schema:
    if "enum" not in schema and "type" in schema:
        kinds = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
        return schema | {"type": [*kinds, "null"]} if "null" not in kinds else schema
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
"""The answer of every game to the question how it is dealt."""


def joined(one: Schema, other: Schema) -> Schema:
    """Return a schema for what either of two schemas allows; lists of objects have the keys of both.

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
    both = {**other, **one}
    return {key: joined(one[key], other[key]) if key in one and key in other else both[key] for key in [*one, *both]}
