"""How long a change takes to reach 200 streams on two processes, measured from before it is written."""

import asyncio
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from statistics import median

from tests import postgres
from tests.bench.table import Figure
from tests.scoring.live.crowd import latencies, percentile
from tests.scoring.live.driving import Server, TableLink, serving

READERS = 200
TABLES = 100
CHANGES = 200


def figures() -> Iterator[Figure]:
    postgres.SETTINGS.update(postgres.DURABLE)
    with postgres.Postgres.started() as database, tempfile.TemporaryDirectory() as var:
        url = database.url(database.create_database())
        with serving(Path(var), url) as first, serving(Path(var), url) as second:
            tables = [first.open_table() for _ in range(TABLES)]
            alone = median(seconds_of_a_note(first, table) for table in tables)
            told = latencies([first, second], tables, readers=READERS, changes=CHANGES, seconds_between=0.05)
            most = percentile(asyncio.run(told), 0.99)
            yield Figure(f"live/{READERS}", 1000 * most, most / alone)


def seconds_of_a_note(server: Server, table: TableLink) -> float:
    started = time.perf_counter()
    server.note(table)
    return time.perf_counter() - started
