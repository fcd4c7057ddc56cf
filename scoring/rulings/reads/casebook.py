"""What was ruled: at the tables of a group, and without any names for everybody who opens this installation.

Others read a ruling only where its table is not private, and its group, or a table without one, lets them. Names of
players and of people of the group are left out before anything is looked for, so that no search finds one either.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from typing import NamedTuple

from django.db.models import Q, QuerySet

from scoring.models import Dispute, Group, Person
from scoring.models.dispute import DECIDED
from scoring.rulings.reads.disputes import SITUATIONS, WORDS

MOST_LOOKED_AT = 2000
"""Rulings that one search looks at, the latest first."""
POINTED_AT = (*SITUATIONS.values(), WORDS)
"""Situations that say only what somebody pointed at."""
FOR_EVERYBODY = Q(table__private=False) & (
    Q(table__group__isnull=True, table__shares_rulings=True)
    | Q(table__group__in=Group.objects.filter(shares_rulings=True).values("pk"))
)
"""Rulings that everybody who opens this installation may read; groups may lie elsewhere than their tables."""


class CaseWanted(NamedTuple):
    """Which rulings are looked for; what is empty does not matter. ``words`` stand in the claim or the ruling."""

    game: str = ""
    clause: str = ""
    situation: str = ""
    words: str = ""

    @property
    def anything(self) -> bool:
        return any((self.game, self.clause, self.situation, self.words))


@dataclass(frozen=True, slots=True)
class Case:
    """A dispute that was decided; ``table`` and ``number`` lead to it, and are empty where names are left out."""

    game: str
    situation: str
    claim: str
    state: str
    ruling: str
    clauses: tuple[str, ...]
    decided: datetime
    table: str = ""
    number: int = 0


class CasePage(NamedTuple):
    """Some rulings, the latest first, and how many to leave out for those that follow; 0: none do."""

    cases: tuple[Case, ...]
    following: int


def cases_of(group: Group | None, wanted: CaseWanted, *, leave: int = 0, most: int = 30) -> CasePage:
    rows = _decided(wanted).filter(FOR_EVERYBODY if group is None else Q(table__group=group))[:MOST_LOOKED_AT]
    cases = _nameless(rows) if group is None else map(_case, rows.iterator())
    words = wanted.words.casefold().split()
    found = [case for case in cases if all(word in f"{case.claim} {case.ruling}".casefold() for word in words)]
    following = leave + most if len(found) > leave + most else 0
    return CasePage(tuple(found[leave : leave + most]), following)


def _decided(wanted: CaseWanted) -> QuerySet[Dispute]:
    rows = Dispute.objects.filter(state__in=DECIDED, decided__isnull=False).order_by("-decided", "-pk")
    if wanted.game:
        rows = rows.filter(table__game=wanted.game)
    if wanted.clause:
        rows = rows.filter(clauses__contains=wanted.clause)
    if wanted.situation:
        rows = rows.filter(situation=wanted.situation)
    heavy = ("table__snapshot", "table__hand_start", "table__agreed", "table__writes")
    return rows.select_related("table").defer(*heavy)


def _case(row: Dispute) -> Case:
    assert row.decided is not None
    return Case(
        game=row.table.game,
        situation=row.situation,
        claim=row.claim,
        state=row.state,
        ruling=row.ruling,
        clauses=tuple(row.clauses),
        decided=row.decided,
        table=row.table.code,
        number=row.number,
    )


def _nameless(rows: Iterable[Dispute]) -> Iterator[Case]:
    """Return rulings without the names of who sat there, and of all people of the group; nothing leads to the table."""
    known: dict[int, list[str]] = {}
    for row in rows:
        group = row.table.group_id
        if group is not None and group not in known:
            known[group] = names_in_group(group)
        names = [*row.table.seats, *(known[group] if group is not None else ())]
        case = _case(row)
        yield replace(
            case, claim=without_names(case.claim, names), ruling=without_names(case.ruling, names), table="", number=0
        )


def names_in_group(group: int) -> list[str]:
    people = Person.objects.filter(group=group)
    return [name for person in people for name in (person.name, *person.aliases)]


def without_names(text: str, names: Iterable[str], instead: str = "…") -> str:
    """Return a text in which nobody of these is named, however the name is spelt in it: whole words, of any case.

    >>> without_names("Wait, Ann, you had a Sun! ANN's Sun.", ["Ann", "Bo"])
    "Wait, …, you had a Sun! …'s Sun."
    """
    parts = {part for name in names for part in (name.strip(), *name.split()) if part}
    return anyhow_spelt(parts).sub(instead, text) if parts else text


def anyhow_spelt(names: Iterable[str]) -> re.Pattern[str]:
    longest_first = sorted(set(names), key=len, reverse=True)
    return re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, longest_first))})(?!\w)", re.IGNORECASE)


def situations(group: Group | None) -> list[str]:
    rows = Dispute.objects.filter(FOR_EVERYBODY if group is None else Q(table__group=group), state__in=DECIDED)
    return sorted(rows.order_by().values_list("situation", flat=True).distinct())
