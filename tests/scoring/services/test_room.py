"""A table's limits, which are those of a record, and how a finished hand is stored on disk."""

import json

import pytest
from django.db import connection

from referee.engine import replaying
from referee.engine.records import load_event, load_record
from referee.engine.replaying import TooCostly
from referee.engine.rules import Refused
from referee.notation import write_text
from scoring.models import HandSheet, TableEvent
from scoring.models.fields import PACKED, canonical, packed, unpacked
from scoring.operating.reads import differences
from scoring.tables.acts.amending import Amendment, amend
from scoring.tables.acts.importing import import_record
from scoring.tables.acts.keys import Caller
from scoring.tables.acts.opening import create_table
from tests.scoring.conftest import ACE_TRUMP, OpenTable, open_table, play

NOTE = {"type": "note", "text": "hm"}
PENALTY = {"type": "penalty", "seat": 0, "points": -1}
RESULT = {"type": "result", "tricks": [12, 0, 0]}
TRANSFER = {"type": "transfer", "from_seat": 0, "to_seat": 1, "tricks": 1}


@pytest.fixture(autouse=True)
def _little_room(monkeypatch):
    """Small limits behave like large ones."""
    for name, most in (("EVENTS", 12), ("HANDS", 3), ("EVENTS_OF_HAND", 8), ("SETTLEMENTS", 3), ("NOTES", 2)):
        monkeypatch.setattr(replaying, f"MOST_{name}", most)
    monkeypatch.setattr(replaying, "MOST_EXTRA", 60)


def refused(code, act, *arguments, **named):
    with pytest.raises(Refused) as why:
        act(*arguments, **named)
    assert [problem.code for problem in why.value.problems] == [code]


def imported(*events):
    opened = import_record(ACE_TRUMP | {"hands": [{"events": list(events)}]})
    return OpenTable(opened.table.code, opened.token)


FULL = {
    "notes": ([NOTE, NOTE], NOTE, "too-many-notes"),
    "settlements": ([RESULT, PENALTY, TRANSFER, PENALTY], PENALTY, "too-many-settlements"),
    "transfers": ([RESULT, PENALTY, TRANSFER, PENALTY], TRANSFER, "too-many-settlements"),
    "a hand": ([NOTE, NOTE, *[PENALTY] * 3, play(0, "8MS"), play(1, "XS"), play(2, "XM")], play(2, "9MS"),
               "too-many-events"),
    "own keys": ([NOTE | {"x_a": "a" * 43}], NOTE | {"x_b": "b" * 10}, "too-much-extra"),
}  # fmt: skip


@pytest.mark.parametrize(("events", "one_more", "code"), FULL.values(), ids=FULL)
def test_a_full_hand_accepts_no_more_events(table, events, one_more, code):
    table.record(*events)
    refused(code, table.record, one_more)
    assert table.row.version == len(events)


@pytest.mark.parametrize(("events", "one_more", "code"), FULL.values(), ids=FULL)
def test_a_full_hand_accepts_no_batch(table, events, one_more, code):
    refused(code, table.record, *events, one_more)
    assert table.row.version == 0


@pytest.mark.parametrize(("events", "one_more", "code"), FULL.values(), ids=FULL)
def test_an_imported_record_cannot_overfill_a_hand(db, events, one_more, code):
    refused(code, imported, *events, one_more)
    text = write_text(load_record(ACE_TRUMP | {"hands": [{"events": events}]}))
    assert import_record({"text": text}).table.version == len(events)
    with pytest.MonkeyPatch.context() as roomy:
        for name in ("EVENTS_OF_HAND", "SETTLEMENTS", "NOTES", "EXTRA"):
            roomy.setattr(replaying, f"MOST_{name}", 10**6)
        text = write_text(load_record(ACE_TRUMP | {"hands": [{"events": [*events, one_more]}]}))
    refused(code, import_record, {"text": text})


def test_a_full_table_accepts_no_more_events(table):
    table.record(*[RESULT, PENALTY, PENALTY, NOTE, NOTE] * 2)
    table.record(RESULT, NOTE)
    refused("too-many-events", table.record, PENALTY)
    table.undo()
    table.record(NOTE)
    refused("too-many-events", table.record, PENALTY)


def test_a_full_table_starts_no_more_hands(table):
    table.record(RESULT, RESULT, RESULT)
    refused("too-many-hands", table.record, RESULT)
    refused("too-many-hands", table.record, play(0, "8MS"))


def test_undone_events_still_count_toward_the_limits(table):
    table.record(NOTE, NOTE | {"x_a": "a" * 43})
    table.undo()
    table.record(NOTE)
    refused("too-much-extra", table.record, PENALTY | {"x_b": "b" * 10})
    refused("too-many-notes", table.record, NOTE)


CORRECTED = {
    "notes": ([NOTE, NOTE, PENALTY], 3, NOTE, "too-many-notes"),
    "settlements": ([NOTE, *[PENALTY] * 3], 1, PENALTY, "too-many-settlements"),
    "own keys": ([NOTE | {"x_a": "a" * 43}, PENALTY], 2, PENALTY | {"x_b": "b" * 10}, "too-much-extra"),
}


@pytest.mark.parametrize(("events", "seq", "other", "code"), CORRECTED.values(), ids=CORRECTED)
def test_a_correction_cannot_overfill_a_hand(table, events, seq, other, code):
    table.record(*events)
    refused(code, amend, table.code, Amendment(seq=seq, event=load_event(other)), Caller())
    assert table.row.version == len(events)
    amend(table.code, Amendment(seq=seq, event=load_event({"type": "redeal"})), Caller())


def test_a_deleted_event_can_be_restored_only_within_the_limits(table):
    table.record(*[RESULT, PENALTY, PENALTY, NOTE, NOTE] * 2)
    amend(table.code, Amendment(seq=10, event=None), Caller())
    table.record(RESULT, NOTE, NOTE)
    refused("too-many-events", amend, table.code, Amendment(seq=11, event=load_event(NOTE)), Caller())


def test_a_new_table_may_not_exceed_the_custom_key_limit(db):
    create_table(ACE_TRUMP | {"x_a": "a" * 52})
    refused("too-much-extra", create_table, ACE_TRUMP | {"x_a": "a" * 53})


def test_custom_keys_of_table_hands_and_events_count_together(db):
    hands = [{"events": [NOTE | {"x_a": "a" * 8}], "x_b": "b" * 8}]
    opened = import_record(ACE_TRUMP | {"hands": hands, "x_c": "c" * 8})
    table = OpenTable(opened.table.code, opened.token)
    table.record(PENALTY | {"x_d": "d"})
    refused("too-much-extra", table.record, PENALTY | {"x_d": "d"})


def test_the_api_reports_a_full_table(scorekeeper, table):
    table.record(NOTE, NOTE)
    answer = scorekeeper.post(f"/api/v1/tables/{table.code}/events/", NOTE)
    assert (answer.status_code, answer.json()["code"]) == (422, "too-many-notes")
    assert answer.json()["detail"] == "A hand holds at most 2 notes."
    amendment = {"seq": 1, "event": NOTE | {"x_a": "a" * 80}}
    answer = scorekeeper.post(f"/api/v1/tables/{table.code}/amendments/", amendment)
    assert (answer.status_code, answer.json()["code"]) == (422, "too-much-extra")


# -- the deadline -----------------------------------------------------------------------------


@pytest.fixture
def slow(monkeypatch):
    """A clock that advances two seconds at every reading."""
    ticks = iter(range(0, 10**9, 2))
    monkeypatch.setattr("scoring.tables.reads.state.thread_time", lambda: next(ticks))


def test_a_timed_out_request_changes_nothing(table, slow):
    with pytest.raises(TooCostly):
        table.record(play(0, "8MS"), play(1, "XS"), play(2, "XM"), NOTE)
    assert table.row.version == 0
    table.record(play(0, "8MS"), play(1, "XS"))
    record = ACE_TRUMP | {"hands": [{"events": [RESULT]}] * 3}
    with pytest.raises(TooCostly):
        import_record(record)
    with pytest.raises(TooCostly):
        import_record({"text": write_text(load_record(record))})
    assert TableEvent.objects.count() == 2


def test_a_correction_that_times_out_changes_nothing(table, slow):
    table.record(RESULT)
    table.record(RESULT)
    table.record(RESULT)
    with pytest.raises(TooCostly):
        amend(table.code, Amendment(seq=1, event=load_event(RESULT | {"tricks": [0, 12, 0]})), Caller())
    assert table.row.version == 3


def test_judging_that_takes_too_long_is_413(scorekeeper, table, slow):
    body = {"events": [play(0, "8MS"), play(1, "XS"), play(2, "XM"), NOTE]}
    answer = scorekeeper.post(f"/api/v1/tables/{table.code}/events/", body)
    assert (answer.status_code, answer.json()["code"]) == (413, "too-costly")
    record = ACE_TRUMP | {"hands": [{"events": [RESULT]}] * 3}
    for way in ("text", "json"):
        table.record(RESULT)
        answer = scorekeeper.get(f"/api/v1/tables/{table.code}/record/?as={way}&annotate=1")
        assert answer.status_code == (413 if way == "text" else 200)
    answer = scorekeeper.post("/api/v1/tables/import/", json.dumps(record), content_type="application/json")
    assert (answer.status_code, answer.json()["code"]) == (413, "too-costly")


# --- How a finished hand is stored on disk

LONG = [{"type": "play", "seat": 0, "cards": ["8MS"], "text": "„Wilhelmine“ said so"}] * 20


@pytest.fixture
def played(db):
    """A table with two hands, followed by others."""
    table = open_table()
    for tricks in ([12, 0, 0], [0, 12, 0], [0, 0, 12]):
        table.record({"type": "result", "tricks": tricks})
    return table


def test_packed_data_round_trips():
    text = canonical(LONG)
    assert unpacked(packed(text)) == text
    assert len(packed(text)) * 4 < len(text)


def test_packed_score_sheets_are_read_correctly(played):
    with connection.cursor() as cursor:
        cursor.execute("SELECT sheet, start FROM scoring_handsheet")
        stored = [text for row in cursor.fetchall() for text in row]
    assert len(stored) == 4
    assert all(text.startswith(PACKED) for text in stored)
    assert sum(map(len, stored)) * 2 < sum(len(unpacked(text)) for text in stored)
    assert [sheet.sheet["scores"] for sheet in HandSheet.objects.all()] == [[12, 0, 0], [0, 12, 0]]
    assert differences(played.row) == []
