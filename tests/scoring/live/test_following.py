"""Following a table or a group from its stream alone, with real servers: a scoreboard, a lamp, a group's bot."""

import json
import urllib.error
import urllib.request
from functools import partial

import pytest

from tests.scoring.live.driving import NEW_TABLE, Stream, TableLink, run_python

EVENTS = "?events=1"
ORIGIN = {"Origin": "https://board.example", "Sec-Fetch-Site": "cross-site"}


def log(pair, table, after=0):
    address = f"http://127.0.0.1:{pair.writes.port}/api/v1/{table.path}events/?after={after}&limit=500"
    with urllib.request.urlopen(address, timeout=60) as answer:
        return json.load(answer)["events"]


@pytest.fixture
def board(pair, table):
    """Open the table's stream as a scoreboard without a token does."""
    return partial(Stream, pair.streams, table, asking=EVENTS)


@pytest.fixture
def bot(pair, group):
    """Open the group's stream as its bot does."""
    return partial(Stream, pair.streams, group, token=group.token, asking=EVENTS)


def refusal(stream):
    with stream:
        return stream.answer.status, json.load(stream.answer)["code"]


# --- A table


def test_a_scoreboard_receives_each_row_as_logged(pair, table, board):
    pair.writes.note(table)
    with board() as stream:
        assert stream.version() == 1
        cards = [{"type": "play", "seat": 1, "cards": ["8MS"]}, {"type": "play", "seat": 2, "cards": ["XS"]}]
        pair.writes.record(table, *cards)
        rows = stream.follow(3)
        pair.writes.make(f"{table.path}undo/", {}, table.token)
        rows += stream.follow(4)
    assert [(int(name), row["seq"]) for name, row in rows] == [(2, 2), (3, 3), (4, 4)]
    *played, taken_back = (row for _name, row in rows)
    assert [row["event"]["cards"] for row in played] == [["8MS"], ["XS"]]
    assert (taken_back["event"], taken_back["amends"]) == (None, 3)
    told = log(pair, table, after=1)
    assert (rows[0][1], taken_back) == (told[0], told[-1])


def test_a_reconnecting_client_gets_each_missed_event_once(pair, table, board):
    with board() as stream:
        pair.writes.note(table)
        [(seen, _row)] = stream.follow(1)
    notes = [{"type": "note", "text": str(number)} for number in range(150)]
    for half in (notes[:75], notes[75:]):
        pair.writes.record(table, *half)
    with board(behind=seen) as stream:
        assert [int(name) for name, _row in stream.follow(151)] == [*range(2, 152)]
        pair.writes.note(table)
        assert [name for name, _row in stream.follow(152)] == ["152"]
    with board(behind="0") as stream:
        assert [row for _name, row in stream.follow(152)] == log(pair, table)


def test_rapid_rows_arrive_one_by_one(pair, table, board):
    with board() as stream, Stream(pair.writes, table, asking=EVENTS) as other:
        for _ in range(60):
            pair.writes.note(table)
        for each in (stream, other):
            assert [int(name) for name, _row in each.follow(60)] == [*range(1, 61)]


@pytest.mark.parametrize("behind", ["1", "-1", "x", "9" * 30, "0;", "²"])
def test_an_id_never_issued_by_the_stream_is_refused(board, behind):
    assert refusal(board(behind=behind.encode().decode("latin-1"))) == (400, "parse-error")


def test_the_events_parameter_is_0_or_1(pair, table):
    with Stream(pair.streams, table, asking="?events=yes") as stream:
        assert stream.answer.status == 400
        assert json.load(stream.answer)["errors"][0]["parameter"] == "events"
    with Stream(pair.streams, table, asking="?events=0") as stream:
        pair.writes.note(table)
        assert stream.wait_for(1)[-1] == 1, "it says that something has changed, and no more"


def test_a_reader_who_lost_access_gets_no_later_events(pair, table, board):
    phone = pair.writes.make_link(table, "spectator")
    with board(token=phone["token"]) as lost, board() as eve, board(token=table.token) as kept:
        assert lost.version() == eve.version() == kept.version() == 0
        # No notification: the right is checked with each row.
        code = f"""
from django.utils import timezone
from scoring.models import Link, Table
Link.objects.filter(table__code={table.code!r}, role="spectator").update(revoked=timezone.now())
Table.objects.filter(code={table.code!r}).update(private=True)
"""
        run_python(pair.var, pair.database, code)
        pair.writes.note(table, "For us alone.")
        assert [row["event"]["text"] for _name, row in kept.follow(1)] == ["For us alone."]
        assert lost.next("revoked")
        assert eve.next("revoked")


def test_a_page_on_another_origin_follows_with_fetch(pair, table):
    address = f"http://127.0.0.1:{pair.streams.port}{table.stream}{EVENTS}"
    wanted = "authorization, last-event-id, cache-control, accept"
    asked = ORIGIN | {"Access-Control-Request-Method": "GET", "Access-Control-Request-Headers": wanted}
    with urllib.request.urlopen(urllib.request.Request(address, method="OPTIONS", headers=asked), timeout=60) as told:
        assert set(wanted.split(", ")) <= set(told.headers["Access-Control-Allow-Headers"].split(", "))
        assert told.headers["Access-Control-Allow-Origin"] == "*"
    sent = ORIGIN | {"Last-Event-ID": "0", "Cache-Control": "no-cache", "Accept": "text/event-stream"}
    pair.writes.note(table)
    with urllib.request.urlopen(urllib.request.Request(address, headers=sent), timeout=60) as stream:
        assert stream.headers["Access-Control-Allow-Origin"] == "*"
        assert any(line.startswith(b"event: recorded") for line in stream)


@pytest.mark.parametrize("method", ["HEAD", "OPTIONS"])
def test_a_stream_answers_options_and_head_requests(pair, table, group, method):
    for each, token in ((table, ""), (group, group.token)):
        address = f"http://127.0.0.1:{pair.streams.port}{each.stream}"
        request = urllib.request.Request(address, method=method, headers={"Authorization": f"Bearer {token}"})
        with urllib.request.urlopen(request, timeout=60) as answer:
            assert answer.status == (200 if method == "HEAD" else 204)
            assert answer.read() == b""
            assert method == "OPTIONS" or answer.headers["Content-Type"] == "text/event-stream"
    unknown = f"http://127.0.0.1:{pair.streams.port}{TableLink('QQQQQQQQ', '').stream}"
    if method == "HEAD":
        with pytest.raises(urllib.error.HTTPError, match="404"):
            urllib.request.urlopen(urllib.request.Request(unknown, method=method), timeout=60)


# --- A group


def places(events):
    return [(event["data"]["table"], event["data"]["row"]["seq"]) for event in events]


def test_a_bot_follows_its_group_from_the_stream_alone(pair, group, bot):
    with bot() as stream:
        first, second = (pair.writes.open_in(group, end={"kind": "open"}) for _ in range(2))
        told = {"game": NEW_TABLE["game"], "seats": NEW_TABLE["seats"]}
        opened = [event["data"] for event in stream.next("opened", "opened")]
        assert opened == [{"table": first.code, **told}, {"table": second.code, **told}]
        for table in (second, first, second):
            pair.writes.note(table)
        rows = stream.next("recorded", "recorded", "recorded")
        assert places(rows) == [(second.code, 1), (first.code, 1), (second.code, 2)]
        assert rows[1]["data"]["row"] == log(pair, first)[0]
        pair.writes.record(first, {"type": "end"})
        last, over = stream.next("recorded", "finished")
        assert (last["data"]["row"]["event"]["type"], over["data"]) == ("end", {"table": first.code})
        pair.writes.note(first, "Well played.")
        stream.next("recorded")


def test_a_reconnecting_bot_gets_what_it_missed(pair, group, bot):
    first, second = (pair.writes.open_in(group) for _ in range(2))
    with bot() as stream:
        pair.writes.note(first)
        [event] = stream.next("recorded")
    for table in (first, second, second):
        pair.writes.note(table)
    third = pair.writes.open_in(group)
    with bot(behind=event["id"]) as stream:
        missed = stream.next("recorded", "recorded", "recorded", "opened")
        assert [each["data"]["table"] for each in missed] == [first.code, second.code, second.code, third.code]
        pair.writes.note(third)
        assert places(stream.next("recorded")) == [(third.code, 1)]
    with bot(behind=missed[1]["id"]) as stream:
        again = stream.next("recorded", "opened", "recorded")
        assert [each["data"]["table"] for each in again] == [second.code, third.code, third.code]


def test_a_correction_at_an_earlier_evenings_table_arrives_too(pair, group, bot):
    earlier, later = (pair.writes.open_in(group) for _ in range(2))
    pair.writes.note(earlier)
    code = f"""
from datetime import timedelta
from django.db.models import F
from scoring.models import Table, TableEvent
days = timedelta(days=30)
TableEvent.objects.filter(table__code={earlier.code!r}).update(at=F("at") - days)
Table.objects.filter(code={earlier.code!r}).update(
    evening=F("evening") - days, created=F("created") - days, updated=F("updated") - days)
"""
    run_python(pair.var, pair.database, code)
    with bot() as stream:
        pair.writes.note(earlier)
        assert places(stream.next("recorded")) == [(earlier.code, 2)]
        pair.writes.note(later)
        assert places(stream.next("recorded")) == [(later.code, 1)]


def test_other_groups_and_tables_without_a_group_are_not_reported(pair, group, bot):
    table = pair.writes.open_in(group)
    with bot() as stream:
        for each in (pair.writes.open_table(), pair.writes.open_in(pair.writes.make_group("Friday")), table):
            pair.writes.note(each)
        assert places(stream.next("recorded")) == [(table.code, 1)]


def test_a_turned_off_group_link_gets_no_further_events(pair, group, bot):
    viewer = pair.writes.make_link(group, "viewer")
    table = pair.writes.open_in(group, private=True)
    at_the_table = Stream(pair.streams, table, token=viewer["token"], asking=EVENTS)
    with bot(token=viewer["token"]) as lost, at_the_table as lost_too, bot() as kept:
        pair.writes.note(table)
        for stream in (lost, lost_too, kept):
            stream.next("recorded")
        code = f"""
from django.utils import timezone
from scoring.models import GroupLink
GroupLink.objects.filter(pk={viewer["id"]}).update(revoked=timezone.now())
"""
        run_python(pair.var, pair.database, code)
        pair.writes.note(table)
        kept.next("recorded")
        assert lost.next("revoked")
        assert lost_too.next("revoked")


@pytest.mark.parametrize("behind", ["x", "-", "fffffffff", "1-1", "1-1.x", "1.1"])
def test_an_id_never_issued_by_the_group_is_refused(bot, behind):
    assert refusal(bot(behind=behind)) == (400, "parse-error")


def test_a_group_id_from_the_future_is_refused(pair, group, bot):
    table = pair.writes.open_in(group)
    with bot() as stream:
        pair.writes.note(table)
        [event] = stream.next("recorded")
    name, _dot, seq = event["id"].rpartition(".")
    assert seq == "1"
    assert refusal(bot(behind=f"{name}.2")) == (400, "parse-error")
