"""The usual request, read and answered fast: see ``scoring.services.one_event``.

Whatever is the least bit unusual is left to the careful view, which reads the request again and answers what
there is to say. So this module knows one answer only: 201.
"""

import re

from django.http import HttpRequest, HttpResponse

from referee.api.parsers import read_object
from referee.options import Refused
from referee.records import load_event
from scoring.api.answers import describe_ruling
from scoring.api.headers import etag
from scoring.models import Role
from scoring.models.code import normal_code
from scoring.models.fields import canonical
from scoring.queries.access import token_hash
from scoring.queries.state import changed
from scoring.services.one_event import OneRecorded, record_one
from scoring.services.writing import Request

JSON = "application/json"
BEARER = re.compile(r"Bearer ([\w-]{1,200})", re.ASCII)
VERSION = re.compile(r'"(\d{1,9})"', re.ASCII)
KEY = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
"""A UUID as programs write it; the careful view takes it in its other forms, too."""


def take(request: HttpRequest, code: str) -> HttpResponse | None:
    """Record one event and answer, or do nothing."""
    given = request.META
    token = BEARER.fullmatch(given.get("HTTP_AUTHORIZATION", ""))
    asked = _asked(given.get("HTTP_IF_MATCH"), given.get("HTTP_IDEMPOTENCY_KEY"))
    accept = given.get("HTTP_ACCEPT", "*/*")
    if token is None or asked is None or given.get("CONTENT_TYPE") != JSON or accept not in ("*/*", JSON):
        return None
    try:
        event = load_event(read_object(request.body))
    except Refused:
        return None
    recorded = record_one(normal_code(code), token_hash(token[1]), event, asked)
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
        "state": changed(recorded.ruling.table, recorded.names),
        "ruling": ruling,
        "rulings": [ruling],
    }
    return HttpResponse(canonical(told), status=201, content_type=JSON, headers={"ETag": etag(recorded.version)})
