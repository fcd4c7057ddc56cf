"""A group's stream: one for all tables of its evening, from real servers."""

import json

import pytest

from scoring.tables.live.watchers import GroupWatcher, Streams
from tests.scoring.live.driving import GroupLink, Stream, TableLink


@pytest.fixture
def group(pair):
    return pair.writes.make_group()


def link_of(pair, group, role):
    status, made = pair.writes.post(f"{group.path}links/", {"role": role}, group.token)
    assert status == 201
    return made


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
    viewer = link_of(pair, group, "viewer")
    with (
        Stream(pair.streams, group, token=viewer["token"]) as watching,
        Stream(pair.streams, group, token=group.token) as member,
    ):
        assert watching.version() == member.version()
        assert pair.writes.delete(f"{group.path}links/{viewer['id']}/", group.token) == 204
        assert [event["event"] for event in iter(watching.event, None)][-1] == "revoked"
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


def test_deleting_a_group_ends_its_streams(pair):
    group = pair.writes.make_group()
    with Stream(pair.streams, group, token=group.token) as stream:
        stream.version()
        assert pair.writes.delete(group.path, group.token) == 204
        assert [event["event"] for event in iter(stream.event, None)][-1] == "revoked"


def test_a_group_link_follows_a_private_table_until_revoked(pair, group):
    viewer, table = link_of(pair, group, "viewer"), pair.writes.open_in(group, private=True)
    with Stream(pair.streams, table, token=viewer["token"]) as watching:
        assert watching.version() == 0
        assert pair.writes.note(table) == watching.version()
        assert pair.writes.delete(f"{group.path}links/{viewer['id']}/", group.token) == 204
        event = watching.event()
        assert event is not None
        assert event["event"] == "revoked"


def test_turning_off_a_group_phone_ends_its_table_streams(pair, group):
    phone, table = link_of(pair, group, "member"), pair.writes.open_in(group)
    assert pair.writes.note(TableLink(table.code, phone["token"])) == 1
    with (
        Stream(pair.streams, table, token=phone["token"]) as lost,
        Stream(pair.streams, table, token=table.token) as kept,
    ):
        assert (lost.version(), kept.version()) == (1, 1)
        assert pair.writes.delete(f"{group.path}links/{phone['id']}/", group.token) == 204
        event = lost.event()
        assert event is not None
        assert event["event"] == "revoked"
        assert pair.writes.note(table) == kept.version()


def test_a_closed_stream_is_forgotten():
    due = []
    streams: Streams[GroupWatcher] = Streams(lambda: due.append(1))
    with streams.watching(GroupWatcher(3, 7, 1)) as watcher:
        streams.doubt([3, 4])
        assert due == [1, 1]
        streams.end_by(7)
        assert watcher.revoked
    streams.doubt([3])
    assert due == [1, 1]
