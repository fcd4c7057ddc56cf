"""The search for slow records: whatever a random hand takes again and again costs as much each time."""

import json
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from referee.engine.adjudication import adjudicate
from referee.engine.options import Refused
from referee.engine.records import Record, load_record, replay
from tests.games.discovery import RANDOM
from tests.referee.test_cost import TWICE, event_by_event
from tests.seeds import FIRST, as_often_as
from tests.work import growth

Json = dict[str, Any]
SEEDS = as_often_as(always=6, hunting=20)
OFTEN = 40


@pytest.mark.parametrize("game", RANDOM)
def test_what_can_happen_again_and_again_costs_as_much_each_time(game: str):
    for seed in range(FIRST, FIRST + SEEDS):
        rng = Random(seed)
        data = RANDOM[game](rng)
        for event in endless(data, rng):
            small, large = (load_record(repeated(data, event, times)) for times in (OFTEN, 2 * OFTEN))
            for way in (adjudicate, event_by_event):
                assert growth(way, small, large) < TWICE, f"{game}, seed {seed}: {way.__name__} of {event}"


def endless(data: Json, rng: Random) -> Iterator[Json]:
    """Cut a record short somewhere, and yield an event of each kind that can then happen again and again."""
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
    """Return the record with an event that happens so many times at its end."""
    *before, last = data["hands"]
    return data | {"hands": [*before, last | {"events": last["events"] + [event] * times}]}


def taken(data: Json) -> Record | None:
    """Return a record that is taken to its end."""
    try:
        record = load_record(data)
        return record if replay(record).rejected is None else None
    except Refused:
        return None
