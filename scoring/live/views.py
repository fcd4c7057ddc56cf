"""The stream of a table: ``changed`` with the version, now and whenever there is a newer one.

Who asks for it (``?presence=1``) is also told who is connected.
"""

import json
import random
from collections.abc import AsyncIterator
from functools import partial

from asgiref.sync import sync_to_async
from django.conf import settings
from django.core.handlers.asgi import ASGIRequest
from django.db import Error as DatabaseError
from django.http import HttpRequest, HttpResponseNotAllowed, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.views.decorators.csrf import csrf_exempt
from rest_framework.exceptions import APIException

from referee.api.problems import ProblemResponse, exception_handler
from scoring.live.access import admit_watcher
from scoring.live.attendance import Company, Holder
from scoring.live.hub import Hub, current_hub
from scoring.models import Table
from scoring.services.addresses import client_address
from scoring.services.devices import put_on_returning

# A reader who went without a word is found out by the next thing said to him.
SECONDS_BETWEEN_PINGS: float = getattr(settings, "LIVE_SECONDS_BETWEEN_PINGS", 15.0)
# How soon a reader comes back that was cut off: not all of them in the same moment.
MILLISECONDS_TO_RETRY = (500, 2500)

HEADERS = {"Cache-Control": "no-store, no-transform", "X-Accel-Buffering": "no"}
PING = b": ping\n\n"
REVOKED = b"event: revoked\ndata: {}\n\n"


@csrf_exempt  # it changes nothing, and another method is to be told so
async def stream(request: HttpRequest, code: str) -> HttpResponseBase:
    """Open a stream. It takes no thread, and ends when its reader goes or the right to it."""
    if request.method != "GET":
        return HttpResponseNotAllowed(["GET"])
    if not isinstance(request, ASGIRequest):
        return _not_now("This process serves no streams; ask the one that does.")
    hub = current_hub()
    address = client_address(request.META)
    if refused := _no_room(hub, address):
        return refused
    try:
        table, link, known = await hub.reader.run(partial(admit_watcher, request, code))
    except APIException as why:
        answer = exception_handler(why, {})
        assert answer is not None
        return answer
    except DatabaseError:
        return _not_now("The database is away.")
    if link is None and not known:
        # In the thread that writes for all requests: the reader's goes on listening.
        await sync_to_async(put_on_returning)(request.COOKIES, table)
    by = None if link is None else Holder.of(link)
    # Looked at once more: of those who came at the same moment, none was counted yet.
    return _no_room(hub, address) or StreamingHttpResponse(
        _events(hub, table, by, address=address, presence="presence" in request.GET),
        content_type="text/event-stream",
        headers=HEADERS,
    )


async def _events(hub: Hub, table: Table, by: Holder | None, *, address: str, presence: bool) -> AsyncIterator[bytes]:
    watching = hub.watching(table.pk, by=by, version=table.version, presence=presence)
    with hub.capacity.place(address), watching as watcher:
        sent, met = watcher.version, watcher.company
        yield _changed(sent, b"retry: %d\n" % random.randint(*MILLISECONDS_TO_RETRY))
        if met is not None:
            yield _presence(met, by)
        while True:
            if not await watcher.news(SECONDS_BETWEEN_PINGS):
                yield PING if met is None else _presence(met, by)
            elif watcher.ended:
                if watcher.revoked:
                    yield REVOKED
                return
            else:
                if watcher.version != sent:
                    sent = watcher.version
                    yield _changed(sent)
                if watcher.company is not None and watcher.company != met:
                    met = watcher.company
                    yield _presence(met, by)


def _presence(company: Company, by: Holder | None) -> bytes:
    return b"event: presence\ndata: %b\n\n" % company.seen_by(by)


def _changed(version: int, more: bytes = b"") -> bytes:
    data = json.dumps({"version": version}).encode()
    return b"event: changed\nid: %d\ndata: %b\n%b\n" % (version, data, more)


def _no_room(hub: Hub, address: str) -> ProblemResponse | None:
    if hub.capacity.is_full():
        return _not_now("Too many streams are open.")
    if hub.capacity.is_crowded_by(address):
        return _later(ProblemResponse(429, "throttled", "Too many streams are open from this address."))
    return None


def _not_now(detail: str) -> ProblemResponse:
    return _later(ProblemResponse(503, "not-now", detail))


def _later(answer: ProblemResponse) -> ProblemResponse:
    answer["Retry-After"] = "5"
    return answer
