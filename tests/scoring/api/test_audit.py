"""GET tables/{code}/hands/{n}/audit/: a hand checked in full."""

from tests.scoring.api.test_held_findings import BEFORE, PROOF
from tests.scoring.conftest import holder, open_table, play


def path(table, number=1):
    return f"/api/v1/tables/{table.code}/hands/{number}/audit/"


def test_it_works(db, stranger):
    table = open_table(options={"tides": True})
    table.record(play(0, "8MS"), play(1, "XK"), play(2, "XM"))
    answer = stranger.get(path(table))
    assert answer.status_code == 200
    assert (answer.json()["complete"], answer.json()["clean"], answer.json()["plays"]) == (True, True, 3)
    assert answer.json()["verdict"]["code"] == "audit-clean"


def test_an_earlier_hand_is_checked_too(db, stranger):
    table = open_table(options={"tides": True})
    table.record(play(0, "8MS"), play(1, "XK"), play(2, "XM"))
    table.record({"type": "note", "text": "Again"}, play(1, "9MS"))
    assert stranger.get(path(table)).json()["complete"]
    assert not stranger.get(path(table, 2)).json()["complete"]


def test_there_is_no_such_hand(table, stranger):
    assert stranger.get(path(table, 2)).status_code == 404
    assert stranger.get(path(table, 0)).status_code == 404
    assert stranger.get(f"/api/v1/tables/{table.code}/hands/x/audit/").status_code == 404


def test_what_is_held_back_is_not_told(db, stranger):
    table = open_table()
    table.record(*BEFORE)
    table.record(PROOF)
    assert stranger.get(path(table)).json()["infractions"] == []
    assert stranger.get(path(table)).json()["verdict"]["code"] == "audit-so-far-clean"
    table.record({"type": "result", "tricks": [4, 5, 3]})
    (found,) = stranger.get(path(table)).json()["infractions"]
    assert (found["code"], found["certainty"], found["seat"]) == ("revoke", "proved", 1)


def test_a_private_tables_hand_is_private(stranger):
    table = open_table(private=True)
    table.record(play(0, "8MS"))
    assert stranger.get(path(table)).status_code == 404
    assert holder(table.link("spectator")).get(path(table)).status_code == 200
