"""What tables and groups cost: work grows linearly, and no query scans everyone's rows."""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from itertools import count
from typing import Any

import pytest
from django.db import connection
from django.db.models import QuerySet
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from referee.engine.records import load_event
from scoring.groups.acts.group_access import link_of_token, put_group_on_device
from scoring.models import (
    Device,
    DeviceReading,
    DeviceTable,
    HandSheet,
    Link,
    Person,
    SeatedPerson,
    SeatScore,
    Table,
    TableEvent,
)
from scoring.operating.acts.operating import prune
from scoring.operating.reads import differences
from scoring.tables.acts.access import cookie_for, put_on_device
from scoring.tables.acts.amending import Amendment, preview
from scoring.tables.acts.importing import import_record
from scoring.tables.acts.keys import KEYS_ARE_KEPT, Caller, forget_old_keys, rows_with_old_keys, stored_key
from scoring.tables.acts.opening import create_table
from scoring.tables.acts.recording import record_events
from scoring.tables.reads.log import as_it_was, log, record
from scoring.tables.reads.record_export import as_json, as_text, events_csv, scores_csv
from scoring.tables.reads.state import adjudication, standing
from tests.referee.worst import WORST
from tests.scoring.conftest import open_table
from tests.scoring.groups import make_group
from tests.work import growth

TWICE = 2.2
NOTE = {"type": "note", "text": "hm"}


def amended(row: Table) -> None:
    """Replace the first event, so that everything after it is judged again."""
    row = Table.objects.get(pk=row.pk)
    first = log(row, most=1)[0]
    preview(row.code, Amendment(seq=first.seq, event=load_event(first.event)), Caller())


def read(row: Table) -> None:
    """Read everything about a table."""
    row = Table.objects.get(pk=row.pk)
    adjudication(standing(row))
    log(row)
    as_it_was(row, row.version)


def taken_away(row: Table) -> None:
    """Export a table in every way."""
    row = Table.objects.get(pk=row.pk)
    as_json(row, annotate=True)
    as_text(row, annotate=True)
    events_csv(row)
    scores_csv(row)


WAYS: dict[str, Callable[[Table], object]] = {
    "amend": amended, "read": read, "take away": taken_away, "verify": differences,
}  # fmt: skip
KINDS = ("passes with a known hand", "transfers", "settled notes", "results", "hands with findings")
LENGTHS = {"results": 20, "hands with findings": 20}


def made(worst: str, times: int) -> dict[str, Any]:
    make, size = WORST[worst]
    return make(times * LENGTHS.get(worst, size))


@pytest.mark.parametrize("worst", KINDS)
def test_import_cost_is_linear_in_record_size(db, worst):
    assert growth(import_record, made(worst, 1), made(worst, 2)) < TWICE


@pytest.mark.smoke
@pytest.mark.parametrize("worst", KINDS)
def test_cost_is_linear_in_table_size(db, worst):
    small, large = (import_record(made(worst, times)).table for times in (1, 2))
    for way, work in WAYS.items():
        assert growth(work, small, large) < TWICE, way


@pytest.mark.parametrize("worst", KINDS)
def test_batch_cost_is_linear(db, worst):
    numbers = count()

    def recorded(data: dict[str, Any]) -> None:
        head = {key: value for key, value in data.items() if key != "hands"}
        events = [load_event(event) for hand in data["hands"] for event in hand["events"]]
        record_events(create_table(head).table.code, events, Caller(key=str(next(numbers))))

    assert growth(recorded, made(worst, 1), made(worst, 2)) < TWICE


def test_finding_settlements_after_a_correction_has_linear_cost(db):
    def named(events: int) -> Table:
        notes = [NOTE | {"x_settles": [0, at]} for at in range(events)]
        return import_record(made("notes", 0) | {"hands": [{"events": [NOTE, *notes]}]}).table

    assert growth(record, named(90), named(180)) < TWICE


# --- Query plans: which indexes a query uses, and what it reads from end to end

SCAN = re.compile(r"SCAN (\w+)\b(?! USING)")
END_TO_END = re.compile(r"SCAN (\w+)")
NAMED = re.compile(r'"(scoring_\w+)" (\w+)\b')
"""A table under an alias."""


def plan_of(rows: QuerySet[Any]) -> str:
    """Return the plan of the embedded database for a query."""
    assert connection.vendor == "sqlite"
    return rows.explain()


def read_whole(plan: str) -> set[str]:
    """Return the tables a plan scans without an index.

    >>> read_whole("2 0 0 SCAN scoring_tableevent\\n3 0 0 SEARCH scoring_table USING INDEX x (id=?)")
    {'scoring_tableevent'}
    """
    return set(SCAN.findall(plan))


@contextmanager
def plans() -> Iterator[list[tuple[str, set[str]]]]:
    """Collect, for each query in a block, its text and the tables it scans, with an index or without."""
    found: list[tuple[str, set[str]]] = []
    with CaptureQueriesContext(connection) as asked:
        yield found
    for query in asked.captured_queries:
        if query["sql"].startswith(("SELECT", "UPDATE", "DELETE")):
            with connection.cursor() as cursor:
                cursor.execute("EXPLAIN QUERY PLAN " + query["sql"].replace("%", "%%"))
                plan = "\n".join(row[3] for row in cursor.fetchall())
            names = {other: name for name, other in NAMED.findall(query["sql"])}
            found.append((query["sql"], {names.get(each, each) for each in END_TO_END.findall(plan)}))


pytestmark = pytest.mark.django_db


def test_old_keys_are_deleted_without_scanning_the_log():
    table = open_table()
    for number, tricks in enumerate(([12, 0, 0], [0, 12, 0], [0, 0, 12])):
        table.record({"type": "result", "tricks": tricks}, key=f"key-{number}")
    old = TableEvent.objects.get(seq=1)
    TableEvent.objects.filter(pk=old.pk).update(at=timezone.now() - 2 * KEYS_ARE_KEPT)
    plan = plan_of(rows_with_old_keys())
    assert "one_request_of_a_key" in plan
    assert not read_whole(plan)
    assert forget_old_keys() == 1
    keys = [*TableEvent.objects.order_by("seq").values_list("key", flat=True)]
    assert keys == [None, stored_key("key-1"), stored_key("key-2")]


BIG = {TableEvent, HandSheet, Table, SeatScore, SeatedPerson, Device, DeviceTable, DeviceReading, Link, Person}
"""The tables that grow with everyone's evenings."""


@pytest.fixture
def played():
    """A group that has played some evenings, another one, and tables without a group."""
    group, other = make_group(), make_group(name="Others")
    for each in (group, other):
        for _ in range(3):
            table = each.open_table()
            table.record({"type": "result", "tricks": [6, 4, 2]}, {"type": "end"})
        each.open_table().record({"type": "result", "tricks": [6, 4, 2]})
    open_table()
    return group


PAGES = (
    "tables/?limit=2",
    "tables/?game=ace-trump&status=finished&from=2020-01-01",
    "tables/?person={person}",
    "evenings/",
    "statistics/?by=evening",
    "statistics/",
    "statistics/?game=ace-trump&person={person}",
    "statistics/?part=ratings",
    "statistics/?part=hands",
    "statistics/?part=pair&person={person}&with={other}",
    "rulings/",
    "what-if/?game=ace-trump&ties=early",
)


def test_reading_one_group_does_not_scan_all_groups(played):
    person, other, *_ = played.row.people.order_by("pk").values_list("pk", flat=True)
    for page in PAGES:
        with plans() as found:
            assert played.member.get(f"{played.url}{page.format(person=person, other=other)}").status_code == 200, page
        assert_nothing_big_is_read_whole(found)


def test_the_front_page_does_not_scan_other_devices_data(played):
    table = open_table()
    device = "a" * 43
    put_on_device(device, table.row, table.token)
    link = link_of_token(played.token)
    assert link is not None
    put_group_on_device(device, link)
    client = Client()
    name, value = cookie_for(device)
    client.cookies[name] = value
    for query in ("", "?tab=tables"):
        with plans() as found:
            assert client.get(f"/{query}").status_code == 200
        assert_nothing_big_is_read_whole(found)


def test_abandoned_tables_are_deleted_without_a_full_scan(played):
    old = open_table()
    Table.objects.filter(code=old.code).update(updated=timezone.now() - timedelta(days=400))
    with plans() as found:
        assert prune(365) == 1
    assert_nothing_big_is_read_whole(found)


def assert_nothing_big_is_read_whole(found):
    big = {model._meta.db_table for model in BIG}
    assert found
    assert [(sql, tables & big) for sql, tables in found if tables & big] == []


def test_a_full_table_scan_is_detected(played):
    with plans() as found:
        assert Table.objects.filter(end__isnull=True).count() == 0
        assert [*SeatScore.objects.order_by("points")]
    assert [tables for _sql, tables in found] == [{"scoring_table"}, {"scoring_seatscore"}]
