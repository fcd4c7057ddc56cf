"""The log of SQLite, carried over into the file when nobody writes."""

import os
import sqlite3
import time
from contextlib import closing

import pytest

from deploy.write_ahead_log import WriteAheadLog


@pytest.fixture
def written(tmp_path):
    """A database that somebody has open and has written to."""
    path = tmp_path / "db.sqlite3"
    with closing(sqlite3.connect(path)) as database:
        database.execute("PRAGMA journal_mode=WAL")
        database.execute("CREATE TABLE cards (name)")
        database.commit()
        yield path


def log_size(path):
    return path.with_name(path.name + "-wal").stat().st_size


def test_a_quiet_log_is_carried_over(written):
    log = WriteAheadLog({"ENGINE": "deploy.sqlite", "NAME": str(written)})
    log.look()
    assert log_size(written) > 0
    past = time.time() - 60
    os.utime(written.with_name("db.sqlite3-wal"), (past, past))
    log.look()
    assert log_size(written) > 0  # it was looked at a moment ago
    log._due = 0
    log.look()
    assert log_size(written) == 0
    assert b"CREATE TABLE cards" in written.read_bytes()


def test_who_is_reading_is_not_disturbed(written):
    with closing(sqlite3.connect(written)) as reader:
        reader.execute("BEGIN")
        reader.execute("SELECT * FROM cards").fetchall()
        WriteAheadLog({"ENGINE": "deploy.sqlite", "NAME": str(written)}).carry_over()
        assert reader.execute("SELECT * FROM cards").fetchall() == []


@pytest.mark.parametrize(
    "database",
    [
        {"ENGINE": "deploy.postgres", "NAME": "cards"},
        {"ENGINE": "deploy.sqlite", "NAME": "file::memory:?cache=shared"},
        {"ENGINE": "deploy.sqlite", "NAME": "/nowhere/db.sqlite3"},
    ],
)
def test_where_there_is_no_log_nothing_is_done(database):
    log = WriteAheadLog(database)
    log.look()
    log.carry_over()
