"""Liveness and readiness checks."""

import asyncio
import contextlib
import logging
import os
import shutil
import time
from concurrent.futures import ThreadPoolExecutor

from django.conf import settings
from django.db import connection, connections, transaction
from django.db.migrations.executor import MigrationExecutor
from django.http import HttpRequest, JsonResponse
from django.urls import path

from scoring.models import Tally
from scoring.operating.acts.database import SECONDS_AWAY, was_away
from scoring.tables.live.hub import current_hub

logger = logging.getLogger(__name__)
SECONDS_TO_ANSWER = 5.0
LONGEST_DELAY = 30.0  # seconds of delay after which the hub's streams count as dead
SECONDS_BETWEEN_ROWS = 30.0
"""Interval between committed rows: only a committed write shows that the database can still grow."""
OK = "ok"
_thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="health")
"""A thread of its own, so that checks and requests never wait for each other."""
_applied: list[bool] = []
_written = [float("-inf")]
_before: list[str] = []


async def live(request: HttpRequest) -> JsonResponse:
    return _answer(200, {"status": "live"})


async def ready(request: HttpRequest) -> JsonResponse:
    """Readiness: database, writes, migrations, free disk space and live hub; 503 if any check fails."""
    try:
        async with asyncio.timeout(SECONDS_TO_ANSWER):
            checks = await asyncio.get_running_loop().run_in_executor(_thread, what_stands)
    except TimeoutError:
        checks = {"database": f"It has not answered for {SECONDS_TO_ANSWER:g} seconds."}
    if hasattr(request, "scope"):  # a WSGI process has no streams
        hub = current_hub()
        late = hub.delay()
        checks["hub"] = OK if hub.alive() and late < LONGEST_DELAY else f"Streams are {late:.0f} seconds late."
    missing = sorted(name for name, found in checks.items() if found != OK)
    _log_change(", ".join(f"{name}: {checks[name]}" for name in missing))
    return _answer(503 if missing else 200, {"status": "not ready" if missing else "ready", "checks": checks})


def what_stands() -> dict[str, str]:
    found = {}
    try:
        checks = {"database": _database, "writable": _writable, "migrations": _migrations, "disk": _disk}
        for name, check in checks.items():
            try:
                found[name] = check()
            except Exception as problem:  # noqa: BLE001 - any failure is the result
                found[name] = type(problem).__name__
                logger.debug("%s: %s", name, problem)
    finally:
        with contextlib.suppress(Exception):
            connections.close_all()  # the next check needs a new connection
    return found


def _database() -> str:
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")
    return OK


def _writable() -> str:
    """Check that the database accepts writes, by inserting and deleting a row.

    The transaction is committed every ``SECONDS_BETWEEN_ROWS`` and after a refused write, else rolled back. A small row
    may fit where a card does not, so a recent refusal counts for some seconds.
    """
    now = time.monotonic()
    stays = now - _written[0] > SECONDS_BETWEEN_ROWS or was_away(_written[0])
    with transaction.atomic():
        Tally.objects.create(key=f"health-{os.getpid()}", until=0, count=0).delete()
        transaction.set_rollback(not stays)
    _written[0] = now if stays else _written[0]
    return f"It refused something less than {SECONDS_AWAY} seconds ago." if was_away(now - SECONDS_AWAY) else OK


def _migrations() -> str:
    if not _applied:
        executor = MigrationExecutor(connection)
        if left := executor.migration_plan(executor.loader.graph.leaf_nodes()):
            return f"{len(left)} are not applied: manage.py migrate"
        _applied.append(True)
    return OK


def _disk() -> str:
    free = shutil.disk_usage(settings.VAR_DIR).free // 10**6
    return OK if free >= settings.LEAST_FREE_MEGABYTES else f"{free} MB are free."


def _log_change(missing: str) -> None:
    if [missing] == (_before or [""]):
        return
    _before[:] = [missing]
    if missing:
        logger.error("Not ready: %s", missing)
    else:
        logger.info("Ready again.")


def _answer(status: int, body: dict[str, object]) -> JsonResponse:
    response = JsonResponse(body, status=status, headers={"Cache-Control": "no-store"})
    response._has_been_logged = True  # type: ignore[attr-defined]  # else Django logs each look at what is logged once
    return response


urlpatterns = [path("live", live), path("ready", ready)]
