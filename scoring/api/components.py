"""The schema's last hand: every shape of the tables' API is a component with a name, and answers tell their headers."""

import json
import re
from collections.abc import Iterator
from typing import Any

from django.urls import resolve

from scoring.api import archives, ask_schema, exports, group_history, group_schema, schema
from scoring.api.access import TableAPIView
from scoring.api.schema import Shape

COMPONENTS: dict[str, Shape] = {
    "Table": schema.TABLE, "OpenedTable": schema.OPENED, "NewTable": schema.NEW_TABLE,
    "ChangedState": schema.CHANGED, "Ruling": schema.RULING, "Recorded": schema.RECORDED,
    "CardsNamed": schema.CARDS_NAMED, "Undone": schema.UNDONE, "EventsToRecord": schema.EVENTS, "Log": schema.LOG,
    "LogEntry": schema.ENTRY, "LogWriter": schema.WHO, "Link": schema.LINK, "NewLink": schema.MADE_LINK,
    "Links": schema.LINKS, "Company": schema.COMPANY, "Changes": schema.CHANGES, "LaterEvent": schema.LATER,
    "Amended": schema.AMENDED, "TableWithLog": schema.TABLE_LOG, "LoggedRow": schema.LOGGED_ROW,
    "RecordToImport": schema.TO_IMPORT,
    "TableProblem": schema.PROBLEM,
    "Asks": ask_schema.ASKS, "Ask": ask_schema.ASK, "AskField": ask_schema.FIELD, "AskChoices": ask_schema.MARKED,
    "Person": group_schema.PERSON, "People": group_schema.PEOPLE, "Group": group_schema.GROUP,
    "NewGroup": group_schema.NEW_GROUP, "GroupLink": group_schema.LINK, "LinksToGroup": group_schema.LINKS,
    "NewGroupLink": group_schema.MADE_LINK, "RecoverySince": group_schema.RECOVERY_SINCE,
    "GroupRecovery": group_schema.RECOVERY, "NewRecoveryCode": group_schema.MADE_RECOVERY,
    "RecoveredGroup": group_schema.RECOVERED, "ImportProgress": archives.COMING,
    "GroupTable": group_schema.TABLE_OF_GROUP, "GroupTables": group_schema.TABLES, "Evening": group_schema.EVENING,
    "Evenings": group_schema.EVENINGS, "PersonPresent": group_schema.PRESENT, "Season": group_schema.SEASON,
    "PersonInSeason": group_schema.IN_SEASON, "PersonAtGame": group_schema.OF_A_GAME,
    "Statistics": group_schema.STATISTICS, "PersonStatistics": group_schema.MADE, "PairStatistics": group_schema.PAIR,
    "Streak": group_schema.STREAK, "GroupRecords": group_schema.RECORDS, "BestHand": group_schema.BEST_HAND,
    "ClosestGame": group_schema.CLOSEST_GAME, "Feat": group_schema.FEAT, "BidStatistics": group_schema.BIDS,
    "Rating": group_schema.RATING, "Ratings": group_schema.RATINGS, "RatingMoment": group_schema.MOMENT,
    "PersonNamed": group_schema.NAMED, "HandStatistics": group_schema.HANDS,
    "HandsByScore": group_schema.HANDS_BY_SCORE, "HandsByBid": group_schema.HANDS_BY_BID, "TwoPeople": group_schema.TWO,
    "TwoPeopleAtGame": group_schema.TWO_AT_GAME, "SeasonWhatIf": group_schema.SEASON_WHAT_IF,
    "TableThenNow": group_schema.LAID, "PersonThenNow": group_schema.PERSON_THEN_NOW,
    "SeasonProgress": group_schema.PROGRESS, "NumberThenNow": group_schema.SUMS, "SeatsThenNow": group_schema.THEN_NOW,
    "Precedent": group_schema.PRECEDENT, "Precedents": group_schema.PRECEDENTS,
    "DisputeAtTable": group_schema.OF_A_DISPUTE, "RulingOfGroup": group_history.CASE,
    "RulingsOfGroup": group_history.CASES, "BgStats": exports.PLAY, "BgStatsPlay": exports.PLAYED,
    "BgStatsPlayer": exports.PLAYER, "BgStatsGame": exports.GAME,
    "Reading": schema.READING, "Readings": schema.READINGS, "NewReading": schema.MADE_READING,
    "LinkRole": schema.ROLE, "GroupRole": group_schema.ROLE, "DisputeState": schema.DISPUTE_STATE,
    "WhoRules": schema.WHO_RULES, "SeatAgreed": schema.AGREED, "Confirmation": schema.CONFIRMED,
    "Dispute": schema.DISPUTE,
    "Disputes": schema.DISPUTES, "DisputeAbout": schema.ABOUT, "DisputeWords": schema.STATEMENT,
    "DisputeVote": schema.VOTE,
    "DisputeRuling": schema.DISPUTE_RULING, "DisputeEvidence": schema.EVIDENCE, "DisputeInFull": schema.DISPUTE_IN_FULL,
    "DisputeDone": schema.DISPUTE_ACT, "TrickResult": schema.TRICK_RESULT, "TrickChange": schema.TRICK_CHANGE,
    "ScoreChange": schema.SCORE_CHANGE, "TotalChange": schema.TOTAL_CHANGE, "FindingChange": schema.FINDING_CHANGE,
    "WinnersChange": schema.WINNERS_CHANGE, "MovedEntry": schema.MOVED, "SecretChoices": schema.CHOOSING,
    "TableAddresses": schema.ADDRESSES, "GroupAddresses": group_schema.ADDRESSES, "DisputesOpen": schema.OPEN_DISPUTES,
    "WrittenText": schema.AS_TEXT, "WrittenCells": schema.AS_CELLS, "HandAsDealt": schema.DEALT,
    "HandAgreed": schema.HAND_AGREED, "RuledBy": schema.RULED_BY,

    "AskHand": ask_schema.HAND, "AskCount": ask_schema.COUNT,
}  # fmt: skip
"""What has a name; wherever one of these stands, a reference to it is put."""


def name_components(result: Shape, **_: object) -> Shape:
    """Put references in the place of the shapes that have a name (a postprocessing hook of drf-spectacular)."""
    named: dict[str, str] = {}
    schemas = result["components"]["schemas"]
    for name, shape in sorted(COMPONENTS.items(), key=lambda each: len(_text(each[1]))):
        inner = _named(shape, named)
        named[_text(inner)] = f"#/components/schemas/{name}"
        schemas[name] = inner
    result["paths"] = _named(result["paths"], named)
    return result


def _text(shape: object) -> str:
    return json.dumps(shape, sort_keys=True, default=str)


def _named(shape: Any, named: dict[str, str]) -> Any:
    """Return a schema with references to what has a name, from the innermost out."""
    if isinstance(shape, list | tuple):
        return [_named(each, named) for each in shape]
    if not isinstance(shape, dict):
        return shape
    inner = {key: _named(value, named) for key, value in shape.items()}
    if not {"type", "oneOf", "anyOf"} & inner.keys():
        return inner
    described = {key: value for key, value in inner.items() if key == "description"}
    bare = {key: value for key, value in inner.items() if key not in described}
    if whole := named.get(_text(inner)):
        return {"$ref": whole}
    return {"$ref": named[_text(bare)], **described} if _text(bare) in named else inner


def drop_odd_defaults(result: Shape, **_: object) -> Shape:
    """Leave out defaults that are none of the values there are, such as a filter that is not set."""
    level: list[Any] = [result["paths"], result["components"]["schemas"]]
    while level:
        for each in level:
            if isinstance(each, dict) and _is_odd(each):
                del each["default"]
        holders = [each.values() if isinstance(each, dict) else each for each in level]
        level = [inner for held in holders for inner in held if isinstance(inner, dict | list)]
    return result


def _is_odd(shape: Shape) -> bool:
    """Return whether a schema has a default that it does not allow itself."""
    default = shape.get("default")
    return isinstance(default, str) and (
        default not in shape.get("enum", [default]) or len(default) < shape.get("minLength", 0)
    )


PRESENCE = {
    "name": "presence", "in": "query", "schema": {"type": "string", "enum": ["1"]},
    "description": "1: also `presence`, who is connected, now and whenever it changes.",
}  # fmt: skip
STREAM = (
    "Server-sent events: `changed` with the version, at once and whenever there is a newer one, whose `id` is that "
    "version; `revoked` when the right to read has ended. A comment every 15 seconds keeps the connection open."
)


def describe_streams(result: Shape, **_: object) -> Shape:
    """Describe the streams, which are no views of the framework (a postprocessing hook of drf-spectacular)."""
    for tag, code in (("tables", schema.CODE), ("groups", group_schema.CODE)):
        stream = {"text/event-stream": {"schema": TEXT}}
        problem = {"content": {schema.PROBLEM_TYPE: {"schema": {"$ref": "#/components/schemas/TableProblem"}}}}
        refusals = {str(status): problem | {"description": schema.MEANINGS[status]} for status in (401, 404, 429, 503)}
        result["paths"][f"/api/v1/{tag}/{{code}}/stream/"] = {
            "get": {
                "operationId": f"stream_{tag.removesuffix('s')}",
                "summary": f"Be told when the {tag.removesuffix('s')} changes",
                "description": STREAM,
                "tags": [tag],
                "parameters": [
                    {
                        "name": "code",
                        "in": "path",
                        "required": True,
                        "schema": TEXT,
                        "description": code.description,
                    },
                    *([PRESENCE] if tag == "tables" else []),
                ],
                "security": [{"token": []}, {}] if tag == "tables" else [{"token": []}],
                "responses": {"200": {"description": "The stream", "content": stream}, **refusals},
            }
        }
    result["paths"] = dict(sorted(result["paths"].items()))
    return result


def tell_usual_answers(result: Shape, **_: object) -> Shape:
    """Say what any operation of its sort may answer (a postprocessing hook of drf-spectacular)."""
    for path, operations in result["paths"].items():
        kept = path.startswith(KEPT)
        for method, operation in operations.items():
            writes = "requestBody" in operation or method == "delete"
            usual = [400, 406, 429] + ([503] if kept else []) + ([413, 415] if writes else [])
            shape = {"$ref": f"#/components/schemas/{'TableProblem' if kept else 'Problem'}"}
            content = {schema.PROBLEM_TYPE: {"schema": shape}}
            if path in ("/api/v1/tables/{code}/", "/api/v1/groups/{code}/"):
                usual.append(405)
            if kept and method == "get":
                usual.append(401)
            elif kept and "{code}" in path:
                usual.append(412)
                known = operation.setdefault("parameters", [])
                if not any(each["name"] == "If-Match" for each in known):
                    known.append(IF_MATCH)
            answers = {str(status): {"content": content, "description": schema.MEANINGS[status]} for status in usual}
            if method == "get" and not path.endswith(UNTAGGED):
                answers["304"] = {"description": "Nothing has changed."}
                operation.setdefault("parameters", []).append(IF_NONE_MATCH)
            operation["responses"] = dict(sorted((answers | operation["responses"]).items()))
    return result


TEXT = {"type": "string"}
KEPT = ("/api/v1/tables/", "/api/v1/groups/")
UNTAGGED = ("/stream/", "/archive/")
IF_MATCH = {
    "name": "If-Match", "in": "header", "schema": schema.IF_MATCH.type, "description": schema.IF_MATCH.description,
}  # fmt: skip
IF_NONE_MATCH = {
    "name": "If-None-Match", "in": "header", "schema": TEXT, "description": "The tag that the caller has, in quotes.",
}  # fmt: skip
HEADERS: dict[str, Shape] = {
    "ETag": {
        "description": "The version, or a tag of the content, for `If-Match` and `If-None-Match`.", "schema": TEXT,
        "required": True,
    },
    "Location": {
        "description": "Where it is from now on.", "schema": {"type": "string", "format": "uri-reference"},
        "required": True,
    },
    "Link": {"description": 'Where the list goes on, with `rel="next"`; not on its last part.', "schema": TEXT},
    "Retry-After": {
        "description": "In how many seconds to ask again.", "schema": {"type": "integer", "minimum": 0},
        "required": True,
    },
    "Idempotent-Replayed": {
        "description": "`true` where the first answer is given again.", "schema": {"type": "string", "enum": ["true"]},
    },
    "RateLimit-Policy": {
        "description": 'Limits that count for the caller, such as `"writes";q=600;w=60`: so many in so many seconds.',
        "schema": TEXT,
    },
    "RateLimit": {
        "description": 'What is left of them, such as `"writes";r=598;t=41`, and for how many seconds.', "schema": TEXT,
    },
    "X-Request-Id": {
        "description": "The id of the request, which the log has, too.", "schema": TEXT, "required": True,
    },
}  # fmt: skip
"""What an answer carries; what is required is on every answer that tells it."""
OPENS = {"open_table", "import_record", "continue_table", "create_group", "import_group", "recover_group"}
VERSIONED = {
    *OPENS, "get_table", "change_table", "get_asks", "record_events", "undo", "amend", "carry_out_guide",
    "raise_dispute", "rule_on_dispute", "agree_on_dispute", "withdraw_dispute", "pause_for_dispute",
    "carry_out_ruling", "get_group", "change_group",
}  # fmt: skip
"""What answers with the version of a table or a group."""
WITH_VERSION = ("200", "201", "304")


def tell_headers(result: Shape, **_: object) -> Shape:
    """Say which headers an answer carries (a postprocessing hook of drf-spectacular)."""
    for path, operations in result["paths"].items():
        view = getattr(resolve(re.sub(r"\{[^}]*\}", "1", path)).func, "view_class", None)
        for method, operation in operations.items():
            for status, answer in operation["responses"].items():
                names = ["X-Request-Id", *_headers(operation, status, method == "get", view)]
                answer["headers"] = {name: HEADERS[name] for name in HEADERS if name in names}
    return result


def _headers(operation: Shape, status: str, reads: bool, view: Any) -> Iterator[str]:
    """Yield what an answer of a view carries beside its id."""
    name, names = operation["operationId"], {each["name"] for each in operation.get("parameters", ())}
    done = status.startswith("2")
    at_table = view is not None and issubclass(view, TableAPIView)
    tagged = "If-None-Match" in names
    if (status in WITH_VERSION and (tagged or name in VERSIONED)) or status == "412":
        yield "ETag"
    if status == "201" and (name in OPENS or "disputes" in operation["tags"]):
        yield "Location"
    if status in ("429", "503"):
        yield "Retry-After"
    if done and "Idempotency-Key" in names:
        yield "Idempotent-Replayed"
    if done and reads and "limit" in names:
        yield "Link"
    if (at_table and not reads) or getattr(view, "opens", False) or getattr(view, "costly", False):
        yield from ("RateLimit-Policy", "RateLimit")
