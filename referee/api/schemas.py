"""The shapes of requests and answers as JSON Schema, for OpenAPI 3.1."""

from typing import Any, get_type_hints

from referee.api.catalogue_views import DescribedClause, DescribedDeck, DescribedGame, GameSummary
from referee.api.problems import IRREGULAR, TITLES, DescribedProblem
from referee.api.questions import QUESTION_SHAPES
from referee.engine import shapes
from referee.engine.audit import DescribedAudits
from referee.engine.claims import JOINT_REVOKE
from referee.engine.game import all_games, end_kinds, event_kinds, phases
from referee.engine.reader import LARGEST_EXACT
from referee.engine.records import DescribedRecord
from referee.engine.rulings import Certainty, Verdict
from referee.engine.shapes import FLAG, Schema, array, closed, nullable, number, one_of, ref, text
from referee.engine.sheet import Adjudication, BestAnswer, ChangedState, HandParts
from referee.engine.texts import codes
from referee.engine.what_if import WhatIfQuestion
from referee.engine.what_if_sheet import DescribedWhatIf
from referee.guides.case import WORDS as YES_NO
from referee.guides.case import guides_of
from referee.guides.sheet import DescribedGuide, Guidance, GuideOfGame, GuideOfRecord

PLAIN = ref("PlainValue")


GUIDES = [guide for game in all_games() for guide in guides_of(game).guides.values()]
COMMON: dict[str, Schema] = {
    "Seat": number("A seat, counted from 0 clockwise, in the order in which the players were given."),
    "Card": text(
        "A card by its code (`8MS`, `10S`) or any name people use for it (`Diplomat`, `10♠`); answers always use"
        " the code.",
        longest=60,
        example="8MS",
    ),
    "Suit": text("A suit by its letter or name; answers use the letter.", longest=60, example="M"),
    "Options": {
        "type": "object",
        "description": "House rules by key; omitted ones have their defaults. Each game lists its own at"
        " `games/{game}/`.",
        "additionalProperties": PLAIN,
    },
    "GameId": one_of((game.id for game in all_games()), "The game, one of those listed at `games/`."),
    "GameKey": {
        "type": "string",
        "maxLength": 120,
        "description": "The key of a game in statistics: its id, with the table’s own title after a colon.",
        "examples": ["ace-trump", "any-game:Skat"],
    },
    "Phase": one_of(map(str, phases()), "What a hand is waiting for; each game has its own phases."),
    "Certainty": one_of(
        (certainty.value for certainty in Certainty),
        "How it is known: from the act itself, from a later card, or only that it was one of several acts.",
    ),
    "Verdict": one_of((verdict.value for verdict in Verdict), "The referee’s answer to an event."),
    "RefusingVerdict": one_of(
        (verdict.value for verdict in Verdict if verdict is not Verdict.ACCEPTED),
        "Why an event is refused: it cannot have happened, or the rules do not allow it.",
    ),
    "IrregularityCode": one_of((*IRREGULAR, JOINT_REVOKE), "The rule that an act breaks. Stable and never translated."),
    "RemedyCode": one_of(
        sorted({code for game in all_games() for code in (*game.hand_class.REMEDIES, *guides_of(game).remedies)}),
        "What the table can do. Stable and never translated; new codes may be added.",
    ),
    "ProblemCode": one_of(TITLES, "What is wrong; each code is explained at `problems/`. Stable and never translated."),
    "ReasonCode": one_of(
        sorted(codes().union(YES_NO, [JOINT_REVOKE], *(guide.leaves for guide in GUIDES))),
        "What was decided, and why. Stable and never translated; new codes may be added.",
    ),
    "PlainValue": {"type": ["boolean", "integer", "string", "null"], "description": "A scalar value."},
    "AnyValue": {
        # No type, and parts only under a condition, so that generated clients accept anything.
        "description": "Any JSON; numbers go up to 2^53.",
        "minimum": -LARGEST_EXACT,
        "maximum": LARGEST_EXACT,
        "if": {"type": ["array", "object"], "items": {}},
        "then": {"items": ref("AnyValue"), "additionalProperties": ref("AnyValue")},
    },
    "Fact": {
        "description": "A part of a sentence: a seat, a number, a card by its code, words, or several of these.",
        # Items have no type: generated clients accept no item of a union inside a list.
        "anyOf": [PLAIN, array({"description": "A nested list of such values."})],
    },
}


ACCEPTED = FLAG | {"description": "Whether the table accepts this as it was, although it is irregular."}


def events() -> dict[str, Schema]:
    found: dict[str, Schema] = {}
    mapping = {}
    for kind in event_kinds().values():
        component = "".join(part.capitalize() for part in kind.name.split("-")) + "Event"
        properties: dict[str, Schema] = {"type": {"type": "string", "const": kind.name}}
        for field in kind.fields:
            schema = dict(field.type.schema)
            properties[field.name] = schema if field.needed and not field.type.null else nullable(schema)
        properties["accepted"] = nullable(ACCEPTED)
        needed = [field.name for field in kind.fields if field.needed]
        found[component] = closed(properties, ("type", *needed), kind.says, extra=True)
        mapping[kind.name] = ref(component)["$ref"]
    union: Schema = {
        "description": "Something that happened at the table.",
        "oneOf": [ref(component) for component in found],
        "discriminator": {"propertyName": "type", "mapping": mapping},
    }
    return found | {"Event": union}


RECORD: dict[str, Schema] = {
    "End": closed(
        {
            "kind": one_of(kind.name for kind in end_kinds()),
            "value": nullable(number("The score, number of hands, or minutes; null if the kind has no number.")),
        },
        ("kind",),
        "When the game is over: at a number, when the players agree, or as the game’s rules say.",
    )
    | {
        "if": {"properties": {"kind": {"enum": [kind.name for kind in end_kinds() if kind.counted]}, "value": {}}},
        "then": {"required": ["value"], "properties": {"kind": {}, "value": {"type": "integer"}}},
        "else": {"properties": {"kind": {}, "value": {"type": "null"}}},
    },
    "GuideQuestion": {
        "description": "A game and its house rules, or a record, with what went wrong and the answers so far.",
        "oneOf": [ref("GuideOfGame"), ref("GuideOfRecord")],
    },
}


SHAPES = (
    Adjudication, BestAnswer, ChangedState, DescribedAudits, DescribedWhatIf, DescribedGuide, Guidance,
    DescribedProblem, GameSummary, DescribedGame, DescribedClause, DescribedDeck, DescribedRecord,
    WhatIfQuestion, GuideOfGame, GuideOfRecord,
)  # fmt: skip
"""The top-level shapes of answers and requests; their parts are added with them."""


def components() -> dict[str, Schema]:
    """Return every component by its name; other parts of the API refer to them, too."""
    found = COMMON | events() | RECORD | QUESTION_SHAPES
    for shape in SHAPES:
        shapes.add_component(shape, found)
    for game in all_games():
        hints = get_type_hints(get_type_hints(game.hand_class.describe)["return"], include_extras=True)
        own = {
            key: shapes.schema_of(hint, found) for key, hint in hints.items() if key not in HandParts.__annotations__
        }
        for name in ("Hand", "ChangedHand"):
            found[name]["properties"] |= own
    return found


def add_components(result: dict[str, Any], **_: Any) -> dict[str, Any]:
    """Add the components to the schema (a drf-spectacular postprocessing hook)."""
    result.setdefault("components", {}).setdefault("schemas", {}).update(components())
    return result
