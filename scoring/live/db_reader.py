"""What the hub reads from the database, in one thread of its own over one connection of its own.

Requests share another thread: a stream must neither wait for them nor hold them up.
"""

import asyncio
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import islice
from typing import TypeVar

from django.db import close_old_connections, connection

from scoring.models import GroupLink, Link, Table
from scoring.queries.evenings import group_marks

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
