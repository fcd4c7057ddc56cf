"""Connections to PostgreSQL: kept open, reopened when lost, and free of deadlocks."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

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
