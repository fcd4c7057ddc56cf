"""Sends requests to Django in this process, through all middleware, and checks the answers."""

import json
import os
import signal
import traceback
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from time import monotonic, process_time
from typing import Any
from urllib.parse import unquote_to_bytes

from django.core.signals import got_request_exception
from django.http.response import HttpResponseBase
from django.test import RequestFactory
from rest_framework.exceptions import APIException

from deploy.handler import ResolvedHandler
from referee.api.problems import TITLES
from tests.scoring.roles import WATCHERS

LONGEST = 1.0
"""The most CPU seconds an answer may take; waiting does not count."""
RINGS = (signal.SIGPROF, signal.SIGALRM)
STUCK = {signal.ITIMER_PROF: 20, signal.ITIMER_REAL: 600}
"""CPU and wall-clock seconds after which a request counts as hanging and the hunt ends."""
BEFORE_THE_END: list[Callable[[], None]] = []
"""What a hunt still does when a request hangs."""


@dataclass(frozen=True)
class Asked:
    """A request."""

    method: str
    path: str
    body: bytes = b""
    headers: dict[str, str] = field(default_factory=dict)
    cookies: str = ""
    stream: str = ""
    """Which stream is requested; its code is in the path."""

    def __str__(self) -> str:
        shown = self.body if len(self.body) < 3000 else self.body[:3000] + b"..."
        return f"{self.method.upper()} {self.path}\n  {self.headers} {self.cookies}\n  {shown!r}"


@dataclass(frozen=True)
class Answered:
    """The outcome of a request: status, CPU seconds, wall-clock seconds, and the answer's text."""

    status: int
    seconds: float
    waited: float
    text: str = ""
    wrong: str = ""


@dataclass
class Told:
    """What a hunt has found."""

    longest: float = LONGEST
    asked: int = 0
    statuses: Counter[int] = field(default_factory=Counter)
    slowest: float = 0.0
    slowest_asked: str = ""
    found: list[str] = field(default_factory=list)

    def add(self, asked: Asked, answered: Answered, where: str, *, timed: bool = True) -> None:
        """Count an answer and keep it if it is a failure; an address's first answer is not timed."""
        self.asked += 1
        self.statuses[answered.status] += 1
        if timed and answered.seconds > self.slowest:
            self.slowest, self.slowest_asked = answered.seconds, str(asked)
        slow = f"took {answered.seconds:.2f} s" if timed and answered.seconds > self.longest else ""
        if what := answered.wrong or slow:
            self.found.append(f"{where}: {what}\n{asked}")

    def __str__(self) -> str:
        kinds = ", ".join(f"{status}: {number:,}" for status, number in sorted(self.statuses.items()))
        return (
            f"{self.asked:,} requests ({kinds}); {len(self.found)} answered by a 5xx, not as the API promises, or "
            f"after more than {self.longest:g} s. The slowest took {self.slowest:.2f} s of the processor:\n"
            f"{self.slowest_asked}"
        )


class Server:
    """Django with all its middleware, called in this process."""

    def __init__(self) -> None:
        self._handler = ResolvedHandler()
        self._handler.load_middleware()
        self._factory = RequestFactory()
        self._raised: list[str] = []
        got_request_exception.connect(self._note)

    def _note(self, **_: Any) -> None:
        self._raised.append(traceback.format_exc())

    def answer(self, asked: Asked) -> Answered:
        self._raised.clear()
        request: Any = self._factory.generic(asked.method.upper(), "/", asked.body, "")
        path, _, query = asked.path.partition("?")
        for name, value in asked.headers.items():
            request.META[name] = value
        if asked.cookies:
            request.META["HTTP_COOKIE"] = asked.cookies
        request.META["PATH_INFO"] = _unquoted(path)
        request.META["QUERY_STRING"] = query.encode("utf-8", "replace").decode("latin-1")
        request = type(request)(request.environ)
        request._dont_enforce_csrf_checks = True
        began, clock = process_time(), monotonic()
        with alarm(asked):
            try:
                status, kind, text = self._watched(asked, request) if asked.stream else self._read(request)
            except Exception:  # noqa: BLE001 - whatever escapes Django is what is looked for
                status, kind, text = 500, "", traceback.format_exc()
        seconds, waited = process_time() - began, monotonic() - clock
        wrong = "".join(self._raised) or text if status >= 500 else _broken_promise(asked, status, kind, text)
        return Answered(status, seconds, waited, text if kind.startswith("text/html") else "", wrong)

    def _read(self, request: Any) -> tuple[int, str, str]:
        answer: HttpResponseBase = self._handler.get_response(request)
        body = b"".join(answer) if answer.streaming else getattr(answer, "content", b"")
        return answer.status_code, answer.headers.get("Content-Type", ""), body.decode(errors="replace")

    def _watched(self, asked: Asked, request: Any) -> tuple[int, str, str]:
        """Call the view that admits watchers; the stream itself does not end."""
        code = asked.path.split("/")[4]
        try:
            WATCHERS[asked.stream](request, code)
        except APIException as why:
            return why.status_code, "", ""
        return 200, "", ""


def _unquoted(path: str) -> str:
    """Return a path as a server passes it on: its bytes as Latin-1."""
    return unquote_to_bytes(path.encode("utf-8", "replace")).decode("latin-1")


def _broken_promise(asked: Asked, status: int, kind: str, text: str) -> str:
    if asked.stream or status < 400 or not asked.path.startswith("/api/v1/"):
        return ""
    if kind != "application/problem+json":
        return f"{status} of the API is {kind}: {text[:200]}" if asked.method != "head" else ""
    if asked.method == "head":
        return ""
    code = json.loads(text)["code"]
    return "" if code in TITLES else f"{status} of the API has a code that is nowhere explained: {code}"


@contextmanager
def alarm(asked: Asked) -> Iterator[None]:
    """Report which request hangs, and exit."""

    def ring(*_: Any) -> None:
        print(f"Hangs:\n{asked}", flush=True)
        traceback.print_stack()
        for last in BEFORE_THE_END:
            last()
        os._exit(2)

    before = [signal.signal(each, ring) for each in RINGS]
    for timer, seconds in STUCK.items():
        signal.setitimer(timer, seconds)
    try:
        yield
    finally:
        for timer in STUCK:
            signal.setitimer(timer, 0)
        for each, handler in zip(RINGS, before, strict=True):
            signal.signal(each, handler)
