"""The records that would keep a referee busiest: whatever can be repeated for ever, of every size."""

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


def passes_again(size: int) -> Json:
    """A player who is out of the trick passes, and passes, and passes."""
    return one_hand(CLIMBING, *SUITS, LEAD, {"type": "pass", "seat": 1}, *[passed(1)] * size)


def passes_again_with_hidden_exchange(size: int) -> Json:
    exchange = {"type": "drop-deuce", "king": 1, "given": "?", "returned": "?"}
    return one_hand(CLIMBING, *SUITS, exchange, LEAD, {"type": "pass", "seat": 1}, *[passed(1)] * size)


def passes_again_with_known_hands(size: int) -> Json:
    record = passes_again_with_hidden_exchange(size)
    spades = ["AS", "4S", "5S", "6S", "7S", "8S", "9S", "10S", "JS", "QS", "KS", "2S", "3S"]
    record["hands"][0]["known"] = {"0": spades}
    return record


def notes(size: int) -> Json:
    return one_hand(AFTER_TRUMPS, *[{"type": "note", "text": "hm"}] * size)


def penalties(size: int) -> Json:
    return one_hand(AFTER_TRUMPS, RESULT, *[PENALTY] * size, **FAR)


def penalties_of_partners(size: int) -> Json:
    head = CLIMBING | {"game": "ace-trump", "options": {"partners": True, "bidding": True}}
    bids = [{"type": "bid", "seat": seat, "tricks": 3} for seat in (1, 2, 3, 0)]
    return one_hand(head, *bids, *[PENALTY] * size, **FAR)


def transfers(size: int) -> Json:
    moved = [{"type": "transfer", "from_seat": at % 2, "to_seat": 1 - at % 2, "tricks": 1} for at in range(size)]
    return one_hand(AFTER_TRUMPS, RESULT, *moved, **FAR)


def penalties_in_a_pit(size: int) -> Json:
    return one_hand(PIT, {"type": "result", "points": [130, 100]}, *[PENALTY] * size, **FAR)


def settled_notes(size: int) -> Json:
    return one_hand(AFTER_TRUMPS, *[{"type": "note", "text": "", "x_settles": [0, at]} for at in range(size)])


def redealt(size: int) -> Json:
    return AFTER_TRUMPS | {"hands": [{"events": [{"type": "redeal"}]}] * size}


def results(size: int) -> Json:
    return AFTER_TRUMPS | {"hands": [{"events": [RESULT]}] * size} | FAR


def empty_hands(size: int) -> Json:
    return AFTER_TRUMPS | {"hands": [{"events": []}] * size}


def hands_with_findings(size: int) -> Json:
    hand = one_hand(CLIMBING, *SUITS, passed(1) | {"type": "play", "cards": ["9D"]}, {"type": "redeal"})["hands"][0]
    return CLIMBING | {"hands": [hand] * size}


WORST: dict[str, tuple[Callable[[int], Json], int]] = {
    make.__name__: (make, size)
    for make, size in (
        (passes_again, 120),
        (passes_again_with_hidden_exchange, 120),
        (passes_again_with_known_hands, 120),
        (notes, 100),
        (penalties, 120),
        (penalties_of_partners, 120),
        (transfers, 120),
        (penalties_in_a_pit, 120),
        (settled_notes, 100),
        (redealt, 40),
        (results, 40),
        (empty_hands, 100),
        (hands_with_findings, 40),
    )
}
"""What makes a record of a size, and a size to try it at: there as much is repeated as tells a line from a curve."""

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
"""Records that are refused, however much is wrong with them."""
