"""A group with 200 tables, imported into a pocket and viewed there."""

import json

import pytest

from scoring.groups.reads.group_export import archive_of
from tests.pocket.test_in_webassembly import run
from tests.scoring.groups import make_group
from tests.scoring.statistics import random_tables

pytestmark = [pytest.mark.slow, pytest.mark.django_db]
TABLES = 200
SECONDS_TO_BRING, SECONDS_TO_SHOW, MEGABYTES = 240, 4, 400
BRING = """
import json, re, time
from deploy.pocket import phone
import pyodide_js
phone.set_up("/", "UTC")
phone.wake()
ASKED = {"accept-language": "en"}
def ask(method, path, body=b"", **headers):
    began = time.perf_counter()
    status, sent, content, _ = phone.respond(method, f"http://localhost{path}", json.dumps(ASKED | headers), body)
    return status, dict(sent), content.decode(), time.perf_counter() - began
def token(page):
    return re.search(r'name="csrfmiddlewaretoken" value="([^"]+)"', page)[1]
page = ask("GET", "/g/import/")[2]
seconds, turns = 0, 0
while True:
    parts = [('name="csrfmiddlewaretoken"', token(page)), ('name="file"; filename="group"', given)]
    head = "--cut\\r\\nContent-Disposition: form-data; "
    lines = [f"{head}{name}\\r\\n\\r\\n{value}\\r\\n" for name, value in parts] + ["--cut--\\r\\n"]
    body = "".join(lines).encode()
    status, sent, page, took = ask("POST", "/g/import/", body, **{"content-type": "multipart/form-data; boundary=cut"})
    seconds, turns = seconds + took, turns + 1
    if status == 302 or turns > 100:
        break
group = sent.get("Location", "").removesuffix("who/")
shown = {}
for path in ("", "history/", "statistics/", "settings/"):
    ask("GET", f"{group}{path}")
    status, _, page, took = ask("GET", f"{group}{path}")
    shown[path] = [status, took, len(page)]
json.dumps({"seconds": seconds, "turns": turns, "shown": shown, "memory": pyodide_js._module.HEAPU8.length / 1e6})
"""


def test_a_group_with_200_tables_can_be_imported_and_viewed(built):
    group = make_group("Ann", "Bob", "Cy", "Dot")
    assert len([*random_tables(group.row, [*group.people().values()], seed=5, count=TABLES)]) == TABLES
    archive = "".join(archive_of(group.row))
    found = run(built, BRING, archive, raw=True)
    print(json.dumps(found))
    assert found["seconds"] < SECONDS_TO_BRING
    assert found["memory"] < MEGABYTES
    for status, seconds, _ in found["shown"].values():
        assert status == 200
        assert seconds < SECONDS_TO_SHOW
