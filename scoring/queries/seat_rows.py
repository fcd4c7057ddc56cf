"""The seats of the tables of a group that count, read once for whatever is made of them."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any, NamedTuple, TypeVar

from django.db.models import F, FilteredRelation, Model, Q, QuerySet
from django.db.models.functions import Coalesce

from scoring.models import Group, Person, SeatScore

Row = TypeVar("Row", bound=Model)


@dataclass(frozen=True, slots=True, kw_only=True)
class Chosen:
    """What of the life of a group is looked at: a ``game``, the evenings from ``first`` to ``last``; empty: all."""

    game: str = ""
    first: date | None = None
    last: date | None = None

    def __bool__(self) -> bool:
        """Return whether anything is left out."""
        return bool(self.game or self.first or self.last)


ALL = Chosen()


class People(NamedTuple):
    """The people of a group: the names of those who count, and who each one counts as."""

    names: Mapping[int, str]
    counts_as: Mapping[int, int]

    def spellings(self, person: int) -> list[int]:
        """Return the ids that count as somebody."""
        return [pk for pk, counts in self.counts_as.items() if counts == person] or [person]


def people_counted(group: Group) -> People:
    """Return the people of a group; every person that somebody counts as has a name, whoever was merged into whom."""
    everybody = list(Person.objects.filter(group=group).order_by("pk"))
    counts_as = {each.pk: each.counts_as for each in everybody}
    named = {*counts_as.values()}
    return People({each.pk: each.name for each in everybody if each.pk in named}, counts_as)


def counted(group: int, chosen: Chosen = ALL) -> QuerySet[SeatScore]:
    """Return the seats of the tables of a group that count."""
    return among(SeatScore.objects.filter(group=group, finished_at__isnull=False), chosen)


def games(group: int, chosen: Chosen = ALL) -> QuerySet[SeatScore]:
    """Return the seats of the tables at which a game ended that counts: the last of those that went on."""
    return counted(group, chosen).filter(goes_on=False)


def among(rows: QuerySet[Row], chosen: Chosen) -> QuerySet[Row]:
    """Return those of some tables, or of their seats, that are chosen."""
    rows = rows.filter(game=chosen.game) if chosen.game else rows
    rows = rows.filter(evening__gte=chosen.first) if chosen.first else rows
    return rows.filter(evening__lte=chosen.last) if chosen.last else rows


def with_who(rows: QuerySet[SeatScore]) -> QuerySet[Any]:
    """Say who each seat counts for, as ``who``: the person, or the one this person is merged into."""
    of_this_group = FilteredRelation("person", condition=Q(person__group=F("group")))
    return rows.annotate(player=of_this_group, who=Coalesce("player__merged_into", "person"))


def with_all(rows: QuerySet[SeatScore], *people: list[int]) -> QuerySet[SeatScore]:
    """Return the seats of those tables at which all of these people sat, each by the ids that count as that one."""
    for ids in people:
        rows = rows.filter(table__in=rows.filter(person__in=ids).order_by().values("table"))
    return rows


class SeatRow(NamedTuple):
    """A seat of a table that counts; ``who`` is the id that the person there counts as, ``None`` for a guest.

    ``goes_on``: the game went on at another table.
    """

    pk: int
    table: int
    who: int | None
    side: int
    rank: int
    share: int
    total: int
    game: str
    hands: int
    untold: int
    best: int | None
    goes_on: bool


COLUMNS = (
    "pk", "table", "person", "side", "rank", "share", "total", "game", "hands", "untold", "best_hand", "goes_on",
)  # fmt: skip


def seats_by_table(rows: QuerySet[Any], people: People) -> list[list[SeatRow]]:
    """Return the seats of each table, the tables in the order of finishing."""
    tables: list[list[SeatRow]] = []
    counts_as, last = people.counts_as, None
    for pk, table, person, *rest in rows.order_by("finished_at", "table", "seat").values_list(*COLUMNS):
        if table != last:
            tables.append([])
            last = table
        tables[-1].append(SeatRow(pk, table, counts_as.get(person), *rest))
    return tables
