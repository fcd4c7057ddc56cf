"""The draw of an evening's tables: everyone plays or sits out fairly, with as few repeated meetings as possible."""

from collections import Counter
from itertools import combinations
from random import Random
from statistics import mean
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.groups.reads.tonight import Drawn, around, draw_tables, neighbours, sizes_for

SIZES = [(2,), (3,), (4,), (2, 3, 4), (3, 4), (3, 4, 5), (4, 5, 6), (3, 4, 5, 6, 7)]


def drawn(count, seed, *, allowed=(3, 4, 5), preferred=4, met=None, beside=None, sat_out=None, ratings=None):
    return draw_tables(
        range(1, count + 1), seed=seed, allowed=allowed, preferred=preferred, met=met or {}, beside=beside or {},
        sat_out=sat_out or {}, ratings=ratings,
    )  # fmt: skip


def evening(count, rounds, seed, **kind):
    """Play this many rounds; return who met, who sat side by side, and who sat out."""
    met, beside, out, told = Counter[Any](), Counter[Any](), Counter[Any](), []
    for number in range(rounds):
        weights = {pair: 100 * times**2 for pair, times in met.items()}
        found = drawn(count, seed * 100 + number, met=weights, beside=beside, sat_out=out, **kind)
        for table in found.tables:
            met.update(combinations(sorted(table), 2))
            beside.update(neighbours(*two) for two in around(table))
        out.update(found.out)
        told.append(found)
    return told, met, beside, out


@given(st.integers(0, 60), st.sampled_from(SIZES), st.integers(0, 2**31), st.booleans())
def test_everyone_sits_at_one_table_or_sits_out(count, allowed, seed, by_rating):
    ratings = {who: who % 7 for who in range(1, count + 1)} if by_rating else None
    found = drawn(count, seed, allowed=allowed, preferred=allowed[len(allowed) // 2], ratings=ratings)
    seated = [who for table in found.tables for who in table]
    assert sorted([*seated, *found.out]) == list(range(1, count + 1))
    assert {len(table) for table in found.tables} <= set(allowed)
    assert len(found.out) < min(allowed) or count < min(allowed)


@given(st.integers(2, 40), st.integers(0, 2**31))
def test_the_same_seed_draws_the_same_tables(count, seed):
    assert drawn(count, seed) == drawn(count, seed)


def test_another_seed_draws_other_tables():
    assert len({drawn(12, seed) for seed in range(10)}) > 5


@given(st.integers(3, 60), st.sampled_from(SIZES))
def test_no_other_table_sizes_would_seat_more(count, allowed):
    sizes = sizes_for(count, allowed, allowed[0])
    reachable = {0}
    for _ in range(count):
        reachable |= {seats + size for seats in reachable for size in allowed if seats + size <= count}
    assert sum(sizes) == max(reachable)


@pytest.mark.parametrize(
    ("count", "allowed", "preferred", "sizes"),
    [
        (13, (3, 4, 5), 4, [5, 4, 4]),
        (40, (3, 4, 5), 4, [4] * 10),
        (7, (3, 4), 4, [4, 3]),
        (6, (2, 3, 4), 4, [3, 3]),
        (5, (4,), 4, [4]),
        (3, (4,), 4, []),
    ],
)
def test_tables_are_as_close_to_the_preferred_size_as_possible(count, allowed, preferred, sizes):
    assert sizes_for(count, allowed, preferred) == sizes


@given(st.integers(5, 25), st.integers(0, 1000))
def test_sitting_out_is_shared_evenly_over_an_evening(count, seed):
    _told, _met, _beside, out = evening(count, 5, seed, allowed=(4,))
    times = [out[who] for who in range(1, count + 1)]
    assert max(times) - min(times) <= 1


def test_players_who_sat_out_an_earlier_evening_play_first():
    found = drawn(5, 3, allowed=(4,), sat_out={1: 1, 2: 1, 3: 1, 4: 1})
    assert found.out == (5,)


@given(st.integers(0, 200))
def test_sixteen_people_seldom_meet_twice_in_four_rounds(seed):
    _told, met, _beside, _out = evening(16, 4, seed, allowed=(4,))
    # Four rounds of four tables make 96 meetings among 120 pairs: ideally no pair meets twice.
    assert max(met.values()) <= 2
    assert sum(times - 1 for times in met.values()) <= 12


def test_a_draw_repeats_fewer_meetings_than_chance():
    rng, chosen, chance = Random(1), [], []
    for seed in range(20):
        met = {pair: rng.randrange(10) for pair in combinations(range(1, 21), 2)}

        def cost(found: Drawn, met=met):
            return sum(met[pair] for table in found.tables for pair in combinations(sorted(table), 2))

        chosen.append(cost(drawn(20, seed, met=met)))
        people = rng.sample(range(1, 21), 20)
        chance.append(cost(Drawn(tuple(tuple(people[at : at + 4]) for at in range(0, 20, 4)), ())))
    assert mean(chosen) < 0.5 * mean(chance)


def test_a_draw_by_rating_seats_people_of_similar_strength_together():
    found = drawn(12, 5, ratings={who: float(who) for who in range(1, 13)}, met={(1, 2): 9, (3, 4): 9})
    assert {frozenset(table) for table in found.tables} == {frozenset(range(low, low + 4)) for low in (1, 5, 9)}


@given(st.integers(0, 200))
def test_neighbors_change_when_the_same_people_meet_again(seed):
    _told, _met, beside, _out = evening(5, 2, seed, allowed=(5,), preferred=5)
    # Five players make ten pairs, and two rounds ten neighbors: each pair once.
    assert set(beside.values()) == {1}


def test_forty_people_are_drawn_quickly():
    met = {pair: sum(pair) % 5 for pair in combinations(range(1, 41), 2)}
    found = drawn(40, 1, met=met)
    assert [len(table) for table in found.tables] == [4] * 10
