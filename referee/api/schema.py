"""OpenAPI descriptions of views, with the documented example answers."""

import json
import tomllib
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from types import SimpleNamespace
from typing import Any, TypeVar, is_typeddict

from django.urls import resolve
from drf_spectacular import plumbing
from drf_spectacular.extensions import OpenApiSerializerExtension
from drf_spectacular.utils import OpenApiExample, OpenApiParameter, OpenApiResponse, extend_schema

from referee.api.problems import MEDIA_TYPE
from referee.api.questions import QUESTIONS
from referee.engine.questions import Example
from referee.engine.reader import LARGEST
from referee.engine.shapes import Schema, add_component, array, component_name, ref

T = TypeVar("T", bound=Callable[..., Any])
JSON = "application/json"
PROPERTIES = tomllib.loads(Path(__file__).with_name("properties.toml").read_text(encoding="utf-8"))
WHOLE_RECORDS = json.loads(Path(__file__).with_name("examples.json").read_text(encoding="utf-8"))
"""Examples about whole records; those of single questions are declared with them."""
EXAMPLES: dict[str, tuple[Example, ...]] = {
    name: tuple(Example(**each) for each in given) for name, given in WHOLE_RECORDS.items()
} | {question.name: question.examples for question in QUESTIONS}
"""Example requests and answers for the documentation; a test sends each of them."""
PLUMBING: Any = plumbing  # drf-spectacular is half typed


class TypedAnswer(OpenApiSerializerExtension):  # type: ignore[no-untyped-call]  # drf-spectacular is half typed
    """Derives schemas from typed dictionaries; no serializer runs on the way out."""

    @classmethod
    def _matches(cls, target: Any) -> bool:
        return is_typeddict(target)

    def get_name(self, auto_schema: Any, direction: str) -> str:
        return component_name(self.target)

    get_identity = get_name

    def map_serializer(self, auto_schema: Any, direction: str) -> Schema:
        found: dict[str, Schema] = {}
        own = add_component(self.target, found)
        for name, schema in found.items():
            auto_schema.registry.register_on_missing(PLUMBING.ResolvedComponent(name, "schemas", schema, name))
        return found[own]


def body(name: str) -> dict[str, Schema]:
    """Describe a request body by the name of its component."""
    return {JSON: ref(name)}


def answers(name: str, *statuses: int, many: bool = False) -> dict[int | tuple[int, str], OpenApiResponse]:
    """Describe the responses: a component, and problems with these statuses, besides those of every address."""
    schema = array(ref(name)) if many else ref(name)
    described: dict[int | tuple[int, str], OpenApiResponse] = {200: OpenApiResponse(schema, "OK")}
    for status in statuses:
        described[status, MEDIA_TYPE] = OpenApiResponse(ref("Problem"), MEANINGS[status])
    return described


MEANINGS = {
    304: "Nothing has changed.",
    400: "The request is malformed: not JSON, a wrong type, or a missing or unknown key or parameter.",
    401: "A token is needed, or the one sent is not valid.",
    403: "The token does not allow this.",
    404: "There is no such resource.",
    405: "This is not a code but the name of another address, which takes other methods.",
    406: "The requested format is not available.",
    409: "The table is not in a state that allows this.",
    412: "It has changed in the meantime. The problem holds the current version and, for a table, its state.",
    413: "The body is too large, or what it asks for is too costly.",
    415: "This content type is not supported here.",
    422: "The request is well-formed, but what it says is not possible.",
    429: "Too many requests; Retry-After says when to try again.",
    503: "The service cannot do this now; Retry-After says when to try again.",
}


def operation(name: str, summary: str, responses: Mapping[Any, Any], **more: Any) -> Callable[[T], T]:
    """Document an operation, with its examples; the method's docstring is its description."""
    shown = examples(EXAMPLES.get(name.replace("_", "-"), ()))
    return extend_schema(operation_id=name, summary=summary, responses=responses, examples=shown, **more)


def examples(shown: Iterable[Example]) -> list[OpenApiExample]:
    found = []
    for example in shown:
        asked, answered = f"{example.title} (request)", f"{example.title} (answer)"
        found.append(OpenApiExample(asked, example.request, request_only=True, media_type=JSON))
        found.append(
            OpenApiExample(answered, example.answer, response_only=True, media_type=JSON, status_codes=["200"])
        )
    return found


def in_path(name: str, description: str, example: str) -> OpenApiParameter:
    shown = [OpenApiExample(example, value=example)]
    return OpenApiParameter(name, str, OpenApiParameter.PATH, description=description, examples=shown)


def bound_numbers(result: dict[str, Any], **_: Any) -> dict[str, Any]:
    """Add to each number the bounds its reader enforces (a drf-spectacular postprocessing hook)."""
    operations = [each for path in result["paths"].values() for each in path.values()]
    rest: list[Any] = [[each.get("parameters"), each.get("requestBody")] for each in operations]
    rest.append(result["components"]["parameters"])
    shapes = dict(result["components"]["schemas"])
    while rest:
        shape = rest.pop()
        if isinstance(shape, list):
            rest += shape
        elif isinstance(shape, dict):
            kinds = shape.get("type")
            if "integer" in ([kinds] if isinstance(kinds, str) else kinds or ()):
                shape.setdefault("minimum", -LARGEST)
                shape.setdefault("maximum", LARGEST)
            rest += [*shape.values(), shapes.pop(str(shape.get("$ref")).rpartition("/")[2], None)]
    return result


def describe_properties(result: dict[str, Any], **_: Any) -> dict[str, Any]:
    """Add descriptions from ``properties.toml`` (a drf-spectacular postprocessing hook)."""
    shapes = result["components"]["schemas"]
    result["components"]["schemas"] = {
        name: with_meanings(shape, {**PROPERTIES, **PROPERTIES.get(name, {})}) for name, shape in shapes.items()
    }
    return result


def with_meanings(shape: Any, meanings: Mapping[str, Any]) -> Any:
    if isinstance(shape, list):
        return [with_meanings(each, meanings) for each in shape]
    if not isinstance(shape, dict):
        return shape
    said = {key: part if key in KEPT else with_meanings(part, meanings) for key, part in shape.items()}
    for name, part in shape.get("properties", {}).items():
        means = meanings.get(name, "") if "null" in str(part) else meanings.get(name, "").partition("; null")[0]
        told = {} if is_told(part) or not means else {"description": means.removesuffix(".") + "."}
        said["properties"] = said["properties"] | {name: with_meanings(part, meanings) | told}
    return said


KEPT = ("properties", "if", "then", "else")


def is_told(shape: Schema) -> bool:
    """Return whether a schema, or a component it refers to, has a description."""
    if not {"description", "const", "$ref"}.isdisjoint(shape):
        return True
    union: Iterable[Schema] = shape.get("anyOf") or shape.get("oneOf") or ()
    parts = [part for part in union if part != {"type": "null"}]
    parts += [shape[key] for key in ("items", "additionalProperties") if isinstance(shape.get(key), dict)]
    return bool(parts) and all(map(is_told, parts))


REFEREE = "/api/v1/referee/"


def show_answers(result: dict[str, Any], **_: Any) -> dict[str, Any]:
    """Replace partial answers in examples by whole ones (a drf-spectacular postprocessing hook)."""
    asked = {path: of["post"] for path, of in result["paths"].items() if path.startswith(REFEREE) and "post" in of}
    for path, operation in asked.items():
        view = resolve(path).func.view_class()  # type: ignore[attr-defined]  # every view here is a class
        shown = operation["responses"]["200"]["content"][JSON].get("examples", {})
        for name, example in operation["requestBody"]["content"][JSON].get("examples", {}).items():
            if answered := shown.get(name.replace("(request)", "(answer)")):
                answered["value"] = view.post(SimpleNamespace(data=example["value"])).data
    return result
