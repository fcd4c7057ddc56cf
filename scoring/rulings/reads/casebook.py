"""The case book: rulings of a group, or of all tables that share theirs, without names.

Rulings are visible outside the group only if the table is public and its rulings are shared, by the group or by the
table. Names of players and of the group's people are removed before searching, so that a search can't find them.
"""

import re
from collections.abc import Iterable
from datetime import datetime
from functools import lru_cache
from typing import NamedTuple
from unicodedata import normalize

from django.db.models import Q

from scoring.models import Dispute, Group, Person, Table
from scoring.models.table import DECIDED
from scoring.rulings.reads.disputes import SITUATIONS, WORDS
from scoring.tables.reads.cursors import Place, latest_after, place_in_time

MOST_LOOKED_AT = 2000
PLACEHOLDER = re.compile(r"Player \d+")
"""The name of a seat after its player was deleted."""
"""Maximum number of rulings that one search examines; the cursor continues from there."""
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


class Case(NamedTuple):
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

    cases: tuple[Case, ...]
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
    found, last, following = list[Case](), Place(), Place()
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
                Case(row.table.game, row.situation, claim, row.state, ruling, clauses, row.decided, code, number)
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
