"""Following a table or a group from its stream alone, with real servers: a scoreboard, a lamp, a group's bot."""

import json
import urllib.error
import urllib.request

import pytest

from tests.scoring.live.driving import NEW_TABLE, Stream, TableLink, run_python

EVENTS = "?events=1"
ORIGIN = {"Origin": "https://board.example", "Sec-Fetch-Site": "cross-site"}


@pytest.fixture
def table(pair):
    return pair.writes.open_table()


@pytest.fixture
def group(pair):
    return pair.writes.make_group()


def log(pair, table, after=0):
    address = f"http://127.0.0.1:{pair.writes.port}/api/v1/tables/{table.code}/events/?after={after}&limit=500"
    with urllib.request.urlopen(address, timeout=60) as answer:
        return json.load(answer)["events"]


def note(pair, table, text="Hm."):
    status, answer = pair.writes.post(f"tables/{table.code}/events/", {"type": "note", "text": text}, table.token)
    assert status == 201, answer
    return answer["version"]


def end(pair, table):
    status, answer = pair.writes.post(f"tables/{table.code}/events/", {"type": "end"}, table.token)
    assert status == 201, answer


def refusal(pair, table, behind, token=""):
    with Stream(pair.streams, table, token=token, asking=EVENTS, behind=behind) as stream:
        return stream.answer.status, json.load(stream.answer)["code"]


# --- A table


def test_a_scoreboard_receives_each_row_as_logged(pair, table):
    note(pair, table, "Before anybody looked.")
    with Stream(pair.streams, table, asking=EVENTS) as board:
        assert board.version() == 1
        cards = [{"type": "play", "seat": 1, "cards": ["8MS"]}, {"type": "play", "seat": 2, "cards": ["XS"]}]
        status, _ = pair.writes.post(f"tables/{table.code}/events/", {"events": cards}, table.token)
        assert status == 201
        rows = board.follow(3)
        pair.writes.post(f"tables/{table.code}/undo/", {}, table.token)
        rows += board.follow(4)
    assert [int(name) for name, _row in rows] == [2, 3, 4]
    assert [row["seq"] for _name, row in rows] == [2, 3, 4]
    *played, taken_back = (row for _name, row in rows)
    assert [row["event"]["cards"] for row in played] == [["8MS"], ["XS"]]
    assert (taken_back["event"], taken_back["amends"]) == (None, 3)
    told = log(pair, table, after=1)
    assert (rows[0][1], taken_back) == (told[0], told[-1])


def test_a_reconnecting_client_gets_each_missed_event_once(pair, table):
    with Stream(pair.streams, table, asking=EVENTS) as board:
        note(pair, table)
        [(seen, _row)] = board.follow(1)
    notes = [{"type": "note", "text": str(number)} for number in range(150)]
    for _ in range(2):
        pair.writes.post(f"tables/{table.code}/events/", {"events": notes[:75]}, table.token)
    with Stream(pair.streams, table, asking=EVENTS, behind=seen) as board:
        missed = board.follow(151)
        assert [int(name) for name, _row in missed] == [*range(2, 152)]
        note(pair, table)
        assert [name for name, _row in board.follow(152)] == ["152"]
    with Stream(pair.streams, table, asking=EVENTS, behind="0") as board:
        assert [row for _name, row in board.follow(152)] == log(pair, table)


def test_rapid_rows_arrive_one_by_one(pair, table):
    with Stream(pair.streams, table, asking=EVENTS) as board, Stream(pair.writes, table, asking=EVENTS) as other:
        for _ in range(60):
            note(pair, table)
        for stream in (board, other):
            assert [int(name) for name, _row in stream.follow(60)] == [*range(1, 61)]


@pytest.mark.parametrize("behind", ["1", "-1", "x", "9" * 30, "0;", "²"])
def test_an_id_never_issued_by_the_stream_is_refused(pair, table, behind):
    assert refusal(pair, table, behind.encode().decode("latin-1")) == (400, "parse-error")


def test_the_events_parameter_is_0_or_1(pair, table):
    with Stream(pair.streams, table, asking="?events=yes") as stream:
        assert stream.answer.status == 400
        assert json.load(stream.answer)["errors"][0]["parameter"] == "events"
    with Stream(pair.streams, table, asking="?events=0") as stream:
        note(pair, table)
        assert stream.wait_for(1)[-1] == 1, "it says that something has changed, and no more"


def test_a_reader_who_lost_access_gets_no_later_events(pair, table):
    _, phone = pair.writes.post(f"tables/{table.code}/links/", {"role": "spectator"}, table.token)
    with (
        Stream(pair.streams, table, token=phone["token"], asking=EVENTS) as lost,
        Stream(pair.streams, table, asking=EVENTS) as eve,
        Stream(pair.streams, table, token=table.token, asking=EVENTS) as kept,
    ):
        assert lost.version() == eve.version() == kept.version() == 0
        # No notification: the right is checked with each row.
        code = f"""
from django.utils import timezone
from scoring.models import Link, Table
Link.objects.filter(table__code={table.code!r}, role="spectator").update(revoked=timezone.now())
Table.objects.filter(code={table.code!r}).update(private=True)
"""
        run_python(pair.var, pair.database, code)
        note(pair, table, "For us alone.")
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
    note(pair, table)
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


def test_a_bot_follows_its_group_from_the_stream_alone(pair, group):
    with Stream(pair.streams, group, token=group.token, asking=EVENTS) as bot:
        first, second = (pair.writes.open_in(group, end={"kind": "open"}) for _ in range(2))
        opened = [event["data"] for event in bot.next("opened", "opened")]
        assert opened == [{"table": each.code, "game": NEW_TABLE["game"], "seats": NEW_TABLE["seats"]} for each in
                          (first, second)]  # fmt: skip
        for table in (second, first, second):
            note(pair, table, f"At {table.code}.")
        rows = [event["data"] for event in bot.next("recorded", "recorded", "recorded")]
        assert [(row["table"], row["row"]["seq"]) for row in rows] == [
            (second.code, 1),
            (first.code, 1),
            (second.code, 2),
        ]
        assert rows[1]["row"] == log(pair, first)[0]
        end(pair, first)
        last, over = bot.next("recorded", "finished")
        assert (last["data"]["row"]["event"]["type"], over["data"]) == ("end", {"table": first.code})
        note(pair, first, "Well played.")
        bot.next("recorded")


def test_a_reconnecting_bot_gets_what_it_missed(pair, group):
    first, second = (pair.writes.open_in(group) for _ in range(2))
    with Stream(pair.streams, group, token=group.token, asking=EVENTS) as bot:
        note(pair, first)
        [event] = bot.next("recorded")
    for table in (first, second, second):
        note(pair, table)
    third = pair.writes.open_in(group)
    with Stream(pair.streams, group, token=group.token, asking=EVENTS, behind=event["id"]) as bot:
        missed = bot.next("recorded", "recorded", "recorded", "opened")
        assert [each["data"]["table"] for each in missed] == [first.code, second.code, second.code, third.code]
        note(pair, third)
        assert bot.next("recorded")[0]["data"]["table"] == third.code
    with Stream(pair.streams, group, token=group.token, asking=EVENTS, behind=missed[1]["id"]) as bot:
        again = bot.next("recorded", "opened", "recorded")
        assert [each["data"]["table"] for each in again] == [second.code, third.code, third.code]


def test_a_correction_at_an_earlier_evenings_table_arrives_too(pair, group):
    earlier, later = (pair.writes.open_in(group) for _ in range(2))
    note(pair, earlier)
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
    with Stream(pair.streams, group, token=group.token, asking=EVENTS) as bot:
        note(pair, earlier, "One more thing.")
        assert bot.next("recorded")[0]["data"]["row"]["event"]["text"] == "One more thing."
        note(pair, later)
        assert bot.next("recorded")[0]["data"]["table"] == later.code


def test_other_groups_and_tables_without_a_group_are_not_reported(pair, group):
    table = pair.writes.open_in(group)
    with Stream(pair.streams, group, token=group.token, asking=EVENTS) as bot:
        note(pair, pair.writes.open_table())
        note(pair, pair.writes.open_in(pair.writes.make_group("Friday")))
        note(pair, table)
        assert bot.next("recorded")[0]["data"]["table"] == table.code


def test_a_turned_off_group_link_gets_no_further_events(pair, group):
    _, viewer = pair.writes.post(f"{group.path}links/", {"role": "viewer"}, group.token)
    table = pair.writes.open_in(group, private=True)
    with (
        Stream(pair.streams, group, token=viewer["token"], asking=EVENTS) as lost,
        Stream(pair.streams, table, token=viewer["token"], asking=EVENTS) as lost_too,
        Stream(pair.streams, group, token=group.token, asking=EVENTS) as bot,
    ):
        note(pair, table)
        for stream in (lost, lost_too, bot):
            stream.next("recorded")
        code = f"""
from django.utils import timezone
from scoring.models import GroupLink
GroupLink.objects.filter(pk={viewer["id"]}).update(revoked=timezone.now())
"""
        run_python(pair.var, pair.database, code)
        note(pair, table)
        bot.next("recorded")
        assert lost.next("revoked")
        assert lost_too.next("revoked")


@pytest.mark.parametrize("behind", ["x", "-", "fffffffff", "1-1", "1-1.x", "1.1"])
def test_an_id_never_issued_by_the_group_is_refused(pair, group, behind):
    assert refusal(pair, group, behind, group.token) == (400, "parse-error")


def test_a_group_id_from_the_future_is_refused(pair, group):
    table = pair.writes.open_in(group)
    with Stream(pair.streams, group, token=group.token, asking=EVENTS) as bot:
        note(pair, table)
        [event] = bot.next("recorded")
    name, _dot, seq = event["id"].rpartition(".")
    assert seq == "1"
    assert refusal(pair, group, f"{name}.2", group.token) == (400, "parse-error")
