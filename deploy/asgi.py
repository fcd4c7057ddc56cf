"""ASGI application, as run by the server, with the background tasks and shutdown of its process."""

import asyncio
import os
import signal
import time
from contextlib import suppress
from email.message import Message as Headers
from pathlib import Path
from typing import Any

from asgiref.sync import sync_to_async
from django.conf import settings
from django.db import DatabaseError, connection
from servestatic import ServeStaticASGI

from deploy.handler import LeanASGIHandler, give_up_bodies
from deploy.pocket import POLICY
from deploy.startup import load_all, metrics_are_kept, set_up

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "deploy.settings")

POCKET = "/pocket/"


def _add_headers(headers: Headers, path: str, url: str) -> None:
    headers.add_header("X-Content-Type-Options", "nosniff")
    if url.startswith(POCKET):
        policy = "frame-ancestors 'none'"  # its document states the rest: hashes of its own style and script
        is_document = path.endswith(".html")
        headers.add_header("Content-Security-Policy", policy if is_document else f"{POLICY}; {policy}")


def get_application() -> Any:
    set_up()
    handler = LeanASGIHandler()
    load_all()
    files = ServeStaticASGI(
        handler,
        root=settings.STATIC_ROOT,
        prefix=settings.STATIC_URL,
        allow_all_origins=False,
        add_headers_function=_add_headers,
    )
    pocket = settings.VAR_DIR / "pocket"
    if (pocket / "index.html").exists():  # make pocket
        files.index_file = "index.html"
        files.add_files(pocket, prefix=POCKET)
    counted: Any = files
    if settings.ACCESS_LOG or metrics_are_kept():
        from deploy.metrics import Measured  # after the parent has chosen where metrics are kept

        counted = Measured(files)

    async def application(scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] == "lifespan":
            await live(receive, send)
            return
        # Behind a proxy, requests arrive without TLS; without this, links would begin with `http`, and cookies would
        # not be secure. `X-Forwarded-Proto` of a trusted proxy may override it.
        if settings.OVER_TLS and scope["type"] == "http":
            scope["scheme"] = "https"
        await counted(scope, receive, send)

    return application


# --- Background tasks and shutdown of a worker process

SECONDS_BETWEEN_LOOKS = 0.5
SECONDS_IDLE = 5.0
MILLISECONDS_TO_WAIT = 200  # for current readers and writers; then retry at the next check


async def live(receive: Any, send: Any) -> None:
    """Run the background tasks between ASGI's lifespan startup and shutdown.

    On a stop signal, end streams and pending request bodies first, since the server waits for both. After Ctrl-C a
    worker gets two signals, from the terminal and from its parent; either starts a graceful stop.
    """
    from scoring.tables.live.hub import current_hub  # imports models, which need the setup

    await receive()
    loop, stop = asyncio.get_running_loop(), signal.getsignal(signal.SIGTERM)
    assert callable(stop)

    def end() -> None:
        current_hub().end_streams()
        give_up_bodies()

    def told(_number: int, frame: Any) -> None:
        loop.call_soon_threadsafe(end)
        stop(signal.SIGTERM, frame)

    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, told)
    beside = [_end_with_parent()]
    if settings.DATABASES["default"]["ENGINE"] == "django.db.backends.sqlite3":
        beside.append(_keep_log_short(Path(f"{settings.DATABASES['default']['NAME']}-wal")))
    if metrics_are_kept():
        from deploy.metrics import watch_worker

        beside.append(watch_worker())
    tasks = [asyncio.create_task(each) for each in beside]
    await send({"type": "lifespan.startup.complete"})
    await receive()
    for task in tasks:
        task.cancel()
    await send({"type": "lifespan.shutdown.complete"})


async def _end_with_parent() -> None:
    parent = os.getppid()
    while os.getppid() == parent:
        await asyncio.sleep(SECONDS_BETWEEN_LOOKS)
    os._exit(1)


async def _keep_log_short(log: Path) -> None:
    """Checkpoint SQLite's WAL when idle, so that a copy of the database file alone is complete."""

    def carry_over() -> None:
        with connection.cursor() as cursor:
            cursor.execute("PRAGMA busy_timeout")
            (usual,) = cursor.fetchone()
            cursor.execute(f"PRAGMA busy_timeout = {MILLISECONDS_TO_WAIT}")
            try:
                cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            finally:
                cursor.execute(f"PRAGMA busy_timeout = {usual}")

    while True:
        await asyncio.sleep(SECONDS_BETWEEN_LOOKS)
        with suppress(OSError, DatabaseError):  # no WAL, or the database is locked: retry next time
            found = log.stat()
            if found.st_size and time.time() - found.st_mtime > SECONDS_IDLE:
                await sync_to_async(carry_over)()


application = get_application()
