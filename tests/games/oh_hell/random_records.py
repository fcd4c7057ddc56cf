"""Random records of Oh Hell, for comparing two adjudicators.

`random_record(rng)` deals honestly, lets players of varying honesty play, and records what the table would: perhaps the
turned card, bids, cards, trick winners or results, with settlements and mistakes in between.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from random import Random
from typing import Any

from tests.games.oh_hell.oracle import Table
from tests.games.oh_hell.oracle_rules import MOST_CARDS, PLAYERS, VALUES, parse_card
from tests.games.oh_hell.random_story import Story
from tests.games.tricks.oracle_plain import Event
from tests.games.tricks.random_story import Mischief as AnyMischief
from tests.games.tricks.random_story import record_without_hands

__all__ = ["HONEST", "Mischief", "honest_record", "random_record"]

RANK_NAMES = {"A": "ace", "K": "king", "Q": "queen", "J": "jack", "10": "T"}
SUIT_NAMES = {"S": "spades", "H": "hearts", "D": "diamonds", "C": "clubs"}


@dataclass(frozen=True)
class Mischief(AnyMischief):
    """How often each thing happens: a probability per record, hand, or opportunity."""

    conspiracies: float = 0.35
    hooked: float = 0.25
    impossible: float = 0.3
    afterwards: float = 0.05
    inattention: float = 0.25
    unseen_turn_up: float = 0.25
    forgotten_turn_up: float = 0.15


HONEST = Mischief.none()


def random_record(rng: Random, mischief: Mischief | None = None, stories: list[Story] | None = None) -> dict:
    """One record; its story is appended to ``stories``."""
    mischief = mischief or Mischief()
    record = random_table(rng)
    story = Story(rng, mischief, Table(record))
    cards = rng.choice([20, 60, 130, 200])
    return story.fill(record, 12, stories, partial(alias, rng), partial(name_suits, rng), cards=cards)


honest_record = partial(random_record, mischief=HONEST)
"""A record in which no one breaks a rule and every card is entered."""


def random_table(rng: Random) -> dict:
    """A record without hands."""
    players = rng.choice([*PLAYERS, 3, 4])
    options, dealer = random_options(rng, players), rng.randrange(players)
    record = record_without_hands("oh-hell", options, players, dealer, random_end(rng))
    if rng.random() < 0.2:
        record["carried"] = [rng.randint(-12, 30) for _ in range(players)]
    return record


def random_end(rng: Random) -> dict | None:
    """Any kind of end, or none."""
    kind = rng.choice(["none", "none", "course", "open", "score", "hands", "time"])
    if kind == "none":
        return None
    if kind in ("course", "open"):
        return {"kind": kind}
    if kind == "time":
        return {"kind": kind, "value": 90}
    return {"kind": kind, "value": rng.randint(1, 4) if kind == "hands" else rng.choice([5, 10, 12, 20, 30, 60])}


def random_options(rng: Random, players: int) -> dict:
    """Options with any keys; short courses are as frequent as long ones, and so are the largest hands."""
    options: dict[str, Any] = {}
    eager = rng.choice([0.0, 0.2, 0.5, 0.8])
    for key, values in VALUES.items():
        if rng.random() < eager:
            options[key] = rng.choice(values)
    if rng.random() < 0.75:
        most = MOST_CARDS[players]
        options["largest"] = rng.choice([1, 2, 3, rng.randint(1, most), rng.randint(1, most), most, most])
        if options["largest"] == most and rng.random() < 0.6:
            options["course"] = rng.choice(["down-up", "down"])
    if "trump" in options and rng.random() < 0.3:
        del options["trump"]
    return options


def name_suits(rng: Random, event: Event) -> None:
    for key in ("suit", "trump"):
        if event.get(key) in SUIT_NAMES:
            suit = event[key]
            event[key] = rng.choice([suit, suit, suit.lower(), SUIT_NAMES[suit].capitalize()])


def alias(rng: Random, card: str) -> str:
    """Another spelling of a card, or the same."""
    if parse_card(card) != card:
        return card
    rank, suit = card[:-1], card[-1]
    ways = [card, card, card.lower(), f"{RANK_NAMES.get(rank, rank)} of {SUIT_NAMES[suit]}"]
    return rng.choice([*ways, card.replace("10", "T")])
