"""A season of a group, from one evening to another: what each has brought at all tables that are over, by game."""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date

from scoring.models import Group, Table
from scoring.queries.group_tables import people_at
from scoring.queries.groups import people_of
from scoring.queries.results import ended_by_clock, heads, results_of
from scoring.queries.seat_rows import Chosen, among, counted, with_who


@dataclass(frozen=True, slots=True)
class Season:
    """Somebody of a group in a season: the place, the points, how many tables; and points and tables of each game.

    Tables that went on from one another count as one, for those who played at its end.
    """

    person: int
    name: str
    colour: str
    rank: int
    points: int
    tables: int
    games: tuple[tuple[str, int, int], ...]


def season_of(
    group: Group, *, first: date | None = None, last: date | None = None, game: str = ""
) -> tuple[Season, ...]:
    """Return the ranking of a season, most points first; guests are not in it, and hidden points do not count."""
    chosen = Chosen(game=game, first=first, last=last)
    people = {person.pk: person for person in people_of(group)}
    made = defaultdict[int, defaultdict[str, list[tuple[int, bool]]]](lambda: defaultdict(list))
    for who, name, points, ends in (*_counted(group, chosen), *_ended_by_clock(group, chosen)):
        made[who][name].append((points, ends))
    by_game = {
        person: [
            (name, sum(part[0] for part in parts), sum(part[1] for part in parts)) for name, parts in games.items()
        ]
        for person, games in made.items()
    }
    sums = {person: sum(points for _name, points, _tables in games) for person, games in by_game.items()}
    ranking = [
        Season(
            person=person,
            name=people[person].name,
            colour=people[person].colour,
            rank=1 + sum(other > sums[person] for other in sums.values()),
            points=sums[person],
            tables=sum(tables for _name, _points, tables in games),
            games=tuple(sorted(games)),
        )
        for person, games in by_game.items()
    ]
    return tuple(sorted(ranking, key=lambda each: (each.rank, each.person)))


Part = tuple[int, str, int, bool]
"""What a table has brought somebody: who it is, the game, the points, and whether the game ended there."""


def _counted(group: Group, chosen: Chosen) -> Iterator[Part]:
    carried = dict(Table.objects.filter(group=group).values_list("pk", "carried"))
    rows = with_who(counted(group.pk, chosen)).filter(who__isnull=False).order_by("finished_at", "table")
    for table, seat, who, game, total, goes_on in rows.values_list("table", "seat", "who", "game", "total", "goes_on"):
        yield who, game, total - carried[table][seat], not goes_on


def _ended_by_clock(group: Group, chosen: Chosen) -> Iterator[Part]:
    """Yield what tables have brought that are over since a moment ago, and do not count yet."""
    ended = ended_by_clock(group)
    rows = list(among(heads().filter(pk__in=ended), chosen)) if ended else []
    people, results = people_at(rows), results_of(rows)
    for row in rows:
        for who, points in zip(people[row.pk], results[row.pk].points or (), strict=False):
            if who is not None:
                yield who, row.game, points, True
