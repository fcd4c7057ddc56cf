"""Single questions about American Deuce; the worked cases are in ``test_cases``."""

from typing import Any

import pytest

from referee.engine.options import Refused
from referee.games.american_deuce.game import GAME
from tests.referee.telling import exercises

Json = dict[str, Any]
SUITS = ["S", "H", "C", "D"]


def beats(play: str, on: str | None, decks: int = 1, **more: Any) -> Json:
    """Ask whether a play beats what lies."""
    lies = None if on is None else on.split()
    asked = {"decks": decks, "suit_order": SUITS, "on": lies, "play": play.split(), "options": {}, **more}
    return GAME.answer("beats", asked)


@exercises("AD-9", "AD-Q12")
def test_everything_may_be_led_but_a_riot_where_the_table_forbids_it():
    assert beats("3S", None)["beats"]
    assert beats("3S 3H 3C 3D", None)["beats"]
    refused = beats("3S 3H 3C 3D", None, options={"riot_lead": "never"})
    assert not refused["beats"]
    assert refused["reason"].code == "riot-led"
    assert beats("3S 4S", None) | {"reason": None} == {"beats": False, "combination": None, "reason": None}


@exercises("AD-30", "AD-Q20")
def test_a_five_of_a_kind_in_the_trick_restricts_riots():
    assert beats("9S 9H 9C 9D", "4S 4S* 4C 4C*", 2)["beats"]
    assert not beats("9S 9H 9C 9D", "4S 4S* 4C 4C*", 2, under_five_of_a_kind=True)["beats"]
    assert not beats("9S 9H 9C 9D", "3S 3S* 3H 3D 3C", 2)["beats"]


@exercises("IR-15")
def test_what_lies_may_be_no_combination():
    assert beats("3S 3H", "4S KS")["beats"]
    assert not beats("3S", "4S KS")["beats"]


def test_it_says_what_the_play_is_and_why():
    answer = beats("8S 8H 8C 4D 4S", "2S AS KS QS 9S")
    assert answer["combination"]["kind"] == "full-house"
    assert str(answer["combination"]["name"]) == "full house, eights"
    assert answer["reason"].clauses == ("AD-19",)
    assert answer["reason"].text == "The full house, eights beats the flush in spades, 2 high."


@pytest.mark.parametrize(
    ("question", "asked", "pointer", "malformed"),
    [
        ("beats", {"decks": 3}, "/decks", False),
        ("beats", {"decks": "1"}, "/decks", True),
        ("beats", {"suit_order": ["S", "H", "C"]}, "/suit_order", False),
        ("beats", {"suit_order": ["S", "H", "C", "S"]}, "/suit_order", False),
        ("beats", {"on": []}, "/on", False),
        ("beats", {"on": "3S"}, "/on", True),
        ("beats", {"play": []}, "/play", False),
        ("beats", {"play": ["3S*"]}, "/play/0", False),
        ("beats", {"play": ["3S", "3S"]}, "/play/1", False),
        ("beats", {"on": ["9S"], "play": ["9S"]}, "/play/0", False),
        ("beats", {"under_five_of_a_kind": 1}, "/under_five_of_a_kind", True),
        ("beats", {"options": {"riot_equal": "never"}}, "/options/riot_equal", False),
        ("score", {"cards_left": [0, 1, 2], "dealt": [13, 13, 13]}, "/cards_left", False),
        ("score", {"cards_left": [0, 1, 2, 14], "dealt": [13] * 4}, "/cards_left", False),
        ("score", {"cards_left": [0, 1, 2, 0], "dealt": [13] * 4}, "/cards_left", False),
        ("score", {"cards_left": [0, 1, 2, 3], "dealt": [13] * 5}, "/dealt", False),
        ("score", {"cards_left": [0, 1, 2, "3"], "dealt": [13] * 4}, "/cards_left/3", True),
        ("deal", {"players": 3}, "/players", False),
        ("deal", {"players": None}, "/players", True),
    ],
)
def test_a_question_that_cannot_be_answered(question: str, asked: Json, pointer: str, malformed: bool):
    plain: Json = {"decks": 1, "suit_order": SUITS, "on": None, "play": ["3S"]} if question == "beats" else {}
    with pytest.raises(Refused) as refused:
        GAME.answer(question, plain | asked)
    assert refused.value.problems[0].pointer == pointer
    assert refused.value.malformed is malformed


@exercises("AD-25", "AD-Q15", "AD-A1")
def test_the_score_has_a_line_for_each_player():
    answer = GAME.answer(
        "score", {"cards_left": [16, 0, 5, 5, 17], "dealt": [21, 21, 21, 21, 20], "options": {"bands": "scaled"}}
    )
    assert answer["points"] == [-16, 60, -5, -5, -34]
    assert [(line.seat, line.points) for line in answer["lines"]] == list(enumerate(answer["points"]))


@exercises("AD-Q14")
def test_the_deal_says_what_is_left_aside():
    even = GAME.answer("deal", {"players": 7, "options": {"deal": "even"}})
    assert (even["cards_each"], even["aside"], even["tricks"]) == ([14] * 7, 6, None)
