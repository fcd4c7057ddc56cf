"""Oh Hell, clause by clause: OH-1 .. OH-10, as most people play it."""

import pytest

from referee.engine.rules import Refused
from tests.games.oh_hell.telling import THREE, hand, oh, opened, quick, quick_hands, refusal_of, refused
from tests.referee.telling import (
    NOTE,
    REDEAL,
    Json,
    bids,
    exercises,
    found,
    penalty,
    plays,
    result,
    turn_up,
    winners,
)


@exercises("OH-1")
@pytest.mark.parametrize("players", [2, 8])
def test_three_to_seven_can_play(players: int):
    with pytest.raises(Refused, match="3 to 7"):
        oh(players=players)


@exercises("OH-1", "REC-5")
@pytest.mark.parametrize("card", ["2S*", "XM", "1", "joker"])
def test_the_pack_has_52_cards(card: str):
    event = plays("0:AS")[0] | {"cards": [card]}
    assert refused(opened(), event, options=THREE) == ("impossible", "not-in-deck")


@exercises("OH-3")
def test_the_suit_of_the_card_turned_up_is_trump():
    waiting = hand(options=THREE)
    assert (waiting["phase"], waiting["to_act"], waiting["trump"]) == ("turn-up", [], None)
    done = hand(turn_up("QD"), options=THREE)
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
        at = hand(events, dealer=dealer, options=THREE)
        assert (at["phase"], at["to_act"]) == ("bidding", [seat])
        events += bids(f"{seat}:0")
    done = hand(events, dealer=dealer, options=THREE)
    assert (done["phase"], done["to_act"], done["bids"]) == ("play", [order[0]], [0, 0, 0])


@exercises("OH-4", "REC-10")
@pytest.mark.parametrize(("number", "taken"), [(-1, False), (0, True), (3, True), (4, False)])
def test_a_bid_is_a_number_from_0_to_the_hand_size(number: int, taken: bool):
    bid = {"type": "bid", "seat": 0, "tricks": number}
    if taken:
        assert hand(turn_up("2H"), bid, options=THREE)["bids"] == [number, None, None]
    else:
        assert refused(turn_up("2H"), bid, options=THREE) == ("impossible", "bad-bid")


@exercises("OH-4", "REC-2", "REC-12", "REC-3")
def test_every_player_bids_once_and_in_turn():
    assert refused(turn_up("2H"), bids("0:1 0:2"), options=THREE) == ("impossible", "wrong-phase")
    assert refused(turn_up("2H"), bids("1:1"), options=THREE) == ("irregular", "out-of-turn")
    assert refused(turn_up("2H"), bids("3:1"), options=THREE) == ("impossible", "no-such-seat")
    assert refused(opened(), bids("0:1"), options=THREE) == ("impossible", "wrong-phase")
    assert refused(turn_up("2H"), plays("0:AS"), options=THREE) == ("impossible", "wrong-phase")


@exercises("OH-5")
@pytest.mark.parametrize(
    ("before", "forbidden"), [("0:1 1:1", 1), ("0:0 1:0", 3), ("0:3 1:0", 0), ("0:2 1:2", None)]
)  # fmt: skip
def test_the_dealer_may_not_make_the_bids_add_up_to_the_tricks(before: str, forbidden: int | None):
    for number in range(4):
        events = [turn_up("2H"), *bids(f"{before} 2:{number}")]
        if number == forbidden:
            assert refused(events, options=THREE) == ("irregular", "forbidden-bid")
            assert "OH-5" in refusal_of(events, options=THREE)["reason"]["clauses"]
        else:
            assert hand(events, options=THREE)["irregularities"] == []


@exercises("OH-5", "REC-21", "OH-Q4", "REC-12")
def test_the_hook_binds_the_last_bidder_unless_the_table_accepts():
    done = hand(turn_up("2H"), bids("0:1 1:1 2:1!"), options=THREE)
    assert (done["phase"], found(done)) == ("play", [("forbidden-bid", "seen", 2)])
    assert done["irregularities"][0]["trick"] is None
    early = [turn_up("2H"), *bids("2:1!"), *bids("0:1")]
    assert found(hand(early, options=THREE)) == [("out-of-turn", "seen", 2)]
    assert hand(early, options=THREE)["to_act"] == [1]
    assert refused(early, bids("1:1"), options=THREE) == ("irregular", "forbidden-bid")
    assert refusal_of(early, bids("1:1"), options=THREE)["reason"]["clauses"] == ["OH-5", "OH-Q4"]
    assert hand(early, bids("1:2"), options=THREE)["phase"] == "play"


@exercises("OH-6", "OH-8")
def test_the_dealers_left_leads_first_and_winners_lead_next():
    done = hand(opened(), plays("0:AH 1:3H 2:4H"), options=THREE)  # trump, led at once
    assert (winners(done), done["irregularities"], done["to_act"]) == ([0], [], [0])
    done = hand(opened(), plays("0:5S 1:6S 2:7S 2:2C"), options=THREE)
    assert (winners(done), [each["leader"] for each in done["tricks"]], done["to_act"]) == ([2, None], [0, 2], [0])


@exercises("OH-6", "REC-12", "REC-7")
def test_a_card_out_of_turn_is_irregular():
    assert refused(opened(), plays("1:5S"), options=THREE) == ("irregular", "out-of-turn")
    done = hand(opened(), plays("1:5S!"), options=THREE)
    assert (done["tricks"][0]["leader"], done["to_act"]) == (1, [2])
    done = hand(opened(), plays("0:5S 2:6S!"), options=THREE)
    assert done["to_act"] == [1]
    assert refused(opened(), plays("0:5S 0:6S"), options=THREE) == ("impossible", "too-many-cards")
    assert refused(opened(), plays("0:5S 1:5S"), options=THREE) == ("impossible", "already-played")


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
    done = hand(opened(), plays(cards), options=THREE)
    assert found(done) == breach
    for each in done["irregularities"]:
        assert "OH-7" in each["reason"]["clauses"]


@exercises("OH-7")
def test_trumping_and_overtaking_are_optional():
    entered = {"1": ["AH", "3D", "4D"], "2": ["2S", "AS", "3H"]}
    hands: Json = {"events": [*opened(), *plays("0:KS 1:3D 2:2S")], "known": entered}
    answer = oh(hands, options=THREE)
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
    done = hand(opened(), plays(cards), options=THREE)
    assert (winners(done), done["tricks"][0]["reason"]["code"]) == ([winner], code)
    assert done["tricks"][0]["reason"]["clauses"] == ["OH-8"]
    assert done["tricks"][0]["trump"] == "H"


@exercises("OH-9", "REC-13")
def test_hands_score_at_their_end_but_penalties_count_at_once():
    answer = oh([*opened(), *plays("0:AS 1:3S 2:4S"), penalty(1, -5)], options=THREE)
    running = answer["hands"][0]
    assert (running["scores"], running["tricks_won"], running["tricks"][0]["points"]) == ([None] * 3, [1, 0, 0], {})
    assert answer["totals"] == [0, -5, 0]
    done = oh([*opened(), result(1, 1, 1), penalty(1, -5)], options=THREE, carried=[5, 5, 5])
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
    assert oh(players=4, hands_before=3)["next"]["hand_size"] == [7] * 4
    with pytest.raises(Refused, match="from 0 to 18"):
        oh(players=4, hands_before=19)
