"""Start-up of a process before its first request, and what it leaves on disk."""

import gc
import os
import sqlite3
import sys
from contextlib import closing, suppress
from pathlib import Path

import django
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.urls import get_resolver

NEW_OBJECTS = 10_000
"""Allocations between garbage collections.

Python's default, 700, is reached within one request: collecting took a fifth of the time needed to record a card and
freed little, since reference counting frees nearly all objects.
"""


def set_up() -> None:
    """Load the settings, exiting with a message if one is invalid. Also sets a private umask."""
    os.umask(0o077)
    try:
        django.setup(set_prefix=False)
    except ImproperlyConfigured as problem:
        sys.exit(f"A setting is wrong: {problem}")


def metrics_are_kept() -> bool:
    """Return whether a parent process collects and serves metrics."""
    return "PROMETHEUS_MULTIPROC_DIR" in os.environ


def load_all() -> None:
    """Import all views and exempt them from garbage collection, which took 5% of the start-up time."""
    gc.disable()
    _ = get_resolver().url_patterns
    gc.freeze()
    gc.enable()
    gc.set_threshold(NEW_OBJECTS)


SECONDS_TO_WAIT = 0.2  # for current readers and writers of the database


def checkpoint() -> None:
    """Checkpoint SQLite's WAL, so that a copy of the database file alone is complete; not if the database is locked."""
    database = settings.DATABASES["default"]
    if database["ENGINE"] == "django.db.backends.sqlite3" and Path(database["NAME"]).exists():
        with suppress(sqlite3.Error), closing(sqlite3.connect(database["NAME"], timeout=SECONDS_TO_WAIT)) as connection:
            connection.execute("PRAGMA synchronous=FULL")
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
