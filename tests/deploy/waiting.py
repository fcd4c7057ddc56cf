"""Lock conflicts on PostgreSQL; each story runs in its own process and database."""

import sys
import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial

import psycopg
from django.core.management import call_command
from django.db import connection, transaction

from referee.engine.records import load_event
from scoring.groups.acts.people import forget_person, merge_people
from scoring.groups.acts.scores import LOCK
from scoring.models import SeatScore, Table
from scoring.operating.acts.database import past_deadlocks
from scoring.tables.acts.amending import Amendment, amend
from scoring.tables.acts.holding import lock_group
from scoring.tables.acts.keys import Caller
from scoring.tables.acts.opening import continue_table
from tests.scoring.conftest import OpenTable, holder
from tests.scoring.groups import Thursday, make_group

RESULT = {"type": "result", "tricks": [6, 4, 2]}
HIDDEN = {"game": "ace-pit", "seats": ["Ann", "Bob"], "first_dealer": 0, "options": {"totals": "hidden"}}
PIT = {"type": "result", "points": [130, 105]}
END = {"type": "end"}


@contextmanager
def another():
    """Open another connection; its changes are rolled back at the end."""
    with psycopg.connect(sys.argv[1]) as other:
        yield other
        other.rollback()


def start(act: Callable[[], object]) -> Future[object]:

    def and_close() -> object:
        try:
            return act()
        finally:
            connection.close()

    return ThreadPoolExecutor().submit(and_close)


def wait_until_one_is_blocked() -> None:
    with connection.cursor() as cursor:
        for _ in range(2000):
            cursor.execute("SELECT count(*), pg_sleep(0.005) FROM pg_locks WHERE NOT granted")
            if cursor.fetchone()[0]:
                return
    raise AssertionError("nobody waits")


def waiters_for_group_scores_have_written_none() -> None:
    """Otherwise the holder of the lock, about to write scores, would wait for the waiter."""
    group = make_group("Ann", "Bob", "Cy", "Dan")
    people = group.people()
    table = group.open_table()
    table.record(RESULT, END)
    acts = [
        lambda: amend(
            table.code, Amendment(seq=1, event=load_event({"type": "result", "tricks": [2, 4, 6]})), Caller()
        ),
        lambda: merge_people(group.code, people["Ann"], people["Dan"], Caller()),
        lambda: forget_person(group.code, people["Bob"], Caller()),
        lambda: holder(table.token).delete(f"/api/v1/tables/{table.code}/"),
    ]
    for act in acts:
        with another() as other:
            other.execute("SELECT pg_advisory_xact_lock(%s, %s)", [LOCK, group.row.pk])
            acting = start(act)
            wait_until_one_is_blocked()
            other.execute("SELECT 1 FROM scoring_seatscore FOR UPDATE NOWAIT")
        acting.result(10)
    assert not SeatScore.objects.exists()


def a_later_table_ends_while_an_earlier_one_is_locked() -> None:
    """It writes the scores of the earlier table, whose points were hidden, without waiting for its lock."""
    _, table, following = two_with_hidden_points()
    acts = [
        (lambda: following.record(END), 2),
        (lambda: following.undo(), 0),
        (lambda: holder(following.token).delete(f"/api/v1/tables/{following.code}/"), 2),
    ]
    with another() as other:
        other.execute("SELECT 1 FROM scoring_table WHERE id = %s FOR NO KEY UPDATE", [table.row.pk])
        for act, finished in acts:
            start(act).result(10)
            assert SeatScore.objects.filter(table=table.row, finished_at__isnull=False).count() == finished


def waiters_for_a_later_table_hold_no_scores() -> None:
    """Tables are locked oldest first, and their group's scores after all of them."""
    group, table, following = two_with_hidden_points()
    corrected = Amendment(seq=1, event=load_event({"type": "result", "points": [105, 130]}))
    with another() as other:
        other.execute("SELECT 1 FROM scoring_table WHERE id = %s FOR NO KEY UPDATE", [following.row.pk])
        acting = start(lambda: amend(table.code, corrected, Caller()))
        wait_until_one_is_blocked()
        taken = other.execute("SELECT pg_try_advisory_xact_lock(%s, %s)", [LOCK, group.row.pk]).fetchone()
        assert taken == (True,)
    acting.result(10)
    assert following.row.carried == [105, 0]


def two_with_hidden_points() -> tuple[Thursday, OpenTable, OpenTable]:
    """Open a table of a group that hides its points, and continue at another one."""
    group = make_group()
    table = group.open_table(**HIDDEN)
    table.record(PIT)
    opened = continue_table(table.code, {"seats": ["Ann", "Cy"]}, Caller())
    following = OpenTable(opened.table.code, opened.token)
    following.record(PIT)
    return group, table, following


def a_table_continues_while_its_group_changes() -> None:
    """The new table references the group; whoever changes the group may be about to write to the earlier table."""
    group = make_group()
    table = group.open_table()
    table.record(RESULT)
    with transaction.atomic():
        assert lock_group(group.code)
        start(lambda: continue_table(table.code, {"seats": ["Bob", "Cy", "Dan"]}, Caller())).result(10)
    assert Table.objects.filter(previous=table.row).exists()


def both_of_two_deadlocked_acts_succeed() -> None:
    tables = [make_group().open_table().row.pk for _ in range(2)]
    both_hold = threading.Barrier(2)
    tried: list[int] = []

    @past_deadlocks
    def hold(first: int, second: int) -> bool:
        tried.append(first)
        with transaction.atomic():
            Table.objects.select_for_update().get(pk=first)
            if len(tried) <= 2:
                both_hold.wait(10)
            return Table.objects.select_for_update().get(pk=second).pk == second

    acting = [start(partial(hold, *pair)) for pair in (tables, tables[::-1])]
    assert [each.result(20) for each in acting] == [True, True]
    assert len(tried) == 3


def run(story: Callable[[], None]) -> None:
    call_command("migrate", verbosity=0)
    story()
