"""groups/{code}/statistics/: every number against one worked out from exported records alone."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from scoring.queries.statistics import statistics_of
from scoring.services.keys import Caller
from scoring.services.people import merge_people
from scoring.services.rebuilding import statistics_differences
from tests.scoring.conftest import holder
from tests.scoring.groups import make_group
from tests.scoring.statistics import NAMES, random_tables, recomputed

pytestmark = pytest.mark.django_db
RESULT = {"type": "result", "tricks": [6, 4, 2]}
END = {"type": "end"}


@pytest.fixture
def group():
    return make_group()


def told(group, **asked):
    answer = group.member.get(f"{group.url}statistics/", asked)
    assert answer.status_code == 200, answer.json()
    return answer.json()


def numbers(group, person, game=None, **asked):
    rows = [row for row in told(group, **asked)["people"] if (row["name"], row["game"]) == (person, game)]
    return rows[0]


def test_it_works(group):
    group.open_table().record(RESULT, RESULT, END)
    ann = numbers(group, "Ann", "ace-trump")
    assert {key: ann[key] for key in ("tables", "wins", "hands", "points", "best_hand", "tricks", "bids")} == {
        "tables": 1, "wins": 1, "hands": 2, "points": 12, "best_hand": 6, "tricks": 12, "bids": None,
    }  # fmt: skip
    assert ann["rating"]["ordinal"] == pytest.approx(ann["rating"]["mu"] - 3 * ann["rating"]["sigma"])
    assert numbers(group, "Ann")["rating"] == ann["rating"]


def test_a_table_that_is_not_over_counts_nothing(group):
    group.open_table().record(RESULT)
    assert told(group)["people"] == []


def test_a_shared_win_is_a_part_for_each(group):
    group.open_table().record({"type": "result", "tricks": [5, 5, 2]}, END)
    assert [numbers(group, name)["wins"] for name in ("Ann", "Bob", "Cy")] == [0.5, 0.5, 0]
    assert told(group)["records"]["closest_game"]["margin"] == 0


def test_a_tie_of_all_is_the_closest_game_there_is_and_a_table_without_a_hand_is_none(group):
    group.open_table().record(END)
    assert told(group)["records"]["closest_game"] is None
    tied = group.open_table()
    tied.record({"type": "result", "tricks": [4, 4, 4]}, END)
    assert told(group)["records"]["closest_game"] == {"table": tied.code, "game": "ace-trump", "margin": 0}


def test_revokes_are_told_where_the_group_wants_it(group):
    group.open_table().record(RESULT, END)
    assert numbers(group, "Ann")["revokes"] is None
    group.member.patch(group.url, {"counts_revokes": True})
    assert numbers(group, "Ann")["revokes"] == 0


def test_pairs_streaks_and_records(group):
    first, second = group.open_table(), group.open_table()
    first.record(RESULT, END)
    second.record({"type": "result", "tricks": [7, 1, 4]}, END)
    people, shown = group.people(), told(group)
    pair = next(each for each in shown["pairs"] if each["people"] == [people["Bob"], people["Cy"]])
    assert (pair["tables"], pair["ahead"], pair["together"]) == (2, [1, 1], 0)
    assert {"person": people["Ann"], "now": 2, "best": 2} in shown["streaks"]
    assert shown["records"]["best_hand"] == {"person": people["Ann"], "table": second.code, "hand": 1, "points": 7}
    assert shown["records"]["closest_game"] == {"table": first.code, "game": "ace-trump", "margin": 2}
    only = told(group, person=people["Bob"])
    assert {row["name"] for row in only["people"]} == {"Bob"}


def test_a_hand_that_does_not_tell_its_tricks_is_one_hand_however_many_played(group):
    table = group.open_table(game="ace-pit", seats=["Ann", "Bob"], first_dealer=0)
    table.record({"type": "result", "points": [130, 105]}, END)
    assert told(group)["untold"] == 1
    assert numbers(group, "Ann")["untold"] == 1


def test_who_asks_for_somebody_merged_is_told_of_whom_that_one_counts_as(group):
    group.open_table().record(RESULT, END)
    made = group.member.post(f"{group.url}people/", {"name": "Anny"}).json()["id"]
    group.member.post(f"{group.url}people/{made}/merge/", {"into": group.people()["Ann"]})
    assert {row["name"] for row in told(group, person=made)["people"]} == {"Ann"}


def test_games_and_evenings_are_chosen(group):
    group.open_table().record(RESULT, END)
    assert told(group, game="ransom-trump")["people"] == []
    assert told(group, **{"from": "2999-01-01"})["people"] == []
    assert group.member.get(f"{group.url}statistics/", {"game": "x" * 41}).status_code == 400


def test_a_viewer_reads_them_and_nobody_else(group):
    assert holder(group.link("viewer")).get(f"{group.url}statistics/").status_code == 200
    assert holder("x").get(f"{group.url}statistics/").status_code == 404


def test_a_table_given_to_the_group_counts_and_a_deleted_one_does_not(group):
    table = make_group("Ann", "Bob", "Cy", name="Others").open_table()
    loose = group.open_table()
    loose.record(RESULT, END)
    table.record(RESULT, END)
    assert numbers(group, "Ann")["tables"] == 1
    assert holder(loose.token).delete(f"/api/v1/tables/{loose.code}/").status_code == 204
    assert told(group)["people"] == []


def test_who_is_forgotten_leaves_the_scores_to_the_others(group):
    group.open_table().record(RESULT, END)
    group.member.delete(f"{group.url}people/{group.people()['Ann']}/")
    shown = told(group)
    assert {row["name"] for row in shown["people"]} == {"Bob", "Cy"}
    assert shown["records"]["best_hand"]["person"] is None
    assert [*statistics_differences(group.row)] == []


def test_every_number_is_that_of_the_exported_records():
    group = make_group(*NAMES)
    people = group.people()
    assert len([*random_tables(group.row, [*people.values()], seed=11, count=40)]) == 40
    merged = next(name for name in NAMES if _may_merge(group, people[name], people["Ann"]))
    counts_as = {people[merged]: people["Ann"]}
    wanted = recomputed(group.row, counts_as)
    got = {(row.person, row.game): row for row in statistics_of(group.row).people}
    assert {key for key in wanted if key[1]} == {key for key in got if key[1]}
    for key, right in wanted.items():
        row = got[key]
        assert row.rating == pytest.approx(right["rating"])
        if key[1]:
            assert (row.tables, row.wins, row.hands, row.points, row.best_hand, row.tricks, row.revokes) == tuple(
                right[name] for name in ("tables", "wins", "hands", "points", "best_hand", "tricks", "revokes")
            )
            assert row.bids == (None if right["bids"] is None else tuple(right["bids"].values()))


def _may_merge(group, person, into):
    """Merge somebody who never sat with the other, if nobody else did."""
    if person == into:
        return False
    try:
        merge_people(group.code, person, into, Caller())
    except Exception:  # noqa: BLE001 - they sat together
        return False
    return True


def test_more_tables_take_no_more_statements(group):
    counted = []
    for _ in range(2):
        for _ in range(3):
            group.open_table().record(RESULT, END)
        with CaptureQueriesContext(connection) as asked:
            told(group)
        counted.append(len(asked))
    assert counted[0] == counted[1]
