"""Recorded rows in a stream: exactly what the log shows everyone, in whatever order it was committed."""

import json
from datetime import timedelta

import pytest
from django.db import connection
from django.db.models import F
from django.test.utils import CaptureQueriesContext
from rest_framework.test import APIClient

from scoring.models import Table
from scoring.tables.live import recorded
from scoring.tables.live.recorded import group_cursor, group_cursor_now, recorded_at, recorded_in
from tests.scoring.conftest import OpenTable, holder, open_table, play
from tests.scoring.groups import make_group

pytestmark = pytest.mark.django_db
PIT = {"game": "ace-pit", "seats": ["Ann", "Bob"], "first_dealer": 1, "options": {"totals": "hidden"}}
NOTE = {"type": "note", "text": "Hm."}


def told(part):
    """Return the events of a part: kind, id and content."""
    blocks = [
        dict(line.split(": ", 1) for line in block.split("\n")) for block in part.messages.decode().split("\n\n")[:-1]
    ]
    return [(block["event"], block["id"], json.loads(block["data"])) for block in blocks]


def rows(part):
    return [(data["table"], data["row"]["seq"]) for event, _name, data in told(part) if event == "recorded"]


def log_of(table):
    return APIClient().get(f"/api/v1/tables/{table.code}/events/").json()["events"]


def streamed(table):
    return [data for _event, _name, data in told(recorded_at(table.row.pk, 0))]


def test_a_secret_choice_is_sent_without_its_card():
    table = open_table(game="ransom-trump")
    holder(table.link("player", 1)).post(
        f"/api/v1/tables/{table.code}/events/", {"type": "ransom", "seat": 1, "cards": ["XM"]}
    )
    [row] = streamed(table)
    assert (row["event"], row["hidden"]) == (None, {"seat": 1, "chosen": [1], "again": []})
    assert [row] == log_of(table)


def test_carried_points_are_hidden_as_in_the_log():
    first = open_table(**PIT)
    first.record({"type": "result", "points": [235, 345]})
    going_on = {"seats": ["Ann", "Bob"]}
    made = holder(first.token).post(f"/api/v1/tables/{first.code}/continue/", going_on).json()
    second = OpenTable(made["code"], made["token"])
    amendment = {"seq": 1, "event": {"type": "result", "points": [230, 350]}}
    answer = holder(first.token).post(f"/api/v1/tables/{first.code}/amendments/", amendment)
    assert answer.status_code == 201, answer.json()
    [row] = streamed(second)
    assert row["hidden"] == {}
    assert [row] == log_of(second)
    second.record({"type": "end"})
    assert "carried" in streamed(second)[0]["hidden"], "the game is over"


def test_a_row_committed_late_is_delivered_late():
    """Ann's card, at another table, was begun before Bob's and committed after it."""
    group = make_group()
    first, second = group.open_table(), group.open_table()
    cursor = group_cursor_now(group.row.pk)
    second.record(NOTE)
    part = recorded_in(group.row.pk, cursor)
    assert rows(part) == [(second.code, 1)]
    first.record(play(0, "8MS"))
    late = timedelta(seconds=20)
    Table.objects.filter(code=first.code).update(updated=F("updated") - late)
    first.row.log.update(at=F("at") - late)
    for place in (part.cursor, group_cursor(told(part)[-1][1], group.row.pk)):
        assert rows(recorded_in(group.row.pk, place)) == [(first.code, 1)]


def test_a_long_idle_table_can_continue():
    group = make_group()
    table = group.open_table()
    table.record(NOTE, NOTE)
    days = timedelta(days=3)
    ago = {"updated": F("updated") - days, "created": F("created") - days}
    Table.objects.filter(code=table.code).update(**ago)
    table.row.log.update(at=F("at") - days)
    cursor = group_cursor_now(group.row.pk)
    assert cursor.versions == ()
    table.record(NOTE)
    assert rows(recorded_in(group.row.pk, cursor)) == [(table.code, 3)]


@pytest.mark.parametrize(("most_rows", "most_tables"), [(1, 50), (3, 50), (100, 1), (2, 2)])
def test_missed_rows_are_delivered_in_resumable_batches(monkeypatch, most_rows, most_tables):
    monkeypatch.setattr(recorded, "MOST_ROWS", most_rows)
    monkeypatch.setattr(recorded, "MOST_TABLES", most_tables)
    group = make_group()
    tables = [group.open_table() for _ in range(3)]
    cursor = group_cursor_now(group.row.pk)
    tables += [group.open_table() for _ in range(2)]
    for table in (*tables, *reversed(tables), tables[0]):
        table.record(NOTE)
    found, part = [], recorded_in(group.row.pk, cursor)
    for _ in range(40):
        found += told(part)
        if not part.more:
            break
        place = group_cursor(told(part)[-1][1], group.row.pk) if part.messages else part.cursor
        part = recorded_in(group.row.pk, place)
    assert not part.more
    came = [(data["table"], data["row"]["seq"]) for event, _name, data in found if event == "recorded"]
    assert sorted(came) == sorted(
        (table.code, seq) for table in tables for seq in range(1, 4 if table is tables[0] else 3)
    )
    for table in tables:
        assert [seq for code, seq in came if code == table.code] == sorted(
            seq for code, seq in came if code == table.code
        )
    assert [data["table"] for event, _name, data in found if event == "opened"] == [each.code for each in tables[3:]]


def test_readers_at_the_end_share_one_cursor():
    group = make_group()
    table = group.open_table()
    early = group_cursor_now(group.row.pk)
    table.record(NOTE)
    late = group_cursor_now(group.row.pk)
    moments = [recorded_in(group.row.pk, place).cursor.versions for place in (early, late)]
    assert moments == [((table.row.pk, 1),)] * 2


def test_query_count_does_not_grow_with_a_groups_tables():
    group = make_group()
    tables = [group.open_table() for _ in range(2)]

    def asked():
        cursor = group_cursor_now(group.row.pk)
        tables[0].record(NOTE)
        with CaptureQueriesContext(connection) as statements:
            assert recorded_in(group.row.pk, cursor).messages
        return len(statements)

    few = asked()
    tables += [group.open_table() for _ in range(8)]
    assert asked() == few
