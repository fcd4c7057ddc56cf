"""What others lost by a revoke beside what is given up for it, as the cards lay (IR-6)."""

from random import Random
from typing import Any

import pytest

from referee.engine.adjudication import describe_findings
from referee.engine.guided import Owed
from referee.engine.options import Refused
from referee.engine.records import load_record, replay
from referee.engine.rulings import Reason
from referee.tricks.equity import equity, made_good
from referee.tricks.hand import TrickHand
from tests.games.discovery import RANDOM
from tests.referee.telling import exercises, judged_record, penalty, plays, result, told
from tests.seeds import FIRST, as_often_as

TRICKS = tuple(game for game in RANDOM if game not in ("american-deuce", "ace-pit"))
SEEDS = as_often_as(always=40, hunting=400)
HARM = plays("0:6MW 1:AM 0:4YK 1:3SK 0:8WL 1:XL 1:XM 0:AW 0:2WL 1:9LK 0:XK 1:XY 0:AY 1:6SY 1:XW 0:9MS 1:XS 0:3LY")
"""Ann holds a 9 of Moons and Suns, and trumps the fourth trick with an Ace: it costs Bob more than two tricks."""


def weighed(events: list[Any], *, number: int = 0, **more: Any) -> Owed | Reason:
    """Return what a finding of the only hand comes to."""
    record = load_record(told(events, **more))
    (hand,) = replay(record).hands
    assert isinstance(hand, TrickHand)
    return equity(hand, hand.irregularities[number], record.hands[0].events)


def code(found: Owed | Reason) -> str:
    """Return what it comes to, by its code."""
    return found.code if isinstance(found, Reason) else found.reason.code


@exercises("IR-6")
def test_an_ace_that_trumped_a_lead_cost_the_others_more_than_two_tricks():
    owed = weighed(HARM, players=2)
    assert isinstance(owed, Owed)
    assert (owed.played, owed.repaired, owed.lawful, owed.better) == ((6, 3), (4, 5), (3, 6), (3, 6))
    assert owed.reason.sentence(("Ann", "Bob")) == (
        "Had Ann followed suit, as the cards lay, Bob would have scored 6. Giving up tricks makes that only 5."
    )


@exercises("IR-6")
def test_what_was_given_up_already_is_not_made_good_twice():
    record = load_record(told(HARM, players=2))
    (hand,) = replay(record).hands
    events = made_good(hand_of(hand), hand.irregularities[0], record.hands[0].events, "")
    assert [(event.seat, event.points) for event in events] == [(0, -3), (1, 3)]  # type: ignore[union-attr]  # penalties
    given = [*HARM, {"type": "transfer", "from_seat": 0, "to_seat": 1, "tricks": 2, "x_settles": [0, 7]}]
    record = load_record(told(given, players=2))
    (hand,) = replay(record).hands
    events = made_good(hand_of(hand), hand.irregularities[0], record.hands[0].events, "")
    assert [(event.seat, event.points) for event in events] == [(0, -1), (1, 1)]  # type: ignore[union-attr]  # penalties


def hand_of(hand: object) -> TrickHand:
    """Return a hand as one of a game of tricks."""
    assert isinstance(hand, TrickHand)
    return hand


@exercises("IR-6")
def test_where_another_card_would_have_been_led_nobody_can_know():
    # Ann leads the 9 later: had she played it before, something else would have been led
    led = [*HARM[:-4], *plays("1:XW 0:XS 1:3LY 0:9MS")]
    assert code(weighed(led, players=2)) == "equity-unknown"


def test_what_was_not_seen_cannot_be_weighed():
    assert code(weighed([*HARM[:16], result(5, 4)], players=2)) == "equity-unseen"
    assert code(weighed(HARM[:16], players=2)) == "equity-at-end"


def test_points_that_the_table_moved_are_no_part_of_how_the_cards_lay():
    owed = weighed([*HARM, penalty(1, 7)], players=2)
    assert isinstance(owed, Owed)
    assert (owed.played, owed.lawful) == ((6, 3), (3, 6))


@pytest.mark.parametrize("game", TRICKS)
def test_the_better_result_is_never_worse_for_the_others_nor_better_for_the_offender(game: str):
    for seed in range(FIRST, FIRST + SEEDS):
        try:
            record = load_record(RANDOM[game](Random(seed)))
            judged = replay(record)
        except Refused:
            continue
        for hand, written in zip(judged.hands, record.hands, strict=False):
            for found in hand.irregularities:
                owed = equity(hand_of(hand), found, written.events[: hand.events])
                if isinstance(owed, Reason):
                    continue
                side = record.rules.sides[owed.offender]
                for seat in range(record.rules.players):
                    worse, better = (owed.better, owed.repaired) if seat in side else (owed.repaired, owed.better)
                    assert worse[seat] <= better[seat], (seed, seat)
                assert bool(owed.harmed) == (owed.better != owed.repaired) or not owed.harmed


def test_the_record_of_the_example_says_what_is_told_of_it():
    said = judged_record(told(HARM, players=2))
    (finding,) = said["hands"][0]["irregularities"]
    assert (finding["code"], finding["certainty"], finding["trick"], finding["proved_by"]) == (
        "revoke", "proved", 4, [[0, 15]],
    )  # fmt: skip


@exercises("IR-6")
def test_what_giving_up_tricks_does_not_make_good_is_a_remedy_beside_it():
    record = load_record(told(HARM, players=2))
    judged = replay(record)
    (hand,), events = judged.hands, record.hands[0].events
    known, unknown = (
        {
            each["code"]: each
            for each in describe_findings(hand, ("Ann", "Bob"), judged.table, events=told_of)[0]["remedies"]
        }
        for told_of in (events, None)
    )
    assert "equity" not in unknown  # it takes the whole hand to say what it cost
    assert [*known][2:4] == ["bridge", "equity"]
    assert known["equity"]["text"].endswith("Bob would have scored 6. Giving up tricks makes that only 5.")
    assert known["equity"]["effect"]["totals"] == {"before": [6, 3], "after": [3, 6]}  # type: ignore[index]  # it has one
    assert [event["x_settles"] for event in known["equity"]["events"]] == [[0, 7]] * 2  # type: ignore[union-attr]  # it has some
