"""Errors as ``application/problem+json`` (RFC 9457), the same everywhere under ``/api/``."""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from http import HTTPStatus
from math import ceil
from typing import Annotated, NotRequired, TypedDict

from django.conf import settings
from django.core.exceptions import DisallowedHost, PermissionDenied
from django.core.serializers.json import DjangoJSONEncoder
from django.http import Http404, HttpRequest, HttpResponseBase, JsonResponse
from django.utils.translation import gettext
from rest_framework import exceptions

from referee.api.language import caller_language
from referee.api.problem_codes import SENTENCES, TITLES
from referee.engine.bounds import TooCostly
from referee.engine.options import Problem, Refused
from referee.engine.shapes import Named, number

MEDIA_TYPE = "application/problem+json"
PROBLEMS_PAGE = "/api/v1/problems/"
"""Where the page that explains every code stands; a problem's ``type`` leads to its line."""


ProblemCode = Annotated[str, Named("ProblemCode")]


class ProblemAt(TypedDict):
    """One thing that is wrong, and where."""

    pointer: Annotated[
        str,
        "A JSON pointer into the body; empty where that is none of JSON, and for a query.",
        {"examples": ["/hands/0/events/3/cards/0"]},
    ]
    line: NotRequired[Annotated[int, number(), "The line of a text, from 1."]]
    column: NotRequired[Annotated[int, number(), "The column of that line, from 1."]]
    parameter: NotRequired[Annotated[str, "The parameter of the query.", {"examples": ["after"]}]]
    code: ProblemCode
    detail: str


class DescribedProblem(TypedDict):
    """An error (RFC 9457)."""

    type: Annotated[
        str,
        "Leads to the explanation of `code`.",
        {"examples": ["https://cards.example/api/v1/problems/#missing-key"]},
    ]
    instance: NotRequired[
        Annotated[
            str,
            "Which request it is about: its `X-Request-Id`, which the log of the server has, stands at the end.",
            {"examples": ["https://cards.example/api/v1/problems/?request=5f0c1d"]},
        ]
    ]
    title: str
    status: Annotated[int, {"minimum": 400, "maximum": 599}]
    detail: Annotated[str, "What is wrong here, for people."]
    code: ProblemCode
    errors: NotRequired[Annotated[list[ProblemAt], "Every single thing that is wrong with the body or the query."]]


class TooLarge(exceptions.APIException):
    """The body is larger than a request may be."""

    status_code = HTTPStatus.REQUEST_ENTITY_TOO_LARGE
    default_code = "too-large"
    default_detail = SENTENCES[413]


class ProblemResponse(JsonResponse):
    """An answer that says what is wrong; ``more`` are members of its own, such as ``ruling``.

    On its way out it is told which request it answers (``name_request``): only then are its addresses whole.
    """

    _has_been_logged = False
    """Whether Django has written its line in the log; it looks for this."""

    def __init__(self, status: int, code: str, detail: str, errors: Sequence[Problem] = (), **more: object) -> None:
        phrase = HTTPStatus(status).phrase
        body: dict[str, object] = {
            "type": f"{PROBLEMS_PAGE}#{code}",
            "title": gettext(TITLES.get(code, phrase)),
            "status": status,
            "detail": detail,
            "code": code,
        }
        if errors:
            language = caller_language()
            body["errors"] = [describe_place(e) | {"code": e.code, "detail": e.rendered(language)} for e in errors]
        self._body = body | more
        super().__init__(self._body, status=status, content_type=MEDIA_TYPE)

    def name_request(self, request: HttpRequest, named: str) -> None:
        """Say on whose page the code stands, and which request it was: whoever runs the server finds it in the log."""
        server = public_address(request)
        self._body["type"] = f"{server}{PROBLEMS_PAGE}#{self._body['code']}"
        if named:
            self._body["instance"] = f"{server}{PROBLEMS_PAGE}?request={named}"
        self.content = json.dumps(self._body, cls=DjangoJSONEncoder).encode()
        if "Content-Length" in self:  # it was measured before
            self["Content-Length"] = str(len(self.content))


def public_address(request: HttpRequest) -> str:
    """Return where this server is found, without a slash at the end; nothing where the caller made the name up."""
    if settings.PUBLIC_URL:
        return str(settings.PUBLIC_URL)
    try:
        return f"{request.scheme}://{request.get_host()}"
    except DisallowedHost:
        return ""


IN_TEXT = re.compile(r"line (\d+), column (\d+)")
IN_QUERY = "?"


def describe_place(wrong: Problem) -> dict[str, object]:
    """Say where something is wrong: by a pointer into the body; of a text by line and column, of a query by name."""
    if at := IN_TEXT.fullmatch(wrong.pointer):
        return {"pointer": "", "line": int(at[1]), "column": int(at[2])}
    if wrong.pointer.startswith(IN_QUERY):
        name = wrong.pointer.removeprefix(IN_QUERY)
        return {"pointer": "", "parameter": name} if name else {"pointer": ""}
    return {"pointer": wrong.pointer}


def exception_handler(exc: Exception, context: Mapping[str, object]) -> HttpResponseBase | None:
    """Turn what a view raised into a problem; anything unforeseen is left to Django (500)."""
    if isinstance(exc, TooCostly):
        first = exc.problems[0]
        return ProblemResponse(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, first.code, first.rendered(caller_language()))
    if isinstance(exc, Refused):
        first, problems = exc.problems[0], exc.problems
        request = context.get("request")
        if getattr(request, "method", "") in ("GET", "HEAD"):  # it has no body: what is wrong, the query says
            problems = tuple(replace(each, pointer=IN_QUERY + each.pointer.rpartition("/")[2]) for each in problems)
        status = HTTPStatus.BAD_REQUEST if exc.malformed else HTTPStatus.UNPROCESSABLE_ENTITY
        return ProblemResponse(status, first.code, first.rendered(caller_language()), problems)
    if isinstance(exc, exceptions.ValidationError) and isinstance(exc.detail, dict):
        wrong = [
            Problem(f"{IN_QUERY}{name}", "bad-query", f"{name}: {' '.join(map(str, texts))}")
            for name, texts in exc.detail.items()
        ]
        detail = " ".join(str(each.phrase) for each in wrong)
        return ProblemResponse(HTTPStatus.BAD_REQUEST, "bad-query", detail, wrong)
    if isinstance(exc, Http404):
        exc = exceptions.NotFound(SENTENCES[404])
    elif isinstance(exc, PermissionDenied):
        exc = exceptions.PermissionDenied()
    if not isinstance(exc, exceptions.APIException):
        return None
    code = str(exc.get_codes()).replace("_", "-")
    response = ProblemResponse(exc.status_code, code, str(exc.detail))
    for header, value in (
        ("WWW-Authenticate", getattr(exc, "auth_header", None)),
        ("Retry-After", getattr(exc, "wait", None)),
    ):
        if value:
            response[header] = value if isinstance(value, str) else str(ceil(value))
    return response


def status_problem(status: int) -> ProblemResponse:
    """Return the problem of an answer that Django itself made: its status says all there is."""
    phrase = HTTPStatus(status).phrase
    code = phrase.lower().replace(" ", "-")
    return ProblemResponse(status, CODES.get(status, code), SENTENCES.get(status, f"{phrase}."))


CODES = {400: "bad-request", 404: "not-found", 413: "too-large", 500: "server-error"}
