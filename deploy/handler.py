"""ASGI handler that runs requests in few threads, with limits per client."""

import asyncio
import os
import sys
import threading
from collections import Counter
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, suppress
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
from scoring.operating.acts.limits import client_address

PLACE = "deploy.place"
NEVER = float("inf")
STRETCH = 10.0  # seconds over which a body's rate is measured: a phone in a tunnel is silent for a while
SECONDS_AT_A_STOP = 0.5
"""Time left for request bodies when the server stops, so that a slow client cannot delay the shutdown."""
SECONDS_AT_A_TIME = 0.0005
"""Switch interval while slow work runs: recording a card acquires the interpreter about twenty times."""
USUAL_SECONDS = sys.getswitchinterval()


class NotTaken(Exception):  # noqa: N818 - nothing of ours failed
    """A request rejected before any view; args are status, error code, detail and headers."""


CLOSE, SOON = {"Connection": "close"}, {"Retry-After": "1"}
TOO_SLOW = (408, "too-slow", "The body of this request did not come in time. Send it again.", CLOSE)
STOPPING = (503, "not-now", "The server is restarting. Send this request again.", CLOSE | SOON)
CROWD = (
    429, "throttled", "Too many requests of this address are under way. Wait a moment, and send it again.", SOON
)  # fmt: skip
_waiting: set[asyncio.Timeout] = set()
_stop = [NEVER]


def give_up_bodies() -> None:
    """Shorten the wait for request bodies: this process is shutting down."""
    _stop[0] = asyncio.get_running_loop().time() + SECONDS_AT_A_STOP
    for each in _waiting:
        each.reschedule(min(_stop[0], each.when() or _stop[0]))


class LeanASGIHandler(ASGIHandler):
    """Runs each request's synchronous part in a single pass on one shared thread.

    Slow requests (judging a long record, reading history) run on threads of their own, so recording a card never waits
    for an import. Streaming responses are computed there chunk by chunk, interleaved with other requests. Django would
    start a thread per request and keep it until the response ends. Here an open stream needs no thread, SQLite has one
    writer, and a synchronous view costs one thread switch instead of one per middleware. Run more processes for more
    load.
    """

    def __init__(self) -> None:
        super().__init__()
        self._under_way: Counter[str] = Counter()
        self._synchronous = ResolvedHandler()
        self._synchronous.load_middleware()
        self._costly = ThreadPoolExecutor(1, "costly", initializer=give_way)
        self._looking_back = ThreadPoolExecutor(1, "looking-back", initializer=give_way)
        self._lock, self._at_work = threading.Lock(), 0

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] != "http":
            raise ValueError(f"This application speaks HTTP, not {scope['type']}.")
        try:
            with self._place_of(scope) as scope[PLACE]:
                await self.handle(scope, receive, send)
        except NotTaken as why:
            status, code, detail, headers = why.args
            request, problem = ASGIRequest(scope, BytesIO()), ProblemResponse(status, code, detail)
            named = begin_request(request.headers.get(HEADER, ""))
            problem.name_request(request, named)
            for name, value in {**headers, HEADER: named}.items():
                problem[name] = value
            await self.send_response(problem, send)

    def _place_of(self, scope: Any) -> ExitStack:
        """Reserve one of an address's request slots until the stack is closed; raises ``NotTaken`` if none is free."""
        meta = {"REMOTE_ADDR": (scope.get("client") or ("",))[0]}
        if settings.PROXIES:
            noted = [value.decode("latin-1") for name, value in scope["headers"] if name == b"x-forwarded-for"]
            meta["HTTP_X_FORWARDED_FOR"] = ",".join(noted)
        address, most = client_address(meta), settings.REQUESTS_OF_ADDRESS
        if most and self._under_way[address] >= most:
            raise NotTaken(*CROWD)
        self._under_way[address] += 1

        def leave() -> None:
            self._under_way[address] -= 1
            if not self._under_way[address]:
                del self._under_way[address]

        place = ExitStack()
        place.callback(leave)
        return place

    async def read_body(self, receive: Any) -> Any:
        """Read a request body, enforcing a minimum rate and a maximum size.

        The whole body must arrive within ``SECONDS_FOR_BODY``, at ``LEAST_BODY_RATE`` bytes a second on average over
        each ``STRETCH`` seconds. A setting of 0 means no limit. Raises ``NotTaken``.
        """
        now = asyncio.get_running_loop().time
        end = now() + (settings.SECONDS_FOR_BODY or NEVER)
        stretch = STRETCH if settings.LEAST_BODY_RATE else NEVER
        least, left = settings.LEAST_BODY_RATE * STRETCH, settings.DATA_UPLOAD_MAX_MEMORY_SIZE + 1
        came, until = 0, now() + stretch

        async def in_time() -> Any:
            nonlocal left, came, until
            due = min(end, until, _stop[0])
            try:
                async with asyncio.timeout_at(None if due == NEVER else due) as waiting:
                    _waiting.add(waiting)
                    message = await receive()
            except TimeoutError:
                raise NotTaken(*(STOPPING if now() >= _stop[0] else TOO_SLOW)) from None
            finally:
                _waiting.discard(waiting)
            if "body" not in message:
                return message
            came += len(message["body"])
            if came >= least:
                came, until = 0, now() + stretch
            kept = message["body"][:left]
            left -= len(kept)
            return {**message, "body": kept}

        return await super().read_body(in_time)

    async def get_response_async(self, request: HttpRequest) -> HttpResponseBase:
        with suppress(Resolver404):  # the handler will answer 404
            request.resolver_match = get_resolver().resolve(request.path_info)  # without a lock shared by the threads
        view = request.resolver_match and request.resolver_match.func
        if iscoroutinefunction(view):
            assert isinstance(request, ASGIRequest)
            request.scope[PLACE].close()  # open streams have limits of their own
            return await super().get_response_async(request)
        view = getattr(view, "cls", view)
        if getattr(view, "costly", False):
            return await self._answer_beside(request, self._costly)
        if request.method in ("GET", "HEAD") and getattr(view, "looks_back", False):
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
        """Run a function off the main request thread, shortening the interpreter's switch interval meanwhile."""
        close_old_connections()  # Django does this before a request only in the other thread
        with self._lock:
            self._at_work += 1
            sys.setswitchinterval(SECONDS_AT_A_TIME)
        try:
            return work(*arguments)
        finally:
            with self._lock:
                self._at_work -= 1
                if not self._at_work:
                    sys.setswitchinterval(USUAL_SECONDS)


class ResolvedHandler(BaseHandler):
    """Django's handler, for requests whose URL may already be resolved."""

    def resolve_request(self, request: HttpRequest) -> ResolverMatch:
        return request.resolver_match or super().resolve_request(request)


def give_way() -> None:
    """Lower this thread's scheduling priority, where the system supports it per thread (Linux)."""
    with suppress(AttributeError, OSError):  # not supported on other systems
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), 10)
