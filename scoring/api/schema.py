"""What the tables' API takes and gives, for the schema. The rules of an event stand in the referee's part."""

from typing import Any

from drf_spectacular.utils import OpenApiParameter, OpenApiResponse

from referee.api.parameters import NamedParameters
from referee.api.problems import DescribedProblem
from referee.api.schemas.record import PLAYERS
from referee.engine.catalogue import all_games
from referee.engine.shapes import TIME, number, object_of, one_of, ref
from referee.engine.sheet import DescribedTable
from scoring.models import DisputeState, Role
from scoring.queries.disputes import WHO_MAY_RULE

PROBLEM_TYPE = "application/problem+json"
PROBLEM_OF_REFEREE = object_of(DescribedProblem, {})
LINKS_OF_TABLE = (
    "events", "asks", "undo", "amendments", "record", "disputes", "links", "readings", "continue", "stream",
)  # fmt: skip
"""What stands below the address of a table."""
Shape = dict[str, Any]


def thing(properties: Shape, *required: str, more: bool = True) -> Shape:
    """Return the schema of an object: the ``required`` keys are there, ``more`` may be later."""
    shape: Shape = {"type": "object", "properties": properties} | ({} if more else {"additionalProperties": False})
    return shape | ({"required": list(required)} if required else {})


def taken(properties: Shape, *required: str) -> Shape:
    """Return the schema of a body: other keys are refused, save those that begin with ``x_``."""
    return thing(properties, *required, more=False) | {"patternProperties": {"^x_": {}}}


def or_null(shape: Shape) -> Shape:
    """Return the schema of what may also be null."""
    return {"oneOf": [shape, {"type": "null"}]}


def many(shape: Shape) -> Shape:
    """Return the schema of an array whose items all look alike."""
    return {"type": "array", "items": shape}


def addresses(*names: str) -> Shape:
    """Return the schema of the addresses of something, by what is there."""
    return thing({name: {"type": "string", "format": "uri-reference"} for name in names}, *names)


STANDING = {key: shape for key, shape in object_of(DescribedTable, {})["properties"].items() if key != "options_now"}
WHOLE: Shape = {"type": "integer"}
TEXT: Shape = {"type": "string"}
GAME: Shape = ref("GameId")
FLAG: Shape = {"type": "boolean"}
PLAIN = ref("PlainValue")
BY_NAME: Shape = {"type": "object", "additionalProperties": PLAIN}
# Not as constants: clients are made of this by tools that write them down wrong.
TRUE: Shape = {"type": "boolean", "description": "Always true."}
FALSE: Shape = {"type": "boolean", "description": "Only false."}
TEXT_OR_NULL: Shape = {"type": ["string", "null"]}
TOKEN: Shape = TEXT_OR_NULL | {
    "description": "Shown this once; null where the request is sent again ten minutes later."
}
WHOLE_OR_NULL: Shape = {"type": ["integer", "null"]}
END = ref("End")
STATE = ref("Adjudication")
REASON = ref("Reason")
REASON_OR_NULL = or_null(REASON)
CHANGED = thing(
    {"hand": or_null(ref("Hand")), "options_now": ref("Options"), **STANDING},
    "hand", *STANDING,
)  # fmt: skip
RULING = thing(
    {"verdict": ref("Verdict"), "reason": REASON_OR_NULL, "irregularities": many(ref("Irregularity"))},
    "verdict", "reason", "irregularities",
)  # fmt: skip
NEW_TABLE = taken(
    {"game": GAME, "options": ref("Options"), "end": END, "seats": PLAYERS, "first_dealer": ref("Seat"),
     "carried": many(number()), "hands_before": WHOLE, "group": {"type": ["string", "null"]}, "private": FLAG,
     "people": many(WHOLE_OR_NULL), "time_zone": TEXT_OR_NULL},
    "game", "seats", "first_dealer",
)  # fmt: skip
OPEN_DISPUTES = thing({"open": many(WHOLE), "paused": many(WHOLE)}, "open", "paused", more=False)
ADDRESSES = addresses("self", *LINKS_OF_TABLE, "page")
WHO_RULES: Shape = one_of(WHO_MAY_RULE, "Who decides disputes.")
TABLE_PARTS: Shape = {
    "code": TEXT, "version": WHOLE, "seats": many(TEXT), "first_dealer": WHOLE, "carried": many(WHOLE_OR_NULL),
    "hands_before": WHOLE,
    "created": TIME, "updated": TIME, "time_zone": TEXT, "private": FLAG, "rules_by": WHO_RULES,
    "referee": WHOLE_OR_NULL, "shares_rulings": FLAG,
    "disputes": OPEN_DISPUTES,
    "group": TEXT_OR_NULL, "people": many(WHOLE_OR_NULL),
    "previous": TEXT_OR_NULL, "next": TEXT_OR_NULL, "sealed": many(WHOLE), "choose_again": many(WHOLE),
    "links": ADDRESSES, "state": STATE,
}  # fmt: skip
TABLE = thing(TABLE_PARTS, *TABLE_PARTS)
OPENED = thing(TABLE_PARTS | {"token": TOKEN, "columns_passed_over": many(TEXT)}, *TABLE_PARTS, "token")
ROLE: Shape = one_of(Role.values, "What a link allows: to keep the score, to record for a seat, to look on.")
LINK_PARTS: Shape = {
    "id": WHOLE, "role": ROLE, "seat": WHOLE_OR_NULL, "name": TEXT, "created": TIME, "own": FLAG,
}  # fmt: skip
LINK = thing(LINK_PARTS, *LINK_PARTS)
LINKS = thing({"links": many(LINK), "next": TEXT_OR_NULL}, "links", "next")
READING_PARTS: Shape = {"id": WHOLE, "hand": WHOLE_OR_NULL, "created": TIME}
READING = thing(READING_PARTS, *READING_PARTS)
READINGS = thing({"readings": many(READING), "next": TEXT_OR_NULL}, "readings", "next")
MADE_READING = thing(READING_PARTS | {"token": TOKEN, "url": TEXT_OR_NULL}, *READING_PARTS, "token", "url")
MADE_LINK = thing(LINK_PARTS | {"token": TOKEN, "url": TEXT_OR_NULL}, *LINK_PARTS, "token", "url")
COMPANY = thing(
    {"seats": many(TEXT), "people": many(WHOLE_OR_NULL), "from": many(WHOLE_OR_NULL), "first_dealer": WHOLE_OR_NULL,
     "newcomer": one_of(["zero", "lowest"], "Where the total of somebody new begins."),
     "options": ref("Options") | {"description": "House rules that are others from now on."}},
    "seats", more=False,
)  # fmt: skip
EVENT = ref("Event")
SEALED = thing({"type": TEXT, "sealed": FLAG}, "type", "sealed")
# Programs that make clients of this read the properties only, and send `events`; the rest says what else is taken.
EVENTS: Shape = {
    "type": "object",
    "properties": {
        "events": many(EVENT) | {"minItems": 1},
        "sealed": FLAG | {"description": "Whether a secret choice lies face down until the last one is in."},
    },
    "if": {"required": ["events"], "properties": {"events": {}}},
    "then": thing({"events": {}, "sealed": {}}, more=False),
    "else": {"anyOf": [EVENT, SEALED]},
    "description": "Events, all of which are recorded or none; or one event by itself, with or without `sealed`.",
}
CARDS_NAMED = thing({"fits": {"type": ["boolean", "null"]}, "reasons": many(REASON)}, "fits", "reasons")
NAMED: Shape = or_null(CARDS_NAMED) | {
    "description": "What cards put together are called, and whether they could be played now."
}
TRICK_RESULT = thing(
    {"winner": WHOLE_OR_NULL, "points": {"type": "object", "additionalProperties": WHOLE}}, "winner", "points"
)
FINDING = or_null(ref("Irregularity"))


def changed(shape: Shape, **where: Shape) -> Shape:
    """Return the schema of something before and after, and of ``where`` it is."""
    parts = where | {"before": shape, "after": shape}
    return thing(parts, *parts)


TRICK_CHANGE = changed(or_null(TRICK_RESULT), hand=WHOLE, trick=WHOLE)
SCORE_CHANGE = changed(WHOLE_OR_NULL, hand=WHOLE, seat=WHOLE)
TOTAL_CHANGE = changed(WHOLE_OR_NULL, seat=WHOLE)
FINDING_CHANGE = changed(FINDING, hand=WHOLE)
WINNERS_CHANGE = changed(many(WHOLE))
CHANGES = thing(
    {"tricks": many(TRICK_CHANGE), "scores": many(SCORE_CHANGE), "totals": many(TOTAL_CHANGE),
     "irregularities": many(FINDING_CHANGE), "winners": or_null(WINNERS_CHANGE)},
    "tricks", "scores", "totals", "irregularities", "winners",
)  # fmt: skip
LATER = thing(
    {"seq": WHOLE_OR_NULL, "hand": WHOLE, "event": WHOLE, "verdict": ref("RefusingVerdict"),
     "reason": REASON_OR_NULL},
    "seq", "hand", "event", "verdict", "reason",
)  # fmt: skip
LATER_TABLE_PARTS: Shape = {
    "code": TEXT_OR_NULL, "seats": many(TEXT), "totals": many(TOTAL_CHANGE), "winners": or_null(WINNERS_CHANGE),
    "later": or_null(LATER),
}  # fmt: skip
LATER_TABLES: Shape = many(thing(LATER_TABLE_PARTS, *LATER_TABLE_PARTS)) | {
    "description": "What changes at the tables at which the game went on, the first one first."
}
RECORDED = thing(
    {"version": WHOLE, "ruling": RULING, "rulings": many(RULING), "state": CHANGED, "sealed": many(WHOLE),
     "choose_again": many(WHOLE), "dry_run": TRUE, "named": NAMED, "tables": LATER_TABLES},
    "version", "state", "sealed", "choose_again",
)  # fmt: skip
UNDONE = thing(
    {"version": WHOLE, "state": CHANGED, "sealed": many(WHOLE), "choose_again": many(WHOLE), "dry_run": TRUE,
     "named": NAMED},
    "version", "state", "sealed", "choose_again",
)  # fmt: skip
POSITION: Shape = {
    "oneOf": [many(WHOLE), {"type": "null"}],
    "description": "Where it stands in the record: hand and event, both from 0; null where it does not.",
}
WHO = thing(
    {"role": TEXT | {"description": "`scorekeeper`, `player`, or what else wrote it."}, "seat": WHOLE_OR_NULL,
     "name": TEXT},
    "role", "seat", "name",
)  # fmt: skip
CARRIED_CHANGE = thing({"before": many(WHOLE), "after": many(WHOLE)}, "before", "after")
CHOOSING = thing(
    {"seat": WHOLE_OR_NULL | {"description": "Whose choice it was."}, "chosen": many(WHOLE), "again": many(WHOLE),
     "confirmed": WHOLE | {"description": "The hand that the seat has agreed with, from 1."},
     "carried": CARRIED_CHANGE | {"description": "An earlier table was corrected: what this one begins with."}},
)  # fmt: skip
ENTRY = thing(
    {"position": POSITION, "who": WHO,
     "seq": WHOLE, "hand": WHOLE, "event": {"oneOf": [EVENT, {"type": "null"}]}, "amends": WHOLE_OR_NULL,
     "amended_by": WHOLE_OR_NULL, "reason": TEXT, "by": TEXT, "at": TIME,
     "hidden": or_null(CHOOSING)},
    "seq", "position", "hand", "event", "amends", "amended_by", "reason", "by", "who", "at",
)  # fmt: skip
MOVED_PARTS: Shape = {
    "seq": WHOLE, "hand": WHOLE, "event": WHOLE, "trick": WHOLE_OR_NULL, "cards": many(TEXT), "from": WHOLE,
    "to": WHOLE,
}  # fmt: skip
MOVED = thing(MOVED_PARTS, *MOVED_PARTS)
RULING_OR_NULL = or_null(RULING)
SEATING = many(ref("Seat"))
RESEATED_PARTS: Shape = {"hand": WHOLE, "before": SEATING, "after": SEATING}
RESEATED = thing(RESEATED_PARTS, *RESEATED_PARTS)
AMENDED_PARTS: Shape = {
    "version": WHOLE, "changes": CHANGES, "moved": many(MOVED), "reseated": many(RESEATED), "ruling": RULING_OR_NULL,
    "tables": LATER_TABLES,
}  # fmt: skip
AMENDED = thing(
    AMENDED_PARTS
    | {"state": CHANGED | {"description": "Where it was done: what can have changed."},
       "dry_run": TRUE,
       "later": or_null(LATER) | {"description": "Dry run: the first later event that would no longer be taken."}},
    *AMENDED_PARTS,
)  # fmt: skip
LOG = thing({"version": WHOLE, "events": many(ENTRY), "next": TEXT_OR_NULL}, "version", "events", "next")
RECORD = ref("Record")
AS_TEXT = thing({"text": TEXT}, "text", more=False)
AS_CELLS = thing({"csv": TEXT}, "csv", more=False)
LOGGED_ROW_PARTS: Shape = {
    "seq": WHOLE, "hand": WHOLE, "place": WHOLE, "event": or_null(EVENT), "amends": WHOLE_OR_NULL,
    "amended_by": WHOLE_OR_NULL, "reason": TEXT, "by": TEXT, "at": TIME, "batch": WHOLE, "choosing": or_null(CHOOSING),
}  # fmt: skip
LOGGED_ROW = thing(LOGGED_ROW_PARTS, *LOGGED_ROW_PARTS, more=False)
OWN_KEYS: Shape = {"type": "object", "patternProperties": {"^x_": {}}, "additionalProperties": False}
DEALT_PARTS: Shape = {
    "number": WHOLE, "known": {"type": "object", "additionalProperties": many(TEXT)}, "extra": OWN_KEYS,
    "retired": WHOLE_OR_NULL,
}  # fmt: skip
HAND_AGREED_PARTS: Shape = {"scores": many(WHOLE), "seats": {"type": "object", "additionalProperties": WHOLE}}
HAND_AGREED = thing(HAND_AGREED_PARTS, *HAND_AGREED_PARTS, more=False)
RULED_BY = thing({"kind": TEXT}, more=False)
DEALT = thing(DEALT_PARTS, *DEALT_PARTS, more=False)
FULL_PARTS: Shape = {
    "format": {"type": "string", "enum": ["table-log/1"]},
    "id": TEXT | {"description": "Names the table without opening it, wherever it is brought."},
    "rules_version": WHOLE | {"description": "By which version of the game’s rules it was judged."},
    "game": GAME, "options": ref("Options"), "end": END, "seats": PLAYERS, "first_dealer": ref("Seat"),
    "carried": many(WHOLE), "extra": OWN_KEYS, "private": FLAG, "created": TIME, "updated": TIME,
    "evening": {"type": "string", "format": "date"}, "finished_at": or_null(TIME),
    "agreed": {"type": "object", "additionalProperties": HAND_AGREED},
    "log": many(LOGGED_ROW),
    "dealt": many(DEALT),
}  # fmt: skip
TABLE_LOG = thing(
    FULL_PARTS | {"hands_before": WHOLE, "ruled_by": RULED_BY, "shares_rulings": FLAG, "time_zone": TEXT},
    *FULL_PARTS,
    more=False,
)
RECORD_OR_LOG: Shape = {"oneOf": [RECORD, TABLE_LOG]}
TO_IMPORT: Shape = {"oneOf": [RECORD, TABLE_LOG, AS_TEXT, AS_CELLS]}
PROBLEM_MORE: Shape = {
    "version": WHOLE | {"description": "The version at which the table is."},
    "ruling": RULING | {"description": "409 and 422: what the referee says of the event."},
    "position": WHOLE | {"description": "Which of the events that were sent it is, from 0."},
    "hand": WHOLE | {"description": "Import: the hand of the event that is not taken, from 1."},
    "event": WHOLE | {"description": "Import: its place in that hand, from 0."},
    "later": or_null(LATER) | {"description": "Amending: the first later event that would no longer be taken."},
    "changes": CHANGES | {"description": "Amending: what it would have changed up to there."},
    "table": TEXT_OR_NULL | {"description": "Amending: the later table at which that event stands; null: private."},
    "next": TEXT_OR_NULL | {"description": "`already-continued`: where the game goes on; null: a private table."},
    "seq": WHOLE | {"description": "`already-amended`: the row of the log."},
    "amended_by": WHOLE | {"description": "`already-amended`: the row that amended it."},
    "state": STATE | {"description": "412: the table as it is now."},
}
PROBLEM = PROBLEM_OF_REFEREE | {
    "properties": PROBLEM_OF_REFEREE["properties"] | PROBLEM_MORE,
    "description": "An error (RFC 9457). What its code has to say beside `detail` are keys of their own.",
}

AGREED = thing({"seat": WHOLE, "at": TIME}, "seat", "at")
CONFIRMED = thing({"hand": WHOLE, "confirmed": many(AGREED)}, "hand", "confirmed")
DISPUTE_STATE: Shape = one_of(DisputeState.values, "What has become of it.")
ABOUT_PARTS: Shape = {"hand": WHOLE} | dict.fromkeys(("event", "trick", "score_line", "seq"), WHOLE_OR_NULL)
STATEMENT_PARTS: Shape = {"text": TEXT, "by": TEXT, "seat": WHOLE_OR_NULL, "at": TIME, "seq": WHOLE}
STATEMENT = thing(STATEMENT_PARTS, *STATEMENT_PARTS)
ANSWER_SO_FAR: Shape = {"description": "An answer on the way, small JSON of any kind; of a guide: question and answer."}
DISPUTE_RULING_PARTS: Shape = STATEMENT_PARTS | {
    "clauses": many(TEXT), "remedy": many(EVENT), "carried_out": FLAG, "tree": TEXT_OR_NULL,
    "answers": many(ANSWER_SO_FAR),
}  # fmt: skip
DISPUTE_RULING = thing(DISPUTE_RULING_PARTS, *DISPUTE_RULING_PARTS)
VOTE = thing(STATEMENT_PARTS | {"vote": DISPUTE_STATE}, *STATEMENT_PARTS, "vote")
ABOUT = thing(ABOUT_PARTS, "hand")
DISPUTE_PARTS: Shape = {
    "id": WHOLE, "state": DISPUTE_STATE, "about": ABOUT, "situation": TEXT, "paused": FLAG,
    "claim": TEXT, "seat": WHOLE_OR_NULL, "by": TEXT, "at": TIME, "seq": WHOLE,
    "votes": many(VOTE),
    "proposal": or_null(STATEMENT), "ruling": or_null(DISPUTE_RULING),
}  # fmt: skip
DISPUTE = thing(DISPUTE_PARTS, *DISPUTE_PARTS)
DISPUTES = thing(
    {"rules_by": WHO_RULES, "disputes": many(DISPUTE), "next": TEXT_OR_NULL}, "rules_by", "disputes", "next"
)
EVIDENCE_PARTS: Shape = {
    "event": or_null(EVENT), "trick": or_null(ref("Trick")), "score_line": or_null(ref("ScoreLine")),
    "findings": many(ref("Irregularity")), "unchecked": many(REASON), "held": FLAG,
}  # fmt: skip
EVIDENCE = thing(EVIDENCE_PARTS, *EVIDENCE_PARTS)
DISPUTE_IN_FULL = thing(DISPUTE_PARTS | {"record": EVIDENCE}, *DISPUTE_PARTS, "record")
DISPUTE_ACT = thing({"version": WHOLE, "dispute": DISPUTE}, "version", "dispute")
DISPUTE_ID = OpenApiParameter(
    "number", {"type": "integer", "minimum": 1}, OpenApiParameter.PATH, description="The number of the dispute, from 1."
)
HAND_INDEX = OpenApiParameter(
    "number", {"type": "integer", "minimum": 1}, OpenApiParameter.PATH, description="The number of the hand, from 1."
)
LINK_ID = OpenApiParameter(
    "number", {"type": "integer", "minimum": 1}, OpenApiParameter.PATH, description="The id of the link."
)
CODE = OpenApiParameter("code", str, OpenApiParameter.PATH, description="The code of the table.")
OTHER_RULES = NamedParameters(
    "options",
    "The options that are to be others, each a parameter of its own: `ties=early`.",
    names=lambda: {option.key for game in all_games() for option in game.all_options()},
)
HAND = OpenApiParameter(
    "number", {"type": "integer", "minimum": 1}, OpenApiParameter.PATH, description="The number of the hand, from 1."
)
AUDIT: Shape = {"$ref": "#/components/schemas/Audit"}
GUIDES: Shape = {"type": "array", "items": {"$ref": "#/components/schemas/Guide"}}
WHAT_IF: Shape = {"$ref": "#/components/schemas/WhatIf"}
AS = OpenApiParameter("as", {"type": "string", "enum": ["json", "text", "csv"]}, description="Instead of `Accept`.")
IF_MATCH = OpenApiParameter(
    "If-Match",
    {"type": "string", "pattern": r'^(\*|(W/)?"[0-9]{1,9}(-[0-9a-f]+)?")$'},
    OpenApiParameter.HEADER,
    description="The version that the caller has seen, in quotes.",
)
HEX = "[0-9a-fA-F]"
KEY = OpenApiParameter(
    "Idempotency-Key",
    # As a pattern: clients made of a format send an object, which no header holds.
    {"type": "string", "pattern": f"^{HEX}{{8}}-{HEX}{{4}}-{HEX}{{4}}-{HEX}{{4}}-{HEX}{{12}}$"},
    OpenApiParameter.HEADER,
    description="A random UUID. The same key and body again returns the first answer and records nothing.",
)
MEANINGS = {
    400: "Malformed.",
    401: "A token is needed.",
    403: "This link does not allow it.",
    404: "There is no such table.",
    405: "This is no code: another address is called so, and takes other methods.",
    406: "There is no such format.",
    409: "The table is not in a state for it.",
    412: "It has changed in the meantime; the problem holds the version, and of a table its state.",
    413: "The body is too large.",
    415: "The body is neither JSON nor text.",
    422: "Well-formed, but it cannot be.",
    429: "Too many requests; Retry-After says when to come back.",
    503: "The service cannot do this now; Retry-After says when to come back.",
}


def json(description: str, shape: Any) -> OpenApiResponse:
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


BODY_MAY_BE_MISSING = {
    "undo", "change_table", "confirm_hand", "carry_out_ruling", "make_group_recovery", "keep_score",
}  # fmt: skip


def tell_who_may(result: Shape, **_: object) -> Shape:
    """Say which calls need no body, and whom a token helps or does not.

    The code of a table opens it, unless the table is private; and tables are opened for oneself or in a group.
    """
    for path, operations in result["paths"].items():
        for method, operation in operations.items():
            opens = operation.get("operationId") == "open_table"
            reads = method == "get" and path.startswith("/api/v1/tables/{code}/") and not operation.get("security")
            if opens or reads:
                operation["security"] = [{"token": []}, {}]
            operation.setdefault("security", [])
            if operation.get("operationId") in BODY_MAY_BE_MISSING:
                operation["requestBody"].pop("required", None)
    return result
