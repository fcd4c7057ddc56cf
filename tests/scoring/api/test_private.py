"""A private table: open to those with a link, and to no one else."""

import pytest

from tests.scoring.conftest import ACE_TRUMP, AS_ONE, OpenTable, open_table

PARTS = ["", "events/", "record/", "what-if/", "links/"]


@pytest.fixture
def table(db) -> OpenTable:
    """Ann's private table."""
    return open_table(private=True)


@pytest.mark.parametrize("part", PARTS)
def test_eve_cannot_open_anns_private_table_by_code(eve, table, part):
    answer = eve.get(f"/api/v1/tables/{table.code}/{part}", headers=AS_ONE)
    nothing = eve.get(f"/api/v1/tables/ZZZZZZZZ/{part}", headers=AS_ONE)
    assert answer.status_code == nothing.status_code == 404
    assert answer.json() == nothing.json()


def test_a_table_can_be_opened_as_private(eve):
    made = eve.post("/api/v1/tables/", ACE_TRUMP | {"private": True}).json()
    assert made["private"] is True
    assert eve.get(f"/api/v1/tables/{made['code']}/").status_code == 404
    assert eve.post("/api/v1/tables/", ACE_TRUMP | {"private": "yes"}).status_code == 400


def test_ann_can_make_her_table_public_and_private_again(ann, bob, eve, table):
    url = f"/api/v1/tables/{table.code}/"
    assert bob.patch(url, {"private": False}).status_code == 403
    assert ann.patch(url, {"private": False}).json()["private"] is False
    assert eve.get(url).status_code == 200
    assert ann.patch(url, {"private": True}).status_code == 200
    assert eve.get(url).status_code == 404
    assert ann.patch(url, {}).json()["private"] is True
    assert ann.patch(url, {"private": 1}).status_code == 400
    assert ann.patch(url, {"colour": "red"}).status_code == 400
