"""A private table: for who was given a link, and for nobody else."""

import pytest

from tests.scoring.conftest import ACE_TRUMP, AS_ONE, OpenTable, holder, open_table, play

PARTS = ["", "events/", "record/", "what-if/", "stream/", "links/"]


@pytest.fixture
def table(db) -> OpenTable:
    """Ann's private table."""
    return open_table(private=True)


@pytest.mark.parametrize("part", [part for part in PARTS if part != "stream/"])
def test_eve_cannot_open_anns_private_table_by_code(eve, table, part):
    answer = eve.get(f"/api/v1/tables/{table.code}/{part}", headers=AS_ONE)
    nothing = eve.get(f"/api/v1/tables/ZZZZZZZZ/{part}", headers=AS_ONE)
    assert answer.status_code == nothing.status_code == 404
    assert answer.json() == nothing.json()


@pytest.mark.parametrize(("part", "body"), [("events/", play(0, "8MS")), ("undo/", {}), ("links/", {"role": "player"})])
def test_eve_cannot_write_there_either(eve, table, part, body):
    wrong = holder("a-token-of-nothing")
    for client in (eve, wrong):
        assert client.post(f"/api/v1/tables/{table.code}/{part}", body).status_code == 404
    assert eve.patch(f"/api/v1/tables/{table.code}/", {"private": False}).status_code == 404


@pytest.mark.parametrize("who", ["ann", "bob", "dee"])
@pytest.mark.parametrize("part", ["", "events/", "record/"])
def test_every_link_opens_it(request, table, who, part):
    assert request.getfixturevalue(who).get(f"/api/v1/tables/{table.code}/{part}").status_code == 200


def test_dee_only_looks(dee, table):
    answer = dee.post(f"/api/v1/tables/{table.code}/events/", play(0, "8MS"))
    assert (answer.status_code, answer.json()["code"]) == (403, "permission-denied")
    assert dee.post(f"/api/v1/tables/{table.code}/undo/", {}).status_code == 403
    assert dee.patch(f"/api/v1/tables/{table.code}/", {"private": False}).status_code == 403


def test_a_table_is_opened_private(eve):
    made = eve.post("/api/v1/tables/", ACE_TRUMP | {"private": True}).json()
    assert made["private"] is True
    assert eve.get(f"/api/v1/tables/{made['code']}/").status_code == 404
    assert eve.post("/api/v1/tables/", ACE_TRUMP | {"private": "yes"}).status_code == 400


def test_ann_opens_and_closes_it(ann, bob, eve, table):
    url = f"/api/v1/tables/{table.code}/"
    assert bob.patch(url, {"private": False}).status_code == 403
    assert ann.patch(url, {"private": False}).json()["private"] is False
    assert eve.get(url).status_code == 200
    assert ann.patch(url, {"private": True}).status_code == 200
    assert eve.get(url).status_code == 404
    assert ann.patch(url, {}).json()["private"] is True
    assert ann.patch(url, {"private": 1}).status_code == 400
    assert ann.patch(url, {"colour": "red"}).status_code == 400


def test_a_revoked_link_no_longer_opens_it(ann, table):
    url = f"/api/v1/tables/{table.code}/"
    made = ann.post(f"{url}links/", {"role": "spectator"}).json()
    friend = holder(made["token"])
    assert friend.get(url).status_code == 200
    ann.delete(f"{url}links/{made['id']}/")
    assert friend.get(url).status_code == 404
