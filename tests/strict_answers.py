"""Every API answer a test sees is compared strictly with the schema: undeclared keys are errors."""

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
"""Keys below which a schema constrains an object beyond its keys, or not at all."""
METHODS = ("get", "post", "patch", "put", "delete")
UNTOLD = {405, 500}
"""Statuses no operation declares: method not allowed, and internal errors."""


def strict(shape: Any) -> Any:
    """Return a schema in which every object declares all its keys."""
    if isinstance(shape, list):
        return [strict(each) for each in shape]
    if not isinstance(shape, dict):
        return shape
    inner = {key: value if key in LOGIC else strict(value) for key, value in shape.items() if key != "properties"}
    if "properties" in shape:  # a key may have the name of a JSON Schema keyword
        inner["properties"] = {key: strict(value) for key, value in shape["properties"].items()}
    if isinstance(inner.get("properties"), dict) and inner.get("additionalProperties", True) is True:
        inner["additionalProperties"] = False
    return inner


def inlined(schema: dict[str, Any]) -> dict[str, Any]:
    """Return a schema with shared parameters, headers and problems inlined."""

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
        self.validators: dict[int, Any] = {}

    @functools.cached_property
    def by_route(self) -> dict[str, dict[str, Any]]:
        return {re.sub(r"\{[^}]*\}", "{}", path): operations for path, operations in self.schema["paths"].items()}

    def operation(self, path: str, method: str) -> dict[str, Any] | None:
        """Return the operation at an address, or None if the address or method is not the API's."""
        try:
            route = resolve(path).route
        except Resolver404:
            return None
        operations = self.by_route.get("/" + re.sub(r"<[^>]*>", "{}", route), {})
        found: dict[str, Any] | None = operations.get(method)
        return found

    def validator(self, shape: dict[str, Any]) -> Any:
        """Return a validator for a part of the schema, made once."""
        key = id(shape)
        if key not in self.validators:
            self.validators[key] = jsonschema_rs.Draft202012Validator(self.root | strict(shape), validate_formats=True)
        return self.validators[key]

    def wrong(self, path: str, method: str, response: Any) -> str | None:
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
        """Return headers that the API sends but does not declare, or declares but does not send."""
        operation = self.operation(path, method)
        if operation is None or response.status_code in UNTOLD or response.status_code >= 400:
            return []
        told = operation["responses"].get(str(response.status_code), {}).get("headers", {})
        sent = [name for name in HEADERS if name in response.headers and name not in told]
        return sent + [name for name in told if told[name].get("required") and name not in response.headers]


def plain(response: Any) -> bytes:
    body: bytes = response.content
    return gzip.decompress(body) if response.headers.get("Content-Encoding") == "gzip" else body


@functools.cache
def description() -> Description:
    """Return this process's schema, read once."""
    return Description()


def is_described() -> bool:
    """Return whether the schema knows all games: one a test registers came after it was built."""
    known = description().schema["components"]["schemas"]["GameId"]["enum"]
    return all(game.id in known for game in all_games())


@contextmanager
def compared() -> Iterator[None]:
    """Compare every answer the test client sees with the schema."""
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
