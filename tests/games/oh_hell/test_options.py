"""The house rules of Oh Hell, value by value: OH-V1 .. OH-V11 and what ends a game (OH-Q6)."""

from typing import Any

import pytest

from referee.engine.options import Refused
from tests.games.oh_hell.telling import THREE, hand, oh, opened, quick, quick_hands, refused, sizes, turn_up
from tests.referee.telling import END, REDEAL, Json, bids, exercises, found, penalty, plays, result, winners

COURSES = [
    ({}, [3, 2, 1, 2, 3]),
    ({"course": "down-up"}, [3, 2, 1, 2, 3]),
    ({"course": "up-down"}, [1, 2, 3, 2, 1]),
    ({"course": "down"}, [3, 2, 1]),
    ({"course": "up"}, [1, 2, 3]),
    ({"twice_one": True}, [3, 2, 1, 1, 2, 3]),
    ({"course": "up-down", "twice_one": True}, [1, 2, 3, 2, 1]),
    ({"course": "down", "twice_one": True}, [3, 2, 1]),
    ({"course": "up", "twice_one": True}, [1, 2, 3]),
    ({"largest": 1}, [1]),
    ({"largest": 1, "twice_one": True}, [1, 1]),
    ({"largest": 1, "course": "up-down"}, [1]),
    ({"largest": 2}, [2, 1, 2]),
]


@exercises("OH-2", "OH-V1", "OH-V2", "OH-V3", "OH-10")
@pytest.mark.parametrize(("options", "course"), COURSES)
def test_a_course_is_played_through_and_the_game_is_over(options: Json, course: list[int]):
    options = THREE | options
    answer = oh(*quick_hands(course), options=options)
    assert (answer["rejected"], sizes(answer), answer["finished"]) == (None, course, True)
    if len(course) > 1:
        assert not oh(*quick_hands(course[:-1]), options=options)["finished"]


@exercises("OH-2", "OH-Q6")
@pytest.mark.parametrize(("options", "course"), COURSES)
def test_with_another_end_the_course_begins_anew(options: Json, course: list[int]):
    answer = oh(*quick_hands([*course, *course]), options=THREE | options, end={"kind": "open"})
    assert (answer["rejected"], sizes(answer), answer["finished"]) == (None, [*course, *course], False)
    assert answer["next"]["hand_size"] == [course[0]] * 3


@exercises("OH-2", "OH-V2", "OH-1")
@pytest.mark.parametrize(("players", "usual", "most"), [(3, 10, 17), (4, 10, 13), (5, 10, 10), (6, 8, 8), (7, 7, 7)])
def test_the_largest_hand_goes_as_far_as_the_pack(players: int, usual: int, most: int):
    for largest in (1, usual, most):
        answer = oh(players=players, options={"largest": largest, "course": "down"})
        assert answer["next"]["hand_size"] == [largest] * players
    for largest in (0, most + 1, -1):
        with pytest.raises(Refused) as refusal:
            oh(players=players, options={"largest": largest})
        assert [problem.pointer for problem in refusal.value.problems] == ["/options/largest"]
        assert not refusal.value.malformed
    assert oh(players=players)["options"]["largest"] == usual


@pytest.mark.parametrize(
    ("options", "code", "malformed"),
    [
        ({"course": "sideways"}, "bad-option", False),
        ({"largest": "3"}, "wrong-type", True),
        ({"largest": True}, "wrong-type", True),
        ({"largest": None}, "wrong-type", True),
        ({"twice_one": 1}, "wrong-type", True),
        ({"trump": "last"}, "bad-option", False),
        ({"hook": "yes"}, "wrong-type", True),
        ({"bidding": True}, "wrong-type", True),
        ({"scoring": "bridge"}, "bad-option", False),
        ({"zero": "ten"}, "bad-option", False),
        ({"partners": True}, "unknown-option", False),
    ],
)
def test_unknown_keys_and_values_outside_the_list_are_refused(options: Json, code: str, malformed: bool):
    with pytest.raises(Refused) as refusal:
        oh(options=options)
    assert refusal.value.problems[0].code == code
    assert refusal.value.malformed is malformed


def test_an_answer_lists_every_option_and_is_valid_input():
    for players in range(3, 8):
        options = oh(players=players)["options"]
        assert oh(players=players, options=options)["options"] == options
        assert options == {
            "course": "down-up", "largest": options["largest"], "twice_one": False, "trump": "turned", "hook": True,
            "bidding": "in-turn", "scoring": "exact", "zero": "same", "revoke": "ask",
        }  # fmt: skip


# -- trump ------------------------------------------------------------------------------------


@exercises("OH-3", "OH-V5")
def test_without_trump_the_suit_led_wins():
    options = THREE | {"trump": "none"}
    done = hand(bids("0:1 1:1 2:0"), plays("0:2S 1:AH 2:3S"), options=options)
    assert (winners(done), done["trump"], done["tricks"][0]["trump"]) == ([2], None, None)
    assert done["tricks"][0]["reason"]["code"] == "highest-follower"


@exercises("OH-3", "OH-V4")
def test_trump_goes_in_its_order_and_runs_on_over_the_end_of_a_course():
    options = {"largest": 3, "course": "down", "trump": "fixed-order"}
    hands = quick_hands([3, 2, 1, 3, 2, 1, 3])
    answer = oh(*hands, options=options, end={"kind": "open"})
    assert [each["trump"] for each in answer["hands"]] == ["S", "H", "D", "C", None, "S", "H"]
    done = hand(bids("0:1 1:1 2:0"), plays("0:AH 1:2S 2:KH"), options=options)
    assert (winners(done), done["tricks"][0]["reason"]["code"]) == ([1], "highest-trump")


@exercises("OH-3", "OH-V4", "OH-Q5", "REC-14")
def test_a_void_hand_is_dealt_again_with_its_suit():
    options = THREE | {"trump": "fixed-order"}
    answer = oh(quick(3), [REDEAL], [REDEAL], quick(2, dealer=0), [], options=options)
    assert [each["trump"] for each in answer["hands"]] == ["S", "H", "H", "H", "D"]
    assert sizes(answer) == [3, 2, 2, 2, 1]


# -- bids -------------------------------------------------------------------------------------


@exercises("OH-5", "OH-V6")
def test_without_the_hook_the_bids_may_add_up():
    events = [turn_up("2H"), *bids("0:1 1:1 2:1")]
    assert refused(events, options=THREE) == ("irregular", "forbidden-bid")
    assert hand(events, options=THREE | {"hook": False})["irregularities"] == []


@exercises("OH-4", "OH-V7", "OH-5")
def test_bids_made_together_have_no_turn_and_no_hook():
    for hook in (True, False):
        options = THREE | {"bidding": "together", "hook": hook}
        assert hand(turn_up("2H"), options=options)["to_act"] == [0, 1, 2]
        done = hand(turn_up("2H"), bids("2:1"), options=options)
        assert (done["phase"], done["to_act"], done["bids"]) == ("bidding", [0, 1], [None, None, 1])
        done = hand(turn_up("2H"), bids("2:1 0:1 1:1"), options=options)
        assert (done["phase"], done["to_act"], found(done)) == ("play", [0], [])
        assert refused(turn_up("2H"), bids("2:1 2:1"), options=options) == ("impossible", "wrong-phase")
        assert refused(turn_up("2H"), bids("2:4"), options=options) == ("impossible", "bad-bid")


# -- scores -----------------------------------------------------------------------------------

TABLE = [
    # bid, tricks, exact, tricks-and-ten, difference, squares; the same with five for a bid of nothing
    (0, 0, (10, 10, 10, 10), (5, 5, 5, 5)),
    (1, 1, (11, 11, 11, 11), (11, 11, 11, 11)),
    (3, 3, (13, 13, 13, 19), (13, 13, 13, 19)),
    (5, 5, (15, 15, 15, 35), (15, 15, 15, 35)),
    (0, 1, (0, 1, -1, -1), (0, 1, -1, -1)),
    (0, 4, (0, 4, -4, -16), (0, 4, -4, -16)),
    (4, 1, (0, 1, -3, -9), (0, 1, -3, -9)),
    (2, 0, (0, 0, -2, -4), (0, 0, -2, -4)),
    (2, 3, (0, 3, -1, -1), (0, 3, -1, -1)),
]
SCORING = ("exact", "tricks-and-ten", "difference", "squares")
CITED = {"exact": [], "tricks-and-ten": ["OH-V8"], "difference": ["OH-V9"], "squares": ["OH-V10"]}


@exercises("OH-9", "OH-V8", "OH-V9", "OH-V10", "OH-V11")
@pytest.mark.parametrize("zero", ["same", "five"])
@pytest.mark.parametrize("way", range(4), ids=SCORING)
@pytest.mark.parametrize(("bid", "tricks", "same", "five"), TABLE)
def test_what_a_bid_and_its_tricks_come_to(bid: int, tricks: int, same: tuple, five: tuple, way: int, zero: str):
    options = {"largest": 5, "scoring": SCORING[way], "zero": zero}
    done = hand(bids(f"0:{bid} 1:5 2:5"), result(tricks, 5 - tricks, 0), options=options)
    points = (five if zero == "five" else same)[way]
    assert done["scores"][0] == points
    line = next(line for line in done["score_lines"] if line["seat"] == 0)
    assert line["points"] == points
    fives = ["OH-V11"] if zero == "five" and bid == tricks == 0 else []
    assert line["reason"]["clauses"] == [*(CITED[SCORING[way]] or ["OH-9"]), *fives]


@exercises("OH-9", "OH-V8")
@pytest.mark.parametrize("scoring", SCORING)
def test_no_trick_is_worth_a_point_before_the_hand_is_over(scoring: str):
    options = THREE | {"scoring": scoring}
    done = hand(opened(), plays("0:AS 1:2S 2:3S"), options=options)
    assert (done["scores"], done["tricks"][0]["points"]) == ([None] * 3, {})


@exercises("OH-9", "OH-V9", "REC-13")
def test_totals_can_fall_below_nothing():
    answer = oh([*bids("0:3 1:3 2:3"), result(0, 3, 0), penalty(1, -20)], options=THREE | {"scoring": "difference"})
    assert answer["totals"] == [-3, -7, -3]


# -- the end ----------------------------------------------------------------------------------


@exercises("OH-Q6", "OH-10", "REC-16")
@pytest.mark.parametrize(
    ("end", "hands", "finished"),
    [
        ({"kind": "course"}, 4, False), ({"kind": "course"}, 5, True), ({"kind": "open"}, 6, False),
        ({"kind": "hands", "value": 2}, 2, True), ({"kind": "hands", "value": 7}, 5, False),
        ({"kind": "score", "value": 20}, 1, False), ({"kind": "score", "value": 20}, 2, True),
        ({"kind": "time", "value": 90}, 5, False),
    ],
)  # fmt: skip
def test_when_a_game_is_over(end: Json, hands: int, finished: bool):
    told = quick_hands([3, 2, 1, 2, 3, 3][:hands])
    answer = oh(*told, options=THREE, end=end)
    assert (answer["rejected"], answer["end"], answer["finished"]) == (None, end, finished)
    assert (answer["winners"] == [1, 2]) is finished


@exercises("OH-Q6", "REC-16")
def test_a_table_can_end_at_any_time_by_agreement():
    answer = oh(quick(3), [*opened(bid="1:1 2:1 0:1"), END], options=THREE)
    assert (answer["finished"], answer["hands"][1]["phase"], answer["totals"]) == (True, "void", [0, 10, 10])


@exercises("OH-10", "REC-16")
def test_an_end_by_the_course_has_no_value():
    for end in ({"kind": "course", "value": 3}, {"kind": "rounds"}):
        with pytest.raises(Refused):
            oh(options=THREE, end=end)


@exercises("IR-2", "IR-3", "IR-4")
@pytest.mark.parametrize("revoke", ["ask", "stand", "bridge", "hand-zero", "redeal"])
def test_what_is_proposed_first_after_a_revoke_is_a_house_rule(revoke: str):
    done = hand(opened(), plays("0:AS 1:3D 2:4S 0:KS 1:5S"), options=THREE | {"revoke": revoke})
    remedies: list[Any] = done["irregularities"][0]["remedies"]
    proposed = [remedy["code"] for remedy in remedies if remedy["proposed"]]
    assert proposed == ([] if revoke == "ask" else [revoke])
    assert {"stand", "bridge", "hand-zero", "redeal", "correct", "penalty"} <= {r["code"] for r in remedies}
