"""What a player's own link may do."""

import pytest

from tests.scoring.conftest import holder, open_table, play


@pytest.fixture
def url(table):
    return f"/api/v1/tables/{table.code}/events/"


def test_bob_plays_his_own_cards(bob, table, url):
    table.record(play(0, "8MS"))
    answer = bob.post(url, play(1, "XS"))
    assert answer.status_code == 201
    assert bob.get(url).json()["events"][-1]["by"] == "player-1"


@pytest.mark.parametrize(
    "event",
    [
        play(0, "8MS"),
        {"type": "note", "text": "Hm.", "seat": 1},
        {"type": "penalty", "seat": 1, "points": 5},
        {"type": "trick", "winner": 1},
        {"type": "result", "tricks": [0, 12, 0]},
        {"type": "redeal"},
        {"type": "end"},
    ],
    ids=lambda event: event["type"],
)
def test_bob_does_nothing_else(bob, table, url, event):
    answer = bob.post(url, event)
    assert (answer.status_code, answer.json()["code"]) == (403, "not-your-seat")
    assert table.row.version == 0


def test_a_batch_is_his_own_as_a_whole_or_not_taken(bob, table, url):
    answer = bob.post(url, {"events": [play(1, "XS", accepted=True), play(2, "XM")]})
    assert answer.status_code == 403
    assert table.row.version == 0


def test_the_rules_hold_for_him_too(bob, url):
    answer = bob.post(url, play(1, "XS"))
    assert (answer.status_code, answer.json()["code"]) == (409, "out-of-turn")


def test_he_bids_for_himself(db):
    table = open_table(options={"bidding": True})
    bob = holder(table.link("player", 0))
    answer = bob.post(f"/api/v1/tables/{table.code}/events/", {"type": "bid", "seat": 0, "tricks": 3})
    assert answer.status_code == 201, answer.json()


def test_he_takes_back_what_he_did_last(bob, table):
    undo = f"/api/v1/tables/{table.code}/undo/"
    table.record(play(0, "8MS"))
    assert bob.post(undo, {}).json()["code"] == "not-your-seat"
    table.record(play(1, "XS"))
    assert bob.post(undo, {}).status_code == 201
    table.record(play(1, "XS"), play(2, "XM"))
    assert bob.post(undo, {}).status_code == 403
    assert table.row.version == 5


def test_he_changes_nothing_about_the_table(bob, table):
    url = f"/api/v1/tables/{table.code}/"
    assert bob.patch(url, {"private": True}).status_code == 403
    assert bob.post(f"{url}continue/", {"seats": ["Bob"]}).status_code == 403


def test_no_play_settles_a_finding_whoever_records_it(bob, scorekeeper, table, url):
    table.record(play(0, "8MS"))
    marked = play(1, "XS", x_settles=[0, 0])
    for sender in (bob, scorekeeper):
        answer = sender.post(url, marked)
        assert (answer.status_code, answer.json()["errors"][0]["pointer"]) == (422, "/x_settles")
    several = bob.post(url, {"events": [play(1, "XS"), {"type": "note", "text": "Done.", "x_settles": [0, 0]}]})
    assert several.status_code in (403, 422), several.json()
    assert table.row.version == 1
