"""Writes random records: a draft grows event by event beside a naive referee.

The draft knows the referee's verdict on each event, so it can continue after mischief, and stops at a refused event
only on purpose.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import partial
from typing import Any

from tests.games.french.oracle import FrenchTable, Json
from tests.games.tricks.random_story import disguise, record_without_hands

STRANGE_CARDS = ("?", "1Z", "XX", "9S**", "", "11H", "AM", "joker")


class Draft:
    """A record being written, and the table it describes."""

    def __init__(self, rng: random.Random, table: FrenchTable, record: Json, mischief: float) -> None:
        self.rng = rng
        self.table = table
        self.record = record
        self.mischief = mischief
        self.may_stop = rng.random() < 0.45
        self.stopped = False
        self.events: list[Json] = []

    def chance(self, probability: float) -> bool:
        return self.rng.random() < probability

    def begin_hand(self, known: dict[str, list[str]]) -> Any:
        raw: Json = {"events": []}
        if known or self.chance(0.05):
            raw["known"] = known
        self.record["hands"].append(raw)
        self.events = raw["events"]
        return self.table.start_hand(known)

    def offer(self, event: Json) -> bool:
        """Add the event if it is accepted; if not, drop it, accept it as irregular, or rarely stop there."""
        if self.stopped:
            return False
        if self.chance(0.01):
            event["accepted"] = True
        verdict = self.table.apply(event)
        if verdict is None:
            self.events.append(event)
            return True
        if verdict[0] == "irregular" and self.chance(0.85):
            return self.offer({**event, "accepted": True})
        if self.may_stop and self.chance(0.5):
            self.events.append(event)
            self.stopped = True
        return False

    def offer_table_event(self) -> None:
        """A note, a penalty, a redeal, an end: events every game accepts at any time."""
        seats = len(self.record["seats"])
        seat, points = self.rng.randrange(seats), self.rng.choice([-50, -20, -10, -5, 3, 5, 10, 25, 0])
        fine: Json = {"type": "penalty", "seat": seat, "points": points, "reason": "agreed"}
        events: list[Json] = [
            {"type": "note", "text": "a remark"},
            {"type": "note", "text": "a remark", "seat": seat},
            fine,
            {**fine, "seat": self.rng.choice([seats, 9, -1])},
            {"type": "redeal", "reason": "agreed"},
            {"type": "end", "reason": "agreed"},
        ]
        self.offer(self.rng.choices(events, [8, 4, 8, 2, 1, 0.5])[0])

    def offer_foreign_event(self) -> None:
        """An event this game never accepts."""
        seats = len(self.record["seats"])
        seat = self.rng.randrange(seats)
        other = (seat + 1) % seats
        events: list[Json] = [
            {"type": "bid", "seat": seat, "tricks": 2},
            {"type": "trump", "seat": seat, "suit": "M"},
            {"type": "ransom", "seat": seat, "cards": ["XM"]},
            {"type": "ruling-card", "seat": seat, "cards": ["XM"]},
            {"type": "transfer", "from_seat": seat, "to_seat": other, "tricks": 1, "reason": "agreed"},
        ]
        self.offer(self.rng.choice(events))

    def add_epilogue(self) -> None:
        if not self.may_stop or not self.chance(0.3):
            return
        events: list[Json] = [
            {"type": "note", "text": "late"},
            {"type": "penalty", "seat": 0, "points": 5, "reason": "late"},
            {"type": "end", "reason": "late"},
            {"type": "redeal", "reason": "late"},
        ]
        self.record["hands"].append({"events": [self.rng.choice(events)]})


def told(draft: Draft, script: Callable[[Draft], Any], hands: int) -> Json:
    """Write this many hands, and leave the record as a table might."""
    for _ in range(hands):
        script(draft).write()
        if draft.stopped or draft.table.refusal():
            break
    draft.add_epilogue()
    if draft.chance(0.2):
        disguise(draft.record, partial(typed, draft.rng))
    return spoilt(draft.rng, draft.record) if draft.chance(0.03) else draft.record


def new_record(rng: random.Random, game: str, players: int, options: Json, end: Json | None) -> Json:
    """A record without hands."""
    record = record_without_hands(game, options, players, rng.randrange(players), end)
    if rng.random() < 0.15:
        record["carried"] = [rng.choice([0, 5, 40, -15, 120]) for _ in range(players)]
    return record


def typed(rng: random.Random, card: str) -> str:
    """The code as someone might type it."""
    if card.startswith("10") and rng.random() < 0.5:
        card = "T" + card[2:]
    return card.lower() if rng.random() < 0.5 else card


def spoilt(rng: random.Random, record: Json) -> Json:
    """A record with one part that makes it impossible as a whole."""
    parts: list[Json] = [
        {"options": {**record["options"], "no_such_option": True}},
        {"options": {**record["options"], "revoke": "forgive"}},
        {"seats": record["seats"][:1]},
        {"end": {"kind": "never"}},
        {"first_dealer": len(record["seats"])},
        {"carried": [0]},
        {"hands": [{"events": [], "known": {"0": ["9S"]}}]},
    ]
    return record | rng.choice(parts)
