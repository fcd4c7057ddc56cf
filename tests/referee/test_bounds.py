"""What one record may hold, and how long judging it may take."""

from itertools import count

import pytest

from referee.engine.adjudication import adjudicate, describe_hand
from referee.engine.bounds import STEP, TooCostly, deadline, extra_size, no_watch
from referee.engine.options import Refused
from referee.engine.records import load_record, replay

SEATS = ["Ann", "Bob", "Cy"]
HEAD = {"game": "ace-trump", "seats": SEATS, "first_dealer": 2}
NOTE = {"type": "note", "text": "hm"}
PENALTY = {"type": "penalty", "seat": 0, "points": -1}
TRANSFER = {"type": "transfer", "from_seat": 0, "to_seat": 1, "tricks": 1}
PASS = {"type": "pass", "seat": 0}


def told(*hands, **more):
    return HEAD | {"hands": [{"events": list(events)} for events in hands]} | more


FULL = {
    "events of a hand": told([PASS] * 2_000),
    "events of a record": told(*[[PASS] * 2_000] * 10),
    "hands": told(*[[]] * 2_000),
    "settlements": told([PENALTY] * 150 + [TRANSFER] * 150),
    "notes": told([NOTE] * 200),
    "own keys of the record": told(x_a="a" * 63_992),
    "own keys of events": told([NOTE | {"x_b": "b" * 31_992}], [NOTE | {"x_b": "b" * 31_992}]),
    "what it states of its scores": told([], x_totals=[0] * 40_000),
}
OVERFULL = {
    "events of a hand": (told([], [PASS] * 2_001), "too-many-events", "/hands/1/events"),
    "events of a record": (told(*[[PASS] * 2_000] * 10, [PASS]), "too-many-events", "/hands/10/events"),
    "hands": (told(*[[]] * 2_001), "too-many-hands", "/hands"),
    "penalties": (told([PENALTY] * 301), "too-many-settlements", "/hands/0/events"),
    "settlements": (told([PENALTY] * 151 + [TRANSFER] * 150), "too-many-settlements", "/hands/0/events"),
    "notes": (told([NOTE] * 201), "too-many-notes", "/hands/0/events"),
    "own keys of the record": (told(x_a="a" * 63_993), "too-much-extra", ""),
    "own keys of a hand": (HEAD | {"hands": [{"events": [], "x_a": "a" * 64_000}]}, "too-much-extra", ""),
    "own keys of events": (told([NOTE | {"x_b": "b" * 400}] * 160), "too-much-extra", ""),
    "letters of several bytes": (told(x_a="ß" * 32_000), "too-much-extra", ""),
}


@pytest.mark.parametrize("data", FULL.values(), ids=FULL)
def test_a_record_may_be_full(data):
    load_record(data)


@pytest.mark.parametrize(("data", "code", "pointer"), OVERFULL.values(), ids=OVERFULL)
def test_an_overfull_record_is_refused_with_a_sentence(data, code, pointer):
    with pytest.raises(Refused) as why:
        load_record(data)
    assert not why.value.malformed
    assert [(problem.pointer, problem.code) for problem in why.value.problems] == [(pointer, code)]
    assert why.value.problems[0].detail.endswith(".")


def test_a_refusal_says_no_more_than_anybody_reads():
    for options in ({f"o{number}": 1 for number in range(60_000)}, {"ties": 7}):
        with pytest.raises(Refused) as why:
            load_record(HEAD | {"options": options})
        assert len(why.value.problems) <= 20
        assert len(str(why.value)) < 20_000
    cards = ["no card"] * 60_000
    with pytest.raises(Refused) as why:
        replay(load_record(HEAD | {"hands": [{"events": [], "known": {"0": cards}}]}))
    assert len(why.value.problems) == 20


def test_own_keys_are_measured_as_they_are_written():
    assert extra_size(None) == extra_size({}) == extra_size({"x_scores": [1, 2, 3]}) == 0
    assert extra_size({"x_a": 1}) == len('"x_a":1')
    assert extra_size({"x_a": "ü", "x_b": [1, 2]}) == len('"x_a":"ü","x_b":[1,2]'.encode())


def test_judging_stops_at_its_deadline():
    ticks = count()
    with pytest.raises(TooCostly) as why:
        adjudicate(load_record(told([NOTE] * 200, *[[{"type": "redeal"}]] * 9)), deadline(lambda: next(ticks), 3))
    assert why.value.problems[0].code == "too-costly"
    assert next(ticks) == 5


@pytest.mark.parametrize("hands", [1, 7])
def test_the_clock_is_looked_at_now_and_then(hands):
    looks = []
    adjudicate(load_record(told(*[[NOTE] * (2 * STEP + 1) + [{"type": "redeal"}]] * hands)), lambda: looks.append(1))
    assert len(looks) == 4 * hands


def test_reading_looks_at_the_clock_at_every_hand():
    looks = []
    load_record(told([NOTE], [NOTE], [NOTE]), watch=lambda: looks.append(1))
    assert len(looks) == 3


def test_a_hand_is_described_with_a_look_at_the_clock_for_every_irregularity():
    judged = replay(load_record(told([{"type": "play", "seat": 2, "cards": ["AS"], "accepted": True}])))
    (hand,) = judged.hands
    assert len(hand.irregularities) == 1
    looks = []
    describe_hand(hand, SEATS, judged.table, watch=lambda: looks.append(1))
    assert len(looks) == 2
    with pytest.raises(TooCostly):
        describe_hand(hand, SEATS, watch=deadline(iter((0, 1, 5)).__next__, 2))


def test_without_a_deadline_judging_takes_as_long_as_it_takes():
    assert deadline(iter([]).__next__, 0) is no_watch
