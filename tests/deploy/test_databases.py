"""Databases: the file of SQLite, and connections to PostgreSQL."""

import os
import sqlite3
import stat
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import pytest

from tests.deploy.managing import kill, manage
from tests.scoring.live.driving import NEW_TABLE, serving

# --- SQLite

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


# --- Connections to PostgreSQL: kept open, reopened when lost, and free of deadlocks

ROOT = Path(__file__).resolve().parent.parent.parent
STORY = """
import django
django.setup(set_prefix=False)
from django.db import connection
connection.ensure_connection()
assert connection.is_usable()
first = connection.connection.info.backend_pid
import psycopg, sys
with psycopg.connect(sys.argv[1], autocommit=True) as other:
    other.execute("SELECT pg_terminate_backend(%s, 5000)", [first])
assert not connection.is_usable()
connection.health_check_enabled, connection.health_check_done = True, False
with connection.cursor() as cursor:
    assert cursor.execute("SELECT 1").fetchone() == (1,)
assert connection.connection.info.backend_pid != first
"""

HELD = """
import django, psycopg, sys
django.setup(set_prefix=False)
from django.core.management import call_command
from django.db import connection
call_command("migrate", verbosity=0)
from tests.scoring.groups import make_group
group = make_group()
table = group.open_table()
table.record({"type": "result", "tricks": [6, 4, 2]})
with connection.cursor() as cursor:
    cursor.execute("SET lock_timeout = '5s'")
with psycopg.connect(sys.argv[1]) as other:
    other.execute("SELECT 1 FROM scoring_group WHERE id = %s FOR UPDATE", [group.row.pk])
    table.record({"type": "end"})
assert table.row.finished
"""


STORIES = [
    "waiters_for_group_scores_have_written_none",
    "a_later_table_ends_while_an_earlier_one_is_locked",
    "waiters_for_a_later_table_hold_no_scores",
    "a_table_continues_while_its_group_changes",
    "both_of_two_deadlocked_acts_succeed",
]


def story(postgres, text):
    url = postgres.url(postgres.create_database())
    environment = os.environ | {"DATABASE_URL": url, "DJANGO_SETTINGS_MODULE": "deploy.settings"}
    subprocess.run([sys.executable, "-c", text, url], cwd=ROOT, env=environment, check=True, timeout=60)


def test_a_lost_connection_is_reopened(postgres):
    story(postgres, STORY)


def test_ending_a_table_and_changing_its_group_do_not_deadlock(postgres):
    """Each transaction wants rows the other has locked."""
    story(postgres, HELD)


@pytest.mark.parametrize("name", STORIES)
def test_concurrent_acts_do_not_deadlock(postgres, name):
    story(postgres, f"import django; django.setup(set_prefix=False); from tests.deploy.waiting import *; run({name})")


# --- A forgotten name disappears from the database files, too, while the server runs

NAME = "Wilhelmine"


def test_a_forgotten_name_is_gone_from_the_database_files(tmp_path):
    with serving(tmp_path) as server:
        _, group = server.post("groups/", {"name": "Thursday", "people": ["Ann", NAME]})
        path = f"groups/{group['code']}/people/{group['people'][1]['id']}/"
        _, table = server.post("tables/", NEW_TABLE | {"seats": ["Ann", NAME, "Cy"]}, group["token"])
        for tricks in ([12, 0, 0], [0, 12, 0]):
            events = [{"type": "result", "tricks": tricks}, {"type": "note", "text": f"{NAME} sighs"}]
            assert server.post(f"tables/{table['code']}/events/", {"events": events}, table["token"])[0] == 201
        assert holds(tmp_path)
        assert server.delete(path, group["token"]) == 204
        assert not holds(tmp_path)


def holds(var):
    return [file.name for file in var.glob("*.sqlite3*") if NAME.lower().encode() in file.read_bytes().lower()]
