"""Taking back the last event, which stays readable."""

import json

import pytest

from referee.engine.snapshot import dump_table
from scoring.models import HandSheet
from scoring.queries.log import as_it_was, log, record
from scoring.queries.state import standing
from scoring.services.exceptions import MovedOn, NothingToUndo
from tests.scoring.conftest import play

KEY = "5f0c7f5e-7a0b-4a55-9d59-3f0a3a5c1c12"
RESULT = {"type": "result", "tricks": [4, 4, 4]}


def test_it_works(table):
    before = table.record(play(0, "8MS"))
    table.record(play(1, "XS"))
    undone = table.undo(by="scorekeeper")
    assert undone.version == 3
    assert dump_table(undone.at.state) == dump_table(before.at.state)


def test_what_was_taken_back_stays_readable(table):
    table.record(play(0, "8MS"))
    table.undo(by="scorekeeper")
    taken, back = log(table.row)
    assert (taken.event, taken.amended_by, taken.stands) == (play(0, "8MS"), 2, False)
    assert (back.event, back.amends, back.by) == (None, 1, "scorekeeper")
    assert record(table.row)["hands"] == []


def test_taking_back_the_first_event_leaves_the_table_undealt(table):
    table.record(play(0, "8MS"))
    table.undo()
    assert table.row.hand_number is None
    assert standing(table.row).hand is None


def test_taking_back_goes_on_into_the_hand_before(table):
    table.record(RESULT, {"type": "note", "text": "hm"}, RESULT)
    assert HandSheet.objects.count() == 1
    table.undo()
    assert HandSheet.objects.count() == 0
    assert table.row.hand_number == 0
    assert standing(table.row).state.totals() == (4, 4, 4)
    table.undo()
    table.undo()
    with pytest.raises(NothingToUndo):
        table.undo()


def test_the_snapshot_is_what_the_log_amounts_to(table):
    table.record(play(0, "8MS"), play(1, "AW"), play(2, "9MS"))
    table.undo()
    table.undo()
    table.record(play(1, "XS"))
    row = table.row
    rebuilt, _ = as_it_was(row, row.version)
    assert json.dumps(row.snapshot) == json.dumps(dump_table(rebuilt))


def test_it_can_be_retried(table):
    table.record(play(0, "8MS"), play(1, "XS"))
    first = table.undo(key=KEY)
    again = table.undo(key=KEY)
    assert again.version == first.version == table.row.version == 3


def test_it_can_be_raced(table):
    table.record(play(0, "8MS"), play(1, "XS"))
    table.undo(expected=2)
    with pytest.raises(MovedOn):
        table.undo(expected=2)
