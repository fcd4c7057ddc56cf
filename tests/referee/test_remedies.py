"""The remedies of a proved infraction, and how they change the score before one is chosen."""

from typing import Any

import pytest

from referee.engine.adjudication import describe_findings
from referee.engine.records import load_record, replay
from referee.games.american_deuce.game import GAME as AMERICAN_DEUCE
from tests.games.american_deuce.told_rounds import NAMED, drop, left
from tests.games.american_deuce.told_rounds import judged as judged_round
from tests.referee.telling import (
    REDEAL,
    bids,
    exercises,
    judged,
    judged_record,
    plays,
    result,
    ruling_cards,
    told,
    trick,
)

Json = dict[str, Any]
LATE = plays("0:8MS 1:2WL 2:9MS 2:9LK 0:XL 1:3MW")
"""Bob does not follow the Diplomat in the first trick and shows the Journey in the second; he wins neither."""
TRUMPED = plays("0:AY 1:XY 2:2SY 1:5ML 2:7ML 0:XM 0:8MS 1:4YK 2:9MS 1:3MW 2:6MW 0:4MS")
"""Bob trumps the third trick although he holds the Journey, and wins it."""
NEXT = plays("2:2WL 0:4WL 1:7WY")
"""Bob wins the fifth trick; without his Cave, Ann’s Battle would."""


def offered(answer: Json, number: int = -1) -> dict[str, Json]:
    """Return the remedies of the first finding of a hand, by code."""
    return {remedy["code"]: remedy for remedy in answer["hands"][number]["irregularities"][0]["remedies"]}


def moved(remedy: Json) -> list[tuple[int, ...]]:
    """Return what the events move: from, to and tricks, or seat and points."""
    parts = ("from_seat", "to_seat", "tricks", "seat", "points")
    return [tuple(event[part] for part in parts if part in event) for event in remedy["events"]]


def after(remedy: Json) -> list[int]:
    scores: list[int] = remedy["effect"]["scores"]["after"]
    return scores


@exercises("IR-4")
def test_the_next_trick_won_is_given_up_when_the_revoke_trick_was_not_won():
    waiting = offered(judged(LATE))["bridge"]
    assert (waiting["events"], waiting["effect"], waiting["pending"]["code"]) == (None, None, "remedy-next-trick")
    # Bob's Cave would have lost to Cy's Market without him
    done = offered(judged([*LATE, *plays("0:2SY 1:7WY 2:6SY")]))["bridge"]
    assert moved(done) == [(1, 2, 1)]
    assert done["effect"]["scores"] == {"before": [1, 1, 1], "after": [1, 0, 2]}


@exercises("IR-4")
def test_a_revoke_trick_that_was_won_is_given_up_with_the_next_one():
    done = offered(judged([*TRUMPED, *NEXT], carried=[10, 10, 10]))["bridge"]
    assert moved(done) == [(1, 0, 1), (1, 2, 1)]
    assert done["effect"] == {
        "scores": {"before": [1, 3, 1], "after": [2, 1, 2]},
        "totals": {"before": [11, 13, 11], "after": [12, 11, 12]},
    }


@exercises("IR-4", "IR-5", "REC-19")
def test_a_trick_stays_if_no_one_else_wins_it_or_the_offender_won_none():
    alone = [*TRUMPED[:9], *plays("1:3MW 2:7SK 0:6LK")]
    done = offered(judged(alone))["bridge"]
    assert (moved(done), after(done)) == ([(1, 2, 1)], [1, 2, 1])
    assert "bridge" not in offered(judged([*LATE, REDEAL], []), 0)
    done = offered(judged([*LATE, result(6, 0, 6)]))["bridge"]
    assert (done["events"], after(done)) == ([], [6, 0, 6])
    assert offered(judged([*LATE, trick(1)]))["bridge"]["pending"]["code"] == "remedy-unseen"
    assert offered(judged([*LATE, result(5, 3, 4)]))["bridge"]["pending"]["code"] == "remedy-unseen"


@exercises("IR-4", "REC-14")
def test_every_remedy_names_its_effect():
    done = offered(judged([*TRUMPED, *NEXT, result(4, 5, 3)]))
    assert {code: after(remedy) for code, remedy in done.items() if remedy["effect"]} == {
        "correct": [4, 5, 3], "stand": [4, 5, 3], "bridge": [5, 3, 4], "hand-zero": [4, 0, 3], "redeal": [0, 0, 0],
    }  # fmt: skip
    assert done["penalty"]["pending"]["code"] == "remedy-agree"
    assert offered(judged(TRUMPED))["hand-zero"]["pending"]["code"] == "remedy-at-end"


@exercises("IR-4", "WC-16")
@pytest.mark.parametrize(
    ("bid", "penalties", "before", "then"),
    [
        # Bob made his 4 exactly and loses that; Cy was exact too and keeps it
        ("0:4 1:4 2:4", [(1, -8)], [8, 16, 16], [8, 8, 16]),
        # with one trick fewer Bob would be exact, which must not happen; Cy would have been, and is
        ("0:4 1:3 2:5", [(2, 10)], [8, 6, 10], [8, 6, 20]),
    ],
)
def test_with_exact_bids_the_offender_gets_the_lower_and_others_the_higher_score(bid, penalties, before, then):
    cards = plays("0:4WL 1:2SY 2:XW 2:XL 0:AS 1:3MW 2:9LK 0:6LK 1:8YK")
    events = [*ruling_cards("XM AK XY"), *bids(bid), *cards]
    assert offered(judged(events, game="wildcat-chicane"))["bridge"]["pending"]["code"] == "remedy-at-end"
    done = offered(judged([*events, result(3, 4, 4)], game="wildcat-chicane"))["bridge"]
    assert moved(done) == penalties
    assert done["effect"]["scores"] == {"before": before, "after": then}


@exercises("IR-4", "AT-V4", "AT-Q16")
def test_with_bids_the_tricks_given_up_are_scored_too():
    events = [*bids("0:4 1:4 2:4"), *TRUMPED, *NEXT]
    assert offered(judged(events, options={"bidding": True}))["bridge"]["pending"]["code"] == "remedy-at-end"
    done = offered(judged([*events, result(4, 5, 3)], options={"bidding": True}))["bridge"]
    assert done["effect"]["scores"] == {"before": [20, 21, 0], "after": [21, 0, 20]}
    options = {"partners": True, "bidding": True, "partner_bid": "joint"}
    events = [*bids("0:2 1:2 2:2 3:2"), *plays("0:8MS 1:9MS 2:4MS 3:2WL 1:5ML 2:7ML 3:3MW 0:XM"), result(2, 3, 2, 2)]
    done = offered(judged(events, players=4, options=options))["hand-zero"]
    assert (moved(done), done["effect"]["totals"]["after"]) == ([(1, -21)], [20, 0, 20, 0])


@exercises("IR-4", "AD-26")
@pytest.mark.parametrize(
    ("cards_left", "scoring", "before", "then"),
    [
        ((0, 5, 3, 10), "all", [28, -5, -3, -20], [33, -10, -3, -20]),
        ((4, 0, 3, 1), "all", [-4, 8, -3, -1], [0, 0, 0, 0]),
        ((0, 5, 3, 10), "winner-only", [28, 0, 0, 0], [33, 0, 0, 0]),
        ((4, 0, 3, 1), "winner-only", [0, 8, 0, 0], [0, 0, 0, 0]),
    ],
)
def test_an_american_deuce_offender_pays_the_winner_double(cards_left, scoring, before, then):
    lied = [*NAMED, drop(1, "5S", "9S", constipated=True), *plays("0:3S 1:2H")]
    options = {} if scoring == "all" else {"scoring": scoring}
    done = offered(judged_round([*lied, left(*cards_left)], options=options))["hand-zero"]
    assert done["effect"]["scores"] == {"before": before, "after": then}
    if scoring == "all":
        assert sum(then) == 0
    again = offered(judged_round([*lied, left(*cards_left), *done["events"]], options=options))["hand-zero"]
    assert (again["events"], again["effect"]["scores"]["after"]) == ([], then), "nobody pays double twice"


@exercises("REC-18")
def test_a_finding_by_counting_names_no_one_to_pay():
    done = offered(judged(plays("0:8MS 1:2WL 2:3LY")))
    assert done["bridge"]["pending"]["code"] == done["hand-zero"]["pending"]["code"] == "remedy-nobody"


@exercises("REC-20")
def test_a_remedys_preview_comes_true_when_recorded():
    answer = judged([*TRUMPED, *NEXT])
    bridge = offered(answer)["bridge"]
    settled = judged_record(told([*TRUMPED, *NEXT, *bridge["events"]]))
    assert settled["hands"][0]["scores"] == after(bridge)
    assert settled["totals"] == bridge["effect"]["totals"]["after"]
    assert bridge["events"][0]["x_settles"] == [0, 7]


@exercises("IR-4")
def test_a_trick_given_up_names_its_receiver_and_reason():
    events = [*LATE, *plays("0:2SY 1:7WY 2:6SY")]
    given = {"type": "transfer", "from_seat": 1, "to_seat": 2, "tricks": 1, "x_settles": [0, 1]}
    hand = judged([*events, given])["hands"][0]
    assert hand["given"] == [{"trick": 3, "to": 2, "why": "revoke in trick 1"}]
    assert hand["moved"] == [{"from_seat": 1, "to_seat": 2, "tricks": 1}]
    assert not {"given", "moved"} & set(judged(events)["hands"][0])


def open_now(*hands: list[Json]) -> dict[str, Json]:
    """Return the remedies of the first hand's first finding after other hands have been dealt."""
    record = load_record(told(*hands, carried=[10, 10, 10]))
    played = replay(record)
    (found,) = describe_findings(played.hands[0], record.seats, played.table)
    return {remedy["code"]: dict(remedy) for remedy in found["remedies"]}


@exercises("IR-5", "REC-13")
def test_an_undecided_finding_moves_no_score_after_the_next_deal():
    over = [*LATE, *plays("0:2SY 1:7WY 2:6SY"), result(4, 5, 3)]
    assert list(open_now(over)) == ["correct", "stand", "bridge", "hand-zero", "penalty", "redeal"]
    done = open_now(over, plays("1:9WY"))
    assert list(done) == ["correct", "stand", "penalty"]
    assert not any(remedy["proposed"] for remedy in done.values())
    assert [event["type"] for event in done["stand"]["events"]] == ["note"]
    each = done["penalty"]["each"]
    assert [event["x_settles"] for event in each["events"]] == [[0, 1]]
    assert each["effect"]["totals"] == {"before": [14, 15, 13], "after": [14, 14, 13]}


@exercises("IR-9", "IR-4", "REC-14")
def test_let_it_stand_mentions_playing_on_only_during_play():
    assert offered(judged(LATE))["stand"]["text"] == "Let it stand and play on."
    over = judged([*LATE, result(4, 4, 4)])
    assert offered(over)["stand"]["text"] == "Let it stand."
    assert offered(judged([*LATE, result(4, 4, 4)], [*plays("1:8MS")]), 0)["stand"]["text"] == "Let it stand."
    assert set(offered(judged([*LATE, REDEAL]))) == {"correct", "stand", "penalty"}


@exercises("IR-4")
def test_american_deuce_states_what_the_offender_pays():
    (option,) = [each for each in AMERICAN_DEUCE.all_options() if each.key == "revoke"]
    assert dict(zip(option.values, option.labels, strict=True))["hand-zero"] == (
        "a loser pays double, a winner gets nothing"
    )
