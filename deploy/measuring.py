"""Optional counting and logging of every response."""

import logging
import os
import re
import time
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from django.conf import settings

logger = logging.getLogger("access")
KINDS = (
    ("stream", re.compile(r"/stream/$")),
    ("event", re.compile(r"^(/api/v1/tables/[^/]+/events/|/t/[^/]+/record/)$")),
    ("api", re.compile(r"^/api/")),
    ("static", re.compile(r"^/static/")),
    ("health", re.compile(r"^/health/")),
)
"""Metric label of a request, by path; ``page`` by default."""
CODE = re.compile(r"(?<=/)(t|g|tables|groups|laws)/[^/]+")
PROBLEM = re.compile(rb'"code": ?"([a-z][a-z-]{0,60})"')
HIDDEN = r"\1/…"  # hides codes of tables and groups in logs: a code opens a public table


def metrics_are_kept() -> bool:
    """Return whether a parent process collects and serves metrics."""
    return "PROMETHEUS_MULTIPROC_DIR" in os.environ


class Measured:
    """ASGI wrapper that counts (`METRICS_PORT`) and logs (`ACCESS_LOG`) responses."""

    def __init__(self, application: Callable[[Any, Any, Any], Awaitable[None]]) -> None:
        self._application = application

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] != "http":
            await self._application(scope, receive, send)
            return
        status, code, request_id, is_problem = 500, "", "", False
        began, begun = time.perf_counter(), 0.0

        async def note(message: Mapping[str, Any]) -> None:
            nonlocal status, code, request_id, is_problem, begun
            if message["type"] == "http.response.start":
                status, begun = message["status"], time.perf_counter()
                headers = {bytes(name).lower(): bytes(value) for name, value in message.get("headers", ())}
                is_problem = headers.get(b"content-type", b"").startswith(b"application/problem+json")
                request_id = headers.get(b"x-request-id", b"").decode("latin-1")
            elif is_problem and (found := PROBLEM.search(message.get("body", b""))):
                code, is_problem = found[1].decode(), False
            await send(message)

        try:
            await self._application(scope, receive, note)
        finally:
            _tell(scope, status, code, request_id, (begun or time.perf_counter()) - began)


def _tell(scope: Mapping[str, Any], status: int, code: str, request_id: str, seconds: float) -> None:
    if metrics_are_kept():
        from deploy import metrics  # needs PROMETHEUS_MULTIPROC_DIR

        kind = next((kind for kind, path in KINDS if path.search(scope["path"])), "page")
        metrics.REQUESTS.labels(kind, str(status)).inc()
        metrics.SECONDS.labels(kind).observe(seconds)
        # Pages give the reason in words only; of their errors, only throttling shows in the status.
        if code := code or ("throttled" if status == 429 else ""):
            metrics.REFUSALS.labels(code).inc()
    if settings.ACCESS_LOG:
        facts: dict[str, object] = {"status": status, "milliseconds": round(seconds * 1000)}
        if request_id:
            facts["request_id"] = request_id
        path = CODE.sub(HIDDEN, scope["path"])
        told = (scope["method"], path, status, facts["milliseconds"])
        logger.info("%s %s %s %s ms", *told, extra={"facts": facts})
