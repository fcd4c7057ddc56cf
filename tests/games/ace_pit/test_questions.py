"""Single questions of Ace Pit: a response and the deal."""

from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.engine.options import Refused
from referee.games.ace_pit.game import GAME
from tests.oracle import acepit
from tests.oracle.acepit_records import random_response
from tests.referee.telling import exercises

Json = dict[str, Any]
NINE: Json = {"laid": "8H", "response": ["9H"]}


def respond(laid: str, response: str, **options: Any) -> Json:
    return GAME.answer("response", {"laid": laid, "response": response.split(), "options": options})


def test_it_works():
    answer = respond("8H", "7H 9H")
    reason = answer.pop("reason")
    assert answer == {
        "winner": "responder",
        "points": 95,
        "lines": [{"item": "spoon", "points": 30}, {"item": "pin", "points": 25}, {"item": "flush", "points": 40}],
    }
    assert reason.text == "The responder wins with Spoon 30 + Pin 25 + Flush 40: 95 points."
    assert reason.clauses == ("AP-6", "AP-8", "AP-11", "AP-13")


@exercises("AP-12", "AP-20")
def test_the_leader_scores_too():
    assert (respond("8H", "3C")["winner"], respond("8H", "3C")["lines"]) == (
        "leader",
        [{"item": "throw-away", "points": 10}],
    )
    assert respond("AH", "KH", ace_lead=60)["lines"] == [{"item": "ace-laid", "points": 60}]


@exercises("AP-5", "AP-Q4")
def test_two_cards_that_are_no_set():
    answer = respond("8H", "9H 8S")
    assert (answer["winner"], answer["points"], answer["lines"]) == (None, 0, [])
    assert answer["reason"].code == "no-combination"
    assert "Pin or a Double Fork" in answer["reason"].text
    assert "each has to win alone" in respond("8H", "9H JC", free_pairs=True)["reason"].text


def test_aliases_are_understood():
    assert respond("TD", "jd")["points"] == 15
    answer = GAME.answer("response", {"laid": "ten of diamonds", "response": ["jack of diamonds"]})
    assert answer["points"] == 15


@settings(max_examples=200)
@given(st.integers(0, 2**32 - 1))
def test_the_second_adjudicator_answers_the_same(seed: int):
    asked = random_response(Random(seed))
    answer = GAME.answer("response", asked)
    del answer["reason"]
    assert answer == acepit.response(asked)


@exercises("AP-2", "AP-17")
def test_the_deal():
    answer = GAME.answer("deal", {"players": 2})
    assert (answer["cards_each"], answer["aside"], answer["tricks"]) == ([7, 7], 38, 7)


@pytest.mark.parametrize(
    ("question", "asked", "malformed", "pointer", "code"),
    [
        ("response", {"laid": "8H", "response": []}, False, "/response", "wrong-count"),
        ("response", {"laid": "8H", "response": ["7H", "9H", "2C"]}, False, "/response", "wrong-count"),
        ("response", {"laid": "8H", "response": ["8H"]}, False, "/response/0", "already-played"),
        ("response", {"laid": "8H", "response": ["9H", "9h"]}, False, "/response/1", "already-played"),
        ("response", {"laid": "8Z", "response": ["8H"]}, False, "/laid", "not-in-deck"),
        ("response", {"laid": "8H", "response": ["8H*"]}, False, "/response/0", "not-in-deck"),
        ("response", {"laid": "8H"}, True, "/response", "missing-key"),
        ("response", {"laid": None, "response": ["8H"]}, True, "/laid", "wrong-type"),
        ("response", NINE | {"options": {"ace_lead": 40}}, False, "/options/ace_lead", "bad-option"),
        ("response", NINE | {"options": {"ace_lead": "50"}}, True, "/options/ace_lead", "wrong-type"),
        ("deal", {"players": 3}, False, "/players", "bad-players"),
        ("deal", {"players": 2, "hand_size": 7}, False, "/hand_size", "bad-value"),
        ("score", {}, False, "/game", "unknown-question"),
    ],
)  # fmt: skip
def test_what_cannot_be_answered(question: str, asked: Json, malformed: bool, pointer: str, code: str):
    with pytest.raises(Refused) as refused:
        GAME.answer(question, asked)
    assert refused.value.malformed == malformed
    assert [(problem.pointer, problem.code) for problem in refused.value.problems] == [(pointer, code)]
