"""Reads of a group's law book, and guided rulings at its tables."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime

from django.db.models import Prefetch

from referee.engine.game import find_game, playable
from referee.engine.records import stored_event
from referee.engine.rulings import Refusal
from referee.engine.table import hand_for
from referee.engine.texts import ENGLISH, Language
from referee.engine.what_if_sheet import View
from referee.guides.case import Case, Guide, Looked
from referee.guides.sheet import Guidance, describe_guidance, find_guide, guides_that_apply
from referee.guides.walking import Walk, walk
from scoring.models import Group, Precedent, Table
from scoring.tables.reads.log import standing_events
from scoring.tables.reads.results import points_hidden
from scoring.tables.reads.rules import game_of
from scoring.tables.reads.state import Standing, hand_played

TABLES = Prefetch("table", Table.objects.defer("snapshot", "hand_start"))
"""Loads tables in a separate query: on a sharded database, a group may be on another node than its tables."""
NOTHING: Mapping[str, object] = {}
WHOLE = ("seat", "trick")
"""Kinds of questions whose answer is an integer."""


def precedents_of(group: Group) -> list[Precedent]:
    return list(
        Precedent.objects.filter(group=group).select_related("group").prefetch_related(TABLES).order_by("-since", "-pk")
    )


def precedents_in(group: int | None, game: str) -> tuple[Precedent, ...]:
    if group is None:
        return ()
    found = Precedent.objects.filter(group=group, game__in=("", game)).select_related("group")
    return tuple(found.prefetch_related(TABLES).order_by("-since", "-pk"))


def fitting(
    known: Iterable[Precedent], code: str, clauses: Sequence[str] = (), facts: Mapping[str, object] = NOTHING
) -> tuple[Precedent, ...]:
    """Return the decisions on the same point: the same code and facts, or else one of the clauses."""
    return tuple(each for each in known if _is_about(each, code, clauses, facts))


def _is_about(each: Precedent, code: str, clauses: Sequence[str], facts: Mapping[str, object]) -> bool:
    if each.code:
        return each.code == code and all(facts.get(key) == value for key, value in each.facts.items())
    return bool(each.clause) and each.clause in clauses


def decided_rules(group: Group | None, game: str) -> list[Precedent]:
    found = () if group is None else precedents_in(group.pk, game)
    latest: dict[str, Precedent] = {}
    for each in found:
        if each.option:
            latest.setdefault(each.option, each)
    return list(reversed(latest.values()))


def decided_options(
    group: Group | None,
    game: str,
    players: Sequence[int],
    chosen: Mapping[str, object] = NOTHING,
    *,
    since: datetime | None = None,
) -> dict[str, object]:
    """Return a group's default house rules that are compatible with ``chosen``.

    ``since`` limits them to later decisions. An option that conflicts with ``chosen`` or fits none of the numbers of
    ``players`` keeps its standard value.
    """
    found = find_game(game)
    rules: dict[str, object] = {}
    for each in decided_rules(group, game):
        if found is None or each.option in chosen or (since is not None and each.since < since):
            continue
        if playable(found, {**rules, each.option: each.value, **chosen}, players):
            rules[each.option] = each.value
    return rules


# --- Guided rulings at a table: answers taken from the record, and the effect of each remedy


def guides_here(at: Standing, looked: Looked | None) -> list[Guide]:
    return guides_that_apply(game_of(at.row), at.rules, looked)


def looked_at(at: Standing, index: int | None = None) -> Looked | None:
    """Return a hand for a guide, by index from 0; by default the last one dealt, or else the first to come."""
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
    game = game_of(at.row)
    guide = find_guide(game, at.rules, situation)
    return walk(Case(guide, game, at.rules, answers, looked, at.names))


def read_answers(at: Standing, situation: str, answers: Mapping[str, str]) -> dict[str, object]:
    """Parse the answers in a query string; seats and tricks become integers. Raises ``Refused``."""
    questions = find_guide(game_of(at.row), at.rules, situation).questions
    return {name: _whole(text) if name in questions and questions[name].kind in WHOLE else text
            for name, text in answers.items()}  # fmt: skip


def _whole(text: str) -> object:
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 4 else text


def precedents_about(walked: Walk, row: Table) -> tuple[Precedent, ...]:
    if walked.ruling is None:
        return ()
    codes, clauses = {walked.case.guide.id, walked.case.guide.irregular} - {""}, walked.ruling.clauses
    known = precedents_in(row.group_id, row.game)
    return tuple(each for each in known if each.code in codes or (not each.code and each.clause in clauses))


def guidance(walked: Walk, at: Standing, language: Language = ENGLISH) -> Guidance:
    """Describe a guide in progress, without hidden points."""
    return describe_guidance(walked, View(at.names, language, points=not points_hidden(at)))
