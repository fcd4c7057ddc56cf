"""Words between the processes that share an SQLite file: each has a named pipe, in a folder beside the file.

As with PostgreSQL's NOTIFY they only wake, and one may be lost: to a process that is too busy to read, or is just gone.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from select import PIPE_BUF
from typing import IO

from django.db import connection


def _folder() -> str:
    return f"{connection.settings_dict['NAME']}-streams"


@contextmanager
def mailbox() -> Iterator[IO[bytes]]:
    """Open what others send to this process, a line a word; raises ``OSError``."""
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
    """Send a word to all other processes that have a mailbox; waits for none of them."""
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
