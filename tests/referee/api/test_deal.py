"""POST referee/deal/: how many cards does everybody get?"""

import pytest

TIDES = {"game": "ace-trump", "options": {"tides": True}, "players": 3}


def test_it_works(api):
    answer = api.post("referee/deal/", {"game": "ace-trump", "players": 5}).json()
    assert (answer["cards_each"], answer["aside"], answer["tricks"]) == ([7] * 5, 1, 7)
    assert "AT-2" in answer["reason"]["clauses"]


def test_tides_follow_the_last_trick(api):
    assert api.post("referee/deal/", TIDES).json()["cards_each"] == [1, 1, 1]
    last = {"last_trick": ["XM", "9MS", "3MW"]}
    assert api.post("referee/deal/", TIDES | last).json()["cards_each"] == [3, 3, 3]


def test_american_deuce_has_no_number_of_tricks(api):
    answer = api.post("referee/deal/", {"game": "american-deuce", "players": 7}).json()
    assert (answer["cards_each"], answer["tricks"]) == ([15] * 6 + [14], None)


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        ({"game": "ace-trump"}, 400, "missing-key"),
        ({"game": "ace-trump", "players": "3"}, 400, "wrong-type"),
        ({"game": "ace-trump", "players": True}, 400, "wrong-type"),
        ({"game": "ace-trump", "players": 7}, 422, "bad-players"),
        ({"game": "ace-pit", "players": 3}, 422, "bad-players"),
        (TIDES | {"players": 5}, 422, "option-conflict"),
        (TIDES | {"last_trick": ["XM"]}, 422, "wrong-count"),
    ],
)
def test_what_cannot_be_asked_is_a_problem(api, body, status, code):
    assert api.refused("referee/deal/", body, status)["code"] == code
