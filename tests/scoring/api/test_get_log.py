"""GET tables/{code}/events/"""

import pytest

from tests.scoring.conftest import play


@pytest.fixture
def url(table):
    return f"/api/v1/tables/{table.code}/events/"


def test_it_works(stranger, table, url):
    table.record(play(0, "8MS"), play(1, "XS"), by="scorekeeper")
    table.undo(by="scorekeeper")
    told = stranger.get(url).json()
    assert told["version"] == 3
    first, second, back = told["events"]
    assert (first["seq"], first["event"], first["amended_by"], first["by"]) == (1, play(0, "8MS"), None, "scorekeeper")
    assert (second["event"], second["amended_by"]) == (play(1, "XS"), 3)
    assert (back["event"], back["amends"]) == (None, 2)


def test_only_what_came_after(stranger, table, url):
    table.record(play(0, "8MS"), play(1, "XS"))
    assert [entry["seq"] for entry in stranger.get(url, {"after": "1"}).json()["events"]] == [2]


@pytest.mark.parametrize("after", ["-1", "soon", "1e3", "９", "9" * 30, ""])
def test_a_version_is_a_number(stranger, url, after):
    assert stranger.get(url, {"after": after}).status_code == 400
