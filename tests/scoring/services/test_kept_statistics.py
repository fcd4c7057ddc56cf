"""What was worked out of a group is asked for again without work, and is never what is true no longer."""

from contextlib import suppress
from random import Random

import pytest
from django.core.management import call_command
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext

from referee.engine.reading import load_event
from scoring.models import SeatScore
from scoring.queries import kept
from scoring.queries.distributions import distributions, most_played
from scoring.queries.pairs import two_people
from scoring.queries.rating_curves import rating_curves
from scoring.queries.seat_rows import ALL, Chosen
from scoring.queries.statistics import statistics_of
from scoring.services.amending import Amendment, amend
from scoring.services.exceptions import NotDone
from scoring.services.forgetting import forget_person
from scoring.services.groups import delete_group
from scoring.services.keys import Caller
from scoring.services.people import change_person, merge_people
from tests.scoring.conftest import ACE_TRUMP, holder
from tests.scoring.evenings import result
from tests.scoring.groups import make_group

pytestmark = pytest.mark.django_db

END = {"type": "end"}
ACE = Chosen(game="ace-trump")


def read(group, *, anew):
    """Return all that is kept of a group; ``anew``, without what is kept."""
    row = group.row
    one, other = sorted(row.people.values_list("pk", flat=True))[:2]

    def ask(function, *args, **kwargs):
        return (function.__wrapped__ if anew else function)(row, *args, **kwargs)

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
    """Return whether what is asked for, twice, is what follows from what is stored."""
    right = read(group, anew=True)
    return read(group, anew=False) == right == read(group, anew=False)


@pytest.fixture
def group():
    return make_group("Ann", "Bob", "Cy", "Dan", "Eve")


def a_hand(rng):
    tricks = [rng.randrange(4), rng.randrange(4), 0]
    tricks[2] = 12 - sum(tricks)
    return result(*tricks)


@pytest.mark.parametrize("seed", range(2))
def test_whatever_changes_a_group_is_seen_at_once(group, seed):
    """Tables begin, end, are corrected, taken back and deleted; people are renamed, merged, parted and forgotten."""
    rng, tables = Random(seed), []

    def sit():
        names = [person.name for person in group.row.people.filter(merged_into=None)]
        tables.append(group.open_table(seats=rng.sample([*names, "A guest", "Another"], 3)))
        tables[-1].record(a_hand(rng), a_hand(rng))

    def amend_one():
        table = rng.choice(tables)
        amend(table.code, Amendment(seq=1 + rng.randrange(2), event=load_event(a_hand(rng))), Caller())

    def rename():
        change_person(group.code, rng.choice([*group.people().values()]), {"name": f"P{rng.random()}"[:9]}, Caller())

    def merge():
        one, other = rng.sample([*group.people().values()], 2)
        merge_people(group.code, one, rng.choice([other, None]), Caller())

    def forget():
        if len(group.people()) > 3 and rng.random() < 0.3:
            forget_person(group.code, rng.choice([*group.people().values()]), Caller())

    def delete():
        table = tables.pop(rng.randrange(len(tables)))
        assert holder(table.token).delete(f"/api/v1/tables/{table.code}/").status_code == 204

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
        assert is_true(group)


def test_a_second_look_reads_no_seats(group):
    group.open_table().record(a_hand(Random(1)), END)
    read(group, anew=False)
    row = group.row
    with CaptureQueriesContext(connection) as asked:
        statistics_of(row)
    assert len(asked) == 1


def test_who_looks_in_vain_at_a_group_of_nobody_is_told_so(group):
    row = group.row
    assert two_people(row, -1, -2) is None
    assert two_people(row, -1, -2) is None


def test_a_group_that_is_deleted_while_somebody_looks_has_played_nothing(group):
    group.open_table().record(a_hand(Random(1)), END)
    looked_up = group.row
    assert statistics_of(looked_up).people
    delete_group(group.code, Caller())
    for _ in range(2):
        assert not statistics_of(looked_up).people
        assert two_people(looked_up, 1, 2) is None


def test_who_was_forgotten_stays_in_nobodys_memory(group):
    """With the next look, whatever it is at, all goes that was worked out before."""
    group.open_table().record(a_hand(Random(1)), END)
    read(group, anew=False)
    assert "Ann" in remembered(group.code)
    forget_person(group.code, group.people()["Ann"], Caller())
    most_played(group.row, ALL)
    assert "Ann" not in remembered(group.code)
    looked_up = group.row
    read(group, anew=False)
    delete_group(group.code, Caller())
    most_played(looked_up, ALL)
    assert not remembered(group.code)


def remembered(code):
    """Return all that this process has kept of a group, as text."""
    known = kept._answer_cache.get(code)
    return "" if known is None else str(vars(known[1]))


def test_only_so_many_answers_are_kept_of_a_group(group):
    group.open_table().record(a_hand(Random(1)), END)
    one = group.people()["Ann"]
    for other in range(100):
        two_people(group.row, one, other)
    known = kept._answer_cache.get(group.code)
    assert known is not None
    assert len(known[1]) == kept.MOST_ANSWERS
    assert is_true(group)


def test_what_was_not_written_in_the_end_is_not_kept(group):
    table = group.open_table()
    table.record(a_hand(Random(1)))
    before = read(group, anew=False)
    with suppress(ZeroDivisionError), transaction.atomic():
        table.record(END)
        assert read(group, anew=False) != before
        raise ZeroDivisionError
    assert read(group, anew=False) == before
    table.record(END)
    assert is_true(group)


def test_ratings_that_were_mended_are_those_that_are_shown(group, capsys):
    table = group.open_table()
    table.record(a_hand(Random(1)), END)
    SeatScore.objects.filter(table=table.row, seat=1).update(mu=1.0, mu_all=1.0)
    wrong = read(group, anew=False)
    call_command("rebuild_statistics", "--write")
    assert "The ratings of seat 1" in capsys.readouterr().out
    assert read(group, anew=False) != wrong
    assert is_true(group)


def test_one_group_knows_nothing_of_another(group):
    group.open_table().record(a_hand(Random(1)), END)
    other = make_group("Ann", "Bob", "Cy", "Dan", "Eve")
    assert read(group, anew=False) != read(other, anew=False)
    assert ACE_TRUMP["game"] == most_played(group.row, ALL)
    assert most_played(other.row, ALL) == ""
