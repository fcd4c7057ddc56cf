"""Drawing of an evening's tables: who plays where, next to whom, and who sits out. Pure, without database."""

from collections.abc import Mapping, Sequence
from itertools import combinations, pairwise, permutations
from math import inf
from random import Random
from typing import NamedTuple

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
