"""Seasons of a group: standings, champions, attendance, streaks, head-to-head results."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from fractions import Fraction
from typing import Generic, NamedTuple, TypeVar

from scoring.groups.reads.group_tables import (
    Chosen,
    among,
    counted,
    people_at,
    people_counted,
    seats_by_table,
)
from scoring.groups.reads.statistics import Pair, cached_for_group, pairs_at, streaks_at
from scoring.models import Group, RankedBy, Season, Table
from scoring.tables.reads.results import ended_by_clock, heads, results_of

# --- Ranking over several games, by wins or by places: points of different games are never added

Key = TypeVar("Key")
WHOLE_PLACE = 100
"""Place points for finishing ahead of every opponent."""


@dataclass(frozen=True, slots=True)
class Finish(Generic[Key]):
    """A player's finish: ``side`` identifies the partnership, ``rank`` its place, from 1."""

    who: Key
    side: int
    rank: int


def place_points(game: Sequence[Finish[Key]]) -> list[Fraction]:
    """Return each player's place points: the percentage of opponents who finished behind.

    An opponent at the same place counts half; partners are not opponents. Four players get 100, 67, 33 and 0; two get
    100 and 0; two who share first place among four get 83 each.

    >>> [str(each) for each in place_points([Finish("a", 0, 1), Finish("b", 1, 2), Finish("c", 2, 2)])]
    ['100', '25', '25']
    """
    points = []
    for own in game:
        others = [other.rank for other in game if other.side != own.side]
        behind = sum((Fraction(2 * (rank > own.rank) + (rank == own.rank), 2) for rank in others), Fraction())
        points.append(WHOLE_PLACE * behind / len(others) if others else Fraction())
    return points


class Tally(NamedTuple):
    """A player's totals over several games; a shared win counts as a fraction."""

    games: int = 0
    wins: Fraction = Fraction()
    places: Fraction = Fraction()


def tallies(games: Iterable[Sequence[Finish[Key]]]) -> defaultdict[Key, Tally]:
    made: defaultdict[Key, Tally] = defaultdict(Tally)
    for game in games:
        first = sum(each.rank == 1 for each in game)
        for each, places in zip(game, place_points(game), strict=True):
            own = made[each.who]
            won = Fraction(each.rank == 1, first)
            made[each.who] = Tally(own.games + 1, own.wins + won, own.places + places)
    return made


def ranks(made: Mapping[Key, Tally], by: str) -> dict[Key, int]:
    """Return everyone's rank, from 1. Wins break ties in places, and vice versa; equals share a rank."""
    order = {who: (own.places, own.wins) if by == RankedBy.PLACES else own[1:] for who, own in made.items()}
    return {who: 1 + sum(other > own for other in order.values()) for who, own in order.items()}


# --- Standings over some evenings


class AtGame(NamedTuple):
    """A person's points at a game, and number of games finished."""

    game: str
    points: int
    tables: int


class InSeason(NamedTuple):
    """A person's season; ``now`` and ``best`` are the current and longest winning streaks."""

    person: int
    name: str
    rank: int
    tally: Tally
    evenings: int
    now: int
    best: int
    games: tuple[AtGame, ...]


class Standings(NamedTuple):
    """People by rank over some evenings; ``games`` counts games, ``days`` are the evenings played."""

    people: tuple[InSeason, ...]
    games: int
    days: tuple[date, ...]
    pairs: tuple[Pair, ...]

    @property
    def first(self) -> tuple[InSeason, ...]:
        return tuple(each for each in self.people if each.rank == 1 and each.tally.games)


@cached_for_group
def standings_of(group: Group, chosen: Chosen, by: str) -> Standings:
    """Return the standings over counted tables. Guests affect them as opponents but are not listed."""
    return _standings(group, chosen, by, ())


def standings_now(group: Group, chosen: Chosen, by: str) -> Standings:
    """Return the standings including games whose time limit has passed but which nobody has ended."""
    ended = ended_by_clock(group)
    late = list(among(heads().filter(pk__in=ended), chosen)) if ended else []
    return _standings(group, chosen, by, late) if late else standings_of(group, chosen, by)


def _standings(group: Group, chosen: Chosen, by: str, late: Sequence[Table]) -> Standings:
    people, rows = people_counted(group), counted(group.pk, chosen)
    days = dict(rows.values_list("table", "evening"))
    tables = seats_by_table(rows, people)
    carried = {pk: start for pk, start in Table.objects.filter(group=group).values_list("pk", "carried") if any(start)}
    brought, attended = defaultdict[int, dict[str, list[int]]](dict), defaultdict[int, set[date]](set)

    def count(who: int, game: str, day: date, points: int, *, ended: bool) -> None:
        attended[who].add(day)
        own = brought[who].setdefault(game, [0, 0])
        own[0] += points
        own[1] += ended

    for seats in tables:
        start = carried.get(seats[0].table)
        for place, seat in enumerate(seats):
            if seat.who is not None:
                points = seat.total - (start[place] if start and seat.hands is not None else 0)
                count(seat.who, seat.game, days[seat.table], points, ended=not seat.goes_on)
    ended = [seats for seats in tables if not seats[0].goes_on]
    games = [[Finish(seat.who, seat.side, seat.rank) for seat in seats] for seats in ended]
    there, results = people_at(late), results_of(late)
    for row in late:
        result = results[row.pk]
        for person, points in zip(there[row.pk], result.points or (), strict=False):
            if person is not None:
                count(person, row.game, row.evening, points, ended=True)
        own = zip(there[row.pk], result.sides, result.ranks, strict=False)
        games.append([Finish(who, side, rank) for who, side, rank in own])
    made = tallies(games)
    known = {who: made[who] for who in brought}
    streaks = {each.person: each for each in streaks_at(ended)}
    at = ranks(known, by)
    told = [
        InSeason(
            who,
            people.names[who],
            at[who],
            own,
            len(attended[who]),
            streaks[who].now if who in streaks else 0,
            streaks[who].best if who in streaks else 0,
            tuple(AtGame(game, *numbers) for game, numbers in sorted(brought[who].items())),
        )
        for who, own in known.items()
    ]
    told.sort(key=lambda each: (each.rank, each.person))
    evenings = sorted({*days.values(), *(row.evening for row in late)})
    return Standings(tuple(told), len(games), tuple(evenings), tuple(pairs_at(ended)))


# --- The evenings of a season, and whether it is over


class SeasonNow(NamedTuple):
    """A season with its standings; ``over``: no later table can belong to it, and it has ``champions``."""

    season: Season
    over: bool
    standings: Standings

    @property
    def champions(self) -> tuple[InSeason, ...]:
        return self.standings.first if self.over else ()


def seasons_of(group: Group, today: date) -> list[SeasonNow]:
    """Return the seasons of a group with their standings, the latest first."""
    return [season_now(group, each, today) for each in group.seasons.order_by("-first", "-pk")]


def season_now(group: Group, season: Season, today: date) -> SeasonNow:
    """Return a season as of an evening; a season of N evenings is over the day after its Nth."""
    last = season.last
    if season.evenings is not None:
        days = Table.objects.filter(group=season.group_id, evening__gte=season.first).order_by("evening")
        played = list(days.values_list("evening", flat=True).distinct()[: season.evenings])
        last = played[-1] if len(played) == season.evenings else None
    standings = standings_of(group, Chosen(first=season.first, last=last), season.ranked_by)
    return SeasonNow(season, last is not None and last < today, standings)


class Trophy(NamedTuple):
    """A season that a person has won, alone or jointly."""

    season: Season
    wins: Fraction
    games: int


def trophies_of(group: Group, person: int, today: date) -> list[Trophy]:
    return [
        Trophy(each.season, own.tally.wins, own.tally.games)
        for each in seasons_of(group, today)
        for own in each.champions
        if own.person == person
    ]
