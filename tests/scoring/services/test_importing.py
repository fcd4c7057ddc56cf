"""Whole records: what is imported is exported again, byte for byte, and stands where its log says."""

import json
from contextlib import suppress
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.extra.django import TestCase

from referee.engine.adjudication import adjudicate
from referee.engine.options import Refused
from referee.engine.reading import load_event
from referee.engine.records import dump_record, load_record, replay
from referee.engine.snapshot import dump_table
from scoring.models import Table
from scoring.models.fields import canonical
from scoring.queries.archiving import full_export
from scoring.queries.exporting import as_json, as_text, events_csv
from scoring.queries.log import as_it_was, log, record
from scoring.queries.state import adjudication, standing
from scoring.services.amending import Amendment, amend, preview
from scoring.services.exceptions import LaterNotTaken, NotDone, NothingToUndo, NotImported
from scoring.services.importing import import_record
from scoring.services.keys import Caller
from scoring.services.undoing import undo
from tests.referee.random_tables import records
from tests.seeds import as_often_as

MANY = settings(
    max_examples=as_often_as(always=20, hunting=60, again=5),
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)


HEAD = "Game: ace-trump\nSeats: Ann, Bob, Cy\nFirst dealer: Cy\n== Hand 1 ==\n"


def valid_part(told):
    """Return as much of a random record as is taken, in canonical form; nothing where it cannot be a table."""
    try:
        loaded = load_record(told)
        judged = replay(loaded)
    except Refused:
        return None
    data = dump_record(loaded)
    if judged.rejected is not None:
        stop = judged.rejected
        data["hands"] = data["hands"][: stop.hand + 1]
        data["hands"][stop.hand]["events"] = data["hands"][stop.hand]["events"][: stop.event]
    data["hands"] = data["hands"][: len(replay(load_record(data)).hands)]
    return data


def in_bytes(row):
    at = standing(row)
    return json.dumps([record(row), adjudication(at), row.snapshot, row.hand_start, row.hand_number, row.finished])


def stands_where_its_log_says(row):
    rebuilt, _ = as_it_was(row, row.version)
    assert canonical(dump_table(rebuilt)) == canonical(row.snapshot)
    assert adjudicate(load_record(record(row))) == adjudication(standing(row))


class TestAnyRecord(TestCase):
    @MANY
    @given(records())
    def test_what_is_imported_is_exported_again_byte_for_byte(self, told):
        data = valid_part(told)
        if data is None:
            return
        row = import_record(told if load_record(told) == load_record(data) else data).table
        assert canonical(record(row)) == canonical(data)
        stands_where_its_log_says(row)
        once_more = import_record(json.loads(canonical(as_json(row, annotate=True)))).table
        assert canonical(record(once_more)) == canonical(data)
        by_text = import_record({"text": as_text(row, annotate=True)}).table
        assert canonical(record(by_text)) == canonical(data)
        by_cells = import_record({"csv": events_csv(row)}).table
        assert canonical(record(by_cells)) == canonical(data)

    @MANY
    @given(records(), st.integers(0, 2**32))
    def test_a_table_taken_away_in_full_comes_back_with_all_that_was_ever_recorded(self, told, seed):
        data = valid_part(told)
        if data is None:
            return
        row, rng = import_record(data).table, Random(seed)
        for _ in range(rng.randrange(4)):  # slips, put right or not
            with suppress(NotDone, Refused):  # what a slip cannot be changes nothing
                if rng.random() < 0.5:
                    undo(row.code, Caller(by="Ann"))
                elif rows := log(row):
                    entry = rng.choice(rows)
                    said = None if rng.random() < 0.5 else load_event({"type": "note", "text": "=hm"})
                    amend(row.code, Amendment(seq=entry.seq, event=said, reason="a slip"), Caller(by="Bob"))
        row = Table.objects.get(pk=row.pk)
        taken = canonical(full_export(row))
        back = import_record(json.loads(taken)).table
        assert canonical(full_export(back)) == taken
        assert adjudication(standing(back)) == adjudication(standing(row))
        stands_where_its_log_says(back)

    @MANY
    @given(records(), st.integers(0, 2**32))
    def test_an_event_amended_and_amended_back_changes_nothing(self, told, seed):
        data = valid_part(told)
        if data is None or not any(hand["events"] for hand in data["hands"]):
            return
        rng = Random(seed)
        row = import_record(data).table
        before = in_bytes(row)
        entry = rng.choice(log(row))
        same = Amendment(seq=entry.seq, event=load_event(entry.event))
        assert not amend(row.code, same, Caller()).changes
        row = Table.objects.get(pk=row.pk)
        assert in_bytes(row) == before
        other = {"type": "note", "text": "hm"} if rng.random() < 0.5 else None
        said = None if other is None else load_event(other)
        try:
            tried = preview(row.code, Amendment(seq=row.version, event=said), Caller())
            there = amend(row.code, Amendment(seq=row.version, event=said), Caller())
        except Refused:  # the next hand cannot have been dealt as it was entered
            assert in_bytes(Table.objects.get(pk=row.pk)) == before
            return
        except LaterNotTaken:
            assert tried.later is not None
            assert in_bytes(Table.objects.get(pk=row.pk)) == before
            return
        except NotDone:
            return
        assert there.changes == tried.changes
        row = Table.objects.get(pk=row.pk)
        stands_where_its_log_says(row)
        back = amend(row.code, Amendment(seq=row.version, event=load_event(entry.event)), Caller())
        assert bool(back.changes) == bool(there.changes)
        row = Table.objects.get(pk=row.pk)
        assert in_bytes(row) == before
        stands_where_its_log_says(row)

    @MANY
    @given(records())
    def test_everything_can_be_taken_back(self, told):
        data = valid_part(told)
        if data is None:
            return
        row = import_record(data).table
        for taken in range(40):
            try:
                undo(row.code, Caller())
            except NothingToUndo:
                break
            if taken % 8 == 0:
                stands_where_its_log_says(Table.objects.get(pk=row.pk))
        stands_where_its_log_says(Table.objects.get(pk=row.pk))


def test_it_works(db):
    opened = import_record({"text": f"{HEAD}1. Ann 8MS, Bob XS, Cy XM"})
    assert opened.table.version == 3
    assert standing(opened.table).state.totals() == (0, 0, 1)
    assert {entry.by for entry in log(opened.table)} == {"import"}


def test_all_of_it_or_nothing(db):
    with pytest.raises(NotImported) as why:
        import_record({"text": f"{HEAD}1. Ann 8MS, Bob 8MS"})
    assert why.value.where == "line 5, column 13"
    assert not Table.objects.exists()
