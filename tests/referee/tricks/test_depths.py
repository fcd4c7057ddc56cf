"""Three depths of one record: every card, trick winners, the result (REC-19)."""

import pytest

from tests.referee.telling import exercises, found, hand, judged, known, plays, result, trick, winners


def said(done: dict) -> list[str]:
    """Return what could not be checked."""
    return [reason["code"] for reason in done["unchecked"]]


@exercises("REC-19")
def test_the_depth_can_change_inside_a_hand():
    done = hand(plays("0:8MS 1:9MS 2:2MK"), trick(2), plays("2:XL 0:9LK 1:AL"), trick(0), result(3, 5, 4))
    assert winners(done) == [1, 2, 2, 0]
    assert (done["tricks_won"], done["scores"], done["phase"]) == ([3, 5, 4], [3, 5, 4], "finished")
    assert [len(entry["plays"]) for entry in done["tricks"]] == [3, 0, 3, 0]
    assert said(done) == ["hands-unknown", "tricks-without-cards", "result-only", "no-counting"]


@exercises("REC-11", "REC-19")
def test_a_result_counts_the_tricks_of_the_whole_hand():
    assert hand(trick(0), trick(0), result(2, 10, 0))["scores"] == [2, 10, 0]
    assert hand(trick(0), trick(0), result(2, 10, 0))["cards_left"] == [0, 0, 0]


@exercises("REC-19")
@pytest.mark.parametrize("tricks", [1, 11])
def test_cards_left_fall_with_every_trick_that_nobody_saw(tricks: int):
    done = hand([trick(0)] * tricks)
    assert done["cards_left"] == [12 - tricks] * 3
    assert hand([trick(0)] * 12)["phase"] == "finished"


@exercises("REC-19", "AT-8")
@pytest.mark.parametrize(
    ("event", "trump"),
    [(trick(0), "S"), (trick(0, trump="K"), "K"), (trick(0, trump="S"), "S"), (trick(0, trump="knots"), "K")],
)
def test_a_trick_without_trump_leaves_it_as_it_was(event: dict, trump: str | None):
    done = hand(plays("0:7SK 1:9MS 2:AS"), event)
    assert (done["trump"], done["tricks"][1]["trump"]) == (trump, trump)


@exercises("REC-17", "REC-19")
def test_direct_proofs_go_on_after_tricks_without_cards():
    done = hand(plays("0:8MS 1:2WL 2:9MS"), trick(1), plays("1:XM"))
    assert found(done) == [("revoke", "proved", 1)]
    assert done["irregularities"][0]["proved_by"] == [[0, 4]]


@exercises("REC-5", "REC-6")
def test_the_last_card_is_looked_at_but_is_no_evidence():
    done = hand(plays("0:8MS 1:2WL 2:9MS"), trick(1, last="XM"), plays("1:XS 2:XM"))
    assert found(done) == [("revoke", "proved", 1)]  # by the Bard, not by what was said of the Huntress


@exercises("REC-19")
def test_a_hand_of_which_everything_is_known_has_nothing_unchecked():
    hands = {"s0": "8MS 9MS XM 4MS 3MW 5ML 6MW 7ML 2MK", "s1": "2SY 3SK 5SW 6SY 7SK AS XS AM AK"}
    done = judged(known(plays("0:8MS"), **hands), players=2)["hands"][0]
    assert done["unchecked"] == []
    half = judged(known(plays("0:8MS"), s0=hands["s0"]), players=2)["hands"][0]
    assert said(half) == ["hands-unknown"]


@exercises("REC-20")
def test_a_remark_is_kept_and_changes_nothing():
    plain = hand(plays("0:8MS 1:9MS"))
    assert hand({"type": "note", "text": "Bob took long", "seat": 1}, plays("0:8MS 1:9MS")) == plain
