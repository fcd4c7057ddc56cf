"""The streams of tables and groups, from a real server; another one on the same database does all the writing."""

import contextlib
import json
import time
import urllib.error
import urllib.request

import pytest

from scoring.tables.live.hub import SECONDS_BETWEEN_LOOKS_POSTGRESQL
from scoring.tables.live.watchers import GroupWatcher, Reader, Streams
from tests.scoring.live.driving import GroupLink, Stream, TableLink, run_python

# --- A table's stream

UNKNOWN = TableLink("QQQQQQQQ", "")


def test_a_stream_begins_with_the_version(pair, table):
    with Stream(pair.streams, table) as stream:
        assert stream.answer.status == 200
        assert stream.answer.headers["Content-Type"] == "text/event-stream"
        assert "no-store" in str(stream.answer.headers["Cache-Control"])
        assert stream.answer.headers["X-Accel-Buffering"] == "no"
        first = stream.expected()
        assert first.pop("retry").isdecimal()
        assert first == {"event": "changed", "id": "0", "data": '{"version": 0}'}


def test_a_page_left_open_lists_its_table_on_the_device(pair, table):
    """Opened by its code, the table is listed only once the cookie comes back, which the stream brings."""

    def ask(path, cookie=""):
        request = urllib.request.Request(f"http://127.0.0.1:{pair.streams.port}{path}", headers={"Cookie": cookie})
        with urllib.request.urlopen(request, timeout=20) as answer:
            return answer.headers, answer.readline() if path.endswith("/stream/") else answer.read()

    path = f"/t/{table.code}/"
    cookie = "; ".join(each.split(";")[0] for each in ask(path)[0].get_all("Set-Cookie"))
    listed = f'href="{path}"'.encode()
    assert listed not in ask("/", cookie)[1]
    ask(table.stream, cookie)
    assert listed in ask("/", cookie)[1]


def test_every_connection_begins_with_the_current_version(pair, table):
    for _ in range(3):
        version = pair.streams.note(table)
        with Stream(pair.streams, TableLink(f"{table.code[:4]}-{table.code[4:]}".lower(), "")) as stream:
            assert stream.version() == version, "a code may be typed as it is read aloud"


def test_a_change_by_another_process_arrives(pair, table):
    with Stream(pair.streams, table) as stream:
        assert stream.version() == 0
        for _ in range(3):
            version = pair.writes.note(table)
            written = time.monotonic()
            assert stream.version() == version
            assert time.monotonic() - written < SECONDS_BETWEEN_LOOKS_POSTGRESQL - 1, "it was told, and not only found"


def test_a_stream_reports_only_its_own_table(pair, table):
    other = pair.writes.open_table()
    with Stream(pair.streams, table) as stream, Stream(pair.streams, other) as others:
        assert stream.version() == others.version() == 0
        pair.writes.note(other)
        assert others.version() == 1
        pair.writes.note(table)
        pair.writes.note(table)
        assert stream.wait_for(2)[0] in (1, 2)


def test_the_last_of_many_rapid_changes_arrives(pair, table):
    with Stream(pair.streams, table) as stream:
        for _ in range(200):
            version = pair.writes.note(table)
        came = stream.wait_for(version)
    assert version == 200
    assert came == sorted(set(came))


def test_unannounced_changes_arrive_too(pair, table):
    gone = pair.writes.open_table()
    with Stream(pair.streams, table) as stream, Stream(pair.streams, gone) as ending:
        assert stream.version() == ending.version() == 0
        code = f"""
from scoring.models import Table
Table.objects.filter(code={table.code!r}).update(version=7)
Table.objects.get(code={gone.code!r}).delete()
"""
        run_python(pair.var, pair.database, code)
        assert stream.version() == 7
        assert (ending.kind(), ending.kind()) == ("revoked", "")


def test_a_revoked_link_closes_its_streams_at_once(pair, table):
    link = pair.writes.make_link(table, "scorekeeper")
    with Stream(pair.streams, table, token=link["token"]) as holder, Stream(pair.streams, table) as anyone:
        assert holder.version() == anyone.version() == 0
        pair.writes.revoke(link, table)
        assert (holder.kind(), holder.kind()) == ("revoked", "")
        assert pair.writes.note(table) == anyone.version() == 1
    with Stream(pair.streams, table, token=link["token"]) as late:
        assert late.answer.status == 401
        assert json.load(late.answer)["code"] == "authentication-failed"


def test_making_a_table_private_ends_streams_without_a_link(pair, table):
    with Stream(pair.streams, table, token=table.token) as holder, Stream(pair.streams, table) as eve:
        assert holder.version() == eve.version() == 0
        change = urllib.request.Request(
            f"http://127.0.0.1:{pair.writes.port}/api/v1/tables/{table.code}/",
            data=b'{"private": true}',
            headers={"Authorization": f"Bearer {table.token}", "Content-Type": "application/json"},
            method="PATCH",
        )
        urllib.request.urlopen(change, timeout=60).close()
        assert (eve.kind(), eve.kind()) == ("revoked", "")
        assert pair.writes.note(table) == holder.version() == 1
    with Stream(pair.streams, table) as late:
        assert late.answer.status == 404


def test_an_unknown_code_is_not_found(pair):
    with Stream(pair.streams, UNKNOWN) as stream:
        assert stream.answer.status == 404
        assert stream.answer.headers["Content-Type"] == "application/problem+json"
        assert json.load(stream.answer)["detail"] == "There is no table with this code."


@pytest.mark.parametrize("token", ["x", "é", "x" * 5000])
def test_an_invalid_token_is_refused(pair, table, token):
    with Stream(pair.streams, table, token=token.encode().decode("latin-1")) as stream:
        assert stream.answer.status == 401
        assert stream.answer.headers["WWW-Authenticate"] == "Bearer"


def test_a_stream_accepts_only_reads(pair, table):
    with pytest.raises(urllib.error.HTTPError) as refused:
        urllib.request.urlopen(f"http://127.0.0.1:{pair.streams.port}{table.stream}", data=b"{}", timeout=60)
    with contextlib.closing(refused.value) as answer:
        assert answer.code == 405
        assert answer.headers["Allow"] == "GET, HEAD, OPTIONS"
        assert answer.headers["Content-Type"] == "application/problem+json"


# --- A group's stream: one for all tables of its evening


def test_the_group_stream_reports_every_table_of_the_evening(pair, group):
    with Stream(pair.streams, group, token=group.token) as stream:
        assert stream.answer.headers["Content-Type"] == "text/event-stream"
        seen = [stream.version()]
        tables = []
        for _ in range(2):
            tables.append(pair.writes.open_in(group))
            seen.append(stream.version())
        for table in reversed(tables):
            pair.writes.note(table)
            seen.append(stream.version())
        pair.writes.post(f"{group.path}people/", {"name": "Dee"}, group.token)
        seen.append(stream.version())
    assert len(set(seen)) == len(seen)
    with Stream(pair.streams, group, token=group.token) as again:
        assert again.version() == seen[-1]


def test_other_groups_and_tables_without_a_group_are_not_reported(pair, group):
    other, loose = pair.writes.make_group("Friday"), pair.writes.open_table()
    with Stream(pair.streams, group, token=group.token, patience=2) as stream:
        stream.version()
        pair.writes.note(loose)
        pair.writes.note(pair.writes.open_in(other))
        with pytest.raises(TimeoutError):
            stream.event()


def test_a_viewer_can_read_the_group_stream_until_the_link_is_turned_off(pair, group):
    viewer = pair.writes.make_link(group, "viewer")
    with (
        Stream(pair.streams, group, token=viewer["token"]) as watching,
        Stream(pair.streams, group, token=group.token) as member,
    ):
        assert watching.version() == member.version()
        pair.writes.revoke(viewer, group)
        assert [*iter(watching.kind, "")][-1] == "revoked"
        assert member.version()
    with Stream(pair.streams, group, token=viewer["token"]) as late:
        assert late.answer.status == 404


def test_only_a_link_to_the_group_opens_its_stream(pair, group):
    stranger = pair.writes.make_group("Friday")
    answers = []
    for token in ("", stranger.token, "wrong"):
        with Stream(pair.streams, group, token=token) as refused:
            answers.append((refused.answer.status, json.load(refused.answer)["code"]))
    assert answers == [(401, "not-authenticated"), (404, "no-such-group"), (404, "no-such-group")]
    with Stream(pair.streams, GroupLink("QQQQQQQQ", group.token), token=group.token) as unknown:
        assert unknown.answer.status == 404


def test_deleting_a_group_ends_its_streams(pair, group):
    with Stream(pair.streams, group, token=group.token) as stream:
        stream.version()
        assert pair.writes.delete(group.path, group.token) == 204
        assert [*iter(stream.kind, "")][-1] == "revoked"


def test_a_group_link_follows_a_private_table_until_revoked(pair, group):
    viewer, table = pair.writes.make_link(group, "viewer"), pair.writes.open_in(group, private=True)
    with Stream(pair.streams, table, token=viewer["token"]) as watching:
        assert watching.version() == 0
        assert pair.writes.note(table) == watching.version()
        pair.writes.revoke(viewer, group)
        assert watching.kind() == "revoked"


def test_turning_off_a_group_phone_ends_its_table_streams(pair, group):
    phone, table = pair.writes.make_link(group, "member"), pair.writes.open_in(group)
    assert pair.writes.note(TableLink(table.code, phone["token"])) == 1
    with (
        Stream(pair.streams, table, token=phone["token"]) as lost,
        Stream(pair.streams, table, token=table.token) as kept,
    ):
        assert (lost.version(), kept.version()) == (1, 1)
        pair.writes.revoke(phone, group)
        assert lost.kind() == "revoked"
        assert pair.writes.note(table) == kept.version()


def test_a_closed_stream_is_forgotten():
    due = []
    streams: Streams[GroupWatcher] = Streams(lambda: due.append(1), Reader().look_at_groups)
    with streams.watching(GroupWatcher(3, 7, 1)) as watcher:
        streams.doubt([3, 4])
        assert due == [1, 1]
        streams.end_by(7)
        assert watcher.revoked
    streams.doubt([3])
    assert due == [1, 1]
