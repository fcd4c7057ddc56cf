"""Personal bests: the best hand a group member has had at a game."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from rest_framework.test import APIClient

from scoring.groups.reads.statistics import bests_at
from scoring.tables.acts.holding import cached_standing
from scoring.tables.reads.page_facts import page_facts
from scoring.tables.reads.state import left_before
from tests.scoring.conftest import OpenTable, holder, open_table, play
from tests.scoring.evenings import played, result
from tests.scoring.groups import Thursday, make_group
from tests.scoring.pages.reading import text


@pytest.fixture
def group(db) -> Thursday:
    """A group in which Ann has had hands of 4, 6 and 5, Bob of 4, 3 and 1, Cy of 4, 3 and 6."""
    group = make_group()
    played(group, (4, 4, 4), (6, 3, 3), (5, 1, 6))
    return group


def bests(table: OpenTable) -> list[tuple[int, ...]]:
    at = cached_standing(table.row)
    return [tuple(each) for each in bests_at(at, left_before(at.row))]


def test_a_hand_that_beats_all_of_a_persons_hands_is_a_best(group):
    table = group.open_table()
    table.record(result(5, 5, 2))
    assert bests(table) == [(1, 1, 5, 4)], "Bob had 4; Ann has had 6"


def test_an_equalled_best_is_not_a_new_best(group):
    table = group.open_table()
    table.record(result(5, 5, 2))
    table.record(result(2, 5, 5))
    assert bests(table) == []
    table.record(result(2, 6, 4))
    assert bests(table) == [(1, 3, 6, 5)]


def test_the_end_of_a_game_names_the_best_of_all_its_hands(group):
    table = group.open_table()
    table.record(result(2, 8, 2), result(5, 4, 3), {"type": "end"})
    assert bests(table) == [(1, 1, 8, 4)]


def test_a_best_needs_enough_hands(db):
    group = make_group()
    table = group.open_table()
    for tricks in ((4, 4, 4), (3, 5, 4), (2, 6, 4)):
        table.record(result(*tricks))
        assert bests(table) == []
    table.record(result(2, 7, 3))
    assert bests(table) == [(1, 4, 7, 6)]


def test_guests_and_tables_without_a_group_have_no_best(group):
    table = group.open_table(seats=["Ann", "Wilma", "Cy"])
    table.record(result(2, 9, 1))
    assert bests(table) == []
    alone = open_table()
    alone.record(result(1, 9, 2))
    assert bests(alone) == []


def test_a_merged_person_has_the_hands_of_both(group):
    bobby = group.member.post(f"{group.url}people/", {"name": "Bobby"}).json()["id"]
    played(group, (1, 9, 2), seats=["Ann", "Bobby", "Cy"])
    group.member.post(f"{group.url}people/{bobby}/merge/", {"into": group.people()["Bob"]})
    table = group.open_table()
    table.record(result(2, 8, 2))
    assert bests(table) == []
    table.record(result(1, 10, 1))
    assert bests(table) == [(1, 2, 10, 9)]


def test_hands_of_other_games_are_not_compared(group):
    table = group.open_table(game="ransom-trump")
    table.record({"type": "result", "tricks": [2, 5, 2]})
    assert bests(table) == []


ROUNDS = {
    "game": "any-game",
    "seats": ["Ann", "Bob"],
    "first_dealer": 0,
    "title": "Golf",
    "options": {"wins": "lowest"},
}


def test_the_lowest_hand_is_best_if_the_lowest_total_wins(db):
    group = make_group("Ann", "Bob")
    table = group.open_table(**ROUNDS)
    for points in ((9, 8), (7, 9), (8, 6)):
        table.record({"type": "result", "points": list(points)})
    table.record({"type": "result", "points": [5, 7]})
    assert bests(table) == [(0, 4, 5, 7)]


def test_hidden_points_reveal_no_best(db):
    group = make_group("Ann", "Bob")
    pit = {"game": "ace-pit", "seats": ["Ann", "Bob"], "first_dealer": 0}
    for options in ({}, {"totals": "hidden"}):
        table = group.open_table(**pit, options=options)
        for points in ((70, 70), (75, 65), (80, 70), (200, 70)):
            table.record({"type": "result", "points": list(points)})
        assert bool(bests(table)) is not bool(options)


def test_bests_cost_two_queries_per_hand_and_none_per_tap(group):
    table = group.open_table()
    table.record(result(2, 9, 1))
    at = cached_standing(table.row)
    left = left_before(at.row)
    with CaptureQueriesContext(connection) as asked:
        assert bests_at(at, left)
    assert len(asked) == 2
    table.record(play(1, "8MS"))
    at = cached_standing(table.row)
    left = left_before(at.row)
    with CaptureQueriesContext(connection) as asked:
        assert bests_at(at, left) == ()
    assert len(asked) == 0


def test_a_best_is_shown_on_the_page_the_big_screen_and_in_the_api(group):
    table = group.open_table()
    table.record(result(2, 9, 1))
    said = "Best hand yet for Bob: 9"
    for page in ("", "screen/"):
        assert said in text(APIClient().get(f"/t/{table.code}/{page}")), page
    url = f"/api/v1/tables/{table.code}/"
    told = holder(table.token).get(url)
    assert told.json()["bests"] == [{"seat": 1, "hand": 1, "points": 9, "before": 4}]
    table.record({"type": "end"})
    for page in ("", "screen/"):
        assert said in text(APIClient().get(f"/t/{table.code}/{page}")), page
    assert page_facts(cached_standing(table.row)).bests


def test_a_cached_answer_is_dropped_once_another_table_beats_the_best(group):
    table = group.open_table()
    table.record(result(2, 9, 1))
    url = f"/api/v1/tables/{table.code}/"
    tag = holder(table.token).get(url)["ETag"]
    assert holder(table.token).get(url, HTTP_IF_NONE_MATCH=tag).status_code == 304
    played(group, (1, 10, 1))
    assert holder(table.token).get(url, HTTP_IF_NONE_MATCH=tag).json()["bests"] == []
