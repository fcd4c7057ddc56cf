"""A finding says the rows of its events and how it was settled; a row of the log says where it stands, and whose."""

from uuid import uuid4

import pytest

from tests.scoring.conftest import holder, open_table, play

pytestmark = pytest.mark.django_db

REVOKE = (play(0, "8MS"), play(1, "AW"), play(2, "XM"), {"type": "note", "text": "Hm."}, play(1, "9MS"))
PROOF = play(1, "9MS")


def findings(client, table):
    return client.get(f"/api/v1/tables/{table.code}/").json()["state"]["hands"][0]["irregularities"]


def log(client, table):
    return client.get(f"/api/v1/tables/{table.code}/events/").json()["events"]


@pytest.fixture
def revoked():
    """A table at which Bob showed a Moon after he had followed no Moon."""
    table = open_table()
    table.record(*REVOKE)
    return table


def test_a_finding_names_its_rows(revoked, stranger):
    (found,) = findings(stranger, revoked)
    assert (found["code"], found["event"], found["seq"]) == ("revoke", [0, 1], 2)
    assert (found["proved_by"], found["proved_by_seq"], found["settled"]) == ([[0, 4]], [5], None)


def test_rows_stay_when_positions_move(revoked, scorekeeper):
    client = holder(revoked.token)
    revoked.undo()
    client.post(f"/api/v1/tables/{revoked.code}/amendments/", {"seq": 4, "event": None})
    assert client.post(f"/api/v1/tables/{revoked.code}/events/", PROOF).status_code == 201
    (found,) = findings(client, revoked)
    assert (found["proved_by"], found["proved_by_seq"]) == ([[0, 3]], [8])
    places = {row["seq"]: row["position"] for row in log(client, revoked)}
    assert places == {1: [0, 0], 2: [0, 1], 3: [0, 2], 4: None, 5: None, 6: None, 7: None, 8: [0, 3]}


def test_letting_it_stand_is_an_event_that_settles_it(revoked):
    client = holder(revoked.token)
    (found,) = findings(client, revoked)
    (stand,) = [remedy for remedy in found["remedies"] if remedy["code"] == "stand"]
    (note,) = stand["events"]
    assert (note["type"], note["seat"], note["x_settles"]) == ("note", 1, [0, 1])
    assert client.post(f"/api/v1/tables/{revoked.code}/events/", {"events": stand["events"]}).status_code == 201
    settled = findings(client, revoked)[0]["settled"]
    assert (settled["how"], settled["seq"], settled["by"], settled["name"]) == ("note", 6, "scorekeeper", "")
    assert settled["at"]
    client.post(f"/api/v1/tables/{revoked.code}/undo/")
    assert findings(client, revoked)[0]["settled"] is None


def test_every_remedy_that_can_be_carried_out_now_is_taken_as_it_stands(revoked):
    client = holder(revoked.token)
    for remedy in findings(client, revoked)[0]["remedies"]:
        if remedy["events"]:
            answer = client.post(f"/api/v1/tables/{revoked.code}/events/?dry_run=1", {"events": remedy["events"]})
            assert answer.status_code == 200, (remedy, answer.json())


# -- names of links -------------------------------------------------------------------------


def test_a_link_has_a_name_that_the_log_keeps(table, scorekeeper):
    address = f"/api/v1/tables/{table.code}/links/"
    made = scorekeeper.post(address, {"role": "player", "seat": 0, "name": " Ann’s phone "}).json()
    assert made["name"] == "Ann’s phone"
    ann = holder(made["token"])
    assert ann.post(f"/api/v1/tables/{table.code}/events/", play(0, "AM")).status_code == 201
    (row,) = log(ann, table)
    assert (row["by"], row["who"]) == ("player-0", {"role": "player", "seat": 0, "name": "Ann’s phone"})


def test_a_link_is_renamed_and_what_it_did_is_not(table, scorekeeper):
    address = f"/api/v1/tables/{table.code}/links/"
    made = scorekeeper.post(address, {"role": "player", "seat": 0, "name": "Ann"}).json()
    holder(made["token"]).post(f"/api/v1/tables/{table.code}/events/", play(0, "AM"))
    key = {"Idempotency-Key": str(uuid4())}
    one = f"{address}{made['id']}/"
    for _ in range(2):
        assert scorekeeper.patch(one, {"name": "Anna"}, headers=key).json()["name"] == "Anna"
    assert [link["name"] for link in scorekeeper.get(address).json()["links"]] == ["", "Anna"]
    assert [row["who"]["name"] for row in log(scorekeeper, table)] == ["Ann"]
    assert scorekeeper.patch(one, {}).json()["code"] == "missing-key"
    assert scorekeeper.patch(one, {"name": "\u200b"}).status_code in (400, 422)
    assert scorekeeper.patch(f"{address}99999/", {"name": "x"}).status_code == 404
    assert holder(made["token"]).patch(one, {"name": "x"}).status_code == 403
