"""Rate limits per address: openings per hour, processor seconds per minute."""

import time
from collections.abc import Iterable, Iterator
from typing import Any, final

from django.conf import settings
from rest_framework.request import Request
from rest_framework.response import Response

from referee.api.requests import Limit, limit_field
from scoring.operating.acts.limits import (
    HOUR,
    MINUTE,
    check_openings,
    client_address,
    count_opening,
    is_here,
    openings_left,
)
from scoring.tables.acts.exceptions import TooMany
from scoring.tables.acts.keys import replayed
from scoring.tables.reads.state import RecentCache

LEAST_SECONDS = 0.1
"""Requests shorter than this many seconds don't count; replaying an ordinary evening takes less."""
_seconds_cache: RecentCache[str, tuple[float, float]] = RecentCache(10_000)
"""By address: when the count expires, and the processor seconds used in this process."""


@final
class Openings(Limit):
    """Limit on tables and groups opened per address; retries and refused requests don't count."""

    def applies_to(self, view: object) -> bool:
        return bool(settings.OPENINGS_PER_HOUR) and getattr(view, "opens", False)

    def allow_request(self, request: Request, view: Any) -> bool:
        if self.applies_to(view) and request.method == "POST":
            check_openings(client_address(request.META))
        return True

    def settle(self, request: Request, response: Response, seconds: float) -> None:
        if response.status_code == 201 and not replayed.get():
            count_opening(client_address(request.META))

    def fields(self, request: Request) -> tuple[str, str] | None:
        left = openings_left(client_address(request.META))
        return left and limit_field("openings", settings.OPENINGS_PER_HOUR, HOUR, *left)


@final
class ProcessorTime(Limit):
    """Limit on the processor time of costly requests per address; each process counts its own."""

    def applies_to(self, view: object) -> bool:
        return bool(settings.COSTLY_SECONDS_PER_MINUTE) and getattr(view, "costly", False)

    def allow_request(self, request: Request, view: Any) -> bool:
        until, spent = _standing(client_address(request.META))
        if self.applies_to(view) and spent >= settings.COSTLY_SECONDS_PER_MINUTE:
            raise TooMany(until - time.monotonic())
        return True

    def settle(self, request: Request, response: Response, seconds: float) -> None:
        _spend(client_address(request.META), seconds)

    def fields(self, request: Request) -> tuple[str, str] | None:
        if is_here(client_address(request.META)):
            return None
        most = settings.COSTLY_SECONDS_PER_MINUTE
        until, spent = _standing(client_address(request.META))
        return limit_field("costly-seconds", most, MINUTE, max(int(most - spent), 0), int(until - time.monotonic()) + 1)


def counted(request: Request, parts: Iterable[str]) -> Iterator[str]:
    """Yield the chunks of a streamed response, counting the processor time spent on them."""
    address, spent, rest = client_address(request.META), 0.0, iter(parts)
    try:
        while True:
            began = time.thread_time()
            part = next(rest, None)
            spent += time.thread_time() - began
            if part is None:
                return
            yield part
    finally:
        _spend(address, spent)


def _spend(address: str, seconds: float) -> None:
    if seconds >= LEAST_SECONDS and not is_here(address):
        until, spent = _standing(address)
        _seconds_cache.put(address, (until, spent + seconds))


def _standing(address: str) -> tuple[float, float]:
    now = time.monotonic()
    known = _seconds_cache.get(address)
    return known if known is not None and known[0] > now else (now + MINUTE, 0.0)
