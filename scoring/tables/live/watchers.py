"""Open streams of tables and groups, as what wakes them knows them, and what is read from the database for them."""

import asyncio
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from typing import TypeVar

from django.db import close_old_connections, connection

from scoring.groups.reads.evenings import group_marks
from scoring.models import GroupLink, Link, Table
from scoring.tables.live.attendance import Company, Holder

# --- Open streams, as what wakes them knows them: what each watches, by which right, and how far it knows it


class Watcher:
    """An open stream, and the newest that it knows of; ``moves_on``: its reader is to hear of a next table."""

    __slots__ = ("_news", "ended", "moves_on", "revoked", "version")

    company: Company | None = None

    def __init__(self, version: int) -> None:
        self.version = version
        self.ended = self.revoked = False
        self.moves_on = False
        self._news = asyncio.Event()

    def wake(self) -> None:
        """Have the stream look at what is new."""
        self._news.set()

    def end(self, *, revoked: bool = True) -> None:
        """End the stream: the right to it is gone, or else its reader may come again."""
        self.ended, self.revoked = True, revoked
        self.wake()

    async def news(self, seconds: float) -> bool:
        """Wait until there is something new, at most so long; return whether there is."""
        try:
            async with asyncio.timeout(seconds):
                await self._news.wait()
        except TimeoutError:
            return False
        self._news.clear()
        return True


class TableWatcher(Watcher):
    """The stream of a table: by whose link, and who else is connected, where the reader has ``presence`` for it.

    ``group_link`` is the link to its group by which somebody watches a private table without one of its own.
    """

    __slots__ = ("by", "company", "group_link", "presence", "table")

    def __init__(
        self, table: int, by: Holder | None, version: int, *, presence: bool = False, group_link: int | None = None
    ) -> None:
        super().__init__(version)
        self.table = table
        self.by = by
        self.presence = presence
        self.group_link = group_link
        self.company: Company | None = None

    @property
    def link(self) -> int | None:
        """Return the id of the link by which it watches; ``None`` for whoever only has the code."""
        return None if self.by is None else self.by.link

    @property
    def by_code(self) -> bool:
        """Return whether nothing but the code opened it."""
        return self.by is None and self.group_link is None

    def notice(self, version: int) -> None:
        """Take notice of a version; an older one is no news."""
        if version > self.version:
            self.version = version
            self.wake()

    def move_on(self) -> None:
        """Take notice that there is a next table."""
        self.moves_on = True
        self.wake()

    def meet(self, company: Company) -> None:
        """Take notice of who is connected."""
        if self.presence and company != self.company:
            self.company = company
            self.wake()


class GroupWatcher(Watcher):
    """The stream of a group, by a link to it. Its version is a mark (``queries.group_marks``): another one is news."""

    __slots__ = ("group", "group_link")

    def __init__(self, group: int, group_link: int, mark: int) -> None:
        super().__init__(mark)
        self.group = group
        self.group_link = group_link

    def notice(self, mark: int) -> None:
        """Take notice of how the group stands."""
        if mark != self.version:
            self.version = mark
            self.wake()


One = TypeVar("One", bound=Watcher)


def take_out(kept: defaultdict[int, set[One]], key: int, one: One) -> None:
    """Keep an open stream no longer under a key, nor the key without any."""
    kept[key].discard(one)
    if not kept[key]:
        del kept[key]


# --- What the hub reads from the database, in one thread of its own over one connection of its own
# Requests share another thread: a stream must neither wait for them nor hold them up.

AT_ONCE = 500
"""Ids in one query."""

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Seen:
    """The versions of the tables that exist, which of them are private, and the links that stand."""

    versions: dict[int, int]
    private: set[int]
    links: set[int]


@dataclass(frozen=True, slots=True)
class SeenGroups:
    """How the groups stand that exist, and the links to groups that stand."""

    marks: Mapping[int, int]
    links: set[int]


class Reader:
    """Runs what needs the database in its own thread."""

    def __init__(self) -> None:
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="live")
        self._mark: object = None

    async def run(self, work: Callable[[], T]) -> T:
        """Run a function that may use the database, and return what it returns."""
        return await asyncio.get_running_loop().run_in_executor(self._thread, _with_fresh_connection, work)

    async def look(self, tables: Iterable[int], links: Iterable[int]) -> Seen:
        """Read where these tables stand and which of these links do."""
        wanted, held = list(tables), list(links)
        return await self.run(lambda: _seen(wanted, held))

    async def look_at_groups(self, groups: Iterable[int], links: Iterable[int]) -> SeenGroups:
        """Read how these groups stand, and which of these links to groups do."""
        wanted, held = list(groups), list(links)
        return await self.run(lambda: _seen_groups(wanted, held))

    async def was_written(self) -> bool:
        """Return whether anybody may have written since this was asked last. Only SQLite can tell."""
        return await self.run(self._was_written)

    def _was_written(self) -> bool:
        with connection.cursor() as cursor:
            cursor.execute("PRAGMA data_version")
            mark = (id(connection.connection), cursor.fetchone())
        before, self._mark = self._mark, mark
        return mark != before


def _with_fresh_connection(work: Callable[[], T]) -> T:
    # What Django does around a request: a connection that was cut meanwhile is opened anew.
    close_old_connections()
    return work()


def _seen(tables: list[int], links: list[int]) -> Seen:
    rows = [
        row
        for some in _batches(tables)
        for row in Table.objects.filter(pk__in=some).values_list("pk", "version", "private")
    ]
    versions = {pk: version for pk, version, _ in rows}
    return Seen(versions, {pk for pk, _, private in rows if private}, _standing(links))


def _seen_groups(groups: list[int], links: list[int]) -> SeenGroups:
    marks = {pk: mark for some in _batches(groups) for pk, mark in group_marks(some).items()}
    standing = {
        pk
        for some in _batches(links)
        for pk in GroupLink.objects.filter(pk__in=some, revoked__isnull=True).values_list("pk", flat=True)
    }
    return SeenGroups(marks, standing)


def _standing(ids: list[int]) -> set[int]:
    return {
        pk
        for some in _batches(ids)
        for pk in Link.objects.filter(pk__in=some, revoked__isnull=True).values_list("pk", flat=True)
    }


def _batches(ids: list[int]) -> Iterable[list[int]]:
    left = iter(ids)
    while some := list(islice(left, AT_ONCE)):
        yield some


# --- The streams of groups, and whatever else a link to a group holds open


class GroupStreams:
    """The open streams of this process's groups; ``doubt`` has them looked at soon."""

    def __init__(self, due: Callable[[], None]) -> None:
        self._due = due
        self._by_group: defaultdict[int, set[GroupWatcher]] = defaultdict(set)
        self._by_link: defaultdict[int, set[Watcher]] = defaultdict(set)
        self._doubted: set[int] = set()

    @contextmanager
    def watching(self, watcher: GroupWatcher) -> Iterator[GroupWatcher]:
        """Watch a group from what was read before; what came in between is found out."""
        self._by_group[watcher.group].add(watcher)
        self.doubt([watcher.group])
        try:
            with self.held(watcher, watcher.group_link):
                yield watcher
        finally:
            take_out(self._by_group, watcher.group, watcher)

    @contextmanager
    def held(self, watcher: Watcher, link: int | None) -> Iterator[None]:
        """Let a stream end with the link to a group that opened it, if one did."""
        if link is None:
            yield
            return
        self._by_link[link].add(watcher)
        try:
            yield
        finally:
            take_out(self._by_link, link, watcher)

    def doubt(self, groups: Iterable[int]) -> None:
        """Have these groups read soon, if anybody watches them."""
        doubted = self._by_group.keys() & set(groups)
        if doubted:
            self._doubted |= doubted
            self._due()

    def doubt_all(self) -> None:
        """Have all groups read soon: something may have been missed."""
        self.doubt(list(self._by_group))

    def end_by(self, link: int) -> None:
        """End what a link to a group has opened: it was revoked."""
        for watcher in self._by_link.get(link, ()):
            watcher.end()

    def end_all(self) -> None:
        """End every stream; its reader may come again."""
        for watchers in self._by_group.values():
            for watcher in watchers:
                watcher.end(revoked=False)

    async def look(self, reader: Reader, *, everywhere: bool) -> None:
        """Read how groups stand, and tell: those in doubt, or ``everywhere`` together with all links."""
        groups = self._by_group.keys() & self._doubted if not everywhere else set(self._by_group)
        links = set(self._by_link) if everywhere else {one.group_link for pk in groups for one in self._by_group[pk]}
        self._doubted.clear()
        if not groups and not links:
            return
        try:
            seen = await reader.look_at_groups(groups, links)
        except BaseException:  # also where it is cancelled: the next look is to be at these again
            self.doubt(groups)
            raise
        for group in groups:
            for watcher in self._by_group.get(group, ()):
                if group in seen.marks:
                    watcher.notice(seen.marks[group])
                else:
                    watcher.end()
        for link in links - seen.links:
            self.end_by(link)
