"""The hub's view of open streams, and its database reads."""

import asyncio
from collections import defaultdict
from collections.abc import Awaitable, Callable, Collection, Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import count, islice
from typing import Generic, TypeVar

from django.db import close_old_connections, connection

from scoring.groups.reads.evenings import group_marks
from scoring.models import GroupLink, Link, Table
from scoring.tables.live.attendance import Company, Holder

# --- Open streams as the hub knows them: subject, right, and newest known version


class Watcher:
    """An open stream of a ``subject`` (table or group) by a ``link``, and the newest version it knows.

    ``moves_on``: announce a next table. ``by_code``: opened by the code alone. ``follows``: send recorded events;
    ``due``: there may be new ones; ``turn`` numbers the checks for them.
    """

    __slots__ = ("_news", "due", "ended", "follows", "link", "moves_on", "revoked", "subject", "turn", "version")

    company: Company | None = None
    by_code = False

    def __init__(self, subject: int, link: int | None, version: int, *, follows: bool = False) -> None:
        self.subject, self.link, self.version, self.follows = subject, link, version, follows
        self.ended = self.revoked = self.moves_on = self.due = False
        self.turn = 0
        self._news = asyncio.Event()

    def notice(self, version: int) -> None:
        if self.is_news(version):
            self.version, self.due = version, True
            self.wake()

    def is_news(self, version: int) -> bool:
        raise NotImplementedError

    def stir(self, turn: int) -> None:
        """Wake the stream to check for new recorded events, if it follows them."""
        if self.follows:
            self.turn, self.due = turn, True
            self.wake()

    def wake(self) -> None:
        self._news.set()

    def end(self, *, revoked: bool = True) -> None:
        """End the stream. Unless ``revoked``, the client may reconnect."""
        self.ended, self.revoked = True, revoked
        self.wake()

    async def news(self, seconds: float) -> bool:
        """Wait up to ``seconds``; return whether there is anything to send."""
        try:
            async with asyncio.timeout(seconds):
                await self._news.wait()
        except TimeoutError:
            return False
        self._news.clear()
        return True


class TableWatcher(Watcher):
    """The stream of a table, with ``presence`` if requested.

    ``group_link`` admits to a private table without a link of its own.
    """

    __slots__ = ("by", "by_code", "company", "group_link", "presence", "table")

    def __init__(
        self,
        table: int,
        by: Holder | None,
        version: int,
        *,
        follows: bool = False,
        presence: bool = False,
        group_link: int | None = None,
    ) -> None:
        super().__init__(table, None if by is None else by.link, version, follows=follows)
        self.table, self.by, self.presence, self.group_link = table, by, presence, group_link
        self.by_code = by is None and group_link is None
        self.company: Company | None = None

    def is_news(self, version: int) -> bool:
        return version > self.version

    def move_on(self) -> None:
        self.moves_on = True
        self.wake()

    def meet(self, company: Company) -> None:
        if self.presence and company != self.company:
            self.company = company
            self.wake()


class GroupWatcher(Watcher):
    """The stream of a group. Its version is a mark (``group_marks``); any different one is a change."""

    __slots__ = ()

    def is_news(self, version: int) -> bool:
        return version != self.version


# --- Database reads of the hub, in one dedicated thread with its own connection
# Requests share another thread: streams must neither wait for them nor delay them.

AT_ONCE = 500
"""Maximum number of ids per query."""

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Seen:
    """Versions of tables or marks of groups, the private ones among the tables, and the valid links."""

    versions: Mapping[int, int]
    private: set[int]
    links: set[int]


class Reader:
    """Runs database reads in a dedicated thread."""

    def __init__(self) -> None:
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="live")
        self._mark: object = None

    async def run(self, work: Callable[[], T]) -> T:
        """Run a function that uses the database in the dedicated thread."""

        def with_fresh_connection() -> T:
            # As Django does around a request: reopen a connection that was cut.
            close_old_connections()
            return work()

        return await asyncio.get_running_loop().run_in_executor(self._thread, with_fresh_connection)

    async def look(self, tables: Iterable[int], links: Iterable[int]) -> Seen:
        """Read tables' versions, and which of the links are valid."""
        wanted, held = list(tables), list(links)

        def read() -> Seen:
            versions, closed = {}, set()
            for some in batches(wanted):
                for pk, version, private in Table.objects.filter(pk__in=some).values_list("pk", "version", "private"):
                    versions[pk] = version
                    closed |= {pk} if private else set()
            return Seen(versions, closed, _standing(Link, held))

        return await self.run(read)

    async def look_at_groups(self, groups: Iterable[int], links: Iterable[int]) -> Seen:
        """Read groups' marks, and which of the links are valid."""
        wanted, held = list(groups), list(links)

        def read() -> Seen:
            marks = {pk: mark for some in batches(wanted) for pk, mark in group_marks(some).items()}
            return Seen(marks, set(), _standing(GroupLink, held))

        return await self.run(read)

    async def was_written(self) -> bool:
        """Return whether the database may have changed since the last call. SQLite only."""

        def read() -> bool:
            with connection.cursor() as cursor:
                cursor.execute("PRAGMA data_version")
                mark = (id(connection.connection), cursor.fetchone())
            before, self._mark = self._mark, mark
            return mark != before

        return await self.run(read)


def _standing(model: type[Link] | type[GroupLink], ids: list[int]) -> set[int]:
    standing: set[int] = set()
    for some in batches(ids):
        standing.update(model.objects.filter(pk__in=some, revoked__isnull=True).values_list("pk", flat=True))
    return standing


def batches(ids: list[int]) -> Iterator[list[int]]:
    left = iter(ids)
    while some := list(islice(left, AT_ONCE)):
        yield some


# --- Indexes of open streams, of tables or of groups

One = TypeVar("One", bound=Watcher)


class Streams(Generic[One]):
    """Open streams, indexed by subject and link, which ``read`` looks up in the database."""

    def __init__(
        self, due: Callable[[], None], read: Callable[[Iterable[int], Iterable[int]], Awaitable[Seen]]
    ) -> None:
        self._due, self._read = due, read
        self._by_subject: defaultdict[int, set[One]] = defaultdict(set)
        self._by_link: defaultdict[int, set[Watcher]] = defaultdict(set)
        self._doubted: set[int] = set()
        self._turns = count(1)

    def of(self, subject: int) -> Iterable[One]:
        return self._by_subject.get(subject, ())

    @contextmanager
    def watching(self, watcher: One) -> Iterator[One]:
        """Register a stream while the block runs; changes since its version are found."""
        with _kept(self._by_subject, watcher.subject, watcher), self.held(watcher, watcher.link):
            self.doubt([watcher.subject])
            yield watcher

    @contextmanager
    def held(self, watcher: Watcher, link: int | None) -> Iterator[None]:
        """End a stream when its link is revoked, while the block runs."""
        with _kept(self._by_link, link, watcher):
            yield

    def doubt(self, subjects: Iterable[int] | None = None) -> None:
        """Mark subjects as dirty, by default all, because a notification may have been missed."""
        doubted = set(self._by_subject) if subjects is None else self._by_subject.keys() & set(subjects)
        if doubted:
            self._doubted |= doubted
            self._due()

    def end_by(self, link: int) -> None:
        for watcher in self._by_link.get(link, ()):
            watcher.end()

    def end_without_link(self, subject: int) -> None:
        for watcher in self.of(subject):
            if watcher.by_code:
                watcher.end()

    def end_all(self) -> None:
        for watchers in self._by_subject.values():
            for watcher in watchers:
                watcher.end(revoked=False)

    async def look(self, *, everywhere: bool) -> None:
        """Check dirty subjects, or with ``everywhere`` all subjects and links, and wake their streams."""
        subjects = set(self._by_subject) if everywhere else self._by_subject.keys() & self._doubted
        opened = {one.link for subject in subjects for one in self._by_subject[subject] if one.link is not None}
        links = set(self._by_link) if everywhere else opened
        doubted = self._doubted & subjects
        self._doubted.clear()
        try:
            await self.check(subjects, links)
        except BaseException:  # also if cancelled: the next check must include these again
            self.doubt(subjects)
            raise
        turn = next(self._turns)
        for subject in doubted:
            for watcher in self.of(subject):
                watcher.stir(turn)

    async def check(self, subjects: Collection[int], links: Collection[int]) -> None:
        """Check subjects and links, wake the streams of changed ones, and end those with invalid links."""
        if not subjects and not links:
            return
        seen = await self._read(subjects, links)
        for subject in subjects:
            for watcher in self.of(subject):
                if subject in seen.versions:
                    watcher.notice(seen.versions[subject])
                else:
                    watcher.end()
        for subject in seen.private:
            self.end_without_link(subject)
        for link in set(links) - seen.links:
            self.end_by(link)


@contextmanager
def _kept(kept: defaultdict[int, set[One]], key: int | None, watcher: One) -> Iterator[None]:
    """Index a stream under a key while the block runs."""
    if key is None:
        yield
        return
    kept[key].add(watcher)
    try:
        yield
    finally:
        kept[key].discard(watcher)
        if not kept[key]:
            del kept[key]
