"""What all who look on at a table fetch alike, answered once: a thousand pages ask for a card in the same moment."""

import asyncio
import re
from collections.abc import Awaitable, Callable, Hashable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from io import BytesIO
from typing import Any

from django.core.exceptions import DisallowedHost
from django.core.handlers.asgi import ASGIRequest
from django.db import close_old_connections
from django.utils.translation import get_language_from_request

from scoring.pages.device.access import LOOK
from scoring.pages.show.dates import reads_day_first
from scoring.queries.latest import Latest
from scoring.queries.looking_on import Follower, Look, who_look_on
from scoring.services.devices import devices_of

Application = Callable[[Any, Any, Any], Awaitable[None]]
Message = Mapping[str, Any]
PAGE = re.compile(r"/t/(\w+)/", re.ASCII)
WHAT_MATTERS = ("HTTP_TABLE_PARTS", "HTTP_TABLE_OPEN", "HTTP_ACCEPT_ENCODING")
"""Headers that an answer depends on, beside those that the request's language and host follow from."""
LONGEST_HEADERS = 4000
LARGEST_KEPT = 100_000


class Followers:
    """Answers what a page that looks on fetches, and hands all other requests on.

    Whether a device may look on is read from the database after its request has come, for all who ask in the same
    moment at once. The application is told, and answers the first of them as it would anybody who looks on; its answer
    goes to all, as long as the table stands where it stood.
    """

    def __init__(self, application: Application) -> None:
        self._application = application
        self._kept: Latest[Hashable, list[Message]] = Latest(500)
        self._under_way: dict[Hashable, asyncio.Event] = {}
        self._asking: dict[Follower, asyncio.Future[Look | None]] = {}
        self._looking: asyncio.Task[None] | None = None
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="followers")

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        found = await self._look_and_key(scope)
        if found is None:
            await self._application(scope, receive, send)
            return
        look, key = found
        while key in self._under_way:
            await self._under_way[key].wait()
        kept = self._kept.get(key)
        if kept is None:
            kept = await self._first(key, {**scope, LOOK: look})
        for message in kept:
            await send(message)

    async def _first(self, key: Hashable, scope: Any) -> list[Message]:
        """Have the application answer, and keep the answer if it is of the moment that was looked at.

        A body of the request is not waited for, nor whether its sender is still there: others wait for the answer.
        """
        messages: list[Message] = []

        async def collect(message: Message) -> None:
            messages.append(message)

        done = self._under_way[key] = asyncio.Event()
        try:
            await self._application(scope, _no_body(), collect)
            start, *bodies = messages or [{}]
            small = sum(len(each.get("body", b"")) for each in bodies) < LARGEST_KEPT
            if start.get("status") == 200 and small and LOOK in scope:
                headers = [(name, value) for name, value in start["headers"] if name.lower() != b"set-cookie"]
                self._kept.keep(key, [{**start, "headers": headers}, *bodies])
        finally:
            del self._under_way[key]
            done.set()
        return messages

    async def _look_and_key(self, scope: Any) -> tuple[Look, Hashable] | None:
        """Return what is looked at, and all that the answer follows from; ``None``: this is no follower's fetch."""
        if scope["type"] != "http" or scope["method"] != "GET" or scope["query_string"]:
            return None
        path = PAGE.fullmatch(scope["path"])
        if not path:
            return None
        try:
            request = ASGIRequest(scope, BytesIO())
            # As the application reads them: of a header that comes twice, it reads both.
            matters = tuple(request.META.get(name, "") for name in WHAT_MATTERS)
            if request.META.get("HTTP_HX_REQUEST") != "true" or sum(map(len, matters)) > LONGEST_HEADERS:
                return None
            devices = devices_of(request.COOKIES)
            dates = reads_day_first(request.headers.get("Accept-Language", ""))
            around = request.scheme, request.get_host(), get_language_from_request(request), dates
        except (UnicodeDecodeError, DisallowedHost):
            return None
        look = await self._find((path[1], devices)) if devices else None
        return None if look is None else (look, (look, *around, *matters))

    async def _find(self, follower: Follower) -> Look | None:
        """Return where the table stands, if this device may look on at it and no more."""
        loop = asyncio.get_running_loop()
        if follower not in self._asking:
            self._asking[follower] = loop.create_future()
        if self._looking is None:
            self._looking = loop.create_task(self._look())
        return await asyncio.shield(self._asking[follower])  # who goes away takes nobody else's answer along

    async def _look(self) -> None:
        """Answer all who ask, then those who have asked meanwhile."""
        while self._asking:
            asking, self._asking = self._asking, {}
            found: Mapping[Follower, Look] = {}
            with suppress(Exception):  # the application meets it as well, and has an answer to it
                found = await asyncio.get_running_loop().run_in_executor(self._thread, _found, list(asking))
            for follower, future in asking.items():
                future.set_result(found.get(follower))
        self._looking = None


def _no_body() -> Callable[[], Awaitable[Message]]:
    """Return what receives an empty body, and then nothing for as long as it is waited for."""
    messages: list[Message] = [{"type": "http.request", "body": b"", "more_body": False}]

    async def receive() -> Message:
        return messages.pop() if messages else await asyncio.get_running_loop().create_future()

    return receive


def _found(followers: list[Follower]) -> Mapping[Follower, Look]:
    close_old_connections()
    return who_look_on(followers)
