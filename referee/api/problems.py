"""Errors as ``application/problem+json`` (RFC 9457), with the list of all codes."""

import json
import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from http import HTTPStatus
from math import ceil
from typing import Annotated, NotRequired, TypedDict

from django.conf import settings
from django.core.exceptions import DisallowedHost, PermissionDenied
from django.core.serializers.json import DjangoJSONEncoder
from django.http import Http404, HttpRequest, HttpResponseBase, JsonResponse
from django.utils.translation import get_language, gettext, pgettext
from rest_framework import exceptions
from rest_framework.negotiation import DefaultContentNegotiation
from rest_framework.request import Request

from referee.engine.replaying import TooCostly
from referee.engine.rules import Problem, Refused
from referee.engine.rulings import Reason
from referee.engine.shapes import Named, number
from referee.engine.sheet import DescribedReason, describe_reason
from referee.engine.texts import ENGLISH, Language, Phrase, phrase, table


class TranslatedLanguage(Language):
    """The language that Django has activated for the request, translated by gettext."""

    @property
    def code(self) -> str:
        return (get_language() or "en").partition("-")[0]

    def translate(self, text: str, context: str = "") -> str:
        if not text:
            return text
        return pgettext(context, text) if context else gettext(text)


def describe_for_caller(reason: Reason, names: Sequence[str] = ()) -> DescribedReason:
    return describe_reason(reason, names, caller_language())


TRANSLATED = TranslatedLanguage()


def caller_language() -> Language:
    return ENGLISH if (get_language() or "en").startswith("en") else TRANSLATED


def told(text: Phrase) -> str:
    """Return a text in the caller's language."""
    return text.rendered(caller_language())


# --- Every code of a problem, with the title that explains it
# A code is also an anchor on the page of problems, so its meaning never changes. Codes of events are declared with the
# sentences of the referee and its games.

SENTENCES = {
    400: phrase("The request could not be understood."),
    404: phrase("There is nothing at this address. The addresses are listed at /api/v1/docs/."),
    413: phrase("The body is larger than this service accepts."),
    500: phrase("The service made a mistake; it has been logged."),
}
"""Details of errors that no view answered, by status."""
CODES = {400: "bad-request", 404: "not-found", 413: "too-large", 500: "server-error"}

REQUESTS = table("requests")  # what can be wrong with a request
IMPOSSIBLE = table("impossible")  # why an event cannot have happened
IRREGULAR = table("irregular")  # which rule an event breaks, although it can have happened
TITLES = {**REQUESTS, **IMPOSSIBLE, **IRREGULAR}


MEDIA_TYPE = "application/problem+json"
PROBLEMS_PAGE = "/api/v1/problems/"
"""The page that explains every code; a problem's ``type`` links to its entry."""


ProblemCode = Annotated[str, Named("ProblemCode")]


class ProblemAt(TypedDict):
    """One problem and its place."""

    pointer: Annotated[
        str,
        "A JSON pointer into the body; empty if the body is not JSON, or for a query.",
        {"examples": ["/hands/0/events/3/cards/0"]},
    ]
    line: NotRequired[Annotated[int, number(), "The line of a text, counted from 1."]]
    column: NotRequired[Annotated[int, number(), "The column in that line, counted from 1."]]
    parameter: NotRequired[Annotated[str, "The query parameter.", {"examples": ["after"]}]]
    code: ProblemCode
    detail: str


class DescribedProblem(TypedDict):
    """An error (RFC 9457)."""

    type: Annotated[
        str, "Leads to the explanation of `code`.", {"examples": ["https://cards.example/api/v1/problems/#missing-key"]}
    ]
    instance: NotRequired[
        Annotated[
            str,
            "The request it is about. It ends with the `X-Request-Id`, which is also in the server’s log.",
            {"examples": ["https://cards.example/api/v1/problems/?request=5f0c1d"]},
        ]
    ]
    title: str
    status: Annotated[int, {"minimum": 400, "maximum": 599}]
    detail: Annotated[str, "What is wrong, for people to read."]
    code: ProblemCode
    errors: NotRequired[Annotated[list[ProblemAt], "Everything that is wrong with the body or the query."]]


class TooLarge(exceptions.APIException):
    status_code = HTTPStatus.REQUEST_ENTITY_TOO_LARGE
    default_code = "too-large"

    def __init__(self) -> None:
        super().__init__(told(SENTENCES[413]))


def title_of(code: str, status: int) -> str:
    return gettext(TITLES.get(code, HTTPStatus(status).phrase))


class ProblemResponse(JsonResponse):
    """A problem (RFC 9457); the middleware adds the request id (``name_request``)."""

    _has_been_logged = False  # read by Django: whether the error is in the log already

    def __init__(self, status: int, code: str, detail: str, errors: Sequence[Problem] = (), **more: object) -> None:
        body: dict[str, object] = {
            "type": f"{PROBLEMS_PAGE}#{code}",
            "title": title_of(code, status),
            "status": status,
            "detail": detail,
            "code": code,
        }
        if errors:
            body["errors"] = [describe_problem(wrong) for wrong in errors]
        self._body = body | more
        super().__init__(self._body, status=status, content_type=MEDIA_TYPE)

    def name_request(self, request: HttpRequest, named: str) -> None:
        """Add a link to the code's documentation, and the request id, by which operators find it in the log."""
        server = settings.PUBLIC_URL
        if not server:
            with suppress(DisallowedHost):  # the Host header is forged
                server = f"{request.scheme}://{request.get_host()}"
        self._body["type"] = f"{server}{PROBLEMS_PAGE}#{self._body['code']}"
        if named:
            self._body["instance"] = f"{server}{PROBLEMS_PAGE}?request={named}"
        self.content = json.dumps(self._body, cls=DjangoJSONEncoder).encode()
        if "Content-Length" in self:  # set before the content changed
            self["Content-Length"] = str(len(self.content))


IN_TEXT = re.compile(r"line (\d+), column (\d+)")
IN_QUERY = "?"


def describe_problem(wrong: Problem) -> dict[str, object]:
    """Describe a problem and its place: a JSON pointer, the line and column of a text, or a query parameter."""
    place: dict[str, object] = {"pointer": ""}
    if at := IN_TEXT.fullmatch(wrong.pointer):
        place |= {"line": int(at[1]), "column": int(at[2])}
    elif not wrong.pointer.startswith(IN_QUERY):
        place["pointer"] = wrong.pointer
    elif name := wrong.pointer.removeprefix(IN_QUERY):
        place["parameter"] = name
    return {**place, "code": wrong.code, "detail": wrong.rendered(caller_language())}


def exception_handler(exc: Exception, context: Mapping[str, object]) -> HttpResponseBase | None:
    """Turn an exception of a view into a problem; unexpected ones are left to Django (500)."""
    if isinstance(exc, TooCostly):
        first = exc.problems[0]
        return ProblemResponse(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, first.code, first.rendered(caller_language()))
    if isinstance(exc, Refused):
        first, problems = exc.problems[0], exc.problems
        request = context.get("request")
        if getattr(request, "method", "") in ("GET", "HEAD"):  # there is no body: the query is wrong
            problems = tuple(replace(each, pointer=IN_QUERY + each.pointer.rpartition("/")[2]) for each in problems)
        status = HTTPStatus.BAD_REQUEST if exc.malformed else HTTPStatus.UNPROCESSABLE_ENTITY
        return ProblemResponse(status, first.code, first.rendered(caller_language()), problems)
    if isinstance(exc, exceptions.ValidationError) and isinstance(exc.detail, dict):
        wrong = [
            Problem(f"{IN_QUERY}{name}", "bad-query", phrase("{name}: {why}", name=name, why=" ".join(map(str, texts))))
            for name, texts in exc.detail.items()
        ]
        said = " ".join(each.rendered(caller_language()) for each in wrong)
        return ProblemResponse(HTTPStatus.BAD_REQUEST, "bad-query", said, wrong)
    if isinstance(exc, Http404):
        exc = exceptions.NotFound(told(SENTENCES[404]))
    elif isinstance(exc, PermissionDenied):
        exc = exceptions.PermissionDenied()
    if not isinstance(exc, exceptions.APIException):
        return None
    code = str(exc.get_codes()).replace("_", "-")
    response = ProblemResponse(exc.status_code, code, str(exc.detail))
    if scheme := getattr(exc, "auth_header", None):
        response["WWW-Authenticate"] = scheme
    if wait := getattr(exc, "wait", None):
        response["Retry-After"] = str(ceil(wait))
    return response


def status_problem(status: int) -> ProblemResponse:
    """Return the problem for an error that Django answered, from its status alone."""
    code = CODES.get(status, HTTPStatus(status).phrase.lower().replace(" ", "-"))
    said = told(SENTENCES[status]) if status in SENTENCES else f"{title_of(code, status)}."
    return ProblemResponse(status, code, said)


class ProblemsAreJSON(DefaultContentNegotiation):
    """Content negotiation that serves JSON to clients that accept only problem+json, and problems on error."""

    def get_accept_list(self, request: Request) -> list[str]:
        accepted: list[str] = super().get_accept_list(request)
        return [*accepted, "application/json"] if accepted == [MEDIA_TYPE] else accepted
