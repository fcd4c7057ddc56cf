"""Ransom Trump, hand by hand and under house rules."""

from functools import partial
from typing import Any

import pytest

from referee.engine.rules import Refused
from tests.referee.telling import (
    END,
    Json,
    accepted,
    bids,
    exercises,
    found,
    judged,
    known,
    names,
    plays,
    ransoms,
    refusal,
    result,
    telling_of,
    trick,
    unknown_trump,
    winners,
)

# --- Ransom Trump, clause by clause: RT-1 .. RT-16, and the defaults where the rules are silent

hand, refused = telling_of("ransom-trump")
rt = partial(judged, game="ransom-trump")
EXTENDED = {"excuse": True, "pawns": True, "courts": True}


@exercises("RT-1", "RT-2", "RT-Q7")
@pytest.mark.parametrize("options", [{}, EXTENDED])
@pytest.mark.parametrize(("players", "size"), [(2, 10), (3, 10), (4, 9)])
def test_hand_sizes_follow_the_number_of_players_and_no_other_card(options: Json, players: int, size: int):
    assert rt(players=players, options=options)["next"]["hand_size"] == [size] * players


@exercises("RT-1")
@pytest.mark.parametrize("players", [1, 5])
def test_two_to_four_can_play(players: int):
    with pytest.raises(Refused, match="2 to 4"):
        rt(players=players)


@exercises("RT-3")
def test_ransom_cards_are_judged_once_all_are_laid():
    opened = hand(ransoms("8MS")[:1])
    assert (opened["phase"], opened["to_act"], opened["cards_left"]) == ("ransom", [1, 2], [9, 10, 10])
    assert (opened["trump"], opened["ransom_winner"]) == (None, None)
    backwards = hand(list(reversed(ransoms("8MS XW XL"))))
    assert (backwards["phase"], backwards["trump"], backwards["ransom_winner"]) == ("trump", None, 0)
    assert refused(plays("0:8MS")) == ("impossible", "wrong-phase")


@exercises("RT-3", "REC-4", "REC-5", "REC-6", "REC-2", "REC-3")
@pytest.mark.parametrize(
    ("event", "code"),
    [
        ({"seat": 3, "cards": ["XM"]}, "no-such-seat"),
        ({"seat": 1, "cards": ["XM", "XS"]}, "wrong-count"),
        ({"seat": 1, "cards": []}, "wrong-count"),
        ({"seat": 1, "cards": ["E"]}, "not-in-deck"),
        ({"seat": 1, "cards": ["8MS"]}, "already-played"),
        ({"seat": 0, "cards": ["XM"]}, "wrong-phase"),
    ],
)
def test_an_impossible_ransom_card_is_refused_at_once(event: Json, code: str):
    assert refused(ransoms("8MS"), {"type": "ransom", **event}) == ("impossible", code)


@exercises("RT-4", "RT-5", "RT-6", "RT-7", "RT-8", "RT-Q2", "RT-Q6")
@pytest.mark.parametrize(
    ("shown", "winner", "trump", "clauses"),
    [
        ("XM 8MS 9MS", 0, "M", "RT-4 RT-6"),
        ("XM XS AL", 2, "L", "RT-4 RT-8"),
        ("XM XS 9MS", 2, None, "RT-4 RT-7"),
        ("9MS 9WY 8MS 2MK", 2, None, "RT-4 RT-7"),
        ("XM XS XW", None, None, "RT-5"),
        ("XM XS 9MS 9LK", None, None, "RT-5"),
        ("PMSL 9MS 8MS", 0, None, "RT-4 RT-Q6"),
        ("PMSL PMYK 9MS", 2, None, "RT-4 RT-7"),
        ("CMWK PMSL 9MS", 0, None, "RT-4 RT-Q6"),
        ("CMWK PMSL XM", 2, "M", "RT-4 RT-6"),
        ("E 2MK", 1, None, "RT-4 RT-7"),
        ("XM XS E", None, None, "RT-5"),
        ("XM XS E AM", 3, "M", "RT-4 RT-8"),
    ],
)
def test_the_highest_unmatched_rank_wins_the_ransom(shown: str, winner: int | None, trump: str | None, clauses: str):
    done = hand(ransoms(shown), players=len(shown.split()), options=EXTENDED)
    assert (done["ransom_winner"], done["trump"]) == (winner, trump)
    assert done["opening"]["clauses"] == clauses.split()
    assert (done["phase"], done["to_act"]) == ("play" if trump or winner is None else "trump", [winner or 0])


@exercises("RT-5", "RT-Q1")
@pytest.mark.parametrize(("lead", "seat"), [("left", 0), ("dealer", 2)])
def test_a_fully_tied_ransom_means_no_trump_and_a_house_rule_names_the_leader(lead: str, seat: int):
    done = hand(ransoms("XM XS XW"), options={"no_ransom_lead": lead})
    assert (done["phase"], done["trump"], done["to_act"]) == ("play", None, [seat])


@exercises("RT-7", "RT-Q4", "RT-Q5", "RT-10")
def test_the_owner_of_a_winning_number_card_names_one_of_its_suits():
    shown = hand(ransoms("7SK 8MS 9LK"))
    assert (shown["phase"], shown["to_act"], shown["trump"]) == ("trump", [2], None)
    assert shown["ransom_cards"] == ["7SK", "8MS", "9LK"]
    named = hand(ransoms("7SK 8MS 9LK"), names(2, "K"))
    assert (named["phase"], named["trump"], named["to_act"]) == ("play", "K", [2])
    assert named["ransom_cards"] == ["7SK", "8MS", "9LK"]


@exercises("RT-7", "RT-Q4", "RT-Q8", "REC-9", "REC-12", "REC-3")
@pytest.mark.parametrize(
    ("event", "answer"),
    [
        (names(2, "M"), ("impossible", "bad-suit")),
        (names(2, "none"), ("impossible", "bad-suit")),
        (names(7, "K"), ("impossible", "no-such-seat")),
        (names(0, "M"), ("impossible", "bad-suit")),
        (names(0, "K"), ("irregular", "out-of-turn")),
        (plays("2:XM")[0], ("impossible", "wrong-phase")),
    ],
)
def test_which_suits_may_be_named_and_by_whom(event: Json, answer: tuple[str, str]):
    assert refused(ransoms("7SK 8MS 9LK"), event) == answer


@exercises("RT-7", "REC-21", "RT-Q4", "RT-Q6", "RT-6")
def test_a_named_suit_is_final():
    done = hand(ransoms("7SK 8MS 9LK"), accepted(names(0, "K")))
    assert (done["trump"], done["to_act"], found(done)) == ("K", [2], [("out-of-turn", "seen", 0)])
    assert refused(ransoms("7SK 8MS 9LK"), names(2, "K"), names(2, "L")) == ("impossible", "wrong-phase")
    for suit in "MSL":
        assert hand(ransoms("7SK PMSL 9LK"), names(1, suit), options={"pawns": True})["trump"] == suit
    assert refused(ransoms("8MS XW 9MS"), names(1, "W")) == ("impossible", "wrong-phase")
    assert refused(names(1, "W")) == ("impossible", "wrong-phase")


@exercises("RT-9")
@pytest.mark.parametrize(("players", "tricks"), [(2, 9), (3, 9), (4, 8)])
def test_ransom_cards_are_set_aside_without_a_trick(players: int, tricks: int):
    shown = ransoms("XM 8MS 9MS 2MK")[:players]
    done = hand(shown, [trick(0)] * tricks, players=players)
    assert (done["phase"], done["scores"][0]) == ("finished", tricks)
    assert refused(shown, plays("0:8MS"), players=players) == ("impossible", "already-played")


@exercises("RT-10", "RT-14", "RT-11", "REC-17")
def test_the_ransom_winner_leads_and_following_works_as_in_ace_trump():
    done = hand(ransoms("2MK XM 9MS"), plays("1:8MS 2:4MS 0:3MW"))
    assert (done["tricks"][0]["leader"], winners(done), done["to_act"]) == (1, [1], [1])
    done = hand(ransoms("2MK XM 9MS"), plays("1:8MS 2:2WL 0:3MW 1:XS 2:4MS"))
    assert found(done) == [("revoke", "proved", 2)]
    assert "RT-11" in done["irregularities"][0]["reason"]["clauses"]
    entered = "XL 4MS 2WL 3LY 4YK 5YK 6LK 7WY 8YK 9LK"
    answer = rt(known([*ransoms("2MK XM 9LK"), *plays("1:8MS 2:2WL")], s2=entered))
    assert answer["rejected"]["reason"]["code"] == "revoke"


PAWNS = {"pawns": True}
EXCUSE = {"excuse": True}
TRICKS = [
    # options, ransom cards, cards played, winner, code, clauses
    ({}, "2MK XM 9MS", "1:8WL 2:9WY 0:3MW", 0, "highest-trump", "RT-12 AT-9"),
    ({}, "2MK XM 9MS", "1:8WL 2:9WY 0:2WL", 2, "highest-follower", "RT-12 AT-10"),
    ({}, "2MK XM 9MS", "1:8WL 2:9WY 0:AW", 2, "highest-follower", "RT-12 AT-10"),  # Aces do not change trump
    ({}, "9LK XM 8MS", "1:2SY 2:AM 0:3SK", 2, "highest-trump", "RT-12 AT-9"),
    ({}, "AM AS AW", "0:8WL 1:9WY 2:XM", 1, "highest-follower", "RT-12 AT-10"),  # no trump
    ({}, "2MK XM 9MS", "1:8WL 2:XL 0:XW", 0, "higher-symbol", "RT-13 AT-12"),
    ({"ties": "early"}, "2MK XM 9MS", "1:8WL 2:XL 0:XW", 2, "earlier-of-equals", "RT-12 AT-V2"),
    ({"ties": "late"}, "2MK XM 9MS", "1:8WL 2:XL 0:XW", 0, "later-of-equals", "RT-12 AT-V8"),
    (PAWNS, "9LK XM 8MS", "1:2MK 2:PMSL 0:PMYK", 2, "earlier-of-equals", "RT-12 AT-Q6"),
    (PAWNS, "9LK XM 8MS", "1:7WY 2:PWLY 0:PSWK", 2, "earlier-of-equals", "RT-12 AT-17"),
    (EXCUSE, "9LK XM 8MS", "1:E 2:8WL 0:XW", 0, "highest-follower", "RT-12 AT-10 AT-Q9"),
    (EXCUSE | {"excuse_led": "free"}, "9LK XM 8MS", "1:E 2:XL 0:XW", 2, "earlier-of-equals", "AT-Q9"),
]


@exercises("RT-12", "RT-13", "RT-16", "RT-Q3", "AT-Q6", "AT-17", "AT-V2", "AT-V8", "AT-Q9")
@pytest.mark.parametrize(("options", "ransom", "cards", "winner", "code", "clauses"), TRICKS)
def test_who_wins_a_trick(options: Json, ransom: str, cards: str, winner: int, code: str, clauses: str):
    (entry,) = hand(ransoms(ransom), plays(cards), options=options)["tricks"]
    assert (entry["winner"], entry["reason"]["code"]) == (winner, code)
    assert entry["reason"]["clauses"] == clauses.split()


@exercises("RT-15", "REC-15")
def test_every_trick_is_worth_a_point_and_totals_carry_over():
    answer = rt([result(4, 3, 2)], [result(0, 9, 0)])
    assert (answer["hands"][0]["scores"], answer["totals"]) == ([4, 3, 2], [4, 12, 2])
    assert answer["hands"][0]["score_lines"][0]["reason"]["clauses"] == ["RT-15"]


@exercises("RT-16", "AT-V4")
def test_after_trump_is_named_bids_go_round_from_the_dealers_left():
    options = {"bidding": True}
    named = hand(ransoms("7SK 8MS 9LK"), names(2, "K"), options=options)
    assert (named["phase"], named["to_act"]) == ("bidding", [0])
    done = hand(ransoms("7SK 8MS 9LK"), names(2, "K"), bids("0:3 1:3 2:3"), options=options)
    assert (done["phase"], done["to_act"]) == ("play", [2])
    scored = hand(bids("0:3 1:3 2:3"), result(3, 2, 4), options=options)
    assert scored["scores"] == [15, 0, 16]
    assert "RT-16" in scored["score_lines"][0]["reason"]["clauses"]


@exercises("RT-16", "AT-Q15")
def test_the_hook_is_that_of_ace_trump():
    hook = {"bidding": True, "hook": True}
    assert refused(bids("0:3 1:3 2:3"), options=hook) == ("irregular", "forbidden-bid")


@exercises("RT-16", "AT-V3")
def test_only_four_can_play_as_partners():
    assert rt([result(1, 2, 3, 2)], players=4, options={"partners": True})["totals"] == [4, 4, 4, 4]
    for players in (2, 3):
        with pytest.raises(Refused, match="Partners: only for 4 players"):
            rt(players=players, options={"partners": True})


@exercises("RT-16", "AT-V1", "AT-V5", "AT-V6")
@pytest.mark.parametrize("options", [{"trump": "sticky"}, {"tides": True}, {"trump_carry": True}, {"two_aces": "last"}])
def test_sticky_aces_fixed_trump_and_tides_do_not_apply(options: dict):
    with pytest.raises(Refused, match="There is no option"):
        rt(options=options)


@exercises("RT-Q10", "REC-16")
def test_the_deal_passes_clockwise_and_ties_share():
    answer = rt([result(4, 4, 1)], [result(0, 0, 9), END], dealer=1)
    assert [each["dealer"] for each in answer["hands"]] == [1, 2]
    assert answer["winners"] == [2]
    level = rt([result(4, 4, 1)], end={"kind": "score", "value": 4})
    assert (level["finished"], level["winners"]) == (True, [0, 1])


@exercises("REC-19", "RT-9")
def test_a_hand_by_tricks_needs_no_ransom():
    done = hand(trick(1, trump="K"), plays("1:8MS 2:XK 0:XM"))
    assert (done["tricks"][0]["leader"], winners(done), done["trump"]) == (0, [1, 2], "K")
    assert done["cards_left"] == [7, 7, 7]
    assert "no-counting" in [reason["code"] for reason in done["unchecked"]]
    assert hand(ransoms("8MS"))["cards_left"] == [9, 10, 10]
    assert hand(ransoms("8MS"), trick(0))["cards_left"] == [8, 8, 8]
    assert hand(bids("0:1"), options={"bidding": True})["cards_left"] == [9, 9, 9]


@exercises("REC-9", "RT-Q8")
@pytest.mark.parametrize(
    ("before", "trump", "taken"),
    [
        ("2MK XM 9MS", "M", True), ("2MK XM 9MS", "S", False), ("2MK XM 9MS", None, False),
        ("XM XS XW", None, True), ("XM XS XW", "M", False),
        ("7SK 8MS 9LK", "L", True), ("7SK 8MS 9LK", "S", False), ("7SK 8MS 9LK", None, False),
        ("7SK", "M", True), ("", None, True),
    ],
)  # fmt: skip
def test_a_trick_cannot_contradict_the_ransom(before: str, trump: str | None, taken: bool):
    if taken:
        assert hand(ransoms(before), trick(0, trump=trump))["trump"] == trump
    else:
        assert refused(ransoms(before), trick(0, trump=trump)) == ("impossible", "bad-suit")


# --- Before trump is recorded: no card is judged by a trump that is not yet known

OPEN = ransoms("7SK 8MS 9LK")
"""Cy wins the ransom with the Merchant: Leaves or Knots."""


@exercises("RT-7", "RT-Q4", "REC-2")
def test_no_card_is_played_before_trump_is_known():
    assert refused(OPEN, plays("2:8WL")) == ("impossible", "wrong-phase")
    assert refused(OPEN, trick(0), plays("0:8WL")) == ("impossible", "wrong-phase")
    done = hand(OPEN, trick(0))
    assert (done["phase"], done["to_act"], done["trump"]) == ("trump", [2], None)


@exercises("RT-7", "RT-Q3")
def test_trump_becomes_known_by_naming_it_or_from_a_trick():
    named = hand(OPEN, trick(0), names(2, "K"), plays("0:8WL 1:9WY 2:4YK"))
    assert [(entry["winner"], entry["trump"]) for entry in named["tricks"]] == [(0, "K"), (2, "K")]
    told = hand(OPEN, trick(0), trick(0, trump="L"), plays("0:8WL 1:9WY 2:4YK"))
    assert [(entry["winner"], entry["trump"]) for entry in told["tricks"]] == [(0, "L"), (0, "L"), (0, "L")]
    assert (told["phase"], told["to_act"]) == ("play", [0])
    assert refused(OPEN, trick(0, trump="L"), names(2, "L")) == ("impossible", "wrong-phase")
    assert unknown_trump(named) == unknown_trump(told) == []


@exercises("RT-Q3", "REC-9")
@pytest.mark.parametrize("before", [OPEN, []])
def test_the_trump_of_a_hand_is_recorded_once_and_never_changes(before: list[Any]):
    assert hand(before, trick(0, trump="K"), trick(0, trump="K"))["trump"] == "K"
    for other in ("L", None):
        assert refused(before, trick(0, trump="K"), trick(0, trump=other)) == ("impossible", "bad-suit")
    assert refused(trick(0, trump=None), trick(0, trump="K")) == ("impossible", "bad-suit")


@exercises("REC-19", "RT-12")
def test_trump_is_unknown_without_a_ransom_or_a_trick():
    assert unknown_trump(hand(trick(1), plays("1:8MS 2:XK 0:XM"))) == [["RT-12", "REC-19"]]
    assert unknown_trump(hand(OPEN, trick(0))) == [["RT-12", "REC-19"]]
    assert unknown_trump(hand(trick(1, trump="K"), plays("1:8MS 2:XK 0:XM"))) == []
    assert unknown_trump(hand(trick(1, trump=None), plays("1:8MS 2:XK 0:XM"))) == []
    # what was judged before stays in doubt
    assert unknown_trump(hand(trick(1), plays("1:8MS 2:XK 0:XM"), trick(0, trump="K"))) == [["RT-12", "REC-19"]]
    assert unknown_trump(hand(trick(1), trick(0, trump="K"), result(3, 3, 3))) == []


@exercises("RT-4", "RT-5", "REC-9")
@pytest.mark.parametrize(
    ("before", "players", "possible"),
    [
        ("XM 2MK", 3, "MK"),  # the Crown wins, or another Crown cancels it and the 2 is left
        ("XM XS", 3, "MSWLYK-"),  # the missing player shows the only rank, or a third Crown
        ("9MS 8WL", 3, "MSWLYK"),  # a Crown of any suit may come; no one can cancel both
        ("XM XS XW", 4, "MSWLYK-"),
        ("XM 9MS XS", 4, "MS-"),  # the Crowns are out; only another 9 cancels the Pact
    ],
)
def test_missing_ransom_cards_allow_only_trumps_they_can_produce(before: str, players: int, possible: str):
    for suit in (*"MSWLYK", None):
        if (suit or "-") in possible:
            assert hand(ransoms(before), trick(0, trump=suit), players=players)["trump"] == suit
        else:
            answer = refused(ransoms(before), trick(0, trump=suit), players=players)
            assert answer == ("impossible", "bad-suit")


@exercises("REC-2", "REC-19")
def test_a_hand_bid_before_trump_was_named_goes_on_without_cards():
    options = {"bidding": True}
    told = [*OPEN, *bids("0:1 1:1 2:1"), trick(0, trump="K")]
    assert hand(told, options=options)["trump"] == "K"
    assert refused(told, plays("0:8WL"), options=options) == ("impossible", "wrong-phase")


@exercises("RT-Q6", "REC-9", "REC-12")
def test_a_pawn_that_wins_the_ransom_decides_which_suits_may_be_named():
    def clauses(named: Json) -> list[str]:
        refused = refusal(ransoms("PMSL 8MS 9LK"), named, game="ransom-trump", options=PAWNS)
        return list(refused["reason"]["clauses"])

    assert clauses(names(0, "K")) == ["RT-Q6", "REC-9"]
    assert clauses(names(1, "M")) == ["RT-Q6", "REC-12"]
