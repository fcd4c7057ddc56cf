"""The Bridge remedy for a revoke, and how tables settle one."""

from typing import Any

import pytest

from tests.referee.telling import (
    END,
    NOTE,
    REDEAL,
    accepted,
    bids,
    exercises,
    found,
    hand,
    judged,
    judged_record,
    known,
    penalty,
    plays,
    ransoms,
    result,
    ruling_cards,
    told,
    transfer,
    trick,
    winners,
)

# --- Tricks given up for a revoke (IR-4): by one side, to the other, each trick once

Json = dict[str, Any]
PARTNERS = {"partners": True}
TWICE = plays("0:8MS 1:2WL 2:9MS 2:4MS 0:6MW 1:5YK 0:9LK 1:2MK 2:3SK")
"""Bob follows neither the Diplomat nor the Mountain, and then shows the Author: two revokes are proved."""
FOURTH = plays("0:4WL 1:7WY 2:3LY")
"""Bob wins; without his Cave, Ann's Sailor would."""
FIFTH = plays("1:XW 2:9WY 0:5SW")
"""Bob wins; without his Sea, Cy's Darkness would."""


def bridges(answer: Json) -> list[Json]:
    """Return the trick-transfer remedy of each finding of the last hand."""
    found = answer["hands"][-1]["irregularities"]
    return [next(each for each in finding["remedies"] if each["code"] == "bridge") for finding in found]


def moves(answer: Json) -> list[list[tuple[int, int, int]] | str]:
    """Return what each of them moves, or why that is unknown."""
    return [
        [(event["from_seat"], event["to_seat"], event["tricks"]) for event in remedy["events"]]
        if remedy["events"] is not None
        else remedy["pending"]["code"]
        for remedy in bridges(answer)
    ]


@exercises("IR-4", "RT-16")
def test_a_pending_remedy_names_the_side():
    lost = plays("0:8MS 1:9MS 2:2WL 3:4MS 1:7WY 2:3MW 3:9WY 0:4WL")
    pending = bridges(judged(lost, players=4, options=PARTNERS))[0]["pending"]["text"]
    assert pending == "We’ll know the cost once Cy or a partner has won another trick, or when the hand ends."
    alone = bridges(judged(lost, players=4))[0]["pending"]["text"]
    assert alone == "We’ll know the cost once Cy has won another trick, or when the hand ends."


@exercises("IR-4")
def test_two_revokes_do_not_take_the_same_trick():
    assert moves(judged([*TWICE, *FOURTH])) == [[(1, 0, 1)], "remedy-next-trick"]
    assert moves(judged([*TWICE, *FOURTH, *FIFTH])) == [[(1, 0, 1)], [(1, 2, 1)]]


@exercises("IR-4", "REC-13")
def test_a_trick_is_not_given_up_twice():
    events = [*TWICE, *FOURTH, *FIFTH]
    first = bridges(judged(events))[0]["events"]
    assert moves(judged_record(told([*events, *first]))) == [[], [(1, 2, 1)]]
    second = bridges(judged(events))[1]["events"]
    both = judged_record(told([*events, *second, *first]))
    assert (moves(both), both["totals"]) == ([[], []], [3, 0, 2])
    # the second finding already has its trick, so the first one keeps the other
    assert moves(judged_record(told([*events, *second]))) == [[(1, 0, 1)], []]


@exercises("IR-4", "REC-13")
def test_a_transfer_without_a_finding_settles_the_one_for_its_trick():
    events = [*TWICE, *FOURTH, *FIFTH]
    assert moves(judged([*events, transfer(1, 0, 1)])) == [[], [(1, 2, 1)]]
    assert moves(judged([*events, transfer(1, 2, 1)])) == [[(1, 0, 1)], []]


@exercises("IR-4", "IR-9")
@pytest.mark.parametrize(
    "decision", [NOTE | {"x_settles": [0, 1]}, {"type": "penalty", "seat": 1, "points": -2, "x_settles": [0, 1]}]
)
def test_a_revoke_with_another_penalty_leaves_its_trick_available(decision: Json):
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


def codes(finding: Json) -> list[str]:
    return [remedy["code"] for remedy in finding["remedies"]]


ENTERED = "3MW 9MS 2WL AK XK 3LY 4YK 5YK 6LK 7WY 8YK 9LK"


@exercises("IR-4", "IR-2", "REC-21")
def test_an_accepted_revoke_costs_the_same_as_a_proved_one():
    events = [*plays("0:8MS 1:2WL! 2:XM"), *plays("2:7WY 0:4WL 1:9LK!")]
    answer = judged(known(events, s1=ENTERED), options={"revoke": "bridge"})
    finding = answer["hands"][0]["irregularities"][0]
    assert (finding["code"], finding["certainty"]) == ("revoke", "seen")
    assert {"stand", "take-back", "bridge", "hand-zero", "penalty", "redeal", "correct"} == set(codes(finding))
    assert [remedy["code"] for remedy in finding["remedies"] if remedy["proposed"]] == ["bridge"]
    bridge = next(remedy for remedy in finding["remedies"] if remedy["code"] == "bridge")
    assert bridge["pending"]["code"] == "remedy-next-trick"
    # other accepted irregularities have no such cost
    odd = judged(plays("0:8MS 2:9MS!"))["hands"][0]["irregularities"][0]
    assert codes(odd) == ["stand", "take-back", "penalty", "redeal"]
    assert not any(remedy["proposed"] for remedy in odd["remedies"])


@exercises("WC-10", "IR-4")
def test_an_accepted_trump_lead_costs_the_same_as_a_proved_one():
    hand = "AM AS XM XS 4MS 3MW 5ML 6MW 7ML 2MK 8MS 9MS"
    events = [*ruling_cards("XM AW AL"), *bids("0:4 1:4 2:2"), *plays("0:4MS!")]
    answer = judged(known(events, s0=hand), game="wildcat-chicane")
    finding = answer["hands"][0]["irregularities"][0]
    assert (finding["code"], finding["certainty"]) == ("trump-led", "seen")
    assert "bridge" in codes(finding)


@exercises("IR-2", "IR-16", "RT-Q4")
def test_cards_are_taken_back_only_if_cards_were_played():
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
    assert penalty["text"] == "Agree on a number of points for the offender to lose."
    assert penalty["pending"]["text"] == "Agree on a number of points for Bob to lose."
    assert [(event["seat"], event["points"], event["x_settles"]) for event in penalty["each"]["events"]] == [
        (1, -1, [0, 1])
    ]
    assert penalty["each"]["effect"]["scores"] == {"before": [2, 1, 1], "after": [2, 0, 1]}


@exercises("REC-18", "REC-13")
def test_a_joint_finding_costs_no_one_points():
    finding = judged(plays("0:8MS 1:2WL 2:3LY"))["hands"][0]["irregularities"][0]
    penalty = next(each for each in finding["remedies"] if each["code"] == "penalty")
    assert (penalty["pending"]["code"], penalty["each"]) == ("remedy-nobody", None)


# --- Settlements: penalties, transfers, redeals, the end (REC-13 .. REC-16)

REVOKE = plays("0:8MS 1:2WL 2:9MS 2:9LK 0:XL 1:3MW")
"""Seat 1 does not follow the Diplomat, and shows the Journey in the second trick."""


@exercises("REC-13", "IR-6")
def test_a_penalty_counts_at_once_even_after_the_hand_or_the_game():
    done = hand(trick(0), penalty(0, -3), penalty(2, 2))
    assert done["scores"] == [-2, 0, 2]
    assert [(line["seat"], line["points"]) for line in done["score_lines"]] == [(0, 1), (0, -3), (2, 2)]
    assert "agreed" in done["score_lines"][1]["reason"]["text"]
    answer = judged([result(5, 4, 3), penalty(1, 2)], end={"kind": "score", "value": 6})
    assert (answer["totals"], answer["finished"], answer["winners"]) == ([5, 6, 3], True, [1])
    answer = judged([result(5, 4, 3), END, penalty(1, 2)])
    assert (answer["totals"], answer["winners"]) == ([5, 6, 3], [1])


@exercises("REC-13", "REC-11")
def test_transferred_tricks_score_for_the_receiver_and_results_count_tricks_won():
    done = hand(trick(0), trick(0), transfer(0, 1, 1), result(6, 3, 3))
    assert (done["tricks_won"], done["scores"]) == ([5, 4, 3], [5, 4, 3])
    assert winners(done) == [0, 0]
    done = hand(trick(0), transfer(0, 1, 1), result(1, 11, 0))
    assert done["tricks_won"] == [0, 12, 0]


@exercises("REC-14", "TT-5")
def test_a_redealt_hand_scores_only_its_penalties_and_the_same_dealer_deals_again():
    events = [*plays("0:8MS 1:9MS 2:XM"), penalty(1, -2), REDEAL]
    answer = judged(events, [result(12, 0, 0)], dealer=2, end={"kind": "hands", "value": 1})
    first, second = answer["hands"]
    assert (first["phase"], first["scores"], first["to_act"]) == ("void", [0, -2, 0], [])
    assert len(first["tricks"]) == 1
    assert [first["number"], second["number"]] == [1, 2]
    assert [first["dealer"], second["dealer"]] == [2, 2]
    assert (answer["totals"], answer["finished"]) == ([12, -2, 0], True)


@exercises("REC-14", "REC-13")
def test_a_redeal_takes_scores_back_and_a_penalty_in_it_ends_no_game():
    answer = judged([result(12, 0, 0), REDEAL], end={"kind": "score", "value": 10})
    assert (answer["totals"], answer["finished"], answer["next"]["dealer"]) == ([0, 0, 0], False, 2)
    answer = judged([REDEAL, penalty(0, 50)], end={"kind": "score", "value": 10})
    assert (answer["totals"], answer["finished"]) == ([50, 0, 0], False)
    after = judged([REDEAL, penalty(0, 50)], [result(0, 12, 0)], end={"kind": "score", "value": 10})
    assert (after["finished"], after["winners"]) == (True, [0])


@exercises("REC-16", "REC-14")
def test_an_agreed_end_voids_a_running_hand_and_keeps_a_finished_one():
    answer = judged([result(5, 4, 3)], [trick(1), trick(1), END])
    assert answer["hands"][1]["phase"] == "void"
    assert (answer["totals"], answer["finished"], answer["winners"], answer["next"]) == ([5, 4, 3], True, [0], None)
    answer = judged([result(5, 5, 2), END])
    assert (answer["hands"][0]["phase"], answer["winners"]) == ("finished", [0, 1])


@exercises("REC-15", "REC-16")
def test_totals_start_from_carried_points_and_the_next_deal_is_named():
    answer = judged([result(5, 4, 3)], carried=[10, -2, 0], end={"kind": "score", "value": 15})
    assert (answer["totals"], answer["finished"], answer["winners"]) == ([15, 2, 3], True, [0])
    assert judged()["next"]["number"] == 1
    assert judged([trick(0)])["next"] is None
    assert judged([result(12, 0, 0)])["next"] == {
        "number": 2, "dealer": 0, "seating": [0, 1, 2], "hand_size": [12, 12, 12],
    }  # fmt: skip


@exercises("IR-3", "IR-9")
def test_an_established_revoke_leaves_the_trick_as_played():
    done = hand(REVOKE)
    assert winners(done)[0] == 2
    assert found(done) == [("revoke", "proved", 1)]
    stand = next(remedy for remedy in done["irregularities"][0]["remedies"] if remedy["code"] == "stand")
    assert "IR-9" in stand["clauses"]


@exercises("IR-4", "REC-13")
def test_tricks_given_up_for_a_revoke_are_transferred_before_bids_are_scored():
    bridge = next(r for r in hand(REVOKE)["irregularities"][0]["remedies"] if r["code"] == "bridge")
    assert "IR-4" in bridge["clauses"]
    done = hand(bids("0:4 1:4 2:4"), result(4, 5, 3), transfer(1, 2, 1), options={"bidding": True})
    assert done["scores"] == [20, 20, 20]


@exercises("IR-8", "REC-12")
def test_an_out_of_turn_play_offers_to_let_it_stand_or_to_take_it_back():
    done = hand(plays("0:8MS 2:9MS!"))
    offered = {remedy["code"]: remedy["clauses"] for remedy in done["irregularities"][0]["remedies"]}
    assert "IR-8" in offered["take-back"]
    assert "IR-9" in offered["stand"]


@exercises("REC-21", "AT-5")
def test_seen_findings_are_not_reported_again_as_proved():
    entered = "3MW 9MS 2WL AK XK 3LY 4YK 5YK 6LK 7WY 8YK 9LK"
    events = [*plays("0:8MS"), accepted(plays("1:2WL")[0]), *plays("2:XM 2:XL 0:AL 1:3MW!")]
    done = judged(known(events, s1=entered))["hands"][0]
    assert found(done) == [("revoke", "seen", 1), ("revoke", "seen", 1)]
    assert [finding["event"] for finding in done["irregularities"]] == [[0, 1], [0, 5]]
