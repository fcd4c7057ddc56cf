"""Events in the API: recorded, undone, corrected, refused."""

from contextlib import suppress
from random import Random

import pytest

from referee.engine.rules import Refused
from scoring.tables.acts import exceptions
from scoring.tables.acts.exceptions import DisputesOpen, NoSuchRecoveryCode, NotDone, NothingToRedo
from scoring.tables.acts.importing import import_record
from scoring.tables.acts.turns import ChangesLaterTables
from scoring.tables.api import problems
from scoring.tables.reads.state import find_table
from tests.games.discovery import RANDOM
from tests.scoring.conftest import holder, open_table, play
from tests.scoring.groups import make_group
from tests.seeds import FIRST, as_often_as

# --- POST tables/{code}/events/

KEY = {"HTTP_IDEMPOTENCY_KEY": "5f0c7f5e-7a0b-4a55-9d59-3f0a3a5c1c13"}


@pytest.fixture
def url(table):
    return f"{table.url}events/"


def test_an_event_is_recorded(scorekeeper, url):
    answer = scorekeeper.post(url, play(0, "8MS"))
    assert answer.status_code == 201
    told = answer.json()
    assert told["version"] == 1
    assert told["ruling"] == {"verdict": "accepted", "reason": None, "irregularities": []}
    assert told["state"]["hand"]["to_act"] == [1]
    assert answer["ETag"] == '"1"'


def test_several_events_are_recorded_together(scorekeeper, url):
    answer = scorekeeper.post(url, {"events": [play(0, "8MS"), play(1, "XS")]})
    assert answer.json()["version"] == 2
    assert len(answer.json()["rulings"]) == 2


def test_the_event_that_stopped_a_batch_is_named(scorekeeper, url, table):
    answer = scorekeeper.post(url, {"events": [play(0, "8MS"), play(1, "8MS")]})
    told = answer.json()
    assert (answer.status_code, told["code"], told["position"]) == (422, "already-played", 1)
    assert told["errors"][0]["pointer"] == "/events/1"
    assert table.row.version == 0


def test_an_irregular_event_is_a_conflict_with_its_ruling(scorekeeper, url, table):
    answer = scorekeeper.post(url, play(1, "8MS"))
    assert (answer.status_code, answer["Content-Type"]) == (409, "application/problem+json")
    told = answer.json()
    assert (told["code"], told["ruling"]["verdict"]) == ("out-of-turn", "irregular")
    assert told["ruling"]["reason"]["clauses"]
    assert "Bob" in told["detail"]
    assert table.row.version == 0


def test_accepted_events_are_recorded(scorekeeper, url):
    answer = scorekeeper.post(url, play(1, "8MS", accepted=True))
    assert answer.status_code == 201
    assert [i["code"] for i in answer.json()["ruling"]["irregularities"]] == ["out-of-turn"]


LED, NOTE = play(0, "8MS"), {"type": "note", "text": "x"}


@pytest.mark.parametrize(
    ("body", "status", "code", "pointer"),
    [
        (play(0, "9SK"), 422, "not-in-deck", ""),
        (LED | {"seat": "0"}, 400, "wrong-type", "/seat"),
        ({}, 400, "missing-key", "/type"),
        ({"events": []}, 400, "wrong-type", "/events"),
        ({"events": {}}, 400, "wrong-type", "/events"),
        ({"events": [LED], "type": "play"}, 400, "unknown-key", "/type"),
        ({"events": [NOTE] * 1001}, 422, "too-many-events", "/events"),
    ],
)
def test_an_impossible_event_or_body_is_refused(scorekeeper, url, body, status, code, pointer):
    told = scorekeeper.post(url, body).json()
    assert (told["status"], told["code"], told["errors"][0]["pointer"]) == (status, code, pointer)
    assert (told.get("ruling") or {}).get("verdict") == ("impossible" if code == "not-in-deck" else None)


def test_a_stranger_is_refused(stranger, url):
    answer = stranger.post(url, play(0, "8MS"))
    assert answer.status_code == 401
    assert answer["WWW-Authenticate"].startswith("Bearer")


@pytest.mark.parametrize("seen", ['"0"', '"2"'])
def test_a_write_requires_the_tables_version(scorekeeper, url, seen):
    """Two phones cannot both take the same turn."""
    assert scorekeeper.post(url, play(0, "8MS"), HTTP_IF_MATCH='"0"').status_code == 201
    answer = scorekeeper.post(url, play(1, "XS"), HTTP_IF_MATCH=seen)
    assert (answer.status_code, answer.json()["version"], answer["ETag"]) == (412, 1, '"1"')
    assert answer.json()["state"]["hands"][0]["to_act"] == [1]


@pytest.mark.parametrize(
    ("tags", "status"),
    [
        *((malformed, 400) for malformed in ("soon", "", '"soon"', '"0", "1"', '"-1"', '"0000000000"')),
        *((accepted, 201) for accepted in ("*", 'W/"0"', ' "0" ')),
    ],
)
def test_if_match_takes_one_version_or_a_star(scorekeeper, url, tags, status):
    assert scorekeeper.post(url, play(0, "8MS"), HTTP_IF_MATCH=tags).status_code == status


def test_the_answer_holds_only_what_changed(scorekeeper, url):
    first = scorekeeper.post(url, play(0, "8MS")).json()["state"]["hand"]
    assert {"dealer", "seating", "hand_size", "trump", "face_up"} <= first.keys(), "of a hand just dealt all is told"
    scorekeeper.post(url, {"events": [play(1, "XS"), play(2, "XM")]})
    hand = scorekeeper.post(url, play(2, "9MS")).json()["state"]["hand"]
    assert hand.keys() == {"number", "phase", "to_act", "cards_left", "scores", "tricks"}
    assert [trick["number"] for trick in hand["tricks"]] == [2]
    moved = {"from_seat": 2, "to_seat": 0, "tricks": 1}
    hand = scorekeeper.post(url, {"type": "transfer", **moved}).json()["state"]["hand"]
    assert (hand["tricks_won"], hand["moved"], hand["tricks"]) == ([1, 0, 0], [moved], [])


def test_a_reopened_hand_is_returned_by_its_number(scorekeeper, url):
    scorekeeper.post(url, {"type": "result", "tricks": [12, 0, 0]})
    scorekeeper.post(url, play(1, "8MS"))
    state = scorekeeper.post(url.replace("events", "undo"), {}).json()["state"]
    assert (state["hand"]["number"], state["hand"]["tricks"], state["next"]["number"]) == (1, [], 2)


@pytest.mark.parametrize("dry_run", ["0", "1"])
def test_expand_adds_the_requested_parts(scorekeeper, url, dry_run):
    scorekeeper.post(url, {"type": "result", "tricks": [12, 0, 0]})
    query = f"?expand=asks,sheet,hand&dry_run={dry_run}"
    told = scorekeeper.post(f"{url}{query}", play(1, "8MS"), **KEY).json()
    assert (told["hand"]["number"], told["asks"]["hand"]["to_act"]) == (2, [2])
    assert [(hand["number"], hand["scores"]) for hand in told["sheet"]["hands"]] == [(1, [12, 0, 0]), (2, [0, 0, 0])]
    if dry_run == "0":
        table = scorekeeper.get(url.replace("events/", ""), {"expand": "asks,sheet"}).json()
        assert [told["hand"]] == table["state"]["hands"]
        assert (told["asks"], told["sheet"]) == (table["asks"], table["sheet"])
        for event in ({"type": "redeal"}, play(1, "9MS")):
            assert scorekeeper.post(url, event).status_code == 201
        assert scorekeeper.post(f"{url}{query}", play(1, "8MS"), **KEY).json() == told, "as it was then"
    undone = scorekeeper.post(f"{url.replace('events', 'undo')}{query}", {}).json()
    assert [hand["phase"] for hand in undone["sheet"]["hands"]] == (["finished", "void"] if dry_run == "0" else [])


MOST_BYTES = 3000


@pytest.mark.parametrize("game", RANDOM)
def test_the_answer_to_a_card_stays_small_in_a_long_hand(db, game):
    for seed in range(FIRST, FIRST + as_often_as(always=4, quick=1)):
        record = RANDOM[game](Random(seed))
        opening = {key: record[key] for key in ("options", "seats", "first_dealer") if key in record}
        with suppress(Refused):
            table = open_table(game=game, **opening)
            for event in [event for hand in record["hands"] for event in hand["events"]]:
                answer = table.keeper.post(f"{table.url}events/", event)
                assert len(answer.content) < MOST_BYTES, answer.json()
                if answer.status_code != 201:
                    break


# --- POST tables/{code}/undo/


def test_the_last_event_can_be_undone(scorekeeper, table):
    table.record(play(0, "8MS"), play(1, "XS"))
    answer = scorekeeper.post(f"{table.url}undo/", {})
    assert (answer.status_code, answer.json()["version"]) == (201, 3)
    assert answer.json()["state"]["hand"]["to_act"] == [1]
    assert scorekeeper.post(f"{table.url}undo/").status_code == 201, "it needs no body"


def test_nothing_to_undo_is_an_error(scorekeeper, table):
    answer = scorekeeper.post(f"{table.url}undo/", {})
    assert (answer.status_code, answer.json()["code"]) == (409, "nothing-to-undo")


# --- POST tables/{code}/amendments/


@pytest.fixture
def url_amendments(table):
    table.record(play(0, "8MS"), play(1, "XS"), play(2, "XM"))
    return f"{table.url}amendments/"


def test_an_event_can_be_corrected(scorekeeper, url_amendments, table):
    body = {"seq": 3, "event": play(2, "2MK"), "reason": "misread"}
    answer = scorekeeper.post(url_amendments, body)
    assert answer.status_code == 201
    told = answer.json()
    assert told["version"] == 4
    before, after = ({"winner": seat, "points": {str(seat): 1}} for seat in (2, 1))
    assert told["changes"] == {
        "tricks": [{"hand": 1, "trick": 1, "before": before, "after": after}],
        "scores": [{"hand": 1, "seat": 1, "before": 0, "after": 1}, {"hand": 1, "seat": 2, "before": 1, "after": 0}],
        "totals": [{"seat": 1, "before": 0, "after": 1}, {"seat": 2, "before": 1, "after": 0}],
        "irregularities": [],
        "winners": None,
    }
    assert told["ruling"]["verdict"] == "accepted"
    assert told["state"]["totals"] == [0, 1, 0]
    assert answer["ETag"] == '"4"'


def test_a_dry_run_of_a_correction_changes_nothing(scorekeeper, url_amendments, table):
    answer = scorekeeper.post(f"{url_amendments}?dry_run=1", {"seq": 3, "event": play(2, "2MK")})
    assert answer.status_code == 200
    told = answer.json()
    assert (told["dry_run"], told["later"], told["version"]) == (True, None, 3)
    assert told["changes"]["tricks"][0]["after"]["winner"] == 1
    assert table.row.version == 3


def later_not_taken(answer):
    """Return the later event that stopped a correction."""
    assert (answer.status_code, answer["Content-Type"]) == (409, "application/problem+json")
    assert answer.json()["code"] == "later-event-not-taken"
    return answer.json()["later"]


def test_a_later_event_that_no_longer_fits_stops_a_correction(scorekeeper, url_amendments, table):
    table.record(play(2, "9MS"))
    body = {"seq": 3, "event": play(2, "2MK")}
    tried = scorekeeper.post(f"{url_amendments}?dry_run=1", body)
    assert tried.status_code == 200
    later = later_not_taken(scorekeeper.post(url_amendments, body))
    assert later == tried.json()["later"]
    assert later.items() >= {"seq": 4, "hand": 1, "event": 3, "verdict": "irregular"}.items()
    assert later["reason"]["code"] == "out-of-turn"
    assert table.row.version == 4


@pytest.mark.parametrize(
    ("seq", "event", "status", "pointer", "code", "verdict"),
    [
        (1, play(1, "8MS"), 409, "/event", "out-of-turn", "irregular"),
        (3, play(2, "8MS"), 422, "/event", "already-played", "impossible"),
        (0, None, 422, "/seq", "no-such-event", None),
        (9, None, 422, "/seq", "no-such-event", None),
        (10**9, None, 422, "/seq", "no-such-event", None),
        (3, {"type": "dance"}, 400, "/event/type", "unknown-event", None),
        (3, [], 400, "/event", "wrong-type", None),
    ],
)
def test_a_misplaced_value_is_refused(scorekeeper, url_amendments, table, seq, event, status, pointer, code, verdict):
    answer = scorekeeper.post(url_amendments, {"seq": seq, "event": event})
    told = answer.json()
    assert answer.status_code == status
    assert (told["errors"][0]["pointer"], told["errors"][0]["code"]) == (pointer, code)
    assert told.get("ruling", {}).get("verdict") == verdict
    assert table.row.version == 3


def test_an_amended_row_is_not_amended_again(scorekeeper, url_amendments):
    scorekeeper.post(url_amendments, {"seq": 3, "event": None})
    answer = scorekeeper.post(url_amendments, {"seq": 3, "event": None})
    assert answer.status_code == 409
    assert (answer.json()["code"], answer.json()["amended_by"]) == ("already-amended", 4)


def test_an_imported_hand_that_can_no_longer_be_dealt_stops_a_correction(db):
    hands = [{"events": [{"type": "result", "points": [130, 100]}]}, {"events": []}]
    opened = import_record({"game": "ace-pit", "seats": ["Ann", "Bob"], "first_dealer": 0, "hands": hands})
    address = f"/api/v1/tables/{opened.table.code}/amendments/"
    answer = holder(opened.token).post(address, {"seq": 1, "event": None})
    later = later_not_taken(answer)
    assert later.items() >= {"seq": None, "hand": 2, "event": 0, "verdict": "impossible"}.items()
    assert answer.json()["detail"].startswith("Hand 2, which the record deals, could no longer be dealt: ")


# -- a slip that changed who won ------------------------------------------------------------------


@pytest.fixture
def slip(url_amendments, table):
    """Cy's 3MW was tapped as XM, so Cy and not Bob seemed to lead the second trick."""
    table.record(play(2, "9MS"), play(0, "4MS"))
    return {"seq": 3, "event": play(2, "3MW"), "rethread": True}


def test_later_cards_go_to_the_players_then_in_turn(scorekeeper, url_amendments, slip, table):
    tried = scorekeeper.post(f"{url_amendments}?dry_run=1", slip).json()
    assert (tried["later"], table.row.version) == (None, 5)
    answer = scorekeeper.post(url_amendments, slip)
    assert answer.status_code == 201
    assert answer.json()["moved"] == tried["moved"] == [
        {"seq": 4, "hand": 1, "event": 3, "trick": 2, "cards": ["9MS"], "from": 2, "to": 1},
        {"seq": 5, "hand": 1, "event": 4, "trick": 2, "cards": ["4MS"], "from": 0, "to": 2},
    ]  # fmt: skip
    assert answer.json()["changes"] == tried["changes"]
    assert [(c["before"]["winner"], c["after"]["winner"]) for c in tried["changes"]["tricks"]][:1] == [(2, 1)]
    record = scorekeeper.get(f"{table.url}record/").json()
    assert [event["seat"] for event in record["hands"][0]["events"]] == [0, 1, 2, 1, 2]
    text = scorekeeper.get(f"{table.url}record/?as=text").content.decode()
    assert "2. Bob 9MS, Cy 4MS" in text
    rows = scorekeeper.get(f"{table.url}events/?after=5").json()["events"]
    assert [(row["amends"], row["event"]["seat"]) for row in rows] == [(3, 2), (4, 1), (5, 2)]
    assert {row["by"] for row in rows} == {"scorekeeper"}


def test_a_correction_can_be_retried_and_raced(scorekeeper, url_amendments, slip, table):
    body = slip | {"also": [{"seq": 5, "event": None}]}
    first = scorekeeper.post(url_amendments, body, **KEY, HTTP_IF_MATCH='"5"')
    table.record({"type": "note", "text": "hm"})
    again = scorekeeper.post(url_amendments, body, **KEY, HTTP_IF_MATCH='"5"')
    assert (first.status_code, again.status_code, len(again.json()["moved"])) == (201, 201, 1)
    assert again.json() == first.json()
    assert scorekeeper.post(url_amendments, slip, HTTP_IF_MATCH='"5"').status_code == 412
    assert scorekeeper.post(url_amendments, slip, **KEY).json()["code"] == "key-reused"


def test_several_rows_are_amended_together(scorekeeper, url_amendments, slip, table):
    body = slip | {"also": [{"seq": 4, "event": play(2, "6MW")}, {"seq": 5, "event": None}]}
    assert scorekeeper.post(url_amendments, body).status_code == 201
    record = scorekeeper.get(f"{table.url}record/").json()
    assert record["hands"][0]["events"][2:] == [play(2, "3MW"), play(1, "6MW")]


def test_without_threading_nothing_moves(scorekeeper, url_amendments, slip):
    later_not_taken(scorekeeper.post(url_amendments, slip | {"rethread": False}))
    answer = scorekeeper.post(url_amendments, {"seq": 5, "event": play(0, "6MW")})
    assert answer.json()["moved"] == []


def test_an_event_that_cannot_be_threaded_is_reported(scorekeeper, url_amendments, slip, table):
    table.record(play(1, "5SW"), play(2, "3MW"))
    later = later_not_taken(scorekeeper.post(url_amendments, slip))
    assert (later["seq"], later["event"], later["reason"]["code"]) == (7, 6, "already-played")
    assert later["reason"]["clauses"]
    assert table.row.version == 7


@pytest.mark.parametrize(
    ("also", "pointer"),
    [
        ({}, "/also"),
        ([7], "/also/0"),
        ([{"seq": 2}], "/also/0/event"),
        ([{"seq": 2, "event": None, "dry_run": True}], "/also/0/dry_run"),
        ([{"seq": 2, "event": play(1, "8MS")}], "/also/0/event"),
        ([{"seq": 2, "event": None}] * 2001, "/also"),
        ([{"seq": 3, "event": None}], "/seq"),
    ],
)
def test_errors_in_further_changes_have_pointers(scorekeeper, url_amendments, slip, also, pointer):
    answer = scorekeeper.post(url_amendments, slip | {"also": also})
    assert answer.status_code in (400, 422)
    assert answer.json()["errors"][0]["pointer"] == pointer


# --- Every reason for a refusal has its own problem in the API

WITH_MORE_THAN_A_SENTENCE = {
    exceptions.AlreadyAmended,
    exceptions.AlreadyContinued,
    exceptions.LaterNotTaken,
    exceptions.LaterTableNotTaken,
    exceptions.LinkRevoked,
    exceptions.MovedOn,
    exceptions.NoSuchEvent,
    exceptions.NotImported,
    exceptions.NotTaken,
    exceptions.TooMany,
}
ASKED_BY_PAGES_ALONE = {DisputesOpen, ChangesLaterTables, NoSuchRecoveryCode, NothingToRedo}


def test_every_refusal_reason_has_its_own_answer():
    reasons = set(NotDone.__subclasses__())
    assert reasons == set(problems.PLAIN) | WITH_MORE_THAN_A_SENTENCE | ASKED_BY_PAGES_ALONE


def test_a_table_that_has_changed_is_not_moved_into_a_group(db):
    group, table = make_group(), open_table()
    table.record(play(0, "8MS"))
    late = group.adopt(table, headers={"If-Match": '"0"'})
    assert (late.status_code, late.json()["code"], late.json()["version"]) == (412, "moved-on", 1)
    assert table.row.group is None
    assert group.adopt(table, headers={"If-Match": '"1"'}).status_code == 200


def test_a_table_deleted_during_the_request_is_not_found(table, monkeypatch):
    """It has changed, and before the answer says so, it is deleted."""
    table.record(play(0, "8MS"))

    def too_late(code):
        table.row.delete()
        return find_table(code)

    monkeypatch.setattr(problems, "find_table", too_late)
    answer = table.keeper.post(f"{table.url}events/", play(1, "XS"), headers={"If-Match": '"0"'})
    assert (answer.status_code, answer.json()["code"]) == (404, "no-such-table")
