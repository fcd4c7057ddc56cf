"""Trump in Ace Trump: named, set by tricks, and under other house rules."""

from typing import Any

import pytest

from referee.engine.rules import Refused
from tests.referee.telling import (
    REDEAL,
    Json,
    ask,
    bids,
    exercises,
    found,
    hand,
    hand_as_it_lay,
    irregular_now,
    judged,
    known,
    plays,
    ransoms,
    refusal,
    refused,
    result,
    told,
    trick,
    unknown_trump,
    what_if,
    winners,
    winners_as_it_lay,
)

# --- A fixed trump the table names before each deal (AT-V6)

NAMED = {"trump": "named"}


def names(suit: str, **seat: int | None) -> Json:
    """Name the trump of a hand; any player may."""
    return {"type": "trump", "suit": suit, **seat}


@exercises("AT-V6")
def test_each_hand_begins_with_its_named_trump_and_aces_do_not_change_it():
    begun = judged([], options=NAMED)["hands"][0]
    assert (begun["phase"], begun["to_act"], begun["trump"]) == ("trump", [], None)
    done = hand(names("K"), plays("0:8MS 1:AM 2:2MK"), options=NAMED)
    assert (done["trump"], winners(done), done["tricks"][0]["trump"]) == ("K", [2], "K")
    assert done["tricks"][0]["reason"]["clauses"] == ["AT-9", "AT-V6"]
    answer = judged([names("K"), result(4, 4, 4)], [names("moons"), *plays("1:8MS 2:2WL 0:XL")], options=NAMED)
    assert [each["trump"] for each in answer["hands"]] == ["K", "M"]
    assert winners(answer["hands"][1]) == [1]


@exercises("AT-V6", "REC-2", "REC-3", "REC-9")
def test_trump_is_named_once_before_the_first_bid_or_play():
    assert refused(plays("0:8MS"), options=NAMED) == ("impossible", "wrong-phase")
    reason = refusal(plays("0:8MS"), options=NAMED)["reason"]
    assert (reason["text"], reason["clauses"]) == ("First name the trump of this hand.", ["AT-V6", "REC-2"])
    assert refused(names("K"), names("M"), options=NAMED) == ("impossible", "wrong-phase")
    assert refused(names("K"), plays("0:8MS"), names("K"), options=NAMED) == ("impossible", "wrong-phase")
    assert refused(names("Z"), options=NAMED) == ("impossible", "bad-suit")
    for other in ({}, {"trump": "sticky"}, {"trump": "fixed", "fixed_trump": "K"}):
        assert refused(names("K"), options=other) == ("impossible", "wrong-phase")
    with_bids = NAMED | {"bidding": True}
    assert hand(names("K"), options=with_bids)["phase"] == "bidding"
    assert hand(names("K"), bids("0:4 1:4 2:4"), plays("0:8MS"), options=with_bids)["phase"] == "play"


@exercises("AT-V6", "REC-3")
@pytest.mark.parametrize("seat", [{}, {"seat": None}, {"seat": 0}, {"seat": 2}])
def test_any_player_may_announce_the_trump(seat: dict[str, int | None]):
    done = hand(names("K", **seat), plays("0:8MS"), options=NAMED)
    assert (done["trump"], found(done)) == ("K", [])
    assert refused(names("K", seat=3), options=NAMED) == ("impossible", "no-such-seat")


@exercises("REC-19", "REC-9", "AT-V6")
def test_a_recorded_trick_can_reveal_the_trump():
    done = hand(trick(0), trick(0, trump="K"), plays("0:8MS 1:AM 2:2MK"), options=NAMED)
    assert [entry["trump"] for entry in done["tricks"]] == ["K", "K", "K"]
    late = hand(trick(0), names("K"), plays("0:8MS"), options=NAMED)
    assert (late["trump"], late["tricks"][0]["trump"]) == ("K", "K")
    assert refused(trick(0), plays("0:8MS"), options=NAMED) == ("impossible", "wrong-phase")
    assert refused(names("K"), trick(0, trump="M"), options=NAMED) == ("impossible", "bad-suit")
    assert refused(trick(0, trump=None), options=NAMED) == ("impossible", "bad-suit")
    said = [reason["clauses"] for reason in hand(trick(0), options=NAMED)["unchecked"]]
    assert ["AT-V6", "REC-19"] in said
    assert ["AT-V6", "REC-19"] not in [r["clauses"] for r in hand(trick(0, trump="K"), options=NAMED)["unchecked"]]
    assert hand(result(4, 4, 4), options=NAMED)["phase"] == "finished"


@exercises("AT-V6")
def test_a_question_about_a_trick_needs_the_trump_of_the_hand():
    asked: dict[str, Any] = {"options": NAMED, "plays": [{"cards": ["8MS"]}, {"cards": ["AM"]}, {"cards": ["2MK"]}]}
    assert ask("trick", **asked, trump="K")["winner"] == 2
    with pytest.raises(Refused, match="Give the trump of the hand"):
        ask("trick", **asked)


@exercises("RT-7", "REC-3")
def test_ransom_trump_requires_the_player_who_names_trump():
    assert refused(ransoms("7SK 8MS 9LK"), names("K"), game="ransom-trump") == ("impossible", "no-such-seat")


# --- What a trick without cards tells about trump, and when trump is unknown (REC-19)

STICKY = {"trump": "sticky"}
CARRY = {"trump_carry": True}
SUNS = plays("0:7SK 1:9MS 2:AS")
"""The Ace of Suns makes Suns trump; the Pact wins."""


@exercises("AT-8", "REC-9", "REC-6")
def test_a_played_ace_cannot_set_trump_again_and_trump_stays_set():
    assert hand(SUNS, trick(0, trump="S"))["trump"] == "S"
    assert refused(SUNS, trick(0, trump=None)) == ("impossible", "bad-suit")
    assert refused(trick(0, trump="K"), trick(0, trump=None)) == ("impossible", "bad-suit")
    assert hand(trick(0, trump=None), trick(0, trump=None))["trump"] is None
    moons = plays("1:2MK 2:8MS 0:AM")
    assert refused(SUNS, moons, trick(0, trump="S")) == ("impossible", "already-played")
    assert refused(trick(0, trump="K"), trick(0, trump="S"), trick(0, trump="K")) == ("impossible", "already-played")
    assert hand(SUNS, moons, trick(0, trump="K"))["trump"] == "K"


@exercises("AT-8", "REC-6")
def test_an_ace_revealed_by_a_recorded_trick_counts_as_played():
    assert refused(trick(0, trump="K"), plays("0:AK")) == ("impossible", "already-played")
    assert refused(trick(0, trump="K"), trick(0, last="AK")) == ("impossible", "already-played")
    assert hand(trick(0, trump="K", last="AK"))["trump"] == "K"  # the card of this very trick
    # the same suit again does not imply an Ace: it may still come
    done = judged([*SUNS, *[trick(0)] * 11], [trick(0, trump="S"), *plays("0:2MK 1:8MS 2:AS")], options=CARRY)
    assert done["rejected"] is None


@exercises("AT-Q2", "REC-6")
def test_a_trump_recorded_for_an_unseen_trick_is_that_of_its_last_ace():
    for two_aces in ("last", "first"):
        done = hand(trick(0, trump="K"), plays("0:AM 1:2MK 2:8MS"), options={"two_aces": two_aces})
        assert [entry["trump"] for entry in done["tricks"]] == ["K", "M"]
    # both fell, Knots last: the Ace of Moons may have fallen too, but that is not recorded
    assert hand(plays("0:AS 1:AM 2:7SK"), trick(0, trump="K"), options={"two_aces": "first"})["trump"] == "K"
    two = plays("0:AS 1:AM 2:7SK")
    assert refused(two, trick(0, trump="S"), options={"two_aces": "first"}) == ("impossible", "already-played")
    assert hand(two, trick(0, trump="M"), options={"two_aces": "first"})["trump"] == "M"


@exercises("AT-V1", "REC-9")
def test_sticky_trump_does_not_change_once_it_is_set():
    for before in (SUNS, [trick(0, trump="S")]):
        for trump in ("K", None):
            assert refused(before, trick(0, trump=trump), options=STICKY) == ("impossible", "bad-suit")
        assert hand(before, trick(0, trump="S"), options=STICKY)["trump"] == "S"
    assert hand(trick(0), trick(0, trump="K"), options=STICKY)["trump"] == "K"
    # an Ace that changes nothing may have been played
    later = [*SUNS, *plays("1:2MK 2:8MS 0:AM")]
    assert refused(later, trick(0, trump="M"), options=STICKY) == ("impossible", "bad-suit")


@exercises("AT-V1", "AT-Q3")
def test_the_first_ace_of_a_hand_replaces_carried_trump_even_with_sticky_aces():
    first = [*SUNS, *[trick(0)] * 11]
    options = STICKY | CARRY
    changed = judged(first, [trick(0, trump="K"), trick(0, trump="K")], options=options)
    assert changed["hands"][1]["trump"] == "K"
    answer = judged(first, [trick(0, trump="K"), trick(0, trump="S")], options=options)
    assert answer["rejected"]["reason"]["code"] == "bad-suit"
    same = judged(first, [trick(0, trump="S"), *plays("0:2MK 1:8MS 2:AM")], options=options)
    assert same["hands"][1]["trump"] == "M"
    assert unknown_trump(same["hands"][1]) == [["AT-V1", "REC-19"]]  # the Ace of Suns may have settled it unseen


@exercises("AT-V6", "REC-9")
def test_aces_do_not_change_a_fixed_trump():
    options = {"trump": "fixed", "fixed_trump": "K"}
    assert hand(plays("0:AK 1:2MK 2:4YK"), trick(0, trump="K"), options=options)["trump"] == "K"
    assert refused(trick(0, trump="S"), options=options) == ("impossible", "bad-suit")


@exercises("REC-8", "REC-9", "AT-8")
def test_an_undealt_ace_cannot_have_set_trump():
    hands = {"s0": "8MS 9MS XM 4MS 3MW 5ML 6MW 7ML AK", "s1": "2SY 3SK 5SW 6SY 7SK AS XS AM 2MK"}
    aside = judged(known([trick(0, trump="W")], **hands), players=2)
    assert aside["rejected"]["reason"]["code"] == "bad-suit"
    assert judged(known([trick(0, trump="K")], **hands), players=2)["rejected"] is None
    # with one hand unknown the Ace may be in it
    assert judged(known([trick(0, trump="W")], s0=hands["s0"]), players=2)["rejected"] is None


@exercises("REC-8", "REC-17")
def test_an_ace_that_set_trump_unseen_has_left_its_entered_hand():
    entered = "3MW 9MS 2WL AK XK 3LY 4YK 5YK 6LK 7WY 8YK 9LK"
    # two cards would have followed the Diplomat; the unseen one was the Ace, not one of them
    answer = judged(known([trick(0, trump="K"), *plays("0:8MS 1:2WL")], s1=entered))
    assert answer["rejected"]["reason"]["code"] == "revoke"
    two_unseen = [trick(0, trump="K"), trick(0), *plays("0:8MS 1:2WL")]
    assert judged(known(two_unseen, s1=entered))["rejected"]["reason"]["code"] == "revoke"
    unseen = [trick(0), trick(0), *plays("0:8MS 1:2WL")]
    assert judged(known(unseen, s1=entered))["rejected"] is None


@exercises("REC-19", "AT-8", "AT-V1", "AT-V6")
def test_trump_is_known_once_it_is_recorded_or_an_ace_is_seen():
    assert unknown_trump(hand(trick(0), plays("0:8MS"))) == [["AT-8", "REC-19"]]
    assert unknown_trump(hand(trick(0))) == [["AT-8", "REC-19"]]
    assert unknown_trump(hand(trick(0), plays("0:8MS 1:9MS 2:XM"), result(4, 4, 4))) == [["AT-8", "REC-19"]]
    assert unknown_trump(hand(trick(0, trump=None), plays("0:8MS 1:9MS 2:XM"))) == []
    assert unknown_trump(hand(trick(0), trick(0, trump="K"), plays("0:8MS 1:9MS 2:XM"))) == []
    assert unknown_trump(hand(trick(0), plays("0:8MS 1:9MS 2:AM"), trick(0, trump="M"))) == []
    # a trick judged before that stays in doubt
    assert unknown_trump(hand(trick(0), plays("0:8MS 1:9MS 2:XM"), trick(0, trump="K"))) == [["AT-8", "REC-19"]]
    every = plays("0:AM 1:AS 2:AW 2:AL 0:AY 1:AK")
    assert unknown_trump(hand(every, trick(0), plays("0:8MS 1:9MS 2:XM"))) == []
    assert unknown_trump(hand(trick(0), plays("0:8MS 1:9MS 2:XM 2:AM 0:AS 1:AW"))) == [["AT-8", "REC-19"]]
    assert unknown_trump(hand(trick(2), plays("2:8MS 0:9MS 1:XM 1:AM 2:AS 0:AW 0:AL 1:AY 2:AK"))) == []
    assert unknown_trump(hand(SUNS, trick(0), plays("0:8MS"), options=STICKY)) == []
    assert unknown_trump(hand(trick(0), plays("0:8MS"), options={"trump": "fixed", "fixed_trump": "K"})) == []
    assert unknown_trump(hand(trick(0), SUNS, options=STICKY)) == [["AT-V1", "REC-19"]]


@exercises("REC-19", "AT-Q3")
def test_a_trump_carried_past_unseen_cards_is_in_doubt_until_an_ace_falls():
    for first in ([result(4, 4, 4)], [*SUNS, *[trick(0)] * 11], [*[trick(0)] * 12]):
        second = plays("1:8MS 2:2MK 0:XM")
        assert unknown_trump(judged(first, second, options=CARRY)["hands"][1]) == [["AT-Q3", "REC-19"]]
        assert unknown_trump(judged(first, [*second, REDEAL], [], options=CARRY)["hands"][2]) == [["AT-Q3", "REC-19"]]
        assert unknown_trump(judged(first, plays("1:8MS 2:2MK 0:AM"), options=CARRY)["hands"][1]) == []
        assert unknown_trump(judged(first, second)["hands"][1]) == []
    told = [*SUNS, *[trick(0)] * 10, trick(0, trump="S")]
    assert unknown_trump(judged(told, plays("1:8MS 2:2MK 0:XM"), options=CARRY)["hands"][1]) == []
    sticky = [*SUNS, result(4, 4, 4)]
    assert unknown_trump(judged(sticky, plays("1:8MS"), options=CARRY | STICKY)["hands"][1]) == []


@exercises("AT-Q3", "REC-6")
def test_a_trump_recorded_after_an_unknown_one_implies_no_ace():
    second = [trick(0, trump="K"), *plays("0:AK 1:2MK 2:4YK")]
    answer = judged([result(4, 4, 4)], second, options=CARRY)
    assert (answer["rejected"], answer["hands"][1]["trump"]) == (None, "K")


def clauses(*events: Any, number: int = -1, **more: Any) -> list[str]:
    answer = judged(*events, **more)
    assert answer["rejected"] is None
    cited: list[str] = answer["hands"][-1]["tricks"][number]["reason"]["clauses"]
    return cited


@exercises("AT-Q3")
def test_a_carried_trump_cites_the_carry_rule_until_an_ace_replaces_it():
    first = [*SUNS, result(4, 4, 4)]
    assert clauses(first, plays("1:8MS 2:2MK 0:XM"), options=CARRY) == ["AT-9", "AT-Q3"]
    assert clauses(first, plays("1:8MS 2:2MK 0:XM"), options=CARRY | STICKY) == ["AT-9", "AT-Q3"]
    assert clauses(first, plays("1:8MS 2:AM 0:XM"), options=CARRY) == ["AT-9", "AT-8"]
    assert winners(judged(first, plays("1:8MS 2:2MK 0:XM"), options=CARRY)["hands"][1]) == [1]


# --- What a hand would have been under other house rules (REC-22)

TIE = plays("0:8MS 1:XS 2:XM")
"""Two Crowns follow: the higher symbol wins, under Early Bird the earlier one."""


@exercises("REC-22", "AT-V2", "AT-12")
def test_with_early_bird_the_earlier_crown_wins_and_the_wrong_player_led_on():
    only = hand_as_it_lay(TIE, plays("2:9LK 0:3LY 1:4WL"), now={"ties": "early"})
    assert (winners_as_it_lay(only, "then"), winners_as_it_lay(only, "now")) == ([2, 2], [1, 2])
    first, second = only["tricks"]
    assert first["change"]["text"] == "With Early Bird, trick 1 goes to Bob, not to Cy."
    assert first["change"]["clauses"] == ["AT-12", "AT-V2", "AT-V8", "REC-22"]
    assert first["now"]["reason"]["clauses"] == ["AT-10", "AT-V2"]
    assert (second["leader"], second["change"]) == (2, None)
    assert irregular_now(only) == [("out-of-turn", 2)]
    assert only["scores"] == {"then": [0, 0, 2], "now": [0, 1, 1]}


@exercises("AT-15", "REC-22")
def test_a_what_if_judges_nothing_if_the_pack_lacks_a_played_card():
    only = hand_as_it_lay(plays("0:E 1:8MS 2:XK"), options={"excuse": True}, now={"excuse": False})
    assert (only["judged"], only["unscored"]["code"]) == (False, "cards-not-in-pack")
    assert only["tricks"][0]["now"] is None
    more = hand_as_it_lay(TIE, now={"excuse": True})
    assert (more["judged"], winners_as_it_lay(more, "now"), more["notes"][0]["code"]) == (True, [2], "other-pack")
    pawns = hand_as_it_lay(TIE, players=4, now={"pawns": True})
    assert [note["code"] for note in pawns["notes"]] == ["dealt-otherwise", "other-pack"]
    assert pawns["notes"][0]["text"].startswith("Under these rules the hand sizes would have been 10;")


@exercises("AT-V4", "AT-Q15", "REC-22")
def test_a_what_if_leaves_the_score_open_without_bids_and_drops_extra_ones():
    silent = hand_as_it_lay(TIE, now={"bidding": True})
    assert (winners_as_it_lay(silent, "now"), silent["unscored"]["code"]) == ([2], "bids-missing")
    assert silent["unscored"]["clauses"] == ["AT-V4", "REC-22"]
    made = [*bids("0:1 1:1 2:10"), result(0, 2, 10)]
    bid = hand_as_it_lay(*made, options={"bidding": True}, now={"bidding": False})
    assert bid["scores"] == {"then": [0, 6, 50], "now": [0, 2, 10]}
    assert [left["reason"]["code"] for left in bid["left_out"]] == ["wrong-phase"] * 3
    hooked = hand_as_it_lay(*made, options={"bidding": True}, now={"hook": True})
    assert irregular_now(hooked) == [("forbidden-bid", 2)]


@exercises("AT-V3", "AT-Q16")
def test_a_what_if_with_partners_shares_their_points():
    alone = told([result(1, 2, 3, 3)], players=4)
    assert what_if(alone, partners=True)["totals"] == {"then": [1, 2, 3, 3], "now": [4, 5, 4, 5]}
    pair = told([*bids("0:1 1:1 2:5 3:0"), result(2, 1, 4, 2)], players=4, options={"bidding": True, "partners": True})
    only = what_if(pair, partner_bid="joint")["hands"][0]
    assert only["scores"] == {"then": [6, 5, 0, 2], "now": [30, 7, 0, 0]}
    with pytest.raises(Refused, match="Partners: only for 4 or 6 players"):
        what_if(told(TIE), partners=True)
    with pytest.raises(Refused, match="/carried"):
        what_if(alone | {"carried": [1, 2, 3, 4]}, partners=True)


@exercises("AT-Q3", "AT-V5", "AT-Q12")
def test_a_different_deal_is_explained_and_keeps_the_cards():
    record = told([*plays("0:AM 1:2SY 2:3SK"), result(12, 0, 0)], plays("1:8MS 2:XS 0:XM"))
    carried = what_if(record, trump_carry=True)["hands"][1]["tricks"][0]
    assert (carried["then"]["trump"], carried["now"]["trump"]) == (None, "M")
    tides = what_if(record, tides=True)["hands"][0]
    assert [note["code"] for note in tides["notes"]] == ["dealt-otherwise"]
    assert not tides["changed"]
    two = hand_as_it_lay(plays("0:8MS 1:XS"), players=2, now={"two_player_deal": "all"})
    assert "18" in two["notes"][0]["text"]


def test_options_that_depend_on_a_changed_rule_are_reset():
    record = told([*bids("0:1 1:1 2:1"), *TIE], options={"bidding": True, "hook": True})
    answer = what_if(record, bidding=False)
    assert [each["key"] for each in answer["changed"]] == ["bidding", "hook"]
    with pytest.raises(Refused, match="/options/fixed_trump"):
        what_if(told(TIE), trump="fixed")
    with pytest.raises(Refused, match="no option"):
        what_if(told(TIE), colour="red")


@exercises("REC-19", "REC-22")
def test_a_what_if_keeps_the_winner_of_an_unseen_trick():
    only = hand_as_it_lay(TIE, trick(0), result(3, 4, 5), now={"ties": "early"})
    assert winners_as_it_lay(only, "now") == [1, 0]
    assert only["scores"] == {"then": [3, 4, 5], "now": [3, 5, 4]}
    told_then = hand_as_it_lay(
        plays("0:8MS 1:? 2:XM"), trick(1, trump="W"), plays("1:9WY"), now={"trump": "fixed", "fixed_trump": "M"}
    )
    assert (winners_as_it_lay(told_then, "then"), winners_as_it_lay(told_then, "now")) == ([1, None], [2, None])
    assert irregular_now(told_then) == [("out-of-turn", 1)]


def test_a_what_if_says_when_the_game_would_have_ended():
    record = told(TIE + [result(0, 5, 7)], [result(4, 4, 4)], end={"kind": "score", "value": 8})
    answer = what_if(record, ties="early")
    assert (answer["over_after"], answer["totals"]["now"]) == (None, [4, 10, 10])
    early = what_if(told([*TIE, result(0, 7, 5)], [result(4, 4, 4)], end={"kind": "score", "value": 8}), ties="early")
    assert early["over_after"] == 1
