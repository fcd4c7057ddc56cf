"""The throw-away PostgreSQL itself: it works, it is ours alone, and it leaves nothing behind."""

import os
import subprocess
import sys
from pathlib import Path

from tests.postgres import Postgres


def test_it_works(postgres):
    with postgres.connect() as connection:
        assert connection.execute("SELECT 6 * 7").fetchone() == (42,)


def test_it_listens_on_no_port(postgres):
    with postgres.connect() as connection:
        assert connection.execute("SHOW listen_addresses").fetchone() == ("",)


def test_every_database_is_new(postgres):
    first, second = postgres.create_database(), postgres.create_database()
    with postgres.connect(first) as connection:
        connection.execute("CREATE TABLE things (name text)")
    with postgres.connect(second) as connection:
        assert connection.execute("SELECT count(*) FROM pg_tables WHERE tablename = 'things'").fetchone() == (0,)


def test_the_project_migrates_on_it(postgres):
    address = postgres.url(postgres.create_database())
    root = Path(__file__).resolve().parent.parent
    command = [sys.executable, "manage.py", "migrate", "--no-input", "--verbosity", "0"]
    subprocess.run(command, cwd=root, env={**os.environ, "DATABASE_URL": address}, check=True)


def test_it_leaves_nothing_behind():
    with Postgres.started() as server:
        directory = server.directory
        assert directory.exists()
    assert not directory.exists()
