"""POST tables/{code}/amendments/"""

import pytest

from scoring.services.importing import import_record
from tests.scoring.conftest import holder, play

KEY = "5f0c7f5e-7a0b-4a55-9d59-3f0a3a5c1c15"


@pytest.fixture
def url(table):
    table.record(play(0, "8MS"), play(1, "XS"), play(2, "XM"))
    return f"/api/v1/tables/{table.code}/amendments/"


def test_it_works(scorekeeper, url, table):
    body = {"seq": 3, "event": play(2, "2MK"), "reason": "misread"}
    answer = scorekeeper.post(url, body, format="json")
    assert answer.status_code == 201
    told = answer.json()
    assert told["version"] == 4
    assert told["changes"]["totals"] == [{"seat": 1, "before": 0, "after": 1}, {"seat": 2, "before": 1, "after": 0}]
    assert told["ruling"]["verdict"] == "accepted"
    assert told["state"]["totals"] == [0, 1, 0]
    assert answer["ETag"] == '"4"'


def test_a_long_log_comes_in_pieces_that_follow_each_other(scorekeeper, url, table):
    for number in range(5):
        table.record({"type": "note", "text": str(number)})
    where, seen = f"/api/v1/tables/{table.code}/events/?limit=2", []
    while where:
        answer = scorekeeper.get(where).json()
        seen += [entry["seq"] for entry in answer["events"]]
        where = answer["next"]
    assert seen == list(range(1, table.row.version + 1))
    for odd in ("0", "1001", "-1", "x"):
        assert scorekeeper.get(f"/api/v1/tables/{table.code}/events/?limit={odd}").status_code == 400


def test_the_log_tells_who_what_and_why(scorekeeper, url, table):
    scorekeeper.post(url, {"seq": 3, "event": None, "reason": "played twice"}, format="json")
    *_, old, new = scorekeeper.get(f"/api/v1/tables/{table.code}/events/").json()["events"]
    assert (old["seq"], old["event"], old["amended_by"]) == (3, play(2, "XM"), 4)
    assert (new["event"], new["amends"], new["reason"], new["by"]) == (None, 3, "played twice", "scorekeeper")


def test_a_dry_run_does_nothing(scorekeeper, url, table):
    answer = scorekeeper.post(f"{url}?dry_run=1", {"seq": 3, "event": play(2, "2MK")}, format="json")
    assert answer.status_code == 200
    told = answer.json()
    assert (told["dry_run"], told["later"], told["version"]) == (True, None, 3)
    assert told["changes"]["tricks"][0]["after"]["winner"] == 1
    assert table.row.version == 3


def test_a_later_event_that_no_longer_fits_stops_it(scorekeeper, url, table):
    table.record(play(2, "9MS"))
    body = {"seq": 3, "event": play(2, "2MK")}
    tried = scorekeeper.post(f"{url}?dry_run=1", body, format="json")
    assert tried.status_code == 200
    answer = scorekeeper.post(url, body, format="json")
    assert answer.status_code == 409
    assert answer["Content-Type"] == "application/problem+json"
    told = answer.json()
    assert told["code"] == "later-event-not-taken"
    assert told["later"] == tried.json()["later"]
    assert {key: told["later"][key] for key in ("seq", "hand", "event", "verdict")} == {
        "seq": 4,
        "hand": 1,
        "event": 3,
        "verdict": "irregular",
    }
    assert told["later"]["reason"]["code"] == "out-of-turn"
    assert table.row.version == 4


def test_an_irregular_event_needs_consent(scorekeeper, url):
    answer = scorekeeper.post(url, {"seq": 1, "event": play(1, "8MS")}, format="json")
    assert answer.status_code == 409
    assert answer.json()["code"] == "out-of-turn"
    assert answer.json()["ruling"]["verdict"] == "irregular"


def test_an_impossible_event_cannot_be(scorekeeper, url):
    answer = scorekeeper.post(url, {"seq": 3, "event": play(2, "8MS")}, format="json")
    assert answer.status_code == 422
    assert answer.json()["code"] == "already-played"
    assert answer.json()["errors"][0]["pointer"] == "/event"


def test_an_amended_row_is_not_amended_again(scorekeeper, url):
    scorekeeper.post(url, {"seq": 3, "event": None}, format="json")
    answer = scorekeeper.post(url, {"seq": 3, "event": None}, format="json")
    assert answer.status_code == 409
    assert (answer.json()["code"], answer.json()["amended_by"]) == ("already-amended", 4)


def test_a_row_that_is_not_there_cannot_be_amended(scorekeeper, url):
    answer = scorekeeper.post(url, {"seq": 9, "event": None}, format="json")
    assert answer.status_code == 422
    assert answer.json()["errors"][0] == {
        "pointer": "/seq",
        "code": "no-such-event",
        "detail": "The log of this table has no row 9.",
    }


@pytest.mark.parametrize(
    ("body", "pointer"),
    [
        ({"event": None}, "/seq"),
        ({"seq": "3", "event": None}, "/seq"),
        ({"seq": 3}, "/event"),
        ({"seq": 3, "event": {"type": "dance"}}, "/event/type"),
        ({"seq": 3, "event": [], "reason": "x"}, "/event"),
        ({"seq": 3, "event": None, "reason": 4}, "/reason"),
        ({"seq": 3, "event": None, "dry_run": False}, "/dry_run"),
        ({"seq": 3, "event": None, "why": "x"}, "/why"),
    ],
)
def test_a_malformed_body_is_refused(scorekeeper, url, body, pointer):
    answer = scorekeeper.post(url, body, format="json")
    assert answer.status_code == 400
    assert answer.json()["errors"][0]["pointer"] == pointer


def test_rows_are_counted_from_one(scorekeeper, url):
    assert scorekeeper.post(url, {"seq": 0, "event": None}, format="json").status_code == 422


def test_it_can_be_retried_and_raced(scorekeeper, url, table):
    body = {"seq": 3, "event": play(2, "2MK")}
    asked = {"HTTP_IDEMPOTENCY_KEY": KEY, "HTTP_IF_MATCH": '"3"'}
    first = scorekeeper.post(url, body, format="json", **asked)
    again = scorekeeper.post(url, body, format="json", **asked)
    assert (first.status_code, again.status_code) == (201, 201)
    assert again.json() == first.json()
    assert scorekeeper.post(url, {"seq": 4, "event": None}, format="json", HTTP_IF_MATCH='"3"').status_code == 412
    other = scorekeeper.post(url, {"seq": 4, "event": None}, format="json", HTTP_IDEMPOTENCY_KEY=KEY)
    assert other.json()["code"] == "key-reused"


def test_a_stranger_may_not(stranger, url):
    assert stranger.post(url, {"seq": 3, "event": None}, format="json").status_code == 401


def test_a_hand_of_an_imported_record_that_could_no_longer_be_dealt_stops_it(db):
    hands = [{"events": [{"type": "result", "points": [130, 100]}]}, {"events": []}]
    opened = import_record({"game": "ace-pit", "seats": ["Ann", "Bob"], "first_dealer": 0, "hands": hands})
    address = f"/api/v1/tables/{opened.table.code}/amendments/"
    answer = holder(opened.token).post(address, {"seq": 1, "event": None}, format="json")
    assert (answer.status_code, answer.json()["code"]) == (409, "later-event-not-taken")
    later = answer.json()["later"]
    assert {key: later[key] for key in ("seq", "hand", "event", "verdict")} == {
        "seq": None,
        "hand": 2,
        "event": 0,
        "verdict": "impossible",
    }
    assert answer.json()["detail"].startswith("Hand 2, which the record deals, could no longer be dealt: ")


# -- a slip that changed who won ------------------------------------------------------------------


@pytest.fixture
def slip(url, table):
    """Cy's 3MW was tapped as XM, so Cy and not Bob seemed to lead the second trick."""
    table.record(play(2, "9MS"), play(0, "4MS"))
    return {"seq": 3, "event": play(2, "3MW"), "rethread": True}


def test_later_cards_go_to_whose_turn_it_then_was(scorekeeper, url, slip, table):
    tried = scorekeeper.post(f"{url}?dry_run=1", slip, format="json").json()
    assert (tried["later"], table.row.version) == (None, 5)
    answer = scorekeeper.post(url, slip, format="json")
    assert answer.status_code == 201
    assert answer.json()["moved"] == tried["moved"] == [
        {"seq": 4, "hand": 1, "event": 3, "trick": 2, "cards": ["9MS"], "from": 2, "to": 1},
        {"seq": 5, "hand": 1, "event": 4, "trick": 2, "cards": ["4MS"], "from": 0, "to": 2},
    ]  # fmt: skip
    assert answer.json()["changes"] == tried["changes"]
    assert [(c["before"]["winner"], c["after"]["winner"]) for c in tried["changes"]["tricks"]][:1] == [(2, 1)]
    record = scorekeeper.get(f"/api/v1/tables/{table.code}/record/").json()
    assert [event["seat"] for event in record["hands"][0]["events"]] == [0, 1, 2, 1, 2]
    text = scorekeeper.get(f"/api/v1/tables/{table.code}/record/?as=text").content.decode()
    assert "2. Bob 9MS, Cy 4MS" in text


def test_several_rows_are_amended_together(scorekeeper, url, slip, table):
    body = slip | {"also": [{"seq": 4, "event": play(2, "6MW")}, {"seq": 5, "event": None}]}
    assert scorekeeper.post(url, body, format="json").status_code == 201
    record = scorekeeper.get(f"/api/v1/tables/{table.code}/record/").json()
    assert record["hands"][0]["events"][2:] == [play(2, "3MW"), play(1, "6MW")]


def test_without_threading_nothing_moves(scorekeeper, url, slip):
    answer = scorekeeper.post(url, slip | {"rethread": False}, format="json")
    assert answer.json()["code"] == "later-event-not-taken"
    answer = scorekeeper.post(url, {"seq": 5, "event": play(0, "6MW")}, format="json")
    assert answer.json()["moved"] == []


def test_what_cannot_be_threaded_is_named(scorekeeper, url, slip, table):
    table.record(play(1, "5SW"), play(2, "3MW"))
    answer = scorekeeper.post(url, slip, format="json")
    assert (answer.status_code, answer.json()["code"]) == (409, "later-event-not-taken")
    later = answer.json()["later"]
    assert (later["seq"], later["event"], later["reason"]["code"]) == (7, 6, "already-played")
    assert later["reason"]["clauses"]


@pytest.mark.parametrize(
    ("also", "pointer"),
    [
        ({}, "/also"),
        ([7], "/also/0"),
        ([{"seq": 2}], "/also/0/event"),
        ([{"seq": 2, "event": None, "dry_run": True}], "/also/0/dry_run"),
        ([{"seq": 2, "event": play(1, "8MS")}], "/also/0/event"),
        ([{"seq": 2, "event": None}] * 2001, "/also"),
    ],
)
def test_what_is_wrong_in_further_changes_is_pointed_at(scorekeeper, url, slip, also, pointer):
    answer = scorekeeper.post(url, slip | {"also": also}, format="json")
    assert answer.status_code in (400, 422)
    assert answer.json()["errors"][0]["pointer"] == pointer


@pytest.mark.parametrize("order", [(1, 2, 3), (3, 1, 2), (2, 3, 1)])
def test_cards_that_changed_places_are_put_right_whichever_comes_first(scorekeeper, url, slip, table, order):
    """Each was noted for the player before."""
    meant = {1: play(0, "XS"), 2: play(1, "XM"), 3: play(2, "8MS")}
    first, *others = ({"seq": seq, "event": meant[seq]} for seq in order)
    answer = scorekeeper.post(url, first | {"also": others, "rethread": True}, format="json")
    assert answer.status_code == 201
    record = scorekeeper.get(f"/api/v1/tables/{table.code}/record/").json()
    assert record["hands"][0]["events"][:3] == list(meant.values())
