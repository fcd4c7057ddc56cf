"""A group's people: colors and initials, forgetting, and the draw of an evening's tables."""

from collections import Counter
from itertools import combinations
from random import Random
from statistics import mean
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from hypothesis import given
from hypothesis import strategies as st

from scoring.groups.acts.people import add_person, change_person, forget_person, merge_people
from scoring.groups.reads.groups import marks
from scoring.groups.reads.tonight import Drawn, around, draw_tables, neighbours, sizes_for
from scoring.models import Person, Table
from scoring.models.fields import unpacked
from scoring.operating.reads import differences
from scoring.tables.acts.keys import Caller
from scoring.tables.presenters.people import at_table
from tests.scoring.conftest import OpenTable, holder, open_table, play
from tests.scoring.groups import Thursday, make_group

# --- Colors and initials: permanent, and the same at every table of the group

pytestmark = pytest.mark.django_db
BY = Caller()


@pytest.fixture
def group() -> Thursday:
    return make_group("Ann", "Bob", "Cy")


def seats(table: OpenTable) -> list[tuple[str, str]]:
    return [(who.mark, who.colour) for who in at_table(Table.objects.get(code=table.code))]


def test_a_new_person_gets_the_least_used_color(group):
    assert [person.colour for person in Person.objects.order_by("pk")] == ["blue", "orange", "green"]
    assert add_person(group.code, "Dee", BY).colour == "pink"
    assert add_person(group.code, "Eve", BY, colour="yellow").colour == "yellow"
    assert add_person(group.code, "Flo", BY).colour == "purple"


def test_group_tables_color_people_consistently_and_guests_by_seat(group):
    table = group.open_table(seats=["Cy", "Gast", "Ann"])
    assert seats(table) == [("C", "green"), ("G", "orange"), ("A", "blue")]
    assert seats(open_table()) == [("A", "blue"), ("B", "orange"), ("C", "green")]


def test_two_people_with_the_same_color_differ_at_a_table(group):
    people = group.people()
    change_person(group.code, people["Cy"], {"colour": "blue"}, BY)
    assert seats(group.open_table()) == [("A", "blue"), ("B", "orange"), ("C", "green")]


def test_tables_follow_changes_to_colors_names_merges_and_forgetting(group):
    table, people = group.open_table(), group.people()
    change_person(group.code, people["Ann"], {"colour": "sky"}, BY)
    assert seats(table)[0] == ("A", "sky")
    alma = add_person(group.code, "Alma", BY)
    assert seats(table)[0] == ("An", "sky")
    merge_people(group.code, people["Ann"], alma.pk, BY)
    assert seats(table)[0] == ("A", "blue")
    merge_people(group.code, people["Ann"], None, BY)
    change_person(group.code, alma.pk, {"name": "Zoe"}, BY)
    assert seats(table)[0] == ("A", "sky")
    forget_person(group.code, people["Ann"], BY)
    assert seats(table) == [("P", "blue"), ("B", "orange"), ("C", "green")]


def test_a_table_moved_into_a_group_shows_its_people(group):
    change_person(group.code, group.people()["Cy"], {"colour": "red"}, BY)
    table = open_table()
    group.adopt(table)
    assert [colour for _mark, colour in seats(table)] == ["blue", "orange", "red"]


def test_a_card_at_a_group_table_needs_no_query_for_colors(group, client):
    counts = []
    for table in (open_table(), group.open_table()):
        table.record(play(0, "8MS"))
        with CaptureQueriesContext(connection) as asked:
            holder(table.token).post(f"/api/v1/tables/{table.code}/events/", {"events": [play(1, "9MS")]})
        counts.append(len(asked))
    assert counts[0] == counts[1]


def test_initials_differ_whenever_the_names_allow_it():
    names = ("Anna", "Anna Maria", "Annika", "Ben", "Karl Abel", "Karl Berg", "", "Ö")
    assert marks(names) == ("An", "AM", "Ai", "B", "KA", "KB", "", "Ö")


# --- Forgetting a person: the name is gone everywhere, and the scores stay

NAME = "Wilhelmine"
RESULT = {"type": "result", "tricks": [3, 4, 5]}


@pytest.fixture
def wilhelmines(db):
    return make_group("Ann", NAME, "Cy")


@pytest.fixture
def table(wilhelmines):
    """A table with two hands, and the name in every text people can write."""
    table = wilhelmines.open_table(seats=["Ann", NAME, "Cy"], x_note=f"for {NAME}’s birthday")
    keeper, url = holder(table.token), f"/api/v1/tables/{table.code}/"
    for _ in range(2):
        keeper.post(f"{url}events/", play(0, "8MS", x_why=f"{NAME} said so"))
        keeper.post(f"{url}events/", {"type": "note", "text": f"{NAME.upper()} was late"})
        keeper.post(f"{url}undo/", {})
        keeper.post(f"{url}events/", {"type": "note", "text": f"{NAME}'s deal, not Wilhelmines"})
        keeper.post(f"{url}undo/", {})
        keeper.post(f"{url}undo/", {})
        assert keeper.post(f"{url}events/", RESULT).status_code == 201
        keeper.post(f"{url}events/", {"type": "note", "text": f"{NAME} again"})
    wilhelmines.member.post(f"{wilhelmines.url}links/", {"role": "viewer", "name": f"{NAME}’s phone"})
    return table


def everything():
    """Return everything in the database as text, packed data included."""
    tables = connection.introspection.table_names()
    with connection.cursor() as cursor:
        found = []
        for name in tables:
            cursor.execute(f'SELECT * FROM "{name}"')
            found += [unpacked(str(value)) for row in cursor.fetchall() for value in row]
    return "\n".join(found)


def test_a_forgotten_name_is_gone_everywhere_and_the_scores_stay(wilhelmines, table):
    keeper, url = holder(table.token), f"/api/v1/tables/{table.code}/"
    before = keeper.get(url).json()
    assert NAME in everything()
    answer = wilhelmines.member.delete(f"{wilhelmines.url}people/{wilhelmines.people()[NAME]}/")
    assert answer.status_code == 204
    assert NAME.lower() not in everything().lower()
    after = keeper.get(url).json()
    assert after["seats"] == ["Ann", "Player 2", "Cy"]
    assert after["people"][1] is None
    assert after["state"]["totals"] == before["state"]["totals"]
    assert differences(table.row) == []
    assert keeper.post(f"{url}events/", RESULT).status_code == 201


def test_the_law_book_forgets_the_name_too(wilhelmines):
    wilhelmines.member.post(
        f"{wilhelmines.url}precedents/", {"question": f"May {NAME} look?", "decision": f"{NAME}s look counts."}
    )
    wilhelmines.member.delete(f"{wilhelmines.url}people/{wilhelmines.people()[NAME]}/")
    assert NAME not in everything()


def test_a_name_that_ends_in_s_is_kept(db):
    wilhelmines = make_group("Luca", "Lucas", "Cy")
    wilhelmines.member.post(f"{wilhelmines.url}precedents/", {"question": "Does Lucas deal?", "decision": "Luca does."})
    wilhelmines.member.delete(f"{wilhelmines.url}people/{wilhelmines.people()['Luca']}/")
    [left] = wilhelmines.member.get(f"{wilhelmines.url}precedents/").json()["precedents"]
    assert (left["question"], left["decision"]) == ("Does Lucas deal?", "… does.")


def test_forgetting_a_person_includes_merged_ones(wilhelmines, table):
    anne = wilhelmines.member.post(f"{wilhelmines.url}people/", {"name": "Minchen"}).json()["id"]
    wilhelmines.member.post(f"{wilhelmines.url}people/{anne}/merge/", {"into": wilhelmines.people()[NAME]})
    wilhelmines.member.delete(f"{wilhelmines.url}people/{wilhelmines.people()[NAME]}/")
    assert sorted(Person.objects.values_list("name", flat=True)) == ["Ann", "Cy"]


def test_only_members_forget_a_person_and_only_once(wilhelmines):
    person = f"{wilhelmines.url}people/{wilhelmines.people()[NAME]}/"
    assert holder(wilhelmines.link("viewer")).delete(person).status_code == 403
    assert wilhelmines.member.delete(person).status_code == 204
    assert wilhelmines.member.delete(person).status_code == 404


# --- The draw: everyone plays or sits out fairly, with as few repeated meetings as possible

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
