"""Limits on the size and cost of a record, and on slow judging."""

import json
from collections.abc import Callable, Iterator
from itertools import count
from random import Random
from typing import Any

import pytest

from referee.engine.adjudication import adjudicate, describe_hand
from referee.engine.records import Record, dump_record, load_record, opened, replay
from referee.engine.replaying import STEP, TooCostly, deadline, extra_size, known_masks, no_watch
from referee.engine.rules import Refused
from referee.engine.rulings import Refusal
from referee.engine.snapshot import Saved, load_table, save_table
from referee.engine.table import TableState, deal, judge
from referee.notation import read_text, write_sheet, write_text
from tests.games.discovery import RANDOM
from tests.referee.telling import NAMES, REDEAL, Json, plays, told, transfer
from tests.referee.worst import REFUSED, WORST
from tests.seeds import FIRST, as_often_as
from tests.work import growth

# --- Limits on a record's size and on the time to judge it

NOTE = {"type": "note", "text": "hm"}
PENALTY = {"type": "penalty", "seat": 0, "points": -1}
TRANSFER = transfer(0, 1, 1)
PASS = {"type": "pass", "seat": 0}
EMPTY: Json = {"events": []}


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
    "own keys of a hand": (told(EMPTY | {"x_a": "a" * 64_000}), "too-much-extra", ""),
    "own keys of events": (told([NOTE | {"x_b": "b" * 400}] * 160), "too-much-extra", ""),
    "letters of several bytes": (told(x_a="ß" * 32_000), "too-much-extra", ""),
}


@pytest.mark.parametrize("data", FULL.values(), ids=FULL)
def test_a_record_may_reach_its_limit(data):
    load_record(data)


@pytest.mark.parametrize(("data", "code", "pointer"), OVERFULL.values(), ids=OVERFULL)
def test_an_overfull_record_is_refused_with_a_sentence(data, code, pointer):
    with pytest.raises(Refused) as why:
        load_record(data)
    assert not why.value.malformed
    assert [(problem.pointer, problem.code) for problem in why.value.problems] == [(pointer, code)]
    assert why.value.problems[0].detail.endswith(".")


@pytest.mark.parametrize(
    ("data", "listed"),
    [
        (told(options={f"o{number}": 1 for number in range(60_000)}), 20),
        (told(options={"ties": 7}), 1),
        (told([{"type": "shout"}] * 1000), 20),
        (told(EMPTY | {"known": {"0": ["no card"] * 60_000}}), 20),
    ],
    ids=["unknown options", "a wrong option", "unknown events", "unknown cards"],
)
def test_a_refusal_lists_a_limited_number_of_problems(data, listed):
    with pytest.raises(Refused) as why:
        replay(load_record(data))
    assert len(why.value.problems) == listed
    assert len(str(why.value)) < 20_000


def test_custom_keys_are_measured_as_written():
    assert extra_size(None) == extra_size({}) == extra_size({"x_scores": [1, 2, 3]}) == 0
    assert extra_size({"x_a": 1}) == len('"x_a":1')
    assert extra_size({"x_a": "ü", "x_b": [1, 2]}) == len('"x_a":"ü","x_b":[1,2]'.encode())


def test_judging_stops_at_its_deadline():
    ticks = count()
    with pytest.raises(TooCostly) as why:
        adjudicate(load_record(told([NOTE] * 200, *[[REDEAL]] * 9)), deadline(lambda: next(ticks), 3))
    assert why.value.problems[0].code == "too-costly"
    assert next(ticks) == 5


@pytest.mark.parametrize("hands", [1, 7])
def test_the_clock_is_checked_periodically(hands):
    looks = []
    adjudicate(load_record(told(*[[NOTE] * (2 * STEP + 1) + [REDEAL]] * hands)), lambda: looks.append(1))
    assert len(looks) == 4 * hands


def test_reading_checks_the_deadline_at_every_hand():
    looks = []
    load_record(told([NOTE], [NOTE], [NOTE]), watch=lambda: looks.append(1))
    assert len(looks) == 3


def test_describing_a_hand_checks_the_deadline_at_every_irregularity():
    judged = replay(load_record(told(plays("2:AS!"))))
    (hand,) = judged.hands
    assert len(hand.irregularities) == 1
    looks = []
    describe_hand(hand, NAMES, judged.table, watch=lambda: looks.append(1))
    assert len(looks) == 2
    with pytest.raises(TooCostly):
        describe_hand(hand, NAMES, watch=deadline(iter((0, 1, 5)).__next__, 2))


def test_without_a_deadline_judging_is_never_cut_off():
    assert deadline(iter([]).__next__, 0) is no_watch


# --- A record's cost grows linearly with its events, whatever they are
# Work is counted, not timed. Twice the record may take twice the work, and a little more for longer texts.

TWICE = 2.2


def event_by_event(record: Record) -> TableState:
    """Judge as a table does: event by event, saving each state as text, with ends and totals."""
    table = opened(record)
    saved: Saved | None = None
    for hand in record.hands:
        dealt = deal(table, known_masks(table.rules.pack, hand.known))
        assert not isinstance(dealt, Refusal) or not hand.events
        table = table if isinstance(dealt, Refusal) else dealt
        for event in hand.events:
            ruling = judge(table, event)
            assert ruling.verdict == "accepted"
            table = ruling.table
            saved = save_table(table, saved)
            assert table.finished() is not None
            assert table.totals()
    return table


def loaded_and_saved(record: Record) -> None:
    table = replay(record).table
    load_table(record.rules, json.loads(save_table(table).text))


def by_text(record: Record) -> None:
    """Write a record as text with its score sheet and comments, and read it back."""
    write_sheet(record)
    read_text(write_text(record, annotate=True))


WAYS: dict[str, Callable[[Record], object]] = {
    "read": lambda record: load_record(dump_record(record)),
    "whole": replay,
    "described": adjudicate,
    "event by event": event_by_event,
    "saved": loaded_and_saved,
    "text": by_text,
}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("worst", WORST)
def test_cost_is_linear_in_record_size(worst: str, way: str):
    make, size = WORST[worst]
    small, large = load_record(make(size)), load_record(make(2 * size))
    assert growth(WAYS[way], small, large) < TWICE


@pytest.mark.parametrize("worst", REFUSED)
def test_cost_is_linear_in_the_number_of_mistakes(worst: str):
    def refused(data: dict[str, Any]) -> None:
        with pytest.raises(Refused) as why:
            replay(load_record(data))
        assert str(why.value)

    make = REFUSED[worst]
    if worst == "cards of a play":
        assert growth(lambda data: replay(load_record(data)), make(200), make(400)) < TWICE
    else:
        assert growth(refused, make(200), make(400)) < TWICE


# --- The search for slow records: every repeatable event costs the same each time

SEEDS = as_often_as(always=6, hunting=20, quick=2)
OFTEN = 40


@pytest.mark.smoke
@pytest.mark.parametrize("game", RANDOM)
def test_repeated_acts_have_constant_cost(game: str):
    for seed in range(FIRST, FIRST + SEEDS):
        rng = Random(seed)
        data = RANDOM[game](rng)
        for event in endless(data, rng):
            small, large = (load_record(repeated(data, event, times)) for times in (OFTEN, 2 * OFTEN))
            for way in (adjudicate, event_by_event):
                assert growth(way, small, large) < TWICE, f"{game}, seed {seed}: {way.__name__} of {event}"


def endless(data: Json, rng: Random) -> Iterator[Json]:
    """Cut a record short, and yield an event of each kind that can then be repeated forever."""
    hands = [number for number, hand in enumerate(data["hands"]) if hand["events"]]
    if not hands or taken(data) is None:
        return
    last = rng.choice(hands)
    data["hands"] = json.loads(json.dumps(data["hands"][: last + 1]))
    events = data["hands"][last]["events"]
    del events[rng.randint(1, len(events)) :]
    judged = taken(data)
    if judged is None:
        return
    seats = range(len(data["seats"]))
    own: list[Json] = [{"type": "note", "text": "hm"}]
    for seat in seats:
        own += [{"type": "pass", "seat": seat}, {"type": "penalty", "seat": seat, "points": 1}]
        own += [{"type": "bid", "seat": seat, "tricks": 1}, {"type": "trick", "winner": seat}]
    found = set()
    for event in [*own, *events]:
        insisting = event | {"accepted": True}
        if event["type"] not in found and taken(repeated(data, insisting, 2 * OFTEN)) is not None:
            found.add(event["type"])
            yield insisting


def repeated(data: Json, event: Json, times: int) -> Json:
    *before, last = data["hands"]
    return data | {"hands": [*before, last | {"events": last["events"] + [event] * times}]}


def taken(data: Json) -> Record | None:
    try:
        record = load_record(data)
        return record if replay(record).rejected is None else None
    except Refused:
        return None
