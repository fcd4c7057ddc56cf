"""POST referee/score/: how many points is that?"""

from referee.engine.catalogue import with_game
from tests.toy import GAME as TOY

ROUND = {"game": "american-deuce", "cards_left": [0, 3, 11, 8], "dealt": [13, 13, 13, 13]}


def test_it_works(api):
    asked = {"game": "ace-trump", "options": {"bidding": True}, "bid": 3, "tricks": 5}
    answer = api.post("referee/score/", asked).json()
    assert answer["points"] == 17
    assert sum(line["points"] for line in answer["lines"]) == 17
    assert "AT-V4" in answer["reason"]["clauses"]


def test_points_may_be_those_of_every_seat(api):
    answer = api.post("referee/score/", ROUND).json()
    assert answer["points"] == [33, -3, -22, -8]
    for seat, points in enumerate(answer["points"]):
        assert sum(line["points"] for line in answer["lines"] if line["seat"] == seat) == points


def test_a_toy_game_answers_too(api):
    with with_game(TOY):
        answer = api.post("referee/score/", {"game": "plain-whist", "tricks": 5}).json()
    assert answer["points"] == 5
    assert answer["lines"][0]["reason"]["clauses"] == answer["reason"]["clauses"] == ["TOY-4"]


def test_what_cannot_be_asked_is_a_problem(api):
    bidding = {"game": "ace-trump", "options": {"bidding": True}}
    assert api.refused("referee/score/", bidding | {"tricks": 5}, 422)["code"] == "missing-key"
    assert api.refused("referee/score/", bidding | {"tricks": 5, "bid": "3"}, 400)["code"] == "wrong-type"
    assert api.refused("referee/score/", ROUND | {"cards_left": [1, 3, 11, 8]}, 422)["code"] == "bad-result"
    assert api.refused("referee/score/", ROUND | {"dealt": [13]}, 422)
