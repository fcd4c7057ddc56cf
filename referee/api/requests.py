"""Request parsing (parameters, strict JSON, text, CSV) and limits by cost."""

import codecs
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from functools import cache
from typing import IO, Any, TypeVar

from django.conf import settings
from django.http import HttpRequest
from django.utils.http import parse_header_parameters
from drf_spectacular.utils import OpenApiParameter
from rest_framework.parsers import BaseParser
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.throttling import BaseThrottle

from referee.api.problems import IN_QUERY, ProblemResponse, TooLarge, told
from referee.engine.reader import read_object
from referee.engine.rules import Problem
from referee.engine.texts import phrase
from referee.notation.words import read_body

View = TypeVar("View", bound=Callable[..., Any])
LONGEST_SHOWN = 40
TRIAL = "dry_run"


class NamedParameters(OpenApiParameter):
    """Parameters whose names are data, such as the house rules of a game; ``names`` returns all valid ones."""

    def __init__(self, name: str, description: str, names: Callable[[], Iterable[str]]) -> None:
        shape = {"type": "object", "additionalProperties": {"type": "string"}}
        super().__init__(name, shape, description=description, style="form", explode=True)
        self.names = names


def takes_parameters(*names: str) -> Callable[[View], View]:
    """Declare the query parameters of a view that is not part of the OpenAPI schema."""

    def declare(view: View) -> View:
        view.parameters = frozenset(names)  # type: ignore[attr-defined]  # a function takes any attribute
        return view

    return declare


def refuse_parameters(request: HttpRequest, view: Callable[..., Any]) -> ProblemResponse | None:
    """Refuse unknown and repeated query parameters: a misspelt ``dry_run`` must not record anything."""
    if not request.GET:
        return None
    known = declared(view, "GET" if request.method == "HEAD" else request.method or "")
    if known is None:  # no such method: the view answers 405
        return None
    unknown = next((name for name in request.GET if name not in known), None)
    twice = next((name for name, values in request.GET.lists() if len(values) > 1), None)
    if unknown is not None:
        code, shown = "unknown-parameter", unknown[:LONGEST_SHOWN]
        wrong = phrase("This address does not take the parameter {name}. Nothing was done.", name=ascii(shown))
        if unknown == TRIAL:
            wrong = phrase("This address has no dry run. Nothing was done.")
        elif known:
            wrong = phrase(
                "This address does not take the parameter {name}. Nothing was done. It takes: {known}.",
                name=ascii(shown),
                known=", ".join(sorted(known)[:LONGEST_SHOWN]),
            )
    elif twice is not None:
        code, shown = "duplicate-key", twice[:LONGEST_SHOWN]
        wrong = phrase("The parameter {name} appears twice in the address. Nothing was done.", name=ascii(shown))
    else:
        return None
    return ProblemResponse(400, code, told(wrong), [Problem(f"{IN_QUERY}{shown}", code, wrong)])


@cache
def declared(view: Callable[..., Any], method: str) -> frozenset[str] | None:
    """Return the query parameters that a view takes; ``None`` if it does not know the method."""
    if hasattr(view, "parameters") or not hasattr(view, "cls"):
        return frozenset(getattr(view, "parameters", ())) if method == "GET" else None
    handler = getattr(view.cls, method.lower(), None) if method.lower() in view.cls.http_method_names else None
    schema = getattr(handler, "kwargs", {}).get("schema")
    if schema is None:
        return None if handler is None else frozenset()
    described = schema()
    described.view, described.method = view.cls(request=None, kwargs={}), method
    names: set[str] = set()
    for each in described.get_override_parameters():
        if isinstance(each, NamedParameters):
            names |= {*each.names()}
        elif not isinstance(each, OpenApiParameter):
            names |= {*(each() if isinstance(each, type) else each).fields}
        elif each.location == OpenApiParameter.QUERY:
            names.add(each.name)
    return frozenset(names)


def whole_body(stream: IO[Any]) -> bytes:
    """Return the body; raises 413 beyond ``DATA_UPLOAD_MAX_MEMORY_SIZE``, whatever the headers say."""
    body: bytes = stream.read(settings.DATA_UPLOAD_MAX_MEMORY_SIZE + 1)
    if len(body) > settings.DATA_UPLOAD_MAX_MEMORY_SIZE:
        raise TooLarge
    return body


class StrictJSONParser(BaseParser):
    """Parses a JSON object strictly; see ``read_json_object``."""

    media_type = "application/json"

    def parse(
        self, stream: IO[Any], media_type: str | None = None, parser_context: Mapping[str, object] | None = None
    ) -> dict[str, object]:
        return read_object(whole_body(stream))


class TextParser(BaseParser):
    """Parses text as if it were JSON under ``key``; UTF-8 or the charset of the media type."""

    media_type, key = "text/plain", "text"

    def parse(
        self, stream: IO[Any], media_type: str | None = None, parser_context: Mapping[str, object] | None = None
    ) -> dict[str, str]:
        encoding = ""
        with suppress(LookupError, ValueError):  # no charset, or none that Python knows
            encoding = codecs.lookup(str(parse_header_parameters(media_type or "")[1].get("charset", ""))).name
        return {self.key: read_body(whole_body(stream), encoding)}


class CellsParser(TextParser):
    media_type, key = "text/csv", "csv"


RECORD_PARSERS = [StrictJSONParser, TextParser, CellsParser]  # for all forms of a record


def tell_limits(response: Any, fields: list[tuple[str, str] | None]) -> None:
    """Set the ``RateLimit`` headers of the IETF httpapi draft."""
    known = [field for field in fields if field is not None]
    if known:
        response["RateLimit-Policy"] = ", ".join(policy for policy, _ in known)
        response["RateLimit"] = ", ".join(left for _, left in known)


def limit_field(name: str, quota: int, window: int, left: int, seconds: int) -> tuple[str, str]:
    """Return the ``RateLimit-Policy`` and ``RateLimit`` values of a quota per window of seconds."""
    return f'"{name}";q={quota};w={window}', f'"{name}";r={left};t={seconds}'


class Limit(BaseThrottle, ABC):
    """A throttle that counts processor time instead of requests."""

    @abstractmethod
    def applies_to(self, view: object) -> bool:
        """Return whether answers of this view are charged."""

    @abstractmethod
    def settle(self, request: Request, response: Response, seconds: float) -> None:
        """Charge the processor seconds of an answer."""

    @abstractmethod
    def fields(self, request: Request) -> tuple[str, str] | None:
        """Return the values of ``RateLimit-Policy`` and ``RateLimit``, if there are any for this request."""
