"""How long a change takes to reach the streams of two processes on PostgreSQL, from before it is written."""

import asyncio
import tempfile
from pathlib import Path

from tests import postgres
from tests.scoring.live.crowd import latencies, percentile
from tests.scoring.live.driving import serving

READERS = 500
# What makes a commit wait for the disk, which the tests do without.
DURABLE = {"fsync": "on", "synchronous_commit": "on", "full_page_writes": "on"}


def main() -> None:
    postgres.SETTINGS.update(DURABLE)
    with postgres.Postgres.started() as database, tempfile.TemporaryDirectory() as var:
        url = database.url(database.create_database())
        with serving(Path(var), url) as first, serving(Path(var), url) as second:
            servers = [first, second]
            hundred = [first.open_table() for _ in range(100)]
            _row("100 tables, 40 changes a second", servers, hundred, changes=400, seconds_between=0.025)
            _row("1 table, 5 changes a second", servers, hundred[:1], changes=50, seconds_between=0.2)


def _row(name, servers, tables, *, changes, seconds_between):
    took = asyncio.run(latencies(servers, tables, readers=READERS, changes=changes, seconds_between=seconds_between))
    expected = changes * READERS // len(tables)
    p50, p99 = (1000 * percentile(took, share) for share in (0.5, 0.99))
    title, arrived = f"{READERS} streams, {name}", f"{len(took)} of {expected} arrived"
    print(f"  {title:<46}{arrived:<26}p50 {p50:6.1f} ms   p99 {p99:6.1f} ms")


if __name__ == "__main__":
    main()
