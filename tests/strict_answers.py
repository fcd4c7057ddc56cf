"""Every answer that a test of the API sees is compared with the schema, strictly: unnamed keys are errors."""

import copy
import functools
import gzip
import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from unittest.mock import patch

import jsonschema_rs
from django.test.client import Client
from django.urls import Resolver404, resolve
from drf_spectacular.generators import SchemaGenerator

from referee.engine.game import all_games
from scoring.tables.api.schema import HEADERS

LOGIC = ("if", "then", "else", "example", "examples")
"""Keys below which a schema says more of an object than its keys, or nothing."""
METHODS = ("get", "post", "patch", "put", "delete")
UNTOLD = {405, 500}
"""What no operation tells: that the address does not take this method, and that the service made a mistake."""


def strict(shape: Any) -> Any:
    """Return a schema in which every object names all its keys."""
    if isinstance(shape, list):
        return [strict(each) for each in shape]
    if not isinstance(shape, dict):
        return shape
    inner = {key: value if key in LOGIC else strict(value) for key, value in shape.items() if key != "properties"}
    if "properties" in shape:  # a key may be called like one of JSON Schema's own words
        inner["properties"] = {key: strict(value) for key, value in shape["properties"].items()}
    if isinstance(inner.get("properties"), dict) and inner.get("additionalProperties", True) is True:
        inner["additionalProperties"] = False
    return inner


def inlined(schema: dict[str, Any]) -> dict[str, Any]:
    """Return a schema with its shared parameters, headers and problems where they are used."""

    def whole(shape: Any) -> Any:
        if isinstance(shape, list):
            return [whole(each) for each in shape]
        if not isinstance(shape, dict):
            return shape
        _, _, sort, name = f"{shape.get('$ref', '')}///".split("/")[:4]
        if sort in ("parameters", "headers", "responses"):
            return whole(schema["components"][sort][name])
        return {key: whole(each) for key, each in shape.items()}

    return schema | {"paths": whole(schema["paths"])}


class Description:
    """The schema of the whole API, and a validator for each answer in it."""

    def __init__(self) -> None:
        self.schema = inlined(json.loads(json.dumps(SchemaGenerator().get_schema(public=True))))
        components = strict(copy.deepcopy(self.schema["components"]["schemas"]))
        self.root = {"components": {"schemas": components}}
        self.validators: dict[str, Any] = {}

    @functools.cached_property
    def by_route(self) -> dict[str, dict[str, Any]]:
        """The operations by the address as the router knows it."""
        return {re.sub(r"\{[^}]*\}", "{}", path): operations for path, operations in self.schema["paths"].items()}

    def operation(self, path: str, method: str) -> dict[str, Any] | None:
        """Return the operation at an address; none where the address or the method is not of the API."""
        try:
            route = resolve(path).route
        except Resolver404:
            return None
        operations = self.by_route.get("/" + re.sub(r"<[^>]*>", "{}", route), {})
        found: dict[str, Any] | None = operations.get(method)
        return found

    def validator(self, shape: dict[str, Any]) -> Any:
        """Return what compares an answer with a shape, made once."""
        key = json.dumps(shape, sort_keys=True)
        if key not in self.validators:
            self.validators[key] = jsonschema_rs.Draft202012Validator(self.root | strict(shape), validate_formats=True)
        return self.validators[key]

    def taken(self, shape: dict[str, Any]) -> Any:
        """Return what compares the body of a request with a shape, as the schema has it."""
        return jsonschema_rs.Draft202012Validator({"components": self.schema["components"]} | shape)

    def wrong(self, path: str, method: str, response: Any) -> str | None:
        """Say what of an answer the schema does not say; ``None``: nothing."""
        operation = self.operation(path, method)
        if operation is None or response.status_code in UNTOLD:
            return None
        told = operation["responses"].get(str(response.status_code))
        name = f"{operation['operationId']} {response.status_code}"
        if told is None:
            return f"{name}: the status is not told"
        if getattr(response, "streaming", False):
            return None
        length = response.headers.get("Content-Length", str(len(response.content)))
        if method != "head" and length != str(len(response.content)):
            return f"{name}: its length is not the one that it tells"
        kind = response.headers.get("Content-Type", "").partition(";")[0]
        content = told.get("content", {})
        if not response.content:
            return f"{name}: an answer without its body" if content else None
        if kind not in content:
            return f"{name}: {kind} is not told, only {', '.join(content)}"
        missing = [each for each in content if each == kind and not content[kind].get("schema")]
        if missing or not kind.endswith("json"):
            return f"{name}: {kind} has no schema" if missing else None
        errors = list(self.validator(content[kind]["schema"]).iter_errors(json.loads(plain(response))))
        at = [f"/{'/'.join(map(str, error.instance_path))}: {error.message[:300]}" for error in errors[:3]]
        return f"{name}: " + "; ".join(at) if at else None

    def wrong_headers(self, path: str, method: str, response: Any) -> list[str]:
        """Return the headers that the API sends and the schema does not tell, or that it promises and are not there."""
        operation = self.operation(path, method)
        if operation is None or response.status_code in UNTOLD:
            return []
        told = operation["responses"].get(str(response.status_code), {}).get("headers", {})
        sent = [name for name in HEADERS if name in response.headers and name not in told]
        return sent + [name for name in told if told[name].get("required") and name not in response.headers]


def plain(response: Any) -> bytes:
    """Return the body of an answer as it was before it was compressed."""
    body: bytes = response.content
    return gzip.decompress(body) if response.headers.get("Content-Encoding") == "gzip" else body


@functools.cache
def description() -> Description:
    """Return the schema as this process has it, read once."""
    return Description()


def is_described() -> bool:
    """Return whether the schema knows all games: one that a test brings along came after it was made."""
    known = description().schema["components"]["schemas"]["GameId"]["enum"]
    return all(game.id in known for game in all_games())


@contextmanager
def compared() -> Iterator[None]:
    """Compare each answer that a test client sees with the schema."""
    ask = Client.request

    def request(client: Client, **asked: Any) -> Any:
        response = ask(client, **asked)
        path, method = asked.get("PATH_INFO", "/"), asked.get("REQUEST_METHOD", "GET").lower()
        if path.startswith("/api/v1/") and method in METHODS and is_described():
            wrong = description().wrong(path, method, response)
            assert wrong is None, wrong
            assert not (headers := description().wrong_headers(path, method, response)), f"{path}: {headers}"
        return response

    with patch.object(Client, "request", request):
        yield
