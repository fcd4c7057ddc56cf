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
                {"number": 1, "leader": 0, "plays": FIRST_TRICK, "winner": 1, "points": {"1": 1}, "trump": None},
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

WITHOUT = {"record": EARLY_BIRD, "options": {"ties": "symbol"}}
WITHOUT_JUDGED: dict[str, object] = {
    "game": "ace-trump",
    "changed": [
        {
            "key": "ties",
            "label": "Equal ranks",
            "then": "early",
            "now": "symbol",
            "clauses": ["AT-12", "AT-V2", "AT-V8"],
        }
    ],
    "hands": [
        {
            "number": 1,
            "phase": "play",
            "changed": True,
            "judged": True,
            "tricks": [
                {
                    "number": 1,
                    "leader": 0,
                    "plays": FIRST_TRICK,
                    "then": {"winner": 1, "points": {"1": 1}, "trump": None},
                    "now": {"winner": 2, "points": {"2": 1}, "trump": None},
                    "change": reason(
                        "other-winner",
                        "By these rules trick 1 goes to Cy, not to Bob.",
                        "AT-12",
                        "AT-V2",
                        "AT-V8",
                        "REC-22",
                    ),
                },
                {"number": 2, "leader": 1, "plays": [play(1, "AY")], "change": None},
            ],
            "scores": {"then": [0, 1, 0], "now": [0, 0, 1]},
            "irregularities": [
                {
                    "code": "out-of-turn",
                    "certainty": "seen",
                    "seat": 1,
                    "suspects": [1],
                    "event": [0, 3],
                    "trick": 2,
                    "then": False,
                    "now": True,
                }
            ],
            "notes": [],
            "left_out": [],
            "unscored": None,
        }
    ],
    "totals": {"then": [0, 1, 0], "now": [0, 0, 1]},
    "ahead": {"then": [1], "now": [2]},
    "finished": {"then": False, "now": False},
    "winners": {"then": [], "now": []},
    "over_after": None,
    "rejected": None,
}

REVOKE = (*FIRST_TRICK[:1], play(1, "XK"), play(2, "XM"), play(2, "9LK"), play(0, "3LY"), play(1, "3MW"))
WITH_REVOKE = {**EARLY_BIRD, "options": {}, "hands": [{"events": [{"type": "play", **made} for made in REVOKE]}]}
WITH_REVOKE_CHECKED: dict[str, object] = {
    "hands": [
        {
            "number": 1,
            "complete": False,
            "clean": False,
            "verdict": reason(
                "audit-so-far-found",
                "Not every card of this hand is known. Irregular acts, as far as they can be seen: 1.",
                "REC-19",
            ),
            "infractions": [
                {
                    "code": "revoke",
                    "certainty": "proved",
                    "seat": 1,
                    "suspects": [1],
                    "event": [0, 1],
                    "trick": 1,
                    "proved_by": [[0, 5]],
                }
            ],
            "plays": 6,
            "bids": 0,
        }
    ],
    "rejected": None,
}

LED_OUT_OF_TURN: dict[str, object] = {
    "game": "ace-trump",
    "situation": "lead-out-of-turn",
    "answers": {"who": 1, "next-played": "no"},
}
TAKE_IT_BACK: dict[str, object] = {
    "answers": {"who": 1, "next-played": "no", "partners": "no"},
    "question": None,
    "ruling": reason("back", "Seat 1 takes the card back, and whoever has the lead plays first.", "IR-8"),
    "models": ["Laws of Duplicate Bridge 2017, Laws 53, 57 and 60"],
}

EXAMPLES: dict[str, tuple[Example, ...]] = {
    "judge": (Example("Two Crowns follow under Early Bird", EARLY_BIRD, EARLY_BIRD_JUDGED),),
    "what-if": (Example("The same without Early Bird", WITHOUT, WITHOUT_JUDGED),),
    "audit": (Example("A revoke that a later card proves", WITH_REVOKE, WITH_REVOKE_CHECKED),),
    "guide": (Example("A lead out of turn that nobody has played to", LED_OUT_OF_TURN, TAKE_IT_BACK),),
} | {question.name: question.examples for question in QUESTIONS}
