"""A table that hides its points until the game is over (AP-18): what each caller is told by the API."""

import json
import re
from typing import Any

import pytest

from tests.scoring.conftest import OpenTable, holder, open_table, play

PIT = {"game": "ace-pit", "seats": ["Ann", "Bob"], "first_dealer": 1, "options": {"totals": "hidden"}}
FIRST = ({"type": "result", "points": [235, 345]},)
SECOND = (play(1, "8H"), play(0, "7H", "9H"), play(0, "AD"), play(1, "2C"))
APART = ("code", "token", "links", "created", "updated", "previous", "next", "type", "detail")
TOLD = ("235", "345", "95", "145", "380", "Flush 40")


@pytest.fixture
def pit(db: None) -> OpenTable:
    """A table with a hand by its result, and two tricks of the next one."""
    table = open_table(**PIT, end={"kind": "hands", "value": 2})
    table.record(*FIRST)
    table.record(*SECOND)
    return table


def path(pit: OpenTable, tail: str = "") -> str:
    return f"/api/v1/tables/{pit.code}/{tail}"


def leaks(data: Any) -> list[str]:
    """Return the numbers that an answer tells; codes, times and addresses have others of their own."""
    text = json.dumps({key: value for key, value in data.items() if key not in APART})
    return [number for number in TOLD if re.search(rf"\b{number}\b", text)]


@pytest.mark.parametrize("role", ["scorekeeper", "player", "spectator", "stranger"])
def test_nobody_is_told_points_unasked(pit, stranger, role):
    token = (
        pit.token
        if role == "scorekeeper"
        else pit.link(role, 1 if role == "player" else None)
        if role != "stranger"
        else ""
    )
    caller = holder(token) if token else stranger
    answer = caller.get(path(pit)).json()
    state = answer["state"]
    assert (state["totals"], state["points_hidden"]) == ([None, None], True)
    assert [hand["scores"] for hand in state["hands"]] == [[None, None]] * 2
    assert [trick["winner"] for trick in state["hands"][1]["tricks"]] == [0, 0]
    assert state["hands"][1]["tricks"][0]["plays"][1]["cards"] == ["7H", "9H"]
    assert leaks(answer) == []


def test_only_a_scorekeeper_can_ask_for_them(pit, stranger):
    answer = holder(pit.token).get(path(pit), {"points": "1"}).json()
    assert answer["state"]["totals"] == [380, 345]
    assert answer["state"]["hands"][0]["scores"] == [235, 345]
    assert answer["state"]["points_hidden"] is False
    for client in (holder(pit.link("player", 1)), holder(pit.link("spectator"))):
        assert client.get(path(pit), {"points": "1"}).status_code == 403
    assert stranger.get(path(pit), {"points": "1"}).status_code == 401
    assert stranger.get(path(pit), {"points": "2"}).status_code == 400


def test_what_is_recorded_and_taken_back_answers_without_points(pit):
    caller = holder(pit.token)
    done = caller.post(path(pit, "events/"), play(0, "5S"), format="json")
    assert done.status_code == 201
    assert leaks(done.json()) == []
    back = caller.post(path(pit, "undo/"), {}, format="json")
    assert leaks(back.json()) == []
    stale = caller.post(path(pit, "events/"), play(0, "6S"), format="json", headers={"If-Match": '"1"'})
    assert stale.status_code == 412
    assert leaks(stale.json()) == []


def test_an_irregular_act_is_answered_without_what_its_remedies_change(pit):
    caller = holder(pit.token)
    done = caller.post(path(pit, "events/"), play(1, "5S", accepted=True), format="json")
    assert done.json()["ruling"]["irregularities"][0]["code"] == "out-of-turn"
    assert leaks(done.json()) == []


def test_a_correction_says_tricks_and_no_scores(pit):
    caller = holder(pit.token)
    asked = {"seq": 3, "event": play(0, "7H", "10H")}
    tried = caller.post(f"{path(pit, 'amendments/')}?dry_run=1", asked, format="json").json()
    assert (tried["changes"]["scores"], tried["changes"]["totals"]) == ([], [])
    assert leaks(tried) == []
    done = caller.post(path(pit, "amendments/"), asked, format="json")
    assert done.status_code == 201
    assert leaks(done.json()) == []


def test_the_record_keeps_what_was_recorded_and_nothing_that_follows(pit, stranger):
    told = stranger.get(path(pit, "record/"), {"as": "json", "annotate": "1"}).json()
    assert told["hands"][0]["events"] == [FIRST[0]]
    assert "x_totals" not in told
    assert "x_scores" not in told["hands"][0]
    text = stranger.get(path(pit, "record/"), {"as": "text", "annotate": "1"}).content.decode()
    assert "Totals: hidden" in text
    assert "Ann wins with Spoon, Pin and Flush." in text
    assert "380" not in text
    assert "95" not in text
    scores = stranger.get(path(pit, "record/"), {"as": "csv", "part": "scores"}).content.decode()
    assert scores == "hand,phase,Ann,Bob\r\n1,finished,,\r\n2,play,,\r\ntotal,hidden\r\n"


def test_a_text_taken_away_in_between_can_be_brought_again(pit, stranger):
    text = stranger.get(path(pit, "record/"), {"as": "text", "annotate": "1"}).content.decode()
    brought = stranger.post("/api/v1/tables/import/", {"text": text}, format="json")
    assert brought.status_code == 201, brought.json()
    assert brought.json()["state"]["points_hidden"] is True


def test_all_of_it_is_told_when_the_game_is_over(pit, stranger):
    seen = stranger.get(path(pit))
    pit.record({"type": "result", "points": [185, 100]})
    answer = stranger.get(path(pit), headers={"If-None-Match": seen["ETag"]}).json()
    assert answer["state"]["finished"] is True
    assert answer["state"]["totals"] == [420, 445]
    assert answer["state"]["hands"][0]["scores"] == [235, 345]
    assert answer["state"]["hands"][1]["tricks"][0]["points"] == {"0": 95}


def test_a_table_that_others_go_on_with_hides_its_points_until_they_are_done(pit, stranger):
    caller = holder(pit.token)
    pit.record({"type": "redeal"})
    went_on = caller.post(path(pit, "continue/"), {"seats": ["Ann", "Cy"]}, format="json").json()
    assert went_on["carried"] == [None, None]
    assert leaks(went_on) == []
    assert leaks(stranger.get(path(pit)).json()) == []
    asked = holder(went_on["token"]).get(f"/api/v1/tables/{went_on['code']}/", {"points": "1"}).json()
    assert asked["carried"] == [235, 0]
    following = OpenTable(went_on["code"], went_on["token"])
    following.record({"type": "end"})
    assert stranger.get(path(pit)).json()["state"]["totals"] == [235, 345]
