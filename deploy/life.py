"""What a worker does beside answering, from its start to its stop."""

import asyncio
import os
import signal
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

from asgiref.sync import sync_to_async
from django.conf import settings
from django.db import DatabaseError, connection

from deploy.handler import give_up_bodies
from deploy.measuring import metrics_are_kept
from scoring.tables.live.hub import current_hub

SECONDS_BETWEEN_LOOKS = 0.5
SECONDS_IDLE = 5.0
MILLISECONDS_TO_WAIT = 200
"""For who reads or writes at this moment; afterwards it is tried again at the next look."""


async def live(receive: Any, send: Any) -> None:
    """Do it all, between the two messages of ASGI's lifespan."""
    await receive()
    _end_what_never_ends()
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


def _end_what_never_ends() -> None:
    """When the server is told to stop, end the streams and the bodies that do not come: it waits for both.

    A terminal sends Ctrl-C to every process, and the parent sends its own signal on top: twice told is not hurry.
    """
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


async def _end_with_parent() -> None:
    """A parent that was killed takes no leave: without this its workers would hold the port for ever."""
    parent = os.getppid()
    while os.getppid() == parent:
        await asyncio.sleep(SECONDS_BETWEEN_LOOKS)
    os._exit(1)


async def _keep_log_short(log: Path) -> None:
    """Carry SQLite's log over into the database file when nobody has written for a while.

    SQLite does so only while there is much to write, and whoever copies the file alone is to have everything.
    """
    while True:
        await asyncio.sleep(SECONDS_BETWEEN_LOOKS)
        with suppress(OSError, DatabaseError):  # there is none, or somebody is in the way: at the next look
            found = log.stat()
            if found.st_size and time.time() - found.st_mtime > SECONDS_IDLE:
                await sync_to_async(carry_over)()


def carry_over() -> None:
    """Write what stands in the log to the file of the database, as far as nobody is in the way."""
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA busy_timeout")
        (usual,) = cursor.fetchone()
        cursor.execute(f"PRAGMA busy_timeout = {MILLISECONDS_TO_WAIT}")
        try:
            cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        finally:
            cursor.execute(f"PRAGMA busy_timeout = {usual}")
