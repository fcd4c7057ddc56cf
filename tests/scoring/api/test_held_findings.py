"""A table that waits with what is proved until the hand is over: what each caller is told by the API."""

import pytest

from tests.scoring.conftest import holder, open_table, play

BEFORE = (play(0, "8MS"), {"type": "hold-findings"}, play(1, "2WL"), play(2, "9MS"), play(2, "9LK"), play(0, "XL"))
PROOF = play(1, "3MW")
"""Bob did not follow the Diplomat, and shows a Moon."""


@pytest.fixture
def held(db: None):
    table = open_table()
    table.record(*BEFORE)
    return table


def path(table, tail=""):
    return f"/api/v1/tables/{table.code}/{tail}"


def found(answer):
    """Return what was found in the last hand, as an answer says it."""
    state = answer.json()["state"]
    hand = state["hand"] if "hand" in state else state["hands"][-1]
    return [each["code"] for each in hand["irregularities"]]


def test_only_who_keeps_the_score_is_told_before_the_hand_is_over(held, stranger):
    held.record(PROOF)
    callers = [stranger, holder(held.link("player", 1)), holder(held.link("spectator"))]
    assert found(holder(held.token).get(path(held))) == ["revoke"]
    assert [found(each.get(path(held))) for each in callers] == [[], [], []]
    held.record({"type": "result", "tricks": [4, 5, 3]})
    assert [found(each.get(path(held))) for each in callers] == [["revoke"]] * 3


def test_the_answer_to_the_card_that_proves_it_says_nothing_to_its_player(held):
    bob = holder(held.link("player", 1))
    answer = bob.post(path(held, "events/"), PROOF)
    assert answer.status_code == 201
    assert found(answer) == []
    assert answer.json()["ruling"]["irregularities"] == []
    assert found(bob.post(path(held, "undo/"), {})) == []
    again = holder(held.token).post(path(held, "events/"), PROOF)
    assert (found(again), len(again.json()["ruling"]["irregularities"])) == (["revoke"], 1)


def test_nor_does_the_state_that_comes_with_a_refusal(held):
    held.record(PROOF)
    late = {"If-Match": '"1"'}
    assert found(holder(held.link("player", 1)).post(path(held, "events/"), play(1, "AS"), headers=late)) == []
    assert found(holder(held.token).post(path(held, "events/"), play(1, "AS"), headers=late)) == ["revoke"]


def test_the_record_to_take_away_does_not_comment_on_it(held, stranger):
    held.record(PROOF)
    asked = {"as": "text", "annotate": "1"}
    assert "revoke" not in stranger.get(path(held, "record/"), asked).content.decode()
    held.record({"type": "tell-findings"})
    assert "revoke" in stranger.get(path(held, "record/"), asked).content.decode()
    assert found(stranger.get(path(held))) == ["revoke"]


def test_what_everybody_saw_is_told(table, stranger):
    table.record(*BEFORE[:2], play(2, "9MS", accepted=True))
    assert found(stranger.get(path(table))) == ["out-of-turn"]
