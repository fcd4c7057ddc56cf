"""POST tables/{code}/undo/"""

import pytest

from tests.scoring.conftest import play


@pytest.fixture
def url(table):
    return f"/api/v1/tables/{table.code}/undo/"


def test_it_works(scorekeeper, table, url):
    table.record(play(0, "8MS"), play(1, "XS"))
    answer = scorekeeper.post(url, {}, format="json")
    assert answer.status_code == 201
    assert answer.json()["version"] == 3
    assert answer.json()["state"]["hand"]["to_act"] == [1]


def test_it_needs_no_body(scorekeeper, table, url):
    table.record(play(0, "8MS"))
    assert scorekeeper.post(url).status_code == 201


def test_there_may_be_nothing_to_take_back(scorekeeper, url):
    answer = scorekeeper.post(url, {}, format="json")
    assert answer.status_code == 409
    assert answer.json()["code"] == "nothing-to-undo"


def test_a_stranger_may_not(stranger, url):
    assert stranger.post(url, {}, format="json").status_code == 401
