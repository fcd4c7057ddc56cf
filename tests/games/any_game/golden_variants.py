"""Golden records of Any game; `.venv/bin/python -m tests.golden.make` deals missing ones."""

from random import Random

from tests.golden.variant import Variant

VARIANTS = [
    Variant("any-game", "rounds", "Three rounds; the highest total wins.", hands=3),
    Variant("any-game", "players-2", "Two players.", players=2, hands=2),
    Variant("any-game", "players-8", "Eight players.", players=8),
    Variant("any-game", "lowest", "The lowest total wins.", {"wins": "lowest"}, hands=3),
    Variant("any-game", "teams-two", "Two teams.", {"teams": "two"}, players=6, hands=2),
    Variant("any-game", "teams-pairs", "Three pairs.", {"teams": "pairs"}, players=6, hands=2),
]


def play(variant: Variant, record: dict, rng: Random) -> bool:
    """Give everyone a number in each round, in any order."""
    for _ in range(variant.hands):
        seats = rng.sample(range(variant.players), variant.players)
        events = [{"type": "score", "seat": seat, "points": rng.randrange(-10, 31)} for seat in seats]
        record["hands"].append({"events": events})
    return True
