"""Single questions over HTTP: each is answered for the games that declare it."""

from typing import Any

import pytest

from referee.engine.game import with_game
from tests.toy import GAME as TOY

PLAYS = [{"cards": ["XM"]}, {"cards": ["9WY"]}, {"cards": ["AY"]}]
ROUND = {"game": "american-deuce", "cards_left": [0, 3, 11, 8], "dealt": [13, 13, 13, 13]}
BIDDING = {"game": "ace-trump", "options": {"bidding": True}, "tricks": 5}
HAND = ["3MW", "9WY", "AK"]
TIDES = {"game": "ace-trump", "options": {"tides": True}, "players": 3}
PAWNS = {"cards": ["PMSL", "9LK"]}
BEATS = {"decks": 1, "suit_order": ["S", "H", "C", "D"], "on": ["2S"], "play": ["4S", "4H", "4D", "4C"]}


@pytest.mark.parametrize(
    ("question", "body", "expected"),
    [
        ("trick", {"game": "ace-trump", "trump": None, "plays": PLAYS}, {"winner": 1, "trump": "Y"}),
        ("trick", {"game": "ace-trump", "plays": [{"cards": ["the Huntress"]}, {"cards": ["1y"]}]}, {"winner": 1}),
        ("suit", {"card": "8YK", "ruling_card": "XM"}, {"suit": "Y"}),
        ("ransom", {"cards": ["XM", "XY", "9MS", "6MW"]}, {"winner": 2, "suits": ["M", "S"]}),
        ("ransom", PAWNS | {"options": {"pawns": True}}, {"winner": 0}),
        ("response", {"laid": "8H", "response": ["7H", "9H"]}, {"winner": "responder", "points": 95}),
        ("response", {"laid": "8H", "response": ["9H", "8S"]}, {"winner": None, "points": 0, "lines": []}),
        ("score", BIDDING | {"bid": 3}, {"points": 17}),
        ("score", ROUND, {"points": [33, -3, -22, -8]}),
        ("legal", {"game": "ace-trump", "hand": HAND, "led_card": "8MS"}, {"legal": ["3MW"]}),
        ("legal", {"game": "ace-trump", "hand": HAND, "led_card": None}, {"legal": HAND}),
        ("deal", {"game": "ace-trump", "players": 5}, {"cards_each": [7] * 5, "aside": 1, "tricks": 7}),
        ("deal", TIDES | {"last_trick": ["XM", "9MS", "3MW"]}, {"cards_each": [3, 3, 3]}),
        ("deal", {"game": "american-deuce", "players": 7}, {"cards_each": [15] * 6 + [14], "tricks": None}),
        ("beats", BEATS, {"beats": True}),
        ("beats", BEATS | {"play": ["4S", "5H"]}, {"beats": False, "combination": None}),
    ],
)
def test_the_game_may_be_omitted_if_only_one_answers_the_question(api, question, body, expected):
    answer = api.post(f"referee/{question}/", body).json()
    assert {key: answer[key] for key in expected} == expected
    assert answer["reason"]["clauses"]
    assert all(each["reason"]["clauses"] for each in answer.get("illegal", ()))


def test_points_can_be_listed_for_every_seat(api):
    answer = api.post("referee/score/", ROUND).json()
    for seat, points in enumerate(answer["points"]):
        assert sum(line["points"] for line in answer["lines"] if line["seat"] == seat) == points


def test_a_toy_game_answers_questions_too(api):
    with with_game(TOY):
        answer = api.post("referee/score/", {"game": "plain-whist", "tricks": 5}).json()
    assert answer["points"] == 5
    assert answer["lines"][0]["reason"]["clauses"] == answer["reason"]["clauses"] == ["TOY-4"]


TRICK: dict[str, Any] = {"game": "ace-trump", "plays": PLAYS}


@pytest.mark.parametrize(
    ("question", "body", "status", "code", "pointer"),
    [
        ("trick", {}, 400, "missing-key", "/game"),
        ("trick", TRICK | {"game": None}, 400, "wrong-type", "/game"),
        ("trick", TRICK | {"plays": [1]}, 400, "wrong-type", "/plays/0"),
        ("trick", TRICK | {"table": 1}, 400, "unknown-key", "/table"),
        ("trick", TRICK | {"options": []}, 400, "wrong-type", "/options"),
        ("trick", TRICK | {"game": "no-such-game"}, 422, "unknown-game", "/game"),
        ("trick", TRICK | {"game": "ace-pit"}, 422, "unknown-question", "/game"),
        ("trick", TRICK | {"plays": [*PLAYS, {"cards": ["XM"]}]}, 422, "already-played", "/plays/3/cards/0"),
        ("trick", TRICK | {"options": {"luck": 1}}, 422, "unknown-option", "/options/luck"),
        ("suit", {"ruling_card": "XM"}, 400, "missing-key", "/card"),
        ("ransom", PAWNS, 422, "not-in-deck", "/cards/0"),
        ("response", {"laid": "8H", "response": []}, 422, "wrong-count", "/response"),
        ("score", BIDDING, 422, "missing-key", "/bid"),
        ("score", BIDDING | {"bid": "3"}, 400, "wrong-type", "/bid"),
        ("score", ROUND | {"cards_left": [1, 3, 11, 8]}, 422, "bad-result", "/cards_left"),
        ("legal", {"game": "wildcat-chicane", "hand": ["8MS", "5SW"]}, 422, "missing-key", "/ruling_card"),
        ("legal", {"game": "ace-trump", "hand": HAND, "led_card": "3MW"}, 422, "already-played", "/led_card"),
        ("deal", TIDES | {"players": True}, 400, "wrong-type", "/players"),
        ("deal", TIDES | {"players": 5}, 422, "option-conflict", "/options/tides"),
        ("beats", BEATS | {"on": ["2S*"]}, 422, "not-in-deck", "/on/0"),
        ("beats", BEATS | {"under_five_of_a_kind": 1}, 400, "wrong-type", "/under_five_of_a_kind"),
    ],
)
def test_an_invalid_question_is_a_problem_with_a_pointer(api, question, body, status, code, pointer):
    said = api.refused(f"referee/{question}/", body, status)
    assert (said["code"], said["errors"][0]["pointer"]) == (code, pointer)


def test_a_refused_question_names_the_games_that_answer_it(api):
    detail = api.refused("referee/trick/", TRICK | {"game": "ace-pit"}, 422)["detail"]
    assert "ace-trump, ransom-trump, wildcat-chicane" in detail
