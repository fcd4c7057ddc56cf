"""Helpers for events at an Oh Hell table.

Unless stated otherwise three play hands of 3, 2, 1, 2, 3 cards, and Cy (seat 2) deals first, so seat 0 bids and leads
first.
"""

from collections.abc import Iterable
from functools import partial

from tests.referee.telling import Json, bids, judged, refusal, result, telling_of, turn_up

THREE: Json = {"largest": 3}
hand, refused = telling_of("oh-hell", options=THREE)
oh = partial(judged, game="oh-hell", options=THREE)
refusal_of = partial(refusal, game="oh-hell", options=THREE)

SKIPPED = bids("0:1 1:1 2:0")
"""Bids made before the turned card was recorded."""


def opened(card: str = "2H", bid: str = "0:1 1:1 2:0") -> list[Json]:
    """Turn a card up and bid, so that play can begin."""
    return [turn_up(card), *bids(bid)]


def quick(size: int, *, dealer: int = 2, players: int = 3) -> list[Json]:
    """Record a hand by its result: everyone bids zero, and seat 0 takes all tricks."""
    order = [(dealer + step) % players for step in range(1, players + 1)]
    return [*bids(" ".join(f"{seat}:0" for seat in order)), result(size, *[0] * (players - 1))]


def quick_hands(sizes: Iterable[int]) -> list[list[Json]]:
    """Record hands of these sizes one after the other, the deal passing to the left."""
    return [quick(size, dealer=(2 + number) % 3) for number, size in enumerate(sizes)]


def sizes(answer: Json) -> list[int]:
    return [each["hand_size"][0] for each in answer["hands"]]
