"""Prometheus metrics, aggregated over workers and served by the parent on its own port.

Workers write to files in `PROMETHEUS_MULTIPROC_DIR`, which must be set before this module is imported.
"""

import asyncio
from pathlib import Path
from typing import Any

from django.conf import settings
from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, start_http_server
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.multiprocess import MultiProcessCollector
from prometheus_client.registry import Collector

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
