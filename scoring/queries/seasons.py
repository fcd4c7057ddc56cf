"""A season of a group, from one evening to another: what each has brought at all tables that are over, by game."""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date

from scoring.models import Group, Table
from scoring.queries.group_tables import people_at
from scoring.queries.groups import people_of
from scoring.queries.replica import history
from scoring.queries.results import ended_by_clock, heads, results_of
from scoring.queries.seat_rows import Chosen, among, counted, with_who


@dataclass(frozen=True, slots=True)
class Season:
    """Somebody of a group in a season: the place, the points, how many tables; and points and tables of each game."""

    person: int
    name: str
    colour: str
    rank: int
    points: int
    tables: int
    games: tuple[tuple[str, int, int], ...]


@history
def season_of(
    group: Group, *, first: date | None = None, last: date | None = None, game: str = ""
) -> tuple[Season, ...]:
    """Return the ranking of a season, most points first; guests are not in it, and hidden points do not count."""
    chosen = Chosen(game=game, first=first, last=last)
    people = {person.pk: person for person in people_of(group)}
    made = defaultdict[int, defaultdict[str, list[int]]](lambda: defaultdict(list))
    for who, name, points in (*_counted(group, chosen), *_ended_by_clock(group, chosen)):
        made[who][name].append(points)
    sums = {person: sum(map(sum, games.values())) for person, games in made.items()}
    ranking = [
        Season(
            person=person,
            name=people[person].name,
            colour=people[person].colour,
            rank=1 + sum(other > sums[person] for other in sums.values()),
            points=sums[person],
            tables=sum(map(len, games.values())),
            games=tuple((name, sum(points), len(points)) for name, points in sorted(games.items())),
        )
        for person, games in made.items()
    ]
    return tuple(sorted(ranking, key=lambda each: (each.rank, each.person)))


Part = tuple[int, str, int]
"""What a table has brought somebody: who it is, the game, the points."""


def _counted(group: Group, chosen: Chosen) -> Iterator[Part]:
    """Yield what the tables that count have brought."""
    carried = dict(Table.objects.filter(group=group).values_list("pk", "carried"))
    rows = with_who(counted(group.pk, chosen)).filter(who__isnull=False).order_by("finished_at", "table")
    for table, seat, who, game, total in rows.values_list("table", "seat", "who", "game", "total"):
        yield who, game, total - carried[table][seat]


def _ended_by_clock(group: Group, chosen: Chosen) -> Iterator[Part]:
    """Yield what tables have brought that are over since a moment ago, and do not count yet."""
    ended = ended_by_clock(group)
    rows = list(among(heads().filter(pk__in=ended), chosen)) if ended else []
    people, results = people_at(rows), results_of(rows)
    for row in rows:
        for who, points in zip(people[row.pk], results[row.pk].points or (), strict=False):
            if who is not None:
                yield who, row.game, points
