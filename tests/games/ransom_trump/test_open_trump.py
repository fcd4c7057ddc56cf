"""Ransom Trump before trump is recorded: no card is judged by a trump that is not yet known."""

from typing import Any

import pytest

from tests.referee.telling import bids, exercises, judged, plays, ransoms, result, telling_of, trick

hand, refused = telling_of("ransom-trump")
OPEN = ransoms("7SK 8MS 9LK")
"""Cy wins the ransom with the Merchant: Leaves or Knots."""


def names(seat: int, suit: str) -> dict[str, Any]:
    return {"type": "trump", "seat": seat, "suit": suit}


def unknown(done: dict[str, Any]) -> list[list[str]]:
    """Return the clauses under which trump could not be determined."""
    return [reason["clauses"] for reason in done["unchecked"] if reason["code"] == "trump-unknown"]


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
    assert unknown(named) == unknown(told) == []


@exercises("RT-Q3", "REC-9")
@pytest.mark.parametrize("before", [OPEN, []])
def test_the_trump_of_a_hand_is_recorded_once_and_never_changes(before: list[Any]):
    assert hand(before, trick(0, trump="K"), trick(0, trump="K"))["trump"] == "K"
    for other in ("L", None):
        assert refused(before, trick(0, trump="K"), trick(0, trump=other)) == ("impossible", "bad-suit")
    assert refused(trick(0, trump=None), trick(0, trump="K")) == ("impossible", "bad-suit")


@exercises("REC-19", "RT-12")
def test_trump_is_unknown_without_a_ransom_or_a_trick():
    assert unknown(hand(trick(1), plays("1:8MS 2:XK 0:XM"))) == [["RT-12", "REC-19"]]
    assert unknown(hand(OPEN, trick(0))) == [["RT-12", "REC-19"]]
    assert unknown(hand(trick(1, trump="K"), plays("1:8MS 2:XK 0:XM"))) == []
    assert unknown(hand(trick(1, trump=None), plays("1:8MS 2:XK 0:XM"))) == []
    # what was judged before stays in doubt
    assert unknown(hand(trick(1), plays("1:8MS 2:XK 0:XM"), trick(0, trump="K"))) == [["RT-12", "REC-19"]]
    assert unknown(hand(trick(1), trick(0, trump="K"), result(3, 3, 3))) == []


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


@exercises("RT-4", "RT-6", "RT-7", "RT-8", "RT-Q6")
@pytest.mark.parametrize(
    ("cards", "cited"),
    [
        ("XM 8MS 9LK", ["RT-4", "RT-6"]),
        ("7SK 8MS 9LK", ["RT-4", "RT-7"]),
        ("AM 9MS 9LK", ["RT-4", "RT-8"]),
        ("PMSL 8MS 9LK", ["RT-4", "RT-Q6"]),
        ("CMWK 8MS PMSL", ["RT-4", "RT-Q6"]),
    ],
)
def test_a_ransom_names_trump_by_the_clause_of_its_rank(cards: str, cited: list[str]):
    done = hand(ransoms(cards), options={"pawns": True, "courts": True})
    assert done["opening"]["clauses"] == cited


@exercises("RT-Q6", "REC-9", "REC-12")
def test_a_pawn_that_wins_the_ransom_decides_which_suits_may_be_named():
    options = {"pawns": True}
    answer = judged([*ransoms("PMSL 8MS 9LK"), names(0, "K")], game="ransom-trump", options=options)
    assert answer["rejected"]["reason"]["clauses"] == ["RT-Q6", "REC-9"]
    answer = judged([*ransoms("PMSL 8MS 9LK"), names(1, "M")], game="ransom-trump", options=options)
    assert answer["rejected"]["reason"]["clauses"] == ["RT-Q6", "REC-12"]


@exercises("RT-12", "RT-13", "AT-Q6", "AT-17", "AT-V2", "AT-V8", "AT-Q9")
@pytest.mark.parametrize(
    ("cards", "options", "cited"),
    [
        ("1:2MK 2:PMSL 0:PMYK", {"pawns": True}, ["RT-12", "AT-Q6"]),
        ("1:7WY 2:PWLY 0:PSWK", {"pawns": True}, ["RT-12", "AT-17"]),
        ("1:8WL 2:XL 0:XW", {}, ["RT-13", "AT-12"]),
        ("1:8WL 2:XL 0:XW", {"ties": "early"}, ["RT-12", "AT-V2"]),
        ("1:8WL 2:XL 0:XW", {"ties": "late"}, ["RT-12", "AT-V8"]),
        ("1:E 2:XL 0:XW", {"excuse": True, "excuse_led": "free"}, ["AT-Q9"]),
        ("1:E 2:8WL 0:XW", {"excuse": True}, ["RT-12", "AT-10", "AT-Q9"]),
        ("1:2SY 2:AM 0:3SK", {}, ["RT-12", "AT-9"]),
    ],
)
def test_a_trick_is_won_by_the_clause_that_decides_it(cards: str, options: dict[str, Any], cited: list[str]):
    done = hand(ransoms("9LK XM 8MS"), plays(cards), options=options)
    assert done["tricks"][0]["reason"]["clauses"] == cited
