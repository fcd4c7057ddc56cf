"""What cards prove about hidden hands (REC-17, REC-18), and what entered hands show at once (REC-8)."""

import pytest

from referee.engine.options import Refused
from tests.referee.telling import exercises, found, hand, judged, known, plays, refused, trick

# -- direct proofs ----------------------------------------------------------------------------


@exercises("REC-17", "AT-5")
@pytest.mark.parametrize(
    ("events", "acts"),
    [
        ("0:8MS 1:2WL 2:9MS 2:9LK 0:XL 1:3MW", [1]),
        ("0:8MS 1:2WL 2:9MS 2:9LK 0:XL 1:XM", [1]),
        ("0:8MS 1:2WL 2:9MS 2:9LK 0:XL 1:4WL", []),  # neither a Moon nor a Sun
        ("0:8MS 1:2WL 2:9MS 2:XS 0:AY 1:9LK 0:AW 1:3MW", [1]),  # the second lead was a Sun only
        ("0:8MS 1:2WL 2:9MS 2:XS 0:AY 1:9LK 0:AW 1:4MS", [1, 5]),  # one card proves both
        ("0:2WL 1:3LY 2:XL 2:XK 0:8MS 1:2MK", []),
    ],
)
def test_each_contradicted_claim_is_found_at_the_first_card_that_contradicts_it(events: str, acts: list[int]):
    told = plays(events)
    done = hand(told)
    proofs = [i for i in done["irregularities"] if i["certainty"] == "proved"]
    assert [finding["event"] for finding in proofs] == [[0, act] for act in acts]
    assert all(finding["proved_by"] == [[0, len(told) - 1]] for finding in proofs)
    assert not [i for i in hand(told[:-1])["irregularities"] if i["certainty"] == "proved"]


@exercises("REC-17")
def test_a_claim_once_contradicted_is_not_found_again():
    done = hand(plays("0:8MS 1:2WL 2:9MS 2:9LK 0:XL 1:3MW 0:6LK 1:XM 2:3SK"))
    assert found(done) == [("revoke", "proved", 1)]


@exercises("REC-17", "AT-V7")
def test_only_cards_of_the_called_suit_contradict():
    called = {"called_suit": True}
    assert found(hand(plays("0:8MS/M 1:2WL 2:9MS 2:XL 0:AL 1:3SK"), options=called)) == []
    assert found(hand(plays("0:8MS/S 1:2WL 2:9MS 2:XL 0:AL 1:3SK"), options=called)) == [("revoke", "proved", 1)]


# -- joint proofs -----------------------------------------------------------------------------

EVERY_MOON_ELSEWHERE = plays("0:XM 1:AS 2:AL 3:AY")
"""Four players, nine cards each, no pile: three hands deny all Moons and seat 0 has but eight cards left for nine."""


@exercises("REC-18")
def test_claims_that_leave_no_place_for_the_cards_cannot_all_be_true():
    before = hand(EVERY_MOON_ELSEWHERE[:3], players=4)
    assert found(before) == []
    done = hand(EVERY_MOON_ELSEWHERE, players=4)
    assert found(done) == [("joint-revoke", "joint", None)]
    finding = done["irregularities"][0]
    assert finding["suspects"] == [1, 2, 3]
    assert finding["claims"] == [[0, 1], [0, 2], [0, 3]]
    assert (finding["event"], finding["trick"], finding["proved_by"]) == ([0, 3], 1, [[0, 3]])
    assert {"AT-5", "REC-18"} <= set(finding["reason"]["clauses"])


@exercises("REC-18", "AT-2")
def test_a_pile_set_aside_may_hold_the_missing_cards():
    events = plays("0:XM 1:AS 2:AL 3:AY 4:AK")
    assert found(hand(events[:4], players=5)) == []
    # 5 players, one card aside: nine Moons, six places in hand 0 and one aside
    assert found(hand(events, players=5)) == [("joint-revoke", "joint", None)]
    assert found(hand(plays("0:XM 1:XL"), players=2)) == []  # eighteen cards aside


@exercises("REC-18", "REC-17")
def test_a_direct_proof_replaces_the_joint_finding_and_what_remains_is_tested_anew():
    events = [*EVERY_MOON_ELSEWHERE, *plays("3:9LK 0:6LK 1:2MK")]
    done = hand(events, players=4)
    assert found(done) == [("revoke", "proved", 1)]
    again = hand(events, plays("2:9MS"), players=4)
    assert found(again) == [("revoke", "proved", 1), ("revoke", "proved", 2)]


@exercises("REC-18")
def test_at_most_one_joint_finding_is_open():
    done = hand(EVERY_MOON_ELSEWHERE, plays("3:XW!"), players=4)
    assert [code for code, certainty, _ in found(done) if certainty == "joint"] == ["joint-revoke"]


@exercises("REC-18", "REC-19")
def test_nothing_is_counted_once_cards_have_left_hands_unseen():
    done = hand(trick(0), EVERY_MOON_ELSEWHERE, players=4)
    assert found(done) == []
    assert "no-counting" in [reason["code"] for reason in done["unchecked"]]
    open_before = hand(EVERY_MOON_ELSEWHERE, trick(0), players=4)
    assert found(open_before) == [("joint-revoke", "joint", None)]


@exercises("REC-18", "REC-8")
def test_known_cards_lie_in_their_hand_when_cards_are_counted():
    moons = "XM AM 2MK 3MW 4MS 5ML 6MW 7ML 8MS"
    assert found(judged(known(EVERY_MOON_ELSEWHERE, s0=moons), players=4)["hands"][0]) == [
        ("joint-revoke", "joint", None)
    ]  # one Moon, the Pact, has no place
    with_pact = "9MS AS 2SY 3SK 5SW 6SY 7SK XS XY"
    answer = judged(known([*EVERY_MOON_ELSEWHERE[:3], *plays("3:9MS")], s0=moons, s3=with_pact), players=4)
    assert found(answer["hands"][0]) == []


# -- entered hands ----------------------------------------------------------------------------

ENTERED = "XM XS 2SY 3MW 9MS 2WL AK XK 3LY 4YK 5YK 6LK"


@exercises("REC-8")
@pytest.mark.parametrize(
    ("hands", "why"),
    [
        ({"s0": "XM"}, "this hand: 12;"),
        ({"s0": ENTERED + " 7ML"}, "this hand: 12;"),
        ({"s0": ENTERED.replace("XS", "XM")}, "twice"),
        ({"s0": ENTERED.replace("XS", "E")}, "not in the pack"),
        ({"s0": ENTERED.replace("XS", "9SK")}, "no card"),
        ({"s0": ENTERED, "s1": ENTERED}, "two hands"),
        ({"s5": ENTERED}, "no seat 5"),
        ({"s9": ENTERED}, "by seat"),
        ({"sx": ENTERED}, "by seat"),
    ],
)
def test_an_entered_hand_that_cannot_have_been_dealt_is_refused(hands: dict[str, str], why: str):
    with pytest.raises(Refused, match=why) as refusal:
        judged(known([], **hands))
    assert refusal.value.problems[0].pointer.startswith("/hands/0/known")


@exercises("REC-8", "AT-5")
def test_an_entered_hand_is_judged_from_the_first_event_on():
    answer = judged(known(plays("0:8MS 1:2WL"), s1=ENTERED))
    assert (answer["rejected"]["verdict"], answer["rejected"]["reason"]["code"]) == ("irregular", "revoke")
    assert "Desert" in answer["rejected"]["reason"]["text"]
    assert judged(known(plays("0:8MS 1:3MW"), s1=ENTERED))["rejected"] is None


@exercises("REC-8", "AT-5")
@pytest.mark.parametrize(
    ("unseen", "verdict"),
    [(0, "irregular"), (3, "irregular"), (4, None), (5, None)],
)
def test_after_unseen_tricks_not_following_is_a_revoke_only_if_more_such_cards_are_left_than_went_unseen(
    unseen: int, verdict: str | None
):
    # the hand holds four cards with a Moon or a Sun besides XS: XM XS 2SY 3MW 9MS are five
    entered = ENTERED.replace("9MS", "9LK")  # four: XM XS 2SY 3MW
    answer = judged(known([*[trick(0)] * unseen, *plays("0:8MS 1:2WL")], s1=entered))
    assert (answer["rejected"] and answer["rejected"]["verdict"]) == verdict


@exercises("REC-8", "REC-17")
def test_what_unseen_tricks_may_excuse_is_a_claim_that_a_later_card_contradicts():
    entered = ENTERED.replace("9MS", "9LK")
    answer = judged(known([*[trick(0)] * 4, *plays("0:8MS 1:2WL 2:9MS 2:9WY 0:XL 1:3MW")], s1=entered))
    assert found(answer["hands"][0]) == [("revoke", "proved", 1)]


@exercises("REC-8")
def test_a_card_that_lies_in_an_entered_hand_is_played_by_nobody_else():
    entered = {"1": ENTERED.split()}
    assert refused(plays("0:XM"), known_hands=entered) == ("impossible", "not-in-hand")
    assert refused(plays("0:8MS 1:8WL"), known_hands=entered) == ("impossible", "not-in-hand")
    assert judged(known(plays("0:8MS 1:XM"), s1=ENTERED))["rejected"] is None


@exercises("REC-8", "REC-14")
def test_entered_hands_belong_to_one_deal_only():
    first = known([*plays("0:8MS"), {"type": "redeal"}], s1=ENTERED)
    assert judged(first, plays("0:XM"))["rejected"] is None
    assert judged(first, known(plays("0:XM"), s1=ENTERED))["rejected"]["reason"]["code"] == "not-in-hand"


@exercises("REC-5", "DK-1")
def test_entered_hands_may_be_written_any_way():
    written = ENTERED.replace("XM", "Huntress").replace("2WL", "2LW").lower().split()
    data = {"events": plays("0:8MS 1:2WL"), "known": {"1": written}}
    assert judged(data)["rejected"]["reason"]["code"] == "revoke"
