"""POST referee/response/: what is this response worth?"""

import pytest


def test_it_works(api):
    answer = api.post("referee/response/", {"game": "ace-pit", "laid": "8H", "response": ["7H", "9H"]}).json()
    assert (answer["winner"], answer["points"]) == ("responder", 95)
    assert sum(line["points"] for line in answer["lines"]) == 95
    assert answer["reason"]["clauses"]


def test_the_game_may_be_left_out(api):
    assert api.post("referee/response/", {"laid": "8H", "response": ["JH"]}).json()["winner"] == "leader"


def test_what_is_no_set_wins_nothing(api):
    answer = api.post("referee/response/", {"laid": "8H", "response": ["9H", "8S"]}).json()
    assert (answer["winner"], answer["points"], answer["lines"]) == (None, 0, [])


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        ({"laid": "8H"}, 400, "missing-key"),
        ({"laid": 8, "response": ["JH"]}, 400, "wrong-type"),
        ({"laid": "8H", "response": []}, 422, "wrong-count"),
        ({"laid": "8H", "response": ["7H", "9H", "JH"]}, 422, "wrong-count"),
        ({"laid": "8H", "response": ["8H"]}, 422, "already-played"),
        ({"laid": "8H", "response": ["8X"]}, 422, "not-in-deck"),
    ],
)
def test_what_cannot_be_asked_is_a_problem(api, body, status, code):
    assert api.refused("referee/response/", body, status)["code"] == code
