"""Stored statistics compared with recomputed ones."""

from contextlib import suppress
from datetime import timedelta
from random import Random

import pytest
from django.core.management import call_command
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext

from referee.engine.records import load_event
from scoring.groups.acts.groups import delete_group
from scoring.groups.acts.people import change_person, forget_person, merge_people
from scoring.groups.acts.scores import finish_by_time, forget_scores, people_changed, statistics_differences
from scoring.groups.reads import statistics
from scoring.groups.reads.charts import distributions, most_played, rating_curves, two_people
from scoring.groups.reads.group_tables import ALL, Chosen
from scoring.groups.reads.statistics import statistics_of
from scoring.models import SeatScore
from scoring.tables.acts.amending import Amendment, amend
from scoring.tables.acts.exceptions import NotDone, NothingToUndo, NotTaken
from scoring.tables.acts.keys import Caller
from tests.games.discovery import RANDOM
from tests.scoring.conftest import open_table, play
from tests.scoring.groups import END, make_group, played, result, scored
from tests.scoring.statistics import adopt, random_tables

# --- Statistics stay correct through every act, and follow from the logs alone

pytestmark = pytest.mark.django_db


RESULT = result(6, 4, 2)


@pytest.fixture
def group():
    """A group; after every test its statistics are those that follow from the logs."""
    group = make_group()
    yield group
    assert not wrong(group)


def wrong(group):
    return [*statistics_differences(group.row)]


def seats(table):
    return [*SeatScore.objects.filter(table=table.row).order_by("seat")]


def counts_since(table):
    """Return since when a table's scores count; all its seats must agree."""
    (moment,) = {each.finished_at for each in seats(table)}
    return moment


def ran_out_of_time(table):
    table.row.log.update(at=table.row.created.replace(year=table.row.created.year - 1))


def correct(table, seq, event):
    amend(table.code, Amendment(seq=seq, event=load_event(event)), Caller())


def test_a_finished_table_is_scored(group):
    table = group.open_table()
    table.record(RESULT, RESULT)
    ann, bob, cy = seats(table)
    assert (ann.hands, ann.points, ann.best_hand, ann.tricks, ann.scores) == (2, 12, 6, 12, [6, 6])
    assert ann.finished_at is None
    table.record(END)
    ann, bob, cy = seats(table)
    assert [(each.rank, each.share) for each in (ann, bob, cy)] == [(1, 2520), (2, 0), (3, 0)]
    assert ann.finished_at == table.row.finished_at
    assert ann.mu > bob.mu > cy.mu


@pytest.mark.parametrize("game", sorted(RANDOM))
def test_totals_always_follow_from_the_log(group, game):
    rng = Random(0)
    told = RANDOM[game](rng)
    while not 8 < sum(len(hand["events"]) for hand in told["hands"]) < 120:
        told = RANDOM[game](rng)
    head = {key: told[key] for key in ("game", "options", "end", "seats", "first_dealer") if key in told}
    table = group.open_table(**head)
    for number, event in enumerate(event for hand in told["hands"] for event in hand["events"]):
        with suppress(NotTaken):
            table.record(event)
        if rng.random() < 0.04:
            with suppress(NothingToUndo):
                table.undo()
        if rng.random() < 0.04 and table.row.version:
            with suppress(NotDone):  # not every row can be amended; then nothing changes
                correct(table, rng.randrange(table.row.version) + 1, {"type": "note", "text": "x"})
        if number % 20 == 0:
            assert not wrong(group)
    with suppress(NotTaken):
        table.record({"type": "penalty", "seat": 0, "points": -3})
    with suppress(NotTaken):
        table.record(END)
    assert not wrong(group)
    table.undo()


def test_void_hands_do_not_count(group):
    table = group.open_table()
    table.record(play(0, "8MS"), {"type": "redeal"}, RESULT, play(1, "8MS"), END)
    assert [(each.hands, each.points) for each in seats(table)] == [(1, 6), (1, 4), (1, 2)]


def test_a_correction_of_an_old_table_updates_later_ratings(group):
    first, second = group.open_table(), group.open_table()
    first.record(RESULT, END)
    second.record(result(2, 4, 6), END)
    before = seats(second)[0].mu
    correct(first, 1, result(2, 4, 6))
    assert seats(second)[0].mu < before
    assert not wrong(group)
    first.undo()
    assert seats(first)[0].mu is None
    assert not wrong(group)
    forget_scores(second.row)
    assert not SeatScore.objects.filter(table=second.row).exists()
    second.row.delete()


def test_merging_and_splitting_recomputes_ratings(group):
    for names in (["Ann", "Bob", "Cy"], ["Dan", "Bob", "Cy"]):
        table = group.open_table(seats=names)
        table.record(RESULT, END)
    dan = group.add("Dan")
    SeatScore.objects.filter(table=table.row, seat=0).update(person=dan)
    table.row.people.create(seat=0, person_id=dan)
    people_changed(group.row.pk, [dan])
    apart = seats(table)[0].mu
    assert not wrong(group)
    group.merge("Dan", "Ann")
    assert seats(table)[0].mu > apart
    assert not wrong(group)
    group.merge("Dan", None)
    assert seats(table)[0].mu == apart


def test_a_table_that_ran_out_of_time_is_over_without_an_event(group):
    table = group.open_table(end={"kind": "time", "value": 60})
    table.record(RESULT)
    finish_by_time(group.row.pk)
    assert seats(table)[0].finished_at is None
    ran_out_of_time(table)
    finish_by_time(group.row.pk)
    assert seats(table)[0].finished_at == table.row.log.get().at + timedelta(minutes=60)
    assert seats(table)[0].share == 2520
    assert not wrong(group)
    pk = group.row.pk
    with CaptureQueriesContext(connection) as asked:
        finish_by_time(pk)
    assert len(asked) == 1
    table.undo()
    assert seats(table)[0].finished_at is None


HIDDEN = {"game": "ace-pit", "seats": ["Ann", "Bob"], "first_dealer": 0, "options": {"totals": "hidden"}}
PIT = scored(130, 105)


def test_hidden_points_count_once_revealed(group):
    table = group.open_table(**HIDDEN)
    table.record(PIT)
    following = table.go_on("Ann", "Cy")
    assert table.row.finished
    assert counts_since(table) is None
    following.record(PIT, END)
    assert counts_since(table) == table.row.finished_at
    assert not wrong(group)
    following.undo()
    assert counts_since(table) is None


@pytest.fixture
def chain(group):
    """Return three tables of one game with hidden points; only the first belongs to the group."""
    tables = [open_table(**HIDDEN)]
    for name in ("Cy", "Dee"):
        tables[-1].record(PIT)
        tables.append(tables[-1].go_on("Ann", name))
    adopt(tables[0].row, group.row, [group.people()["Ann"], None])
    return tables


def test_points_stay_hidden_until_the_last_table_of_a_game_ends(group, chain):
    table, _, last = chain
    assert counts_since(table) is None
    last.record(PIT, END)
    assert counts_since(table) == table.row.finished_at
    assert not wrong(group)
    last.undo()
    assert counts_since(table) is None
    last.record(END)
    last.go_on("Ann", "Eve")
    assert counts_since(table) is None


def test_hidden_points_are_shown_once_the_last_table_is_deleted(group, chain):
    table, _, last = chain
    assert last.keeper.delete(last.url).status_code == 204
    assert counts_since(table) == table.row.finished_at


def test_points_count_once_the_table_that_hid_them_runs_out_of_time(group):
    table = open_table(**HIDDEN, end={"kind": "time", "value": 60})
    table.record(PIT)
    following = table.go_on("Ann", "Cy")
    following.record(PIT)
    adopt(table.row, group.row, [group.people()["Ann"], None])
    finish_by_time(group.row.pk)
    assert counts_since(table) is None
    ran_out_of_time(table)
    ran_out_of_time(following)
    finish_by_time(group.row.pk)
    assert counts_since(table) == table.row.finished_at


def test_points_are_hidden_again_when_a_finished_game_continues(group):
    table = group.open_table(**HIDDEN)
    table.record(PIT, END)
    assert seats(table)[0].finished_at is not None
    table.go_on("Ann", "Cy")
    assert counts_since(table) is None


def test_a_card_that_ends_no_hand_costs_no_extra_queries(group):
    table, loose, costs = group.open_table(), open_table(), []
    for each in (table, loose):
        each.record(play(0, "8MS"))
        with CaptureQueriesContext(connection) as asked:
            each.record(play(1, "9MS"))
        costs.append(len(asked))
    assert costs[0] == costs[1]


def test_rebuilding_repairs_wrong_scores(group, capsys):
    table = group.open_table()
    table.record(RESULT, END)
    SeatScore.objects.filter(table=table.row, seat=0).update(points=99)
    SeatScore.objects.filter(table=table.row, seat=1).update(mu=1.0)
    SeatScore.objects.filter(table=table.row, seat=2).delete()
    with pytest.raises(SystemExit) as end:
        call_command("rebuild_statistics")
    said = capsys.readouterr().out
    assert end.value.code == 1
    assert "points of seat 0 is 99, not 6." in said
    assert "Seat 2 has no row." in said
    assert "The ratings of seat 1" in said
    call_command("rebuild_statistics", "--write")
    capsys.readouterr()
    call_command("rebuild_statistics", group.code)
    assert capsys.readouterr().out == "Groups checked: 1. Differences: 0.\n"


def test_incremental_ratings_equal_a_full_recomputation(group):
    assert len([*random_tables(group.row, [*group.people().values()], seed=7, count=25)]) == 25


# --- A group's computed results are cached, and never stale

ACE = Chosen(game="ace-trump")


def read(group, *, uncached):
    """Return everything stored about a group; ``uncached`` bypasses the caches."""
    row = group.row
    one, other = sorted(row.people.values_list("pk", flat=True))[:2]

    def ask(function, *args, **kwargs):
        return (function.__wrapped__ if uncached else function)(row, *args, **kwargs)

    return [
        ask(statistics_of),
        ask(statistics_of, ACE, person=one),
        ask(rating_curves, ALL, most=9),
        ask(rating_curves, ACE, person=one, most=9),
        ask(distributions, ACE),
        ask(most_played, ALL),
        ask(two_people, one, other),
    ]


def is_true(group):
    """Return whether two reads both match what follows from the stored data."""
    right = read(group, uncached=True)
    return read(group, uncached=False) == right == read(group, uncached=False)


@pytest.fixture
def club():
    return make_group("Ann", "Bob", "Cy", "Dan", "Eve")


@pytest.fixture
def played_club(club):
    """The club after a game of one hand."""
    played(club, (3, 5, 4))
    return club


def a_hand(rng):
    ann, bob = rng.randrange(4), rng.randrange(4)
    return result(ann, bob, 12 - ann - bob)


@pytest.mark.parametrize("seed", range(2))
def test_group_changes_are_visible_at_once(club, seed):
    rng, tables = Random(seed), []

    def sit():
        names = [person.name for person in club.row.people.filter(merged_into=None)]
        tables.append(club.open_table(seats=rng.sample([*names, "A guest", "Another"], 3)))
        tables[-1].record(a_hand(rng), a_hand(rng))

    def amend_one():
        table = rng.choice(tables)
        correct(table, 1 + rng.randrange(2), a_hand(rng))

    def rename():
        change_person(club.code, rng.choice([*club.people().values()]), {"name": f"P{rng.random()}"[:9]}, Caller())

    def merge():
        one, other = rng.sample([*club.people().values()], 2)
        merge_people(club.code, one, rng.choice([other, None]), Caller())

    def forget():
        if len(club.people()) > 3 and rng.random() < 0.3:
            forget_person(club.code, rng.choice([*club.people().values()]), Caller())

    def delete():
        table = tables.pop(rng.randrange(len(tables)))
        assert table.keeper.delete(table.url).status_code == 204

    acts = [
        sit,
        lambda: rng.choice(tables).record(END),
        lambda: rng.choice(tables).record(a_hand(rng)),
        lambda: rng.choice(tables).undo(),
        *(amend_one, rename, merge, forget, delete),
    ]
    sit(), tables[0].record(END)
    for _ in range(30):
        with suppress(NotDone):  # not everything can be done at any table; then nothing changes
            rng.choice(acts if tables else acts[:1])()
        assert is_true(club)


def test_cached_statistics_read_no_seats(played_club):
    read(played_club, uncached=False)
    row = played_club.row
    with CaptureQueriesContext(connection) as asked:
        statistics_of(row)
    assert len(asked) == 1


def test_a_group_deleted_during_a_request_has_played_nothing(played_club):
    looked_up = played_club.row
    assert statistics_of(looked_up).people
    delete_group(played_club.code, Caller())
    for _ in range(2):
        assert not statistics_of(looked_up).people
        assert two_people(looked_up, 1, 2) is None


def test_a_forgotten_person_is_in_no_cache(played_club):
    code = played_club.code
    read(played_club, uncached=False)
    assert "Ann" in remembered(code)
    played_club.forget("Ann")
    most_played(played_club.row, ALL)
    assert "Ann" not in remembered(code)
    looked_up = played_club.row
    read(played_club, uncached=False)
    delete_group(code, Caller())
    most_played(looked_up, ALL)
    assert not remembered(code)


def remembered(code):
    """Return everything this process has cached about a group, as text."""
    known = statistics._answer_cache.get(code)
    return "" if known is None else str(vars(known[1]))


def test_cached_answers_per_group_are_limited(played_club):
    one = played_club.people()["Ann"]
    for other in range(100):
        two_people(played_club.row, one, other)
    known = statistics._answer_cache.get(played_club.code)
    assert known is not None
    assert len(known[1]) == statistics.MOST_ANSWERS
    assert is_true(played_club)


def test_aborted_writes_are_not_cached(club):
    table = club.open_table()
    table.record(RESULT)
    before = read(club, uncached=False)
    with suppress(ZeroDivisionError), transaction.atomic():
        table.record(END)
        assert read(club, uncached=False) != before
        raise ZeroDivisionError
    assert read(club, uncached=False) == before
    table.record(END)
    assert is_true(club)


def test_repaired_ratings_are_shown(played_club, capsys):
    SeatScore.objects.filter(seat=1).update(mu=1.0, mu_all=1.0)
    wrong = read(played_club, uncached=False)
    call_command("rebuild_statistics", "--write")
    assert "The ratings of seat 1" in capsys.readouterr().out
    assert read(played_club, uncached=False) != wrong
    assert is_true(played_club)
