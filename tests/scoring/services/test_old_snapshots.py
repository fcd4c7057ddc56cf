"""A table saved by an older version of the referee stands where its log says, and goes on."""

import copy

import pytest

from referee.engine.snapshot import OldSnapshot, dump_table, load_table
from scoring.models import HandSheet, Table
from scoring.queries.log import hand_start
from scoring.queries.state import standing
from scoring.queries.verifying import differences
from tests.scoring.conftest import play

RESULT = {"type": "result", "tricks": [12, 0, 0]}


def without_a_value(saved):
    del saved["hand"]["values"]["blind"]


def with_one_more(saved):
    saved["hand"]["values"]["forgotten"] = 1


def of_another_kind(saved):
    saved["hand"]["values"]["taken"] = [{"$": "Forgotten", "v": [1]}]


def of_another_shape(saved):
    saved["hand"]["values"]["claims"] = [{"$": "Claim", "v": [1]}]


def numbered_otherwise(saved):
    saved["version"] = 0


def began_at(row):
    start = hand_start(row, 1)
    assert start is not None
    return dump_table(start)


AGES = [without_a_value, with_one_more, of_another_kind, of_another_shape, numbered_otherwise]


@pytest.mark.parametrize("age", AGES)
def test_it_is_known_by_its_shape(table, age):
    table.record(play(0, "8MS"))
    state = standing(table.row).state
    saved = dump_table(state)
    assert dump_table(load_table(state.rules, saved)) == saved
    age(saved)
    with pytest.raises(OldSnapshot):
        load_table(state.rules, saved)


@pytest.mark.parametrize("age", AGES)
def test_a_table_is_worked_out_from_its_log_and_goes_on(table, age):
    table.record(RESULT)
    table.record(play(1, "8MS"))
    now, began = copy.deepcopy(table.row.snapshot), began_at(table.row)
    row = table.row
    for saved in (row.snapshot, row.hand_start):
        age(saved)
    sheet = HandSheet.objects.get(table=row)
    age(sheet.start)
    sheet.save()
    row.save()
    assert dump_table(standing(table.row).state) == now
    assert began_at(table.row) == began
    assert hand_start(table.row, 0) is not None
    assert table.record(play(2, "XS")).at.state.hand.to_act() == (0,)
    table.undo()
    assert Table.objects.get(pk=row.pk).snapshot == now
    assert not [said for said in differences(table.row) if "snapshot" in said]
