"""Presence: how streams are counted, when that is announced, and what real servers report."""

import asyncio
import json
import os
import signal
from collections import Counter

import pytest

from scoring.tables.live import attendance as presence_module
from scoring.tables.live.attendance import Attendance, Holder, Presence, company_of
from tests.scoring.conftest import two_servers
from tests.scoring.live.driving import Stream, serving

# --- How streams are counted, what is said about them, and to whom

ANN, BOB = Holder(11, "player", 0), Holder(12, "player", 1)
KEEPER, SECOND = Holder(7, "scorekeeper"), Holder(8, "scorekeeper")
DEE = Holder(20, "spectator")


def company(*seats, scorekeepers=0, spectators=0):
    """Return the list of connected people, as sent to everyone."""
    return {"seats": list(seats), "scorekeepers": scorekeepers, "spectators": spectators}


COUNTED: dict[str, tuple[list[Holder | None], dict]] = {
    "some of each role": ([ANN, KEEPER, DEE, None], company(0, scorekeepers=1, spectators=2)),
    "no one": ([], company()),
    "seats": ([BOB, ANN], company(0, 1)),
    "one phone with two tabs": ([ANN, ANN, Holder(99, "player", 0)], company(0)),
    "two scorekeepers": ([KEEPER, KEEPER, SECOND], company(scorekeepers=2)),
    "spectators share a link, or have none": ([None, None, DEE, DEE], company(spectators=4)),
}


@pytest.mark.parametrize(("streams", "told"), COUNTED.values(), ids=COUNTED)
def test_link_holders_are_counted_once_and_spectators_each(streams, told):
    assert json.loads(company_of(Counter(streams)).seen_by(None)) == told


@pytest.mark.parametrize("holder", [None, ANN, DEE])
def test_only_the_scorekeeper_sees_links(holder):
    company = company_of(Counter([ANN, KEEPER, DEE, None]))
    assert set(json.loads(company.seen_by(holder))) == {"seats", "scorekeepers", "spectators"}
    assert json.loads(company.seen_by(KEEPER))["links"] == [7, 11, 20]


def here(*holders):
    attendance = Attendance()
    for holder in holders:
        attendance.come(1, holder)
    return attendance


def test_messages_between_processes_round_trip():
    first, second = here(ANN, DEE, None, None), here(BOB, None)
    assert second.receive("first", 1, first.here(1), until=9.0)
    assert json.loads(second.company(1).public) == company(0, 1, spectators=4)
    assert json.loads(second.company(1).kept)["links"] == [11, 12, 20]


def test_the_newest_message_of_a_process_wins():
    attendance = here(None)
    for message, seats in ((here(ANN, BOB).here(1), [0, 1]), (here(BOB).here(1), [1]), ("[]", [])):
        attendance.receive("other", 1, message, until=9.0)
        assert json.loads(attendance.company(1).public)["seats"] == seats


def test_a_silent_process_is_forgotten():
    attendance = here(None)
    attendance.receive("other", 1, here(ANN).here(1), until=9.0)
    assert attendance.forget(8.9) == set()
    assert attendance.forget(9.0) == {1}
    assert json.loads(attendance.company(1).public)["seats"] == []


def test_unwatched_tables_are_dropped_from_memory():
    attendance = here(ANN)
    assert not attendance.receive("other", 2, here(ANN).here(1), until=9.0)
    attendance.receive("other", 1, here(BOB).here(1), until=9.0)
    attendance.go(1, ANN)
    assert attendance.tables == []
    assert attendance.forget(99.0) == set()
    assert attendance.here(1) == "[]"


def test_the_first_stream_of_a_table_is_recognized():
    attendance = Attendance()
    assert [attendance.come(1, ANN), attendance.come(1, BOB), attendance.come(2, ANN)] == [True, False, True]


@pytest.mark.parametrize("told", ["", "x", "[[1]]", "{", '[["x","player",0,1]]'])
def test_an_invalid_message_is_rejected(told):
    attendance = here(ANN)
    with pytest.raises(ValueError, match=r"."):
        attendance.receive("other", 1, told, until=9.0)


def test_a_hundred_links_fit_into_one_message():
    crowd = [Holder(9_000_000_000_000 + n, "scorekeeper") for n in range(100)]
    assert len(here(*crowd, None).here(1)) < 7500


# --- When presence is announced: soon, at most so often, and across processes


class Guest:
    """A stream that keeps what it is told."""

    def __init__(self, by=None, table=1):
        self.by = by
        self.table = table
        self.told = []

    def meet(self, company):
        self.told.append(json.loads(company.seen_by(self.by)))

    @property
    def seats(self):
        return self.told[-1]["seats"] if self.told else None

    @property
    def spectators(self):
        return self.told[-1]["spectators"] if self.told else None


class Process:
    """A process with streams; its messages reach all others."""

    def __init__(self, all_of_them):
        self.guests: list[Guest] = []
        self.all = all_of_them
        self.deaf = False
        all_of_them.append(self)
        self.presence = Presence(guests=lambda table: [g for g in self.guests if g.table == table], send=self.say)
        self.repeating = asyncio.create_task(self.repeat())

    def say(self, word):
        for process in self.all:
            if not process.deaf:
                kind, name, table, *told = word.split()
                process.presence.receive(kind, name, int(table), *told)

    async def repeat(self):
        while True:
            await self.presence.repeat()

    def come(self, *guests):
        for guest in guests:
            self.guests.append(guest)
            self.presence.come(guest)
        return guests[0]

    def go(self, guest):
        self.guests.remove(guest)
        self.presence.go(guest)

    def die(self):
        self.all.remove(self)
        self.repeating.cancel()


@pytest.fixture(autouse=True)
def quick(monkeypatch):
    for name, seconds in (("TO_GATHER", 0.01), ("TO_RETURN", 0.1), ("BETWEEN", 0.05), ("TO_REPEAT", 0.1)):
        monkeypatch.setattr(presence_module, f"SECONDS_{name}", seconds)
    monkeypatch.setattr(presence_module, "SECONDS_TO_HOLD", 0.4)


async def until(condition):
    async with asyncio.timeout(5):
        while not condition():
            await asyncio.sleep(0.005)


def processes(count):
    together: list[Process] = []
    return [Process(together) for _ in range(count)]


async def test_spectators_see_who_connects_and_disconnects():
    (process,) = processes(1)
    eve = process.come(Guest())
    assert eve.told == [company(spectators=1)]
    ann = process.come(Guest(ANN))
    assert ann.seats == [0], "an arrival is announced at once"
    await until(lambda: eve.seats == [0])
    process.go(ann)
    await until(lambda: eve.seats == [])


async def test_reloading_the_page_does_not_count_as_leaving():
    (process,) = processes(1)
    eve, ann = process.come(Guest()), process.come(Guest(ANN))
    await until(lambda: eve.seats == [0])
    before = len(eve.told)
    process.go(ann)
    process.come(Guest(ANN))
    await asyncio.sleep(0.3)
    assert len(eve.told) == before


async def test_simultaneous_arrivals_are_batched():
    (process,) = processes(1)
    eve = process.come(Guest())
    process.come(*(Guest() for _ in range(500)))
    await until(lambda: eve.spectators == 501)
    assert len(eve.told) <= 3


async def test_notifications_per_table_are_throttled(monkeypatch):
    monkeypatch.setattr(presence_module, "SECONDS_BETWEEN", 30.0)

    (process,) = processes(1)
    eve = process.come(Guest())
    await asyncio.sleep(0.05)
    for _ in range(5):
        process.come(Guest())
        await asyncio.sleep(0.02)
    assert len(eve.told) <= 2


async def test_tables_do_not_receive_each_others_events():
    (process,) = processes(1)
    eve = process.come(Guest(table=2))
    process.come(Guest(ANN, table=1))
    await asyncio.sleep(0.1)
    assert eve.seats == []


async def test_messages_of_another_process_arrive_in_either_start_order():
    first, second = processes(2)
    ann = first.come(Guest(ANN))
    await asyncio.sleep(0.05)
    bob = second.come(Guest(BOB))
    await until(lambda: ann.seats == bob.seats == [0, 1])
    second.go(bob)
    await until(lambda: ann.seats == [0])


async def test_a_dead_process_is_forgotten_after_a_while():
    first, second = processes(2)
    ann, bob = first.come(Guest(ANN)), second.come(Guest(BOB))
    await until(lambda: ann.seats == bob.seats == [0, 1])
    second.die()
    await until(lambda: ann.seats == [0])


async def test_repeated_messages_keep_presence_and_notify_no_one():
    first, second = processes(2)
    ann = first.come(Guest(ANN))
    second.come(Guest(BOB))
    await until(lambda: ann.seats == [0, 1])
    before = len(ann.told)
    await asyncio.sleep(1)
    assert len(ann.told) == before


async def test_a_process_that_missed_messages_catches_up():
    first, second = processes(2)
    ann = first.come(Guest(ANN))
    first.deaf = True
    second.come(Guest(BOB))
    await asyncio.sleep(0.05)
    assert ann.seats == [0]
    first.deaf = False
    first.presence.ask()
    await until(lambda: ann.seats == [0, 1])


async def test_an_unwatched_table_is_not_cached():
    (process,) = processes(1)
    process.go(process.come(Guest(ANN)))
    await until(lambda: not process.presence._due)
    assert process.presence._sent == process.presence._shown == {}


# --- As reported by real servers: one on SQLite, two on PostgreSQL

ASKING = "?presence=1"
QUICK = "tests.scoring.live.quick_settings"


@pytest.fixture(params=["sqlite", "postgresql"])
def quick_pair(request, tmp_path):
    with two_servers(request, tmp_path, settings=QUICK) as servers:
        yield servers


def test_arrivals_and_departures_are_reported(pair, table):
    ann = pair.writes.make_link(table, "player", seat=0)
    with Stream(pair.writes, table, asking=ASKING) as eve:
        assert eve.version() == 0, "the version comes first"
        assert eve.company() == company(spectators=1)
        with Stream(pair.streams, table, token=ann["token"], asking=ASKING) as phone:
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
    ann, dee = pair.writes.make_link(table, "player", seat=0), pair.writes.make_link(table, "spectator")
    with (
        Stream(pair.writes, table, token=dee["token"], asking=ASKING) as looking,
        Stream(pair.writes, table, token=table.token, asking=ASKING) as keeping,
        Stream(pair.streams, table, token=ann["token"], asking=ASKING) as playing,
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
        assert {ann["id"], dee["id"]} < set(links)


def test_a_revoked_link_is_no_longer_connected(pair, table):
    ann = pair.writes.make_link(table, "player", seat=0)
    with (
        Stream(pair.writes, table, asking=ASKING) as eve,
        Stream(pair.streams, table, token=ann["token"], asking=ASKING) as phone,
    ):
        assert eve.version() == phone.version() == 0
        eve.wait_for_company(company(0, spectators=1))
        pair.writes.revoke(ann, table)
        eve.wait_for_company(company(spectators=1))


def test_keepalives_repeat_presence(tmp_path):
    with serving(tmp_path, settings=QUICK) as server, Stream(server, server.open_table(), asking=ASKING) as eve:
        assert eve.version() == 0
        assert [eve.company() for _ in range(3)] == [company(spectators=1)] * 3


def test_phones_of_a_killed_process_disappear(quick_pair):
    first, second = quick_pair[:2]
    table = second.open_table()
    ann = second.make_link(table, "player", seat=0)
    with Stream(second, table, asking=ASKING) as eve, Stream(first, table, token=ann["token"], asking=ASKING) as phone:
        assert eve.version() == phone.version() == 0
        eve.wait_for_company(company(0, spectators=1))
        os.killpg(first.process.pid, signal.SIGKILL)
        eve.wait_for_company(company(spectators=1))
