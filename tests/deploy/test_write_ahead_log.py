"""The log of SQLite, carried over into the file when nobody writes, so that the file alone is a copy."""

import sqlite3
import time
from contextlib import closing

from tests.deploy.managing import kill
from tests.scoring.live.driving import serving


def log_size(path):
    log = path.with_name(path.name + "-wal")
    return log.stat().st_size if log.exists() else 0


def tables_in_a_copy(path, folder):
    copy = folder / "copy.sqlite3"
    copy.write_bytes(path.read_bytes())
    with closing(sqlite3.connect(copy)) as database:
        return database.execute("SELECT code FROM scoring_table").fetchall()


def test_a_quiet_log_is_carried_over(tmp_path):
    path = tmp_path / "db.sqlite3"
    with serving(tmp_path) as server:
        table = server.open_table()
        assert log_size(path) > 0
        deadline = time.monotonic() + 60
        while log_size(path):
            assert time.monotonic() < deadline
            time.sleep(0.1)
        assert tables_in_a_copy(path, tmp_path) == [(table.code,)]
        with closing(sqlite3.connect(path)) as reader:
            reader.execute("BEGIN")
            reader.execute("SELECT * FROM scoring_table").fetchall()
            server.note(table)
            assert server.note(table) == 2, "nobody waits for who reads"


def test_who_is_stopped_leaves_everything_in_the_file(tmp_path):
    with serving(tmp_path) as server:
        table = server.open_table()
        assert server.stop() == 0
    assert log_size(tmp_path / "db.sqlite3") == 0
    assert tables_in_a_copy(tmp_path / "db.sqlite3", tmp_path) == [(table.code,)]


def test_who_is_killed_loses_nothing(tmp_path):
    with serving(tmp_path) as server:
        table = server.open_table()
        noted = server.note(table)
        kill(server.process)
    with serving(tmp_path) as server:
        assert server.note(table) == noted + 1
