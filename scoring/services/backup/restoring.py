"""Putting a backup back, on whichever database this installation has."""

import sqlite3
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import cast

from django.conf import settings
from django.core.management import call_command
from django.db import DEFAULT_DB_ALIAS, connection

from scoring.services.backup.exceptions import BackupRefused
from scoring.services.backup.files import check_file, database_in
from scoring.services.backup.rows import Progress, copy_rows, has_rows
from scoring.services.backup.taking import copy_pages

NOT_EMPTY = (
    "The database is not empty, and nothing in it is written over. "
    "Restore to a new one: DATABASE_URL or VAR_DIR says where it is."
)


def restore(path: Path, progress: Progress) -> None:
    """Put everything that a backup holds into this installation's database, which has to be empty.

    Raises ``BackupRefused``; then nothing was changed but the tables made that an empty database has.
    """
    check_file(path)
    call_command("migrate", interactive=False, verbosity=0)
    if has_rows(DEFAULT_DB_ALIAS):
        raise BackupRefused(NOT_EMPTY)
    # A copy, for a backup of an earlier release is brought to the state of this one first.
    with TemporaryDirectory(prefix="restore-", dir=_where_there_is_room()) as folder:
        copy = Path(folder) / "backup.sqlite3"
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as source:
            copy_pages(source, copy, progress)
        with database_in(copy) as alias:
            if connection.vendor != "sqlite":
                copy_rows(alias, DEFAULT_DB_ALIAS, progress)
        if connection.vendor == "sqlite":
            with closing(sqlite3.connect(copy)) as source:
                source.backup(cast(sqlite3.Connection, connection.connection))
            connection.close()


def _where_there_is_room() -> Path:
    """Return the folder of the database, or that of the installation: where copies usually lie may be in memory."""
    name = Path(str(connection.settings_dict["NAME"]))
    return name.parent if connection.vendor == "sqlite" and name.is_file() else Path(settings.VAR_DIR)
