"""Random records of the three trick-taking games, for comparing two adjudicators.

`random_record(rng)` deals honestly, lets players of varying honesty play, and records what the table would: cards,
trick winners or results, with settlements and mistakes in between. Only situations whose ruling the contract settles
are included.
"""

from __future__ import annotations

from functools import partial
from random import Random
from typing import Any

from tests.games.decktet_tricks.oracle import Table
from tests.games.decktet_tricks.oracle_cards import NAMES, OPTIONS, PLAYERS, SUITS, full_options, suits_of
from tests.games.decktet_tricks.random_story import Story
from tests.games.tricks.oracle_plain import Invalid
from tests.games.tricks.random_story import Mischief, record_without_hands

__all__ = ["GAMES", "HONEST", "random_record"]

GAMES = tuple(OPTIONS)

# Options that depend on others; drawn last, or they would seldom be accepted.
DEPENDENT = ("hook", "partner_bid", "tides_last", "tides_excuse")
BUNDLES: list[dict[str, Any]] = [
    {"partners": True, "bidding": True, "partner_bid": "joint"},
    {"tides": True, "excuse": True, "tides_excuse": "one"},
    {"tides": True, "excuse": True, "tides_excuse": "same"},
    {"tides": True, "excuse": True, "pawns": True},
]


HONEST = Mischief(liars=0, disorder=0, impossible=0, settlements=0, known=0, aliases=0, coarse=0, unfinished=0)


def random_record(
    rng: Random, game: str | None = None, mischief: Mischief | None = None, stories: list[Story] | None = None
) -> dict:
    """One record of the game named (or any of the three); its story is appended to ``stories``."""
    game = game or rng.choice(sorted(OPTIONS))
    mischief = mischief or Mischief()
    players = rng.choice(list(PLAYERS[game]))
    record = random_table(rng, game, players)
    story = Story(rng, mischief, Table(record))
    return story.fill(record, rng.randint(1, 4), stories, partial(alias, rng))


def random_table(rng: Random, game: str, players: int) -> dict:
    """A record without hands."""
    options = random_options(rng, game, players)
    dealer = rng.randrange(players)
    record = record_without_hands(game, options, players, dealer, random_end(rng))
    if rng.random() < 0.2:
        record["carried"] = random_carried(rng, players, partners=options.get("partners", False))
    return record


def random_end(rng: Random) -> dict | None:
    """Any kind of end, or none."""
    kind = rng.choice(["none", "open", "score", "hands"])
    if kind == "none":
        return None
    if kind == "open":
        return {"kind": "open"}
    value = rng.randint(1, 3) if kind == "hands" else rng.choice([5, 8, 12, 20, 30, 60])
    return {"kind": kind, "value": value}


def random_carried(rng: Random, players: int, *, partners: bool) -> list[int]:
    """Totals to start from; a pair starts from one total."""
    carried = [rng.randint(-3, 9) for _ in range(players)]
    if partners:
        carried = [carried[seat % (players // 2)] for seat in range(players)]
    return carried


def random_options(rng: Random, game: str, players: int) -> dict:
    """Compatible options; every key and value can occur."""
    options: dict[str, Any] = dict(rng.choice(BUNDLES)) if rng.random() < 0.25 else {}
    try:
        full_options(game, options, players)
    except Invalid:
        options = {}
    keys = list(OPTIONS[game])
    rng.shuffle(keys)
    keys.sort(key=lambda key: key in DEPENDENT)
    eager = rng.choice([0.1, 0.4, 0.8])
    for key in keys:
        if key == "fixed_trump" or key in options or rng.random() > (0.7 if key in DEPENDENT else eager):
            continue
        trial = {**options, key: rng.choice(OPTIONS[game][key])}
        if trial.get("trump") == "fixed":
            trial.setdefault("fixed_trump", rng.choice(SUITS))
        else:
            trial.pop("fixed_trump", None)
        try:
            full_options(game, trial, players)
        except Invalid:
            continue
        options = trial
    return options


def alias(rng: Random, card: str) -> str:
    """Another spelling of a card, or the same."""
    if card not in NAMES:
        return card
    letters = list(suits_of(card))
    rng.shuffle(letters)
    rank = {"X": "N", "A": "1", "C": "T", "E": "0"}.get(card[0], card[0])
    ways = [card, card, card.lower(), NAMES[card], "the " + NAMES[card].lower()]
    ways += [card[0] + "".join(letters), rank + "".join(letters).replace("W", "V").lower()]
    return rng.choice(ways)
