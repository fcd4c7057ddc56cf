"""Everything of an installation in one file, taken while it runs, and put back on either database."""

import hashlib
import os
import sqlite3
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager, suppress
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, TypeVar, cast

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

# --- Why a backup was not made, or not put back


class BackupRefused(Exception):  # noqa: N818 - it is the answer to a request
    """Nothing was changed; the text says why, in a sentence for whoever runs the service."""


# --- Files that are there whole or not at all, and databases in them

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


# --- All rows of one database written to another one, as they are stored

Row = tuple[Any, ...]
Kept = type[models.Model]
Progress = Callable[[str], None]
T = TypeVar("T")
AT_ONCE = 500
"""Rows that are read, and written, at once."""
ROWS_BETWEEN_LINES = 100_000


def kept_models() -> list[Kept]:
    """Return every model of ours that has rows of its own; accounts of Django's admin belong to one installation."""
    models_here = apps.get_app_config("scoring").get_models(include_auto_created=True)
    return [model for model in models_here if model._meta.managed]


def has_rows(alias: str) -> bool:
    """Return whether anything is kept in a database."""
    return any(model._base_manager.using(alias).exists() for model in kept_models())


def copy_rows(source: str, target: str, progress: Progress) -> None:
    """Write all rows of one database to another one that has none, and compare what stands there then.

    Raises ``BackupRefused`` where it is not the same; then nothing was written.
    """
    with transaction.atomic(using=target):
        sums = {model: _copy(model, source, target, progress) for model in kept_models()}
        _reset_sequences(target)
        for model, expected in sums.items():
            if checksum(model, target) != expected:
                raise BackupRefused(f"The rows of {model._meta.db_table} did not arrive as they were.")


def checksum(model: Kept, alias: str) -> str:
    """Return a digest of all rows of a model, each value as it is stored."""
    digest = hashlib.sha256()
    for row in rows_of(model, alias):
        digest.update(repr(row).encode())
    return digest.hexdigest()


def rows_of(model: Kept, alias: str) -> Iterator[Row]:
    """Yield the rows of a model in the order of their keys, JSON as its text: what cannot be read is kept, too."""
    stored = [_as_stored(field) for field in model._meta.concrete_fields]
    rows = model._base_manager.using(alias).order_by("pk").values_list(*stored)
    return (tuple(map(_everywhere_alike, row)) for row in rows.iterator(AT_ONCE))


def _as_stored(field: Any) -> Any:
    return Cast(field.attname, TextField()) if isinstance(field, CanonicalJSONField) else F(field.attname)


def _everywhere_alike(value: Any) -> Any:
    return value.astimezone(UTC) if isinstance(value, datetime) else value


def _copy(model: Kept, source: str, target: str, progress: Progress) -> str:
    """Write the rows of a model, and return the digest of what was read."""
    fields = model._meta.concrete_fields
    digest, done = hashlib.sha256(), 0
    for rows in _in_batches(rows_of(model, source)):
        for row in rows:
            digest.update(repr(row).encode())
        objects = [
            model(**{field.attname: _value(field, value) for field, value in zip(fields, row, strict=True)})
            for row in rows
        ]
        # As `loaddata` writes: a moment that a model notes by itself stays what it was.
        model._base_manager._insert(objects, fields=fields, using=target, raw=True)  # type: ignore[attr-defined]  # the stubs know none
        if (done + len(rows)) // ROWS_BETWEEN_LINES > done // ROWS_BETWEEN_LINES:
            progress(f"  {done + len(rows):,} rows of {model._meta.db_table} ...")
        done += len(rows)
    if done:
        progress(f"  {done:,} rows of {model._meta.db_table}.")
    return digest.hexdigest()


def _value(field: Any, value: Any) -> Any:
    return StoredJSON(value) if isinstance(field, CanonicalJSONField) and value is not None else value


def _in_batches(rows: Iterable[T]) -> Iterator[list[T]]:
    rest = iter(rows)
    while batch := list(islice(rest, AT_ONCE)):
        yield batch


def _reset_sequences(alias: str) -> None:
    """Have new rows numbered on from those that were written with their numbers."""
    connection = connections[alias]
    with connection.cursor() as cursor:
        for line in connection.ops.sequence_reset_sql(no_style(), kept_models()):
            cursor.execute(line)


# --- Taking a backup, beside a server that goes on

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


# --- Putting a backup back, on whichever database this installation has

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
