"""A season of a group, from one evening to another: what each has brought at all tables that are over, by game."""

from collections import defaultdict
from dataclasses import dataclass
from datetime import date

from scoring.models import Group, SeatedPerson
from scoring.queries.groups import people_of
from scoring.queries.results import still_hidden, tables_over


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


def season_of(
    group: Group, *, first: date | None = None, last: date | None = None, game: str = ""
) -> tuple[Season, ...]:
    """Return the ranking of a season, most points first; guests are not in it, and hidden points do not count."""
    rows = tables_over(group)
    if first is not None:
        rows = rows.filter(evening__gte=first)
    if last is not None:
        rows = rows.filter(evening__lte=last)
    if game:
        rows = rows.filter(game=game)
    hidden = still_hidden(group.pk)
    results = {pk: (name, points) for pk, name, points in rows.values_list("pk", "game", "result__points")}
    people = {person.pk: person for person in people_of(group)}
    made = defaultdict[int, defaultdict[str, list[int]]](lambda: defaultdict(list))
    for table, seat, person in SeatedPerson.objects.filter(person__group=group).values_list("table", "seat", "person"):
        if table in results and table not in hidden:
            name, points = results[table]
            made[people[person].counts_as][name].append(points[seat])
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
