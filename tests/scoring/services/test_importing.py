"""Imported records, entered hands, and snapshots of other versions."""

import copy
import json
from collections.abc import Callable
from contextlib import suppress
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.extra.django import TestCase

from referee.engine.adjudication import adjudicate
from referee.engine.records import dump_record, load_event, load_record, replay
from referee.engine.rules import Refused
from referee.engine.snapshot import OldSnapshot, dump_table, load_table
from scoring.groups.reads.group_export import full_export
from scoring.models import HandSheet, Table
from scoring.models.fields import canonical
from scoring.operating.reads import differences
from scoring.tables.acts.amending import Amendment, amend, preview, undo
from scoring.tables.acts.exceptions import LaterNotTaken, NotDone, NothingToUndo
from scoring.tables.acts.importing import import_record
from scoring.tables.acts.keys import Caller
from scoring.tables.acts.recording import record_events
from scoring.tables.reads.log import as_it_was, hand_start, log, record
from scoring.tables.reads.record_export import as_json, as_text, events_csv
from scoring.tables.reads.state import adjudication, standing
from tests.referee.random_tables import records
from tests.scoring.conftest import play
from tests.scoring.groups import scored
from tests.seeds import as_often_as

# --- Whole records: import and export round-trip byte for byte, and tables match their logs

MANY = settings(
    max_examples=as_often_as(always=20, hunting=60, again=5),
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)


def valid_part(told):
    """Return the accepted part of a random record in canonical form; nothing if it cannot be a table."""
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
    rebuilt = as_it_was(row, row.version)
    assert canonical(dump_table(rebuilt)) == canonical(row.snapshot)
    assert adjudicate(load_record(record(row))) == adjudication(standing(row))


def again(row):
    """Return a table's row as stored now."""
    return Table.objects.get(pk=row.pk)


@pytest.mark.smoke
class TestAnyRecord(TestCase):
    @MANY
    @given(records())
    def test_import_and_export_round_trip_byte_for_byte(self, told):
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
    def test_a_full_export_round_trips_with_its_whole_log(self, told, seed):
        data = valid_part(told)
        if data is None:
            return
        row, rng = import_record(data).table, Random(seed)
        for _ in range(rng.randrange(4)):  # slips, corrected or not
            with suppress(NotDone, Refused):  # an impossible slip changes nothing
                if rng.random() < 0.5:
                    undo(row.code, Caller(by="Ann"))
                elif rows := log(row):
                    entry = rng.choice(rows)
                    said = None if rng.random() < 0.5 else load_event({"type": "note", "text": "=hm"})
                    amend(row.code, Amendment(seq=entry.seq, event=said, reason="a slip"), Caller(by="Bob"))
        row = again(row)
        taken = canonical(full_export(row))
        back = import_record(json.loads(taken)).table
        assert canonical(full_export(back)) == taken
        assert adjudication(standing(back)) == adjudication(standing(row))
        stands_where_its_log_says(back)

    @MANY
    @given(records(), st.integers(0, 2**32))
    def test_amending_an_event_back_and_forth_changes_nothing(self, told, seed):
        data = valid_part(told)
        if data is None or not any(hand["events"] for hand in data["hands"]):
            return
        rng = Random(seed)
        row = import_record(data).table
        before = in_bytes(row)
        entry = rng.choice(log(row))
        same = Amendment(seq=entry.seq, event=load_event(entry.event))
        assert not amend(row.code, same, Caller()).changes
        row = again(row)
        assert in_bytes(row) == before
        other = {"type": "note", "text": "hm"} if rng.random() < 0.5 else None
        said = None if other is None else load_event(other)
        try:
            tried = preview(row.code, Amendment(seq=row.version, event=said), Caller())
            there = amend(row.code, Amendment(seq=row.version, event=said), Caller())
        except Refused:  # the next hand cannot have been dealt as it was entered
            assert in_bytes(again(row)) == before
            return
        except LaterNotTaken:
            assert tried.later is not None
            assert in_bytes(again(row)) == before
            return
        except NotDone:
            return
        assert there.changes == tried.changes
        row = again(row)
        stands_where_its_log_says(row)
        back = amend(row.code, Amendment(seq=row.version, event=load_event(entry.event)), Caller())
        assert bool(back.changes) == bool(there.changes)
        row = again(row)
        assert in_bytes(row) == before
        stands_where_its_log_says(row)

    @MANY
    @given(records())
    def test_every_entry_can_be_undone(self, told):
        data = valid_part(told)
        if data is None:
            return
        row = import_record(data).table
        for taken in range(24):
            try:
                undo(row.code, Caller())
            except NothingToUndo:
                break
            if taken % 8 == 0:
                stands_where_its_log_says(again(row))
        stands_where_its_log_says(again(row))


# --- An imported hand without events yet is never lost

RESULT = scored(130, 100)
NOTE = {"type": "note", "text": "hm"}
KNOWN = {"0": ["4S", "7C", "9C", "10S", "3C", "JH", "7S"], "1": ["4D", "7D", "2D", "6C", "9D", "KD", "9S"]}


def imported(*events, known=KNOWN):
    """Open a table of Ace Pit with one hand played and the next hand's cards entered."""
    hands = [{"events": list(events)}, {"events": [], "known": known}]
    return import_record({"game": "ace-pit", "seats": ["Ann", "Bob"], "first_dealer": 0, "hands": hands}).table


@pytest.mark.parametrize("event", [None, NOTE])
def test_a_correction_that_makes_a_deal_impossible_is_refused(db, event):
    row = imported(RESULT)
    before = in_bytes(row)
    amendment = Amendment(seq=1, event=event and load_event(event))
    later = preview(row.code, amendment, Caller()).later
    assert later is not None
    assert (later.entry, later.hand, later.position) == (None, 1, 0)
    assert later.ruling.reason is not None
    assert later.ruling.reason.code == "wrong-phase"
    with pytest.raises(LaterNotTaken):
        amend(row.code, amendment, Caller())
    assert in_bytes(again(row)) == before
    assert differences(again(row)) == []


def test_an_entered_hand_survives_correcting_and_restoring_the_one_before(db):
    row = imported(RESULT)
    before = in_bytes(row)
    amend(row.code, Amendment(seq=1, event=load_event(scored(100, 130))), Caller())
    assert record(again(row))["hands"][1] == {"events": [], "known": KNOWN}
    stands_where_its_log_says(again(row))
    amend(row.code, Amendment(seq=2, event=load_event(RESULT)), Caller())
    assert in_bytes(again(row)) == before


def test_an_entered_hand_survives_deleting_a_note_on_the_one_before(db):
    row = imported(RESULT, NOTE)
    amend(row.code, Amendment(seq=2, event=None), Caller())
    assert record(again(row))["hands"] == [{"events": [RESULT]}, {"events": [], "known": KNOWN}]
    stands_where_its_log_says(again(row))


def test_undoing_the_last_entry_removes_the_entered_hand_too(db):
    row = imported(RESULT)
    undo(row.code, Caller())
    assert record(again(row))["hands"] == []
    record_events(row.code, [load_event(RESULT), load_event({"type": "play", "seat": 0, "cards": ["8C"]})], Caller())
    assert [entry.hand for entry in log(row)] == [0, 0, 0, 1]
    assert differences(again(row)) == []


def test_hands_entered_for_another_hand_size_stop_a_correction(db):
    hand = [{"type": "result", "tricks": [1, 0, 0], "last": "7SK"}]
    known = {"0": ["2MK", "3SK", "4YK", "5SW", "6LK", "7ML", "8YK"]}
    told = {"game": "ace-trump", "options": {"tides": True}, "seats": ["Ann", "Bob", "Cy"], "first_dealer": 0}
    row = import_record(told | {"hands": [{"events": hand}, {"events": [], "known": known}]}).table
    before = in_bytes(row)
    with pytest.raises(Refused) as why:
        amend(row.code, Amendment(seq=1, event=load_event(hand[0] | {"last": "8MS"})), Caller())
    assert why.value.problems[0].pointer == "/hands/1/known/0"
    assert in_bytes(again(row)) == before


# --- A table saved by an older referee version matches its log and can continue

AGES: dict[str, Callable[[Any], object]] = {
    "without a value": lambda saved: saved["hand"]["values"].pop("blind"),
    "with one more": lambda saved: saved["hand"]["values"].update(forgotten=1),
    "of another kind": lambda saved: saved["hand"]["values"].update(taken=[{"$": "Forgotten", "v": [1]}]),
    "of another shape": lambda saved: saved["hand"]["values"].update(claims=[{"$": "Claim", "v": [1]}]),
    "numbered otherwise": lambda saved: saved.update(version=0),
}


def began_at(row):
    start = hand_start(row, 1)
    assert start is not None
    return dump_table(start)


@pytest.mark.parametrize("age", AGES.values(), ids=AGES)
def test_an_old_snapshot_is_recognized_by_its_shape(table, age):
    table.record(play(0, "8MS"))
    state = standing(table.row).state
    saved = dump_table(state)
    assert dump_table(load_table(state.rules, saved)) == saved
    age(saved)
    with pytest.raises(OldSnapshot):
        load_table(state.rules, saved)


@pytest.mark.parametrize("age", AGES.values(), ids=AGES)
def test_an_outdated_snapshot_is_rebuilt_from_the_log(table, age):
    table.record({"type": "result", "tricks": [12, 0, 0]})
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
    assert again(row).snapshot == now
    assert not [said for said in differences(table.row) if "snapshot" in said]
