"""The database of a table is its owner's alone."""

import stat

from tests.deploy.managing import manage
from tests.scoring.live.driving import serving


def modes(folder):
    return {path.name: stat.S_IMODE(path.stat().st_mode) for path in folder.iterdir()}


def test_nobody_else_may_read_it(tmp_path):
    assert manage("migrate", VAR_DIR=tmp_path / "var").returncode == 0
    assert stat.S_IMODE((tmp_path / "var").stat().st_mode) == 0o700
    assert modes(tmp_path / "var") == {"db.sqlite3": 0o600, "secret_key": 0o600}


def test_nobody_else_may_read_what_a_server_writes(tmp_path):
    with serving(tmp_path / "var", f"sqlite:///{tmp_path}/cards.sqlite3") as server:
        server.open_table()
        assert {name: mode for name, mode in modes(tmp_path).items() if "sqlite3" in name} == {
            f"cards.sqlite3{ending}": 0o600 for ending in ("", "-wal", "-shm")
        }
