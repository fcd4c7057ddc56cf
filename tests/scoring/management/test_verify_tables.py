"""manage.py verify_tables finds whatever was changed behind the log's back."""

from collections.abc import Callable
from typing import Any

import pytest
from django.core.management import call_command
from django.db import connection

from scoring.models import HandSheet, Table, TableEvent
from tests.scoring.conftest import open_table, play

RESULT = {"type": "result", "tricks": [4, 4, 4]}


@pytest.fixture
def told(table):
    """A table with a finished hand, an undone event, and a trick of the next hand."""
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


def test_a_table_that_matches_its_log_passes(told, capsys):
    open_table()
    assert verify(capsys) == (0, "Tables checked: 2. With differences: 0.\n")


def test_single_tables_can_be_verified(told, capsys):
    open_table()
    code = f"{told.code[:4].lower()}-{told.code[4:].lower()}"
    assert verify(capsys, code) == (0, "Tables checked: 1. With differences: 0.\n")


def change(**values):
    return Table.objects.update(**values)


def sheet(row, number, **values):
    return HandSheet.objects.filter(table=row, number=number).update(**values)


def entry(row, seq, **values):
    return row.log.filter(seq=seq).update(**values)


DAMAGE: dict[str, tuple[Callable[[Any], object], str]] = {
    "a snapshot": (lambda row: change(snapshot=row.snapshot | {"earned": [99, 0, 0]}), "stored snapshot"),
    "its bytes alone": (lambda row: change(snapshot=dict(reversed(row.snapshot.items()))), "stored snapshot"),
    "how the hand began": (lambda row: change(hand_start=row.hand_start | {"counted": 7}), "start of the last hand"),
    "a score in a sheet": (
        lambda row: sheet(row, 0, sheet=row.sheets.first().sheet | {"scores": [99, 0, 0]}),
        "sheet of hand 0",
    ),
    "how an earlier hand began": (lambda row: sheet(row, 1, start={}), "start of hand 1"),
    "a sheet lost": (lambda row: row.sheets.first().delete(), "Hand 0 has no sheet"),
    "a sheet too many": (
        lambda row: HandSheet.objects.create(table=row, number=40, sheet={}, start={}),
        "sheet of hand 40",
    ),
    "an event lost": (lambda row: row.log.get(seq=5).delete(), "its log has the rows"),
    "another event": (lambda row: entry(row, row.version, event=play(2, "AM")), "stored snapshot"),
    "an impossible event": (lambda row: entry(row, row.version, event=play(2, "8MS")), "can’t be replayed"),
    "an event too many": (
        lambda row: TableEvent.objects.create(table=row, seq=9, place=9, hand=2, event=play(0, "XS")),
        "its log has the rows",
    ),
    "a correction forgotten": (lambda row: entry(row, 2, amended_by=None), "isn’t marked as amended"),
    "the end": (lambda row: change(finished=True), "stored as finished"),
}


@pytest.mark.parametrize(("spoil", "said"), DAMAGE.values(), ids=DAMAGE)
def test_changes_outside_the_log_are_detected(told, capsys, spoil, said):
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
    assert "Tables checked: 2. With differences: 2." in text


def test_an_empty_database_is_reported(db, capsys):
    call_command("verify_tables")
    assert "nothing to verify" in capsys.readouterr().err


def test_missing_tables_are_detected(table, capsys):
    assert verify(capsys, "--expect", "2")[0] == 1
    assert verify(capsys, "AAAA-AAAA")[0] == 1
