"""Presence: who is connected to a table, per-process stream limits, and messages between processes."""

import asyncio
import json
import resource
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Protocol
from uuid import uuid4

from django.conf import settings

from scoring.models import Role

# --- Stream limits of a process, so that no client can use up all streams

# A process reserves capacity for other requests, in the server's backlog and among file descriptors.
MOST_STREAMS = min(8000, resource.getrlimit(resource.RLIMIT_NOFILE)[0] * 3 // 4)
SHARE_FOR_ALL = 0.75
"""Fraction of the streams open to everyone; the rest is reserved for addresses with few."""
FEW = 50
"""Streams of one address that count as few: a household or a table, with a spare page or two per phone."""


class Capacity:
    """Counts the open streams of this process by client address."""

    def __init__(self) -> None:
        self._by_address: Counter[str] = Counter()
        self._taken = 0

    def is_full(self) -> bool:
        return self._taken >= MOST_STREAMS

    def is_crowded_by(self, address: str) -> bool:
        """Return whether streams are scarce and this address has used its share."""
        return self._taken >= MOST_STREAMS * SHARE_FOR_ALL and self._by_address[address] >= FEW

    @contextmanager
    def place(self, address: str) -> Iterator[None]:
        self._taken += 1
        self._by_address[address] += 1
        try:
            yield
        finally:
            self._taken -= 1
            self._by_address[address] -= 1
            if not self._by_address[address]:
                del self._by_address[address]


# --- Presence: streams of this process, and those other processes report
# Nothing is stored. A report of another process expires and is repeated before it does, so a dead process is forgotten,
# and a lost report is made up for by the next one.


@dataclass(frozen=True, slots=True)
class Holder:
    """The link that a stream was opened with."""

    link: int
    role: str
    seat: int | None = None

    @property
    def keeps(self) -> bool:
        return self.role == Role.SCOREKEEPER


Streams = Counter[Holder | None]
"""Counts of open streams by holder; ``None``: opened by the code alone."""


@dataclass(frozen=True, slots=True)
class Company:
    """Who is connected, as JSON: for everyone, and for scorekeepers, who can revoke links."""

    public: bytes
    kept: bytes

    def seen_by(self, holder: Holder | None) -> bytes:
        return self.kept if holder is not None and holder.keeps else self.public


def company_of(streams: Streams) -> Company:
    """Describe who is connected: seats, and the numbers of scorekeepers and spectators.

    A player's or scorekeeper's link counts once; spectators may share a link or have none, so their streams are
    counted.
    """
    holders = [holder for holder in streams if holder is not None]
    public = {
        "seats": sorted({holder.seat for holder in holders if holder.seat is not None}),
        "scorekeepers": sum(holder.keeps for holder in holders),
        "spectators": sum(n for holder, n in streams.items() if holder is None or holder.role == Role.SPECTATOR),
    }
    kept = public | {"links": sorted(holder.link for holder in holders)}
    return Company(_compact(public), _compact(kept))


class Attendance:
    """The streams of each table, in this process and as reported by others."""

    def __init__(self) -> None:
        self._here: defaultdict[int, Streams] = defaultdict(Counter)
        self._elsewhere: defaultdict[int, dict[str, tuple[Streams, float]]] = defaultdict(dict)

    @property
    def tables(self) -> list[int]:
        return list(self._here)

    def come(self, table: int, holder: Holder | None) -> bool:
        """Count a stream opened in this process; return whether it is its table's first."""
        first = table not in self._here
        self._here[table][holder] += 1
        return first

    def go(self, table: int, holder: Holder | None) -> None:
        streams = self._here[table]
        streams[holder] -= 1
        if streams[holder] <= 0:
            del streams[holder]
        if not streams:
            # No stream is left here; the next one asks the other processes again.
            del self._here[table]
            self._elsewhere.pop(table, None)

    def receive(self, process: str, table: int, streams: str, *, until: float) -> bool:
        """Store another process's streams until they expire; return whether this process has streams of the table.

        Raises ``ValueError`` for an unreadable message.
        """
        if table not in self._here:
            return False
        known: Streams = Counter()
        for link, role, seat, number in json.loads(streams):
            known[None if link is None else Holder(int(link), str(role), seat)] += int(number)
        if known:
            self._elsewhere[table][process] = known, until
        else:
            self._elsewhere[table].pop(process, None)
        return True

    def forget(self, now: float) -> set[int]:
        """Drop expired reports of other processes; return the tables affected."""
        gone = set()
        for table, by_process in self._elsewhere.items():
            for process in [process for process, (_, until) in by_process.items() if until <= now]:
                del by_process[process]
                gone.add(table)
        return gone

    def here(self, table: int) -> str:
        streams = self._here.get(table, Counter())
        told = [[h.link, h.role, h.seat, n] if h else [None, "", None, n] for h, n in streams.items()]
        return _compact(told).decode()

    def company(self, table: int) -> Company:
        everywhere: Streams = Counter(self._here.get(table, Counter()))
        for streams, _ in self._elsewhere.get(table, {}).values():
            everywhere.update(streams)
        return company_of(everywhere)


def _compact(value: object) -> bytes:
    return json.dumps(value, separators=(",", ":")).encode()


# --- Announcing presence to a table's streams: soon, rate-limited, and never during a write

HERE, WHO = "here", "who"
"""Kinds of messages between processes: the streams of a table in one process, and a request for those in others."""
SECONDS_TO_GATHER = 0.1
"""Seconds during which arrivals are collected into one announcement."""
SECONDS_TO_RETURN: float = getattr(settings, "LIVE_SECONDS_TO_RETURN", 1.5)
"""Seconds before a closed stream is announced, so that a page can reload."""
SECONDS_BETWEEN = 1.0
"""Minimum seconds between presence messages of a table."""
SECONDS_TO_REPEAT: float = getattr(settings, "LIVE_SECONDS_TO_REPEAT", 10.0)
SECONDS_TO_HOLD = 2.5 * SECONDS_TO_REPEAT
"""Seconds until another process's report expires; long enough for one to get lost."""


class Guest(Protocol):
    """An open stream as presence sees it."""

    table: int
    by: Holder | None

    def meet(self, company: Company) -> None: ...


class Presence:
    """Tracks and announces presence at the tables with streams in this process."""

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
        """Add a stream; it gets the current presence at once, the others get it shortly after."""
        if self._attendance.come(guest.table, guest.by):
            self._send(f"{WHO} {self._process} {guest.table}")
        guest.meet(self._attendance.company(guest.table))
        self._stir(guest.table, SECONDS_TO_GATHER)

    def go(self, guest: Guest) -> None:
        self._attendance.go(guest.table, guest.by)
        self._stir(guest.table, SECONDS_TO_RETURN)

    def receive(self, kind: str, process: str, table: int, company: str = "") -> None:
        """Handle a process's message; own ones are ignored. Raises ``ValueError`` for an unreadable message."""
        if process == self._process:
            return
        if kind == WHO:
            if table in self._attendance.tables:
                self._repeat(table)
        elif self._attendance.receive(process, table, company, until=self._loop.time() + SECONDS_TO_HOLD):
            self._stir(table, SECONDS_TO_GATHER)

    def ask(self) -> None:
        """Ask all other processes for their streams, since earlier messages may have been missed."""
        for table in self._attendance.tables:
            self._send(f"{WHO} {self._process} {table}")

    async def repeat(self) -> None:
        """Periodically re-announce local streams and expire remote ones."""
        await asyncio.sleep(SECONDS_TO_REPEAT)
        for table in self._attendance.tables:
            self._repeat(table)
        for table in self._attendance.forget(self._loop.time()):
            self._stir(table, 0)

    def _repeat(self, table: int) -> None:
        self._sent[table] = self._attendance.here(table)
        self._send(f"{HERE} {self._process} {table} {self._sent[table]}")

    def _stir(self, table: int, seconds: float) -> None:
        last = self._shown[table][1] if table in self._shown else 0.0
        due = max(self._loop.time() + seconds, last + SECONDS_BETWEEN)
        planned = self._due.get(table)
        if planned is not None:
            if planned.when() <= due:
                return
            planned.cancel()
        self._due[table] = self._loop.call_at(due, self._update, table)

    def _update(self, table: int) -> None:
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
