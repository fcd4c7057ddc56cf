"""Reads of a group's law book, guided rulings at its tables, and the case book."""

import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from functools import lru_cache
from typing import NamedTuple
from unicodedata import normalize

from django.db.models import Prefetch, Q

from referee.engine.game import find_game, playable
from referee.engine.records import stored_event
from referee.engine.rulings import Refusal
from referee.engine.table import hand_for
from referee.engine.texts import ENGLISH, Language
from referee.engine.what_if_sheet import View
from referee.guides.case import Case, Guide, Looked
from referee.guides.sheet import Guidance, describe_guidance, find_guide, guides_that_apply
from referee.guides.walking import Walk, walk
from scoring.groups.reads.group_tables import Place, latest_after, place_in_time
from scoring.models import Dispute, Group, Person, Precedent, Table
from scoring.models.table import DECIDED
from scoring.rulings.reads.disputes import SITUATIONS, WORDS
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


# --- The case book: rulings of a group, or of all tables that share theirs, without names
# Rulings are visible outside the group only if the table is public and its rulings are shared, by the group or by the
# table. Names of players and of the group's people are removed before searching, so that a search can't find them.

MOST_LOOKED_AT = 2000
"""Maximum number of rulings that one search examines; the cursor continues from there."""
PLACEHOLDER = re.compile(r"Player \d+")
"""The name of a seat after its player was deleted."""
POINTED_AT = (*SITUATIONS.values(), WORDS)
"""Situations that only name the kind of thing a dispute points at."""
FOR_EVERYBODY = Q(table__private=False) & (
    Q(table__group__isnull=True, table__shares_rulings=True)
    | Q(table__group__in=Group.objects.filter(shares_rulings=True).values("pk"))
)
"""Matches rulings shared with all users of this server."""


class CaseWanted(NamedTuple):
    """Search filters; empty fields match everything. ``words`` are searched for in claims and rulings."""

    game: str = ""
    clause: str = ""
    situation: str = ""
    words: str = ""

    @property
    def anything(self) -> bool:
        return any((self.game, self.clause, self.situation, self.words))


class DecidedCase(NamedTuple):
    """A decided dispute. ``table`` and ``number`` locate it; both are empty where names are left out."""

    game: str
    situation: str
    claim: str
    state: str
    ruling: str
    clauses: tuple[str, ...]
    decided: datetime
    table: str
    number: int


class CasePage(NamedTuple):
    """A page of rulings, latest first, and the cursor of the next one, if any."""

    cases: tuple[DecidedCase, ...]
    following: Place


def cases_of(group: Group | None, wanted: CaseWanted, *, after: Place = (), most: int = 30) -> CasePage:
    """Return rulings of a group's tables or, without a group, all shared rulings.

    Shared rulings have no names and no link to the table.
    """
    rows = Dispute.objects.filter(FOR_EVERYBODY if group is None else Q(table__group=group), state__in=DECIDED)
    if wanted.game:
        rows = rows.filter(table__game=wanted.game)
    if wanted.clause:
        rows = rows.filter(clauses__contains=wanted.clause)
    if wanted.situation:
        rows = rows.filter(situation=wanted.situation)
    heavy = ("table__snapshot", "table__hand_start", "table__agreed", "table__writes")
    rows = rows.filter(decided__isnull=False).select_related("table").defer(*heavy)
    words, names_of = wanted.words.casefold().split(), lru_cache(maxsize=None)(names_known_in)
    found, last, following = list[DecidedCase](), Place(), Place()
    for looked_at, row in enumerate(latest_after(rows, "decided", after)[:MOST_LOOKED_AT].iterator(), 1):
        claim, ruling, code, number = row.claim, row.ruling, row.table.code, row.number
        if group is None:
            names = [*row.table.seats, *names_of(row.table.group_id or 0)]
            claim, ruling, code, number = without_names(claim, names), without_names(ruling, names), "", 0
        assert row.decided is not None
        place = place_in_time(row.decided, row.pk)
        if all(word in f"{claim} {ruling}".casefold() for word in words):
            if len(found) == most:
                following = last
                break
            clauses, last = tuple(row.clauses), place
            found.append(
                DecidedCase(row.table.game, row.situation, claim, row.state, ruling, clauses, row.decided, code, number)
            )
        if looked_at == MOST_LOOKED_AT:
            following = place
    return CasePage(tuple(found), following)


def names_in_group(group: int) -> list[str]:
    people = Person.objects.filter(group=group)
    return [name for person in people for name in (person.name, *person.aliases)]


def names_known_in(group: int) -> list[str]:
    """Return all names of a group's people, and of anyone who has played at its tables."""
    tables = Table.objects.filter(group=group).order_by().values_list("seats", flat=True).distinct()
    seated = {name for seats in tables for name in seats if not PLACEHOLDER.fullmatch(name)}
    return [*names_in_group(group), *sorted(seated)]


def without_names(text: str, names: Iterable[str], instead: str = "…") -> str:
    """Replace names in a text: whole words in any case, parts of names, and German and Dutch genitives.

    >>> without_names("Wait, Ann, you had a Sun! ANN's Sun.", ["Ann", "Bo"])
    "Wait, …, you had a Sun! …'s Sun."
    """
    parts = {part for name in names for part in (name.strip(), *re.split(r"[\s-]+", name)) if part}
    return anyhow_spelt({form for part in parts for form in (part, f"{part}s")}).sub(instead, text) if parts else text


def anyhow_spelt(names: Iterable[str]) -> re.Pattern[str]:
    longest_first = sorted(set(names), key=len, reverse=True)
    spelt = {form: None for name in longest_first for form in (name, normalize("NFC", name), normalize("NFD", name))}
    return re.compile(rf"(?<![^\W_])(?:{'|'.join(map(re.escape, spelt))})(?![^\W_]|[\u0300-\u036f])", re.IGNORECASE)


def situations(group: Group | None) -> list[str]:
    rows = Dispute.objects.filter(FOR_EVERYBODY if group is None else Q(table__group=group), state__in=DECIDED)
    return sorted(rows.order_by().values_list("situation", flat=True).distinct())
