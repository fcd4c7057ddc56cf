"""Who sat at the tables before this one and left: whoever comes back has the points that they left with."""

from collections.abc import Sequence
from dataclasses import dataclass

from referee.engine.options import Refused
from scoring.models import Table
from scoring.queries.chains import tables_before
from scoring.queries.clock import standing_now
from scoring.queries.group_tables import people_at
from scoring.queries.groups import key_of_player


@dataclass(frozen=True, slots=True)
class FormerPlayer:
    """Somebody who sat at an earlier table of the same game: a person of the group, or else known by name.

    ``sat`` says where, as the table that comes next has it: how many tables before it, and on which seat.
    """

    name: str
    person: int | None
    total: int
    sat: tuple[int, int]

    @property
    def key(self) -> object:
        return key_of_player(self.name, self.person)


def former_players(row: Table) -> Sequence[FormerPlayer]:
    """Return who sat at the tables that this one goes on from, and does not sit here, who left last first."""
    players = zip(row.seats, people_at([row])[row.pk], strict=True)
    seen, left = {key_of_player(name, person) for name, person in players}, list[FormerPlayer]()
    for back, earlier in enumerate(tables_before(row), 2):
        here = [each for each in _sat(earlier, back) if each.key not in seen]
        seen |= {each.key for each in here}
        left += here
    return left


def _sat(row: Table, back: int) -> list[FormerPlayer]:
    try:
        totals = standing_now(row).state.totals()
    except Refused:
        return []
    people = people_at([row])[row.pk]
    sat = zip(row.seats, people, totals, strict=True)
    return [FormerPlayer(name, person, total, (back, seat)) for seat, (name, person, total) in enumerate(sat)]
