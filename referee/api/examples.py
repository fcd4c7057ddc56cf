"""Requests and their answers, for the documentation; a test asks every one of them."""

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Example:
    """A request, and a part of its answer."""

    title: str
    request: dict[str, Any]
    answer: dict[str, Any]


def reason(code: str, text: str, *clauses: str) -> dict[str, Any]:
    """Write down a reason."""
    return {"code": code, "text": text, "clauses": list(clauses)}


def play(seat: int, card: str) -> dict[str, Any]:
    """Write down a card played."""
    return {"seat": seat, "cards": [card]}


FIRST_TRICK = [play(0, "8MS"), play(1, "XS"), play(2, "XM")]
EARLY_BIRD = {
    "format": "table-record/1",
    "game": "ace-trump",
    "options": {"ties": "early"},
    "end": {"kind": "hands", "value": 4},
    "seats": ["Ann", "Bob", "Cy"],
    "first_dealer": 2,
    "hands": [{"events": [{"type": "play", **made} for made in (*FIRST_TRICK, play(1, "AY"))]}],
}
EARLY_BIRD_JUDGED = {
    "game": "ace-trump",
    "hands": [
        {
            "number": 1,
            "dealer": 2,
            "seating": [0, 1, 2],
            "hand_size": [12, 12, 12],
            "phase": "play",
            "to_act": [2],
            "trump": "Y",
            "cards_left": [11, 10, 11],
            "tricks_won": [0, 1, 0],
            "tricks": [
                {
                    "number": 1,
                    "leader": 0,
                    "plays": FIRST_TRICK,
                    "winner": 1,
                    "points": {"1": 1},
                    "trump": None,
                },
                {"number": 2, "leader": 1, "plays": [play(1, "AY")], "winner": None, "points": {}, "trump": "Y"},
            ],
            "scores": [0, 1, 0],
            "irregularities": [],
        }
    ],
    "totals": [0, 1, 0],
    "finished": False,
    "winners": [],
    "next": None,
    "rejected": None,
}

EXAMPLES: dict[str, tuple[Example, ...]] = {
    "judge": (Example("Two Crowns follow under Early Bird", EARLY_BIRD, EARLY_BIRD_JUDGED),),
    "trick": (
        Example(
            "An Ace falls late",
            {
                "game": "ace-trump",
                "trump": None,
                "plays": [{"cards": ["XM"]}, {"cards": ["9WY"]}, {"cards": ["AY"]}],
            },
            {"winner": 1, "trump": "Y"},
        ),
        Example(
            "Everybody has a trump suit",
            {
                "game": "wildcat-chicane",
                "plays": [
                    {"cards": ["6LK"], "ruling_card": "XL"},
                    {"cards": ["9MS"], "ruling_card": "XM"},
                    {"cards": ["9LK"], "ruling_card": "AW"},
                ],
            },
            {"winner": 1},
        ),
    ),
    "legal": (
        Example(
            "The Diplomat is led",
            {"game": "ace-trump", "hand": ["3MW", "9WY", "AK"], "led_card": "8MS"},
            {"legal": ["3MW"]},
        ),
    ),
    "suit": (Example("Read by a Crown", {"card": "8YK", "ruling_card": "XM"}, {"suit": "Y"}),),
    "ransom": (
        Example(
            "The Crowns cancel each other",
            {"cards": ["XM", "XY", "9MS", "6MW"]},
            {"winner": 2, "suits": ["M", "S"]},
        ),
    ),
    "beats": (
        Example(
            "A riot on a deuce",
            {"decks": 1, "suit_order": ["S", "H", "C", "D"], "on": ["2S"], "play": ["4S", "4H", "4D", "4C"]},
            {"beats": True, "combination": {"kind": "riot"}},
        ),
    ),
    "response": (
        Example(
            "A pin",
            {"laid": "5C", "response": ["3H", "9H"]},
            {"winner": "responder", "points": 25, "lines": [{"item": "pin", "points": 25}]},
        ),
    ),
    "score": (
        Example(
            "American Deuce: what is left in hand",
            {"game": "american-deuce", "cards_left": [0, 3, 11, 8], "dealt": [13, 13, 13, 13]},
            {"points": [33, -3, -22, -8]},
        ),
    ),
    "deal": (
        Example(
            "Ace Trump for five",
            {"game": "ace-trump", "players": 5},
            {"cards_each": [7, 7, 7, 7, 7], "aside": 1},
        ),
    ),
}
