"""What a trick without its cards can say of trump, and when nobody can know what trump is (REC-19)."""

from typing import Any

import pytest

from tests.referee.telling import REDEAL, exercises, hand, judged, known, plays, refused, result, trick, winners

STICKY = {"trump": "sticky"}
CARRY = {"trump_carry": True}
SUNS = plays("0:7SK 1:9MS 2:AS")
"""The Ace of Suns makes Suns trump; the Pact wins."""


def unknown(done: dict[str, Any]) -> list[list[str]]:
    """Return the clauses under which trump could not be known."""
    return [reason["clauses"] for reason in done["unchecked"] if reason["code"] == "trump-unknown"]


# -- what is possible -------------------------------------------------------------------------


@exercises("AT-8", "REC-9")
def test_without_a_new_ace_trump_stays_and_never_goes_away():
    assert hand(SUNS, trick(0, trump="S"))["trump"] == "S"
    assert refused(SUNS, trick(0, trump=None)) == ("impossible", "bad-suit")
    assert refused(trick(0, trump="K"), trick(0, trump=None)) == ("impossible", "bad-suit")
    assert hand(trick(0, trump=None), trick(0, trump=None))["trump"] is None


@exercises("AT-8", "REC-6")
def test_an_ace_that_was_played_cannot_set_trump_again():
    moons = plays("1:2MK 2:8MS 0:AM")
    assert refused(SUNS, moons, trick(0, trump="S")) == ("impossible", "already-played")
    assert refused(trick(0, trump="K"), trick(0, trump="S"), trick(0, trump="K")) == ("impossible", "already-played")
    assert hand(SUNS, moons, trick(0, trump="K"))["trump"] == "K"


@exercises("AT-8", "REC-6")
def test_a_trick_that_shows_which_ace_fell_makes_it_played():
    assert refused(trick(0, trump="K"), plays("0:AK")) == ("impossible", "already-played")
    assert refused(trick(0, trump="K"), trick(0, last="AK")) == ("impossible", "already-played")
    assert hand(trick(0, trump="K", last="AK"))["trump"] == "K"  # the card of this very trick
    # the same suit again says nothing of an Ace: it may still come
    done = judged([*SUNS, *[trick(0)] * 11], [trick(0, trump="S"), *plays("0:2MK 1:8MS 2:AS")], options=CARRY)
    assert done["rejected"] is None


@exercises("AT-Q2", "REC-6")
def test_of_two_aces_in_a_trick_that_nobody_recorded_the_last_one_is_told():
    for two_aces in ("last", "first"):
        done = hand(trick(0, trump="K"), plays("0:AM 1:2MK 2:8MS"), options={"two_aces": two_aces})
        assert [entry["trump"] for entry in done["tricks"]] == ["K", "M"]
    # both fell, the last one of Knots: the Ace of Moons may have fallen too, but nobody said so
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
def test_carried_trump_is_set_anew_by_the_first_ace_of_the_hand_also_under_sticky_aces():
    first = [*SUNS, *[trick(0)] * 11]
    options = STICKY | CARRY
    changed = judged(first, [trick(0, trump="K"), trick(0, trump="K")], options=options)
    assert changed["hands"][1]["trump"] == "K"
    answer = judged(first, [trick(0, trump="K"), trick(0, trump="S")], options=options)
    assert answer["rejected"]["reason"]["code"] == "bad-suit"
    same = judged(first, [trick(0, trump="S"), *plays("0:2MK 1:8MS 2:AM")], options=options)
    assert same["hands"][1]["trump"] == "M"
    assert unknown(same["hands"][1]) == [["AT-V1", "REC-19"]]  # the Ace of Suns may have settled it unseen


@exercises("AT-V6", "REC-9")
def test_aces_say_nothing_of_a_fixed_trump():
    options = {"trump": "fixed", "fixed_trump": "K"}
    assert hand(plays("0:AK 1:2MK 2:4YK"), trick(0, trump="K"), options=options)["trump"] == "K"
    assert refused(trick(0, trump="S"), options=options) == ("impossible", "bad-suit")


@exercises("REC-8", "REC-9", "AT-8")
def test_an_ace_that_lies_aside_cannot_have_set_trump():
    hands = {"s0": "8MS 9MS XM 4MS 3MW 5ML 6MW 7ML AK", "s1": "2SY 3SK 5SW 6SY 7SK AS XS AM 2MK"}
    aside = judged(known([trick(0, trump="W")], **hands), players=2)
    assert aside["rejected"]["reason"]["code"] == "bad-suit"
    assert judged(known([trick(0, trump="K")], **hands), players=2)["rejected"] is None
    # with one hand unknown the Ace may be in it
    assert judged(known([trick(0, trump="W")], s0=hands["s0"]), players=2)["rejected"] is None


@exercises("REC-8", "REC-17")
def test_the_ace_of_an_entered_hand_is_the_card_that_left_it():
    entered = "3MW 9MS 2WL AK XK 3LY 4YK 5YK 6LK 7WY 8YK 9LK"
    # two cards would have followed the Diplomat; the one that went unseen was the Ace, not one of them
    answer = judged(known([trick(0, trump="K"), *plays("0:8MS 1:2WL")], s1=entered))
    assert answer["rejected"]["reason"]["code"] == "revoke"
    two_unseen = [trick(0, trump="K"), trick(0), *plays("0:8MS 1:2WL")]
    assert judged(known(two_unseen, s1=entered))["rejected"]["reason"]["code"] == "revoke"
    unseen = [trick(0), trick(0), *plays("0:8MS 1:2WL")]
    assert judged(known(unseen, s1=entered))["rejected"] is None


# -- what nobody could know -------------------------------------------------------------------


@exercises("REC-19", "AT-8")
def test_an_ace_may_have_fallen_in_a_trick_that_nobody_recorded():
    assert unknown(hand(trick(0), plays("0:8MS"))) == [["AT-8", "REC-19"]]
    assert unknown(hand(trick(0))) == [["AT-8", "REC-19"]]
    assert unknown(hand(trick(0), plays("0:8MS 1:9MS 2:XM"), result(4, 4, 4))) == [["AT-8", "REC-19"]]


@exercises("REC-19", "AT-8")
def test_trump_is_known_once_it_is_told_or_an_ace_is_seen():
    assert unknown(hand(trick(0, trump=None), plays("0:8MS 1:9MS 2:XM"))) == []
    assert unknown(hand(trick(0), trick(0, trump="K"), plays("0:8MS 1:9MS 2:XM"))) == []
    assert unknown(hand(trick(0), plays("0:8MS 1:9MS 2:AM"), trick(0, trump="M"))) == []
    # a trick judged before that stays in doubt
    assert unknown(hand(trick(0), plays("0:8MS 1:9MS 2:XM"), trick(0, trump="K"))) == [["AT-8", "REC-19"]]


@exercises("REC-19", "AT-8")
def test_where_every_ace_is_seen_none_fell_unseen():
    every = plays("0:AM 1:AS 2:AW 2:AL 0:AY 1:AK")
    assert unknown(hand(every, trick(0), plays("0:8MS 1:9MS 2:XM"))) == []
    assert unknown(hand(trick(0), plays("0:8MS 1:9MS 2:XM 2:AM 0:AS 1:AW"))) == [["AT-8", "REC-19"]]
    assert unknown(hand(trick(2), plays("2:8MS 0:9MS 1:XM 1:AM 2:AS 0:AW 0:AL 1:AY 2:AK"))) == []


@exercises("REC-19", "AT-V1", "AT-V6")
def test_a_settled_or_fixed_trump_is_never_in_doubt():
    assert unknown(hand(SUNS, trick(0), plays("0:8MS"), options=STICKY)) == []
    assert unknown(hand(trick(0), plays("0:8MS"), options={"trump": "fixed", "fixed_trump": "K"})) == []
    assert unknown(hand(trick(0), SUNS, options=STICKY)) == [["AT-V1", "REC-19"]]


@exercises("REC-19", "AT-Q3")
def test_a_trump_carried_over_unseen_cards_is_in_doubt_until_an_ace_falls():
    for first in ([result(4, 4, 4)], [*SUNS, *[trick(0)] * 11], [*[trick(0)] * 12]):
        second = plays("1:8MS 2:2MK 0:XM")
        assert unknown(judged(first, second, options=CARRY)["hands"][1]) == [["AT-Q3", "REC-19"]]
        assert unknown(judged(first, [*second, REDEAL], [], options=CARRY)["hands"][2]) == [["AT-Q3", "REC-19"]]
        assert unknown(judged(first, plays("1:8MS 2:2MK 0:AM"), options=CARRY)["hands"][1]) == []
        assert unknown(judged(first, second)["hands"][1]) == []
    told = [*SUNS, *[trick(0)] * 10, trick(0, trump="S")]
    assert unknown(judged(told, plays("1:8MS 2:2MK 0:XM"), options=CARRY)["hands"][1]) == []
    sticky = [*SUNS, result(4, 4, 4)]
    assert unknown(judged(sticky, plays("1:8MS"), options=CARRY | STICKY)["hands"][1]) == []


@exercises("AT-Q3", "REC-6")
def test_a_suit_told_where_the_carried_one_is_unknown_names_no_ace():
    second = [trick(0, trump="K"), *plays("0:AK 1:2MK 2:4YK")]
    answer = judged([result(4, 4, 4)], second, options=CARRY)
    assert (answer["rejected"], answer["hands"][1]["trump"]) == (None, "K")


# -- why a card won ---------------------------------------------------------------------------


def clauses(*events: Any, number: int = -1, **more: Any) -> list[str]:
    """Return the clauses that decided a trick of the last hand."""
    answer = judged(*events, **more)
    assert answer["rejected"] is None
    cited: list[str] = answer["hands"][-1]["tricks"][number]["reason"]["clauses"]
    return cited


@exercises("AT-8", "AT-Q2", "AT-Q3", "AT-V1", "AT-V6")
@pytest.mark.parametrize(
    ("cards", "options", "cited"),
    [
        ("0:7SK 1:9MS 2:AS", {}, ["AT-9", "AT-8"]),
        ("0:AM 1:9MS 2:7SK", {}, ["AT-9", "AT-8"]),
        ("0:8MS 1:AM 2:AS", {}, ["AT-9", "AT-8", "AT-Q2"]),
        ("0:8MS 1:AM 2:AS", {"two_aces": "first"}, ["AT-9", "AT-8", "AT-Q2"]),
        ("0:AM 1:AW 2:8MS", {"two_aces": "first"}, ["AT-9", "AT-8", "AT-Q2"]),
        ("0:7SK 1:9MS 2:AS", STICKY, ["AT-9", "AT-V1"]),
        ("0:7SK 1:9MS 2:AS", {"trump": "fixed", "fixed_trump": "M"}, ["AT-9", "AT-V6"]),
    ],
)
def test_a_trump_wins_by_the_clauses_that_made_it_trump(cards: str, options: dict[str, Any], cited: list[str]):
    assert clauses(plays(cards), options=options) == cited


@exercises("AT-Q3")
def test_a_carried_trump_wins_by_being_carried_until_an_ace_of_the_hand_takes_over():
    first = [*SUNS, result(4, 4, 4)]
    assert clauses(first, plays("1:8MS 2:2MK 0:XM"), options=CARRY) == ["AT-9", "AT-Q3"]
    assert clauses(first, plays("1:8MS 2:2MK 0:XM"), options=CARRY | STICKY) == ["AT-9", "AT-Q3"]
    assert clauses(first, plays("1:8MS 2:AM 0:XM"), options=CARRY) == ["AT-9", "AT-8"]
    assert winners(judged(first, plays("1:8MS 2:2MK 0:XM"), options=CARRY)["hands"][1]) == [1]


@exercises("AT-Q6", "AT-17", "AT-Q11")
@pytest.mark.parametrize(
    ("cards", "options", "cited"),
    [
        ("0:AM 1:PMSL 2:PMYK", {"pawns": True}, ["AT-9", "AT-Q6"]),
        ("0:AM 1:CMWK 2:CMLY", {"courts": True}, ["AT-9", "AT-Q6"]),
        ("0:2MK 1:PMSL 2:PMYK", {"pawns": True}, ["AT-10", "AT-17"]),
        ("0:2MK 1:CMWK 2:CMLY", {"courts": True}, ["AT-10", "AT-Q11"]),
        ("0:9MS 1:XS 2:XM", {"ties": "early"}, ["AT-10", "AT-V2"]),
        ("0:9MS 1:XS 2:XM", {"ties": "late"}, ["AT-10", "AT-V8"]),
        ("0:9MS 1:XS 2:XM", {}, ["AT-10", "AT-12"]),
        ("0:PMSL 1:XS 2:XM", {"pawns": True}, ["AT-10", "AT-12", "AT-Q7"]),
    ],
)
def test_equal_cards_are_parted_by_the_clause_that_applies_to_them(cards, options, cited):
    assert clauses(plays(cards), options=options) == cited


@exercises("AT-Q9")
@pytest.mark.parametrize(
    ("cards", "led", "cited", "text"),
    [
        (
            "0:E 1:8MS 2:XK",
            "free",
            ["AT-Q9"],
            "Nothing had to be followed: the Windfall (Crown of Knots)",
        ),
        ("0:E 1:XM 2:XK", "free", ["AT-Q9"], "Of equal cards the earlier wins: the Huntress (Crown of Moons)."),
        ("0:E 1:PMSL 2:PMYK", "free", ["AT-Q9"], "Of equal cards the earlier wins: the Harvest"),
        ("0:E 1:8MS 2:XM", "next-card", ["AT-10", "AT-Q9"], "The Huntress (Crown of Moons) is the highest card that"),
        ("0:E 1:AM 2:XM", "free", ["AT-9", "AT-8"], "The Huntress (Crown of Moons) is the highest trump."),
    ],
)
def test_after_a_led_excuse_its_own_rule_decides(cards: str, led: str, cited: list[str], text: str):
    answer = judged(plays(cards), options={"excuse": True, "pawns": True, "excuse_led": led})
    reason = answer["hands"][0]["tricks"][0]["reason"]
    assert reason["clauses"] == cited
    assert reason["text"].startswith(text)
