"""What others lost by a revoke beyond the tricks given up for it, given the actual cards (IR-6)."""

from collections.abc import Sequence
from typing import Any

import pytest

from referee.engine.adjudication import describe_findings
from referee.engine.event_kinds import Event
from referee.engine.records import load_record, replay
from referee.engine.remedied import Owed
from referee.engine.rulings import Reason
from referee.tricks.bridge import equity, laid_out, lawful_courses
from referee.tricks.hand import TrickHand
from tests.games.discovery import RANDOM
from tests.referee.random_tables import replayed
from tests.referee.telling import exercises, penalty, plays, result, told, transfer, trick
from tests.seeds import as_often_as

TRICKS = tuple(game for game in RANDOM if game not in ("american-deuce", "ace-pit", "any-game"))
SEEDS = as_often_as(always=40, hunting=400, quick=14)
HARM = [*[trick(1, trump=None)] * 8, *plays("1:XS 2:4MS 0:XM 1:6MW 2:2MK 0:7ML 0:6LK 1:4YK 2:9LK 2:5YK 0:6SY 1:XW")]
"""Ann holds back the Market when the Bard is led, and wins the last trick with it, before Cy: her trick goes to Bob."""
TRUMPED = plays("0:6MW 1:AM 0:4YK 1:3SK 0:8WL 1:XL 1:XM 0:AW 0:2WL 1:9LK 0:XK 1:XY 0:AY 1:6SY 1:XW 0:9MS 1:XS 0:3LY")
"""Ann trumps the fourth trick with an Ace, and leads the next, although she holds a 9 of Moons and Suns."""


def only_hand(events: list[Any], **more: Any) -> tuple[TrickHand, Sequence[Event]]:
    record = load_record(told(events, **more))
    (hand,) = replay(record).hands
    assert isinstance(hand, TrickHand)
    return hand, record.hands[0].events


def weighed(events: list[Any], **more: Any) -> Owed | Reason:
    """Return the equity of the only hand's finding."""
    hand, written = only_hand(events, **more)
    return equity(hand, hand.irregularities[0], written)


def code(found: Owed | Reason) -> str:
    return found.code if isinstance(found, Reason) else found.reason.code


@exercises("IR-6")
@pytest.mark.parametrize(
    ("given", "left"),
    [([], [(0, -1), (1, 1), (2, 1)]), ([transfer(0, 1, 1) | {"x_settles": [0, 10]}], [(2, 1)])],
    ids=["nothing was given", "a trick was given up"],
)
def test_compensation_is_not_given_twice(given: list[Any], left: list[tuple[int, int]]):
    hand, events = only_hand([*HARM, *given])
    made_good = hand.make_good(hand.irregularities[0], events, "")
    assert [(event.seat, event.points) for event in made_good] == left  # type: ignore[union-attr]  # penalties


@exercises("IR-6")
def test_losses_are_unknown_where_the_lead_would_have_changed():
    # with the Pact on the Huntress, Bob would have led the fifth trick
    assert code(weighed(TRUMPED, players=2)) == "equity-unknown"
    # Ann leads the Market later: had she played it before, something else would have been led
    led = [*HARM[:8], *plays("1:XS 2:4MS 0:XM 1:6MW 2:2MK 0:7ML 0:6SY 1:4YK 2:5YK 0:6LK 1:XW 2:9LK")]
    assert code(weighed(led)) == "equity-unknown"


def test_losses_need_known_cards_and_ignore_moved_points():
    assert code(weighed([*TRUMPED[:16], result(5, 4)], players=2)) == "equity-unseen"
    assert code(weighed(TRUMPED[:16], players=2)) == "equity-at-end"
    owed = weighed([*HARM, penalty(1, 7)])
    assert isinstance(owed, Owed)
    assert (owed.played, owed.lawful) == ((2, 9, 1), (1, 9, 2))


@pytest.mark.parametrize("game", TRICKS)
def test_losses_are_numbers_if_the_leads_are_unchanged(game: str):
    for seed, record, judged in replayed(game, SEEDS):
        for played, written in zip(judged.hands, record.hands, strict=False):
            assert isinstance(played, TrickHand)
            hand, events = played, written.events[: played.events]
            for found in hand.irregularities:
                owed = equity(hand, found, events)
                if isinstance(owed, Reason):
                    continue
                side = record.rules.sides[owed.offender]
                for seat in range(record.rules.players):
                    worse, better = (owed.better, owed.repaired) if seat in side else (owed.repaired, owed.better)
                    worth = record.rules.worth
                    assert worth(worse[seat]) <= worth(better[seat]), (seed, seat)
                assert owed.better != owed.repaired or not owed.harmed
                base = laid_out(hand, events)
                assert base is not None
                for course in lawful_courses(hand, found, events):
                    lawful = laid_out(hand, course)
                    assert lawful is not None
                    leads = [taken.winner for taken in lawful.taken[:-1]]
                    assert leads == [taken.winner for taken in base.taken[:-1]], (seed, found.event)


@exercises("IR-6")
def test_compensation_is_offered_beside_the_tricks_given_up():
    record = load_record(told(HARM))
    judged = replay(record)
    (hand,), names = judged.hands, ("Ann", "Bob", "Cy")
    (unknown,) = describe_findings(hand, names, judged.table)
    assert "equity" not in [each["code"] for each in unknown["remedies"]], "it takes the whole hand to say what it cost"
    (finding,) = describe_findings(hand, names, judged.table, events=record.hands[0].events)
    assert (finding["code"], finding["trick"], finding["proved_by"]) == ("revoke", 9, [[0, 18]])
    known = {each["code"]: each for each in finding["remedies"]}
    assert [*known][2:4] == ["bridge", "equity"]
    assert known["equity"]["text"].endswith("Cy would have scored 2. Giving up tricks makes it only 1.")
    assert known["equity"]["effect"]["totals"] == {"before": [2, 9, 1], "after": [1, 10, 2]}  # type: ignore[index]  # it has one
    assert [event["x_settles"] for event in known["equity"]["events"]] == [[0, 10]] * 3  # type: ignore[union-attr]  # it has some
