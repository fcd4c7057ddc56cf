"""The hunt finds the tests that draw, and what it prints shows the same again."""

from pathlib import Path

from hypothesis import settings

from tests.hunt.__main__ import ROOT, Shot, hunting_grounds
from tests.seeds import FIRST


def test_every_run_of_the_tests_tries_the_same():
    assert settings.default is not None
    if settings.get_current_profile_name() == "always":
        assert settings.default.derandomize
        assert settings.default.database is None
        assert FIRST == 0


def test_laws_comparisons_and_acts_at_tables_are_hunted():
    grounds = {str(path.relative_to(ROOT)) for path in hunting_grounds()}
    assert grounds >= {
        "tests/referee/test_differential.py",
        "tests/referee/test_properties.py",
        "tests/scoring/services/test_importing.py",
        "tests/scoring/services/test_random_acts.py",
    }


def test_what_fails_is_printed_with_the_command_that_shows_it_again(tmp_path: Path):
    path = tmp_path / "test_unlucky.py"
    path.write_text(
        "import os\nfrom tests.seeds import FIRST\n"
        "def test_it():\n    assert (FIRST, os.environ['HYPOTHESIS_PROFILE']) == (8, 'hunt')\n"
    )
    assert Shot(path, 8).fire() == ""
    assert "assert (9, 'hunt') == (8, 'hunt')" in Shot(path, 9).fire()
    command = Shot(path, 9).command()
    assert command.startswith("HYPOTHESIS_PROFILE=hunt SEED=9 .venv/bin/python -m pytest -q")
    assert "--hypothesis-seed=9" in command
