"""The golden records of Ace Pit."""

import random
from collections.abc import Callable

from tests.games.ace_pit.oracle import GAME
from tests.games.ace_pit.random_records import Script
from tests.games.french import golden_variants
from tests.golden.variant import Variant, both, cards, clean, trick


def play(variant: Variant, record: dict, rng: random.Random) -> bool:
    """Play the hands of a record at random by the rules; say whether it turned out fit."""
    return golden_variants.play(variant, record, rng, game=GAME, script=Script)


AP = "ace-pit"


def items(*names: str, least: int = 1) -> Callable[[dict], bool]:
    return lambda each: set(names) <= {line["item"] for line in (each["reason"].get("lines") or ())}


def laid(rank: str) -> Callable[[dict], bool]:
    return lambda each: cards(each)[0].startswith(rank)


VARIANTS = [
    Variant(
        AP,
        "plain",
        "Ace Pit by the default rules.",
        players=2,
        shows=both(
            clean,
            trick("a Pin", items("pin")),
            trick("a Spoon", items("spoon")),
            trick("a Throw Away", items("throw-away")),
        ),
    ),
    Variant(
        AP,
        "free-pairs",
        "Ace Pit, free pairs (AP-Q4): two cards that would each win alone.",
        {"free_pairs": True},
        2,
        shows=clean,
    ),
    Variant(AP, "ace-pit-once", "Ace Pit, two Aces score one Ace Pit (AP-Q5).", {"ace_pit_once": True}, 2, shows=clean),
    Variant(
        AP, "no-fork-spoon", "Ace Pit, no Spoons inside a Double Fork (AP-Q3).", {"fork_spoon": False}, 2, shows=clean
    ),
    Variant(
        AP,
        "spoon-beats-ace",
        "Ace Pit, the King of its suit beats a laid Ace (AP-Q7).",
        {"spoon_beats_ace": True},
        2,
        shows=clean,
    ),
    Variant(
        AP,
        "ace-lead-60",
        "Ace Pit, a laid Ace that nothing beats scores 60 (AP-Q8).",
        {"ace_lead": 60},
        2,
        shows=both(clean, trick("the Ace laid", laid("A"))),
    ),
    Variant(
        AP,
        "ace-lead-10",
        "Ace Pit, a laid Ace that nothing beats scores 10 (AP-Q8).",
        {"ace_lead": 10},
        2,
        shows=both(clean, trick("the Ace laid", laid("A"))),
    ),
]
