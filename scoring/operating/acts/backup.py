"""Online backup of a whole installation to one file, and restore to SQLite or PostgreSQL."""

import hashlib
import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, cast

from django.apps import apps
from django.conf import settings
from django.core.management import call_command
from django.core.management.color import no_style
from django.db import DEFAULT_DB_ALIAS, DatabaseError, connection, connections, models, transaction
from django.db.migrations.loader import MigrationLoader
from django.db.models import F, TextField
from django.db.models.functions import Cast

from scoring.apps import TOO_OLD, made_before_release
from scoring.models.fields import CanonicalJSONField, StoredJSON

ALIAS = "backup"  # connection alias of the database in a file
HEADER = b"SQLite format 3\0"
OPTIONS = {"transaction_mode": "IMMEDIATE", "init_command": "PRAGMA synchronous=OFF"}
AT_ONCE = 500  # rows per batch
ROWS_BETWEEN_LINES = 100_000
Kept = type[models.Model]
Progress = Callable[[str], None]


class BackupRefused(Exception):  # noqa: N818 - an outcome, not an error
    """A backup or restore was refused and nothing changed; the message says why."""


# --- Atomically created files, and databases in them


@contextmanager
def new_file(path: Path) -> Iterator[Path]:
    """Write a new file, readable by its owner only, that appears under its name once it is complete and synced.

    Raises ``BackupRefused`` if the name is taken or the file can't be written.
    """
    there = BackupRefused(f"{path} already exists. Choose another name, or move it away.")
    if path.exists():
        raise there
    unfinished = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        os.close(os.open(unfinished, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    except OSError as problem:
        raise BackupRefused(f"{path} cannot be written: {problem.strerror}.") from problem
    try:
        yield unfinished
        _sync(unfinished)
        try:
            os.link(unfinished, path)  # unlike a rename, never overwrites a file
        except FileExistsError:
            raise there from None
        except OSError:  # no hard links, on a USB stick for example
            unfinished.rename(path)
        _sync(path.parent)
    except (OSError, sqlite3.Error, DatabaseError) as problem:
        why = problem.strerror if isinstance(problem, OSError) else str(problem).strip()
        raise BackupRefused(f"{path} was not written: {why}. The unfinished file was removed.") from problem
    finally:
        for ending in ("", "-journal", "-wal", "-shm"):  # already linked, or removed by SQLite
            unfinished.with_name(unfinished.name + ending).unlink(missing_ok=True)


def _sync(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _opened(path: Path) -> sqlite3.Connection:
    return sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)


def check_file(path: Path) -> None:
    """Raise ``BackupRefused`` if a file is not a backup, or is damaged."""
    try:
        with path.open("rb") as file:
            header = file.read(len(HEADER))
    except OSError as problem:
        raise BackupRefused(f"{path} cannot be read: {problem.strerror}.") from problem
    if header != HEADER:
        raise BackupRefused(f"{path} is not a backup.")
    try:
        with closing(_opened(path)) as database:
            (answer,) = database.execute("PRAGMA integrity_check(1)").fetchone()
            torn = database.execute("PRAGMA foreign_key_check").fetchone()
            names = {name for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    except sqlite3.DatabaseError as problem:
        raise BackupRefused(f"{path} is damaged: {problem}.") from problem
    if answer != "ok" or torn:
        raise BackupRefused(f"{path} is damaged: {answer if answer != 'ok' else f'a row of {torn[0]} has no parent'}.")
    if not {"scoring_table", "django_migrations"} <= names:
        raise BackupRefused(f"{path} is a database of another program.")


@contextmanager
def database_in(path: Path) -> Iterator[str]:
    """Open the database in a file, migrated, and yield its alias.

    Raises ``BackupRefused`` if a later release made it.
    """
    known = {DEFAULT_DB_ALIAS: {}, ALIAS: {"ENGINE": "django.db.backends.sqlite3", "NAME": str(path)}}
    connections.settings[ALIAS] = connections.configure_settings(known)[ALIAS] | {"OPTIONS": OPTIONS}
    try:
        if made_before_release(ALIAS):
            raise BackupRefused(TOO_OLD)
        loader = MigrationLoader(connections[ALIAS])
        if later := sorted(set(loader.applied_migrations) - set(loader.disk_migrations)):
            raise BackupRefused(f"This backup is from a later release, with migration {later[-1][1]}. Update first.")
        call_command("migrate", database=ALIAS, interactive=False, verbosity=0)
        yield ALIAS
    finally:
        connections[ALIAS].close()
        del connections[ALIAS]
        del connections.settings[ALIAS]


# --- Copying all rows from one database to another, as stored


def kept_models() -> list[Kept]:
    """Return the models to back up; admin accounts are left out, since they belong to one server."""
    models_here = apps.get_app_config("scoring").get_models(include_auto_created=True)
    return [model for model in models_here if model._meta.managed]


def copy_rows(source: str, target: str, progress: Progress) -> None:
    """Copy all rows to an empty database. Raises ``BackupRefused`` and rolls back if the copy differs."""
    with transaction.atomic(using=target):
        sums = {model: _copy(model, source, target, progress) for model in kept_models()}
        with connections[target].cursor() as cursor:  # rows were inserted with their ids
            for line in connections[target].ops.sequence_reset_sql(no_style(), kept_models()):
                cursor.execute(line)
        for model, expected in sums.items():
            arrived = hashlib.sha256()
            for row in _rows_of(model, target):
                arrived.update(repr(row).encode())
            if arrived.digest() != expected:
                raise BackupRefused(f"The copied rows of {model._meta.db_table} differ from the original ones.")


def _rows_of(model: Kept, alias: str) -> Iterator[tuple[Any, ...]]:
    """Yield a model's rows by primary key, with JSON as stored text, so that even unreadable values are kept."""
    stored: list[Any] = [
        Cast(field.attname, TextField()) if isinstance(field, CanonicalJSONField) else F(field.attname)
        for field in model._meta.concrete_fields
    ]
    for row in model._base_manager.using(alias).order_by("pk").values_list(*stored).iterator(AT_ONCE):
        yield tuple(value.astimezone(UTC) if isinstance(value, datetime) else value for value in row)


def _copy(model: Kept, source: str, target: str, progress: Progress) -> bytes:
    """Copy a model's rows; return the digest of the stored values."""
    fields = model._meta.concrete_fields
    packed = {field.attname for field in fields if isinstance(field, CanonicalJSONField)}
    digest, done, rest = hashlib.sha256(), 0, _rows_of(model, source)
    while rows := list(islice(rest, AT_ONCE)):
        objects = []
        for row in rows:
            digest.update(repr(row).encode())
            values = dict(zip((field.attname for field in fields), row, strict=True))
            values |= {name: StoredJSON(values[name]) for name in packed if values[name] is not None}
            objects.append(model(**values))
        # As `loaddata` does: raw, so that ``auto_now`` fields keep their values.
        model._base_manager._insert(objects, fields=fields, using=target, raw=True)  # type: ignore[attr-defined]  # missing from the stubs
        before, done = done, done + len(rows)
        if done // ROWS_BETWEEN_LINES > before // ROWS_BETWEEN_LINES:
            progress(f"  {done:,} rows of {model._meta.db_table} ...")
    if done:
        progress(f"  {done:,} rows of {model._meta.db_table}.")
    return digest.digest()


# --- Backing up while the server runs


def back_up(path: Path, progress: Progress) -> None:
    """Write a consistent backup to a new file while others write. Raises ``BackupRefused`` and leaves no file."""
    with new_file(path) as unfinished:
        if connection.vendor == "sqlite":
            with connection.cursor() as cursor:
                cursor.execute("VACUUM INTO %s", [str(unfinished)])  # as of one moment, without a separate WAL
        else:
            with transaction.atomic():
                with connection.cursor() as cursor:
                    cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")
                with database_in(unfinished) as alias:
                    copy_rows(DEFAULT_DB_ALIAS, alias, progress)
        check_file(unfinished)


# --- Restoring a backup to either database


def restore(path: Path, progress: Progress) -> None:
    """Restore a backup to this installation's empty database. Raises ``BackupRefused`` before any row is written."""
    check_file(path)
    call_command("migrate", interactive=False, verbosity=0)
    if any(model._base_manager.exists() for model in kept_models()):
        raise BackupRefused(
            "The database is not empty, and nothing in it is overwritten. "
            "Restore to a new one: set DATABASE_URL or VAR_DIR."
        )
    # Work on a copy, since a backup of an earlier release is migrated first. Put it beside the database, or in
    # ``VAR_DIR``: the usual folder of temporary files may be in memory.
    name, on_sqlite = Path(str(connection.settings_dict["NAME"])), connection.vendor == "sqlite"
    room = name.parent if on_sqlite and name.is_file() else settings.VAR_DIR
    with TemporaryDirectory(prefix="restore-", dir=room) as folder:
        copy = Path(folder) / "backup.sqlite3"
        with closing(_opened(path)) as source:
            source.execute("VACUUM INTO ?", [str(copy)])
        with database_in(copy) as alias:
            if not on_sqlite:
                copy_rows(alias, DEFAULT_DB_ALIAS, progress)
        if on_sqlite:
            with closing(sqlite3.connect(copy)) as source:
                source.backup(cast(sqlite3.Connection, connection.connection))
            connection.close()
