"""A full check of hands."""

from referee.api.schemas.adjudication import IRREGULAR_ACT, POSITION
from referee.api.schemas.common import SEATS
from referee.engine.shapes import FLAG, INTEGER, Schema, answer, array, nullable, ref

SCORES = nullable(array(nullable(INTEGER), "Points of the hand, per seat."))

AUDIT: dict[str, Schema] = {
    "Audits": answer(
        {"hands": array(ref("Audit")), "rejected": nullable(ref("Rejected"))},
        "Every hand of a record, checked in full.",
    ),
    "Audit": answer(
        {
            "number": INTEGER,
            "complete": FLAG | {"description": "The hand is over and nothing in it was left unchecked."},
            "clean": nullable(FLAG)
            | {"description": "Nothing was irregular, as far as could be checked; null where no card could be."},
            "verdict": ref("Reason"),
            "infractions": array(ref("Infraction")),
            "unchecked": array(ref("Reason"), "What could not be checked."),
            "plays": INTEGER | {"description": "So many plays were looked at."},
            "bids": INTEGER | {"description": "So many bids were looked at."},
        },
        "A hand checked in full.",
    ),
    "Infraction": answer(
        {
            **IRREGULAR_ACT,
            "proved_by": array(POSITION),
            "reason": ref("Reason"),
            "equity": nullable(ref("Equity")),
        },
        "An irregular act: `seen` by itself or against a hand that is known, `proved` by a later card, or `joint`.",
    ),
    "Equity": answer(
        {
            "played": SCORES,
            "repaired": SCORES,
            "lawful": SCORES,
            "better": SCORES,
            "harmed": SEATS,
            "reason": ref("Reason"),
        },
        "What others lost by a revoke, as the cards lay: points as played, as repaired by giving up tricks (IR-4), as"
        " they would lawfully have been, and the better result for the others (IR-6); null where nobody can know.",
    ),
}
