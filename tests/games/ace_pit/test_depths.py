"""A hand of Ace Pit recorded trick by trick, or by its result alone (REC-11)."""

import pytest

from tests.games.ace_pit.telling import Json, hand, refused, result, told_plays, trick
from tests.referee.telling import END, REDEAL, exercises, judged, penalty


@exercises("REC-11", "AP-13")
@pytest.mark.parametrize(
    ("event", "options"),
    [
        ({"type": "trick", "winner": 0}, {}),
        ({"type": "trick", "winner": 0, "points": {}}, {}),
        (trick(0, 10, key=1), {}),
        ({"type": "trick", "winner": 0, "points": {"0": 10, "1": 0}}, {}),
        (trick(0, 20), {}),
        (trick(0, 60), {}),
        (trick(0, 50), {"ace_lead": 60}),
        (trick(1, 10), {}),
        (trick(1, 35), {}),
        (trick(1, 170), {"ace_pit_once": True}),
        (trick(1, -15), {}),
        ({"type": "result", "tricks": [4, 3]}, {}),
        (result(70), {}),
        (result(70, 0, 0), {}),
        (result(72, 0), {}),
        (result(80, -10), {}),
        (result(60, 5), {}),
    ],
)
def test_points_that_cannot_be(event: Json, options: Json):
    assert refused(event, options=options) == ("impossible", "bad-result")


def test_a_trick_without_cards():
    only = hand(trick(1, 145))
    entry = only["tricks"][0]
    assert (entry["plays"], entry["winner"], entry["points"], entry["reason"]["lines"]) == ([], 1, {"1": 145}, [])
    assert (only["scores"], only["cards_left"], only["to_act"]) == ([0, 145], [6, 6], [1])
    assert [each["code"] for each in only["unchecked"]] == ["hands-unknown", "tricks-without-cards"]


@pytest.mark.parametrize(("worth", "options"), [(35, {"free_pairs": True}), (60, {"ace_lead": 60})])
def test_what_a_trick_can_be_worth_depends_on_the_house_rules(worth: int, options: Json):
    winner = int("free_pairs" in options)
    assert refused(trick(winner, worth)) == ("impossible", "bad-result")
    assert hand(trick(winner, worth), options=options)["scores"][winner] == worth


def test_a_trick_without_cards_has_no_trump_and_its_last_card_exists():
    assert refused(trick(0, 10) | {"trump": "S"}) == ("impossible", "bad-suit")
    assert refused(trick(0, 10) | {"last": "ZZ"}) == ("impossible", "not-in-deck")
    assert refused(told_plays("0:8H 1:3C"), trick(0, 10) | {"last": "8H"}) == ("impossible", "already-played")
    assert hand(trick(0, 10) | {"trump": None, "last": "8H"})["tricks_won"] == [1, 0]


@exercises("REC-11")
def test_a_result_counts_the_points_of_the_whole_hand():
    before = told_plays("0:8H 1:9H 1:2C 0:5D")
    only = hand(before, result(20, 65))
    assert (only["scores"], only["cards_left"], only["tricks_won"]) == ([20, 65], [0, 0], [0, 2])
    assert [(line["seat"], line["points"]) for line in only["score_lines"]] == [(1, 15), (1, 10), (0, 20), (1, 40)]
    assert refused(before, result(60, 20)) == ("impossible", "bad-result")
    assert refused(before, result(25, 45)) == ("impossible", "bad-result")
    assert hand(before, result(25, 50))["phase"] == "finished"


@exercises("AP-Q12")
def test_the_best_hand_its_players_remember_is_no_limit():
    assert hand(result(520, 30))["scores"] == [520, 30]


@exercises("REC-1", "REC-13", "REC-14")
def test_what_the_table_settles():
    only = hand(told_plays("0:8H 1:9H"), penalty(1, -10))
    assert only["scores"] == [0, 5]
    answer = judged([*told_plays("0:8H 1:9H"), penalty(0, 5), REDEAL], game="ace-pit", players=2)
    assert (answer["hands"][0]["scores"], answer["totals"]) == ([5, 0], [5, 0])
    assert answer["next"] == {"number": 2, "dealer": 1, "seating": [0, 1], "hand_size": [7, 7]}
    ended = judged([*told_plays("0:8H 1:9H"), END], game="ace-pit", players=2)
    assert (ended["finished"], ended["winners"], ended["totals"]) == (True, [0, 1], [0, 0])
