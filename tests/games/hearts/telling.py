"""Helpers for hands of Hearts, four-handed unless stated otherwise."""

from functools import partial

from tests.referee import telling
from tests.referee.telling import Json, ask, telling_of

hand, refused = telling_of("hearts", players=4)
judged = partial(telling.judged, game="hearts", players=4)
answers = partial(ask, game="hearts")
DEALT = {
    "s0": "4C 9C KC QS 3S 7S 2H 9H AH 5D 8D JD AD",
    "s1": "AC 3C 7C AS 6S 3H 8H JH 2D 6D 9D QD 5S",
    "s2": "8C 10C JC KS 2S 8S 4H 6H QH 3D 7D KD 9S",
    "s3": "2C 5C 6C QC JS 10S 4S 5H 7H 10H KH 4D 10D",
}
"""Thirteen cards for each of four players."""


def passes(seat: int, cards: str, **more: bool) -> Json:
    return {"type": "pass-cards", "seat": seat, "cards": cards.split(), **more}


def took(*points: int) -> Json:
    return {"type": "result", "points": list(points)}


def moon(seat: int, *, subtract: bool) -> Json:
    return {"type": "moon", "seat": seat, "subtract": subtract}
