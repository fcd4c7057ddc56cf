"""Dealing, scoring, seats from round to round, and the end of the game."""

import pytest

from referee.engine.options import Refused
from referee.games.american_deuce.game import GAME
from tests.games.american_deuce.telling import NAMED, drop, hand, judged, left, name
from tests.referee.telling import REDEAL, Json, exercises, penalty, plays


@exercises("AD-1", "AD-2", "AD-3", "AD-4", "AD-Q5", "AD-Q14", "AD-Q21", "AD-A3")
@pytest.mark.parametrize(
    ("players", "deal", "sizes"),
    [
        (4, "all", [13, 13, 13, 13]),
        (5, "all", [21, 20, 21, 21, 21]),
        (6, "all", [17, 17, 18, 18, 17, 17]),
        (7, "all", [15, 14, 15, 15, 15, 15, 15]),
        (8, "all", [13] * 8),
        (5, "even", [20] * 5),
        (6, "even", [17] * 6),
        (7, "even", [14] * 7),
        (8, "even", [13] * 8),
    ],
)
def test_the_president_elect_deals_and_is_served_last(players: int, deal: str, sizes: list[int]):
    answer = judged([], players=players, dealer=1, options={"deal": deal})
    only = answer["hands"][0]
    assert only["hand_size"] == only["cards_left"] == sizes
    assert only["seating"] == [*range(1, players), 0]
    assert (only["dealer"], only["to_act"]) == (1, [1])


@exercises("AD-1", "AD-Q24", "AD-Q14", "AD-Q18")
@pytest.mark.parametrize(
    ("players", "options"),
    [(3, {}), (9, {}), (4, {"deal": "even"}), (4, {"riot_equal": "never"}), (5, {"deal": "some"}), (5, {"kd": 1})],
)
def test_tables_that_cannot_be(players: int, options: Json):
    with pytest.raises(Refused):
        GAME.rules(options, players)
    assert GAME.rules({"deal": "all", "riot_equal": "colour"}, 4).options["revoke"] == "ask"


@exercises("AD-25", "AD-26", "AD-A1", "AD-Q15")
@pytest.mark.parametrize(
    ("players", "options", "cards", "scores"),
    [
        (4, {}, (0, 3, 11, 8), [33, -3, -22, -8]),
        (4, {}, (13, 0, 12, 9), [-39, 72, -24, -9]),
        (4, {"scoring": "winner-only"}, (13, 0, 12, 9), [0, 72, 0, 0]),
        (5, {}, (0, 21, 20, 13, 10), [149, -63, -40, -26, -20]),
        (5, {"bands": "scaled"}, (0, 21, 17, 16, 10), [123, -63, -34, -16, -10]),
        (5, {}, (20, 21, 0, 1, 1), [-60, -63, 125, -1, -1]),
    ],
)
def test_losers_pay_for_the_cards_left(players: int, options: Json, cards: tuple[int, ...], scores: list[int]):
    done = hand(left(*cards), players=players, options=options)
    assert done["scores"] == scores
    assert options or not sum(done["scores"])


@exercises("AD-14", "AD-A2", "AD-Q23")
@pytest.mark.parametrize(
    ("reseat", "seating"),
    [("no", [2, 3, 4, 0, 1]), ("round", [2, 3, 1, 0, 4]), ("total", [2, 4, 3, 1, 0])],
)
def test_the_winner_is_elected_and_the_losers_may_move(reseat: str, seating: list[int]):
    carried = [0, 0, 0, 0, 30]
    answer = judged([left(5, 2, 0, 2, 6)], players=5, options={"reseat": reseat}, carried=carried)
    assert answer["next"]["seating"] == seating
    sizes = answer["next"]["hand_size"]
    assert [sizes[seat] for seat in seating] == [20, 21, 21, 21, 21]


@exercises("AD-A2", "AD-Q23", "AD-25", "AD-Q15")
@pytest.mark.parametrize(
    ("options", "cards", "seating"),
    [
        ({}, (0, 20, 19, 18, 17), [0, 4, 3, 2, 1]),
        ({}, (20, 0, 21, 20, 12), [1, 4, 3, 0, 2]),  # seat 0 was dealt 20 and has played none of them: 60, not 40
        ({}, (20, 0, 15, 21, 14), [1, 4, 2, 0, 3]),
        ({"bands": "scaled"}, (0, 16, 17, 15, 9), [0, 4, 3, 1, 2]),
        ({"bands": "scaled", "scoring": "winner-only"}, (0, 16, 17, 15, 9), [0, 4, 3, 1, 2]),
        ({}, (0, 8, 4, 4, 8), [0, 2, 3, 1, 4]),
        ({}, (8, 4, 0, 4, 8), [2, 3, 1, 4, 0]),  # level ones as they sat from the winner's left
    ],
)
def test_losers_sit_by_what_they_owe_for_the_round(options: Json, cards: tuple[int, ...], seating: list[int]):
    answer = judged([left(*cards)], players=5, options=options | {"reseat": "round"})
    assert answer["next"]["seating"] == seating


@exercises("AD-A2", "AD-Q23", "AD-Q15")
def test_who_has_fewer_cards_may_owe_more():
    """Dealt 14, none played: 42; of 15 dealt one is gone, which leaves 28."""
    answer = judged([left(14, 14, 0, 9, 5, 5, 5)], players=7, options={"reseat": "round"})
    assert answer["hands"][0]["hand_size"][:2] == [14, 15]
    assert answer["next"]["seating"] == [2, 4, 5, 6, 3, 1, 0]


@exercises("AD-A2", "AD-Q23", "AD-14")
def test_turns_follow_the_new_seats():
    first = [left(5, 2, 0, 2)]
    second = [name(2, "S"), name(3, "H"), name(1, "C"), *plays("2:3S 3:4S 1:5S 0:6S")]
    answer = judged(first, second, options={"reseat": "round"})
    assert answer["hands"][1]["seating"] == [2, 3, 1, 0]
    assert (answer["hands"][1]["to_act"], answer["rejected"]) == ([2], None)
    moved = judged([left(5, 2, 0, 2), penalty(3, -9)], options={"reseat": "total"})
    assert moved["next"]["seating"] == [2, 1, 0, 3]


@exercises("REC-14")
def test_after_a_void_round_the_same_player_is_elected():
    answer = judged([left(5, 2, 0, 2)], [name(2, "S"), REDEAL])
    assert answer["next"] == {"number": 3, "dealer": 2, "seating": [2, 3, 0, 1], "hand_size": [13] * 4}


@exercises("AD-27", "AD-Q27", "REC-16")
def test_the_game_ends_when_somebody_reaches_270():
    answer = judged([left(0, 13, 13, 13)], [left(0, 13, 13, 12)], [left(0, 13, 13, 13)])
    assert (answer["totals"][0], answer["finished"], answer["winners"], answer["next"]) == (336, True, [0], None)
    assert not judged([left(0, 13, 13, 13)], [left(0, 13, 13, 13)])["finished"]


@exercises("AD-Q26", "AD-23")
def test_nobody_pays_for_a_flourish_that_was_forgotten():
    royal = hand(NAMED, plays("0:10D+JD+QD+KD+AD"))
    assert royal["irregularities"] == []
    assert royal["tricks"][0]["names"] == ["straight flush in diamonds, 10-J-Q-K-A"]


@exercises("REC-19")
def test_what_could_not_be_checked_is_said():
    said = hand(NAMED, drop(1), left(0, 1, 2, 3))["unchecked"]
    assert [reason["code"] for reason in said] == ["hands-unknown", "exchange-unseen", "result-only"]
    assert "exchange-unseen" not in [r["code"] for r in hand(NAMED, drop(None))["unchecked"]]
