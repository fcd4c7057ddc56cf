"""What the record of Oh Hell proves: against entered hands, by a later card, by counting; and other depths."""

import pytest

from referee.engine.options import Refused
from tests.games.oh_hell.telling import THREE, hand, oh, opened, refused, turn_up
from tests.referee.telling import (
    Json,
    bids,
    exercises,
    found,
    known,
    plays,
    result,
    transfer,
    trick,
    winners,
)

# -- entered hands ----------------------------------------------------------------------------


@exercises("OH-7", "REC-8")
def test_against_an_entered_hand_a_revoke_is_seen_at_once():
    entered = {"1": ["5S", "3D", "4D"]}
    opening = [*opened(), *plays("0:AS")]
    assert refused(opening, plays("1:3D"), known_hands=entered, options=THREE) == ("irregular", "revoke")
    answer = oh(known([*opening, *plays("1:3D! 2:4S 0:KS 1:5S")], s1="5S 3D 4D"), options=THREE)
    assert answer["rejected"] is None
    assert found(answer["hands"][0]) == [("revoke", "seen", 1)]  # not proved once more by 5S
    assert oh(known([*opening, *plays("1:5S")], s1="5S 3D 4D"), options=THREE)["rejected"] is None


@exercises("OH-7", "OH-Q1", "REC-8")
def test_cards_lie_where_they_were_entered():
    entered = {"1": ["5S", "3D", "4D"]}
    more: Json = {"known_hands": entered, "options": THREE}
    assert refused(opened(), plays("0:5S"), **more) == ("impossible", "not-in-hand")
    assert refused(opened(), plays("0:AS 1:6S"), **more) == ("impossible", "not-in-hand")


@exercises("OH-2", "REC-8")
@pytest.mark.parametrize(
    "hands",
    [
        {"s0": "AS KS"}, {"s0": "AS KS QS JS"}, {"s0": "AS KS AS"}, {"s0": "AS KS QS", "s1": "QS JS 10S"},
        {"s0": "AS KS XM"}, {"s3": "AS KS QS"},
    ],
)  # fmt: skip
def test_an_entered_hand_has_as_many_cards_as_were_dealt_and_no_card_twice(hands: dict[str, str]):
    with pytest.raises(Refused):
        oh(known([], **hands), options=THREE)


@exercises("OH-7", "REC-17")
def test_after_unseen_tricks_an_entered_hand_may_have_lost_the_card():
    opening = [*opened(), trick(0)]
    maybe = oh(known([*opening, *plays("0:AS 1:3D")], s1="5S 3D 4D"), options=THREE)
    assert (maybe["rejected"], found(maybe["hands"][0])) == (None, [])
    surely: Json = {"1": ["5S", "6S", "4D"]}
    assert refused(opening, plays("0:AS 1:4D"), known_hands=surely, options=THREE) == ("irregular", "revoke")


# -- by a later card --------------------------------------------------------------------------


@exercises("OH-7", "REC-17")
def test_a_card_proves_the_revoke_it_contradicts():
    done = hand(opened(), plays("0:AS 1:3D 2:4S 0:KS 1:5S"), options=THREE)
    finding = done["irregularities"][0]
    assert found(done) == [("revoke", "proved", 1)]
    assert (finding["event"], finding["trick"], finding["proved_by"]) == ([0, 5], 1, [[0, 8]])


@exercises("OH-7", "REC-17")
def test_one_card_may_prove_several_revokes():
    events = plays("0:AS 1:3D 2:4S 0:KS 1:4D 2:6S 0:AD 1:5S")
    done = hand(opened(), events, options={"largest": 4})
    assert [(each["event"], each["trick"]) for each in done["irregularities"]] == [([0, 5], 1), ([0, 8], 2)]
    assert [each["proved_by"] for each in done["irregularities"]] == [[[0, 11]], [[0, 11]]]


# -- by counting ------------------------------------------------------------------------------


@exercises("OH-7", "REC-18")
def test_claims_that_leave_no_place_for_a_suit_are_found_by_counting():
    options = {"largest": 13}  # four players, so all 52 cards are dealt
    opening = [*bids("0:3 1:3 2:3 3:3"), *plays("0:2S 1:2C 2:2D 3:3D")]
    assert found(hand(opening, players=4, options=options)) == []  # twelve spades, twelve cards
    done = hand(opening, plays("0:2H"), players=4, options=options)
    assert found(done) == [("joint-revoke", "joint", None)]
    finding = done["irregularities"][0]
    assert finding["claims"] == [[0, 5], [0, 6], [0, 7]]
    assert (finding["suspects"], finding["event"], finding["trick"]) == ([1, 2, 3], [0, 7], 1)
    assert finding["proved_by"] == [[0, 8]]
    assert {"OH-7", "REC-18"} <= set(finding["reason"]["clauses"])


CLUBS = "0:AC 1:3C 2:3D 0:KC 1:4C 2:4D 0:QC 1:5C 2:5D 0:JC 1:6C 2:6D 0:10C 1:7C 2:7D 0:9C"
"""Sixteen plays, the leads of seat 0 at 0, 3, 6, 9, 12 and 15."""


@exercises("OH-Q1", "OH-Q2", "REC-18")
@pytest.mark.parametrize(
    ("turned", "found_at"),
    [
        (turn_up("KH"), 12),
        (turn_up("?", "H"), 12),  # a heart lies aside, so no spade does
        (turn_up("KS"), 15),
        (turn_up("?", "S"), 15),  # any spade may lie aside
    ],
)
def test_the_turned_card_is_a_place_of_its_own(turned: Json, found_at: int):
    options = {"largest": 17}  # three players: the turned card is the only one not dealt
    opening = [turned, *bids("0:3 1:3 2:3"), *plays("0:2S 1:2C 2:2D")]
    cards = plays(CLUBS)
    assert found(hand(opening, cards[:found_at], options=options)) == []
    done = hand(opening, cards[: found_at + 1], options=options)
    assert found(done) == [("joint-revoke", "joint", None)]
    assert done["irregularities"][0]["suspects"] == [1, 2]
    assert done["irregularities"][0]["claims"] == [[0, 5], [0, 6]]


@exercises("OH-3", "REC-18")
def test_the_undealt_rest_is_a_place_too():
    opening = [*bids("0:3 1:3 2:3 3:2"), *plays("0:2S 1:2C 2:2D 3:3D 0:2H")]
    none = {"largest": 13, "trump": "none"}
    assert found(hand(opening, players=4, options=none)) == [("joint-revoke", "joint", None)]
    twelve = {"largest": 12, "trump": "none"}  # four cards lie aside: enough for the spade without a place
    assert found(hand(opening, players=4, options=twelve)) == []


@exercises("REC-18", "REC-8")
def test_entered_hands_are_places_that_are_filled():
    options = {"largest": 13}
    hearts = "3H 4H 5H 6H 7H 8H 9H 10H JH QH KH AH"
    opening = [*bids("0:3 1:3 2:3 3:3"), *plays("0:2S 1:2C 2:2D")]
    answer = oh(known(opening, s3=f"{hearts} 3D"), players=4, options=options)
    assert found(answer["hands"][0]) == []
    answer = oh(known([*opening, *plays("3:3D 0:2H")], s3=f"{hearts} 3D"), players=4, options=options)
    assert answer["hands"][0]["irregularities"][0]["claims"] == [[0, 5], [0, 6]]  # seat 3 has none indeed


@exercises("REC-18", "REC-17")
def test_a_direct_proof_takes_the_place_of_a_joint_one():
    options = {"largest": 13}
    opening = [*bids("0:3 1:3 2:3 3:3"), *plays("0:2S 1:2C 2:2D 3:3D 0:2H")]
    done = hand(opening, plays("1:3S"), players=4, options=options)
    assert ("revoke", "proved", 1) in found(done)
    assert [each["code"] for each in done["irregularities"]] == ["revoke"]


@exercises("REC-18", "REC-19")
def test_after_an_unseen_trick_nothing_is_counted():
    options = {"largest": 13}
    opening = [*bids("0:3 1:3 2:3 3:3"), trick(0), *plays("0:2S 1:2C 2:2D 3:3D 0:2H 1:3H")]
    assert found(hand(opening, players=4, options=options)) == []
    assert found(hand(opening, plays("2:4H 3:5H 3:6H 0:7H 1:4S"), players=4, options=options)) == [
        ("revoke", "proved", 1)
    ]


# -- other depths -----------------------------------------------------------------------------


@exercises("REC-19", "REC-2", "REC-11")
def test_bids_are_never_skipped():
    for before in ([], [turn_up("2H")], [turn_up("2H"), *bids("0:1 1:1")]):
        assert refused(before, trick(0), options=THREE) == ("impossible", "wrong-phase")
        assert refused(before, result(3, 0, 0), options=THREE) == ("impossible", "wrong-phase")


@exercises("REC-19", "REC-2")
def test_depths_may_change_between_tricks_and_within_one():
    done = hand(opened(), plays("0:AS 1:2S 2:3S"), trick(2), result(1, 0, 2), options=THREE)
    assert (winners(done), done["tricks_won"], done["cards_left"]) == ([0, 2], [1, 0, 2], [0, 0, 0])
    assert (done["phase"], done["scores"]) == ("finished", [11, 0, 0])
    assert [each["plays"] == [] for each in done["tricks"]] == [False, True]
    assert hand(opened(), plays("0:AS"), trick(0), options=THREE)["tricks_won"][0] == 1
    assert refused(opened(), plays("0:AS"), result(3, 0, 0), options=THREE) == ("impossible", "wrong-phase")


@exercises("REC-11")
@pytest.mark.parametrize("tricks", [(1, 1), (1, 1, 1, 0), (1, 1, 0), (2, 1, 1), (0, 2, 1), (4, -1, 0)])
def test_a_result_fits_the_tricks_of_the_hand(tricks: tuple[int, ...]):
    assert refused(opened(), trick(0), result(*tricks), options=THREE) == ("impossible", "bad-result")


@exercises("REC-3", "REC-5", "REC-6", "REC-13")
def test_what_a_trick_a_result_and_a_transfer_may_name():
    assert refused(opened(), trick(3), options=THREE) == ("impossible", "no-such-seat")
    assert refused(opened(), trick(0, last="9SK"), options=THREE) == ("impossible", "not-in-deck")
    before = [*opened(), *plays("0:AS 1:2S 2:3S")]
    assert refused(before, trick(0, last="AS"), options=THREE) == ("impossible", "already-played")
    assert refused(before, result(3, 0, 0, last="AS"), options=THREE) == ("impossible", "already-played")
    assert refused(before, transfer(0, 1, 2), options=THREE) == ("impossible", "bad-result")
    assert refused(before, transfer(0, 3, 1), options=THREE) == ("impossible", "no-such-seat")
    assert hand(before, transfer(0, 1, 1), options=THREE)["tricks_won"] == [0, 1, 0]


@exercises("REC-19")
def test_what_could_not_be_checked_is_said():
    def said(*events: Json) -> list[str]:
        return [reason["code"] for reason in hand(opened(), *events, options=THREE)["unchecked"]]

    assert said() == ["hands-unknown"]
    assert said(trick(0)) == ["hands-unknown", "tricks-without-cards", "no-counting"]
    assert said(trick(0), result(1, 1, 1)) == ["hands-unknown", "tricks-without-cards", "result-only", "no-counting"]
