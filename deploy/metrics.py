"""Optional counting and logging of every response, and Prometheus metrics.

Metrics are aggregated over workers and served by the parent on its own port. Workers write to files in
`PROMETHEUS_MULTIPROC_DIR`, which must be set before this module is imported.
"""

import asyncio
import logging
import re
import time
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import Any

from django.conf import settings
from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, start_http_server
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.multiprocess import MultiProcessCollector
from prometheus_client.registry import Collector

from deploy.startup import metrics_are_kept

SECONDS_BETWEEN_LOOKS = 2.0
REQUESTS = Counter("cards_requests", "Answered requests, by kind and status", ["kind", "status"])
REFUSALS = Counter("cards_refusals", "Problems answered by the API, and limits by pages, too; by code", ["code"])
SECONDS = Histogram(
    "cards_request_seconds",
    "Seconds until an answer begins, by kind",
    ["kind"],
    buckets=(0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10),
)
STREAMS = Gauge("cards_streams", "Streams that are open", multiprocess_mode="livesum")
HUB_DELAY = Gauge("cards_hub_delay_seconds", "Seconds by which the hub is late", multiprocess_mode="livemax")
LOOP_DELAY = Gauge("cards_loop_delay_seconds", "Seconds by which the event loop is late", multiprocess_mode="livemax")


async def watch_worker() -> None:
    from scoring.tables.live.hub import current_hub

    loop = asyncio.get_running_loop()
    while True:
        due = loop.time() + SECONDS_BETWEEN_LOOKS
        await asyncio.sleep(SECONDS_BETWEEN_LOOKS)
        LOOP_DELAY.set(max(0.0, loop.time() - due))
        hub = current_hub()
        STREAMS.set(len(hub))
        HUB_DELAY.set(hub.delay())


class LogSize(Collector):
    """Size of SQLite's write-ahead log at scrape time."""

    def collect(self) -> Any:
        log = Path(f"{settings.DATABASES['default']['NAME']}-wal")
        size = log.stat().st_size if log.exists() else 0
        yield GaugeMetricFamily("cards_write_ahead_log_bytes", "Size of SQLite's write-ahead log", value=size)


def serve(host: str, port: int) -> None:
    """Serve the metrics of all workers from a thread of this process."""
    registry = CollectorRegistry()
    MultiProcessCollector(registry)  # type: ignore[no-untyped-call]  # it has no types
    if settings.DATABASES["default"]["ENGINE"] == "django.db.backends.sqlite3":
        registry.register(LogSize())
    start_http_server(port, host, registry)


# --- Counting (`METRICS_PORT`) and logging (`ACCESS_LOG`) responses

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
        kind = next((kind for kind, path in KINDS if path.search(scope["path"])), "page")
        REQUESTS.labels(kind, str(status)).inc()
        SECONDS.labels(kind).observe(seconds)
        # Pages give the reason in words only; of their errors, only throttling shows in the status.
        if code := code or ("throttled" if status == 429 else ""):
            REFUSALS.labels(code).inc()
    if settings.ACCESS_LOG:
        facts: dict[str, object] = {"status": status, "milliseconds": round(seconds * 1000)}
        if request_id:
            facts["request_id"] = request_id
        path = CODE.sub(HIDDEN, scope["path"])
        told = (scope["method"], path, status, facts["milliseconds"])
        logger.info("%s %s %s %s ms", *told, extra={"facts": facts})
