"""Presence as reported by real servers: one on SQLite, two on PostgreSQL."""

import os
import signal

import pytest

from tests.scoring.conftest import two_servers
from tests.scoring.live.driving import Stream, serving

ASKING = "?presence=1"
QUICK = "tests.scoring.live.quick_settings"


@pytest.fixture(params=["sqlite", "postgresql"])
def quick(request, tmp_path):
    with two_servers(request, tmp_path, settings=QUICK) as servers:
        yield servers


@pytest.fixture
def table(pair):
    return pair.writes.open_table()


def link(server, table, role, seat=None):
    status, made = server.post(f"tables/{table.code}/links/", {"role": role, "seat": seat}, table.token)
    assert status == 201, made
    return made["token"], made["id"]


def company(*seats, scorekeepers=0, spectators=0, **more):
    return {"seats": list(seats), "scorekeepers": scorekeepers, "spectators": spectators, **more}


def test_arrivals_and_departures_are_reported(pair, table):
    ann, _ = link(pair.writes, table, "player", 0)
    with Stream(pair.writes, table, asking=ASKING) as eve:
        assert eve.version() == 0, "the version comes first"
        assert eve.company() == company(spectators=1)
        with Stream(pair.streams, table, token=ann, asking=ASKING) as phone:
            assert phone.version() == 0
            phone.wait_for_company(company(0, spectators=1))
            assert eve.company() == company(0, spectators=1)
        assert eve.company() == company(spectators=1)
    with Stream(pair.writes, table) as late:
        assert late.version() == 0, "presence leaves no trace in the record"


def test_a_quiet_client_gets_only_versions_and_is_counted(pair, table):
    with Stream(pair.writes, table) as plain, Stream(pair.writes, table, asking=ASKING) as eve:
        assert plain.version() == eve.version() == 0
        eve.wait_for_company(company(spectators=2))
        pair.writes.note(table)
        assert plain.version() == 1


def test_only_the_scorekeeper_sees_which_links_are_connected(pair, table):
    ann, number = link(pair.writes, table, "player", 0)
    dee, spectator = link(pair.writes, table, "spectator")
    with (
        Stream(pair.writes, table, token=dee, asking=ASKING) as looking,
        Stream(pair.writes, table, token=table.token, asking=ASKING) as keeping,
        Stream(pair.streams, table, token=ann, asking=ASKING) as playing,
    ):
        for stream in (looking, keeping, playing):
            assert stream.version() == 0
        all_of_them = company(0, scorekeepers=1, spectators=1)
        looking.wait_for_company(all_of_them)
        playing.wait_for_company(all_of_them)
        told = keeping.company()
        while told["seats"] != [0]:
            told = keeping.company()
        links = told.pop("links")
        assert told == all_of_them
        assert len(links) == 3
        assert {number, spectator} < set(links)


def test_a_revoked_link_is_no_longer_connected(pair, table):
    ann, number = link(pair.writes, table, "player", 0)
    with (
        Stream(pair.writes, table, asking=ASKING) as eve,
        Stream(pair.streams, table, token=ann, asking=ASKING) as phone,
    ):
        assert eve.version() == phone.version() == 0
        eve.wait_for_company(company(0, spectators=1))
        pair.writes.delete(f"tables/{table.code}/links/{number}/", table.token)
        eve.wait_for_company(company(spectators=1))


def test_keepalives_repeat_presence(tmp_path):
    with serving(tmp_path, settings=QUICK) as server, Stream(server, server.open_table(), asking=ASKING) as eve:
        assert eve.version() == 0
        assert [eve.company() for _ in range(3)] == [company(spectators=1)] * 3


def test_phones_of_a_killed_process_disappear(quick):
    first, second = quick[:2]
    table = second.open_table()
    ann, _ = link(second, table, "player", 0)
    with Stream(second, table, asking=ASKING) as eve, Stream(first, table, token=ann, asking=ASKING) as phone:
        assert eve.version() == phone.version() == 0
        eve.wait_for_company(company(0, spectators=1))
        os.killpg(first.process.pid, signal.SIGKILL)
        eve.wait_for_company(company(spectators=1))
