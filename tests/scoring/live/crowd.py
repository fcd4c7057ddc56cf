"""Many readers at once: each stream is a socket in one event loop, and every change is timed at every reader."""

import asyncio
import contextlib
import itertools
import time
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field

from tests.scoring.live.driving import Server, TableLink

PATIENCE = 60
"""Seconds after which a change counts as lost."""


@dataclass
class Reader:
    """One stream, and the versions it delivered with their times."""

    table: TableLink
    came: list[tuple[int, float]] = field(default_factory=list)

    async def follow(self, server: Server) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
        with contextlib.closing(writer):
            writer.write(f"GET {self.table.stream} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
            while line := await reader.readline():
                if line.startswith(b"id: "):
                    self.came.append((int(line[4:]), time.perf_counter()))

    def knew(self, version: int) -> float:
        return next(at for came, at in self.came if came >= version)


@contextlib.asynccontextmanager
async def gathered(servers: Sequence[Server], tables: Sequence[TableLink], readers: int) -> AsyncIterator[list[Reader]]:
    """Let this many readers follow these tables, spread evenly over tables and servers."""
    crowd = [Reader(tables[i % len(tables)]) for i in range(readers)]
    seats = [servers[(i + i // len(tables)) % len(servers)] for i in range(readers)]
    tasks = [asyncio.create_task(reader.follow(server)) for reader, server in zip(crowd, seats, strict=True)]
    try:
        async with asyncio.timeout(60):
            while not all(reader.came for reader in crowd):
                await asyncio.sleep(0.02)
                for task in tasks:
                    assert not task.done(), task.exception()
        yield crowd
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def latencies(
    servers: Sequence[Server], tables: Sequence[TableLink], *, readers: int, changes: int, seconds_between: float
) -> list[float]:
    """Change the tables one after the other; return each change's delay to each reader, in seconds.

    The clock starts before the change is sent, so writing is included. Raises ``TimeoutError`` if a table's last
    version does not reach all its readers.
    """
    written: list[tuple[str, int, float]] = []
    async with gathered(servers, tables, readers) as crowd:
        for table, server, _ in zip(itertools.cycle(tables), itertools.cycle(servers), range(changes), strict=False):
            sent = time.perf_counter()
            version = await asyncio.to_thread(server.note, table)
            written.append((table.code, version, sent))
            await asyncio.sleep(max(0.0, seconds_between - (time.perf_counter() - sent)))
        last = {code: version for code, version, _ in written}
        async with asyncio.timeout(PATIENCE):
            while any(reader.came[-1][0] < last.get(reader.table.code, 0) for reader in crowd):
                await asyncio.sleep(0.02)
        return sorted(
            reader.knew(version) - sent
            for code, version, sent in written
            for reader in crowd
            if reader.table.code == code
        )


def percentile(sorted_values: Sequence[float], share: float) -> float:
    """Return the value that this share of the values do not exceed."""
    return sorted_values[min(len(sorted_values) - 1, int(share * len(sorted_values)))]
