"""Taking a backup, beside a server that goes on."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, cast

from django.db import DEFAULT_DB_ALIAS, connection, transaction

from scoring.services.backup.files import check_file, database_in, new_file
from scoring.services.backup.rows import Progress, copy_rows

PAGES_AT_ONCE = 2000


def back_up(path: Path, progress: Progress) -> None:
    """Write everything that is there at this moment to a new file, look it through, and have it on the disk.

    Nobody waits for it, neither to read nor to write. Raises ``BackupRefused``; then there is no file.
    """
    with new_file(path) as unfinished:
        if connection.vendor == "sqlite":
            connection.ensure_connection()
            with _as_of_now():
                copy_pages(cast(sqlite3.Connection, connection.connection), unfinished, progress)
        else:
            with transaction.atomic():
                with connection.cursor() as cursor:
                    cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")
                with database_in(unfinished) as alias:
                    copy_rows(DEFAULT_DB_ALIAS, alias, progress)
        check_file(unfinished)


@contextmanager
def _as_of_now() -> Iterator[None]:
    """Hold a moment: what others write meanwhile would make SQLite begin again and again."""
    if connection.in_atomic_block:
        yield
        return
    held: Any = connection.connection
    held.execute("BEGIN")
    try:
        held.execute("SELECT 1 FROM sqlite_master").fetchone()
        yield
    finally:
        held.execute("ROLLBACK")


def copy_pages(source: sqlite3.Connection, path: Path, progress: Progress) -> None:
    """Copy a database of SQLite to a file; there it stands by itself, without a log beside it."""

    def tell(_: int, left: int, total: int) -> None:
        if total > PAGES_AT_ONCE:
            progress(f"  {100 * (total - left) // total} %")

    with closing(sqlite3.connect(path)) as target:
        source.backup(target, pages=PAGES_AT_ONCE, progress=tell)
        target.execute("PRAGMA journal_mode=DELETE")
