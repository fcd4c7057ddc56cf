"""Guided rulings at a table: what its record answers by itself, and what comes of each remedy."""

from collections.abc import Mapping

from referee.engine.reading import stored_event
from referee.engine.rulings import Refusal
from referee.engine.table import hand_for
from referee.engine.translation import ENGLISH, Language
from referee.engine.what_if_sheet import View
from referee.guides.case import Case, Looked
from referee.guides.reading import Guide
from referee.guides.requests import find_guide, guides_that_apply
from referee.guides.sheet import Guidance, describe_guidance
from referee.guides.walking import Walk, walk
from scoring.models import Precedent, Table
from scoring.queries.log import standing_events
from scoring.queries.points import points_hidden
from scoring.queries.precedents import fitting_guide, precedents_in
from scoring.queries.rules import game_of
from scoring.queries.state import Standing, hand_played

WHOLE = ("seat", "trick")
"""Questions that are answered with a whole number."""


def guides_here(at: Standing, looked: Looked | None) -> list[Guide]:
    """Return what can have gone wrong under the house rules of a table, in a hand that is looked at."""
    return guides_that_apply(game_of(at.row), at.rules, looked)


def looked_at(at: Standing, index: int | None = None) -> Looked | None:
    """Return a hand of a table for a guide, by its index from 0; the last one dealt, or the first to come.

    ``None`` where there is none of this index, or none can be dealt.
    """
    last = at.hand
    if last is None:
        dealt = hand_for(at.state)
        if index or isinstance(dealt, Refusal) or dealt.hand is None:
            return None
        return Looked(dealt, dealt.hand, ())
    index = last.setup.index if index is None else index
    if not 0 <= index <= last.setup.index:
        return None
    hand = last if index == last.setup.index else hand_played(at.row, index)
    events = tuple(stored_event(entry.event) for entry in standing_events(at.row, hand=index))
    return Looked(at.state, hand, events[: hand.events])


def walk_here(at: Standing, situation: str, answers: Mapping[str, object], looked: Looked | None) -> Walk:
    """Walk through a guide at a table; raises ``Refused`` for a situation or answers that cannot be."""
    game = game_of(at.row)
    guide = find_guide(game, at.rules, situation)
    return walk(Case(guide, game, at.rules, answers, looked, at.names))


def read_answers(at: Standing, situation: str, answers: Mapping[str, str]) -> dict[str, object]:
    """Return answers as an address holds them: seats and tricks are whole numbers; raises ``Refused``."""
    questions = find_guide(game_of(at.row), at.rules, situation).questions
    return {name: _whole(text) if name in questions and questions[name].kind in WHOLE else text
            for name, text in answers.items()}  # fmt: skip


def _whole(text: str) -> object:
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 4 else text


def precedents_about(walked: Walk, row: Table) -> tuple[Precedent, ...]:
    """Return what the group of a table has decided about what a ruling is about, the latest first."""
    if walked.ruling is None:
        return ()
    return fitting_guide(precedents_in(row.group_id, row.game), walked.case.guide, walked.ruling.clauses)


def guidance(walked: Walk, at: Standing, language: Language = ENGLISH) -> Guidance:
    """Describe how far answers lead; where points are hidden it says none."""
    return describe_guidance(walked, View(at.names, language, points=not points_hidden(at)))
