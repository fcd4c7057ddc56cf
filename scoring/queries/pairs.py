"""Two people of a group: how they did with and against each other, game by game, and how that came."""

from collections import defaultdict
from dataclasses import dataclass

from scoring.models import Group
from scoring.queries.kept import cached_for_group
from scoring.queries.seat_rows import ALL, Chosen, SeatRow, games, people_counted, seats_by_table, with_all
from scoring.queries.statistics import Pair, pairs_at


@dataclass(frozen=True, slots=True)
class TwoPeople:
    """Two people at all games and at each, and how often each was ahead after each game at whose end both sat.

    ``games`` begins with all of them, under an empty name; it is empty where they never met.
    """

    people: tuple[int, int]
    names: tuple[str, str]
    games: tuple[tuple[str, Pair], ...]
    ahead: tuple[tuple[int, int], ...]


@cached_for_group
def two_people(group: Group, one: int, other: int, chosen: Chosen = ALL) -> TwoPeople | None:
    """Return how two people did; ``None`` where the group does not know them, or they are one."""
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
