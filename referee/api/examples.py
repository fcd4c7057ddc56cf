"""Requests and their answers, for the documentation; a test asks every one of them."""

from referee.api.questions import QUESTIONS
from referee.engine.questions import Example


def reason(code: str, text: str, *clauses: str) -> dict[str, object]:
    """Return a reason as answers hold it."""
    return {"code": code, "text": text, "clauses": list(clauses)}


def play(seat: int, card: str) -> dict[str, object]:
    """Return a play of one card as answers hold it."""
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
} | {question.name: question.examples for question in QUESTIONS}
