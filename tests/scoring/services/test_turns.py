"""Turns: tables opened, events recorded, one writer at a time."""

import sys
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from referee.engine.records import load_event
from scoring.models import Link, Role, Table, TableEvent
from scoring.operating.reads import differences
from scoring.tables.acts import holding
from scoring.tables.acts.amending import Amendment, preview
from scoring.tables.acts.exceptions import MovedOn, NotTaken
from scoring.tables.acts.keys import Caller
from scoring.tables.acts.opening import make_link
from scoring.tables.acts.recording import EVENTS_TO_AN_ACT, record_events
from scoring.tables.acts.table_settings import TableChanges, change_table
from scoring.tables.reads.state import RecentCache, standing
from tests.scoring.conftest import open_table, play

# --- One way to write: every act at a table is a turn, and the next card needs no read

NOTE = {"type": "note", "text": "Hm."}


def remembered_of(table):
    known = holding.state_cache.get(table.code)
    assert known is not None
    return known


def asked(table, **more):
    (link,) = table.row.links.filter(role=Role.SCOREKEEPER)
    return Caller(by="scorekeeper", link=link.pk, **more)


@pytest.mark.parametrize(
    ("window", "written"),
    [
        ("table.log.create(seq=9, place=9, hand=0)", "rows of the log"),
        ("TableEvent(table=table, seq=9, place=9, hand=0).save()", "rows of the log"),
        ("table.log.update(reason='Better so.')", "what rows of the log say"),
        ("table.snapshot = {}; table.save(update_fields=['snapshot'])", "a snapshot"),
        ("table.sheets.create(number=7, sheet={}, start={})", "sheets and hands dealt"),
        ("table.pk = None; table.code = 'QQQQQQQQ'; table.save(force_insert=True)", "a new table"),
    ],
)
def test_every_way_to_write_outside_a_turn_is_detected(table, window, written):
    with pytest.raises(AssertionError, match=f"scoring.tables.pages.window writes {written}"):
        exec(window, {"__name__": "scoring.tables.pages.window", "table": table.row, "TableEvent": TableEvent})


def test_recording_the_next_card_takes_two_statements_in_a_transaction(table):
    table.record(play(0, "8MS"))
    with CaptureQueriesContext(connection) as statements:
        table.record(play(1, "XS"))
    words = [each["sql"].split()[0] for each in statements]
    assert [word for word in words if word not in ("SAVEPOINT", "RELEASE", "BEGIN")] == ["UPDATE", "INSERT"]


def test_writes_by_others_in_between_are_noticed(table):
    table.record(play(0, "8MS"))
    remembered = remembered_of(table)
    table.undo()
    holding.state_cache.put(table.code, remembered)
    with pytest.raises(NotTaken):
        table.record(play(1, "XS"))
    holding.state_cache.put(table.code, remembered)
    assert table.record(play(0, "8MS")).version == 3
    assert differences(table.row) == []


def test_a_restored_backup_is_noticed_despite_the_same_version(table):
    table.record(play(0, "8MS"))
    remembered = remembered_of(table)
    Table.objects.filter(code=table.code).update(updated=timezone.now() - timedelta(days=1))
    holding.state_cache.put(table.code, remembered)
    table.record(play(1, "XS"))
    assert differences(table.row) == []


@pytest.mark.parametrize("expected", [0, 2])
def test_a_write_requires_the_tables_version(table, expected):
    table.record(play(0, "8MS"))
    with pytest.raises(MovedOn):
        table.record(play(1, "XS"), expected=expected)
    assert table.row.version == 1


def test_a_deleted_table_is_not_found(table, scorekeeper):
    table.record(play(0, "8MS"))
    path = f"/api/v1/tables/{table.code}/events/"
    assert scorekeeper.post(path, play(1, "XS")).status_code == 201
    Table.objects.filter(code=table.code).delete()
    assert scorekeeper.post(path, play(2, "XM")).status_code == 404


def test_the_next_card_sees_changes_made_outside_the_log(table):
    table.record(play(0, "8MS"))
    remembered = remembered_of(table)
    change_table(table.code, TableChanges(private=True), asked(table))
    holding.state_cache.put(table.code, remembered)
    assert table.record(play(1, "XS")).at.row.private


def test_a_batch_is_charged_by_its_cost(table):
    request = asked(table)
    record_events(table.code, [load_event(NOTE)] * (2 * EVENTS_TO_AN_ACT + 1), request)
    assert table.row.writes[str(request.link)] == 3


def test_a_retry_counts_against_the_limit(table):
    request = asked(table, key="5f0c7f5e-7a0b-4a55-9d59-3f0a3a5c1c11")
    for _ in range(3):
        record_events(table.code, [load_event(NOTE)], request)
    assert table.row.writes[str(request.link)] == 3
    assert table.row.version == 1


def test_previewing_an_amendment_counts_against_the_limit(table):
    table.record(play(0, "8MS"))
    before = table.row
    preview(table.code, Amendment(seq=1, event=None), asked(table))
    link = str(asked(table).link)
    assert table.row.writes[link] == before.writes.get(link, 0) + 1
    assert table.row.version == before.version


def test_an_act_that_fails_midway_leaves_nothing(table, monkeypatch):
    monkeypatch.setattr("scoring.tables.acts.writing._json", lambda value: (_ for _ in ()).throw(RuntimeError))
    with pytest.raises(RuntimeError), transaction.atomic():
        table.record(play(0, "8MS"))
    assert table.row.version == 0
    assert not TableEvent.objects.exists()


def test_retrying_a_link_request_returns_the_same_seat_link(table):
    links = [Link.objects.get(token_hash__isnull=False, pk=_made(table)) for _ in range(2)]
    marks = {Caller(link=link.pk, seat=1, key="k").fingerprint("events", ["x"]) for link in links}
    assert len(marks) == 2


def _made(table):
    make_link(table.row, Role.PLAYER, seat=1)
    return table.row.links.order_by("-pk").values_list("pk", flat=True)[0]


@pytest.fixture
def _threads_take_turns_fast():
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(interval)


@pytest.mark.usefixtures("_threads_take_turns_fast")
def test_concurrent_threads_cache_tables_safely():
    kept: RecentCache[str, int] = RecentCache(3)

    def write(thread: int) -> None:
        for number in range(5000):
            kept.put(f"{thread}-{number}", number)

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(write, range(4)))
    assert len(kept) == 3


# --- Recording events: all or none, once, and at the same cost at any length


def result(*tricks):
    return {"type": "result", "tricks": list(tricks)}


def code_of(why):
    assert why.ruling.reason is not None
    return why.ruling.reason.code


def test_cards_are_kept_by_their_canonical_code(table):
    table.record(play(0, "the Diplomat"))
    assert table.row.log.get().event["cards"] == ["8MS"]


def test_the_next_hand_starts_with_its_first_event(table):
    table.record(result(12, 0, 0))
    assert table.row.hand_number == 0
    table.record({"type": "penalty", "seat": 0, "points": -1})
    table.record(result(0, 12, 0))
    row = table.row
    assert row.hand_number == 1
    assert [sheet.sheet["scores"] for sheet in row.sheets.all()] == [[11, 0, 0]]
    assert standing(row).state.totals() == (11, 12, 0)
    assert [entry.hand for entry in row.log.all()] == [0, 0, 1]


def test_a_note_on_a_finished_hand_stays_with_it(table):
    table.record(result(12, 0, 0), {"type": "note", "text": "well played"}, {"type": "redeal"})
    assert {entry.hand for entry in table.row.log.all()} == {0}
    table.record(result(0, 12, 0))
    assert standing(table.row).state.totals() == (0, 12, 0)


def test_a_finished_table_accepts_no_further_hand(db):
    table = open_table(end={"kind": "hands", "value": 1})
    table.record(result(12, 0, 0))
    assert table.row.finished
    with pytest.raises(NotTaken) as why:
        table.record(play(0, "8MS"))
    assert code_of(why.value) == "hand-finished"
    assert table.record({"type": "note", "text": "again tomorrow"}).version == 2


def test_an_event_takes_the_same_queries_at_any_table_length(table):
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


def test_table_codes_can_be_read_aloud(db):
    codes = {open_table().code for _ in range(20)}
    assert len(codes) == 20
    assert all(len(code) == 8 and not set(code) & set("01OIL") for code in codes)
    assert Table.objects.count() == 20
