"""Streams: of a table, ``changed`` with its version, now and whenever there is a newer one; of a group, with a mark.

Who asks for it (``?presence=1``) is also told who is connected.
"""

import json
import random
from collections.abc import AsyncIterator
from contextlib import AbstractContextManager
from functools import partial

from asgiref.sync import sync_to_async
from django.conf import settings
from django.core.handlers.asgi import ASGIRequest
from django.db import Error as DatabaseError
from django.http import HttpRequest, HttpResponseNotAllowed, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.views.decorators.csrf import csrf_exempt
from rest_framework.exceptions import APIException

from referee.api.parameters import takes_parameters
from referee.api.problems import ProblemResponse, exception_handler
from scoring.live.access import admit_group_watcher, admit_watcher, group_link_of
from scoring.live.attendance import Company, Holder
from scoring.live.hub import Hub, current_hub
from scoring.live.watchers import Watcher
from scoring.services.addresses import client_address
from scoring.services.database_away import database_is_away, is_away
from scoring.services.devices import put_on_returning
from scoring.services.table_access import Admission

# A reader who went without a word is found out by the next thing said to him.
SECONDS_BETWEEN_PINGS: float = getattr(settings, "LIVE_SECONDS_BETWEEN_PINGS", 15.0)
# How soon a reader comes back that was cut off: not all of them in the same moment.
MILLISECONDS_TO_RETRY = (500, 2500)

HEADERS = {"Cache-Control": "no-store, no-transform", "X-Accel-Buffering": "no"}
PING = b": ping\n\n"
NEXT = b"event: next\ndata: {}\n\n"
REVOKED = b"event: revoked\ndata: {}\n\n"


@takes_parameters("presence")
@csrf_exempt  # it changes nothing, and another method is to be told so
async def stream(request: HttpRequest, code: str) -> HttpResponseBase:
    """Open the stream of a table. It takes no thread, and ends when its reader goes or the right to it."""
    hub = _hub_for(request)
    if not isinstance(hub, Hub):
        return hub
    try:
        (table, link, known), group_link = await hub.reader.run(partial(_admitted, request, code))
        if link is None and not known:
            # In the thread that writes for all requests: the reader's goes on listening.
            await sync_to_async(put_on_returning)(request.COOKIES, table)
    except (APIException, DatabaseError) as why:
        return _refused(why)
    by = None if link is None else Holder.of(link)
    watching = hub.watching(
        table.pk, by=by, version=table.version, presence="presence" in request.GET, group_link=group_link
    )
    return _streaming(request, hub, watching, by)


@csrf_exempt
async def group_stream(request: HttpRequest, code: str) -> HttpResponseBase:
    """Open the stream of a group, which tells of all its tables of the last evening."""
    hub = _hub_for(request)
    if not isinstance(hub, Hub):
        return hub
    try:
        link, mark = await hub.reader.run(partial(admit_group_watcher, request, code))
    except (APIException, DatabaseError) as why:
        return _refused(why)
    return _streaming(request, hub, hub.watching_group(link.group_id, link=link.pk, mark=mark))


def _admitted(request: HttpRequest, code: str) -> tuple[Admission, int | None]:
    """Return what this caller watches a table by: a link to it, or else one to its group, if there is one."""
    admission = admit_watcher(request, code)
    return admission, None if admission.link is not None else group_link_of(request, admission.table)


def _hub_for(request: HttpRequest) -> Hub | HttpResponseBase:
    """Return the hub that serves a stream, or why none does."""
    if request.method != "GET":
        return HttpResponseNotAllowed(["GET"])
    if not isinstance(request, ASGIRequest):
        return _not_now("This process serves no streams; ask the one that does.")
    hub = current_hub()
    return _no_room(hub, client_address(request.META)) or hub


def _refused(why: APIException | DatabaseError) -> HttpResponseBase:
    """Answer who is not let in, or may come back when the database does; any other trouble with it is our mistake."""
    if is_away(why):
        database_is_away(why)
        return _not_now("The database is away.")
    answer = exception_handler(why, {})
    if answer is None:
        raise why
    return answer


def _streaming(
    request: HttpRequest, hub: Hub, watching: AbstractContextManager[Watcher], by: Holder | None = None
) -> HttpResponseBase:
    # Looked at once more: of those who came at the same moment, none was counted yet.
    address = client_address(request.META)
    return _no_room(hub, address) or StreamingHttpResponse(
        _events(hub, watching, by, address=address), content_type="text/event-stream", headers=HEADERS
    )


async def _events(
    hub: Hub, watching: AbstractContextManager[Watcher], by: Holder | None, *, address: str
) -> AsyncIterator[bytes]:
    with hub.capacity.place(address), watching as watcher:
        sent, met = watcher.version, watcher.company
        yield changed_event(sent, b"retry: %d\n" % random.randint(*MILLISECONDS_TO_RETRY))
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
                    yield changed_event(sent)
                if watcher.moves_on:
                    watcher.moves_on = False
                    yield NEXT
                if watcher.company is not None and watcher.company != met:
                    met = watcher.company
                    yield _presence(met, by)


def _presence(company: Company, by: Holder | None) -> bytes:
    return b"event: presence\ndata: %b\n\n" % company.seen_by(by)


def changed_event(version: int, more: bytes = b"") -> bytes:
    """Return what a stream says of a version; ``more``: fields of its own that go with it."""
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
