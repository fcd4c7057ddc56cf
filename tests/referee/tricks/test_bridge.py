"""Tricks given up for a revoke (IR-4): by a side, to the other side, and each trick once."""

from typing import Any

import pytest

from tests.referee.telling import (
    NOTE,
    bids,
    exercises,
    judged,
    judged_record,
    known,
    plays,
    ransoms,
    ruling_cards,
    told,
    transfer,
)

Json = dict[str, Any]
PARTNERS = {"partners": True}
TWICE = plays("0:8MS 1:2WL 2:9MS 2:4MS 0:6MW 1:5YK 0:9LK 1:2MK 2:3SK")
"""Bob follows neither the Diplomat nor the Mountain, and then shows the Author: two revokes are proved."""
FOURTH = plays("0:4WL 1:7WY 2:3LY")
"""Bob wins; without his Cave, Ann's Sailor would."""
FIFTH = plays("1:XW 2:9WY 0:5SW")
"""Bob wins; without his Sea, Cy's Darkness would."""


def bridges(answer: Json) -> list[Json]:
    """Return the remedy of giving up tricks of each finding of the last hand."""
    found = answer["hands"][-1]["irregularities"]
    return [next(each for each in finding["remedies"] if each["code"] == "bridge") for finding in found]


def moves(answer: Json) -> list[list[tuple[int, int, int]] | str]:
    """Return what each of them moves, or why it cannot be told."""
    return [
        [(event["from_seat"], event["to_seat"], event["tricks"]) for event in remedy["events"]]
        if remedy["events"] is not None
        else remedy["pending"]["code"]
        for remedy in bridges(answer)
    ]


# -- partners ---------------------------------------------------------------------------------


@exercises("IR-4", "AT-V3")
def test_the_next_trick_of_a_side_is_given_up_whoever_of_it_won_it():
    # Cy revokes in the first trick; Ann, who plays with Cy, wins the third
    lost = plays("0:8MS 1:9MS 2:2WL 3:4MS 1:7WY 2:3MW 3:9WY 0:4WL")
    assert moves(judged(lost, players=4, options=PARTNERS)) == ["remedy-next-trick"]
    won = [*lost, *plays("3:6SY 0:XY 1:2SY 2:9LK")]
    assert moves(judged(won, players=4, options=PARTNERS)) == [[(0, 3, 1)]]
    assert moves(judged(won, players=4)) == ["remedy-next-trick"]  # each for himself: Cy has won nothing yet


@exercises("IR-4", "AT-V3")
def test_a_revoke_trick_that_the_partner_won_goes_to_the_best_card_of_the_other_side():
    # Dot's Journey follows; Cy's own Castle is no better than a discard, and Ann wins with the Huntress
    first = plays("0:XM 1:2MK 2:2WL 3:3MW 0:8YK 1:4YK 2:4MS 3:7WY")
    answer = judged(first, players=4, options=PARTNERS)
    # both tricks were Ann's; not Cy's own card won, so the Journey takes the first and nothing else
    assert moves(answer) == [[(0, 3, 1)]]
    remedy = bridges(answer)[0]
    assert remedy["effect"]["totals"] == {"before": [2, 0, 2, 0], "after": [1, 1, 1, 1]}


@exercises("IR-4", "AT-V3")
def test_a_card_of_the_offenders_partner_never_inherits_a_trick():
    # without Cy's Crown, Ann's Diplomat would be best; but it is of the same side
    first = plays("0:8MS 1:2WL 2:XM 3:4MS 2:3MW 3:9LK 0:5ML 1:6MW")
    answer = judged(first, players=4, options=PARTNERS)
    assert [finding["seat"] for finding in answer["hands"][0]["irregularities"]] == [1]
    cy = plays("0:8MS 1:9LK 2:7WY 3:4MS 0:6SY 1:XL 2:2MK 3:3SK")
    answer = judged(cy, players=4, options=PARTNERS)
    # Cy followed neither time: Ann won both tricks, and only Dot's cards of the other side follow
    assert [finding["seat"] for finding in answer["hands"][0]["irregularities"]] == [2]
    assert moves(answer) == [[(0, 3, 1)]]


@exercises("IR-4", "RT-16")
def test_the_pending_sentence_names_the_side():
    lost = plays("0:8MS 1:9MS 2:2WL 3:4MS 1:7WY 2:3MW 3:9WY 0:4WL")
    pending = bridges(judged(lost, players=4, options=PARTNERS))[0]["pending"]["text"]
    assert pending == "What it comes to is known once Cy or a partner has won the next trick, or the hand is over."
    alone = bridges(judged(lost, players=4))[0]["pending"]["text"]
    assert alone == "What it comes to is known once Cy has won the next trick, or the hand is over."


# -- no trick twice ---------------------------------------------------------------------------


@exercises("IR-4")
def test_two_revokes_do_not_take_the_same_trick():
    assert moves(judged([*TWICE, *FOURTH])) == [[(1, 0, 1)], "remedy-next-trick"]
    assert moves(judged([*TWICE, *FOURTH, *FIFTH])) == [[(1, 0, 1)], [(1, 2, 1)]]


@exercises("IR-4", "REC-13")
def test_a_trick_that_was_given_up_is_not_given_up_again():
    events = [*TWICE, *FOURTH, *FIFTH]
    first = bridges(judged(events))[0]["events"]
    assert moves(judged_record(told([*events, *first]))) == [[], [(1, 2, 1)]]
    second = bridges(judged(events))[1]["events"]
    both = judged_record(told([*events, *second, *first]))
    assert (moves(both), both["totals"]) == ([[], []], [3, 0, 2])
    # the second finding has its trick already, so the first one keeps the one that is left
    assert moves(judged_record(told([*events, *second]))) == [[(1, 0, 1)], []]


@exercises("IR-4", "REC-13")
def test_a_transfer_that_names_no_finding_settles_the_one_whose_trick_it_moves():
    events = [*TWICE, *FOURTH, *FIFTH]
    assert moves(judged([*events, transfer(1, 0, 1)])) == [[], [(1, 2, 1)]]
    assert moves(judged([*events, transfer(1, 2, 1)])) == [[(1, 0, 1)], []]


@exercises("IR-4", "IR-9")
@pytest.mark.parametrize(
    "decision", [NOTE | {"x_settles": [0, 1]}, {"type": "penalty", "seat": 1, "points": -2, "x_settles": [0, 1]}]
)
def test_a_revoke_that_costs_something_else_leaves_its_trick_to_the_other_one(decision: Json):
    events = [*TWICE, *FOURTH, *FIFTH]
    assert moves(judged([*events, decision]))[1] == [(1, 0, 1)]
    assert moves(judged([*events, NOTE | {"x_settles": [0, 99]}]))[1] == [(1, 2, 1)]
    assert moves(judged([*events, NOTE | {"x_settles": "yes"}]))[1] == [(1, 2, 1)]


@exercises("IR-4", "AT-V3")
def test_two_partners_who_both_revoked_do_not_give_up_the_same_trick():
    # Ann's side: Cy in the first trick, Ann in the second, both proved in the third; the side wins the fourth
    both = plays("1:8MS 2:2WL 3:9MS 0:4MS 3:5ML 0:8YK 1:6MW 2:3MW 1:9LK 2:4WL 3:3SK 0:7ML")
    won = [*both, *plays("1:2SY 2:XS 3:6SY 0:7SK")]
    found = judged(won, players=4, dealer=0, options=PARTNERS)
    assert sorted(finding["seat"] for finding in found["hands"][0]["irregularities"]) == [0, 2]
    assert moves(found) == [[(2, 3, 1)], "remedy-next-trick"]


# -- which remedies there are -----------------------------------------------------------------


def codes(finding: Json) -> list[str]:
    return [remedy["code"] for remedy in finding["remedies"]]


ENTERED = "3MW 9MS 2WL AK XK 3LY 4YK 5YK 6LK 7WY 8YK 9LK"


@exercises("IR-4", "IR-2", "REC-21")
def test_a_revoke_that_was_noticed_and_accepted_costs_what_a_proved_one_costs():
    events = [*plays("0:8MS 1:2WL! 2:XM"), *plays("2:7WY 0:4WL 1:9LK!")]
    answer = judged(known(events, s1=ENTERED), options={"revoke": "bridge"})
    finding = answer["hands"][0]["irregularities"][0]
    assert (finding["code"], finding["certainty"]) == ("revoke", "seen")
    assert {"stand", "take-back", "bridge", "hand-zero", "penalty", "redeal", "correct"} == set(codes(finding))
    assert [remedy["code"] for remedy in finding["remedies"] if remedy["proposed"]] == ["bridge"]
    bridge = next(remedy for remedy in finding["remedies"] if remedy["code"] == "bridge")
    assert bridge["pending"]["code"] == "remedy-next-trick"
    # other irregular acts that were accepted cost nothing of the kind
    odd = judged(plays("0:8MS 2:9MS!"))["hands"][0]["irregularities"][0]
    assert codes(odd) == ["stand", "take-back", "penalty", "redeal"]
    assert not any(remedy["proposed"] for remedy in odd["remedies"])


@exercises("WC-10", "IR-4")
def test_a_trump_that_was_led_and_accepted_costs_what_a_proved_lead_costs():
    hand = "AM AS XM XS 4MS 3MW 5ML 6MW 7ML 2MK 8MS 9MS"
    events = [*ruling_cards("XM AW AL"), *bids("0:4 1:4 2:2"), *plays("0:4MS!")]
    answer = judged(known(events, s0=hand), game="wildcat-chicane")
    finding = answer["hands"][0]["irregularities"][0]
    assert (finding["code"], finding["certainty"]) == ("trump-led", "seen")
    assert "bridge" in codes(finding)


@exercises("IR-2", "IR-16", "RT-Q4")
def test_cards_are_taken_back_only_where_cards_were_played():
    bid = judged(bids("1:2!"), options={"bidding": True})["hands"][0]["irregularities"][0]
    assert codes(bid) == ["stand", "penalty", "redeal"]
    named = [*ransoms("7SK 8MS 9LK"), {"type": "trump", "seat": 0, "suit": "K", "accepted": True}]
    trump = judged(named, game="ransom-trump")["hands"][0]["irregularities"][0]
    assert codes(trump) == ["stand", "penalty", "redeal"]
    suit = {"type": "suit", "seat": 1, "suit": "S", "accepted": True}
    deuce = judged([suit], game="american-deuce", players=4)["hands"][0]["irregularities"][0]
    assert codes(deuce) == ["stand", "penalty", "redeal"]


@exercises("REC-13")
def test_a_penalty_is_what_the_offender_loses():
    answer = judged([*TWICE, *FOURTH])
    penalty = next(each for each in answer["hands"][0]["irregularities"][0]["remedies"] if each["code"] == "penalty")
    assert penalty["text"] == "Agree on a penalty: points that the offender loses."
    assert penalty["pending"]["text"] == "The table agrees on a number of points, and Bob loses them."
    assert [(event["seat"], event["points"], event["x_settles"]) for event in penalty["each"]["events"]] == [
        (1, -1, [0, 1])
    ]
    assert penalty["each"]["effect"]["scores"] == {"before": [2, 1, 1], "after": [2, 0, 1]}


@exercises("REC-18", "REC-13")
def test_nobody_loses_points_for_what_several_may_have_done():
    finding = judged(plays("0:8MS 1:2WL 2:3LY"))["hands"][0]["irregularities"][0]
    penalty = next(each for each in finding["remedies"] if each["code"] == "penalty")
    assert (penalty["pending"]["code"], penalty["each"]) == ("remedy-nobody", None)
