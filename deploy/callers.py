"""What one caller may take of a process: the time of a body, and a number of requests at once."""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from django.conf import settings

from scoring.services.addresses import client_address

Message = Mapping[str, Any]
Receive = Callable[[], Awaitable[Message]]

STRETCH = 10.0
"""Seconds over which the rate of a body is measured: a phone in a tunnel is silent for a while."""


SECONDS_AT_A_STOP = 0.5
"""What a body under way still has when the server is told to stop; nobody is to hold that up by sending slowly."""


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
