"""The hub: a few tasks per process that wake all its open streams.

Streams have no queue. Each remembers the newest version it has sent and sends the next one when it can, so a slow or
dead reader costs nothing and delays no one.
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
from scoring.tables.acts import notifications, telling
from scoring.tables.live.attendance import HERE, WHO, Capacity, Holder, Presence
from scoring.tables.live.recorded import Cursor, Part, recorded_at, recorded_in
from scoring.tables.live.watchers import GroupWatcher, Reader, Streams, TableWatcher, Watcher
from scoring.tables.reads.state import RecentCache

# --- Listening to other processes: over a connection to PostgreSQL, outside every pool, or at a mailbox beside SQLite

# A connection that died without a word is noticed within half a minute; the hub's own looks bridge it.
KEEPALIVE = {"keepalives_idle": 10, "keepalives_interval": 5, "keepalives_count": 4, "connect_timeout": 10}
NOT_FOR_PSYCOPG = ("cursor_factory", "context", "prepare_threshold")


async def listen(*, opened: Callable[[], None], received: Callable[[str], None]) -> None:
    """Listen until the connection is lost; then raises ``psycopg.Error`` or ``OSError``.

    ``opened`` is called once no later message can be missed.
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


# These looks find what was said while nobody listened, or not said at all. On SQLite they cost a counter, and no table.
SECONDS_BETWEEN_LOOKS_SQLITE = 0.5
SECONDS_BETWEEN_LOOKS_POSTGRESQL = 5.0
SHORTEST_PAUSE, LONGEST_PAUSE = 0.1, 5.0
"""Seconds between two tries to reach a database that is away."""
MOST_PARTS = 64
"""Parts of logs that are kept for streams that come to them a little later than others."""

logger = logging.getLogger(__name__)


class Hub:
    """All open streams of this process and the tasks that wake them."""

    def __init__(self) -> None:
        self.reader = Reader()
        self.capacity = Capacity()
        self._loop = asyncio.get_running_loop()
        self._due = asyncio.Event()
        self.tables: Streams[TableWatcher] = Streams(self._due.set)
        self.groups: Streams[GroupWatcher] = Streams(self._due.set)
        self._parts: RecentCache[Hashable, asyncio.Task[Part[Any]]] = RecentCache(MOST_PARTS)
        self._tasks: list[asyncio.Task[None]] = []
        self._open = 0
        self._looked = self._loop.time()
        self.presence = Presence(guests=self.tables.of, send=telling.notify_others)

    def __len__(self) -> int:
        return self._open

    def alive(self) -> bool:
        """Return whether the hub's background tasks are running, or none is needed yet."""
        return not any(task.done() for task in self._tasks)

    def delay(self) -> float:
        """Return how many seconds the regular poll is overdue; 0 without open streams."""
        return max(0.0, self._loop.time() - self._looked - 2 * pace_of_looks()) if self._open else 0.0

    @contextmanager
    def watching(
        self,
        table: int,
        *,
        by: Holder | None,
        version: int,
        follows: bool = False,
        presence: bool = False,
        group_link: int | None = None,
    ) -> Iterator[TableWatcher]:
        """Watch a table from a version read before; later changes are found.

        ``follows``: also wake for recorded events; ``presence``: for connections. ``group_link`` opens a private table
        without an own link.
        """
        watcher = TableWatcher(table, by, version, follows=follows, presence=presence, group_link=group_link)
        with self._one_more(), self.groups.held(watcher, group_link), self.tables.watching(watcher):
            self.presence.come(watcher)
            try:
                yield watcher
            finally:
                self.presence.go(watcher)

    @contextmanager
    def watching_group(self, group: int, *, link: int, mark: int, follows: bool = False) -> Iterator[GroupWatcher]:
        """Watch a group by a link to it, from a mark that was read before."""
        with self._one_more(), self.groups.watching(GroupWatcher(group, link, mark, follows=follows)) as watcher:
            yield watcher

    async def recorded(self, watcher: Watcher, cursor: Cursor) -> Part[Cursor]:
        """Return what was recorded after a cursor, read once for all streams at the same place."""
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
            # Once it is there again the look into this doubt succeeds, and has the stream ask again.
            await asyncio.sleep(SHORTEST_PAUSE)
            (self.tables if isinstance(watcher, TableWatcher) else self.groups).doubt([watcher.subject])
            return Part(b"", cursor, more=False)

    async def _read(self, watcher: Watcher, cursor: Any) -> Part[Any]:
        """Read rows, then check the rights of those who wait for them."""
        subject = watcher.subject
        if isinstance(watcher, TableWatcher):
            part: Part[Any] = await self.reader.run(partial(recorded_at, subject, cursor))
            if part.messages:
                watchers = self.tables.of(subject)
                links = {each.link for each in watchers if each.link is not None}
                group_links = {each.group_link for each in watchers if each.group_link is not None}
                await self.tables.check(self.reader.look, {subject}, links)
                await self.groups.check(self.reader.look_at_groups, (), group_links)
            return part
        part = await self.reader.run(partial(recorded_in, subject, cursor))
        if part.messages:
            links = {each.link for each in self.groups.of(subject) if each.link is not None}
            await self.groups.check(self.reader.look_at_groups, (), links)
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
        """Handle a notification from this or another process. Must be called in the loop."""
        match word.split():
            case [notifications.VERSION, table, version]:
                for watcher in self.tables.of(int(table)):
                    watcher.notice(int(version))
            case [notifications.REVOKED, link]:
                self.tables.end_by(int(link))
            case [notifications.PRIVATE, table]:
                self.tables.end_without_link(int(table))
            case [notifications.NEXT, table]:
                for watcher in self.tables.of(int(table)):
                    watcher.move_on()
            case [notifications.GROUP, group]:
                self.groups.doubt([int(group)])
            case [notifications.GROUP_REVOKED, link]:
                self.groups.end_by(int(link))
            case [kind, process, table, *company] if kind in (HERE, WHO):
                try:
                    self.presence.receive(kind, process, int(table), *company)
                except ValueError:  # another release may say it otherwise
                    logger.warning("Not understood: %r", word)
            case _:
                logger.warning("Not understood: %r", word)

    def end_streams(self) -> None:
        """End every stream at shutdown; clients reconnect to another process."""
        self.tables.end_all()
        self.groups.end_all()

    # --- What wakes it ---------------------------------------------------------------------------------------------

    def _start(self) -> None:
        if self._tasks:
            return
        notifications.notified.connect(self._receive_soon, weak=False)
        work: list[Callable[[], Awaitable[None]]] = [self._look, self._listen, self.presence.repeat]
        # An empty context: what belongs to the request that happens to be the first must not live on in here.
        self._tasks = [
            asyncio.create_task(_for_ever(each), context=contextvars.Context(), name=f"live {each.__name__}")
            for each in work
        ]

    def _receive_soon(self, *, word: str, **_: object) -> None:
        try:
            self._loop.call_soon_threadsafe(self.receive, word)
        except RuntimeError:  # the loop is closed: this hub is of the past
            notifications.notified.disconnect(self._receive_soon)

    async def _listen(self) -> None:
        def catch_up() -> None:
            self.tables.doubt()
            self.groups.doubt()
            self.presence.ask()

        await listen(opened=catch_up, received=self.receive)

    async def _look(self) -> None:
        everywhere = not await self._wait_until_due()
        if not everywhere or connection.vendor != "sqlite" or await self.reader.was_written():
            groups = self.groups.look(self.reader.look_at_groups, everywhere=everywhere)
            tables = self.tables.look(self.reader.look, everywhere=everywhere)
            await asyncio.gather(groups, tables)  # should one fail, the other is not put off
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
        except Exception as problem:  # whatever it is, streams go on
            if asyncio.get_running_loop().time() - began > LONGEST_PAUSE:
                pause = SHORTEST_PAUSE
            if not isinstance(problem, DjangoDatabaseError | PsycopgError | OSError):
                logger.exception("Streams are not woken.")
            elif pause == SHORTEST_PAUSE:
                logger.warning("The database is away; streams wait for it: %s", str(problem).strip())
        else:
            pause = SHORTEST_PAUSE
            continue
        await asyncio.sleep(pause * random.uniform(0.75, 1.25))
        pause = min(2 * pause, LONGEST_PAUSE)


_hubs: dict[asyncio.AbstractEventLoop, Hub] = {}


def current_hub() -> Hub:
    """Return the hub of the running loop: a process that serves has one of each."""
    loop = asyncio.get_running_loop()
    if loop not in _hubs:
        for past in [other for other in _hubs if other.is_closed()]:
            del _hubs[past]
        _hubs[loop] = Hub()
    return _hubs[loop]
