"""Recording events: all or none, once, and at the same cost at any length."""

import json

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from referee.engine.snapshot import dump_table
from scoring.models import HandSheet, Table, TableEvent
from scoring.queries.log import as_it_was, record
from scoring.queries.state import adjudication, standing
from scoring.services.exceptions import KeyReused, MovedOn, NotTaken
from tests.scoring.conftest import open_table, play

KEY = "5f0c7f5e-7a0b-4a55-9d59-3f0a3a5c1c11"


def result(*tricks):
    return {"type": "result", "tricks": list(tricks)}


def code_of(why):
    assert why.ruling.reason is not None
    return why.ruling.reason.code


def test_it_works(table):
    recorded = table.record(play(0, "8MS"), by="scorekeeper")
    assert recorded.version == 1
    assert recorded.at.state.hand.to_act() == (1,)
    assert [(e.seq, e.hand, e.event, e.by) for e in table.row.log.all()] == [(1, 0, play(0, "8MS"), "scorekeeper")]


def test_cards_are_kept_by_their_canonical_code(table):
    table.record(play(0, "the Diplomat"))
    assert table.row.log.get().event["cards"] == ["8MS"]


def test_several_events_are_taken_together(table):
    recorded = table.record(play(0, "8MS"), play(1, "XS"), play(2, "XM"))
    assert recorded.version == table.row.version == 3
    assert len(recorded.rulings) == 3


def test_one_bad_event_and_none_is_taken(table):
    with pytest.raises(NotTaken) as why:
        table.record(play(0, "8MS"), play(1, "8MS"))
    assert why.value.position == 1
    assert code_of(why.value) == "already-played"
    assert table.row.version == 0
    assert not TableEvent.objects.exists()


def test_an_irregular_event_waits_for_consent(table):
    with pytest.raises(NotTaken) as why:
        table.record(play(1, "8MS"))
    assert why.value.ruling.verdict == "irregular"
    recorded = table.record(play(1, "8MS", accepted=True))
    assert [i.code for i in recorded.rulings[0].irregularities] == ["out-of-turn"]


def test_the_next_hand_begins_with_its_first_event(table):
    table.record(result(12, 0, 0))
    assert table.row.hand_number == 0
    table.record({"type": "penalty", "seat": 0, "points": -1})
    table.record(result(0, 12, 0))
    row = table.row
    assert row.hand_number == 1
    assert [sheet.sheet["scores"] for sheet in row.sheets.all()] == [[11, 0, 0]]
    assert standing(row).state.totals() == (11, 12, 0)
    assert [entry.hand for entry in row.log.all()] == [0, 0, 1]


def test_what_is_said_about_a_hand_that_is_over_stays_with_it(table):
    table.record(result(12, 0, 0), {"type": "note", "text": "well played"}, {"type": "redeal"})
    assert {entry.hand for entry in table.row.log.all()} == {0}
    table.record(result(0, 12, 0))
    assert standing(table.row).state.totals() == (0, 12, 0)


def test_a_batch_may_span_hands(table):
    table.record(result(12, 0, 0), result(0, 12, 0), result(0, 0, 12))
    assert HandSheet.objects.count() == 2
    assert standing(table.row).state.totals() == (12, 12, 12)


def test_a_finished_table_takes_no_further_hand(db):
    table = open_table(end={"kind": "hands", "value": 1})
    table.record(result(12, 0, 0))
    assert table.row.finished
    with pytest.raises(NotTaken) as why:
        table.record(play(0, "8MS"))
    assert code_of(why.value) == "hand-finished"
    assert table.record({"type": "note", "text": "again tomorrow"}).version == 2


def test_whoever_has_not_seen_the_table_as_it_is_is_told(table):
    table.record(play(0, "8MS"), expected=0)
    with pytest.raises(MovedOn) as why:
        table.record(play(1, "XS"), expected=0)
    assert why.value.version == 1
    assert table.row.version == 1


def test_a_retried_request_is_answered_again_and_records_nothing(table):
    first = table.record(play(0, "8MS"), play(1, "XS"), key=KEY)
    table.record(play(2, "XM"))
    again = table.record(play(0, "8MS"), play(1, "XS"), key=KEY)
    assert again.again
    assert again.version == first.version == 2
    assert dump_table(again.at.state) == dump_table(first.at.state)
    assert [r.verdict for r in again.rulings] == [r.verdict for r in first.rulings]
    assert table.row.version == 3


def test_a_key_belongs_to_one_request(table):
    table.record(play(0, "8MS"), key=KEY)
    with pytest.raises(KeyReused):
        table.record(play(0, "9MS"), key=KEY)


def test_the_snapshot_is_what_the_log_amounts_to(table):
    table.record(play(0, "8MS"), play(1, "AW"), play(2, "9MS"), result(4, 4, 4), play(1, "XS"))
    row = table.row
    rebuilt, _ = as_it_was(row, row.version)
    assert json.dumps(row.snapshot) == json.dumps(dump_table(rebuilt))


def test_the_record_tells_the_table_whole(table):
    from referee.engine.adjudication import adjudicate
    from referee.engine.records import load_record

    table.record(play(0, "8MS"), play(1, "AW"), play(2, "9MS"), result(4, 4, 4), play(1, "XS"))
    told = adjudicate(load_record(record(table.row)))
    assert told == adjudication(standing(table.row))


def test_an_event_costs_the_same_queries_at_any_length(table):
    def queries():
        with CaptureQueriesContext(connection) as caught:
            table.record({"type": "note", "text": "once more"})
        return len(caught)

    table.record(play(0, "8MS"))
    early = queries()
    for _ in range(30):
        table.record({"type": "redeal"}, play(0, "8MS"))
    assert table.row.hand_number == 30
    assert queries() == early


def test_tables_have_codes_that_can_be_read_out(db):
    codes = {open_table().code for _ in range(20)}
    assert len(codes) == 20
    assert all(len(code) == 8 and not set(code) & set("01OIL") for code in codes)
    assert Table.objects.count() == 20
