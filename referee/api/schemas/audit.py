"""A full check of hands."""

from referee.api.schemas.adjudication import POSITION
from referee.api.schemas.common import SEATS
from referee.engine.shapes import FLAG, INTEGER, Schema, answer, array, nullable, ref, text

AUDIT: dict[str, Schema] = {
    "Audits": answer(
        {"hands": array(ref("Audit")), "rejected": nullable(ref("Rejected"))},
        "Every hand of a record, checked in full.",
    ),
    "Audit": answer(
        {
            "number": INTEGER,
            "complete": FLAG | {"description": "The hand is over and nothing in it was left unchecked."},
            "clean": FLAG | {"description": "Nothing was irregular, as far as could be checked."},
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
            "code": text(example="revoke"),
            "certainty": {"type": "string", "enum": ["seen", "proved", "joint"]},
            "seat": nullable(ref("Seat")),
            "suspects": SEATS,
            "event": POSITION,
            "trick": nullable(INTEGER),
            "proved_by": array(POSITION),
            "reason": ref("Reason"),
        },
        "An irregular act: `seen` by itself or against a hand that is known, `proved` by a later card, or `joint`.",
    ),
}
