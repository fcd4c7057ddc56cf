"""All rows of one database written to another one, as they are stored."""

import hashlib
from collections.abc import Callable, Iterable, Iterator
from datetime import UTC, datetime
from itertools import islice
from typing import Any, TypeVar

from django.apps import apps
from django.core.management.color import no_style
from django.db import connections, models, transaction
from django.db.models import F, TextField
from django.db.models.functions import Cast

from scoring.models.fields import CanonicalJSONField, StoredJSON
from scoring.services.backup.exceptions import BackupRefused

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
