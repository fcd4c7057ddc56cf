"""The file of the database, and what SQLite puts beside it, which takes over its mode."""

import os
import sqlite3
from contextlib import suppress
from pathlib import Path
from typing import Any

from django.db.backends.sqlite3 import base

OWNERS_ALONE = 0o600


class DatabaseWrapper(base.DatabaseWrapper):
    """Keeps the file to its owner: in it are names, and what somebody has chosen in secret."""

    def get_new_connection(self, conn_params: dict[str, Any]) -> sqlite3.Connection:
        keep_to_owner(conn_params["database"])
        connection: sqlite3.Connection = super().get_new_connection(conn_params)
        return connection


def keep_to_owner(name: object) -> None:
    """Make the file of a database with a mode of its own, or take from others what an earlier release left them."""
    path = Path(str(name))
    if ":memory:" in path.name or "mode=memory" in path.name:
        return
    with suppress(OSError):  # who may not do this is told by what comes next
        if not path.exists():
            os.close(os.open(path, os.O_CREAT | os.O_WRONLY, OWNERS_ALONE))
        for ending in ("", "-wal", "-shm"):
            file = path.with_name(path.name + ending)
            if file.exists() and file.stat().st_mode & 0o077:
                file.chmod(OWNERS_ALONE)
