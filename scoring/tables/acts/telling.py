"""Relay of change notifications to other processes: named pipes with SQLite, NOTIFY with PostgreSQL."""

import atexit
import logging
import os
import threading
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from select import PIPE_BUF
from typing import IO, Any

from django.db import DatabaseError, connection

from scoring.tables.acts.holding import notified

# --- Messages between processes that share a SQLite file: each has a named pipe in a folder beside the file
# Like PostgreSQL's NOTIFY they are only wake-ups, and may be lost if a process is too busy to read, or gone.


def _folder() -> str:
    return f"{connection.settings_dict['NAME']}-streams"


@contextmanager
def mailbox() -> Iterator[IO[bytes]]:
    path = Path(_folder(), str(os.getpid()))
    path.parent.mkdir(mode=0o700, exist_ok=True)
    path.unlink(missing_ok=True)  # left by an earlier process with the same id
    os.mkfifo(path, mode=0o600)
    try:
        # Open for writing as well, so that it doesn't reach end-of-file without writers.
        with os.fdopen(os.open(path, os.O_RDWR | os.O_NONBLOCK), "rb", buffering=0) as box:
            yield box
    finally:
        path.unlink(missing_ok=True)


def send(word: str) -> None:
    line = f"{word}\n".encode()
    if len(line) > PIPE_BUF:  # not an atomic write: it could interleave with others
        return
    folder, own = _folder(), str(os.getpid())
    with suppress(FileNotFoundError):  # no process listens
        for name in os.listdir(folder):
            if name != own:
                _send(line, Path(folder, name))


def _send(line: bytes, path: Path) -> None:
    try:
        box = os.open(path, os.O_WRONLY | os.O_NONBLOCK)
    except OSError:  # no reader: its process was killed
        path.unlink(missing_ok=True)
        return
    with os.fdopen(box, "wb", buffering=0) as pipe, suppress(OSError):  # full, or just closed
        pipe.write(line)


# --- Sending
# After the commit, not in it: PostgreSQL serializes the commits of transactions that notify, which would cost four
# fifths of a busy server's write throughput. In a thread of its own, so that no writer waits.

CHANNEL = "tables"
SECONDS_TO_STAY = 2.0  # how long an idle thread keeps its connection open
SECONDS_TO_GATHER = 0.01  # pause after sending, so that a busy process sends in batches
SECONDS_TO_FINISH = 2.0

logger = logging.getLogger(__name__)


def notify_others(word: str, **_: Any) -> None:
    if connection.vendor == "postgresql":
        notifier.send(word)
    else:
        send(word)


class Notifier:
    """Background thread that sends notifications to other processes, in batches while it is busy."""

    def __init__(self) -> None:
        self._waiting: dict[str, None] = {}
        self._changed = threading.Condition()
        self._thread: threading.Thread | None = None
        self._ending = threading.Event()

    def send(self, word: str) -> None:
        with self._changed:
            self._waiting[word] = None
            if self._thread is None or not self._thread.is_alive():
                self._thread = threading.Thread(target=self._run, name="notifier", daemon=True)
                self._thread.start()
            self._changed.notify()

    def finish(self) -> None:
        with self._changed:
            thread = self._thread
            self._ending.set()
            self._changed.notify()
        if thread is not None:
            thread.join(SECONDS_TO_FINISH)

    def _run(self) -> None:
        try:
            while words := self._next():
                notify(words)
                time.sleep(SECONDS_TO_GATHER)
        finally:
            connection.close()

    def _next(self) -> list[str]:
        with self._changed:
            self._changed.wait_for(lambda: self._waiting or self._ending.is_set(), timeout=SECONDS_TO_STAY)
            words = list(self._waiting)
            self._waiting.clear()
            if not words:
                self._thread = None
            return words


def notify(words: Iterable[str]) -> None:
    listed = list(words)
    for attempt in (1, 2):
        try:
            with connection.cursor() as cursor:
                cursor.execute("SELECT pg_notify(%s, word) FROM unnest(%s::text[]) AS word", [CHANNEL, listed])
        except DatabaseError as problem:
            connection.close()  # it may have been cut while idle
            if attempt == 2:
                # Watchers poll anyway, and the lost database is logged elsewhere.
                logger.warning("Could not notify other processes of a change: %s", str(problem).strip())
        else:
            return


notifier = Notifier()
atexit.register(notifier.finish)


notified.connect(notify_others)
