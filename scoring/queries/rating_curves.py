"""How ratings have come to what they are: what was believed of everybody's strength after one table and another."""

from collections import Counter
from dataclasses import dataclass
from datetime import date

from scoring.models import Group
from scoring.queries.kept import cached_for_group
from scoring.queries.seat_rows import ALL, Chosen, games, people_counted
from scoring.queries.statistics import Rating

NEW = Rating(25.0, 25.0 / 3)
"""What is believed of somebody who has not played: openskill's default."""


@dataclass(frozen=True, slots=True)
class RatedMoment:
    """The ratings after so many tables, the last of them on an evening, in the order of the people."""

    tables: int
    evening: date
    ratings: tuple[Rating, ...]


@dataclass(frozen=True, slots=True)
class RatingCurves:
    """Ratings over time: of whom, those who have played most first, and at some moments, the first table first."""

    people: tuple[tuple[int, str], ...]
    moments: tuple[RatedMoment, ...]
    tables: int


@cached_for_group
def rating_curves(group: Group, chosen: Chosen = ALL, *, person: int | None = None, most: int) -> RatingCurves:
    """Return the ratings at the chosen game, or at all games, after at most so many of the tables that are looked at.

    Ratings know all that was played before, also what lies before the first evening looked at. Who has not played yet
    is new.
    """
    people = people_counted(group)
    person = None if person is None else people.counts_as.get(person, person)
    columns = ("mu", "sigma") if chosen.game else ("mu_all", "sigma_all")
    rows = games(group.pk, chosen).order_by("finished_at", "table", "seat")
    if person is not None:
        rows = rows.filter(person__in=people.spellings(person))
    read = list(rows.values_list("table", "evening", "person", *columns))
    ends = [place for place, row in enumerate(read) if place + 1 == len(read) or read[place + 1][0] != row[0]]
    wanted = {ends[place] for place in evenly(len(ends), most)}
    now: dict[int, Rating] = {}
    played: Counter[int] = Counter()
    taken: list[tuple[int, date, dict[int, Rating]]] = []
    passed = 0
    for place, (table, evening, who, mu, sigma) in enumerate(read):
        if who is not None and mu is not None:
            counts = people.counts_as[who]
            now[counts] = Rating(mu, sigma)
            played[counts] += 1
        passed += place + 1 == len(read) or read[place + 1][0] != table
        if place in wanted:
            taken.append((passed, evening, dict(now)))
    shown = sorted(now, key=lambda who: (-played[who], who))
    return RatingCurves(
        tuple((who, people.names[who]) for who in shown),
        tuple(RatedMoment(count, day, tuple(known.get(who, NEW) for who in shown)) for count, day, known in taken),
        len(ends),
    )


def evenly(count: int, most: int) -> list[int]:
    """Return at most so many places out of a count, from the first to the last, evenly.

    >>> evenly(3, 5), evenly(9, 3), evenly(0, 3)
    ([0, 1, 2], [0, 4, 8], [])
    """
    if count <= most:
        return list(range(count))
    return [round(place * (count - 1) / (most - 1)) for place in range(most)]
