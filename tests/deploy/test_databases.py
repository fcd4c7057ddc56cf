"""SQLite's database file and write-ahead log."""

import sqlite3
import stat
import time
from contextlib import closing

from tests.deploy.managing import kill, manage
from tests.scoring.live.driving import serving

# --- Only the owner can read the database


def modes(folder):
    return {path.name: stat.S_IMODE(path.stat().st_mode) for path in folder.iterdir()}


def test_other_users_cannot_read_a_new_database(tmp_path):
    assert manage("migrate", VAR_DIR=tmp_path / "var").returncode == 0
    assert stat.S_IMODE((tmp_path / "var").stat().st_mode) == 0o700
    assert modes(tmp_path / "var") == {"db.sqlite3": 0o600, "secret_key": 0o600}


def test_only_the_owner_can_read_the_servers_files(tmp_path):
    with serving(tmp_path / "var", f"sqlite:///{tmp_path}/cards.sqlite3") as server:
        server.open_table()
        assert {name: mode for name, mode in modes(tmp_path).items() if "sqlite3" in name} == {
            f"cards.sqlite3{ending}": 0o600 for ending in ("", "-wal", "-shm")
        }


# --- SQLite's write-ahead log, checkpointed when idle, so that the file alone is a copy


def log_size(path):
    log = path.with_name(path.name + "-wal")
    return log.stat().st_size if log.exists() else 0


def tables_in_a_copy(path, folder):
    copy = folder / "copy.sqlite3"
    copy.write_bytes(path.read_bytes())
    with closing(sqlite3.connect(copy)) as database:
        return database.execute("SELECT code FROM scoring_table").fetchall()


def test_the_write_ahead_log_is_checkpointed_when_idle(tmp_path):
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


def test_a_stopped_server_leaves_everything_in_the_file(tmp_path):
    with serving(tmp_path) as server:
        table = server.open_table()
        assert server.stop() == 0
    assert log_size(tmp_path / "db.sqlite3") == 0
    assert tables_in_a_copy(tmp_path / "db.sqlite3", tmp_path) == [(table.code,)]


def test_a_killed_process_loses_nothing(tmp_path):
    with serving(tmp_path) as server:
        table = server.open_table()
        noted = server.note(table)
        kill(server.process)
    with serving(tmp_path) as server:
        assert server.note(table) == noted + 1
