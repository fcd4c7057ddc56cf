"""Data of a group's charts: ratings over time, distributions of hands, two people compared."""

import json
from collections import Counter, defaultdict
from collections.abc import Mapping
from datetime import date
from itertools import chain, groupby
from typing import Annotated, Any, NamedTuple, TypedDict

from django.db.models import QuerySet, Sum, TextField
from django.db.models.functions import Cast

from referee.engine.shapes import CLOSED, Formatted, also
from scoring.groups.reads.group_tables import (
    ALL,
    Chosen,
    SeatRow,
    counted,
    games,
    people_counted,
    seats_by_table,
    with_all,
)
from scoring.groups.reads.statistics import Pair, Rating, cached_for_group, pairs_at
from scoring.models import Group

LATELY = 5
"""Games of a person that ``Course.lately`` has, at most."""
NEW = Rating(25.0, 25.0 / 3)
"""The rating of someone who hasn't played: openskill's default."""


class DescribedRating(TypedDict):
    """A person’s estimated skill; `ordinal` (mu − 3 sigma) is a conservative lower bound."""

    mu: float
    sigma: float
    ordinal: float


@also(CLOSED)
class RatingMoment(TypedDict):
    """The ratings after a number of tables, in the order of `people`."""

    tables: int
    evening: Annotated[str, Formatted("date")]
    ratings: list[DescribedRating]


@also(CLOSED)
class PersonNamed(TypedDict):
    """A person’s id and name."""

    person: int
    name: str


@also(CLOSED)
class Ratings(TypedDict):
    """The ratings of a group over time."""

    people: list[PersonNamed]
    tables: int
    moments: list[RatingMoment]


def describe_rating(rating: Rating) -> DescribedRating:
    return {"mu": rating.mu, "sigma": rating.sigma, "ordinal": rating.ordinal}


@cached_for_group
def rating_curves(group: Group, chosen: Chosen = ALL, *, person: int | None = None, most: int) -> Ratings:
    """Return ratings at one game or over all games, after at most ``most`` of the chosen tables.

    Ratings include games before the first chosen evening. People without games have the default rating.
    """
    people = people_counted(group)
    person = None if person is None else people.counts_as.get(person, person)
    columns = ("mu", "sigma") if chosen.game else ("mu_all", "sigma_all")
    rows = games(group.pk, chosen).order_by("finished_at", "table", "seat")
    if person is not None:
        rows = rows.filter(person__in=people.spellings(person))
    read = rows.values_list("table", "evening", "person", *columns)
    tables = [list(seats) for _table, seats in groupby(read, key=lambda row: row[0])]
    wanted = {*evenly(len(tables), most)}
    now: dict[int, Rating] = {}
    played: Counter[int] = Counter()
    taken: list[tuple[int, date, dict[int, Rating]]] = []
    for place, seats in enumerate(tables):
        for _table, _evening, who, mu, sigma in seats:
            if who is not None and mu is not None:
                counts = people.counts_as[who]
                now[counts] = Rating(mu, sigma)
                played[counts] += 1
        if place in wanted:
            taken.append((place + 1, seats[0][1], dict(now)))
    shown = sorted(now, key=lambda who: (-played[who], who))
    moments: list[RatingMoment] = [
        {
            "tables": count,
            "evening": day.isoformat(),
            "ratings": [describe_rating(known.get(who, NEW)) for who in shown],
        }
        for count, day, known in taken
    ]
    named: list[PersonNamed] = [{"person": who, "name": people.names[who]} for who in shown]
    return {"people": named, "tables": len(tables), "moments": moments}


def evenly(count: int, most: int) -> list[int]:
    """Return up to ``most`` evenly spaced indexes below ``count``, including the first and last.

    >>> evenly(3, 5), evenly(9, 3), evenly(0, 3)
    ([0, 1, 2], [0, 4, 8], [])
    """
    if count <= most:
        return list(range(count))
    return [round(place * (count - 1) / (most - 1)) for place in range(most)]


class Distributions(NamedTuple):
    """Distributions of a game's hands, by points and by (bid, won).

    ``untold`` counts seats in hands whose tricks are unknown.
    """

    scores: Mapping[int, int]
    bids: Mapping[tuple[int, int], int]
    untold: int


@cached_for_group
def distributions(group: Group, chosen: Chosen, *, person: int | None = None) -> Distributions:
    rows = counted(group.pk, chosen).order_by()
    if person is not None:
        people = people_counted(group)
        rows = rows.filter(person__in=people.spellings(people.counts_as.get(person, person)))
    bids: Counter[tuple[int, int]] = Counter()
    for bid, won, count in chain.from_iterable(_all(rows.exclude(bids_made=None), "bids")):
        bids[bid, won] += count
    untold = rows.aggregate(hands=Sum("untold"))["hands"] or 0
    return Distributions(dict(Counter(chain.from_iterable(_all(rows, "scores")))), dict(bids), untold)


def _all(rows: QuerySet[Any], column: str) -> Any:
    """Return the values of a JSON column, parsed in one go."""
    written = rows.annotate(written=Cast(column, TextField())).values_list("written", flat=True)
    return json.loads(f"[{','.join(written)}]")


@cached_for_group
def most_played(group: Group, chosen: Chosen) -> str:
    known = counted(group.pk, chosen).filter(hands__isnull=False)
    games = known.order_by().values("game").annotate(all_hands=Sum("hands"))
    return max(((each["all_hands"], each["game"]) for each in games), default=(0, ""))[1]


class TwoPeople(NamedTuple):
    """Two people compared, over all games and per game; ``ahead`` counts who was ahead, up to each shared game."""

    people: tuple[int, int]
    names: tuple[str, str]
    games: tuple[tuple[str, Pair], ...]
    ahead: tuple[tuple[int, int], ...]


@cached_for_group
def two_people(group: Group, one: int, other: int, chosen: Chosen = ALL) -> TwoPeople | None:
    """Compare two people; ``None`` if either is unknown to the group, or both are the same person."""
    people = people_counted(group)
    ids = tuple(people.counts_as.get(person) for person in (one, other))
    if None in ids or ids[0] == ids[1]:
        return None
    first, second = ids[0] or 0, ids[1] or 0
    rows = with_all(games(group.pk, chosen), people.spellings(first), people.spellings(second))
    tables = seats_by_table(rows, people)
    by_game: defaultdict[str, list[list[SeatRow]]] = defaultdict(list)
    ahead, now = [], [0, 0]
    for seats in tables:
        by_game[seats[0].game].append(seats)
        ranks = {seat.who: seat.rank for seat in seats}
        if ranks[first] != ranks[second]:
            now[ranks[second] < ranks[first]] += 1
        ahead.append((now[0], now[1]))
    by_name = tuple(
        (game, pair)
        for game, some in [("", tables), *sorted(by_game.items())]
        for pair in pairs_at(some)
        if set(pair.people) == {first, second}
    )
    names = (people.names[first], people.names[second])
    return TwoPeople((first, second), names, by_name, tuple(ahead))


class Course(NamedTuple):
    """A group's games in sequence: per person, which of the last ones were won, latest last.

    ``firsts`` counts first places per evening, including shared ones.
    """

    games: int
    evenings: int
    lately: Mapping[int, tuple[bool, ...]]
    firsts: tuple[tuple[date, Mapping[int, int]], ...]


@cached_for_group
def course_of(group: Group, chosen: Chosen) -> Course:
    counts_as = people_counted(group).counts_as
    rows = games(group.pk, chosen).order_by("finished_at", "table", "seat")
    tables, won = set[int](), defaultdict[int, list[bool]](list)
    firsts: dict[date, Counter[int]] = {}
    now: Counter[int] = Counter()
    for table, evening, person, share in rows.values_list("table", "evening", "person", "share"):
        tables.add(table)
        if person is not None:
            who = counts_as[person]
            won[who].append(share > 0)
            now[who] += share > 0
        firsts[evening] = Counter(now)
    latest = {who: tuple(each[-LATELY:]) for who, each in won.items()}
    return Course(len(tables), len(firsts), latest, tuple(firsts.items()))
