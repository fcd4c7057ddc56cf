"""Who is here tonight: the people to choose from, the input of a draw, and the current round."""

from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from datetime import date
from itertools import combinations
from typing import NamedTuple

from referee.engine.game import Game, all_games
from scoring.groups.reads.drawing import Pair, around, neighbours
from scoring.groups.reads.group_tables import Chosen, people_counted
from scoring.groups.reads.groups import people_of
from scoring.groups.reads.statistics import statistics_of
from scoring.models import Draw, Group, Person, SeatedPerson, Table

MOST_TABLES = 1000
"""A draw considers this many of the latest tables."""
TONIGHT = 100
"""Weight of having met or sat out tonight, compared with another evening."""
USUAL_SIZES, USUAL_SIZE = (2, 3, 4, 5), 4
"""Table sizes when each table picks its game, and the preferred size."""


class Before(NamedTuple):
    """History that a draw considers: how much pairs have met and been neighbors, and how often people sat out."""

    met: Mapping[Pair, int]
    beside: Mapping[Pair, int]
    sat_out: Mapping[int, int]
    lately: Mapping[int, date]
    """Each person's last evening."""


def before_draw(group: Group, evening: date) -> Before:
    counts_as = people_counted(group).counts_as
    rows = Table.objects.filter(group=group).order_by("-created", "-pk")[:MOST_TABLES]
    tables = {pk: (day, before) for pk, day, before in rows.values_list("pk", "evening", "previous")}
    seated = defaultdict[int, list[int]](list)
    of_group = SeatedPerson.objects.filter(table__group=group).order_by("table", "seat")
    for table, person in of_group.values_list("table", "person"):
        if table in tables:
            seated[table].append(counts_as[person])
    first: dict[int, int] = {}
    met_at, beside_at = defaultdict[Pair, set[int]](set), defaultdict[Pair, set[int]](set)
    lately: dict[int, date] = {}
    for pk in sorted(tables):
        day, before = tables[pk]
        first[pk] = first.get(before or 0, pk)  # a continued game counts as one meeting
        people = list(dict.fromkeys(seated[pk]))
        for pair in combinations(sorted(people), 2):
            met_at[pair].add(first[pk])
        for two in around(people) if len(people) > 1 else ():
            beside_at[neighbours(*two)].add(first[pk])
        lately |= {who: max(day, lately.get(who, day)) for who in people}
    sat_out = Counter[int]()
    for day, out in Draw.objects.filter(group=group, started__isnull=False).values_list("evening", "out"):
        for who in out:
            sat_out[counts_as.get(who, who)] += TONIGHT if day == evening else 1

    def weight(games: Collection[int]) -> int:
        here = sum(tables[pk][0] == evening for pk in games)
        return TONIGHT * here**2 + len(games) - here

    return Before(
        {pair: weight(games) for pair, games in met_at.items()},
        {pair: weight(games) for pair, games in beside_at.items()},
        sat_out,
        lately,
    )


def ratings_of(group: Group, game: str) -> dict[int, float]:
    """Return the ratings (ordinals) of rated people at a game, or over all games if it is empty."""
    chosen = Chosen(game=game)
    rated = (each for each in statistics_of(group, chosen).people if each.game == game and each.rating)
    return {each.person: each.rating.ordinal for each in rated if each.rating}


def sizes_of(game: Game | None) -> tuple[Sequence[int], int]:
    """Return the table sizes of a game, or of any game, and the preferred one: the nearest to four."""
    taken = {size for each in all_games() for size in each.players}
    sizes = [size for size in USUAL_SIZES if size in taken] if game is None else sorted(game.players)
    return sizes, min(sizes, key=lambda size: (abs(size - USUAL_SIZE), size))


class Arrived(NamedTuple):
    """A person who can be ticked as here; ``plays`` is the code of their running table, or empty."""

    person: int
    here: bool
    plays: str


class Tonight(NamedTuple):
    """A group's current evening: last evening's people first, the latest draw, and the number of rounds started."""

    evening: date
    people: tuple[Arrived, ...]
    draw: Draw | None
    rounds: int

    @property
    def drawn(self) -> Draw | None:
        """The latest draw, if it has not been started."""
        return self.draw if self.draw is not None and self.draw.started is None else None

    @property
    def waiting(self) -> tuple[Arrived, ...]:
        """People who are here but not at a running table."""
        return tuple(each for each in self.people if each.here and not each.plays)


def tonight_of(group: Group, evening: date) -> Tonight:
    draws = list(Draw.objects.filter(group=group, evening=evening).order_by("number"))
    members = {person.pk: person for person in people_of(group)}
    codes = dict(Table.objects.filter(group=group, finished=False, next=None).values_list("pk", "code"))
    plays: dict[int, str] = {}
    for table, person in SeatedPerson.objects.filter(table__in=codes).values_list("table", "person"):
        plays[members[person].counts_as] = codes[table]
    lately = before_draw(group, evening).lately
    last = max((day for day in lately.values() if day < evening), default=None)
    here = set(draws[-1].here) if draws else {who for who, day in lately.items() if day == evening} or {*plays}

    def order(person: Person) -> tuple[object, ...]:
        day = lately.get(person.pk, date.min)
        return (person.pk not in here, day < (last or date.min), -day.toordinal(), person.name.casefold())

    own = sorted((each for each in members.values() if each.merged_into_id is None), key=order)
    people = tuple(Arrived(each.pk, each.pk in here, plays.get(each.pk, "")) for each in own)
    return Tonight(evening, people, draws[-1] if draws else None, sum(each.started is not None for each in draws))
