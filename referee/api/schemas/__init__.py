"""The shapes of requests and answers as JSON Schema, which OpenAPI 3.1 speaks natively."""

from typing import Any, get_type_hints

from referee.api.problems import DescribedProblem
from referee.api.questions import QUESTION_SHAPES
from referee.api.schemas.common import COMMON
from referee.api.schemas.record import RECORD, events
from referee.api.views.decks import DeckSummary, DescribedDeck
from referee.api.views.games import DescribedClause, DescribedGame, GameSummary
from referee.engine.audit_sheet import DescribedAudits
from referee.engine.catalogue import all_games
from referee.engine.records import DescribedRecord
from referee.engine.shapes import Schema, add_component, schema_of
from referee.engine.sheet import Adjudication, BestAnswer, HandParts
from referee.engine.what_if import WhatIfQuestion
from referee.engine.what_if_sheet import DescribedWhatIf
from referee.guides.requests import GuideOfGame, GuideOfRecord
from referee.guides.sheet import DescribedGuide, Guidance

SHAPES = (
    Adjudication, BestAnswer, DescribedAudits, DescribedWhatIf, DescribedGuide, Guidance, DescribedProblem, GameSummary,
    DescribedGame, DescribedClause, DeckSummary, DescribedDeck, DescribedRecord, WhatIfQuestion, GuideOfGame,
    GuideOfRecord,
)  # fmt: skip
"""What the referee answers and is asked; the parts of each follow from it."""


def components() -> dict[str, Schema]:
    """Return every component by its name; other parts of the API refer to them, too."""
    found = COMMON | events() | RECORD | QUESTION_SHAPES
    for shape in SHAPES:
        add_component(shape, found)
    for game in all_games():
        hints = get_type_hints(get_type_hints(game.hand_class.describe)["return"], include_extras=True)
        own = {key: schema_of(hint, found) for key, hint in hints.items() if key not in HandParts.__annotations__}
        found["Hand"]["properties"] |= own
    return found


def add_components(result: dict[str, Any], **_: Any) -> dict[str, Any]:
    """Put the components into the schema (a postprocessing hook of drf-spectacular)."""
    result.setdefault("components", {}).setdefault("schemas", {}).update(components())
    return result
