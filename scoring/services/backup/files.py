"""Files that are there whole or not at all, and databases in them."""

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

from django.core.management import call_command
from django.db import DEFAULT_DB_ALIAS, DatabaseError, connections
from django.db.migrations.loader import MigrationLoader

from scoring.apps import TOO_OLD, made_before_release
from scoring.services.backup.exceptions import BackupRefused

ALIAS = "backup"
"""What the database in a file is called while it is worked on."""
HEADER = b"SQLite format 3\0"
OPTIONS = {"transaction_mode": "IMMEDIATE", "init_command": "PRAGMA synchronous=OFF"}


@contextmanager
def new_file(path: Path) -> Iterator[Path]:
    """Offer a file to write to, which takes its name once it is whole and on the disk.

    It is its owner's alone. Raises ``BackupRefused`` where there is a file of this name, or no place for one, such as
    on a full disk.
    """
    if path.exists():
        raise BackupRefused(f"{path} is there already. Choose another name, or move it away.")
    unfinished = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        os.close(os.open(unfinished, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    except OSError as problem:
        raise BackupRefused(f"{path} cannot be written: {problem.strerror}.") from problem
    try:
        yield unfinished
        _sync(unfinished)
        _name(unfinished, path)
        _sync(path.parent)
    except (OSError, sqlite3.Error, DatabaseError) as problem:
        why = problem.strerror if isinstance(problem, OSError) else str(problem).strip()
        raise BackupRefused(f"{path} was not written: {why}. Nothing is left of it.") from problem
    finally:
        for ending in ("", "-journal", "-wal", "-shm"):
            with suppress(FileNotFoundError):  # it was named, or SQLite has taken it away itself
                unfinished.with_name(unfinished.name + ending).unlink()


def _name(unfinished: Path, path: Path) -> None:
    try:
        os.link(unfinished, path)  # unlike a renaming, it never takes the place of another file
    except FileExistsError:
        raise BackupRefused(f"{path} is there already. Choose another name, or move it away.") from None
    except OSError:  # a stick, for one, knows no second name of a file
        unfinished.rename(path)


def _sync(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def check_file(path: Path) -> None:
    """Raise ``BackupRefused`` where a file is no backup, or is damaged."""
    try:
        with path.open("rb") as file:
            header = file.read(len(HEADER))
    except OSError as problem:
        raise BackupRefused(f"{path} cannot be read: {problem.strerror}.") from problem
    if header != HEADER:
        raise BackupRefused(f"{path} is no backup.")
    try:
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as database:
            (answer,) = database.execute("PRAGMA integrity_check(1)").fetchone()
            torn = database.execute("PRAGMA foreign_key_check").fetchone()
            names = {name for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    except sqlite3.DatabaseError as problem:
        raise BackupRefused(f"{path} is damaged: {problem}.") from problem
    if answer != "ok" or torn:
        raise BackupRefused(f"{path} is damaged: {answer if answer != 'ok' else f'a row of {torn[0]} has no parent'}.")
    if not {"scoring_table", "django_migrations"} <= names:
        raise BackupRefused(f"{path} is a database of something else.")


@contextmanager
def database_in(path: Path) -> Iterator[str]:
    """Have Django work on the database in a file, brought to the state of the code; yields what it is called there.

    Raises ``BackupRefused`` where it was made by a later release, or before the first one.
    """
    settings = {DEFAULT_DB_ALIAS: {}, ALIAS: {"ENGINE": "django.db.backends.sqlite3", "NAME": str(path)}}
    connections.settings[ALIAS] = connections.configure_settings(settings)[ALIAS] | {"OPTIONS": OPTIONS}
    try:
        if made_before_release(ALIAS):
            raise BackupRefused(TOO_OLD)
        loader = MigrationLoader(connections[ALIAS])
        if later := sorted(set(loader.applied_migrations) - set(loader.disk_migrations)):
            raise BackupRefused(f"A later release has made this backup: it knows {later[-1][1]}. Update first.")
        call_command("migrate", database=ALIAS, interactive=False, verbosity=0)
        yield ALIAS
    finally:
        connections[ALIAS].close()
        del connections[ALIAS]
        del connections.settings[ALIAS]
