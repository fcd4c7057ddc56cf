"""Tables behave on PostgreSQL as on SQLite: the tests of services, API, pages and commands again."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.seeds import AGAIN

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
    "pages/test_language.py",
    "pages/test_parts.py",
    "pages/test_replay.py",
    "services/test_choosing_at_once.py",
    "services/test_cost.py",
    "services/test_plans.py",
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
