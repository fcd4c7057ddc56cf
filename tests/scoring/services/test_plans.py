"""The embedded database's query plans for a large log and a group with a long life."""

from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

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
from scoring.tables.acts.access import cookie_for, put_on_device
from scoring.tables.acts.keys import KEYS_ARE_KEPT, forget_old_keys, rows_with_old_keys, stored_key
from tests.scoring.conftest import open_table
from tests.scoring.groups import make_group
from tests.scoring.plans import plan_of, plans, read_whole

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
