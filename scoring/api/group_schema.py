"""What the groups' API gives, for the schema."""

from collections.abc import Callable
from typing import Any

from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema

from referee.engine.shapes import TIME, one_of, ref
from scoring.api.schema import (
    BY_NAME,
    FLAG,
    PLAIN,
    TEXT,
    TEXT_OR_NULL,
    TOKEN,
    WHOLE,
    WHOLE_OR_NULL,
    Shape,
    addresses,
    many,
    or_null,
    problems,
    thing,
)
from scoring.models import GroupRole

DAY: Shape = {"type": "string", "format": "date"}
TIME_OR_NULL: Shape = {"type": ["string", "null"], "format": "date-time"}
WHOLES_OR_NULL: Shape = {"type": ["array", "null"], "items": WHOLE}
PERSON_PARTS: Shape = {
    "id": WHOLE, "name": TEXT, "aliases": many(TEXT), "colour": TEXT_OR_NULL, "merged_into": WHOLE_OR_NULL,
    "distinct_from": many(WHOLE),
}  # fmt: skip
PERSON = thing(PERSON_PARTS, *PERSON_PARTS)
PEOPLE = thing({"people": many(PERSON), "next": TEXT_OR_NULL}, "people", "next")
LINKS_OF_GROUP = (
    *("links", "recovery", "people", "tables", "evenings", "season", "statistics", "rulings"),
    *("archive", "stream"),
)
"""What stands below the address of a group."""
ROLE: Shape = one_of(GroupRole.values, "What a link allows: to change everything, or to look on.")
DECIDED = ("precedents", "what-if")
"""And what the group decides, or might have."""
ADDRESSES = addresses("self", *LINKS_OF_GROUP, *DECIDED, "page")
GROUP_PARTS: Shape = {
    "code": TEXT, "name": TEXT, "version": WHOLE, "created": TIME, "counts_revokes": FLAG,
    "shares_rulings": FLAG, "time_zone": TEXT, "people": many(PERSON),
    "role": ROLE, "links": ADDRESSES,
}  # fmt: skip
GROUP = thing(GROUP_PARTS, *GROUP_PARTS)
NEW_GROUP = thing(GROUP_PARTS | {"token": TOKEN}, *GROUP_PARTS, "token")
LINK_PARTS: Shape = {"id": WHOLE, "role": ROLE, "name": TEXT, "created": TIME, "own": FLAG}
LINK = thing(LINK_PARTS, *LINK_PARTS)
LINKS = thing({"links": many(LINK), "next": TEXT_OR_NULL}, "links", "next")
RECOVERY_SINCE = thing({"created": TIME, "used": TIME_OR_NULL}, "created", "used")
RECOVERY = thing({"recovery": or_null(RECOVERY_SINCE)}, "recovery")
MADE_RECOVERY = thing({"recovery_code": TOKEN, "created": TIME}, "recovery_code", "created")
MADE_LINK = thing(LINK_PARTS | {"token": TOKEN, "url": TEXT_OR_NULL}, *LINK_PARTS, "token", "url")

TABLE_PARTS: Shape = {
    "code": TEXT, "game": ref("GameId"), "evening": DAY, "created": TIME, "finished_at": TIME_OR_NULL, "finished": FLAG,
    "version": WHOLE, "seats": many(TEXT), "people": many(WHOLE_OR_NULL), "points": WHOLES_OR_NULL,
    "totals": WHOLES_OR_NULL, "winners": many(WHOLE), "points_hidden": FLAG, "private": FLAG,
    "previous": TEXT_OR_NULL, "next": TEXT_OR_NULL, "links": addresses("self", "record", "page"),
}  # fmt: skip
RECOVERED = thing(GROUP_PARTS | {"token": TOKEN, "url": TEXT_OR_NULL}, *GROUP_PARTS, "token", "url")
TABLE_OF_GROUP = thing(TABLE_PARTS, *TABLE_PARTS)
LISTED = many(TABLE_OF_GROUP)
TABLES = thing({"tables": LISTED, "next": TEXT_OR_NULL}, "tables", "next")
PRESENT_PARTS: Shape = {
    "person": WHOLE_OR_NULL, "name": TEXT, "rank": WHOLE, "points": WHOLE, "tables": WHOLE, "came": TIME,
    "left": TIME_OR_NULL, "plays": FLAG,
}  # fmt: skip
PRESENT = thing(PRESENT_PARTS, *PRESENT_PARTS)
EVENING_PARTS: Shape = {
    "date": DAY, "running": FLAG, "points_hidden": FLAG, "tables": LISTED,
    "people": many(PRESENT), "out": many(WHOLE),
}  # fmt: skip
EVENING = thing(EVENING_PARTS, *EVENING_PARTS)
EVENINGS = thing({"evenings": many(EVENING), "next": TEXT_OR_NULL}, "evenings", "next")
OF_A_GAME = thing({"game": ref("GameId"), "points": WHOLE, "tables": WHOLE}, "game", "points", "tables")
SEASON_PARTS: Shape = {
    "person": WHOLE, "name": TEXT, "rank": WHOLE, "points": WHOLE, "tables": WHOLE,
    "games": many(OF_A_GAME),
}  # fmt: skip
IN_SEASON = thing(SEASON_PARTS, *SEASON_PARTS)
SEASON = thing({"people": many(IN_SEASON)}, "people")

NUMBER: Shape = {"type": "number"}
RATING = thing({"mu": NUMBER, "sigma": NUMBER, "ordinal": NUMBER}, "mu", "sigma", "ordinal")
BIDS = thing({"made": WHOLE, "over": WHOLE, "under": WHOLE}, "made", "over", "under")
MADE_PARTS: Shape = {
    "person": WHOLE, "name": TEXT, "game": or_null(ref("GameId")), "tables": WHOLE, "wins": NUMBER, "hands": WHOLE,
    "points": WHOLE, "best_hand": WHOLE_OR_NULL, "tricks": WHOLE_OR_NULL, "untold": WHOLE, "bids": or_null(BIDS),
    "revokes": WHOLE_OR_NULL, "rating": or_null(RATING),
}  # fmt: skip
PAIR_PARTS: Shape = {
    "people": many(WHOLE), "tables": WHOLE, "ahead": many(WHOLE), "together": WHOLE, "wins": WHOLE,
}  # fmt: skip
STREAK_PARTS: Shape = {"person": WHOLE, "now": WHOLE, "best": WHOLE}
BEST_PARTS: Shape = {"person": WHOLE_OR_NULL, "table": TEXT, "hand": WHOLE, "points": WHOLE}
CLOSEST_PARTS: Shape = {"table": TEXT, "game": ref("GameId"), "margin": WHOLE}
FEAT_PARTS: Shape = BEST_PARTS | {"game": ref("GameId"), "cards": many(TEXT)}
MADE = thing(MADE_PARTS, *MADE_PARTS)
PAIR = thing(PAIR_PARTS, *PAIR_PARTS)
STREAK = thing(STREAK_PARTS, *STREAK_PARTS)
BEST_HAND = thing(BEST_PARTS, *BEST_PARTS)
CLOSEST_GAME = thing(CLOSEST_PARTS, *CLOSEST_PARTS)
FEAT = thing(FEAT_PARTS, *FEAT_PARTS)
RECORDS = thing(
    {"best_hand": or_null(BEST_HAND), "closest_game": or_null(CLOSEST_GAME), "feats": many(FEAT)},
    "best_hand", "closest_game", "feats",
)  # fmt: skip
STATISTICS = thing(
    {"people": many(MADE), "pairs": many(PAIR), "streaks": many(STREAK), "records": RECORDS, "untold": WHOLE},
    "people", "pairs", "streaks", "records", "untold",
)  # fmt: skip
MOMENT_PARTS: Shape = {"tables": WHOLE, "evening": DAY, "ratings": many(RATING)}
MOMENT = thing(MOMENT_PARTS, *MOMENT_PARTS, more=False)
NAMED = thing({"person": WHOLE, "name": TEXT}, "person", "name", more=False)
RATINGS = thing(
    {"people": many(NAMED), "tables": WHOLE, "moments": many(MOMENT)},
    "people", "tables", "moments", more=False,
)  # fmt: skip
HANDS_BY_SCORE = thing({"points": WHOLE, "hands": WHOLE}, "points", "hands", more=False)
HANDS_BY_BID = thing({"bid": WHOLE, "won": WHOLE, "hands": WHOLE}, "bid", "won", "hands", more=False)
HANDS = thing(
    {"scores": many(HANDS_BY_SCORE), "bids": many(HANDS_BY_BID), "untold": WHOLE},
    "scores", "bids", "untold", more=False,
)  # fmt: skip
TWO_PARTS: Shape = {
    "game": TEXT_OR_NULL, "tables": WHOLE, "ahead": many(WHOLE), "together": WHOLE, "wins": WHOLE,
}  # fmt: skip
TWO_AT_GAME = thing(TWO_PARTS, *TWO_PARTS, more=False)
TWO = thing(
    {"people": many(WHOLE), "names": many(TEXT), "games": many(TWO_AT_GAME)},
    "people", "names", "games", more=False,
)  # fmt: skip

SUMS: Shape = thing({"then": WHOLE, "now": WHOLE}, "then", "now")
THEN_NOW: Shape = thing({"then": many(WHOLE), "now": WHOLES_OR_NULL}, "then", "now")
LAID_PARTS: Shape = {
    "code": TEXT, "evening": DAY, "seats": many(TEXT), "people": many(WHOLE_OR_NULL), "totals": THEN_NOW,
    "winners": THEN_NOW, "tricks": WHOLE_OR_NULL, "unknown": WHOLE, "why": TEXT_OR_NULL, "link": TEXT,
}  # fmt: skip
MADE_THEN_NOW: Shape = {"person": WHOLE, "name": TEXT, "tables": WHOLE, "points": SUMS, "wins": SUMS}
LAID = thing(LAID_PARTS, *LAID_PARTS)
PERSON_THEN_NOW = thing(MADE_THEN_NOW, *MADE_THEN_NOW)
PROGRESS = thing({"done": WHOLE, "of": WHOLE}, "done", "of")
SEASON_WHAT_IF = thing(
    {"tables": many(LAID), "people": many(PERSON_THEN_NOW), "progress": PROGRESS, "next": TEXT_OR_NULL},
    "tables", "people", "progress", "next",
)  # fmt: skip
OF_A_DISPUTE = thing({"table": TEXT, "number": WHOLE_OR_NULL}, "table", "number")
PRECEDENT_PARTS: Shape = {
    "id": WHOLE, "game": TEXT_OR_NULL, "code": TEXT_OR_NULL, "clause": TEXT_OR_NULL,
    "facts": BY_NAME, "question": TEXT, "decision": TEXT,
    "option": TEXT_OR_NULL, "value": PLAIN,
    "dispute": or_null(OF_A_DISPUTE), "since": TIME,
}  # fmt: skip
PRECEDENT = thing(PRECEDENT_PARTS, *PRECEDENT_PARTS)
PRECEDENTS = thing({"precedents": many(PRECEDENT), "next": TEXT_OR_NULL}, "precedents", "next")
PRECEDENT_ID = OpenApiParameter(
    "number", {"type": "integer", "minimum": 1}, OpenApiParameter.PATH, description="The id of the decision."
)
CODE = OpenApiParameter("code", str, OpenApiParameter.PATH, description="The code of the group.")
TABLE = OpenApiParameter("table", str, OpenApiParameter.PATH, description="The code of a table of the group.")
PERSON_ID = OpenApiParameter(
    "number", {"type": "integer", "minimum": 1}, OpenApiParameter.PATH, description="The id of the person."
)


def reads(
    operation: str,
    summary: str,
    answer: OpenApiResponse,
    *parameters: Any,
    description: str | None = None,
    refusals: tuple[int, ...] = (400, 401, 404, 422, 429),
) -> Callable[[Any], Any]:
    """Document what is read of a group by a link to it, as parameters of the address ask for it."""
    return extend_schema(
        operation_id=operation, summary=summary, description=description, tags=["groups"],
        parameters=[CODE, *parameters], responses={200: answer, **problems(*refusals)},
    )  # fmt: skip
