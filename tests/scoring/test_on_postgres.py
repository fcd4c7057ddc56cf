"""What tables promise on SQLite they keep on PostgreSQL: the same tests of services, API, pages and commands again."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.seeds import AGAIN

HERE = Path(__file__).resolve().parent
SERVING = {"live", "concurrency"}
"""These start servers themselves, on both databases."""
ALIKE = (
    "api/test_documentation.py",
    "pages/test_ask.py",
    "pages/test_german.py",
    "pages/test_install.py",
    "pages/test_rulebook.py",
    "services/test_cost.py",
)
"""These read words that are in no table, or count the work of the referee: the same whatever database there is."""
FOLDERS = sorted({test.parent.name for test in HERE.glob("*/test_*.py")} - SERVING)


@pytest.mark.parametrize("folder", FOLDERS)
def test_the_same_tests_pass(postgres, folder):
    command = [sys.executable, "-m", "pytest", "-q", "--tb=short", "-p", "no:cacheprovider", str(HERE / folder)]
    command += [f"--ignore={HERE / path}" for path in ALIKE]
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    environment |= {"DATABASE_URL": postgres.url(postgres.create_database()), "TESTED_DATABASE": "postgresql"}
    environment["HYPOTHESIS_PROFILE"] = AGAIN
    done = subprocess.run(command, cwd=HERE.parent.parent, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    closing = done.stdout.splitlines()[-1]
    assert "passed" in closing
    assert "skipped" not in closing
