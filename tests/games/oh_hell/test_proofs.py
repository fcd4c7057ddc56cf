"""What plays prove in Oh Hell, the turned card included."""

import pytest

from tests.games.oh_hell.telling import THREE, hand, oh, opened, quick, refusal_of, refused
from tests.referee.telling import (
    Json,
    bids,
    exercises,
    found,
    known,
    plays,
    result,
    trick,
    turn_up,
    winners,
)

# --- What an Oh Hell record proves: from entered hands, later cards and counting, at any depth

# -- entered hands ----------------------------------------------------------------------------


@exercises("OH-7", "REC-8")
def test_an_entered_hand_exposes_a_revoke_at_once():
    entered = {"1": ["5S", "3D", "4D"]}
    opening = [*opened(), *plays("0:AS")]
    assert refused(opening, plays("1:3D"), known_hands=entered, options=THREE) == ("irregular", "revoke")
    answer = oh(known([*opening, *plays("1:3D! 2:4S 0:KS 1:5S")], s1="5S 3D 4D"), options=THREE)
    assert answer["rejected"] is None
    assert found(answer["hands"][0]) == [("revoke", "seen", 1)]  # not proved once more by 5S
    assert oh(known([*opening, *plays("1:5S")], s1="5S 3D 4D"), options=THREE)["rejected"] is None


@exercises("OH-7", "OH-Q1", "REC-8", "REC-17")
def test_cards_stay_in_the_entered_hands_unless_a_trick_went_unseen():
    entered = {"1": ["5S", "3D", "4D"]}
    more: Json = {"known_hands": entered, "options": THREE}
    assert refused(opened(), plays("0:5S"), **more) == ("impossible", "not-in-hand")
    assert refused(opened(), plays("0:AS 1:6S"), **more) == ("impossible", "not-in-hand")
    opening = [*opened(), trick(0)]
    maybe = oh(known([*opening, *plays("0:AS 1:3D")], s1="5S 3D 4D"), options=THREE)
    assert (maybe["rejected"], found(maybe["hands"][0])) == (None, [])
    surely: Json = {"1": ["5S", "6S", "4D"]}
    assert refused(opening, plays("0:AS 1:4D"), known_hands=surely, options=THREE) == ("irregular", "revoke")


# -- by counting ------------------------------------------------------------------------------


@exercises("OH-7", "REC-18")
def test_contradictory_claims_are_found_by_counting():
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
"""Sixteen plays; the leads of seat 0 are at 0, 3, 6, 9, 12 and 15."""


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
def test_the_turned_card_counts_as_its_own_place(turned: Json, found_at: int):
    options = {"largest": 17}  # three players: the turned card is the only one not dealt
    opening = [turned, *bids("0:3 1:3 2:3"), *plays("0:2S 1:2C 2:2D")]
    cards = plays(CLUBS)
    assert found(hand(opening, cards[:found_at], options=options)) == []
    done = hand(opening, cards[: found_at + 1], options=options)
    assert found(done) == [("joint-revoke", "joint", None)]
    assert done["irregularities"][0]["suspects"] == [1, 2]
    assert done["irregularities"][0]["claims"] == [[0, 5], [0, 6]]


@exercises("OH-3", "REC-18")
def test_undealt_cards_count_as_a_place_too():
    opening = [*bids("0:3 1:3 2:3 3:2"), *plays("0:2S 1:2C 2:2D 3:3D 0:2H")]
    none = {"largest": 13, "trump": "none"}
    assert found(hand(opening, players=4, options=none)) == [("joint-revoke", "joint", None)]
    twelve = {"largest": 12, "trump": "none"}  # four cards lie aside: enough for the spade without a place
    assert found(hand(opening, players=4, options=twelve)) == []


@exercises("REC-19", "REC-2", "REC-11")
def test_bids_cannot_be_skipped():
    for before in ([], [turn_up("2H")], [turn_up("2H"), *bids("0:1 1:1")]):
        assert refused(before, trick(0), options=THREE) == ("impossible", "wrong-phase")
        assert refused(before, result(3, 0, 0), options=THREE) == ("impossible", "wrong-phase")


# --- The turned card in Oh Hell: seen, known only by suit, or not recorded (OH-3, OH-Q1 .. OH-Q3)

SPADES = "2S 3S 4S 5S 6S 7S 8S 9S 10S JS QS KS AS"
SKIPPED = bids("0:1 1:1 2:0")
"""Bids made before the turned card was recorded."""


@exercises("OH-3", "REC-2", "OH-V4", "OH-V5")
@pytest.mark.parametrize("trump", ["none", "fixed-order"])
def test_without_a_turned_card_the_hand_begins_with_the_bids(trump: str):
    options = THREE | {"trump": trump}
    assert hand(options=options)["phase"] == "bidding"
    assert refused(turn_up("2H"), options=options) == ("impossible", "wrong-phase")
    assert refused(turn_up("2H"), options=options, hands=(quick(3),)) == ("impossible", "wrong-phase")


@exercises("OH-3", "OH-Q2", "REC-5", "REC-9")
@pytest.mark.parametrize(
    ("card", "suit", "answer"),
    [
        ("KH", None, "H"), ("KH", "H", "H"), ("kh", "hearts", "H"), ("?", "H", "H"), ("?", "clubs", "C"),
        ("KH", "S", "bad-suit"), ("KH", "Z", "bad-suit"), ("?", None, "bad-suit"), ("?", "Z", "bad-suit"),
        ("?", "none", "bad-suit"), ("9SK", None, "not-in-deck"), ("KH*", None, "not-in-deck"),
        ("9SK", "Z", "not-in-deck"),
    ],
)  # fmt: skip
def test_which_card_can_be_turned_up(card: str, suit: str | None, answer: str):
    if answer in "SHDC":
        assert hand(turn_up(card, suit), options=THREE)["trump"] == answer
    else:
        assert refused(turn_up(card, suit), options=THREE) == ("impossible", answer)


@exercises("OH-Q1", "REC-8", "OH-Q2", "REC-9")
def test_the_turned_card_is_in_no_players_hand():
    assert refused(opened("2H"), plays("0:2H"), options=THREE) == ("impossible", "not-in-hand")
    assert "OH-Q1" in refusal_of(opened("2H"), plays("0:2H"), options=THREE)["reason"]["clauses"]
    # a second card to a trick is checked first
    assert refused(opened("2H"), plays("0:3H 0:2H"), options=THREE) == ("impossible", "too-many-cards")
    # and the card before the turn
    assert refused(opened("2H"), plays("1:2H"), options=THREE) == ("impossible", "not-in-hand")
    entered = {"0": ["AS", "KS", "QS"]}
    assert refused(turn_up("KS"), known_hands=entered, options=THREE) == ("impossible", "not-in-hand")
    assert refused(turn_up("KS", "H"), known_hands=entered, options=THREE) == ("impossible", "not-in-hand")
    answer = oh(known([turn_up("?", "S"), *bids("0:1 1:1")], s0="AS KS QS"), options=THREE)
    assert answer["hands"][0]["trump"] == "S"
    entered = {"0": [*SPADES.split()[:7], "2H", "3H", "4H"], "2": [*SPADES.split()[7:], "5H", "6H", "7H", "8H"]}
    assert refused(turn_up("?", "S"), known_hands=entered) == ("impossible", "bad-suit")
    assert oh({"events": [turn_up("?", "H")], "known": entered})["hands"][0]["trump"] == "H"


@exercises("OH-Q2", "REC-8")
def test_the_last_unseen_card_of_the_turned_suit_is_the_turned_card():
    options = {"largest": 12}
    twelve = SPADES.removesuffix(" AS")
    opening = [turn_up("?", "S"), *bids("0:0 1:0 2:0 3:0")]
    lead = plays("0:2S")
    entered = {"0": twelve.split()}
    more: Json = {"players": 4, "options": options, "known_hands": entered}
    assert refused(opening, lead, plays("1:AS"), **more) == ("impossible", "not-in-hand")
    answer = oh({"events": [*opening, *lead, *plays("1:AD")], "known": entered}, players=4, options=options)
    assert answer["rejected"] is None
    # one card fewer is known: either of two can be the turned card
    eleven = {"0": [*twelve.split()[:11], "2H"]}
    answer = oh({"events": [*opening, *lead, *plays("1:AS")], "known": eleven}, players=4, options=options)
    assert answer["rejected"] is None


@exercises("OH-Q1", "OH-Q2", "REC-19")
def test_an_unseen_played_card_is_never_the_turned_card():
    cards = plays("0:KS 1:AH 2:2S")
    cards[1] |= {"cards": ["?"]}
    assert winners(hand(opened("AS"), cards, options=THREE)) == [0]  # nothing else beats the king of trumps
    waiting = hand(opened("QS"), cards, options=THREE)
    assert (waiting["tricks"][0]["winner"], waiting["to_act"]) == (None, [])
    assert winners(hand(opened("QS"), cards, trick(1), options=THREE)) == [1]
    assert refused(opened("QS"), cards, trick(2), options=THREE) == ("impossible", "bad-result")
    # only the ace of the turned suit is left, so it lies aside
    twelve = {"0": SPADES.removesuffix(" AS").split()}
    events = [turn_up("?", "S"), *bids("0:0 1:0 2:0 3:0"), *plays("0:2S 1:AD 2:KD 3:QD")]
    events[6] |= {"cards": ["?"]}
    answer = oh({"events": events, "known": twelve}, players=4, options={"largest": 12})
    assert (answer["rejected"], winners(answer["hands"][0])) == (None, [0])


@exercises("OH-Q3", "REC-2")
def test_after_a_bid_no_card_can_be_turned_up():
    done = hand(bids("0:1"), options=THREE)
    assert (done["phase"], done["to_act"], done["trump"]) == ("bidding", [1], None)
    assert refused(bids("0:1"), turn_up("2H"), options=THREE) == ("impossible", "wrong-phase")
    assert refused(bids("1:1"), options=THREE) == ("irregular", "out-of-turn")
    # a refused bid skips nothing
    assert refused(bids("0:4"), options=THREE) == ("impossible", "bad-bid")


@exercises("OH-Q3", "REC-2", "REC-19")
def test_without_a_known_trump_the_hand_continues_by_tricks():
    done = hand(SKIPPED, options=THREE)
    assert (done["phase"], done["to_act"], done["trump"]) == ("play", [0], None)
    assert "trump-unknown" in [reason["code"] for reason in done["unchecked"]]
    assert refused(SKIPPED, plays("0:AS"), options=THREE) == ("impossible", "wrong-phase")
    assert refused(SKIPPED, trick(1), plays("1:AS"), options=THREE) == ("impossible", "wrong-phase")
    done = hand(SKIPPED, trick(1), trick(0), result(1, 1, 1), options=THREE)
    assert (done["phase"], done["scores"], winners(done)) == ("finished", [11, 11, 0], [1, 0])
    assert [each["leader"] for each in done["tricks"]] == [0, 1]
    assert hand(SKIPPED, result(1, 1, 1), options=THREE)["scores"] == [11, 11, 0]


@exercises("OH-Q3", "REC-9")
def test_a_trick_can_reveal_unrecorded_trump():
    done = hand(SKIPPED, trick(1), trick(1, trump="D"), plays("1:AS 2:2D 0:KS"), options=THREE)
    assert (done["trump"], [each["trump"] for each in done["tricks"]]) == ("D", [None, "D", "D"])
    assert (winners(done), done["phase"]) == ([1, 1, 2], "finished")
    assert "no-counting" in [reason["code"] for reason in done["unchecked"]]
    # a card was turned up, so there is a trump
    assert refused(SKIPPED, trick(1, trump=None), options=THREE) == ("impossible", "bad-suit")
    assert refused(SKIPPED, trick(1, trump="Z"), options=THREE) == ("impossible", "bad-suit")
    # and once it is known it stays
    assert refused(SKIPPED, trick(1, trump="D"), trick(1, trump="S"), options=THREE) == ("impossible", "bad-suit")
    assert hand(SKIPPED, trick(1, trump="D"), trick(1, trump="D"), options=THREE)["trump"] == "D"


@exercises("OH-3", "OH-V4", "OH-V5", "REC-9")
@pytest.mark.parametrize(
    ("options", "before", "trump"),
    [
        (THREE, opened("2H"), "H"),
        (THREE, [turn_up("?", "C"), *SKIPPED], "C"),
        (THREE | {"trump": "none"}, SKIPPED, None),
        (THREE | {"trump": "fixed-order"}, SKIPPED, "S"),
    ],
)
def test_a_trick_cannot_contradict_the_trump_that_is_known(options: Json, before: list, trump: str | None):
    for said in ("S", "H", "D", "C", None):
        if said == trump:
            assert hand(before, trick(0, trump=said), options=options)["tricks"][0]["trump"] == trump
        else:
            assert refused(before, trick(0, trump=said), options=options) == ("impossible", "bad-suit")
    assert hand(before, trick(0), options=options)["tricks"][0]["trump"] == trump


@exercises("OH-Q1", "OH-8", "REC-19")
def test_an_unseen_winner_is_never_the_turned_card():
    one = THREE | {"course": "up", "largest": 1}
    first = [turn_up("AS"), *bids("0:0 1:0 2:0")]
    assert refused(first, plays("0:KS 1:?"), trick(1), options=one) == ("impossible", "bad-result")
    assert winners(hand(first, plays("0:KS 1:? 2:?"), options=one)) == [0]
