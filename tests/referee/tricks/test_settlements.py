"""Penalties, transfers, redeals and the end (REC-13 .. REC-16), and what a revoke leaves as it was."""

from tests.referee.telling import (
    END,
    REDEAL,
    REVOKE,
    accepted,
    bids,
    exercises,
    finding,
    found,
    hand,
    judged,
    known,
    penalty,
    plays,
    remedy,
    result,
    transfer,
    trick,
    winners,
)


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
    assert "IR-9" in remedy(done["irregularities"][0], "stand")["clauses"]


@exercises("IR-4", "REC-13")
def test_tricks_given_up_for_a_revoke_are_transferred_before_bids_are_scored():
    assert "IR-4" in remedy(finding(REVOKE), "bridge")["clauses"]
    done = hand(bids("0:4 1:4 2:4"), result(4, 5, 3), transfer(1, 2, 1), options={"bidding": True})
    assert done["scores"] == [20, 20, 20]


@exercises("IR-8", "REC-12")
def test_an_out_of_turn_play_offers_to_let_it_stand_or_to_take_it_back():
    found = finding(plays("0:8MS 2:9MS!"))
    assert "IR-8" in remedy(found, "take-back")["clauses"]
    assert "IR-9" in remedy(found, "stand")["clauses"]


@exercises("REC-21", "AT-5")
def test_seen_findings_are_not_reported_again_as_proved():
    entered = "3MW 9MS 2WL AK XK 3LY 4YK 5YK 6LK 7WY 8YK 9LK"
    events = [*plays("0:8MS"), accepted(plays("1:2WL")[0]), *plays("2:XM 2:XL 0:AL 1:3MW!")]
    done = judged(known(events, s1=entered))["hands"][0]
    assert found(done) == [("revoke", "seen", 1), ("revoke", "seen", 1)]
    assert [finding["event"] for finding in done["irregularities"]] == [[0, 1], [0, 5]]
