"""The records that would keep a referee busiest: whatever can be repeated endlessly, at every size."""

from collections.abc import Callable
from typing import Any

Json = dict[str, Any]
AFTER_TRUMPS = {"game": "ace-trump", "seats": ["Ann", "Bob", "Cy"], "first_dealer": 2}
CLIMBING = {"game": "american-deuce", "seats": ["Ann", "Bob", "Cy", "Dot"], "first_dealer": 0}
PIT = {"game": "ace-pit", "seats": ["Ann", "Bob"], "first_dealer": 0}
SUITS = [{"type": "suit", "seat": seat, "suit": suit} for seat, suit in ((0, "S"), (1, "H"), (2, "D"))]
LEAD = {"type": "play", "seat": 0, "cards": ["4S"]}
RESULT = {"type": "result", "tricks": [12, 0, 0]}
PENALTY = {"type": "penalty", "seat": 0, "points": -1, "reason": "as agreed"}
FAR = {"end": {"kind": "score", "value": 10**9}}


def one_hand(head: Json, *events: Json, **more: Any) -> Json:
    return head | {"hands": [{"events": list(events)}]} | more


def passed(seat: int) -> Json:
    return {"type": "pass", "seat": seat, "accepted": True}


def passes(size: int, *exchange: Json) -> Json:
    """A player who is out of the trick passes again and again."""
    return one_hand(CLIMBING, *SUITS, *exchange, LEAD, {"type": "pass", "seat": 1}, *[passed(1)] * size)


def hands(head: Json, *events: Json, size: int, **more: Any) -> Json:
    return head | {"hands": [{"events": list(events)}] * size} | more


def known(record: Json, seat: int, cards: str) -> Json:
    record["hands"][0]["known"] = {f"{seat}": cards.split()}
    return record


def swapped(size: int) -> list[Json]:
    return [{"type": "transfer", "from_seat": at % 2, "to_seat": 1 - at % 2, "tricks": 1} for at in range(size)]


UNSEEN_EXCHANGE = {"type": "drop-deuce", "king": 1, "given": "?", "returned": "?"}
SPADES = "AS 4S 5S 6S 7S 8S 9S 10S JS QS KS 2S 3S"
PARTNERS = CLIMBING | {"game": "ace-trump", "options": {"partners": True, "bidding": True}}
BIDS = [{"type": "bid", "seat": seat, "tricks": 3} for seat in (1, 2, 3, 0)]
PIT_RESULT = {"type": "result", "points": [130, 100]}
FOUND = passed(1) | {"type": "play", "cards": ["9D"]}
REDEAL = {"type": "redeal"}
WORST: dict[str, tuple[Callable[[int], Json], int]] = {
    "passes again": (passes, 120),
    "passes after an unseen exchange": (lambda size: passes(size, UNSEEN_EXCHANGE), 120),
    "passes with a known hand": (lambda size: known(passes(size, UNSEEN_EXCHANGE), 0, SPADES), 120),
    "notes": (lambda size: one_hand(AFTER_TRUMPS, *[{"type": "note", "text": "hm"}] * size), 100),
    "penalties": (lambda size: one_hand(AFTER_TRUMPS, RESULT, *[PENALTY] * size, **FAR), 120),
    "penalties of partners": (lambda size: one_hand(PARTNERS, *BIDS, *[PENALTY] * size, **FAR), 120),
    "transfers": (lambda size: one_hand(AFTER_TRUMPS, RESULT, *swapped(size), **FAR), 120),
    "penalties in a pit": (lambda size: one_hand(PIT, PIT_RESULT, *[PENALTY] * size, **FAR), 120),
    "settled notes": (
        lambda size: one_hand(
            AFTER_TRUMPS, *({"type": "note", "text": "", "x_settles": [0, at]} for at in range(size))
        ),
        100,
    ),
    "redealt": (lambda size: hands(AFTER_TRUMPS, REDEAL, size=size), 40),
    "results": (lambda size: hands(AFTER_TRUMPS, RESULT, size=size, **FAR), 40),
    "empty hands": (lambda size: hands(AFTER_TRUMPS, size=size), 100),
    "hands with findings": (lambda size: hands(CLIMBING, *SUITS, FOUND, REDEAL, size=size), 40),
}
"""A function that makes a record of a given size, and a size at which linear and quadratic cost differ clearly."""

REFUSED: dict[str, Callable[[int], Json]] = {
    "unknown options": lambda size: AFTER_TRUMPS | {"options": {f"o{at}": at for at in range(size)}},
    "unknown keys": lambda size: AFTER_TRUMPS | {f"k{at}": at for at in range(size)},
    "unknown hands": lambda size: AFTER_TRUMPS | {"hands": [{"known": {f"{at}": [] for at in range(size)}}]},
    "no cards": lambda size: AFTER_TRUMPS | {"hands": [{"known": {"0": ["no card"] * size}}]},
    "a card again and again": lambda size: AFTER_TRUMPS | {"hands": [{"known": {"0": ["8MS"] * size}}]},
    "no events": lambda size: AFTER_TRUMPS | {"hands": [{"events": [None] * size}]},
    "no hands": lambda size: AFTER_TRUMPS | {"hands": [7] * size},
    "no seats": lambda size: AFTER_TRUMPS | {"seats": [7] * size},
    "carried": lambda size: AFTER_TRUMPS | {"carried": ["x"] * size},
    "cards of a play": lambda size: one_hand(AFTER_TRUMPS, {"type": "play", "seat": 0, "cards": ["8MS"] * size}),
    "own keys": lambda size: AFTER_TRUMPS | {f"x_{at}": "a" * 640 for at in range(size)},
}
"""Records that are refused for any number of errors."""
