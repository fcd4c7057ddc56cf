"""What a hand would have been under other house rules (REC-22)."""

import pytest

from referee.engine.options import Refused
from tests.referee.as_it_lay import hand, irregular_now, what_if, winners
from tests.referee.telling import bids, exercises, plays, result, told, trick

TIE = plays("0:8MS 1:XS 2:XM")
"""Two Crowns follow: the higher symbol wins, by Early Bird the earlier one."""


@exercises("REC-22", "AT-V2", "AT-12")
def test_with_early_bird_the_earlier_crown_wins_and_the_wrong_player_led_on():
    only = hand(TIE, plays("2:9LK 0:3LY 1:4WL"), now={"ties": "early"})
    assert (winners(only, "then"), winners(only, "now")) == ([2, 2], [1, 2])
    first, second = only["tricks"]
    assert first["change"]["text"] == "With Early Bird trick 1 goes to Bob, not to Cy."
    assert first["change"]["clauses"] == ["AT-12", "AT-V2", "AT-V8", "REC-22"]
    assert first["now"]["reason"]["clauses"] == ["AT-10", "AT-V2"]
    assert (second["leader"], second["change"]) == (2, None)
    assert irregular_now(only) == [("out-of-turn", 2)]
    assert only["scores"] == {"then": [0, 0, 2], "now": [0, 1, 1]}


@exercises("AT-V1", "AT-V6")
def test_aces_rule_as_the_other_rules_have_it():
    aces = plays("0:AM 1:2SY 2:3SK 0:AS 1:XM 2:5SW")
    anew = hand(aces, now={"trump": "sticky"})
    assert winners(anew, "then") == [0, 2]
    assert winners(anew, "now") == [0, 1]
    assert anew["tricks"][1]["now"]["reason"]["clauses"] == ["AT-9", "AT-V1"]
    fixed = hand(aces, now={"trump": "fixed", "fixed_trump": "S"})
    assert (winners(fixed, "now"), fixed["tricks"][0]["now"]["trump"]) == ([2, 2], "S")


@exercises("AT-Q2")
def test_the_first_of_two_aces_rules_the_trick():
    only = hand(plays("0:AM 1:AS 2:XM"), plays("2:9WY 0:9MS 1:2SY"), now={"two_aces": "first"})
    assert (winners(only, "then")[0], winners(only, "now")[0]) == (1, 2)


@exercises("AT-V7")
def test_a_suit_that_nobody_called_is_noted_and_one_that_was_called_falls_away():
    silent = hand(TIE, now={"called_suit": True})
    assert (winners(silent, "now"), irregular_now(silent)) == ([2], [("no-suit-called", 0)])
    called = hand(plays("0:8MS/S 1:9MS 2:XM"), options={"called_suit": True}, now={"called_suit": False})
    assert (winners(called, "then"), winners(called, "now"), called["left_out"]) == ([1], [2], [])


@exercises("AT-Q9", "AT-16")
def test_a_led_excuse_counts_as_the_other_rules_have_it():
    led = plays("0:E 1:8MS 2:XK")
    free = hand(led, options={"excuse": True}, now={"excuse_led": "free"})
    assert (winners(free, "then"), winners(free, "now")) == ([1], [2])
    forbidden = hand(led, options={"excuse": True}, now={"excuse_led": "forbidden"})
    assert irregular_now(forbidden) == [("excuse-led", 0)]
    assert not forbidden["tricks"][0]["change"]


@exercises("AT-15", "REC-22")
def test_a_pack_without_a_card_that_was_played_judges_nothing():
    only = hand(plays("0:E 1:8MS 2:XK"), options={"excuse": True}, now={"excuse": False})
    assert (only["judged"], only["unscored"]["code"]) == (False, "cards-not-in-pack")
    assert only["tricks"][0]["now"] is None
    more = hand(TIE, now={"excuse": True})
    assert (more["judged"], winners(more, "now"), more["notes"][0]["code"]) == (True, [2], "other-pack")
    pawns = hand(TIE, players=4, now={"pawns": True})
    assert [note["code"] for note in pawns["notes"]] == ["dealt-otherwise", "other-pack"]
    assert pawns["notes"][0]["text"].startswith("By these rules the cards of each player would have been 10;")


@exercises("AT-V4", "AT-Q15", "REC-22")
def test_bids_that_nobody_made_leave_the_score_open_and_those_made_fall_away():
    silent = hand(TIE, now={"bidding": True})
    assert (winners(silent, "now"), silent["unscored"]["code"]) == ([2], "bids-missing")
    assert silent["unscored"]["clauses"] == ["AT-V4", "REC-22"]
    made = [*bids("0:1 1:1 2:10"), result(0, 2, 10)]
    bid = hand(*made, options={"bidding": True}, now={"bidding": False})
    assert bid["scores"] == {"then": [0, 6, 50], "now": [0, 2, 10]}
    assert [left["reason"]["code"] for left in bid["left_out"]] == ["wrong-phase"] * 3
    hooked = hand(*made, options={"bidding": True}, now={"hook": True})
    assert irregular_now(hooked) == [("forbidden-bid", 2)]


@exercises("AT-V3", "AT-Q16")
def test_partners_share_what_they_made():
    alone = told([result(1, 2, 3, 3)], players=4)
    assert what_if(alone, partners=True)["totals"] == {"then": [1, 2, 3, 3], "now": [4, 5, 4, 5]}
    pair = told([*bids("0:1 1:1 2:5 3:0"), result(2, 1, 4, 2)], players=4, options={"bidding": True, "partners": True})
    only = what_if(pair, partner_bid="joint")["hands"][0]
    assert only["scores"] == {"then": [6, 5, 0, 2], "now": [30, 7, 0, 0]}
    with pytest.raises(Refused, match="Partners: that takes 4 or 6 players"):
        what_if(told(TIE), partners=True)
    with pytest.raises(Refused, match="/carried"):
        what_if(alone | {"carried": [1, 2, 3, 4]}, partners=True)


@exercises("AT-Q3", "AT-V5", "AT-Q12")
def test_what_other_rules_would_deal_is_said_and_the_cards_stay():
    record = told([*plays("0:AM 1:2SY 2:3SK"), result(12, 0, 0)], plays("1:8MS 2:XS 0:XM"))
    carried = what_if(record, trump_carry=True)["hands"][1]["tricks"][0]
    assert (carried["then"]["trump"], carried["now"]["trump"]) == (None, "M")
    tides = what_if(record, tides=True)["hands"][0]
    assert [note["code"] for note in tides["notes"]] == ["dealt-otherwise"]
    assert not tides["changed"]
    two = hand(plays("0:8MS 1:XS"), players=2, now={"two_player_deal": "all"})
    assert "18" in two["notes"][0]["text"]


def test_what_depends_on_a_rule_goes_back_to_usual_with_it():
    record = told([*bids("0:1 1:1 2:1"), *TIE], options={"bidding": True, "hook": True})
    answer = what_if(record, bidding=False)
    assert [each["key"] for each in answer["changed"]] == ["bidding", "hook"]
    with pytest.raises(Refused, match="/options/fixed_trump"):
        what_if(told(TIE), trump="fixed")
    with pytest.raises(Refused, match="no option"):
        what_if(told(TIE), colour="red")


@exercises("REC-19", "REC-22")
def test_what_was_told_without_cards_stays_where_it_went():
    only = hand(TIE, trick(0), result(3, 4, 5), now={"ties": "early"})
    assert winners(only, "now") == [1, 0]
    assert only["scores"] == {"then": [3, 4, 5], "now": [3, 5, 4]}


def test_an_unseen_card_is_won_as_it_was_told_or_as_the_cards_say():
    told_then = hand(
        plays("0:8MS 1:? 2:XM"), trick(1, trump="W"), plays("1:9WY"), now={"trump": "fixed", "fixed_trump": "M"}
    )
    assert (winners(told_then, "then"), winners(told_then, "now")) == ([1, None], [2, None])
    assert irregular_now(told_then) == [("out-of-turn", 1)]


def test_a_game_that_would_have_been_over_says_when():
    record = told(TIE + [result(0, 5, 7)], [result(4, 4, 4)], end={"kind": "score", "value": 8})
    answer = what_if(record, ties="early")
    assert (answer["over_after"], answer["totals"]["now"]) == (None, [4, 10, 10])
    early = what_if(told([*TIE, result(0, 7, 5)], [result(4, 4, 4)], end={"kind": "score", "value": 8}), ties="early")
    assert early["over_after"] == 1
