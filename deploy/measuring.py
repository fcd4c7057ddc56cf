"""Each answer counted, and told in the log, where either is wanted."""

import logging
import os
import re
import time
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from django.conf import settings

Application = Callable[[Any, Any, Any], Awaitable[None]]
logger = logging.getLogger("access")
KINDS = (
    ("stream", re.compile(r"/stream/$")),
    ("event", re.compile(r"^(/api/v1/tables/[^/]+/events/|/t/[^/]+/record/)$")),
    ("api", re.compile(r"^/api/")),
    ("static", re.compile(r"^/static/")),
    ("health", re.compile(r"^/health/")),
)
CODE = re.compile(r"(?<=/)(t|g|tables|groups)/[^/]+")
PROBLEM = re.compile(rb'"code": ?"([a-z][a-z-]{0,60})"')
HIDDEN = r"\1/…"
"""Replaces the code of a table or group in logs: a code opens a public table."""


def metrics_are_kept() -> bool:
    """Return whether a parent adds up and serves what is counted here."""
    return "PROMETHEUS_MULTIPROC_DIR" in os.environ


class Measured:
    """Has an application's answers counted (`METRICS_PORT`) and logged (`ACCESS_LOG`)."""

    def __init__(self, application: Application) -> None:
        self._application = application

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] != "http":
            await self._application(scope, receive, send)
            return
        began, answer = time.perf_counter(), _Answer()

        async def note(message: Mapping[str, Any]) -> None:
            answer.note(message)
            await send(message)

        try:
            await self._application(scope, receive, note)
        finally:
            answer.tell(scope, began)


class _Answer:
    """What is noted of an answer while it is sent."""

    def __init__(self) -> None:
        self.status, self.begun, self.code, self.request_id = 500, 0.0, "", ""
        self._problem = False

    def note(self, message: Mapping[str, Any]) -> None:
        if message["type"] == "http.response.start":
            self.status, self.begun = message["status"], time.perf_counter()
            headers = {bytes(name).lower(): bytes(value) for name, value in message.get("headers", ())}
            self._problem = headers.get(b"content-type", b"").startswith(b"application/problem+json")
            self.request_id = headers.get(b"x-request-id", b"").decode("latin-1")
        elif self._problem and (found := PROBLEM.search(message.get("body", b""))):
            self.code, self._problem = found[1].decode(), False

    def tell(self, scope: Mapping[str, Any], began: float) -> None:
        seconds = (self.begun or time.perf_counter()) - began
        if metrics_are_kept():
            from deploy import metrics  # only where its folder is there

            kind = kind_of(scope)
            metrics.REQUESTS.labels(kind, str(self.status)).inc()
            metrics.SECONDS.labels(kind).observe(seconds)
            # A page says in words why; that somebody came too often is the one thing its status says as well.
            if code := self.code or ("throttled" if self.status == 429 else ""):
                metrics.REFUSALS.labels(code).inc()
        if settings.ACCESS_LOG:
            path = CODE.sub(HIDDEN, scope["path"])
            facts: dict[str, object] = {"status": self.status, "milliseconds": round(seconds * 1000)}
            if self.request_id:
                facts["request_id"] = self.request_id
            line = "%s %s %s %s ms"
            logger.info(line, scope["method"], path, self.status, facts["milliseconds"], extra={"facts": facts})


def kind_of(scope: Mapping[str, Any]) -> str:
    """Return what kind of request it is; a page, if nothing else."""
    return next((kind for kind, path in KINDS if path.search(scope["path"])), "page")
