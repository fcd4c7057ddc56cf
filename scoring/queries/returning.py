"""Who sat at the tables before this one and left: whoever comes back has the points that they left with."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from referee.engine.options import Refused
from scoring.models import Table
from scoring.queries.clock import standing_now
from scoring.queries.group_tables import people_at
from scoring.queries.groups import key_of_player

MOST_TABLES = 30
"""So many tables back somebody is remembered."""


@dataclass(frozen=True, slots=True)
class WhoLeft:
    """Somebody who sat at an earlier table of the same game: a person of the group, or else known by name."""

    name: str
    person: int | None
    total: int

    @property
    def key(self) -> object:
        return key_of_player(self.name, self.person)


def who_left(row: Table) -> Sequence[WhoLeft]:
    """Return who sat at the tables that this one goes on from, and does not sit here, who left last first."""
    seen, left = set[object](_keys(row)), list[WhoLeft]()
    for earlier in _before(row):
        here = [each for each in _sat(earlier) if each.key not in seen]
        seen |= {each.key for each in here}
        left += here
    return left


def _before(row: Table) -> Iterator[Table]:
    for _ in range(MOST_TABLES):
        earlier = None if row.previous_id is None else Table.objects.filter(pk=row.previous_id).first()
        if earlier is None:
            return
        yield earlier
        row = earlier


def _keys(row: Table) -> list[object]:
    return [key_of_player(name, person) for name, person in zip(row.seats, people_at([row])[row.pk], strict=True)]


def _sat(row: Table) -> list[WhoLeft]:
    try:
        totals = standing_now(row).state.totals()
    except Refused:
        return []
    people = people_at([row])[row.pk]
    return [WhoLeft(name, person, total) for name, person, total in zip(row.seats, people, totals, strict=True)]
