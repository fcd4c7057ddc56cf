"""CONTRIBUTING's instructions for a field, page, component, endpoint and statistic work: a copy of the tree gets
them all.
"""

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parent.parent
PAGE = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
SECTIONS = dict(re.findall(r"^## ([^\n]+)\n(.*?)(?=^## |\Z)", PAGE, re.DOTALL | re.MULTILINE))
Changes = dict[str, list[str]]
"""Blocks of changed lines by file: each begins with a space, ``+`` or ``-``."""


def changes_in(section: str) -> Changes:
    """Return the changes of a section of the page."""
    found: Changes = {}
    for block in re.findall(r"^```diff\n(.*?)^```", SECTIONS[section], re.DOTALL | re.MULTILINE):
        for path, lines in re.findall(r"^\+\+\+ (\S+)\n(.*?)(?=^\+\+\+ |\Z)", block, re.DOTALL | re.MULTILINE):
            found.setdefault(path, []).extend(lines.split("@@\n"))
    return found


def take_in(copy: Path, changes: Changes) -> None:
    """Apply changes to a copy; each context a block quotes must occur exactly once."""
    for path, blocks in changes.items():
        file = copy / path
        text = file.read_text(encoding="utf-8") if file.exists() else ""
        for block in blocks:
            lines = block.splitlines(keepends=True)
            before = "".join(line[1:] or "\n" for line in lines if line[0] != "+")
            after = "".join(line[1:] or "\n" for line in lines if line[0] != "-")
            assert text.count(before) == 1 or not text, f"CONTRIBUTING names no single place in {path}:\n{before}"
            text = text.replace(before, after) if before else after
        file.write_text(text, encoding="utf-8")


def run(copy: Path, *command: str, given: str = "") -> str:
    done = subprocess.run(
        [sys.executable, *command], input=given, capture_output=True, text=True, cwd=copy, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


FIELD, ADDRESS, ENDPOINT, STATISTIC = "Adding a field", "Adding a page", "Adding an endpoint", "Adding a statistic"
COMPONENT = "Adding a component"
TRIED = """
import json, os, sys

os.environ.update(DJANGO_SETTINGS_MODULE="deploy.settings", DATABASE_URL="sqlite://:memory:")
import django
from django.test.utils import override_settings, setup_test_environment

django.setup()
setup_test_environment()
plain = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
override_settings(STORAGES={"default": plain, "staticfiles": plain}).enable()
from django.core.management import call_command
from django.test import Client

call_command("migrate", verbosity=0)
from scoring.models import SeatScore, Table
from tests.scoring.pages.conftest import Device
from tests.scoring.test_every_address import decided

api, phone, told = Client(), Device(), {}


def ask(method, path, token="", **body):
    headers = {"authorization": f"Bearer {token}"} if token else {}
    more = {"data": body, "content_type": "application/json"} if method != "get" else {}
    answer = getattr(api, method)(f"/api/v1/{path}", headers=headers, **more)
    return answer.status_code, json.loads(answer.content) if answer.content else None


TABLE = {"game": "ace-trump", "seats": ["Ann", "Bob", "Cy"], "first_dealer": 2}
opened = ask("post", "tables/", **TABLE, location=" At Ann's ")[1]
code, token = opened["code"], opened["token"]
told["opened"] = opened["location"]
told["corrected"] = ask("patch", f"tables/{code}/", token, location="The Pub")
told["refused"] = ask("patch", f"tables/{code}/", token, location="x" * 61)
told["kept"] = ask("patch", f"tables/{code}/", token, private=False)[1]["location"]
told["exported"] = ask("get", f"tables/{code}/record/?full=1", token)[1]["location"]
taken_in = ask("post", "tables/import/", **ask("get", f"tables/{code}/record/?full=1", token)[1])[1]["code"]
told["imported"] = ask("get", f"tables/{taken_in}/")[1]["location"]
told["seats"] = ask("get", f"tables/{code}/seats/")
told["page"] = phone.get(f"/t/{code}/seats/").content.decode()
with override_settings(DEBUG=True):
    told["components"] = api.get("/_components/").content.decode()
told["schema"] = api.get("/api/v1/schema/", headers={"accept": "application/json"}).content.decode()

own = Table.objects.get(code=phone.open_table().split("/")[2])
told["sent"] = phone.post(f"/t/{own.code}/names/", {"name": ["Ann", "Bob", "Cy"], "location": "Garden"}).status_code
own.refresh_from_db()
told["stored"], told["form"] = own.location, phone.get(f"/t/{own.code}/settings/").content.decode()

group = ask("post", "groups/", name="Us", people=["Ann", "Bob", "Cy"])[1]
played = ask("post", "tables/", group["token"], **TABLE)[1]
events = [{"type": "result", "tricks": [7, 3, 2]}, {"type": "result", "tricks": [2, 5, 5]}, {"type": "end"}]
for event in events:
    told.setdefault("recorded", []).append(ask("post", f"tables/{played['code']}/events/", played["token"], **event)[0])
made = ask("get", f"groups/{group['code']}/statistics/", group["token"])[1]["people"]
told["worst"] = {each["name"]: each["worst_hand"] for each in made if each["game"] == "ace-trump"}
whose = {"authorization": f"Bearer {group['token']}"}
file = api.get(f"/api/v1/groups/{group['code']}/archive/?as=statistics", headers=whose)
told["cells"] = file.content.decode()
SeatScore.objects.update(worst_hand=None)
call_command("rebuild_statistics", write=True, verbosity=0)
told["rebuilt"] = sorted(SeatScore.objects.values_list("worst_hand", flat=True))
told["decided"] = sorted(decided())
print(json.dumps(told))
"""


@pytest.fixture(scope="module")
def tried(tmp_path_factory) -> dict[str, Any]:
    """The results of a copy of the tree with all the changes."""
    copy = tmp_path_factory.mktemp("changed")
    leave = shutil.ignore_patterns("__pycache__", "golden", "*.png")
    for name in ("referee", "scoring", "deploy", "templates", "tests"):
        shutil.copytree(ROOT / name, copy / name, ignore=leave)
    shutil.copy(ROOT / "manage.py", copy)
    for section in (FIELD, ADDRESS, COMPONENT, ENDPOINT, STATISTIC):
        take_in(copy, changes_in(section))
    (copy / "scoring/migrations/0001_initial.py").unlink()
    run(copy, "manage.py", "makemigrations", "scoring", "-n", "initial", "-v", "0")
    told: dict[str, Any] = json.loads(run(copy, "-c", TRIED).splitlines()[-1])
    return told


def test_a_new_field_can_be_set_corrected_and_refused(tried):
    status, corrected = tried["corrected"]
    assert (tried["opened"], status, corrected["location"], tried["kept"]) == ("At Ann's", 200, "The Pub", "The Pub")
    status, refused = tried["refused"]
    assert (status, refused["errors"][0]["pointer"]) == (400, "/location")


def test_a_new_field_is_exported_and_imported(tried):
    assert (tried["exported"], tried["imported"]) == ("The Pub", "The Pub")


def test_a_new_field_appears_on_a_page(tried):
    assert (tried["sent"], tried["stored"]) == (302, "Garden")
    assert 'value="Garden"' in tried["form"]


def test_a_new_page_works_and_is_in_the_rights_matrix(tried):
    assert re.findall(r"<li>(\w+)</li>", tried["page"]) == ["Ann", "Bob", "Cy"]
    assert "page get seats" in tried["decided"]


def test_a_new_component_is_drawn_in_both_themes(tried):
    assert len(re.findall(r'<span class="score">.*?<b class="num">8</b>', tried["components"])) == 2


def test_a_new_endpoint_works_and_is_in_the_schema_and_rights_matrix(tried):
    assert tried["seats"] == [200, {"seats": ["Ann", "Bob", "Cy"], "dealer": 2}]
    assert {"get_seats", "SeatsOfTable"} <= set(re.findall(r"\w+", tried["schema"]))
    assert "api get table-seats" in tried["decided"]


def test_a_new_statistic_is_counted_stored_and_recomputed(tried):
    assert tried["recorded"] == [201] * 3
    assert tried["worst"] == {"Ann": 2, "Bob": 3, "Cy": 2}
    head, *rows = tried["cells"].splitlines()
    assert head.endswith(",worst_hand")
    assert sorted(row.rpartition(",")[2] for row in rows) == ["", "", "", "2", "2", "3"]
    assert tried["rebuilt"] == [2, 2, 3]
