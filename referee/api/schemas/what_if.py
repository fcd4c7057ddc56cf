"""What a record would be under other house rules."""

from referee.api.schemas.adjudication import IRREGULAR_ACT, POSITION
from referee.api.schemas.common import PLAIN, SEATS
from referee.engine.shapes import FLAG, INTEGER, Schema, answer, array, closed, nullable, ref, text

POINTS = array(nullable(INTEGER), "One number for each seat; null where it is not settled, hidden, or cannot be told.")
LINES = array(ref("ScoreLine"))
NOW_SEATS = nullable(array(INTEGER, "Null where nobody can say."))


def then_now(then: Schema, now: Schema | None = None) -> Schema:
    """Describe something as it was and as it would be."""
    return answer({"then": then, "now": then if now is None else now})


WHAT_IF: dict[str, Schema] = {
    "WhatIfQuestion": closed(
        {"record": ref("Record"), "options": ref("Options")},
        ("record",),
        "A record, and the options that are to be others.",
        extra=True,
    ),
    "WhatIf": answer(
        {
            "game": ref("GameId"),
            "options": then_now(ref("Options")),
            "changed": array(ref("OptionThenNow"), "The options that are others."),
            "hands": array(ref("HandThenNow")),
            "totals": then_now(POINTS),
            "ahead": then_now(SEATS, NOW_SEATS) | {"description": "The seats with the highest total."},
            "finished": then_now(FLAG, nullable(FLAG)),
            "winners": then_now(SEATS, NOW_SEATS),
            "over_after": nullable(INTEGER | {"description": "The hand after which the game would have been over."}),
            "points_hidden": FLAG,
            "rejected": nullable(ref("Rejected")),
        },
        "A record as it lay: by its own rules (`then`) and by the other ones (`now`).",
    ),
    "OptionThenNow": answer({"key": text(), "label": text(), "then": PLAIN, "now": PLAIN, "clauses": array(text())}),
    "HandThenNow": answer(
        {
            "number": INTEGER,
            "phase": ref("Phase"),
            "changed": FLAG | {"description": "A trick, a score, or what is irregular, is different."},
            "judged": FLAG | {"description": "Whether every trick could be judged by the other rules."},
            "tricks": array(ref("TrickThenNow")),
            "scores": then_now(POINTS),
            "score_lines": then_now(LINES),
            "irregularities": array(ref("IrregularThenNow")),
            "notes": array(ref("Reason"), "What would have been dealt otherwise; the hand is judged as it lay."),
            "left_out": array(
                answer({"event": POSITION, "reason": ref("Reason")}),
                "Events that have no place under the other rules, such as bids where nobody bids.",
            ),
            "unscored": nullable(ref("Reason")),
            "unknown": nullable(ref("Reason")),
        },
        "A hand then and now; `unscored` says why it has no score now although it may have had one, `unknown` why "
        "nobody can know what these rules would have made of it: its cards are not recorded, or not all.",
    ),
    "TrickThenNow": answer(
        {
            "number": INTEGER,
            "leader": nullable(ref("Seat")),
            "plays": array(ref("PlayMade")),
            "then": ref("TrickOutcome"),
            "now": nullable(ref("TrickOutcome")),
            "change": nullable(ref("Reason")),
        },
        "A trick with its cards as they lay; `change` says what is different.",
    ),
    "TrickOutcome": answer(
        {
            "winner": nullable(ref("Seat")),
            "points": {"type": "object", "additionalProperties": INTEGER, "description": "Points by seat."},
            "trump": nullable(text("The trump that decided it.")),
            "reason": nullable(ref("Reason")),
        },
        "What comes of a trick.",
    ),
    "IrregularThenNow": answer(
        {
            **IRREGULAR_ACT,
            "reason": ref("Reason"),
            "then": FLAG,
            "now": FLAG,
        },
        "Something irregular by the rules of then, by those of now, or by both.",
    ),
}
