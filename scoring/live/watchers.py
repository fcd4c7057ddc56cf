"""Open streams, as what wakes them knows them: what each watches, by which right, and how far it knows it."""

import asyncio
from collections import defaultdict
from typing import TypeVar

from scoring.live.attendance import Company, Holder


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
