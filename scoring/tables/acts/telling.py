"""Change notifications between processes."""

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

from scoring.tables.acts.notifications import notified

# --- Words between the processes that share an SQLite file: each has a named pipe, in a folder beside the file
# As with PostgreSQL's NOTIFY they only wake, and one may be lost to a process that is too busy to read, or gone.


def _folder() -> str:
    return f"{connection.settings_dict['NAME']}-streams"


@contextmanager
def mailbox() -> Iterator[IO[bytes]]:
    path = Path(_folder(), str(os.getpid()))
    path.parent.mkdir(mode=0o700, exist_ok=True)
    path.unlink(missing_ok=True)  # an earlier process had the same number
    os.mkfifo(path, mode=0o600)
    try:
        # Opened for writing, too, it does not end when nobody writes.
        with os.fdopen(os.open(path, os.O_RDWR | os.O_NONBLOCK), "rb", buffering=0) as box:
            yield box
    finally:
        path.unlink(missing_ok=True)


def send(word: str) -> None:
    line = f"{word}\n".encode()
    if len(line) > PIPE_BUF:  # it might mix with another one's
        return
    folder, own = _folder(), str(os.getpid())
    with suppress(FileNotFoundError):  # nobody has a mailbox
        for name in os.listdir(folder):
            if name != own:
                _send(line, Path(folder, name))


def _send(line: bytes, path: Path) -> None:
    try:
        box = os.open(path, os.O_WRONLY | os.O_NONBLOCK)
    except OSError:  # nobody reads: its process was killed
        path.unlink(missing_ok=True)
        return
    try:
        with suppress(OSError):  # full, or just closed
            os.write(box, line)
    finally:
        os.close(box)


# --- Telling them
# After the commit, not in it: PostgreSQL lets no two transactions that notify commit at the same time, which takes four
# fifths of the writes of a busy server. And by a thread of its own, so that no writer waits for it.

CHANNEL = "tables"
SECONDS_TO_STAY = 2.0  # how long the thread waits for more to send before it goes, and its connection with it
SECONDS_TO_GATHER = 0.01  # how long it rests after having sent: what a busy process has to send then goes together
SECONDS_TO_FINISH = 2.0

logger = logging.getLogger(__name__)


def notify_others(word: str) -> None:
    if connection.vendor == "postgresql":
        notifier.send(word)
    else:
        send(word)


class Notifier:
    """Background thread that notifies other processes; messages that arrive while it is busy are batched."""

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
    try:
        _notify(listed)
    except DatabaseError:
        connection.close()  # it may have been cut while nobody had anything to say
        try:
            _notify(listed)
        except DatabaseError as problem:
            connection.close()
            # Watchers find out by themselves; the database has just gone, and others will say so louder.
            logger.warning("Nobody could be told of a change: %s", str(problem).strip())


def _notify(words: list[str]) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_notify(%s, word) FROM unnest(%s::text[]) AS word", [CHANNEL, words])


notifier = Notifier()
atexit.register(notifier.finish)


def tell(word: str, **_: Any) -> None:
    notify_others(word)


notified.connect(tell)
