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
    answer = scorekeeper.post(url, {"seq": 3, "event": play(2, "2MK"), "dry_run": True}, format="json")
    assert answer.status_code == 200
    told = answer.json()
    assert (told["dry_run"], told["later"], told["version"]) == (True, None, 3)
    assert told["changes"]["tricks"][0]["after"]["winner"] == 1
    assert table.row.version == 3


def test_a_later_event_that_no_longer_fits_stops_it(scorekeeper, url, table):
    table.record(play(2, "9MS"))
    body = {"seq": 3, "event": play(2, "2MK")}
    tried = scorekeeper.post(url, body | {"dry_run": True}, format="json")
    assert tried.status_code == 200
    answer = scorekeeper.post(url, body, format="json")
    assert answer.status_code == 409
    assert answer["Content-Type"] == "application/problem+json"
    told = answer.json()
    assert told["code"] == "later-event-not-taken"
    assert told["later"] == tried.json()["later"]
    assert {key: told["later"][key] for key in ("seq", "hand", "event", "verdict")} == {
        "seq": 4,
        "hand": 0,
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
        ({"seq": 3, "event": None, "dry_run": "no"}, "/dry_run"),
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
        "hand": 1,
        "event": 0,
        "verdict": "impossible",
    }
    assert answer.json()["detail"].startswith("Hand 2, which the record deals, could no longer be dealt: ")
