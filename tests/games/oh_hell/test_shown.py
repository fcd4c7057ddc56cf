"""What is shown of an Oh Hell hand, also under house rules."""

from typing import Any

import pytest

from referee.engine.events import Ask
from referee.engine.records import load_record, replay
from tests.games.oh_hell.telling import THREE, hand, oh, opened, quick
from tests.referee.telling import (
    Json,
    bids,
    exercises,
    hand_as_it_lay,
    irregular_now,
    plays,
    result,
    trick,
    turn_up,
    winners_as_it_lay,
)

# --- What an Oh Hell hand shows besides rulings: open cards, why a suit is trump, what comes next

SKIPPED = bids("0:1 1:1 2:0")
"""Bids made before the turned card was recorded."""


def asked(*events: Json, **options: object) -> tuple[Ask, ...]:
    record = {
        "game": "oh-hell", "seats": ["Ann", "Bob", "Cy"], "first_dealer": 2, "options": THREE | options,
        "hands": [{"events": list(events)}],
    }  # fmt: skip
    at = replay(load_record(record)).table.hand
    assert at is not None
    return at.asks()


@exercises("OH-3", "OH-Q2")
@pytest.mark.parametrize(
    ("events", "face_up", "turned"),
    [
        ([], [], None),
        ([turn_up("7H")], [{"label": "turned up", "cards": ["7H"], "suit": "H"}], "7H"),
        ([turn_up("?", "D")], [{"label": "turned up", "cards": [], "suit": "D"}], "?"),
        (SKIPPED, [], None),
    ],
)
def test_the_turned_card_is_public(events: list[Json], face_up: list[Json], turned: str | None):
    done = hand(events, options=THREE)
    assert (done["face_up"], done["turned"]) == (face_up, turned)


@exercises("OH-3", "OH-V4", "OH-V5", "OH-Q2")
@pytest.mark.parametrize(
    ("options", "before", "events", "code", "text", "clauses"),
    [
        ({}, [], [turn_up("7H")], "turned-up", "The 7 of hearts was turned up: hearts are trump.", ["OH-3"]),
        ({}, [], [turn_up("?", "D")], "turned-up", "A card of diamonds was turned up: diamonds are trump.",
         ["OH-3", "OH-Q2"]),
        ({"trump": "fixed-order"}, [], [], "trump-in-order", "In this hand spades are trump.", ["OH-3", "OH-V4"]),
        ({"trump": "fixed-order"}, [3, 2, 1, 2], [], "trump-in-order", "This hand has no trump.", ["OH-3", "OH-V4"]),
        ({"trump": "none"}, [], [], "no-trump", "This hand has no trump.", ["OH-3", "OH-V5"]),
        ({"largest": 17}, [], [turn_up("7H")], "turned-up", "The 7 of hearts was turned up: hearts are trump.",
         ["OH-3"]),
    ],
)  # fmt: skip
def test_why_a_suit_is_trump(options, before, events, code, text, clauses):
    hands = [quick(size, dealer=(2 + number) % 3) for number, size in enumerate(before)]
    opening = oh(*hands, events, options=THREE | options)["hands"][-1]["opening"]
    assert (opening["code"], opening["text"], opening["clauses"]) == (code, text, clauses)


@exercises("OH-3", "OH-Q3")
def test_why_a_hand_has_no_trump():
    opening = hand(players=4, options={"largest": 13})["opening"]
    assert (opening["code"], opening["clauses"]) == ("no-card-left", ["OH-3"])
    assert hand(options=THREE)["opening"] is None
    assert hand(SKIPPED, options=THREE)["opening"] is None
    assert hand(opened(), options=THREE)["has_trump"] is True
    assert hand(SKIPPED, options=THREE)["has_trump"] is False
    assert hand(SKIPPED, trick(0, trump="S"), options=THREE)["has_trump"] is True
    assert hand(options=THREE | {"trump": "none"})["has_trump"] is False


@exercises("OH-2", "OH-Q5", "OH-Q6")
def test_the_course_and_the_hands_place_in_it_are_shown():
    answer = oh(options=THREE)
    assert (answer["course"], answer["next"]["hand_size"]) == ([3, 2, 1, 2, 3], [3] * 3)
    assert len(oh()["course"]) == 19
    hands = [quick(2), [{"type": "redeal"}], quick(1, dealer=0), quick(2, dealer=1), []]
    answer = oh(*hands, options={"largest": 2}, end={"kind": "open"})
    assert [each["hand_of_course"] for each in answer["hands"]] == [1, 2, 2, 3, 1]


@exercises("OH-3", "OH-Q2", "OH-Q3")
def test_the_turned_card_is_requested_first():
    card, suit, bid = asked()
    assert [ask.event for ask in (card, suit, bid)] == ["turn-up", "turn-up", "bid"]
    assert (card.seats, suit.seats, bid.seats) == ((), (), (0,))
    assert [field.name for field in card.fields] == ["card"]
    assert len(card.fields[0].choices) == 52
    assert (dict(suit.fixed), set(suit.fields[0].choices)) == ({"card": "?"}, set("SHDC"))


@exercises("OH-4", "OH-V7")
def test_simultaneous_bids_are_asked_of_everyone_in_secret():
    (bid,) = asked(turn_up("2H"), *bids("1:1"), bidding="together")
    assert (bid.seats, bid.secret, bid.fields[0].struck) == ((0, 2), True, ())
    assert asked(bidding="together")[-1].secret
    assert not asked(turn_up("2H"))[0].secret


# --- What a hand would have been under other house rules (REC-22)

HELL = turn_up("2H")


@exercises("OH-V4", "OH-V5", "OH-V7", "OH-V8", "OH-V11", "OH-5", "OH-2")
def test_a_what_if_rescores_bids_and_explains_another_course():
    done = [HELL, *bids("1:0 2:3 0:6"), result(7, 0, 3)]

    def other(**now: Any) -> Json:
        return hand_as_it_lay(done, game="oh-hell", dealer=0, now=now)

    assert other(scoring="difference")["unknown"] is None, "A result tells all that it needs."
    assert other(trump="none")["unknown"]["code"] == "known-by-result"
    assert other(scoring="difference")["scores"] == {"then": [0, 10, 13], "now": [-1, 10, 13]}
    assert other(zero="five")["scores"]["now"] == [0, 5, 13]
    assert [note["code"] for note in other(course="up")["notes"]] == ["dealt-otherwise"]
    assert "5" in other(largest=5)["notes"][0]["text"]
    assert other(twice_one=True)["notes"] == []
    assert not other(bidding="together")["changed"]
    hooked = hand_as_it_lay(
        HELL, bids("1:0 2:3 0:7"), game="oh-hell", dealer=0, options={"hook": False}, now={"hook": True}
    )  # fmt: skip
    assert irregular_now(hooked) == [("forbidden-bid", 0)]


@exercises("OH-8", "OH-V5", "OH-Q3")
def test_a_what_if_uses_another_trump_and_judges_nothing_without_one():
    cards = [HELL, *bids("1:0 2:3 0:6"), *plays("1:KS 2:QS 0:3H")]
    only = hand_as_it_lay(cards, game="oh-hell", dealer=0, now={"trump": "none"})
    assert (winners_as_it_lay(only, "then"), winners_as_it_lay(only, "now")) == ([0], [1])
    assert (
        hand_as_it_lay(cards, game="oh-hell", dealer=0, now={"trump": "fixed-order"})["tricks"][0]["now"]["trump"]
        == "S"
    )
    plain = hand_as_it_lay(cards[1:], game="oh-hell", dealer=0, options={"trump": "none"}, now={"trump": "turned"})
    assert (plain["judged"], plain["unscored"]["clauses"][0]) == (False, "OH-Q3")
