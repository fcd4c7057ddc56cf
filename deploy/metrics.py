"""What Prometheus may ask: each answer counted in its worker, added up and served by the parent."""

import asyncio
import logging
import os
import re
import time
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import Any

from django.conf import settings
from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, start_http_server
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.multiprocess import MultiProcessCollector, mark_process_dead
from prometheus_client.registry import Collector

# --- What Prometheus may ask: counted in each worker, added up and served by the parent on a port of its own
# Each worker writes its numbers to files (`PROMETHEUS_MULTIPROC_DIR`), which has to be set before this is imported.

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
    """Note again and again what only the worker itself knows."""
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
    """The size of the log beside a database of SQLite, as it is when it is asked for."""

    def __init__(self, database: str) -> None:
        self._log = Path(f"{database}-wal")

    def collect(self) -> Any:
        size = self._log.stat().st_size if self._log.exists() else 0
        yield GaugeMetricFamily("cards_write_ahead_log_bytes", "Size of SQLite's write-ahead log", value=size)


def serve(host: str, port: int) -> None:
    """Serve all numbers from a thread of this process."""
    registry = CollectorRegistry()
    MultiProcessCollector(registry)  # type: ignore[no-untyped-call]  # it has no types
    database = settings.DATABASES["default"]
    if database["ENGINE"] == "django.db.backends.sqlite3":
        registry.register(LogSize(str(database["NAME"])))
    start_http_server(port, host, registry)


def forget_worker(pid: int | None) -> None:
    """Forget what a worker was doing when it died; what it had counted counts on."""
    if pid is not None:
        mark_process_dead(pid)  # type: ignore[no-untyped-call]  # it has no types


# --- Each answer counted, and told in the log, where either is wanted

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
"""What stands for the code of a table or a group: whoever has one may open a public table."""


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
            kind = kind_of(scope)
            REQUESTS.labels(kind, str(self.status)).inc()
            SECONDS.labels(kind).observe(seconds)
            # A page says in words why; that somebody came too often is the one thing its status says as well.
            if code := self.code or ("throttled" if self.status == 429 else ""):
                REFUSALS.labels(code).inc()
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
