"""Several processes that start at once: one brings database and files up to date, the others wait for it."""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from django.db import OperationalError, connection

NUMBER = 0x63617264
"""What PostgreSQL calls this lock: any number that nothing else there locks."""


@contextmanager
def one_at_a_time(folder: Path) -> Iterator[None]:
    """Hold what others wait for: on this machine a file in the folder, on PostgreSQL a lock of the database as well."""
    handle = os.open(folder / "start.lock", os.O_CREAT | os.O_RDWR, 0o600)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        with _held_by_database():
            yield
    finally:
        os.close(handle)


@contextmanager
def _held_by_database() -> Iterator[None]:
    if connection.vendor != "postgresql":
        yield
        return
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_lock(%s)", [NUMBER])
    try:
        yield
    finally:
        with suppress(OperationalError), connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_unlock(%s)", [NUMBER])
