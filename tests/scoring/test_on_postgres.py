"""What tables promise on SQLite they keep on PostgreSQL: the same tests of services, API, pages and commands again."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
SERVING = {"live", "concurrency"}
"""These start servers themselves, on both databases."""
WORDS = ("pages/test_german.py", "pages/test_rulebook.py")
"""These read words, the same ones whatever database is behind them."""
FOLDERS = sorted({test.parent.name for test in HERE.glob("*/test_*.py")} - SERVING)


@pytest.mark.parametrize("folder", FOLDERS)
def test_the_same_tests_pass(postgres, folder):
    command = [sys.executable, "-m", "pytest", "-q", "--tb=short", "-p", "no:cacheprovider", str(HERE / folder)]
    command += [f"--ignore={HERE / path}" for path in WORDS]
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    environment |= {"DATABASE_URL": postgres.url(postgres.create_database()), "TESTED_DATABASE": "postgresql"}
    done = subprocess.run(command, cwd=HERE.parent.parent, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    closing = done.stdout.splitlines()[-1]
    assert "passed" in closing
    assert "skipped" not in closing
