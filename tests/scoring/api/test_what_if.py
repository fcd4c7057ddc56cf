"""GET tables/{code}/what-if/: a table as it lay under other house rules."""

import pytest

from tests.scoring.api.test_held_findings import BEFORE, PROOF
from tests.scoring.api.test_hidden_points import FIRST, PIT, SECOND, leaks
from tests.scoring.conftest import OpenTable, holder, open_table, play

TIE = (play(0, "8MS"), play(1, "XS"), play(2, "XM"))


def path(table: OpenTable) -> str:
    return f"/api/v1/tables/{table.code}/what-if/"


def test_it_works(table, stranger):
    table.record(*TIE, play(2, "9LK"))
    answer = stranger.get(path(table), {"ties": "early"})
    assert answer.status_code == 200
    (hand,) = answer.json()["hands"]
    assert hand["tricks"][0]["change"]["text"] == "With Early Bird trick 1 goes to Bob, not to Cy."
    assert answer.json()["totals"] == {"then": [0, 0, 1], "now": [0, 1, 0]}
    assert table.row.version == 4, "Looking changes nothing."


def test_it_speaks_the_values_of_every_kind_of_option(stranger):
    table = open_table(game="ace-pit", seats=["Ann", "Bob"], first_dealer=0)
    answer = stranger.get(path(table), {"fork_spoon": "false", "ace_lead": "60", "free_pairs": "true"}).json()
    assert {each["key"]: each["now"] for each in answer["changed"]} == {
        "fork_spoon": False,
        "ace_lead": 60,
        "free_pairs": True,
    }


@pytest.mark.parametrize(
    ("query", "status", "code"),
    [
        ("ties=highest", 422, "bad-option"),
        ("colour=red", 400, "unknown-parameter"),
        ("ace_lead=60", 422, "unknown-option"),
        ("excuse=maybe", 400, "wrong-type"),
        ("ties=early&ties=late", 400, "duplicate-key"),
        ("partners=true", 422, "option-conflict"),
    ],
)
def test_an_option_that_cannot_be_is_refused(table, stranger, query, status, code):
    answer = stranger.get(f"{path(table)}?{query}")
    assert (answer.status_code, answer.json()["code"]) == (status, code)


def test_who_may_not_read_a_private_table_may_not_ask_this_either(stranger):
    table = open_table(private=True)
    assert stranger.get(path(table)).status_code == 404
    assert holder(table.link("spectator")).get(path(table)).status_code == 200


@pytest.mark.parametrize("option", ["ace_lead=60", "totals=open", "fork_spoon=false"])
def test_hidden_points_stay_hidden(db, stranger, option):
    table = open_table(**PIT, end={"kind": "hands", "value": 2})
    table.record(*FIRST)
    table.record(*SECOND)
    for caller in (stranger, holder(table.token)):
        answer = caller.get(f"{path(table)}?{option}").json()
        assert answer["points_hidden"]
        assert answer["totals"] == {"then": [None, None], "now": [None, None]}
        assert leaks(answer) == []
        assert [each["now"]["winner"] for each in answer["hands"][1]["tricks"]] == [0, 0]


def test_what_is_held_back_until_the_hand_is_over_is_not_told(db, stranger):
    table = open_table()
    table.record(*BEFORE)
    table.record(PROOF)

    def found() -> list[str]:
        answer = stranger.get(path(table), {"ties": "early"}).json()
        return [each["code"] for each in answer["hands"][0]["irregularities"]]

    assert found() == []
    table.record({"type": "result", "tricks": [4, 5, 3]})
    assert found() == ["revoke"]


def test_a_choice_in_secret_stays_secret(db, stranger):
    table = open_table(game="wildcat-chicane")
    ann = holder(table.link("player", 0))
    sealed = {"type": "ruling-card", "seat": 0, "cards": ["XM"], "sealed": True}
    assert ann.post(f"/api/v1/tables/{table.code}/events/", sealed).status_code == 201
    for caller in (stranger, holder(table.token)):
        answer = caller.get(path(table), {"hook": "true"})
        assert answer.status_code == 200
        assert "XM" not in answer.content.decode()


def test_a_table_out_of_time_has_its_winner_here_too(db, stranger, monkeypatch):
    table = open_table(end={"kind": "time", "value": 5})
    table.record(*TIE, {"type": "result", "tricks": [3, 4, 5]})
    monkeypatch.setattr("scoring.queries.judging_again.time_is_up", lambda row: True)
    answer = stranger.get(path(table), {"ties": "early"}).json()
    assert answer["winners"] == {"then": [2], "now": [1]}
    assert answer["finished"] == {"then": True, "now": True}
