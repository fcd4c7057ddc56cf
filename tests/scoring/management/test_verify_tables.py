"""manage.py verify_tables: whatever somebody changed behind the log's back is found."""

import json

import pytest
from django.core.management import call_command
from django.db import connection

from scoring.models import HandSheet, Table, TableEvent
from tests.scoring.conftest import open_table, play

RESULT = {"type": "result", "tricks": [4, 4, 4]}


@pytest.fixture
def told(table):
    """A table with a finished hand, something taken back, and a trick of the next hand."""
    table.record(play(0, "8MS"), play(1, "XS"))
    table.undo()
    table.record(play(1, "9MS"), {"type": "redeal"}, RESULT, play(1, "8MS"), play(2, "XM"))
    return table


def verify(capsys, *codes):
    try:
        call_command("verify_tables", *codes)
    except SystemExit as end:
        return end.code, capsys.readouterr().out
    return 0, capsys.readouterr().out


def test_it_works(told, capsys):
    assert verify(capsys) == (0, "1 tables, 0 of them with differences.\n")


def test_tables_can_be_named(told, capsys):
    open_table()
    code = f"{told.code[:4].lower()}-{told.code[4:].lower()}"
    assert verify(capsys, code) == (0, "1 tables, 0 of them with differences.\n")


def test_a_table_at_which_nothing_has_happened_is_in_order(table, capsys):
    assert verify(capsys)[0] == 0


def spoil_snapshot(row):
    Table.objects.update(snapshot=row.snapshot | {"earned": [99, 0, 0]})


def spoil_bytes(row):
    Table.objects.update(snapshot=dict(reversed(row.snapshot.items())))


def spoil_start(row):
    Table.objects.update(hand_start=row.hand_start | {"counted": 7})


def spoil_sheet(row):
    sheet = row.sheets.first()
    HandSheet.objects.filter(pk=sheet.pk).update(sheet=sheet.sheet | {"scores": [99, 0, 0]})


def spoil_sheet_start(row):
    sheet = row.sheets.last()
    HandSheet.objects.filter(pk=sheet.pk).update(start=json.loads("{}"))


def lose_sheet(row):
    row.sheets.first().delete()


def add_sheet(row):
    HandSheet.objects.create(table=row, number=40, sheet={}, start={})


def lose_event(row):
    row.log.get(seq=5).delete()


def change_event(row):
    row.log.filter(seq=row.version).update(event=play(2, "AM"))


def break_event(row):
    row.log.filter(seq=row.version).update(event=play(2, "8MS"))


def double_event(row):
    TableEvent.objects.create(table=row, seq=row.version + 1, place=row.version + 1, hand=2, event=play(0, "XS"))


def forget_amendment(row):
    row.log.filter(seq=2).update(amended_by=None)


def finish(row):
    Table.objects.update(finished=True)


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (spoil_snapshot, "The snapshot"),
        (spoil_bytes, "The snapshot"),
        (spoil_start, "last hand began"),
        (spoil_sheet, "sheet of hand 0"),
        (spoil_sheet_start, "hand 1 began"),
        (lose_sheet, "Hand 0 has no sheet"),
        (add_sheet, "sheet of hand 40"),
        (lose_event, "its log has the rows"),
        (change_event, "The snapshot"),
        (break_event, "cannot be played again"),
        (double_event, "its log has the rows"),
        (forget_amendment, "does not say so"),
        (finish, "stored as finished"),
    ],
)
def test_whatever_is_changed_behind_the_log_is_found(told, capsys, spoil, said):
    spoil(told.row)
    code, text = verify(capsys)
    assert code == 1
    assert said in text
    assert f"{told.row}: " in text


def test_a_broken_row_does_not_hide_the_others(told, capsys):
    other = open_table()
    with connection.cursor() as cursor:
        cursor.execute("UPDATE scoring_table SET seats = '[' WHERE code = %s", [told.code])
    Table.objects.filter(code=other.code).update(finished=True)
    code, text = verify(capsys)
    assert code == 1
    assert f"{told.code[:4]}-{told.code[4:]}: It cannot be read: " in text
    assert "stored as finished" in text
    assert "2 tables, 2 of them with differences." in text


def test_an_empty_database_is_doubted(db, capsys):
    call_command("verify_tables")
    assert "nothing to verify" in capsys.readouterr().err


def test_tables_that_are_missing_are_found(table, capsys):
    assert verify(capsys, "--expect", "2")[0] == 1
    assert verify(capsys, "AAAA-AAAA")[0] == 1
