"""Errors as ``application/problem+json`` (RFC 9457), the same everywhere under ``/api/``."""

from collections.abc import Mapping, Sequence
from http import HTTPStatus
from math import ceil

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpResponseBase, JsonResponse
from django.utils.translation import gettext
from rest_framework import exceptions

from referee.api.language import caller_language
from referee.api.problem_codes import SENTENCES, TITLES
from referee.engine.bounds import TooCostly
from referee.engine.options import Problem, Refused

MEDIA_TYPE = "application/problem+json"
PROBLEMS_PAGE = "/api/v1/problems/"
"""Where the page that explains every code stands; a problem's ``type`` leads to its line."""


class TooLarge(exceptions.APIException):
    """The body is larger than a request may be."""

    status_code = HTTPStatus.REQUEST_ENTITY_TOO_LARGE
    default_code = "too-large"
    default_detail = SENTENCES[413]


class ProblemResponse(JsonResponse):
    """An answer that says what is wrong; ``more`` are members of its own, such as ``ruling``."""

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
            body["errors"] = [{"pointer": e.pointer, "code": e.code, "detail": e.rendered(language)} for e in errors]
        super().__init__(body | more, status=status, content_type=MEDIA_TYPE)


def exception_handler(exc: Exception, context: Mapping[str, object]) -> HttpResponseBase | None:
    """Turn what a view raised into a problem; anything unforeseen is left to Django (500)."""
    if isinstance(exc, TooCostly):
        first = exc.problems[0]
        return ProblemResponse(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, first.code, first.rendered(caller_language()))
    if isinstance(exc, Refused):
        first = exc.problems[0]
        status = HTTPStatus.BAD_REQUEST if exc.malformed else HTTPStatus.UNPROCESSABLE_ENTITY
        return ProblemResponse(status, first.code, first.rendered(caller_language()), exc.problems)
    if isinstance(exc, exceptions.ValidationError) and isinstance(exc.detail, dict):
        wrong = [f"{name}: {' '.join(map(str, texts))}" for name, texts in exc.detail.items()]
        return ProblemResponse(HTTPStatus.BAD_REQUEST, "bad-request", " ".join(wrong))
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
