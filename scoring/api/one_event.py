"""The usual request, read and answered fast: see ``scoring.services.fast_record``.

Whatever is the least bit unusual is left to the careful view, which reads the request again and answers what
there is to say. So this module knows one answer only: 201.
"""

import re
from collections.abc import Callable

from asgiref.sync import iscoroutinefunction, markcoroutinefunction
from django.http import HttpRequest, HttpResponse

from referee.api.parsers import read_object
from referee.engine.options import Refused
from referee.engine.reading import load_event
from scoring.api.answers import describe_hidden, describe_ruling
from scoring.api.headers import etag
from scoring.models import Role
from scoring.models.code import normal_code
from scoring.models.fields import canonical
from scoring.queries.access import token_hash
from scoring.queries.state import changed
from scoring.services.fast_record import OneRecorded, record_one
from scoring.services.turns import Request

JSON = "application/json"
EVENTS = re.compile("/api/v1/tables/([A-Za-z0-9-]{8,9})/events/")
SMALL = re.compile(r"\d{1,4}", re.ASCII)
"""The length of a body that holds one event: no more than 9,999 bytes."""
BEARER = re.compile(r"Bearer ([\w-]{1,200})", re.ASCII)
VERSION = re.compile(r'"(\d{1,9})"', re.ASCII)
KEY = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
"""A UUID as programs write it; the careful view takes it in its other forms, too."""


class OneEventMiddleware:
    """Stands before what pages need (languages, cookies, forms) and the API's own way of reading a request."""

    sync_capable = True
    async_capable = True

    def __init__(self, get_response: Callable[[HttpRequest], object]) -> None:
        self.get_response = get_response
        if iscoroutinefunction(get_response):
            markcoroutinefunction(self)

    def __call__(self, request: HttpRequest) -> object:
        if request.method == "POST" and not iscoroutinefunction(self):
            answer = take(request)
            if answer is not None:
                return answer
        return self.get_response(request)


def take(request: HttpRequest) -> HttpResponse | None:
    """Record one event and answer, or do nothing."""
    path = EVENTS.fullmatch(request.path_info)
    if path is None:
        return None
    given = request.META
    token = BEARER.fullmatch(given.get("HTTP_AUTHORIZATION", ""))
    asked = _asked(given.get("HTTP_IF_MATCH"), given.get("HTTP_IDEMPOTENCY_KEY"))
    plain = given.get("CONTENT_TYPE") == JSON and given.get("HTTP_ACCEPT", "*/*") in ("*/*", JSON)
    if token is None or asked is None or not plain or not SMALL.fullmatch(given.get("CONTENT_LENGTH", "")):
        return None
    try:
        event = load_event(read_object(request.body))
    except Refused:
        return None
    recorded = record_one(normal_code(path[1]), token_hash(token[1]), event, asked)
    return None if recorded is None else _answer(recorded)


def _asked(version: str | None, key: str | None) -> Request | None:
    """Return how the event was sent, from the headers ``If-Match`` and ``Idempotency-Key``."""
    expected = None if version is None else VERSION.fullmatch(version)
    if (version is not None and expected is None) or (key is not None and not KEY.fullmatch(key)):
        return None
    return Request(by=Role.SCOREKEEPER.value, expected=int(expected[1]) if expected else None, key=key)


def _answer(recorded: OneRecorded) -> HttpResponse:
    ruling = describe_ruling(recorded.ruling, recorded.names)
    told = {
        "version": recorded.version,
        "state": changed(recorded.ruling.table, recorded.names, points=not recorded.ruling.table.hides_points()),
        **describe_hidden({}),
        "ruling": ruling,
        "rulings": [ruling],
    }
    text = canonical(told).encode()
    headers = {"ETag": etag(recorded.version), "Content-Length": str(len(text)), "Content-Language": "en"}
    return HttpResponse(text, status=201, content_type=JSON, headers=headers)
