"""What a pocket consists of, run by its own Python in Node: it starts by itself, and judges as a server does."""

import hashlib
import json
import os
import random
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from deploy.pocket.build import BUDGET, PYODIDE, node, size_of, stay_small
from referee.engine.game import all_games
from tests.games.discovery import golden_of

pytestmark = pytest.mark.slow
SCRIPT = Path(__file__).parent / "python.mjs"
JUDGE = """
import json
from deploy.pocket import phone
phone.set_up("/", "UTC")
from referee.notation import read_text, split_sheet, write_sheet
wrong = []
for name, text in json.loads(given):
    if split_sheet(text)[1] != write_sheet(read_text(text)):
        wrong.append(name)
json.dumps(wrong)
"""
EVERYTHING = """
import importlib, json, pkgutil, sys
from deploy.pocket import phone
phone.set_up("/cards/", "Europe/Berlin")
for package in ("referee", "scoring", "deploy"):
    found = importlib.import_module(package)
    for module in pkgutil.walk_packages(found.__path__, f"{package}."):
        if "migrations" not in module.name and not module.name.endswith(("settings", "backup")):
            importlib.import_module(module.name)
json.dumps(sorted({name.split(".")[0] for name in sys.modules} & set(json.loads(given))))
"""
SERVERS = ("psycopg", "gunicorn", "uvicorn", "servestatic", "rest_framework", "drf_spectacular", "prometheus_client")


def run(built, code, given, *, raw=False):
    done = subprocess.run(
        [node(), SCRIPT, built, PYODIDE, code],
        input=given if raw else json.dumps(given),
        capture_output=True,
        text=True,
        timeout=600,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    return json.loads(done.stdout)


def test_every_bundled_module_imports_without_server_code(built):
    assert run(built, EVERYTHING, SERVERS) == []


def test_golden_records_are_judged_alike(built):
    golden = [(f"{each.folder}/{each.name}", each.text) for game in all_games() for each in golden_of(game.id)]
    assert len(golden) > 50
    assert run(built, JUDGE, golden) == []


def test_the_build_stays_within_its_size_budget(built):
    assert BUDGET <= 12_000_000
    assert size_of(built) <= BUDGET


def test_a_build_above_the_budget_fails(built, tmp_path):
    (tmp_path / "incompressible").write_bytes(random.Random(0).randbytes(BUDGET))
    with pytest.raises(SystemExit, match="More than 12 MB"):
        stay_small(tmp_path)
    stay_small(built)


def contents(pocket):
    return {
        str(path.relative_to(pocket)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(pocket.rglob("*"))
        if path.is_file()
    }


def test_builds_are_reproducible(built, tmp_path):
    """Hash seeds, directories and Python's caches differ between the builds."""
    again = tmp_path / "again"
    environment = {**os.environ, "PYTHONHASHSEED": "7", "TMPDIR": str(tmp_path), "TZ": "Asia/Tokyo", "LANG": "de_DE"}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    subprocess.run([sys.executable, "-m", "deploy.pocket.build", again], check=True, env=environment)
    assert contents(again) == contents(built)
    shutil.rmtree(again)


def test_every_part_comes_with_its_license(built):
    licenses = (built / "licenses.txt").read_text()
    for part in ("Pyodide", "Mozilla Public License", "CPython", "Django", "Jinja2", "MarkupSafe", "htmx", "tzdata"):
        assert part in licenses
    assert "https://github.com/pyodide/pyodide" in licenses
