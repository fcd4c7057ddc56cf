"""The database: migrations match the models, groups are isolated, and tables behave on PostgreSQL as on SQLite."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder
from django.test.utils import CaptureQueriesContext

from scoring.operating.pages.health import what_stands
from tests.distributed.evening import Evening
from tests.scoring.conftest import open_table, play
from tests.scoring.groups import make_group, result
from tests.seeds import AGAIN

# --- Migrations match the models, and a database from before 0.1.0 is left untouched


def test_no_migration_is_missing(db):
    call_command("makemigrations", check=True, dry_run=True, verbosity=0)


def test_a_release_starts_on_a_later_releases_database(db):
    MigrationRecorder(connection).record_applied("scoring", "9999_later")
    call_command("migrate", interactive=False, verbosity=0)
    assert what_stands()["migrations"] == "ok"


def test_a_database_made_before_the_first_release_is_left_untouched(db):
    MigrationRecorder(connection).record_applied("scoring", "0002_amendments")
    with pytest.raises(CommandError, match=r"before 0\.1\.0"):
        call_command("migrate", interactive=False, verbosity=0)


# --- No act at one group or table writes rows of another


def test_no_act_writes_rows_in_two_groups(db):
    groups = [make_group(name=name) for name in ("Thursday", "Friday")]
    tables = [group.open_table() for group in groups] + [open_table()]
    for group, table in zip([*groups, None], tables, strict=True):
        others = [each for each in tables if each is not table]
        before = {each.code: rows_of(each) for each in others}
        with CaptureQueriesContext(connection) as statements:
            table.record(play(0, "8MS"))
            table.undo()
            table.record(result(4, 4, 4), {"type": "end"})
        written = [each["sql"] for each in statements if each["sql"].startswith(("INSERT", "UPDATE", "DELETE"))]
        assert written
        own = {table.row.pk}, {group.row.pk} if group else set()
        for statement in written:
            for ids, column in zip(own, ("table_id", "group_id"), strict=True):
                found = {int(number) for number in re.findall(rf'"{column}" = (\d+)', statement)}
                assert found <= ids, statement
        assert {each.code: rows_of(each) for each in others} == before


def rows_of(table):
    """Return all stored rows of a table and its group."""
    row = table.row
    kept = [(row.pk, row.version, row.updated), *row.log.values_list("seq", "event"), *row.scores.values_list()]
    return kept + ([*row.group.scores.filter(table=row).values_list()] if row.group else [])


def test_the_evening_of_the_distributed_run_plays_on_one_database(db):
    evening = Evening()
    evening.play()
    assert evening.failed == []


# --- The tests of services, API, pages and commands again

HERE = Path(__file__).resolve().parent
SERVING = {"live", "concurrency"}
"""Tests that start servers themselves, on both databases."""
ALIKE = (
    "api/test_whole_evening.py",
    "api/test_schema_fuzz.py",
    "api/test_exports.py",
    "pages/test_settle.py",
    "pages/test_any_game.py",
    "pages/test_questions.py",
    "pages/test_scene.py",
    "pages/test_dictation.py",
    "pages/test_felt.py",
    "pages/test_german.py",
    "pages/test_house_rules.py",
    "pages/test_replay.py",
    "services/test_cost.py",
)
"""Tests that need no second run: they check texts, rendering or request parsing, or count the referee's work, which
does not depend on the database, and what they record is covered by services and queries that run on both; or they
start servers on both themselves. A new test runs on both until it is listed here.
"""
FOLDERS = sorted({test.parent.name for test in HERE.glob("*/test_*.py")} - SERVING)


@pytest.mark.parametrize(
    "folder", [pytest.param(each, marks=[pytest.mark.smoke] * (each == "services")) for each in FOLDERS]
)
def test_the_scoring_tests_pass_on_postgresql(postgres, folder):
    command = [sys.executable, "-m", "pytest", "-q", "--tb=short", "-p", "no:cacheprovider", "-p", "no:schemathesis"]
    command.append(str(HERE / folder))
    command += [f"--ignore={HERE / path}" for path in ALIKE if path.startswith(f"{folder}/")]
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    environment |= {"DATABASE_URL": postgres.url(postgres.create_database()), "TESTED_DATABASE": "postgresql"}
    environment["HYPOTHESIS_PROFILE"] = AGAIN
    done = subprocess.run(command, cwd=HERE.parent.parent, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    closing = done.stdout.splitlines()[-1]
    assert "passed" in closing
    assert "skipped" not in closing
