"""What the groups' API gives, for the schema."""

from drf_spectacular.utils import OpenApiParameter

from scoring.api.schema import FLAG, FREE, TEXT, TEXT_OR_NULL, TIME, WHOLE, WHOLE_OR_NULL, Shape, many, thing

WHOLES_OR_NULL: Shape = {"type": ["array", "null"], "items": WHOLE}
PERSON_PARTS: Shape = {
    "id": WHOLE, "name": TEXT, "aliases": many(TEXT), "colour": TEXT_OR_NULL, "merged_into": WHOLE_OR_NULL,
}  # fmt: skip
PERSON = thing(PERSON_PARTS, *PERSON_PARTS, more=False)
PEOPLE = thing({"people": many(PERSON)}, "people", more=False)
ROLE: Shape = {"enum": ["member", "viewer"]}
GROUP_PARTS: Shape = {
    "code": TEXT, "name": TEXT, "version": WHOLE, "created": TIME, "counts_revokes": FLAG, "people": many(PERSON),
    "role": ROLE, "links": FREE,
}  # fmt: skip
GROUP = thing(GROUP_PARTS, *GROUP_PARTS, more=False)
NEW_GROUP = thing(GROUP_PARTS | {"token": TEXT}, *GROUP_PARTS, "token", more=False)
LINK_PARTS: Shape = {"id": WHOLE, "role": ROLE, "name": TEXT, "created": TIME, "own": FLAG}
LINK = thing(LINK_PARTS, *LINK_PARTS, more=False)
LINKS = thing({"links": many(LINK)}, "links", more=False)
MADE_LINK = thing(LINK_PARTS | {"token": TEXT, "url": TEXT}, *LINK_PARTS, "token", "url", more=False)

TABLE_PARTS: Shape = {
    "code": TEXT, "game": TEXT, "evening": TEXT, "created": TIME, "finished_at": TEXT_OR_NULL, "finished": FLAG,
    "version": WHOLE, "seats": many(TEXT), "people": many(WHOLE_OR_NULL), "points": WHOLES_OR_NULL,
    "totals": WHOLES_OR_NULL, "winners": many(WHOLE), "points_hidden": FLAG, "private": FLAG,
    "previous": TEXT_OR_NULL, "next": TEXT_OR_NULL, "links": FREE,
}  # fmt: skip
LISTED = many(thing(TABLE_PARTS, *TABLE_PARTS, more=False))
TABLES = thing({"tables": LISTED, "next": TEXT_OR_NULL}, "tables", "next", more=False)
PRESENT_PARTS: Shape = {
    "person": WHOLE_OR_NULL, "name": TEXT, "rank": WHOLE, "points": WHOLE, "tables": WHOLE, "came": TEXT,
    "left": TEXT_OR_NULL, "plays": FLAG,
}  # fmt: skip
EVENING_PARTS: Shape = {
    "date": TEXT, "running": FLAG, "points_hidden": FLAG, "tables": LISTED,
    "people": many(thing(PRESENT_PARTS, *PRESENT_PARTS, more=False)), "out": many(WHOLE),
}  # fmt: skip
EVENINGS = thing(
    {"evenings": many(thing(EVENING_PARTS, *EVENING_PARTS, more=False)), "next": TEXT_OR_NULL},
    "evenings", "next", more=False,
)  # fmt: skip
OF_A_GAME: Shape = {"game": TEXT, "points": WHOLE, "tables": WHOLE}
SEASON_PARTS: Shape = {
    "person": WHOLE, "name": TEXT, "rank": WHOLE, "points": WHOLE, "tables": WHOLE,
    "games": many(thing(OF_A_GAME, *OF_A_GAME, more=False)),
}  # fmt: skip
SEASON = thing({"people": many(thing(SEASON_PARTS, *SEASON_PARTS, more=False))}, "people", more=False)

NUMBER: Shape = {"type": "number"}
RATING = thing({"mu": NUMBER, "sigma": NUMBER, "ordinal": NUMBER}, "mu", "sigma", "ordinal", more=False)
BIDS: Shape = {
    "oneOf": [thing({"made": WHOLE, "over": WHOLE, "under": WHOLE}, "made", "over", "under", more=False),
              {"type": "null"}]
}  # fmt: skip
MADE_PARTS: Shape = {
    "person": WHOLE, "name": TEXT, "game": TEXT_OR_NULL, "tables": WHOLE, "wins": NUMBER, "hands": WHOLE,
    "points": WHOLE, "best_hand": WHOLE_OR_NULL, "tricks": WHOLE, "untold": WHOLE, "bids": BIDS,
    "revokes": WHOLE_OR_NULL, "rating": RATING,
}  # fmt: skip
PAIR_PARTS: Shape = {
    "people": many(WHOLE), "tables": WHOLE, "ahead": many(WHOLE), "together": WHOLE, "wins": WHOLE,
}  # fmt: skip
STREAK_PARTS: Shape = {"person": WHOLE, "now": WHOLE, "best": WHOLE}
BEST_PARTS: Shape = {"person": WHOLE_OR_NULL, "table": TEXT, "hand": WHOLE, "points": WHOLE}
CLOSEST_PARTS: Shape = {"table": TEXT, "game": TEXT, "margin": WHOLE}
FEAT_PARTS: Shape = BEST_PARTS | {"game": TEXT, "cards": many(TEXT)}
RECORDS = thing(
    {"best_hand": {"oneOf": [thing(BEST_PARTS, *BEST_PARTS, more=False), {"type": "null"}]},
     "closest_game": {"oneOf": [thing(CLOSEST_PARTS, *CLOSEST_PARTS, more=False), {"type": "null"}]},
     "feats": many(thing(FEAT_PARTS, *FEAT_PARTS, more=False))},
    "best_hand", "closest_game", "feats", more=False,
)  # fmt: skip
STATISTICS = thing(
    {"people": many(thing(MADE_PARTS, *MADE_PARTS, more=False)),
     "pairs": many(thing(PAIR_PARTS, *PAIR_PARTS, more=False)),
     "streaks": many(thing(STREAK_PARTS, *STREAK_PARTS, more=False)), "records": RECORDS, "untold": WHOLE},
    "people", "pairs", "streaks", "records", "untold", more=False,
)  # fmt: skip

CODE = OpenApiParameter("code", str, OpenApiParameter.PATH, description="The code of the group.")
TABLE = OpenApiParameter("table", str, OpenApiParameter.PATH, description="The code of a table of the group.")
PERSON_ID = OpenApiParameter(
    "number", {"type": "integer", "minimum": 1}, OpenApiParameter.PATH, description="The id of the person."
)
