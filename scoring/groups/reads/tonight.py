"""Who is here tonight: the people to choose from, the draw of tables, and the current round."""

from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from datetime import date
from itertools import combinations, pairwise, permutations
from math import inf
from random import Random
from typing import NamedTuple

from referee.engine.game import Game, all_games
from scoring.groups.reads.group_tables import Chosen, people_counted
from scoring.groups.reads.groups import people_of
from scoring.groups.reads.statistics import statistics_of
from scoring.models import Draw, Group, Person, SeatedPerson, Table

# --- Drawing of an evening's tables: who plays where, next to whom, and who sits out; without the database

Pair = tuple[int, int]
"""Two people's ids, the lower one first."""
STARTS = 6
"""Random starts, each improved by swaps until none helps; the best result is kept."""
LARGEST_ARRANGED = 6
"""Largest table whose seats are ordered by earlier neighbors; larger tables are seated at random."""
RATING_WEIGHT = 1000
"""Weight of a rating point relative to having met, when tables are to be of equal strength."""


class Drawn(NamedTuple):
    """The tables, each clockwise, and the people who sit out."""

    tables: tuple[tuple[int, ...], ...]
    out: tuple[int, ...]


def sizes_for(count: int, allowed: Sequence[int], preferred: int) -> list[int]:
    """Return table sizes for ``count`` people, largest first: fewest sit out, then closest to the preferred size.

    >>> sizes_for(11, (3, 4, 5), 4), sizes_for(9, (2, 4), 4), sizes_for(5, (4,), 4), sizes_for(2, (3, 4), 4)
    ([4, 4, 3], [4, 4], [4], [])
    """
    best: list[tuple[float, list[int]]] = [(0, []), *((inf, []) for _ in range(count))]
    for seats in range(1, count + 1):
        for size in allowed:
            if size <= seats:
                cost = best[seats - size][0] + (size - preferred) ** 2 + 0.01
                if cost < best[seats][0]:
                    best[seats] = (cost, [*best[seats - size][1], size])
    most = max(seats for seats in range(count + 1) if best[seats][0] < inf)
    return sorted(best[most][1], reverse=True)


def draw_tables(
    people: Sequence[int],
    *,
    seed: int,
    allowed: Sequence[int],
    preferred: int,
    met: Mapping[Pair, int],
    beside: Mapping[Pair, int],
    sat_out: Mapping[int, int],
    ratings: Mapping[int, float] | None = None,
) -> Drawn:
    """Draw tables for everyone; the same arguments give the same tables.

    Those who have sat out least sit out first, ties drawn by lot. Swaps minimize the total of ``met`` (how often two
    people have met); with ``ratings``, tables of equal strength come first. Seats are ordered so that neighbors have
    been ``beside`` each other least.
    """
    rng = Random(seed)
    lot = sorted(people)
    rng.shuffle(lot)
    sizes = sizes_for(len(lot), allowed, preferred)
    by_turns = sorted(lot, key=lambda who: sat_out.get(who, 0))
    left_over = len(lot) - sum(sizes)
    out, playing = by_turns[:left_over], by_turns[left_over:]

    def cost(one: int, other: int) -> float:
        pair = (one, other) if one < other else (other, one)
        apart = 0 if ratings is None else abs(ratings.get(one, 0) - ratings.get(other, 0))
        return met.get(pair, 0) + RATING_WEIGHT * apart

    known = {pair: cost(*pair) for pair in combinations(sorted(playing), 2)}
    costs = known | {(other, one): each for (one, other), each in known.items()}
    found, least = list[list[int]](), inf
    for start in range(STARTS):
        rng.shuffle(playing)
        order = sorted(playing, key=lambda who: -ratings.get(who, 0)) if ratings is not None and not start else playing
        tables = _dealt(order, sizes)
        total = _improve(tables, costs)
        if total < least:
            found, least = [list(table) for table in tables], total
    return Drawn(tuple(tuple(_seated(table, beside, rng)) for table in found), tuple(sorted(out)))


def _dealt(people: Sequence[int], sizes: Sequence[int]) -> list[list[int]]:
    rest = iter(people)
    return [[next(rest) for _ in range(size)] for size in sizes]


def _improve(tables: list[list[int]], costs: Mapping[Pair, float]) -> float:
    helped = True
    while helped:
        helped = False
        for one, other in combinations(tables, 2):
            for here in range(len(one)):
                for there in range(len(other)):
                    mine, yours = one[here], other[there]
                    before = _with(mine, one, mine, costs) + _with(yours, other, yours, costs)
                    after = _with(yours, one, mine, costs) + _with(mine, other, yours, costs)
                    if after < before - 1e-9:
                        one[here], other[there], helped = yours, mine, True
    return sum(costs[pair] for table in tables for pair in combinations(table, 2))


def _with(who: int, table: Sequence[int], instead: int, costs: Mapping[Pair, float]) -> float:
    return sum(costs[who, each] for each in table if each != instead)


def _seated(table: Sequence[int], beside: Mapping[Pair, int], rng: Random) -> list[int]:
    first, *others = rng.sample(table, len(table))
    if len(table) > LARGEST_ARRANGED:
        return [first, *others]
    rounds = [[first, *order] for order in permutations(others)]
    seats = min(rounds, key=lambda order: sum(beside.get(neighbours(*two), 0) for two in around(order)))
    turned = rng.randrange(len(seats))
    return seats[turned:] + seats[:turned]


def neighbours(one: int, other: int) -> Pair:
    return (one, other) if one < other else (other, one)


def around(order: Sequence[int]) -> list[Pair]:
    """Return pairs of neighbors at a round table, each pair once.

    >>> around([1, 2, 3]), around([1, 2])
    ([(1, 2), (2, 3), (3, 1)], [(1, 2)])
    """
    return [*pairwise(order), *([(order[-1], order[0])] if len(order) > 2 else [])]


# --- What a draw considers, and the current round

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
