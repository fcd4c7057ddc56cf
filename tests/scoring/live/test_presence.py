"""When presence is announced: soon, at most so often, and across processes."""

import asyncio
import json

import pytest

from scoring.tables.live import attendance as presence_module
from scoring.tables.live.attendance import Holder, Presence
from tests.clock import by_the_clock

ANN, BOB = Holder(11, "player", 0), Holder(12, "player", 1)


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
        """Stop without a message."""
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


def run(story, processes=1):
    async def main():
        together: list[Process] = []
        await story(*(Process(together) for _ in range(processes)))

    by_the_clock(main())


def test_spectators_see_who_connects_and_disconnects():
    async def story(process):
        eve = process.come(Guest())
        assert eve.told == [{"seats": [], "scorekeepers": 0, "spectators": 1}]
        ann = process.come(Guest(ANN))
        assert ann.seats == [0], "who comes is told at once"
        await until(lambda: eve.seats == [0])
        process.go(ann)
        await until(lambda: eve.seats == [])

    run(story)


def test_reloading_the_page_does_not_count_as_leaving():
    async def story(process):
        eve, ann = process.come(Guest()), process.come(Guest(ANN))
        await until(lambda: eve.seats == [0])
        before = len(eve.told)
        process.go(ann)
        process.come(Guest(ANN))
        await asyncio.sleep(0.3)
        assert len(eve.told) == before

    run(story)


def test_simultaneous_arrivals_are_batched():
    async def story(process):
        eve = process.come(Guest())
        process.come(*(Guest() for _ in range(500)))
        await until(lambda: eve.spectators == 501)
        assert len(eve.told) <= 3

    run(story)


def test_notifications_per_table_are_throttled(monkeypatch):
    monkeypatch.setattr(presence_module, "SECONDS_BETWEEN", 30.0)

    async def story(process):
        eve = process.come(Guest())
        await asyncio.sleep(0.05)
        for _ in range(5):
            process.come(Guest())
            await asyncio.sleep(0.02)
        assert len(eve.told) <= 2

    run(story)


def test_tables_do_not_receive_each_others_events():
    async def story(process):
        eve = process.come(Guest(table=2))
        process.come(Guest(ANN, table=1))
        await asyncio.sleep(0.1)
        assert eve.seats == []

    run(story)


def test_messages_of_another_process_arrive_in_either_start_order():
    async def story(first, second):
        ann = first.come(Guest(ANN))
        await asyncio.sleep(0.05)
        bob = second.come(Guest(BOB))
        await until(lambda: ann.seats == bob.seats == [0, 1])
        second.go(bob)
        await until(lambda: ann.seats == [0])

    run(story, 2)


def test_a_dead_process_is_forgotten_after_a_while():
    async def story(first, second):
        ann, bob = first.come(Guest(ANN)), second.come(Guest(BOB))
        await until(lambda: ann.seats == bob.seats == [0, 1])
        second.die()
        await until(lambda: ann.seats == [0])

    run(story, 2)


def test_repeated_messages_keep_presence_and_notify_no_one():
    async def story(first, second):
        ann = first.come(Guest(ANN))
        second.come(Guest(BOB))
        await until(lambda: ann.seats == [0, 1])
        before = len(ann.told)
        await asyncio.sleep(1)
        assert len(ann.told) == before

    run(story, 2)


def test_a_process_that_missed_messages_catches_up():
    async def story(first, second):
        ann = first.come(Guest(ANN))
        first.deaf = True
        second.come(Guest(BOB))
        await asyncio.sleep(0.05)
        assert ann.seats == [0]
        first.deaf = False
        first.presence.ask()
        await until(lambda: ann.seats == [0, 1])

    run(story, 2)


def test_an_unwatched_table_is_not_cached():
    async def story(process):
        process.go(process.come(Guest(ANN)))
        await until(lambda: not process.presence._due)
        assert process.presence._sent == process.presence._shown == {}

    run(story)
