"""What the tables' API takes and gives, for the schema. The rules of an event stand in the referee's part."""

from typing import Any

from drf_spectacular.utils import OpenApiParameter, OpenApiResponse

from referee.engine.catalogue import end_kinds
from referee.engine.shapes import ref

PROBLEM_TYPE = "application/problem+json"
Shape = dict[str, Any]


def thing(properties: Shape, *required: str, more: bool = True) -> Shape:
    """Return the schema of an object; the ``required`` keys have to be there, and ``more`` may be."""
    shape: Shape = {"type": "object", "properties": properties, "additionalProperties": more}
    return shape | ({"required": list(required)} if required else {})


def many(shape: Shape) -> Shape:
    """Return the schema of an array whose items all look alike."""
    return {"type": "array", "items": shape}


WHOLE: Shape = {"type": "integer"}
TEXT: Shape = {"type": "string"}
TIME: Shape = {"type": "string", "format": "date-time"}
GAME: Shape = ref("GameId")
FREE: Shape = {"type": "object", "additionalProperties": True}
FLAG: Shape = {"type": "boolean"}
# Not as constants: clients are made of this by tools that write them down wrong.
TRUE: Shape = {"type": "boolean", "description": "Always true."}
FALSE: Shape = {"type": "boolean", "description": "Only false."}
TEXT_OR_NULL: Shape = {"type": ["string", "null"]}
WHOLE_OR_NULL: Shape = {"type": ["integer", "null"]}
END = thing({"kind": {"enum": [kind.name for kind in end_kinds()]}, "value": WHOLE_OR_NULL}, "kind", more=False)
STATE = thing(
    {"game": GAME, "options": FREE, "end": FREE, "hands": many(FREE), "totals": many(WHOLE_OR_NULL),
     "points_hidden": FLAG, "finished": {"type": "boolean"}, "winners": many(WHOLE)},
    "game", "options", "end", "hands", "totals", "finished", "winners",
)  # fmt: skip
CHANGED = thing(
    {"hand": {"type": ["object", "null"]}, "totals": many(WHOLE_OR_NULL), "finished": {"type": "boolean"}},
    "hand",
    "totals",
)
RULING = thing(
    {"verdict": {"enum": ["accepted", "irregular", "impossible"]}, "reason": {"type": ["object", "null"]},
     "irregularities": many(FREE)},
    "verdict", "reason", "irregularities",
)  # fmt: skip
NEW_TABLE = thing(
    {"game": GAME, "options": FREE, "end": END, "seats": many(TEXT), "first_dealer": WHOLE,
     "carried": many(WHOLE), "group": {"type": ["string", "null"]}, "private": FLAG,
     "people": many(WHOLE_OR_NULL)},
    "game", "seats", "first_dealer",
)  # fmt: skip
TABLE_PARTS: Shape = {
    "code": TEXT, "version": WHOLE, "seats": many(TEXT), "first_dealer": WHOLE, "carried": many(WHOLE_OR_NULL),
    "created": TIME, "updated": TIME, "private": FLAG, "group": TEXT_OR_NULL, "people": many(WHOLE_OR_NULL),
    "previous": TEXT_OR_NULL, "next": TEXT_OR_NULL, "sealed": many(WHOLE), "choose_again": many(WHOLE),
    "links": FREE, "state": STATE,
}  # fmt: skip
TABLE = thing(TABLE_PARTS, *TABLE_PARTS)
OPENED = thing(TABLE_PARTS | {"token": TEXT}, *TABLE_PARTS, "token")
ROLE: Shape = {"enum": ["scorekeeper", "player", "spectator"]}
LINK_PARTS: Shape = {
    "id": WHOLE, "role": ROLE, "seat": WHOLE_OR_NULL, "name": TEXT, "created": TIME, "own": FLAG,
}  # fmt: skip
LINK = thing(LINK_PARTS, *LINK_PARTS)
LINKS = thing({"links": many(LINK)}, "links")
MADE_LINK = thing(LINK_PARTS | {"token": TEXT, "url": TEXT}, *LINK_PARTS, "token", "url")
COMPANY = thing(
    {"seats": many(TEXT), "from": many(WHOLE_OR_NULL), "first_dealer": WHOLE_OR_NULL,
     "newcomer": {"enum": ["zero", "lowest"]}},
    "seats", more=False,
)  # fmt: skip
EVENT = ref("Event")
SEALED = thing({"type": TEXT, "sealed": FLAG}, "type", "sealed")
EVENTS: Shape = {
    "oneOf": [EVENT, SEALED, thing({"events": many(EVENT), "sealed": FALSE}, "events", more=False)],
    "description": "One event, one that lies face down or not as `sealed` says, or several.",
}
RECORDED = thing(
    {"version": WHOLE, "ruling": RULING, "rulings": many(RULING), "state": CHANGED, "sealed": many(WHOLE),
     "choose_again": many(WHOLE)},
    "version", "state", "sealed", "choose_again",
)  # fmt: skip
UNDONE = thing({"version": WHOLE, "state": CHANGED}, "version", "state")
POSITION: Shape = {
    "oneOf": [many(WHOLE), {"type": "null"}],
    "description": "Where it stands in the record: hand and event, both from 0; null where it does not.",
}
WHO = thing({"role": TEXT, "seat": WHOLE_OR_NULL, "name": TEXT}, "role", "seat", "name", more=False)
ENTRY = thing(
    {"position": POSITION, "who": WHO,
     "seq": WHOLE, "hand": WHOLE, "event": {"oneOf": [EVENT, {"type": "null"}]}, "amends": WHOLE_OR_NULL,
     "amended_by": WHOLE_OR_NULL, "reason": TEXT, "by": TEXT, "at": TIME,
     "hidden": {"type": ["object", "null"]}},
    "seq", "position", "hand", "event", "amends", "amended_by", "reason", "by", "who", "at",
)  # fmt: skip
BEFORE_AFTER: Shape = {"before": {}, "after": {}}
CHANGES = thing(
    {"tricks": many(thing({"hand": WHOLE, "trick": WHOLE} | BEFORE_AFTER, "hand", "trick", "before", "after")),
     "scores": many(thing({"hand": WHOLE, "seat": WHOLE} | BEFORE_AFTER, "hand", "seat", "before", "after")),
     "totals": many(thing({"seat": WHOLE} | BEFORE_AFTER, "seat", "before", "after")),
     "irregularities": many(thing({"hand": WHOLE} | BEFORE_AFTER, "hand", "before", "after")),
     "winners": {"oneOf": [thing(BEFORE_AFTER, "before", "after"), {"type": "null"}]}},
    "tricks", "scores", "totals", "irregularities", "winners",
)  # fmt: skip
LATER = thing(
    {"seq": WHOLE_OR_NULL, "hand": WHOLE, "event": WHOLE, "verdict": {"enum": ["irregular", "impossible"]},
     "reason": FREE},
    "seq", "hand", "event", "verdict", "reason",
)  # fmt: skip
MOVED = many(
    thing(
        {"seq": WHOLE, "hand": WHOLE, "event": WHOLE, "trick": WHOLE_OR_NULL, "cards": many(TEXT), "from": WHOLE,
         "to": WHOLE},
        "seq", "hand", "event", "trick", "cards", "from", "to",
    )
)  # fmt: skip
RULING_OR_NULL: Shape = {"oneOf": [RULING, {"type": "null"}]}
DRY_RUN = thing(
    {"version": WHOLE, "dry_run": TRUE, "changes": CHANGES, "moved": MOVED, "ruling": RULING_OR_NULL,
     "later": {"oneOf": [LATER, {"type": "null"}]}},
    "version", "dry_run", "changes", "moved", "ruling", "later",
)  # fmt: skip
AMENDED = thing(
    {"version": WHOLE, "changes": CHANGES, "moved": MOVED, "ruling": RULING_OR_NULL, "state": CHANGED},
    "version", "changes", "moved", "ruling", "state",
)  # fmt: skip
LOG = thing({"version": WHOLE, "events": many(ENTRY), "next": TEXT_OR_NULL}, "version", "events", "next")
RECORD = thing({"format": TEXT, "game": GAME, "hands": many(FREE)}, "format", "game", "hands")
RECORD_TO_IMPORT = thing(
    {"format": {"const": "table-record/1"}, "game": GAME, "options": FREE, "end": END, "seats": many(TEXT),
     "first_dealer": WHOLE, "carried": many(WHOLE), "hands": many(FREE)},
    "game", "seats", "first_dealer",
)  # fmt: skip
TO_IMPORT: Shape = {"oneOf": [RECORD_TO_IMPORT, thing({"text": TEXT}, "text", more=False)]}
PROBLEM = thing(
    {"type": TEXT, "title": TEXT, "status": WHOLE, "detail": TEXT, "code": TEXT, "errors": many(FREE),
     "ruling": RULING},
    "type", "title", "status", "detail", "code",
)  # fmt: skip

CONFIRMED = thing(
    {"hand": WHOLE, "confirmed": many(thing({"seat": WHOLE, "at": TIME}, "seat", "at", more=False))},
    "hand", "confirmed", more=False,
)  # fmt: skip
HAND_INDEX = OpenApiParameter(
    "number", {"type": "integer", "minimum": 1}, OpenApiParameter.PATH, description="The number of the hand, from 1."
)
LINK_ID = OpenApiParameter(
    "number", {"type": "integer", "minimum": 1}, OpenApiParameter.PATH, description="The id of the link."
)
CODE = OpenApiParameter("code", str, OpenApiParameter.PATH, description="The code of the table.")
OTHER_RULES = OpenApiParameter(
    "options",
    {"type": "object", "additionalProperties": {"type": "string"}},
    description="The options that are to be others, each a parameter of its own: `ties=early`.",
    style="form",
    explode=True,
)
HAND = OpenApiParameter(
    "number", {"type": "integer", "minimum": 1}, OpenApiParameter.PATH, description="The number of the hand, from 1."
)
AUDIT: Shape = {"$ref": "#/components/schemas/Audit"}
WHAT_IF: Shape = {"$ref": "#/components/schemas/WhatIf"}
AS = OpenApiParameter("as", {"type": "string", "enum": ["json", "text", "csv"]}, description="Instead of `Accept`.")
IF_MATCH = OpenApiParameter(
    "If-Match", str, OpenApiParameter.HEADER, description="The version that the caller has seen, in quotes."
)
IF_NONE_MATCH = OpenApiParameter(
    "If-None-Match", str, OpenApiParameter.HEADER, description="The version that the caller has, in quotes."
)
HEX = "[0-9a-fA-F]"
KEY = OpenApiParameter(
    "Idempotency-Key",
    # As a pattern: clients made of a format send an object, which no header holds.
    {"type": "string", "pattern": f"^{HEX}{{8}}-{HEX}{{4}}-{HEX}{{4}}-{HEX}{{4}}-{HEX}{{12}}$"},
    OpenApiParameter.HEADER,
    description="A UUID. The same key and body again returns the first answer and records nothing.",
)
MEANINGS = {
    400: "Malformed.",
    401: "A token is needed.",
    403: "This link does not allow it.",
    404: "There is no such table.",
    406: "There is no such format.",
    409: "The table is not in a state for it.",
    412: "The table has moved on; the problem holds its state.",
    413: "The body is too large.",
    415: "The body is neither JSON nor text.",
    422: "Well-formed, but it cannot be.",
    429: "Too many requests; Retry-After says when to come back.",
}


def json(description: str, shape: Shape) -> OpenApiResponse:
    """Document an answer."""
    return OpenApiResponse(shape, description)


def empty(description: str) -> OpenApiResponse:
    """Document an answer without a body."""
    return OpenApiResponse(None, description)


def problem(description: str) -> OpenApiResponse:
    """Return the response that documents one of the problems of RFC 9457."""
    return OpenApiResponse(PROBLEM, description)


def problems(*statuses: int) -> dict[tuple[int, str] | int, OpenApiResponse]:
    """Document problems by their usual meaning."""
    return {(status, PROBLEM_TYPE): problem(MEANINGS[status]) for status in statuses}


TOKEN_HELPS = {"get_table", "get_log", "get_record", "get_asks", "open_table"}
"""What the code of a table opens, unless the table is private; and opening a table, for oneself or in a group."""
BODY_MAY_BE_MISSING = {"undo", "change_table"}


def allow_missing_bodies(result: Shape, **_: object) -> Shape:
    """Say of the calls that ask for nothing in particular that they need no body, and of some that a token helps."""
    for path in result["paths"].values():
        for operation in path.values():
            if operation.get("operationId") in TOKEN_HELPS:
                operation["security"] = [{"token": []}, {}]
            if operation.get("operationId") in BODY_MAY_BE_MISSING:
                operation["requestBody"].pop("required", None)
    return result
