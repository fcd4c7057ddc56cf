"""The database of a table is its owner's alone."""

import sqlite3
import stat
from contextlib import closing

from deploy.sqlite.base import keep_to_owner
from tests.deploy.managing import manage


def modes(folder):
    return {path.name: stat.S_IMODE(path.stat().st_mode) for path in folder.iterdir()}


def test_nobody_else_may_read_it(tmp_path):
    assert manage("migrate", VAR_DIR=tmp_path / "var").returncode == 0
    assert stat.S_IMODE((tmp_path / "var").stat().st_mode) == 0o700
    assert modes(tmp_path / "var") == {"db.sqlite3": 0o600, "secret_key": 0o600}


def test_what_an_earlier_release_left_to_all_is_taken_from_them(tmp_path):
    path = tmp_path / "db.sqlite3"
    with closing(sqlite3.connect(path)) as database:
        database.execute("PRAGMA journal_mode=WAL")
        database.execute("CREATE TABLE cards (name)")
        for file in tmp_path.iterdir():
            file.chmod(0o644)
        keep_to_owner(path)
        assert set(modes(tmp_path).values()) == {0o600}


def test_a_database_in_memory_has_no_file(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    keep_to_owner("file:memorydb_default?mode=memory&cache=shared")
    keep_to_owner(":memory:")
    assert modes(tmp_path) == {}
