"""The records that would keep a referee busiest: whatever can be repeated endlessly, at every size."""

from collections.abc import Callable
from typing import Any

from tests.games.american_deuce.told_rounds import NAMED, TABLE
from tests.referee.telling import Json, bids, penalty, plays, result, told, transfer

PIT: Json = {"game": "ace-pit", "players": 2, "dealer": 0}
PARTNERS: Json = {"players": 4, "dealer": 0, "options": {"partners": True, "bidding": True}}
FAR: Json = {"end": {"kind": "score", "value": 10**9}}
RESULT, PIT_RESULT = result(12, 0, 0), {"type": "result", "points": [130, 100]}
REDEAL = {"type": "redeal"}
PASSED = {"type": "pass", "seat": 1, "accepted": True}
UNSEEN_EXCHANGE = {"type": "drop-deuce", "king": 1, "given": "?", "returned": "?"}
SPADES = "AS 4S 5S 6S 7S 8S 9S 10S JS QS KS 2S 3S"


def made(*hands: list[Json] | Json, **table: Any) -> Json:
    """Make a record without its format, which a new table does not take."""
    return {key: value for key, value in told(*hands, **table).items() if key != "format"}


def passes(size: int, *exchange: Json, **known: Any) -> Json:
    """A player who is out of the trick passes again and again."""
    return made({"events": [*NAMED, *exchange, *plays("0:4S 1:-"), *[PASSED] * size], **known}, **TABLE)


def hands(*events: Json, size: int, **table: Any) -> Json:
    return made(*[[*events]] * size, **table)


def swapped(size: int) -> list[Json]:
    return [transfer(at % 2, 1 - at % 2, 1) for at in range(size)]


def settled(size: int) -> list[Json]:
    return [{"type": "note", "text": "", "x_settles": [0, at]} for at in range(size)]


WORST: dict[str, tuple[Callable[[int], Json], int]] = {
    "passes again": (passes, 120),
    "passes after an unseen exchange": (lambda size: passes(size, UNSEEN_EXCHANGE), 120),
    "passes with a known hand": (lambda size: passes(size, UNSEEN_EXCHANGE, known={"0": SPADES.split()}), 120),
    "notes": (lambda size: made([{"type": "note", "text": "hm"}] * size), 100),
    "penalties": (lambda size: made([RESULT, *[penalty(0, -1)] * size], **FAR), 120),
    "penalties of partners": (
        lambda size: made([*bids("1:3 2:3 3:3 0:3"), *[penalty(0, -1)] * size], **PARTNERS, **FAR), 120
    ),
    "transfers": (lambda size: made([RESULT, *swapped(size)], **FAR), 120),
    "penalties in a pit": (lambda size: made([PIT_RESULT, *[penalty(0, -1)] * size], **PIT, **FAR), 120),
    "settled notes": (lambda size: made(settled(size)), 100),
    "redealt": (lambda size: hands(REDEAL, size=size), 40),
    "results": (lambda size: hands(RESULT, size=size, **FAR), 40),
    "empty hands": (lambda size: hands(size=size), 100),
    "hands with findings": (
        lambda size: hands(*NAMED, PASSED | {"type": "play", "cards": ["9D"]}, REDEAL, size=size, **TABLE), 40
    ),
}  # fmt: skip
"""A function that makes a record of a given size, and a size at which linear and quadratic cost differ clearly."""

REFUSED: dict[str, Callable[[int], Json]] = {
    "unknown options": lambda size: told(options={f"o{at}": at for at in range(size)}),
    "unknown keys": lambda size: told() | {f"k{at}": at for at in range(size)},
    "unknown hands": lambda size: told({"known": {f"{at}": [] for at in range(size)}}),
    "no cards": lambda size: told({"known": {"0": ["no card"] * size}}),
    "a card again and again": lambda size: told({"known": {"0": ["8MS"] * size}}),
    "no events": lambda size: told({"events": [None] * size}),
    "no hands": lambda size: told() | {"hands": [7] * size},
    "no seats": lambda size: told(seats=[7] * size),
    "carried": lambda size: told(carried=["x"] * size),
    "cards of a play": lambda size: told([{"type": "play", "seat": 0, "cards": ["8MS"] * size}]),
    "own keys": lambda size: told() | {f"x_{at}": "a" * 640 for at in range(size)},
}
"""Records that are refused for any number of errors."""
