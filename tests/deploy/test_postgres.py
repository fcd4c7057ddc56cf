"""Connections to PostgreSQL are kept, and noticed when they have gone."""

import os
import subprocess
import sys
from pathlib import Path

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


def test_a_connection_that_has_gone_is_opened_anew(postgres):
    url = postgres.url(postgres.create_database())
    environment = os.environ | {"DATABASE_URL": url, "DJANGO_SETTINGS_MODULE": "deploy.settings"}
    command = [sys.executable, "-c", STORY, url]
    subprocess.run(command, cwd=ROOT, env=environment, check=True, timeout=60)
