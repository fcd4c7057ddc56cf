"""The referee compared with independent second adjudicators on many random records."""

from collections.abc import Iterator
from contextlib import suppress
from random import Random
from typing import Any, cast

import pytest

from referee.engine.adjudication import adjudicate
from referee.engine.game import all_games
from referee.engine.records import load_record
from referee.engine.rules import REVOKE, Option, Refused, Rules
from referee.tricks.hand import TrickHand
from tests.games.discovery import COMPARED, INVALID, ORACLES, RANDOM
from tests.seeds import FIRST, as_often_as

Json = dict[str, Any]
GAMES = {game.id: game for game in all_games()}
BATCH = 50
COMPARED_OF_BATCH = as_often_as(always=BATCH, quick=17)
BATCHES = as_often_as(always=8, hunting=4)
SLOW = pytest.mark.slow

OF_HAND = (
    "number", "dealer", "seating", "hand_size", "phase", "to_act", "trump", "suit_order", "bids", "cards_left",
    "tricks_won", "scores", "ruling_cards", "contracts", "bags",
)  # fmt: skip
OF_TRICK = ("number", "leader", "plays", "winner", "points", "trump")
OF_FINDING = ("code", "certainty", "seat", "suspects", "event", "trick", "proved_by", "claims")
OF_DEAL = ("number", "dealer", "seating", "hand_size")


ANOTHER = "another number"
"""One value other than the default of a numeric house rule."""


def value_of(option: Option, rules: Rules) -> object:
    """Return the value of a house rule the comparisons must have covered."""
    value = rules.options[option.key]
    return value if option.values or value == option.standard_for(rules.players) else ANOTHER


@pytest.mark.smoke
@pytest.mark.parametrize("game", COMPARED)
def test_the_differential_test_covers_every_house_rule(game: str):
    follows = issubclass(GAMES[game].hand_class, TrickHand)  # elsewhere no revoke can occur
    options = [option for option in GAMES[game].all_options() if follows or option.key != REVOKE.key]
    left = {(option.key, value) for option in options for value in option.values or (ANOTHER,)}
    for seed in range(FIRST, FIRST + BATCH * BATCHES):
        with suppress(Refused):
            rules = load_record(RANDOM[game](Random(seed))).rules
            left -= {(option.key, value_of(option, rules)) for option in options}
        if not left:
            return
    pytest.fail(f"{game}: no random record has {sorted(left, key=str)}. Teach these house rules to the oracle.")


@pytest.mark.parametrize(
    "batch",
    [
        0,
        *(pytest.param(each, marks=pytest.mark.smoke) for each in (1, 2)),
        *(pytest.param(each, marks=SLOW) for each in range(3, BATCHES)),
    ],
)
@pytest.mark.parametrize("game", COMPARED)
def test_two_adjudicators_agree(game: str, batch: int):
    start = FIRST + batch * BATCH
    for seed in range(start, start + COMPARED_OF_BATCH):
        record = RANDOM[game](Random(seed))
        mine, theirs = by_the_referee(record), by_the_oracle(record)
        difference = next(differences(mine, theirs), None)
        assert difference is None, (
            f"{game}, seed {seed}: at {difference[0]} the referee says {difference[1]!r}, the oracle {difference[2]!r}"
        )


def by_the_referee(record: Json) -> Json:
    """Judge with the referee; keep what can be compared."""
    try:
        return comparable(cast(Json, adjudicate(load_record(record))))
    except Refused:
        return {"taken": False}


def by_the_oracle(record: Json) -> Json:
    """Judge with the oracle; keep what can be compared."""
    try:
        return comparable(ORACLES[record["game"]](record))
    except INVALID:
        return {"taken": False}


def comparable(answer: Json) -> Json:
    """Keep what both adjudicators answer: everything but sentences, clauses and options."""
    rejected, coming = answer["rejected"], answer["next"]
    return {
        "hands": [comparable_hand(each) for each in answer["hands"]],
        "totals": answer["totals"],
        "finished": answer["finished"],
        "winners": answer["winners"],
        "next": coming and {key: coming[key] for key in OF_DEAL},
        "rejected": rejected and {
            **{key: rejected[key] for key in ("hand", "event", "verdict")},
            "code": rejected.get("code") or rejected["reason"]["code"],
        },
    }  # fmt: skip


def comparable_hand(each: Json) -> Json:
    return {key: each[key] for key in OF_HAND if key in each} | {
        "tricks": [{key: trick[key] for key in OF_TRICK} for trick in each["tricks"]],
        "irregularities": [{key: i.get(key) for key in OF_FINDING} for i in each["irregularities"]],
    }


def differences(mine: Any, theirs: Any, path: str = "") -> Iterator[tuple[str, Any, Any]]:
    """List the differences between two answers, most important first."""
    if isinstance(mine, dict) and isinstance(theirs, dict):
        for key in dict.fromkeys([*mine, *theirs]):
            if key in mine and key in theirs:
                yield from differences(mine[key], theirs[key], f"{path}/{key}")
            else:
                yield f"{path}/{key}", mine.get(key, "nothing"), theirs.get(key, "nothing")
    elif isinstance(mine, list | tuple) and isinstance(theirs, list | tuple):
        for number, (one, other) in enumerate(zip(mine, theirs, strict=False)):
            yield from differences(one, other, f"{path}/{number}")
        if len(mine) != len(theirs):
            yield f"{path} (its length)", mine, theirs
    elif mine != theirs or type(mine) is not type(theirs):
        yield path, mine, theirs
