"""Django's ASGI handler without one thread per request, and what one caller may take of a process."""

import asyncio
import os
import sys
import threading
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from io import BytesIO
from typing import Any

from asgiref.sync import iscoroutinefunction, sync_to_async
from django.conf import settings
from django.core.handlers.asgi import ASGIHandler, ASGIRequest
from django.core.handlers.base import BaseHandler
from django.db import close_old_connections
from django.http import HttpRequest, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.urls import Resolver404, ResolverMatch, get_resolver

from deploy.logs import HEADER, begin_request
from referee.api.problems import ProblemResponse
from scoring.operating.acts.addresses import client_address

# --- What one caller may take of a process: the time of a body, and a number of requests at once

Message = Mapping[str, Any]
Receive = Callable[[], Awaitable[Message]]

STRETCH = 10.0
"""Seconds over which the rate of a body is measured: a phone in a tunnel is silent for a while."""


SECONDS_AT_A_STOP = 0.5
"""Seconds that a request body may still take once the server is stopping: a slow client must not delay the stop."""


class BodyTooSlow(Exception):  # noqa: N818 - nothing of ours failed
    """The body of a request did not come in its time, which is over soon where the server is to `stop`."""

    def __init__(self, *, stop: bool) -> None:
        super().__init__()
        self.stop = stop


_waiting: set[asyncio.Timeout] = set()
_stop = [float("inf")]


def give_up_bodies() -> None:
    """Wait for no body any longer than a moment: this process is to stop."""
    _stop[0] = asyncio.get_running_loop().time() + SECONDS_AT_A_STOP
    for each in _waiting:
        each.reschedule(min(_stop[0], each.when() or _stop[0]))


class Pace:
    """Receives a body as long as it comes fast enough.

    All of it has to come in ``SECONDS_FOR_BODY``, and in each stretch of ``STRETCH`` seconds ``LEAST_BODY_RATE``
    bytes for each of them. A setting of 0 is no limit.
    """

    def __init__(self, receive: Receive) -> None:
        self._receive = receive
        self._now = asyncio.get_running_loop().time
        self._end = self._now() + (settings.SECONDS_FOR_BODY or float("inf"))
        self._least = settings.LEAST_BODY_RATE * STRETCH
        self._begin_stretch()

    def _begin_stretch(self) -> None:
        self._came = 0
        self._until = self._now() + STRETCH if self._least else float("inf")

    async def receive(self) -> Message:
        """Return the next message; raises ``BodyTooSlow`` when it does not come in time."""
        until = min(self._end, self._until, _stop[0])
        try:
            async with asyncio.timeout_at(None if until == float("inf") else until) as waiting:
                _waiting.add(waiting)
                message = await self._receive()
        except TimeoutError:
            raise BodyTooSlow(stop=self._now() >= _stop[0]) from None
        finally:
            _waiting.discard(waiting)
        self._came += len(message.get("body", b""))
        if self._came >= self._least:
            self._begin_stretch()
        return message


class Place:
    """The place of one request among those of its address."""

    def __init__(self, taken: Counter[str], address: str) -> None:
        self._taken, self._address, self._held = taken, address, True
        taken[address] += 1

    def leave(self) -> None:
        """Give the place back; an open stream does so at once, for it is counted elsewhere."""
        if self._held:
            self._held = False
            self._taken[self._address] -= 1
            if not self._taken[self._address]:
                del self._taken[self._address]


class Callers:
    """The requests that are under way in this process, by the addresses they came from."""

    def __init__(self) -> None:
        self._taken: Counter[str] = Counter()

    def enter(self, scope: Mapping[str, Any]) -> Place | None:
        """Return a place for a request, or ``None`` where its address has all that it may have."""
        address = _address(scope)
        most = settings.REQUESTS_OF_ADDRESS
        return None if most and self._taken[address] >= most else Place(self._taken, address)


def _address(scope: Mapping[str, Any]) -> str:
    meta = {"REMOTE_ADDR": (scope.get("client") or ("",))[0]}
    if settings.PROXIES:
        noted = [value.decode("latin-1") for name, value in scope["headers"] if name == b"x-forwarded-for"]
        meta["HTTP_X_FORWARDED_FOR"] = ",".join(noted)
    return client_address(meta)


# --- Django's ASGI handler without one thread per request

PLACE = "deploy.place"
SECONDS_AT_A_TIME = 0.0005
"""For so long costly work has the interpreter before a card may: a card asks for it some twenty times."""
TOO_SLOW = "The body of this request did not come in time. Send it again."
STOPPING = "The server is restarting. Send this request again."
CROWD = "Too many requests of this address are under way. Wait a moment, and send it again."


class LeanASGIHandler(ASGIHandler):
    """Runs the synchronous parts of all requests in one thread, and each of them in one go.

    What is costly, such as judging a long record, has another thread: nobody's card waits for somebody's import. So has
    what reads history, which grows with every evening. An answer that is worked out while it is sent, such as an
    archive, comes from that thread part by part, and others have their turn between.

    Django opens a thread for each request and keeps it as long as the answer lasts: an open stream costs a thread,
    and a short request costs the start and the end of one. With a single thread streams cost none, and SQLite gets
    the one writer it likes. Django also goes to the thread and back for each piece of middleware; a request for a
    synchronous view goes there once. A service with more to do runs more processes.
    """

    def __init__(self) -> None:
        super().__init__()
        self._callers = Callers()
        self._synchronous = ResolvedHandler()
        self._synchronous.load_middleware()
        self._costly = ThreadPoolExecutor(1, "costly", initializer=give_way)
        self._looking_back = ThreadPoolExecutor(1, "looking-back", initializer=give_way)

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] != "http":
            raise ValueError(f"This application speaks HTTP, not {scope['type']}.")
        place = self._callers.enter(scope)
        if place is None:
            await self._refuse(scope, send, 429, "throttled", CROWD, {"Retry-After": "1"})
            return
        scope[PLACE] = place
        try:
            await self.handle(scope, receive, send)
        except BodyTooSlow as slow:
            if slow.stop:
                await self._refuse(scope, send, 503, "not-now", STOPPING, {"Connection": "close", "Retry-After": "1"})
            else:
                await self._refuse(scope, send, 408, "too-slow", TOO_SLOW, {"Connection": "close"})
        finally:
            place.leave()

    async def _refuse(
        self, scope: Any, send: Any, status: int, code: str, detail: str, headers: Mapping[str, str]
    ) -> None:
        """Answer what no view will see."""
        request, problem = ASGIRequest(scope, BytesIO()), ProblemResponse(status, code, detail)
        named = begin_request(request.headers.get(HEADER, ""))
        problem.name_request(request, named)
        for name, value in {**headers, HEADER: named}.items():
            problem[name] = value
        await self.send_response(problem, send)

    async def read_body(self, receive: Any) -> Any:
        """Read the body of a request in its time, but keep no more of it than shows that it is too large.

        Raises ``BodyTooSlow``.
        """
        left = settings.DATA_UPLOAD_MAX_MEMORY_SIZE + 1
        pace = Pace(receive)

        async def bounded() -> Any:
            nonlocal left
            message = dict(await pace.receive())
            if "body" in message:
                message["body"] = message["body"][:left]
                left -= len(message["body"])
            return message

        return await super().read_body(bounded)

    async def get_response_async(self, request: HttpRequest) -> HttpResponseBase:
        if leads_to_a_coroutine(request):
            assert isinstance(request, ASGIRequest)
            request.scope[PLACE].leave()
            return await super().get_response_async(request)
        if is_costly(request):
            return await self._answer_beside(request, self._costly)
        if request.method in ("GET", "HEAD") and looks_back(request):
            return await self._answer_beside(request, self._looking_back)
        return await sync_to_async(self._synchronous.get_response)(request)

    async def _answer_beside(self, request: HttpRequest, thread: ThreadPoolExecutor) -> HttpResponseBase:
        async def beside(work: Callable[..., Any], *arguments: Any) -> Any:
            return await sync_to_async(self._aside, thread_sensitive=False, executor=thread)(work, *arguments)

        response: HttpResponseBase = await beside(self._synchronous.get_response, request)
        if isinstance(response, StreamingHttpResponse) and not response.is_async:
            parts: Any = iter(response)

            async def in_parts() -> AsyncIterator[bytes]:
                while (part := await beside(next, parts, None)) is not None:
                    yield part

            response.streaming_content = in_parts()
        return response

    def _aside(self, work: Callable[..., Any], *arguments: Any) -> Any:
        """Do something in a thread that gives way to the one that takes cards."""
        close_old_connections()  # what Django does before a request, it does in the other thread
        with switching_often:
            return work(*arguments)


class SwitchingOften:
    """While any thread works aside, the interpreter switches threads more often."""

    def __init__(self) -> None:
        self._lock, self._at_work = threading.Lock(), 0
        self._usual = sys.getswitchinterval()

    def __enter__(self) -> None:
        with self._lock:
            self._at_work += 1
            sys.setswitchinterval(SECONDS_AT_A_TIME)

    def __exit__(self, *_: object) -> None:
        with self._lock:
            self._at_work -= 1
            if not self._at_work:
                sys.setswitchinterval(self._usual)


switching_often = SwitchingOften()


class ResolvedHandler(BaseHandler):
    """Answers requests of which the view may be known already."""

    def resolve_request(self, request: HttpRequest) -> ResolverMatch:
        return request.resolver_match or super().resolve_request(request)


def is_costly(request: HttpRequest) -> bool:
    """Return whether the view of a request says that its answer can take seconds."""
    return _says(request, "costly")


def looks_back(request: HttpRequest) -> bool:
    """Return whether the view of a request says that it reads history."""
    return _says(request, "looks_back")


def _says(request: HttpRequest, mark: str) -> bool:
    view = None if request.resolver_match is None else request.resolver_match.func
    return bool(getattr(getattr(view, "cls", view), mark, False))


def give_way() -> None:
    """Let this thread be last when the processor is wanted by several, where the system can do that for one thread."""
    with suppress(AttributeError, OSError):  # other systems know no such thing, or no thread by itself
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), 10)


def leads_to_a_coroutine(request: HttpRequest) -> bool:
    """Find the request's view, if it has one, and return whether it is asynchronous, as those that stream are."""
    with suppress(Resolver404):  # the handler finds none either, and answers so
        request.resolver_match = get_resolver().resolve(request.path_info)  # not by a lock that both threads take
    return request.resolver_match is not None and iscoroutinefunction(request.resolver_match.func)
