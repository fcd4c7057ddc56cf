"""Carrying SQLite's log over into the database file, so that whoever copies the file alone has everything.

SQLite does so while there is much to write, and where the last connection is closed in peace. Workers that are stopped
close nothing, and a quiet evening writes little: without this, the file of a stopped server may be without any table.
"""

import logging
import sqlite3
import time
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

logger = logging.getLogger(__name__)
SECONDS_IDLE = 5.0
SECONDS_BETWEEN_LOOKS = 1.0
SECONDS_TO_WAIT = 0.2
"""For who reads or writes at this moment; afterwards it is tried again at the next look."""


class WriteAheadLog:
    """The log beside the database file, seen from a process that has no connection of its own.

    It must have none while it looks, and no worker may be started then: a file of SQLite that is closed in a process
    loses all the locks that this process has on it.
    """

    def __init__(self, database: Mapping[str, Any]) -> None:
        on_disk = database["ENGINE"] == "deploy.sqlite" and ":memory:" not in database["NAME"]
        self._database = Path(database["NAME"]) if on_disk else None
        self._due = 0.0

    def look(self) -> None:
        """Carry the log over if nobody has written to it for a while."""
        now = time.monotonic()
        if self._database is None or now < self._due:
            return
        self._due = now + SECONDS_BETWEEN_LOOKS
        try:
            log = self._database.with_name(self._database.name + "-wal").stat()
        except OSError:  # there is none
            return
        if log.st_size and time.time() - log.st_mtime > SECONDS_IDLE:
            self.carry_over()

    def carry_over(self) -> None:
        """Write what stands in the log to the file of the database, as far as nobody is in the way."""
        if self._database is None or not self._database.exists():
            return
        try:
            with closing(sqlite3.connect(self._database, timeout=SECONDS_TO_WAIT)) as connection:
                connection.execute("PRAGMA synchronous=FULL")
                connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        except sqlite3.Error as problem:
            logger.debug("The log of the database stays as it is: %s", problem)
