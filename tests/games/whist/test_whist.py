"""The clauses of Whist, and the worked cases WH-c1 to WH-c4."""

import pytest

from referee.engine.rules import Refused
from referee.games.whist.game import GAME as WHIST
from tests.referee.telling import (
    END,
    NOTE,
    REDEAL,
    Json,
    accepted,
    exercises,
    found,
    judged,
    known,
    penalty,
    plays,
    refusal,
    result,
    telling_of,
    transfer,
    trick,
    turn_up,
    winners,
)
from tests.scoring.pages.conftest import Device

GAME = WHIST.id
hand, refused = telling_of(GAME, players=4)
HONOURS = {"honours": "on"}
FIVE: Json = {"kind": "score", "value": 5}


def honours(seat: int, held: int) -> Json:
    return {"type": "honours", "seat": seat, "held": held}


def whist(*hands: Json | list[Json], **more) -> Json:
    return judged(*hands, game=GAME, players=4, **more)


def refusal_of(*events, **more) -> Json:
    return refusal(*events, game=GAME, players=4, **more)


RANKS = ["A", "K", "Q", "J", "10", "9", "8", "7", "6", "5", "4", "3", "2"]
SEVEN = turn_up("7H")
"""Dee deals; the seven of hearts is turned up, and it is hers."""


@exercises("WH-1")
def test_four_players_get_thirteen_cards_and_opposite_seats_are_partners():
    dealt = hand()
    assert (dealt["hand_size"], dealt["bids"]) == ([13] * 4, [None] * 4)
    assert WHIST.rules({}, 4).sides == ((0, 2), (1, 3), (0, 2), (1, 3))
    for players in (3, 5):
        with pytest.raises(Refused, match="for 4 players"):
            judged(game=GAME, players=players)
    assert refused({"type": "bid", "seat": 0, "tricks": 3}) == ("impossible", "wrong-phase")
    assert refused(SEVEN, plays("0:1Z")) == ("impossible", "not-in-deck")


@exercises("WH-2")
def test_the_dealers_last_card_sets_trump_and_stays_in_the_dealers_hand():
    before, after = hand(), hand(SEVEN)
    assert (before["phase"], before["trump"], before["to_act"]) == ("turn-up", None, [])
    assert (after["phase"], after["trump"], after["turned"], after["to_act"]) == ("play", "H", "7H", [0])
    assert after["cards_left"] == [13] * 4
    assert [shown["cards"] for shown in after["face_up"]] == [["7H"]]
    played = hand(SEVEN, plays("0:5H 1:9H 2:2H 3:7H"))
    assert (winners(played), played["irregularities"]) == ([1], [])


@exercises("WH-2", "REC-8")
def test_only_the_dealer_can_play_the_turned_card():
    """Worked case WH-c4."""
    assert refused(SEVEN, plays("0:5H 1:7H")) == ("impossible", "not-in-hand")
    assert refusal_of(SEVEN, plays("0:5H 1:7H"))["reason"]["clauses"] == ["WH-2", "REC-8"]
    twelve = ["2S", "3S", "4S", "5S", "6S", "7S", "8S", "9S", "10S", "JS", "QS", "KS"]
    assert refused(SEVEN, known_hands={"1": ["7H", *twelve]}) == ("impossible", "not-in-hand")
    assert refused(SEVEN, known_hands={"3": ["8H", *twelve]}) == ("impossible", "not-in-hand")
    assert whist({"events": [turn_up("8H")], "known": {"3": ["8H", *twelve]}})["rejected"] is None


@exercises("WH-2", "WH-4", "REC-17")
def test_a_dealer_who_holds_the_turned_card_must_follow_with_it():
    event = plays("0:5H 1:2H 2:3H 3:9C")
    assert refused(SEVEN, event) == ("irregular", "revoke")
    done = hand(SEVEN, event[:-1], accepted(event[-1]))
    assert found(done) == [("revoke", "seen", 3)]
    later = hand(SEVEN, plays("0:7C 1:2C 2:3C 3:7H 3:5S 0:6S 1:8S 2:9S 2:KH 3:9D"))
    assert later["irregularities"] == []  # the card turned up is gone


@exercises("WH-2")
def test_only_the_suit_of_the_turned_card_may_be_known():
    seen = hand(turn_up("?", "H"))
    assert (seen["turned"], seen["trump"]) == ("?", "H")
    assert refused(turn_up("?")) == ("impossible", "bad-suit")
    assert refused(turn_up("7H", "S")) == ("impossible", "bad-suit")
    event = plays("0:5H 1:2H 2:3H 3:9C")
    assert refused(turn_up("?", "H"), event) == ("irregular", "revoke")
    assert "hearts" in refusal_of(turn_up("?", "H"), event)["reason"]["text"]
    assert hand(turn_up("?", "H"), plays("0:5C 1:2C 2:3C 3:9H 3:5S 0:6S 1:8S 2:9S 2:KH 3:9D"))["irregularities"] == []


@exercises("WH-2", "REC-19")
def test_an_unrecorded_turned_card_leaves_trump_unknown():
    assert refused(plays("0:5H")) == ("impossible", "wrong-phase")
    assert refused(trick(1), plays("1:5H")) == ("impossible", "wrong-phase")
    assert refused(trick(1), SEVEN) == ("impossible", "wrong-phase")
    assert refused(trick(1, trump=None)) == ("impossible", "bad-suit")
    done = hand(trick(1), trick(2, trump="S"), plays("2:5H 3:2S"))
    assert (done["trump"], done["has_trump"], done["to_act"]) == ("S", True, [0])
    over = hand(result(5, 3, 4, 1))
    assert over["scores"] == [3, 0, 0, 0]
    assert "trump-unknown" in [reason["code"] for reason in over["unchecked"]]


@exercises("WH-2")
@pytest.mark.parametrize("turned", [SEVEN, turn_up("?", "H")])
def test_the_dealers_last_card_is_the_turned_card(turned: Json):
    """Dee keeps it although hearts are led, and the table lets her."""
    spades, diamonds, clubs = ([f"{rank}{suit}" for rank in RANKS] for suit in "SDC")
    hearts = [f"{rank}H" for rank in RANKS if rank != "7"]
    events = [turned, *plays(f"0:{spades[0]} 1:{diamonds[0]} 2:{hearts[0]} 3:{clubs[0]}")]
    for number in range(1, 12):
        led = f"2:{hearts[number]} 3:{clubs[number]}! 0:{spades[number]} 1:{diamonds[number]}"
        events += plays(led)
    events += plays(f"2:{clubs[12]}")
    assert refused(events, plays(f"3:{diamonds[12]}")) == ("impossible", "not-in-hand")
    over = hand(events, plays(f"3:7H 0:{spades[12]} 1:{diamonds[12]}"))
    assert (over["phase"], over["tricks_won"]) == ("finished", [0, 0, 12, 1])


@exercises("WH-2")
@pytest.mark.parametrize(("before", "trump"), [(0, "H"), (1, "C"), (2, "D"), (3, "S"), (4, "H")])
def test_trumps_follow_a_fixed_order(before: int, trump: str):
    options = {"trump": "fixed-order"}
    answer = whist(*[[result(7, 6, 0, 0)]] * before, [], options=options)
    last = answer["hands"][-1]
    assert (last["phase"], last["trump"], last["opening"]["code"]) == ("play", trump, "trump-in-order")
    again = whist(*[[result(7, 6, 0, 0)]] * before, [REDEAL], [], options=options)
    assert again["hands"][-1]["trump"] == trump
    assert refused(SEVEN, options=options) == ("impossible", "wrong-phase")


@exercises("WH-2")
def test_without_trump_the_suit_led_wins():
    played = hand(plays("0:2S 1:AH 2:3S 3:AC"), options={"trump": "none"})
    assert (winners(played), played["trump"], played["has_trump"]) == ([2], None, False)


@exercises("WH-3")
def test_the_dealers_left_may_lead_anything_even_trump():
    assert hand(SEVEN, plays("0:AH"))["irregularities"] == []
    assert refused(SEVEN, plays("1:AS")) == ("irregular", "out-of-turn")
    assert "WH-3" in refusal_of(SEVEN, plays("1:AS"))["reason"]["clauses"]


@exercises("WH-4")
def test_the_third_card_is_the_only_trump():
    """Worked case WH-c1."""
    body = {"game": GAME, "trump": "H", "plays": [{"cards": [card]} for card in ("KD", "AD", "2H", "QD")]}
    assert WHIST.answer("trick", body)["winner"] == 2
    played = hand(SEVEN, plays("0:KD 1:AD 2:2H 3:QD 2:5S"))
    assert (winners(played), played["tricks"][0]["points"], played["scores"]) == ([2, None], {}, [None] * 4)


@exercises("WH-4", "REC-17")
def test_a_revoke_is_proved_by_a_later_card():
    done = hand(SEVEN, plays("0:KD 1:AC 2:2D 3:QD 0:5S 1:AD"))
    assert found(done) == [("revoke", "proved", 1)]
    codes = [remedy["code"] for remedy in done["irregularities"][0]["remedies"]]
    assert codes[:5] == ["correct", "stand", "three-tricks", "three-points", "three-off"]


@exercises("WH-5", "REC-15")
def test_a_side_scores_its_tricks_above_six():
    """Worked case WH-c2."""
    answer = whist([result(5, 3, 4, 1)])
    assert answer["hands"][0]["scores"] == [3, 0, 0, 0]
    assert answer["totals"] == [3, 0, 3, 0]
    assert whist([result(3, 4, 3, 3)])["hands"][0]["scores"] == [0, 1, 0, 0]
    assert whist([result(5, 3, 4, 1), transfer(0, 1, 3)])["totals"] == [0, 1, 0, 1]


@exercises("WH-5", "REC-11")
def test_a_sides_tricks_may_be_recorded_at_either_seat():
    for told in ([9, 4, 0, 0], [0, 0, 9, 4], [9, 0, 0, 4]):
        only = hand(result(*told))
        assert (only["scores"], only["tricks_won"]) == ([3, 0, 0, 0], [None] * 4)
    half = hand(SEVEN, plays("0:KD 1:AD 2:2H 3:QD"), result(9, 3, 0, 1))
    assert (half["scores"], half["tricks_won"]) == ([3, 0, 0, 0], [None, 3, None, 1])
    assert hand(SEVEN, plays("0:KD 1:AD 2:2H 3:QD"), result(0, 7, 1, 5))["tricks_won"] == [0, 7, 1, 5]
    assert refused(SEVEN, plays("0:KD 1:AD 2:2H 3:QD"), result(0, 13, 0, 0)) == ("impossible", "bad-result")
    assert hand(result(13, 0, 0, 0))["tricks_won"] == [None, 0, None, 0]
    assert whist([result(9, 4, 0, 0), transfer(2, 1, 3)])["totals"] == [0, 1, 0, 1]


@exercises("WH-6")
def test_the_game_ends_at_seven_and_the_deal_passes():
    first = whist([result(13, 0, 0, 0)])
    assert (first["finished"], first["winners"], first["totals"]) == (True, [0, 2], [7, 0, 7, 0])
    six = whist([result(12, 1, 0, 0)])
    assert (six["finished"], six["next"]["dealer"]) == (False, 0)
    assert whist([result(11, 2, 0, 0)], end=FIVE)["winners"] == [0, 2]


DEALT = {"s0": "JS 2S 3S 2H 3H 4H 5H 2D 3D 4D 2C 3C 4C", "s1": "AS QS 4S 6H 7H 8H 9H 5D 6D 7D 5C 6C 7C"}
REST = {"s2": "5S 6S 7S 10H JH QH KH 8D 9D 10D 8C 9C 10C", "s3": "KS 8S 9S 10S AH JD QD KD AD JC QC KC AC"}
"""Bob was dealt the ace and queen of spades, Dee the king, Ann the jack."""


@exercises("WH-5", "WH-7")
def test_honors_score_for_the_side_they_were_dealt_to():
    """Worked case WH-c3."""
    told = known([turn_up("8S"), result(4, 3, 4, 2)], **DEALT, **REST)
    answer = whist(told, options=HONOURS, end=FIVE)
    assert (answer["totals"], answer["hands"][0]["honours"]) == ([2, 2, 2, 2], [1, 3])
    assert whist(told, end=FIVE)["totals"] == [2, 0, 2, 0]
    assert whist(told, end=FIVE)["hands"][0]["honours"] is None


@exercises("WH-7", "REC-11")
def test_honors_on_record_need_no_claim_and_contradict_a_wrong_one():
    told = known([turn_up("8S"), result(4, 3, 4, 2), honours(1, 3)], **DEALT, **REST)
    assert whist(told, options=HONOURS)["totals"] == [2, 2, 2, 2]
    for seat, held in ((0, 3), (1, 4)):
        wrong = known([turn_up("8S"), result(4, 3, 4, 2), honours(seat, held)], **DEALT, **REST)
        assert whist(wrong, options=HONOURS)["rejected"]["reason"]["code"] == "bad-result"
    some = known([turn_up("8S"), result(4, 3, 4, 2), honours(0, 4)], s1=DEALT["s1"])
    assert whist(some, options=HONOURS)["rejected"]["reason"]["code"] == "bad-result"


@exercises("WH-7")
@pytest.mark.parametrize(("claim", "totals"), [(None, [1, 0] * 2), ((3, 3), [1, 2] * 2), ((2, 4), [5, 0] * 2)])
def test_honors_not_shown_by_the_record_are_claimed(claim, totals):
    events = [turn_up("8S"), result(4, 3, 3, 3), *([honours(*claim)] if claim else [])]
    only = hand(events, options=HONOURS)
    assert whist(events, options=HONOURS)["totals"] == totals
    assert ("honours-unknown" in [reason["code"] for reason in only["unchecked"]]) is (claim is None)
    assert only["honours"] == {None: None, (3, 3): [1, 3], (2, 4): [4, 0]}[claim]


@exercises("WH-7", "REC-1", "REC-2")
def test_honors_are_claimed_once_between_two_hands():
    over = [turn_up("8S"), result(4, 3, 3, 3)]
    assert refused(turn_up("8S"), honours(0, 3), options=HONOURS) == ("impossible", "wrong-phase")
    assert refused(over, honours(0, 2), options=HONOURS) == ("impossible", "bad-result")
    assert refused(over, honours(4, 3), options=HONOURS) == ("impossible", "no-such-seat")
    for second in (0, 1):
        assert refused(over, honours(0, 3), honours(second, 3), options=HONOURS) == ("impossible", "bad-result")
    late = (over,)
    assert refused(turn_up("8S"), honours(0, 3), hands=late, options=HONOURS) == ("impossible", "hand-finished")
    assert refused(over, honours(0, 3)) == ("impossible", "wrong-phase")
    assert refused(over, REDEAL, honours(0, 3), options=HONOURS) == ("impossible", "hand-finished")
    with pytest.raises(Refused, match="without trump"):
        whist(options={"honours": "on", "trump": "none"})


@exercises("WH-8")
def test_honors_do_not_count_one_point_short_or_after_the_win():
    def totals(*events: Json, carried: list[int], end: Json = FIVE) -> list[int]:
        told = [turn_up("8S"), result(4, 3, 3, 3), *events]
        return whist(told, options=HONOURS, end=end, carried=carried)["totals"]

    assert totals(honours(1, 3), carried=[0, 3, 0, 3]) == [1, 5, 1, 5]
    assert totals(honours(1, 3), carried=[0, 4, 0, 4]) == [1, 4, 1, 4]  # needs only one point
    assert totals(honours(1, 3), carried=[4, 3, 4, 3]) == [5, 3, 5, 3]  # tricks count first
    assert totals(honours(1, 3), penalty(0, 4), carried=[0, 3, 0, 3]) == [5, 3, 5, 3]  # penalties before them
    assert totals(honours(1, 3), carried=[4, 4, 4, 4], end={"kind": "hands", "value": 1}) == [5, 6, 5, 6]


def after_revoke(*tricks: int, **more) -> dict[str, Json]:
    events = [SEVEN, *plays("0:KD 1:AC 2:2D 3:QD 0:5S 1:AD 2:6S 3:7S"), result(*tricks)]
    (each,) = whist(events, **more)["hands"][0]["irregularities"]
    return by_code(each)


def by_code(finding: Json) -> dict[str, Json]:
    return {remedy["code"]: remedy for remedy in finding["remedies"]}


def totals_after(remedy: Json) -> list[int]:
    totals: list[int] = remedy["effect"]["totals"]["after"]
    return totals


@exercises("WH-R1")
def test_a_revoke_costs_three_tricks_or_three_points():
    remedies = after_revoke(3, 4, 2, 4, options={"revoke": "three-tricks"})
    assert [code for code, remedy in remedies.items() if remedy["proposed"]] == ["three-tricks"]
    assert [remedies[code]["clauses"] for code in ("three-tricks", "three-off")] == [["WH-R1"]] * 2
    moved = [event for event in remedies["three-tricks"]["events"] if event["type"] == "transfer"]
    assert [(event["from_seat"], event["to_seat"], event["tricks"]) for event in moved] == [(1, 0, 3)]
    assert totals_after(remedies["three-tricks"]) == [2, 0, 2, 0]
    assert totals_after(remedies["three-points"]) == [3, 2, 3, 2]
    assert totals_after(remedies["three-off"]) == [0, -1, 0, -1]
    few = after_revoke(11, 1, 0, 1)["three-tricks"]["events"]
    assert [(event["from_seat"], event["tricks"]) for event in few if event["type"] == "transfer"] == [(1, 1), (3, 1)]


@exercises("WH-R1")
def test_a_revoking_side_stops_one_point_short_of_the_game():
    remedies = after_revoke(2, 8, 0, 3, carried=[0, 5, 0, 5])
    assert [totals_after(remedies[code])[1] for code in ("three-tricks", "three-points", "three-off")] == [6, 6, 6]
    hands = after_revoke(2, 8, 0, 3, end={"kind": "hands", "value": 9})
    assert totals_after(hands["three-points"]) == [3, 5, 3, 5]


@exercises("WH-R2")
def test_if_both_sides_revoked_neither_wins():
    events = [SEVEN, *plays("0:KD 1:AC 2:3C 3:QD 0:5S 1:AD 2:6D 3:7S"), result(2, 8, 0, 3)]
    each = whist(events, carried=[5, 5, 5, 5])["hands"][0]["irregularities"]
    assert [(one["seat"], one["certainty"]) for one in each] == [(1, "proved"), (2, "proved")]
    taken, stands = (by_code(each[1])[code] for code in ("three-points", "stand"))
    assert (taken["clauses"], totals_after(taken)) == (["WH-R1", "WH-R2"], [5, 6, 5, 6])
    # Whatever else the table decides, except a redeal
    assert (stands["clauses"][-1], totals_after(stands)) == ("WH-R2", [5, 6, 5, 6])


@exercises("WH-8")
def test_of_two_sides_at_the_target_penalties_win_before_tricks():
    fined = {"type": "penalty", "seat": 0, "points": 2, "reason": "agreed"}
    both = whist([SEVEN, fined, result(2, 8, 0, 3)], carried=[5, 5, 5, 5])
    assert (both["totals"], both["winners"]) == ([7, 10, 7, 10], [0, 2])
    # As agreed for another end, the higher total wins
    hands = whist([SEVEN, fined, result(2, 8, 0, 3)], carried=[5, 5, 5, 5], end={"kind": "hands", "value": 1})
    assert hands["winners"] == [1, 3]


@exercises("IR-4")
def test_in_hand_zero_a_revoke_moves_the_sides_points():
    remedies = after_revoke(2, 8, 0, 3)
    assert totals_after(remedies["hand-zero"]) == [0, 0, 0, 0]
    assert remedies["bridge"]["effect"] is not None


@exercises("REC-16", "REC-20")
def test_a_note_and_the_end_are_accepted_after_a_hand():
    assert whist([SEVEN, NOTE, END])["finished"]


@pytest.mark.parametrize(
    ("body", "points"),
    [({"tricks": 9}, 3), ({"tricks": 6}, 0), ({"tricks": 7, "honours": 4, "options": HONOURS}, 5),
     ({"tricks": 5, "honours": 3, "options": HONOURS}, 2)],
)  # fmt: skip
def test_what_a_side_scores(body: Json, points: int):
    assert WHIST.answer("score", body)["points"] == points


@pytest.mark.parametrize("body", [{"tricks": 14}, {"tricks": 9, "honours": 3}, {"tricks": 9, "honours": 2}])
def test_an_impossible_side_score_is_refused(body: Json):
    with pytest.raises(Refused):
        WHIST.answer("score", body)


# --- At a table: honors are claimed in the place where everyone looks after a hand


def scene_of(page: str) -> str:
    return page.partition('id="scene"')[2].partition("</section>")[0]


@pytest.mark.django_db
@exercises("WH-7")
def test_honors_are_claimed_beside_the_result_of_the_hand():
    device = Device()
    address = device.open_table("whist", ("Ann", "Bob", "Cy", "Dee"), 3, **{"option-honours": "1"})
    assert "claim-honours" not in device.get(address).content.decode()
    device.post(f"{address}record/", {"event": "result", "tricks-0": "8", "tricks-1": "5"})
    page = device.get(address).content.decode()
    assert page.count('id="claim-honours"') == scene_of(page).count('id="claim-honours"') == 1
    assert 'id="more-honours"' not in page
    assert device.tap(address, "honours", seat="1", held="3").status_code == 302
    assert "claim-honours" not in device.get(address).content.decode()
