"""What the groups' API gives, for the schema."""

from drf_spectacular.utils import OpenApiParameter

from scoring.api.schema import FLAG, FREE, TEXT, TEXT_OR_NULL, WHOLE, WHOLE_OR_NULL, Shape, many, thing

PERSON_PARTS: Shape = {
    "id": WHOLE, "name": TEXT, "aliases": many(TEXT), "colour": TEXT_OR_NULL, "merged_into": WHOLE_OR_NULL,
}  # fmt: skip
PERSON = thing(PERSON_PARTS, *PERSON_PARTS, more=False)
PEOPLE = thing({"people": many(PERSON)}, "people", more=False)
ROLE: Shape = {"enum": ["member", "viewer"]}
GROUP_PARTS: Shape = {
    "code": TEXT, "name": TEXT, "version": WHOLE, "created": TEXT, "counts_revokes": FLAG, "people": many(PERSON),
    "role": ROLE, "links": FREE,
}  # fmt: skip
GROUP = thing(GROUP_PARTS, *GROUP_PARTS, more=False)
NEW_GROUP = thing(GROUP_PARTS | {"token": TEXT}, *GROUP_PARTS, "token", more=False)
LINK_PARTS: Shape = {"id": WHOLE, "role": ROLE, "name": TEXT, "created": TEXT, "own": FLAG}
LINK = thing(LINK_PARTS, *LINK_PARTS, more=False)
LINKS = thing({"links": many(LINK)}, "links", more=False)
MADE_LINK = thing(LINK_PARTS | {"token": TEXT, "url": TEXT}, *LINK_PARTS, "token", "url", more=False)

CODE = OpenApiParameter("code", str, OpenApiParameter.PATH, description="The code of the group.")
TABLE = OpenApiParameter("table", str, OpenApiParameter.PATH, description="The code of a table of the group.")
PERSON_ID = OpenApiParameter(
    "number", {"type": "integer", "minimum": 1}, OpenApiParameter.PATH, description="The id of the person."
)
