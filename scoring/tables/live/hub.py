"""The hub: a few tasks per process that wake all its open streams.

Streams have no queue. Each remembers the newest version it has sent and sends the next one when it can, so a slow or
dead client costs nothing and delays no one.
"""

import asyncio
import contextvars
import logging
import random
from collections.abc import Awaitable, Callable, Hashable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

from django.db import Error as DjangoDatabaseError
from django.db import connection
from psycopg import AsyncConnection, sql
from psycopg import Error as PsycopgError

from scoring.operating.acts.database import is_away
from scoring.tables.acts import holding, telling
from scoring.tables.live.attendance import HERE, WHO, Capacity, Presence
from scoring.tables.live.recorded import Cursor, Part, recorded_at, recorded_in
from scoring.tables.live.watchers import GroupWatcher, Reader, Streams, TableWatcher, Watcher
from scoring.tables.reads.state import RecentCache

# --- Listening to other processes: a PostgreSQL connection outside every pool, or a named pipe beside SQLite

# A dead connection is noticed within half a minute; until then, polling finds changes.
KEEPALIVE = {"keepalives_idle": 10, "keepalives_interval": 5, "keepalives_count": 4, "connect_timeout": 10}
NOT_FOR_PSYCOPG = ("cursor_factory", "context", "prepare_threshold")


async def listen(*, opened: Callable[[], None], received: Callable[[str], None]) -> None:
    """Listen for notifications until the connection is lost, which raises ``psycopg.Error`` or ``OSError``.

    ``opened`` is called once no later notification can be missed.
    """
    if connection.vendor != "postgresql":
        reader = asyncio.StreamReader()
        with telling.mailbox() as box:
            await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), box)
            opened()
            async for line in reader:
                received(line.decode().rstrip("\n"))
        return
    reach = connection.get_connection_params()
    own = {name: value for name, value in reach.items() if name not in NOT_FOR_PSYCOPG}
    async with await AsyncConnection.connect(autocommit=True, **(KEEPALIVE | own)) as listener:
        await listener.execute(sql.SQL("LISTEN {}").format(sql.Identifier(telling.CHANNEL)))
        opened()
        async for word in listener.notifies():
            received(word.payload)


# Polling finds changes whose notification was missed or never sent. On SQLite it reads a counter, and no table.
SECONDS_BETWEEN_LOOKS_SQLITE = 0.5
SECONDS_BETWEEN_LOOKS_POSTGRESQL = 5.0
SHORTEST_PAUSE, LONGEST_PAUSE = 0.1, 5.0
"""Shortest and longest pause, in seconds, between attempts to reconnect to the database."""
MOST_PARTS = 64
"""Number of log parts cached for streams that read the same rows a little later."""

logger = logging.getLogger(__name__)


class Hub:
    """The open streams of this process, and the tasks that wake them."""

    def __init__(self, reader: Reader | None = None) -> None:
        self.reader = reader or Reader()
        self.capacity = Capacity()
        self._loop = asyncio.get_running_loop()
        self._due = asyncio.Event()
        self.tables: Streams[TableWatcher] = Streams(self._due.set, self.reader.look)
        self.groups: Streams[GroupWatcher] = Streams(self._due.set, self.reader.look_at_groups)
        self._parts: RecentCache[Hashable, asyncio.Task[Part[Any]]] = RecentCache(MOST_PARTS)
        self._tasks: list[asyncio.Task[None]] = []
        self._open = 0
        self._looked = self._loop.time()
        self.presence = Presence(guests=self.tables.of, send=telling.notify_others)

    def __len__(self) -> int:
        return self._open

    def alive(self) -> bool:
        """Return whether no background task has ended; also true before they start."""
        return not any(task.done() for task in self._tasks)

    def delay(self) -> float:
        """Return by how many seconds the regular poll is overdue; 0 without open streams."""
        return max(0.0, self._loop.time() - self._looked - 2 * pace_of_looks()) if self._open else 0.0

    @contextmanager
    def watching(self, watcher: TableWatcher) -> Iterator[TableWatcher]:
        """Watch a table for versions after the watcher's, including those written in the meantime."""
        with self._one_more(), self.groups.held(watcher, watcher.group_link), self.tables.watching(watcher):
            self.presence.come(watcher)
            try:
                yield watcher
            finally:
                self.presence.go(watcher)

    @contextmanager
    def watching_group(self, watcher: GroupWatcher) -> Iterator[GroupWatcher]:
        """Watch a group for changes after the watcher's mark."""
        with self._one_more(), self.groups.watching(watcher):
            yield watcher

    async def recorded(self, watcher: Watcher, cursor: Cursor) -> Part[Cursor]:
        """Return what was recorded after a cursor, read once for all streams at the same position."""
        key = (type(watcher), watcher.subject, watcher.version, watcher.turn, cursor)
        reading = self._parts.get(key)
        if reading is None:
            work = self._read(watcher, cursor)
            reading = asyncio.create_task(work, context=contextvars.Context(), name="live recorded")
            self._parts.put(key, reading)
        try:
            return await asyncio.shield(reading)
        except Exception as why:
            self._parts.drop(key)
            if not is_away(why):
                raise
            # Once the database is back, the check of this dirty subject succeeds and the stream asks again.
            await asyncio.sleep(SHORTEST_PAUSE)
            (self.tables if isinstance(watcher, TableWatcher) else self.groups).doubt([watcher.subject])
            return Part(b"", cursor, more=False)

    async def _read(self, watcher: Watcher, cursor: Any) -> Part[Any]:
        """Read log rows, then revalidate the links of the streams that wait for them."""
        subject = watcher.subject
        if isinstance(watcher, TableWatcher):
            part: Part[Any] = await self.reader.run(partial(recorded_at, subject, cursor))
            if part.messages:
                watchers = self.tables.of(subject)
                links = {each.link for each in watchers if each.link is not None}
                group_links = {each.group_link for each in watchers if each.group_link is not None}
                await self.tables.check({subject}, links)
                await self.groups.check((), group_links)
            return part
        part = await self.reader.run(partial(recorded_in, subject, cursor))
        if part.messages:
            links = {each.link for each in self.groups.of(subject) if each.link is not None}
            await self.groups.check((), links)
        return part

    @contextmanager
    def _one_more(self) -> Iterator[None]:
        self._start()
        if not self._open:
            self._looked = self._loop.time()
        self._open += 1
        try:
            yield
        finally:
            self._open -= 1

    def receive(self, word: str) -> None:
        """Handle a notification from this or another process. Must be called in the event loop."""
        match word.split():
            case [holding.VERSION, table, version]:
                for watcher in self.tables.of(int(table)):
                    watcher.notice(int(version))
            case [holding.REVOKED, link]:
                self.tables.end_by(int(link))
            case [holding.PRIVATE, table]:
                self.tables.end_without_link(int(table))
            case [holding.NEXT, table]:
                for watcher in self.tables.of(int(table)):
                    watcher.move_on()
            case [holding.GROUP, group]:
                self.groups.doubt([int(group)])
            case [holding.GROUP_REVOKED, link]:
                self.groups.end_by(int(link))
            case [kind, process, table, *company] if kind in (HERE, WHO):
                try:
                    self.presence.receive(kind, process, int(table), *company)
                except ValueError:  # another release may use another format
                    logger.warning("Ignored an unreadable notification: %r", word)
            case _:
                logger.warning("Ignored an unreadable notification: %r", word)

    def end_streams(self) -> None:
        """End every stream at shutdown; clients reconnect to another process."""
        self.tables.end_all()
        self.groups.end_all()

    # --- Tasks --------------------------------------------------------------------------------------------------------

    def _start(self) -> None:
        if self._tasks:
            return
        holding.notified.connect(self._receive_soon, weak=False)
        work: list[Callable[[], Awaitable[None]]] = [self._look, self._listen, self.presence.repeat]
        # An empty context: the tasks must not inherit that of the request that happens to come first.
        self._tasks = [
            asyncio.create_task(_for_ever(each), context=contextvars.Context(), name=f"live {each.__name__}")
            for each in work
        ]

    def _receive_soon(self, *, word: str, **_: object) -> None:
        try:
            self._loop.call_soon_threadsafe(self.receive, word)
        except RuntimeError:  # the loop is closed, and this hub obsolete
            holding.notified.disconnect(self._receive_soon)

    async def _listen(self) -> None:
        def catch_up() -> None:
            self.tables.doubt()
            self.groups.doubt()
            self.presence.ask()

        await listen(opened=catch_up, received=self.receive)

    async def _look(self) -> None:
        everywhere = not await self._wait_until_due()
        if not everywhere or connection.vendor != "sqlite" or await self.reader.was_written():
            # If one fails, the other still runs.
            await asyncio.gather(self.groups.look(everywhere=everywhere), self.tables.look(everywhere=everywhere))
        self._looked = self._loop.time()

    async def _wait_until_due(self) -> bool:
        try:
            async with asyncio.timeout(pace_of_looks() if self._open else None):
                await self._due.wait()
        except TimeoutError:
            return False
        self._due.clear()
        return True


def pace_of_looks() -> float:
    return SECONDS_BETWEEN_LOOKS_SQLITE if connection.vendor == "sqlite" else SECONDS_BETWEEN_LOOKS_POSTGRESQL


async def _for_ever(work: Callable[[], Awaitable[None]]) -> None:
    pause = SHORTEST_PAUSE
    while True:
        began = asyncio.get_running_loop().time()
        try:
            await work()
        except Exception as problem:  # any error: streams must go on
            if asyncio.get_running_loop().time() - began > LONGEST_PAUSE:
                pause = SHORTEST_PAUSE
            if not isinstance(problem, DjangoDatabaseError | PsycopgError | OSError):
                logger.exception("A stream task failed and will be restarted.")
            elif pause == SHORTEST_PAUSE:
                logger.warning(
                    "The database is unreachable; streams will resume when it is back: %s", str(problem).strip()
                )
        else:
            pause = SHORTEST_PAUSE
            continue
        await asyncio.sleep(pause * random.uniform(0.75, 1.25))
        pause = min(2 * pause, LONGEST_PAUSE)


_hubs: dict[asyncio.AbstractEventLoop, Hub] = {}


def current_hub() -> Hub:
    """Return the hub of the running event loop, one per serving process."""
    loop = asyncio.get_running_loop()
    if loop not in _hubs:
        for past in [other for other in _hubs if other.is_closed()]:
            del _hubs[past]
        _hubs[loop] = Hub()
    return _hubs[loop]
