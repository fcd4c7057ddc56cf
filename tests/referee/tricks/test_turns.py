"""Whose turn it is, also after somebody played out of turn (REC-12)."""

import pytest

from tests.referee.telling import exercises, found, hand, plays, refusal, refused, trick, winners


@exercises("REC-12", "AT-4")
@pytest.mark.parametrize(
    ("events", "turn"),
    [
        ("0:8MS", 1),
        ("0:8MS 2:9MS!", 3),
        ("0:8MS 2:9MS! 3:XM", 1),
        ("0:8MS 2:9MS! 3:XM 1:XS", 3),  # the trick is full; its winner leads
        ("0:8MS 3:9MS!", 1),
        ("0:8MS 3:9MS! 1:XM", 2),
        ("2:8MS!", 3),
        ("2:8MS! 0:9MS!", 1),
    ],
)
def test_after_a_play_out_of_turn_the_next_seat_without_a_card_is_to_act(events: str, turn: int):
    assert hand(plays(events), players=4)["to_act"] == [turn]


@exercises("REC-12", "IR-8")
def test_a_lead_out_of_turn_if_accepted_makes_that_seat_the_leader():
    assert refused(plays("2:8MS")) == ("irregular", "out-of-turn")
    done = hand(plays("2:8MS! 0:9MS 1:XM"))
    assert found(done) == [("out-of-turn", "seen", 2)]
    assert (done["tricks"][0]["leader"], winners(done)) == (2, [1])
    assert done["tricks"][0]["plays"][0] == {"seat": 2, "cards": ["8MS"]}


@exercises("REC-12", "AT-12")
def test_cards_count_in_the_order_in_which_they_were_played():
    done = hand(plays("0:9MS 2:XS! 1:XM"), options={"ties": "early"})
    assert winners(done) == [2]


@exercises("REC-7", "REC-12")
def test_a_second_card_to_a_trick_is_one_too_many():
    assert refused(plays("0:8MS 2:9MS! 2:XM")) == ("impossible", "too-many-cards")
    assert refused(plays("0:8MS 0:9MS")) == ("impossible", "too-many-cards")
    assert refusal(plays("0:8MS 0:9MS"))["reason"]["text"] == "Ann has played to this trick already."


@exercises("AT-13", "REC-19")
def test_the_winner_of_a_recorded_trick_leads():
    assert hand(trick(2))["to_act"] == [2]
    assert hand(trick(2), trick(1))["tricks"][1]["leader"] == 2
