"""Single questions of Ace Pit: a response and the deal."""

from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.engine.options import Refused
from referee.games.ace_pit.game import GAME
from tests.games.ace_pit import oracle as acepit
from tests.games.ace_pit.random_records import random_response
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


NOT_FORK = {"fork_spoon": False}
FREE = {"free_pairs": True}
ONCE = {"ace_pit_once": True}
SPOON = {"spoon_beats_ace": True}


@exercises("AP-Q3", "AP-Q4", "AP-Q5", "AP-Q7", "AP-Q8", "AP-12", "AP-20")
@pytest.mark.parametrize(
    ("laid", "response", "options", "clauses"),
    [
        # a Spoon in a Double Fork comes under AP-Q3, counted or not; elsewhere it does not
        ("8H", "9H 9S", {}, "AP-6 AP-9 AP-11 AP-Q3 AP-13"),
        ("8H", "9H 9S", NOT_FORK, "AP-9 AP-11 AP-Q3 AP-13"),
        ("8H", "3C 3S", NOT_FORK, "AP-9 AP-13"),
        ("8H", "7H 9H", NOT_FORK, "AP-6 AP-8 AP-11 AP-13"),
        # two Aces come under AP-Q5
        ("8C", "AD AS", {}, "AP-9 AP-10 AP-Q5 AP-13"),
        ("8C", "AD AS", ONCE, "AP-9 AP-10 AP-Q5 AP-13"),
        ("KS", "AS AH", {}, "AP-6 AP-9 AP-10 AP-11 AP-Q3 AP-Q5 AP-13"),
        ("8C", "AD", ONCE, "AP-10 AP-13"),
        ("6H", "4H AH", ONCE, "AP-8 AP-10 AP-11 AP-13"),
        # two cards that each win alone are a set by AP-Q4 only
        ("8H", "9H 8S", FREE, "AP-6 AP-7 AP-Q4 AP-13"),
        ("8H", "7S 9S", FREE, "AP-8 AP-13"),
        ("8H", "3C 3S", FREE, "AP-9 AP-13"),
        ("8H", "9H", FREE, "AP-6 AP-13"),
        # what beats a laid Ace
        ("AH", "AS", SPOON, "AP-7 AP-10 AP-13 AP-20"),
        ("AH", "5C 5D", SPOON, "AP-9 AP-13 AP-20"),
        ("AH", "KH", SPOON, "AP-6 AP-13 AP-Q7"),
        ("AH", "KH KD", SPOON, "AP-6 AP-9 AP-11 AP-Q3 AP-13 AP-20"),
        ("AH", "KH AS", SPOON | FREE, "AP-6 AP-7 AP-10 AP-Q4 AP-13 AP-20 AP-Q7"),
        ("AH", "AC AS", {}, "AP-7 AP-9 AP-10 AP-Q5 AP-13 AP-20"),
        # what does not
        ("AH", "KH", {}, "AP-20 AP-Q8 AP-Q7"),
        ("AH", "7H", {}, "AP-20 AP-Q8"),
        ("AH", "KS", SPOON | {"ace_lead": 10}, "AP-20 AP-Q8"),
        ("8H", "3C", {}, "AP-12"),
        ("8H", "JH", SPOON | FREE, "AP-12"),
        # two cards that are no set
        ("8H", "9H 8S", {}, "AP-5 AP-Q4"),
        ("8H", "9H JC", FREE, "AP-5 AP-Q4"),
        ("AH", "AS JC", FREE, "AP-5 AP-Q4 AP-20"),
        ("AH", "AS KH", FREE, "AP-5 AP-Q4 AP-20 AP-Q7"),
        ("AH", "AS KH", {}, "AP-5 AP-Q4"),
    ],
)
def test_a_reason_cites_what_decided(laid: str, response: str, options: Json, clauses: str):
    assert " ".join(respond(laid, response, **options)["reason"].clauses) == clauses


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
