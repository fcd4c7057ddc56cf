"""POST referee/trick/: who wins this trick?"""

import pytest

PLAYS = [{"cards": ["XM"]}, {"cards": ["9WY"]}, {"cards": ["AY"]}]


def test_it_works(api):
    answer = api.post("referee/trick/", {"game": "ace-trump", "trump": None, "plays": PLAYS}).json()
    assert (answer["winner"], answer["trump"]) == (1, "Y")
    assert answer["reason"]["clauses"]


def test_names_people_use_are_understood(api):
    plays = [{"cards": ["the Huntress"]}, {"cards": ["9 waves wyrms"]}, {"cards": ["1y"]}]
    assert api.post("referee/trick/", {"game": "ace-trump", "plays": plays}).json()["winner"] == 1


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        ({}, 400, "missing-key"),
        ({"game": None, "plays": PLAYS}, 400, "wrong-type"),
        ({"game": 7, "plays": PLAYS}, 400, "wrong-type"),
        ({"game": "ace-trump"}, 400, "missing-key"),
        ({"game": "ace-trump", "plays": [1]}, 400, "wrong-type"),
        ({"game": "ace-trump", "plays": PLAYS, "table": 1}, 400, "unknown-key"),
        ({"game": "ace-trump", "plays": PLAYS, "options": []}, 400, "wrong-type"),
        ({"game": "no-such-game", "plays": PLAYS}, 422, "unknown-game"),
        ({"game": "ace-pit", "plays": PLAYS}, 422, "unknown-question"),
        ({"game": "ace-trump", "plays": []}, 422, "wrong-count"),
        ({"game": "ace-trump", "plays": [{"cards": ["9SK"]}]}, 422, "not-in-deck"),
        ({"game": "ace-trump", "plays": [*PLAYS, {"cards": ["XM"]}]}, 422, "already-played"),
        ({"game": "ace-trump", "plays": PLAYS, "trump": "Q"}, 422, "bad-suit"),
        ({"game": "ace-trump", "plays": PLAYS, "options": {"luck": 1}}, 422, "unknown-option"),
    ],
)
def test_what_cannot_be_asked_is_a_problem(api, body, status, code):
    assert api.refused("referee/trick/", body, status)["code"] == code


def test_the_problem_names_the_games_that_answer(api):
    detail = api.refused("referee/trick/", {"game": "ace-pit", "plays": PLAYS}, 422)["detail"]
    assert "ace-trump, ransom-trump, wildcat-chicane" in detail
