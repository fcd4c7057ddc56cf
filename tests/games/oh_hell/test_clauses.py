"""Oh Hell, clause by clause: OH-1 .. OH-10 as most people play it, and what plays prove."""

import pytest

from referee.engine.rules import Refused
from tests.games.oh_hell.telling import SKIPPED, THREE, hand, oh, opened, quick, quick_hands, refusal_of, refused
from tests.referee.telling import (
    NOTE,
    REDEAL,
    Json,
    bids,
    exercises,
    found,
    known,
    penalty,
    plays,
    result,
    trick,
    turn_up,
    winners,
)


@exercises("OH-1")
@pytest.mark.parametrize("players", [2, 8])
def test_three_to_seven_can_play(players: int):
    with pytest.raises(Refused, match="3 to 7"):
        oh(players=players, options={})


@exercises("OH-1", "REC-5")
@pytest.mark.parametrize("card", ["2S*", "XM", "1", "joker"])
def test_the_pack_has_52_cards(card: str):
    event = plays("0:AS")[0] | {"cards": [card]}
    assert refused(opened(), event) == ("impossible", "not-in-deck")


@exercises("OH-3")
def test_the_suit_of_the_card_turned_up_is_trump():
    waiting = hand()
    assert (waiting["phase"], waiting["to_act"], waiting["trump"]) == ("turn-up", [], None)
    done = hand(turn_up("QD"))
    assert (done["phase"], done["to_act"], done["trump"]) == ("bidding", [0], "D")
    assert done["cards_left"] == [3, 3, 3]


@exercises("OH-3")
def test_a_fully_dealt_pack_leaves_no_trump():
    done = hand(players=4, options={"largest": 13})
    assert (done["phase"], done["trump"], done["hand_size"]) == ("bidding", None, [13] * 4)
    assert refused(turn_up("QD"), players=4, options={"largest": 13}) == ("impossible", "wrong-phase")
    played = hand(bids("0:3 1:3 2:3 3:3"), plays("0:2S 1:AH 2:3S 3:AC"), players=4, options={"largest": 13})
    assert (winners(played), played["tricks"][0]["trump"]) == ([2], None)
    after = oh(quick(13, dealer=3, players=4), [], players=4, options={"largest": 13})
    assert (after["hands"][1]["phase"], after["hands"][1]["hand_size"]) == ("turn-up", [12] * 4)


@exercises("OH-4")
@pytest.mark.parametrize("dealer", [0, 1, 2])
def test_bids_go_round_from_the_dealers_left_and_the_dealer_is_last(dealer: int):
    order = [(dealer + step) % 3 for step in (1, 2, 3)]
    events = [turn_up("2H")]
    for seat in order:
        at = hand(events, dealer=dealer)
        assert (at["phase"], at["to_act"]) == ("bidding", [seat])
        events += bids(f"{seat}:0")
    done = hand(events, dealer=dealer)
    assert (done["phase"], done["to_act"], done["bids"]) == ("play", [order[0]], [0, 0, 0])


@exercises("OH-4", "REC-10")
@pytest.mark.parametrize(("number", "taken"), [(-1, False), (0, True), (3, True), (4, False)])
def test_a_bid_is_a_number_from_0_to_the_hand_size(number: int, taken: bool):
    bid = {"type": "bid", "seat": 0, "tricks": number}
    if taken:
        assert hand(turn_up("2H"), bid)["bids"] == [number, None, None]
    else:
        assert refused(turn_up("2H"), bid) == ("impossible", "bad-bid")


@exercises("OH-4", "REC-2", "REC-12", "REC-3")
def test_every_player_bids_once_and_in_turn():
    assert refused(turn_up("2H"), bids("0:1 0:2")) == ("impossible", "wrong-phase")
    assert refused(turn_up("2H"), bids("1:1")) == ("irregular", "out-of-turn")
    assert refused(turn_up("2H"), bids("3:1")) == ("impossible", "no-such-seat")
    assert refused(opened(), bids("0:1")) == ("impossible", "wrong-phase")
    assert refused(turn_up("2H"), plays("0:AS")) == ("impossible", "wrong-phase")


@exercises("OH-5", "OH-V6")
@pytest.mark.parametrize(
    ("before", "forbidden"), [("0:1 1:1", 1), ("0:0 1:0", 3), ("0:3 1:0", 0), ("0:2 1:2", None)]
)  # fmt: skip
def test_the_dealer_may_not_make_the_bids_add_up_to_the_tricks(before: str, forbidden: int | None):
    for number in range(4):
        events = [turn_up("2H"), *bids(f"{before} 2:{number}")]
        if number == forbidden:
            assert refused(events) == ("irregular", "forbidden-bid")
            assert "OH-5" in refusal_of(events)["reason"]["clauses"]
            assert hand(events, options=THREE | {"hook": False})["irregularities"] == []
        else:
            assert hand(events)["irregularities"] == []


@exercises("OH-5", "REC-21", "OH-Q4", "REC-12")
def test_the_hook_binds_the_last_bidder_unless_the_table_accepts():
    done = hand(turn_up("2H"), bids("0:1 1:1 2:1!"))
    assert (done["phase"], found(done)) == ("play", [("forbidden-bid", "seen", 2)])
    assert done["irregularities"][0]["trick"] is None
    early = [turn_up("2H"), *bids("2:1!"), *bids("0:1")]
    assert found(hand(early)) == [("out-of-turn", "seen", 2)]
    assert hand(early)["to_act"] == [1]
    assert refused(early, bids("1:1")) == ("irregular", "forbidden-bid")
    assert refusal_of(early, bids("1:1"))["reason"]["clauses"] == ["OH-5", "OH-Q4"]
    assert hand(early, bids("1:2"))["phase"] == "play"


@exercises("OH-6", "OH-8")
def test_the_dealers_left_leads_first_and_winners_lead_next():
    done = hand(opened(), plays("0:AH 1:3H 2:4H"))  # trump, led at once
    assert (winners(done), done["irregularities"], done["to_act"]) == ([0], [], [0])
    done = hand(opened(), plays("0:5S 1:6S 2:7S 2:2C"))
    assert (winners(done), [each["leader"] for each in done["tricks"]], done["to_act"]) == ([2, None], [0, 2], [0])


@exercises("OH-6", "REC-12", "REC-7")
def test_a_card_out_of_turn_is_irregular():
    assert refused(opened(), plays("1:5S")) == ("irregular", "out-of-turn")
    done = hand(opened(), plays("1:5S!"))
    assert (done["tricks"][0]["leader"], done["to_act"]) == (1, [2])
    done = hand(opened(), plays("0:5S 2:6S!"))
    assert done["to_act"] == [1]
    assert refused(opened(), plays("0:5S 0:6S")) == ("impossible", "too-many-cards")
    assert refused(opened(), plays("0:5S 1:5S")) == ("impossible", "already-played")


@exercises("OH-7", "REC-17")
@pytest.mark.parametrize(
    ("cards", "breach"),
    [
        ("0:AS 1:3D 2:4S 0:KS 1:5S", [("revoke", "proved", 1)]),
        ("0:AS 1:3H 2:4S 1:KS", [("revoke", "proved", 1)]),  # trumping is not following
        ("0:AS 1:3D 2:4S 0:KS 1:5D", []),
        ("0:AS 1:3S 2:4S 0:KS 1:5D", []),
        ("0:AH 1:3S 2:4H 0:KS 1:5H", [("revoke", "proved", 1)]),  # trump led is followed too
    ],
)
def test_players_follow_suit_if_they_can(cards: str, breach: list):
    done = hand(opened(), plays(cards))
    assert found(done) == breach
    for each in done["irregularities"]:
        assert "OH-7" in each["reason"]["clauses"]


@exercises("OH-7")
def test_trumping_and_overtaking_are_optional():
    entered = {"1": ["AH", "3D", "4D"], "2": ["2S", "AS", "3H"]}
    hands: Json = {"events": [*opened(), *plays("0:KS 1:3D 2:2S")], "known": entered}
    answer = oh(hands)
    assert (answer["rejected"], answer["hands"][0]["irregularities"]) == (None, [])
    assert winners(answer["hands"][0]) == [0]


@exercises("OH-8", "OH-1")
@pytest.mark.parametrize(
    ("cards", "winner", "code"),
    [
        ("0:5S 1:10S 2:9S", 1, "highest-follower"),
        ("0:KS 1:AS 2:QS", 1, "highest-follower"),
        ("0:JS 1:10S 2:QS", 2, "highest-follower"),
        ("0:2S 1:AD 2:AC", 0, "highest-follower"),  # a card that neither follows nor trumps never wins
        ("0:AS 1:3H 2:KS", 1, "highest-trump"),
        ("0:AS 1:3H 2:4H", 2, "highest-trump"),
        ("0:3H 1:AS 2:4H", 2, "highest-trump"),
        ("0:10H 1:JH 2:9H", 1, "highest-trump"),
    ],
)
def test_who_wins_a_trick(cards: str, winner: int, code: str):
    done = hand(opened(), plays(cards))
    assert (winners(done), done["tricks"][0]["reason"]["code"]) == ([winner], code)
    assert done["tricks"][0]["reason"]["clauses"] == ["OH-8"]
    assert done["tricks"][0]["trump"] == "H"


@exercises("OH-9", "REC-13")
def test_hands_score_at_their_end_but_penalties_count_at_once():
    answer = oh([*opened(), *plays("0:AS 1:3S 2:4S"), penalty(1, -5)])
    running = answer["hands"][0]
    assert (running["scores"], running["tricks_won"], running["tricks"][0]["points"]) == ([None] * 3, [1, 0, 0], {})
    assert answer["totals"] == [0, -5, 0]
    done = oh([*opened(), result(1, 1, 1), penalty(1, -5)], carried=[5, 5, 5])
    assert (done["hands"][0]["scores"], done["totals"]) == ([11, 6, 0], [16, 11, 5])


@exercises("OH-10", "REC-16")
def test_the_game_ends_with_the_course_and_ties_share():
    answer = oh(*quick_hands([2, 1, 2]), options={"largest": 2})
    assert (answer["end"], answer["finished"], answer["next"]) == ({"kind": "course"}, True, None)
    assert (answer["totals"], answer["winners"]) == ([0, 30, 30], [1, 2])
    running = oh(*quick_hands([2, 1]), options={"largest": 2})
    assert (running["finished"], running["winners"]) == (False, [])
    assert refused(NOTE, hands=(*quick_hands([2, 1, 2]),), options={"largest": 2}) == ("impossible", "hand-finished")


@exercises("OH-10", "OH-Q5", "REC-14")
def test_a_void_hand_is_redealt_at_the_same_size():
    answer = oh(quick(2), [*opened(bid="1:0"), REDEAL], [], dealer=2, options={"largest": 2})
    # the bid in hand 2 comes from seat 1, at the left of the dealer, seat 0
    assert [(each["dealer"], each["hand_size"][0]) for each in answer["hands"]] == [(2, 2), (0, 1), (0, 1)]
    assert (answer["hands"][1]["phase"], answer["hands"][1]["scores"]) == ("void", [0, 0, 0])
    last = oh(*quick_hands([2, 1]), [*quick(2, dealer=1), REDEAL], [], options={"largest": 2})
    assert (last["finished"], last["hands"][3]["dealer"], last["hands"][3]["hand_size"]) == (False, 1, [2] * 3)


@exercises("OH-Q7")
def test_the_course_continues_when_players_come_or_go():
    """Three played hands of ten, nine and eight; a fourth joins before the hand of seven."""
    assert oh(players=4, hands_before=3, options={})["next"]["hand_size"] == [7] * 4
    with pytest.raises(Refused, match="from 0 to 18"):
        oh(players=4, hands_before=19, options={})


# --- What an Oh Hell record proves: from entered hands, later cards and counting, at any depth


@exercises("OH-7", "REC-8")
def test_an_entered_hand_exposes_a_revoke_at_once():
    entered = {"1": ["5S", "3D", "4D"]}
    opening = [*opened(), *plays("0:AS")]
    assert refused(opening, plays("1:3D"), known_hands=entered) == ("irregular", "revoke")
    answer = oh(known([*opening, *plays("1:3D! 2:4S 0:KS 1:5S")], s1="5S 3D 4D"))
    assert answer["rejected"] is None
    assert found(answer["hands"][0]) == [("revoke", "seen", 1)]  # not proved once more by 5S
    assert oh(known([*opening, *plays("1:5S")], s1="5S 3D 4D"))["rejected"] is None


@exercises("OH-7", "OH-Q1", "REC-8", "REC-17")
def test_cards_stay_in_the_entered_hands_unless_a_trick_went_unseen():
    entered = {"1": ["5S", "3D", "4D"]}
    assert refused(opened(), plays("0:5S"), known_hands=entered) == ("impossible", "not-in-hand")
    assert refused(opened(), plays("0:AS 1:6S"), known_hands=entered) == ("impossible", "not-in-hand")
    opening = [*opened(), trick(0)]
    maybe = oh(known([*opening, *plays("0:AS 1:3D")], s1="5S 3D 4D"))
    assert (maybe["rejected"], found(maybe["hands"][0])) == (None, [])
    surely = {"1": ["5S", "6S", "4D"]}
    assert refused(opening, plays("0:AS 1:4D"), known_hands=surely) == ("irregular", "revoke")


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
        assert refused(before, trick(0)) == ("impossible", "wrong-phase")
        assert refused(before, result(3, 0, 0)) == ("impossible", "wrong-phase")


# --- The turned card in Oh Hell: seen, known only by suit, or not recorded (OH-3, OH-Q1 .. OH-Q3)

SPADES = "2S 3S 4S 5S 6S 7S 8S 9S 10S JS QS KS AS"


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
        assert hand(turn_up(card, suit))["trump"] == answer
    else:
        assert refused(turn_up(card, suit)) == ("impossible", answer)


@exercises("OH-Q1", "REC-8", "OH-Q2", "REC-9")
def test_the_turned_card_is_in_no_players_hand():
    assert refused(opened("2H"), plays("0:2H")) == ("impossible", "not-in-hand")
    assert "OH-Q1" in refusal_of(opened("2H"), plays("0:2H"))["reason"]["clauses"]
    # a second card to a trick is checked first
    assert refused(opened("2H"), plays("0:3H 0:2H")) == ("impossible", "too-many-cards")
    # and the card before the turn
    assert refused(opened("2H"), plays("1:2H")) == ("impossible", "not-in-hand")
    entered = {"0": ["AS", "KS", "QS"]}
    assert refused(turn_up("KS"), known_hands=entered) == ("impossible", "not-in-hand")
    assert refused(turn_up("KS", "H"), known_hands=entered) == ("impossible", "not-in-hand")
    answer = oh(known([turn_up("?", "S"), *bids("0:1 1:1")], s0="AS KS QS"))
    assert answer["hands"][0]["trump"] == "S"
    entered = {"0": [*SPADES.split()[:7], "2H", "3H", "4H"], "2": [*SPADES.split()[7:], "5H", "6H", "7H", "8H"]}
    assert refused(turn_up("?", "S"), known_hands=entered, options={}) == ("impossible", "bad-suit")
    assert oh({"events": [turn_up("?", "H")], "known": entered}, options={})["hands"][0]["trump"] == "H"


@exercises("OH-Q2", "REC-8")
def test_the_last_unseen_card_of_the_turned_suit_is_the_turned_card():
    def rejected(cards: str, held: str) -> str | None:
        events = [turn_up("?", "S"), *bids("0:0 1:0 2:0 3:0"), *plays(cards)]
        refusal = oh(known(events, s0=held), players=4, options={"largest": 12})["rejected"]
        return refusal and str(refusal["reason"]["code"])

    twelve = SPADES.removesuffix(" AS")
    assert rejected("0:2S 1:AS", twelve) == "not-in-hand"
    assert rejected("0:2S 1:AD", twelve) is None
    # one card fewer is known: either of two can be the turned card
    assert rejected("0:2S 1:AS", twelve.replace("KS", "2H")) is None


@exercises("OH-Q1", "OH-Q2", "OH-8", "REC-19")
def test_an_unseen_played_card_is_never_the_turned_card():
    cards = plays("0:KS 1:? 2:2S")
    assert winners(hand(opened("AS"), cards)) == [0]  # nothing else beats the king of trumps
    waiting = hand(opened("QS"), cards)
    assert (waiting["tricks"][0]["winner"], waiting["to_act"]) == (None, [])
    assert winners(hand(opened("QS"), cards, trick(1))) == [1]
    assert refused(opened("QS"), cards, trick(2)) == ("impossible", "bad-result")
    # only the ace of the turned suit is left, so it lies aside
    events = [turn_up("?", "S"), *bids("0:0 1:0 2:0 3:0"), *plays("0:2S 1:? 2:KD 3:QD")]
    answer = oh(known(events, s0=SPADES.removesuffix(" AS")), players=4, options={"largest": 12})
    assert (answer["rejected"], winners(answer["hands"][0])) == (None, [0])
    # nor can the turned ace have won
    one = {"course": "up", "largest": 1}
    first = [turn_up("AS"), *bids("0:0 1:0 2:0")]
    assert refused(first, plays("0:KS 1:?"), trick(1), options=one) == ("impossible", "bad-result")
    assert winners(hand(first, plays("0:KS 1:? 2:?"), options=one)) == [0]


@exercises("OH-Q3", "REC-2")
def test_after_a_bid_no_card_can_be_turned_up():
    done = hand(bids("0:1"))
    assert (done["phase"], done["to_act"], done["trump"]) == ("bidding", [1], None)
    assert refused(bids("0:1"), turn_up("2H")) == ("impossible", "wrong-phase")
    assert refused(bids("1:1")) == ("irregular", "out-of-turn")
    # a refused bid skips nothing
    assert refused(bids("0:4")) == ("impossible", "bad-bid")


@exercises("OH-Q3", "REC-2", "REC-19")
def test_without_a_known_trump_the_hand_continues_by_tricks():
    done = hand(SKIPPED)
    assert (done["phase"], done["to_act"], done["trump"]) == ("play", [0], None)
    assert "trump-unknown" in [reason["code"] for reason in done["unchecked"]]
    assert refused(SKIPPED, plays("0:AS")) == ("impossible", "wrong-phase")
    assert refused(SKIPPED, trick(1), plays("1:AS")) == ("impossible", "wrong-phase")
    done = hand(SKIPPED, trick(1), trick(0), result(1, 1, 1))
    assert (done["phase"], done["scores"], winners(done)) == ("finished", [11, 11, 0], [1, 0])
    assert [each["leader"] for each in done["tricks"]] == [0, 1]
    assert hand(SKIPPED, result(1, 1, 1))["scores"] == [11, 11, 0]


@exercises("OH-Q3", "REC-9")
def test_a_trick_can_reveal_unrecorded_trump():
    done = hand(SKIPPED, trick(1), trick(1, trump="D"), plays("1:AS 2:2D 0:KS"))
    assert (done["trump"], [each["trump"] for each in done["tricks"]]) == ("D", [None, "D", "D"])
    assert (winners(done), done["phase"]) == ([1, 1, 2], "finished")
    assert "no-counting" in [reason["code"] for reason in done["unchecked"]]
    # a card was turned up, so there is a trump
    assert refused(SKIPPED, trick(1, trump=None)) == ("impossible", "bad-suit")
    assert refused(SKIPPED, trick(1, trump="Z")) == ("impossible", "bad-suit")
    # and once it is known it stays
    assert refused(SKIPPED, trick(1, trump="D"), trick(1, trump="S")) == ("impossible", "bad-suit")
    assert hand(SKIPPED, trick(1, trump="D"), trick(1, trump="D"))["trump"] == "D"


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
