"""`make slow MINUTES=5`: climb from random records of every game to the one that takes longest to judge.

A record is repeated, cut, mixed with others and marked `accepted`, and kept if that takes more CPU time. The deadline
must end judging that takes longer: that is the bound, and it must hold.
"""

import json
import sys
from collections.abc import Iterator
from copy import deepcopy
from dataclasses import dataclass, field
from random import Random, SystemRandom
from time import monotonic, thread_time
from typing import Any

from referee.engine.adjudication import adjudicate
from referee.engine.records import load_record
from referee.engine.replaying import TooCostly, deadline
from referee.engine.rules import Refused
from tests.games.discovery import RANDOM
from tests.referee.worst import WORST

Json = dict[str, Any]
SECONDS_TO_JUDGE = 5
"""The default deadline."""
SLACK = 1.5
"""Seconds beyond the deadline that reading the body, the last check of the clock and writing the answer may take."""
LARGEST = 2_000_000
"""The largest body the service accepts, in bytes."""
KEPT = 12


@dataclass(order=True)
class Judged:
    """A record, and how long it took to read, judge and describe; ``ended`` by the deadline."""

    seconds: float
    data: Json = field(compare=False)
    ended: bool = field(compare=False)

    def __str__(self) -> str:
        events = sum(len(hand.get("events", ())) for hand in self.data["hands"])
        how = ", ended by the deadline" if self.ended else ""
        return (
            f"{self.seconds:.2f} s{how}: {self.data['game']}, {len(self.data['hands'])} hands, {events} events, "
            f"{len(json.dumps(self.data)):,} bytes, options {self.data.get('options')}"
        )


def judged(data: Json, seconds: float = SECONDS_TO_JUDGE) -> Judged | None:
    """Judge a record as a request is judged; ``None`` where it is refused."""
    began = thread_time()
    watch = deadline(thread_time, seconds)
    try:
        json.dumps(adjudicate(load_record(data, watch=watch), watch))
    except TooCostly:
        return Judged(thread_time() - began, data, ended=True)
    except Refused:
        return None
    return Judged(thread_time() - began, data, ended=False)


def climb(rng: Random, seconds: float = SECONDS_TO_JUDGE) -> Iterator[tuple[Judged, Judged | None]]:
    """Yield the worst record so far and the one just tried, endlessly; starts with known bad ones."""
    known = [make(size) for make, size in WORST.values()] + [RANDOM[game](rng) for game in RANDOM for _ in range(3)]
    best = sorted(filter(None, (judged(data, seconds) for data in known)), reverse=True)
    while True:
        one = rng.choice(best[:KEPT])
        data = mutated(rng, one.data, rng.choice(best[:KEPT]).data)
        tried = judged(data, seconds) if len(json.dumps(data)) < LARGEST else None
        if tried and tried.seconds > best[min(KEPT, len(best)) - 1].seconds:
            best = sorted([*best, tried], reverse=True)[: 2 * KEPT]
        if rng.random() < 0.05:
            fresh = judged(RANDOM[rng.choice(tuple(RANDOM))](rng), seconds)
            best = best[:KEPT] + ([fresh] if fresh else [])
        yield best[0], tried


def mutated(rng: Random, data: Json, other: Json) -> Json:
    """Return a record made longer, shorter or different so that it may still be judged."""
    data = deepcopy(data)
    hands = data["hands"] or [{"events": []}]
    hand = rng.choice(hands)
    events = hand.setdefault("events", [])
    at, to = sorted(rng.randrange(len(events) + 1) for _ in range(2))
    times = rng.choice((1, 2, 3, 10, 50))
    match rng.randrange(8):
        case 0:
            events[to:to] = deepcopy(events[at:to]) * times
        case 1:
            data["hands"] = hands + deepcopy(hands) * times
        case 2:
            del events[at:to]
        case 3:
            for event in events[at:to]:
                event["accepted"] = True
        case 4 if other["game"] == data["game"] and other["hands"]:
            data["hands"] = [*hands, *deepcopy(rng.choices(other["hands"], k=times))]
        case 5:
            events += [{"type": "pass", "seat": rng.randrange(len(data["seats"])), "accepted": True}] * times
        case 6:
            hand.pop("known", None)
        case _:
            rng.shuffle(events)
    return data


def main(minutes: float, seed: int) -> int:
    """Climb for this many minutes; return 1 if something took longer than the deadline allows."""
    until, shown, tries = monotonic() + 60 * minutes, 0.0, 0
    for worst, _tried in climb(Random(seed)):
        tries += 1
        if worst.seconds > 1.1 * shown:
            shown = worst.seconds
            print(worst, flush=True)
        if monotonic() >= until or worst.seconds > SECONDS_TO_JUDGE + SLACK:
            break
    print(f"{tries:,} records were tried. The slowest: {worst}")
    return int(worst.seconds > SECONDS_TO_JUDGE + SLACK)


if __name__ == "__main__":
    given = sys.argv[2:] or [str(SystemRandom().randrange(10**9))]
    sys.exit(main(float(sys.argv[1]) if len(sys.argv) > 1 else 5.0, int(given[0])))
