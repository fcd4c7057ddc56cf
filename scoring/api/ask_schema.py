"""What the API gives about what comes next, for the schema."""

from referee.engine.shapes import ref
from scoring.api.schema import (
    FLAG,
    NAMED,
    TEXT,
    WHOLE,
    WHOLE_OR_NULL,
    Shape,
    many,
    or_null,
    thing,
)

SEAT_OR_CODE: Shape = {"type": ["integer", "string"], "description": "A card or suit by its code, a seat or a number."}
REASON = ref("Reason")
MARKED = thing({"choices": many(SEAT_OR_CODE), "reason": REASON}, "choices", "reason")
COUNT = thing({"least": WHOLE, "most": WHOLE}, "least", "most")
FIELD_PARTS: Shape = {
    "name": {"type": "string", "description": "The key in the event."},
    "type": {
        "enum": [
            "cards", "card", "suit", "seat", "number", "numbers", "points", "flag", "text", "reason", "options",
        ],
    },
    "label": TEXT,
    "required": FLAG,
    "choices": {
        "type": "array", "items": SEAT_OR_CODE,
        "description": "The values there are, each of which can stand; none listed where any may be sent.",
    },
    "forbidden": {
        "type": "array", "items": MARKED, "description": "Values that a rule forbids now: taken with `accepted` only.",
    },
    "claims": {
        "type": "array", "items": MARKED,
        "description": "Cards whose play says that the hand holds none of some others.",
    },
}  # fmt: skip
FIELD_MORE: Shape = {
    "least": WHOLE, "most": WHOLE,
    "count": COUNT | {"description": "How many cards one event may have."},
    "total": WHOLE_OR_NULL | {"description": "What the numbers of all seats add up to."},
    "rest": WHOLE_OR_NULL | {"description": "The number of exactly one seat."},
    "step": WHOLE | {"description": "What the numbers go up by."},
    "least_each": many(WHOLE) | {"description": "The least number of each seat; empty: `least` for all."},
    "most_each": many(WHOLE) | {"description": "The largest number of each seat; empty: `most` for all."},
    "taken": many(TEXT) | {"description": "Cards that were among the choices until somebody took them."},
    "after": TEXT | {"description": "The field without which this one says nothing."},
    "none": TEXT | {"description": "What leaving the field out means."},
    "order": many(TEXT) | {"description": "All cards as the game ranks them."},
    "usual": WHOLE | {"description": "How many cards a play has now, as a rule."},
    "warnings": many(REASON),
}  # fmt: skip
FIELD = thing(FIELD_PARTS | FIELD_MORE, *FIELD_PARTS)
EVENT = ref("Event")
ASK_PARTS: Shape = {
    "event": {"type": "string", "description": "The type of the event."},
    "label": TEXT,
    "says": {"type": "string", "description": "What such an event says, for programmers."},
    "seats": many(WHOLE) | {"description": "Whose act it is; empty: the table’s own."},
    "players": many(WHOLE) | {"description": "Seats whose own link may record it; a scorekeeper’s always may."},
    "secret": FLAG | {"description": "All choose before anybody sees what the others chose: send it with `sealed`."},
    "yours": FLAG | {"description": "Whether the token that was sent may record it."},
    "fields": many(FIELD),
    "fixed": {"type": "object", "additionalProperties": TEXT} | {"description": "Fields that can only be this."},
    "events": many(EVENT) | {"description": "Events that are taken as they are."},
    "complete": FLAG | {"description": "Whether these are all there are, words of the players apart."},
    "forced": {"oneOf": [EVENT, {"type": "null"}], "description": "The only one there is."},
    "preview": FLAG | {"description": "Whether cards put together have a name: send `cards`."},
    "named": NAMED,
}  # fmt: skip
ASK = thing(ASK_PARTS, *ASK_PARTS)
HAND_PARTS: Shape = {
    "number": WHOLE, "dealer": WHOLE, "phase": ref("Phase"), "to_act": many(WHOLE),
    "begins": FLAG | {"description": "Whether the next event begins this hand."},
}  # fmt: skip
HAND = thing(HAND_PARTS, *HAND_PARTS)
ASKS_PARTS: Shape = {
    "version": WHOLE, "finished": FLAG,
    "hand": or_null(HAND),
    "why_not": {"oneOf": [REASON, {"type": "null"}]},
    "sealed": many(WHOLE), "choose_again": many(WHOLE), "asks": many(ASK), "beside": many(ASK),
}  # fmt: skip
ASKS = thing(ASKS_PARTS, *ASKS_PARTS)
