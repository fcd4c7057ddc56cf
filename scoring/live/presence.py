"""Telling the streams of a table who else is connected: soon, seldom, and never at the cost of a write."""

import asyncio
from collections.abc import Callable, Iterable
from typing import Protocol
from uuid import uuid4

from django.conf import settings

from scoring.live.attendance import Attendance, Company, Holder

HERE, WHO = "here", "who"
"""What processes say to each other: what streams a table has here, and: who else has some of this table?"""
SECONDS_TO_GATHER = 0.1
"""People who come together are told of together."""
SECONDS_TO_RETURN: float = getattr(settings, "LIVE_SECONDS_TO_RETURN", 1.5)
"""Who turns a page or loads it anew is back by then, and was never gone."""
SECONDS_BETWEEN = 1.0
"""A table hears no more often than this who is connected."""
SECONDS_TO_REPEAT: float = getattr(settings, "LIVE_SECONDS_TO_REPEAT", 10.0)
SECONDS_TO_HOLD = 2.5 * SECONDS_TO_REPEAT
"""How long a word of another process holds: one may be lost."""


class Guest(Protocol):
    """An open stream, as far as this goes."""

    table: int
    by: Holder | None

    def meet(self, company: Company) -> None:
        """Take notice of who is connected."""


class Presence:
    """Who is connected to the tables of this process's streams."""

    def __init__(self, *, guests: Callable[[int], Iterable[Guest]], send: Callable[[str], None]) -> None:
        self._guests = guests
        self._send = send
        self._loop = asyncio.get_running_loop()
        self._process = uuid4().hex[:12]
        self._attendance = Attendance()
        self._due: dict[int, asyncio.TimerHandle] = {}
        self._sent: dict[int, str] = {}
        self._shown: dict[int, tuple[Company, float]] = {}

    def come(self, guest: Guest) -> None:
        """Let a guest in: at once it is told who is there, and soon the others are told of it."""
        if self._attendance.come(guest.table, guest.by):
            self._send(f"{WHO} {self._process} {guest.table}")
        guest.meet(self._attendance.company(guest.table))
        self._stir(guest.table, SECONDS_TO_GATHER)

    def go(self, guest: Guest) -> None:
        """Take leave of a guest, who may be back in a moment."""
        self._attendance.go(guest.table, guest.by)
        self._stir(guest.table, SECONDS_TO_RETURN)

    def receive(self, kind: str, process: str, table: int, company: str = "") -> None:
        """Act on a word of another process; its own come back, too. Raises ``ValueError`` for nonsense."""
        if process == self._process:
            return
        if kind == WHO:
            if table in self._attendance.tables:
                self._repeat(table)
        elif self._attendance.receive(process, table, company, until=self._loop.time() + SECONDS_TO_HOLD):
            self._stir(table, SECONDS_TO_GATHER)

    def ask(self) -> None:
        """Ask the other processes for all they know: they may have spoken to deaf ears."""
        for table in self._attendance.tables:
            self._send(f"{WHO} {self._process} {table}")

    async def repeat(self) -> None:
        """After a while, say once more what is here, and forget what others no longer say."""
        await asyncio.sleep(SECONDS_TO_REPEAT)
        for table in self._attendance.tables:
            self._repeat(table)
        for table in self._attendance.forget(self._loop.time()):
            self._stir(table, 0)

    def _repeat(self, table: int) -> None:
        self._sent[table] = self._attendance.here(table)
        self._send(f"{HERE} {self._process} {table} {self._sent[table]}")

    def _stir(self, table: int, seconds: float) -> None:
        """Have a table told after so many seconds, or earlier if that is already to be."""
        last = self._shown[table][1] if table in self._shown else 0.0
        due = max(self._loop.time() + seconds, last + SECONDS_BETWEEN)
        planned = self._due.get(table)
        if planned is not None:
            if planned.when() <= due:
                return
            planned.cancel()
        self._due[table] = self._loop.call_at(due, self._update, table)

    def _update(self, table: int) -> None:
        """Tell guests and other processes what is new to them; often nothing is."""
        del self._due[table]
        if self._attendance.here(table) != self._sent.get(table, "[]"):
            self._repeat(table)
        if table not in self._attendance.tables:
            self._sent.pop(table, None)
            self._shown.pop(table, None)
            return
        company = self._attendance.company(table)
        if table in self._shown and self._shown[table][0] == company:
            return
        self._shown[table] = company, self._loop.time()
        for guest in self._guests(table):
            guest.meet(company)
