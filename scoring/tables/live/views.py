"""Event streams of tables (``changed`` with a version) and groups (with a mark).

``?events=1`` adds recorded events, ``?presence=1`` who is connected.
"""

import json
import random
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractContextManager

from asgiref.sync import sync_to_async
from django.conf import settings
from django.core.handlers.asgi import ASGIRequest
from django.db import Error as DatabaseError
from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.urls import path
from django.utils.translation import gettext, gettext_lazy
from django.views.decorators.csrf import csrf_exempt
from rest_framework.exceptions import (
    APIException,
    AuthenticationFailed,
    NotAuthenticated,
    NotFound,
    ParseError,
    Throttled,
    ValidationError,
)

from referee.api.problems import ProblemResponse, exception_handler, told
from referee.api.requests import takes_parameters
from scoring.groups.acts.group_access import admit_to_group
from scoring.groups.reads.evenings import group_marks
from scoring.groups.reads.groups import group_link_by
from scoring.models import GroupLink, Table
from scoring.operating.acts.database import database_is_away, is_away
from scoring.operating.acts.limits import client_address
from scoring.tables.acts.access import Admission, admit, devices_of, put_on_returning
from scoring.tables.acts.exceptions import NoSuchGroup, NoSuchTable, TooMany
from scoring.tables.live.attendance import Company, Holder
from scoring.tables.live.hub import Hub, current_hub
from scoring.tables.live.recorded import Cursor, GroupCursor, group_cursor, group_cursor_now, table_cursor
from scoring.tables.live.watchers import GroupWatcher, TableWatcher, Watcher

# --- Permission to watch a table or a group, checked once, when a stream is opened

SCHEME = "bearer"


class UnknownToken(AuthenticationFailed):
    """The token isn't valid here, or no longer."""

    auth_header = "Bearer"
    default_detail = gettext_lazy("This token does not belong to this table, or it was turned off.")


class NoLink(NotAuthenticated):
    """The request has no link to the group."""

    auth_header = "Bearer"
    default_detail = gettext_lazy("A group opens with the token of a link to it.")


def admit_watcher(request: HttpRequest, code: str) -> Admission:
    """Return a table, and the link by which the caller watches it; ``None`` if the code alone is enough.

    Raises DRF's ``APIException`` if the caller may not watch. A stream opened by a link ends when the link is revoked.
    Uses the database.
    """
    bearer, devices = _rights(request)
    try:
        admission = admit(code, request.META, token=bearer, devices=devices, head_only=True)
    except NoSuchTable as why:
        raise NotFound(told(why.detail), "no-such-table") from why
    except TooMany as why:
        raise Throttled(why.wait, told(why.detail)) from why
    if admission.link is not None and admission.link.scope:
        admission = admission._replace(link=None)  # a group's token, which watches by its group link
    if bearer and admission.link is None and group_link_of(request, admission.table) is None:
        raise UnknownToken
    return admission


def group_link_of(request: HttpRequest, table: Table) -> int | None:
    """Return the id of the group link by which this caller may watch a table, if any."""
    if table.group_id is None:
        return None
    bearer, devices = _rights(request)
    link = group_link_by(table.group_id, token=bearer, devices=devices)
    return None if link is None else link.pk


def admit_group_watcher(request: HttpRequest, code: str) -> tuple[GroupLink, int]:
    """Return the caller's link to a group, and the group's mark.

    Raises DRF's ``APIException`` without permission. Uses the database.
    """
    bearer, devices = _rights(request)
    if not bearer and not devices:
        raise NoLink
    try:
        group, link = admit_to_group(code, request.META, token=bearer, devices=devices)
    except NoSuchGroup as why:
        raise NotFound(told(why.detail), "no-such-group") from why
    except TooMany as why:
        raise Throttled(why.wait, told(why.detail)) from why
    return link, group_marks([group.pk])[group.pk]


def _rights(request: HttpRequest) -> tuple[str, tuple[str, ...]]:
    words = request.headers.get("Authorization", "").split()
    bearer = words[1] if len(words) == 2 and words[0].lower() == SCHEME else ""
    return bearer, () if bearer else devices_of(request.COOKIES)


# A client that disconnected silently is detected at the next message.
SECONDS_BETWEEN_PINGS: float = getattr(settings, "LIVE_SECONDS_BETWEEN_PINGS", 15.0)
# How soon disconnected clients reconnect; random, so that they don't all come at once.
MILLISECONDS_TO_RETRY = (500, 2500)

METHODS = ("GET", "HEAD", "OPTIONS")
HEADERS = {"Cache-Control": "no-store, no-transform", "X-Accel-Buffering": "no"}
PING = b": ping\n\n"
NEXT = b"event: next\ndata: {}\n\n"
REVOKED = b"event: revoked\ndata: {}\n\n"


@takes_parameters("presence", "events")
@csrf_exempt  # it changes nothing, and other methods get a 405
async def stream(request: HttpRequest, code: str) -> HttpResponseBase:
    """Open a table's stream, which holds no thread and ends when the client disconnects or loses access."""
    hub = _hub_for(request)
    if not isinstance(hub, Hub):
        return hub
    try:
        follows, presence = is_wanted(request, "events"), is_wanted(request, "presence")
        table, link, known = await hub.reader.run(lambda: admit_watcher(request, code))
        cursor = resumed(request, lambda text: table_cursor(text, table)) if follows else None
        # Without a link to the table, use one to its group, if any.
        group_link = None if link else await hub.reader.run(lambda: group_link_of(request, table))
        if link is None and not known:
            # In the thread for requests' writes, so that the reader's thread isn't blocked.
            await sync_to_async(put_on_returning)(request.COOKIES, table)
    except (APIException, DatabaseError) as why:
        return _refused(why)
    by = None if link is None else Holder(link.pk, link.role, link.seat)
    watcher = TableWatcher(table.pk, by, table.version, follows=follows, presence=presence, group_link=group_link)
    return _streaming(request, hub, hub.watching(watcher), by, cursor=table.version if cursor is None else cursor)


@takes_parameters("events")
@csrf_exempt
async def group_stream(request: HttpRequest, code: str) -> HttpResponseBase:
    """Open a group's stream, which covers all tables of its latest evening."""
    hub = _hub_for(request)
    if not isinstance(hub, Hub):
        return hub
    try:
        follows = is_wanted(request, "events")
        link, mark = await hub.reader.run(lambda: admit_group_watcher(request, code))
        group = link.group_id
        cursor = None
        if follows:
            found = await hub.reader.run(lambda: resumed(request, lambda text: group_cursor(text, group)))
            cursor = found or await hub.reader.run(lambda: group_cursor_now(group))
    except (APIException, DatabaseError) as why:
        return _refused(why)
    watching = hub.watching_group(GroupWatcher(group, link.pk, mark, follows=follows))
    return _streaming(request, hub, watching, cursor=cursor)


def is_wanted(request: HttpRequest, name: str) -> bool:
    value = request.GET.get(name, "0")
    if value not in ("0", "1"):
        raise ValidationError({name: ["It is 0 or 1."]})
    return value == "1"


def resumed(request: HttpRequest, read: Callable[[str], Cursor]) -> Cursor | None:
    """Return the cursor in the ``Last-Event-ID`` header; ``None`` without one: only new messages are sent."""
    text = request.headers.get("Last-Event-ID", "")
    try:
        return read(text) if text else None
    except ValueError:
        raise ParseError("Last-Event-ID is the id of a message of this stream; none has this one.") from None


def _hub_for(request: HttpRequest) -> Hub | HttpResponseBase:
    if request.method == "OPTIONS":
        return HttpResponse(status=204, headers={"Allow": ", ".join(METHODS)})
    if request.method not in METHODS:
        return HttpResponseNotAllowed(METHODS)
    if not isinstance(request, ASGIRequest):
        return _not_now(gettext("This process serves no streams; ask the one that does."))
    hub = current_hub()
    return _no_room(hub, client_address(request.META)) or hub


def _refused(why: APIException | DatabaseError) -> HttpResponseBase:
    """Respond to a refused stream, or with 503 while the database is unreachable; other database errors are raised."""
    if is_away(why):
        database_is_away(why)
        return _not_now(gettext("The database is away."))
    answer = exception_handler(why, {})
    if answer is None:
        raise why
    return answer


def _streaming(
    request: HttpRequest,
    hub: Hub,
    watching: AbstractContextManager[Watcher],
    by: Holder | None = None,
    *,
    cursor: int | GroupCursor | None,
) -> HttpResponseBase:
    if request.method == "HEAD":
        return HttpResponse(content_type="text/event-stream", headers=HEADERS)
    # Checked again: streams opened at the same moment were not counted yet.
    address = client_address(request.META)
    return _no_room(hub, address) or StreamingHttpResponse(
        _events(hub, watching, by, address=address, cursor=cursor), content_type="text/event-stream", headers=HEADERS
    )


async def _events(
    hub: Hub,
    watching: AbstractContextManager[Watcher],
    by: Holder | None,
    *,
    address: str,
    cursor: int | GroupCursor | None,
) -> AsyncIterator[bytes]:
    with hub.capacity.place(address), watching as watcher:
        met, sent = watcher.company, None if watcher.follows else watcher.version
        retry = b"retry: %d\n" % random.randint(*MILLISECONDS_TO_RETRY)
        if sent is None:  # send missed messages first
            yield retry + b"\n"
            watcher.stir(0)
        else:
            yield changed_event(sent, sent, retry)
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
                while watcher.follows and watcher.due and not watcher.ended:
                    watcher.due = False
                    part = await hub.recorded(watcher, cursor)
                    cursor, watcher.due = part.cursor, watcher.due or part.more
                    if part.messages and not watcher.ended:
                        yield part.messages
                if watcher.version != sent and not watcher.ended:
                    sent = watcher.version
                    yield changed_event(watcher.version, cursor if watcher.follows else sent)
                if watcher.moves_on:
                    watcher.moves_on = False
                    yield NEXT
                if watcher.company is not None and watcher.company != met:
                    met = watcher.company
                    yield _presence(met, by)


def _presence(company: Company, by: Holder | None) -> bytes:
    return b"event: presence\ndata: %b\n\n" % company.seen_by(by)


def changed_event(version: int, cursor: object, more: bytes = b"") -> bytes:
    data = json.dumps({"version": version})
    return f"event: changed\nid: {cursor}\ndata: {data}\n".encode() + more + b"\n"


def _no_room(hub: Hub, address: str) -> ProblemResponse | None:
    if hub.capacity.is_full():
        return _not_now(gettext("Too many streams are open."))
    if hub.capacity.is_crowded_by(address):
        return _not_now(gettext("Too many streams are open from this address."), 429, "throttled")
    return None


def _not_now(detail: str, status: int = 503, code: str = "not-now") -> ProblemResponse:
    answer = ProblemResponse(status, code, detail)
    answer["Retry-After"] = "5"
    return answer


urlpatterns = [
    path("tables/<str:code>/stream/", stream, name="table-stream"),
    path("groups/<str:code>/stream/", group_stream, name="group-stream"),
]
