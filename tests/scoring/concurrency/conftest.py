"""Every story runs twice: on SQLite with the embedded server, and on PostgreSQL with two processes."""

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import cycle
from pathlib import Path

import pytest

from tests.scoring.concurrency.phones import Phone, verify
from tests.scoring.live.driving import Server, serving, serving_without_streams


@dataclass(frozen=True, slots=True)
class House:
    """A database, and how to serve it."""

    var: Path
    database: str

    @contextlib.contextmanager
    def open(self, *, processes: int = 2) -> Iterator[list[Server]]:
        """Serve it: SQLite by one process, PostgreSQL by several."""
        with contextlib.ExitStack() as servers:
            first = servers.enter_context(serving(self.var, self.database))
            more = processes - 1 if self.database else 0
            others = [servers.enter_context(serving_without_streams(self.var, self.database)) for _ in range(more)]
            yield [first, *others]

    @contextlib.contextmanager
    def phones(self, count: int) -> Iterator[list[Phone]]:
        """Serve it to this many phones, each of which asks one of the processes."""
        with self.open() as servers:
            yield [Phone(server.port) for _, server in zip(range(count), cycle(servers), strict=False)]

    def verify(self) -> str:
        """Compare every table with its log; return the command's output."""
        return verify(self.var, self.database)


@pytest.fixture(params=["sqlite", "postgres"])
def house(request: pytest.FixtureRequest, tmp_path: Path) -> House:
    """A house on each of the databases."""
    if request.param == "sqlite":
        return House(tmp_path, "")
    postgres = request.getfixturevalue("postgres")
    return House(tmp_path, postgres.url(postgres.create_migrated_database()))
