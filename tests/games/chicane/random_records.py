"""Random records of Chicane, for comparing two adjudicators."""

from __future__ import annotations

from functools import partial
from random import Random
from typing import Any

from tests.games.chicane.oracle import VALUES, Hand, Table
from tests.games.decktet_tricks import random_story
from tests.games.decktet_tricks.oracle_cards import BASIC, SUITS
from tests.games.decktet_tricks.random_records import alias, random_carried, random_end
from tests.games.decktet_tricks.random_story import wrong_card, wrong_suit, wrong_trick
from tests.games.tricks.oracle_plain import Event
from tests.games.tricks.random_story import Hands, Mischief, record_without_hands, turn, wrong, wrong_anyhow

__all__ = ["HONEST", "Mischief", "honest_record", "random_record"]

HONEST = Mischief(liars=0, disorder=0, impossible=0, settlements=0, known=0, aliases=0, coarse=0, unfinished=0)
FOREIGN: list[Event] = [
    {"type": "pass", "seat": 0},
    {"type": "suit", "seat": 0, "suit": "S"},
    {"type": "ruling-card", "seat": 0, "cards": ["XM"]},
    {"type": "trump", "seat": 0, "suit": "M"},
    {"type": "bid", "seat": 0, "tricks": 1},
]


class Story(random_story.Story):
    """One table from the first deal on."""

    def __init__(self, rng: Random, mischief: Any, table: Any) -> None:
        super().__init__(rng, mischief, table)
        self.honest = mischief is HONEST

    def deal(self) -> None:
        deck, players = list(BASIC), self.table.players
        self.rng.shuffle(deck)
        self.hands = [deck[seat::players] for seat in range(players)]

    def draw_characters(self) -> None:
        super().draw_characters()
        self.inattention = 0 if self.honest else self.inattention

    def impossible_event(self) -> Event:
        makers = wrong_anyhow([wrong_card] * 2, [wrong_suit, wrong_call, wrong_call], [wrong_trick], FOREIGN)
        return wrong(self.rng, makers, self.hand, self.hands)

    def ordinary(self) -> Event:
        hand = self.hand
        if hand.phase() == "calling":
            return self.bid(hand.next_bidder()) if self.chance(self.coarseness / 5) else self.call()
        if hand.phase() == "play" and hand.open_trick() is None and not (hand.reading and hand.suit):
            return self.coarse("play")
        return super().ordinary()

    def call(self) -> Event:
        """The call that remains, or either of the two."""
        hand, rng = self.hand, self.rng
        seat = rng.choice([seat for seat in hand.seats if seat not in hand.callers])
        seat = seat if self.chance(self.disorder) else hand.caller()
        if hand.suit or (not hand.reading and self.chance(0.5)):
            return {"type": "call", "seat": seat, "reading": rng.choice(["top", "bottom"])}
        return {"type": "call", "seat": seat, "suit": rng.choice(SUITS)}

    def coarse(self, phase: str) -> Event:
        if None not in self.hand.bids:
            return super().coarse(phase)
        free = [seat for seat in self.hand.seats if self.hand.bids[seat] is None]
        return self.bid(self.rng.choice(free) if self.chance(self.disorder) else self.hand.next_bidder())

    def add_trump(self, event: Event, trump: str | None, *, known: bool) -> None:
        if self.hand.suit and self.chance(0.3):
            event["trump"] = self.hand.suit
        elif not self.hand.suit and self.chance(0.4):
            event["trump"] = self.rng.choice(SUITS)

    def close_trick(self) -> Event:
        event = super().close_trick()
        return {**event, "trump": self.hand.suit} if event["type"] == "trick" and self.chance(0.8) else event


def wrong_call(rng: Random, hand: Hand, hands: Hands) -> Event:
    """A call of nothing, of both, of what was already called, or by a seat that has called."""
    calls: list[Event] = [{}, {"reading": "top", "suit": "M"}, {"reading": "left"}, {"suit": "Z"}]
    calls += [{"reading": "bottom"}, {"suit": rng.choice(SUITS)}]
    return {"type": "call", "seat": rng.choice([turn(rng, hand), *hand.callers, 4]), **rng.choice(calls)}


def random_record(rng: Random, mischief: Mischief | None = None, stories: list[Story] | None = None) -> dict:
    """One record; its story is appended to ``stories``."""
    mischief = mischief or Mischief()
    record = random_table(rng)
    story = Story(rng, mischief, Table(record))
    return story.fill(record, rng.randint(1, 4), stories, partial(alias, rng))


honest_record = partial(random_record, mischief=HONEST)
"""A record in which no one breaks a rule and every card is entered."""


def random_table(rng: Random) -> dict:
    """A record without hands."""
    players, eager = rng.choice((3, 4)), rng.choice([0.1, 0.4, 0.8])
    options = {key: rng.choice(values) for key, values in VALUES.items() if rng.random() < eager}
    record = record_without_hands("chicane", options, players, rng.randrange(players), random_end(rng))
    if rng.random() < 0.2:
        record["carried"] = random_carried(rng, players, partners=False)
    return record
