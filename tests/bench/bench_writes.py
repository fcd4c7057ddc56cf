"""Events recorded per second, compared with the barest Django view that does one INSERT and one UPDATE in a
transaction.
"""

import os
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack
from itertools import chain, count
from pathlib import Path
from random import Random
from statistics import median

from tests import postgres
from tests.bench.bench_referee import honest_record
from tests.bench.hammer import Caller, rate
from tests.bench.table import Figure
from tests.scoring.live.driving import Server, run_python, serving, serving_without_streams

SETTINGS = "tests.bench.writes_settings"
CONNECTIONS = 8
ROUNDS = int(os.environ.get("ROUNDS", "5"))
SECONDS = 1.5
HANDS = 100
OLD = 5000
PREPARE = """
from django.db import connection
from tests.bench.writes_urls import prepare
prepare(connection)
"""


def figures() -> Iterator[Figure]:
    os.environ["WRITES_PER_MINUTE"] = str(10**9)  # counted as usual, but never limited
    with tempfile.TemporaryDirectory() as var, serving(Path(var), settings=SETTINGS) as server:
        run_python(Path(var), "", PREPARE)
        yield from compare("sqlite", server)
    yield from more_workers()
    postgres.SETTINGS.update(postgres.DURABLE)
    with postgres.Postgres.started() as database, tempfile.TemporaryDirectory() as var:
        url = database.url(database.create_database())
        with serving(Path(var), url):
            run_python(Path(var), url, PREPARE)
        with serving_without_streams(Path(var), url, settings=SETTINGS) as server:
            yield from compare("postgres", server)


def compare(base: str, server: Server) -> Iterator[Figure]:
    """Measure both alternately so that they meet the same load; the median of all rounds counts.

    With SQLite this is what `make run` starts; with PostgreSQL it is a WSGI process.
    """
    recording = [recorder(server, number) for number in range(CONNECTIONS)]
    bare = [Caller(server.port, f"barest/{n}/", "x" * 32, plays(n)) for n in range(CONNECTIONS)]
    rate(recording, 1), rate(bare, 1)
    pairs = [(rate(recording, SECONDS), rate(bare, SECONDS)) for _ in range(ROUNDS)]
    yield Figure(f"writes/event/{base}", median(ours for ours, _ in pairs), median(one / other for one, other in pairs))
    yield young_and_old(f"writes/late/{base}", server)


def more_workers() -> Iterator[Figure]:
    """Compare the throughput of several workers with that of one; `WORKERS` was chosen by this."""
    with ExitStack() as stack:
        callers: dict[int, list[Caller]] = {}
        for workers in (1, 2, 4):
            var = Path(stack.enter_context(tempfile.TemporaryDirectory()))
            os.environ["WORKERS"] = str(workers)
            server = stack.enter_context(serving(var))
            callers[workers] = [recorder(server, number) for number in range(CONNECTIONS)]
            rate(callers[workers], 1)
        del os.environ["WORKERS"]
        rounds = [{workers: spread_anew(each) for workers, each in callers.items()} for _ in range(ROUNDS)]
    for workers in (2, 4):
        figure = median(each[workers] for each in rounds)
        yield Figure(f"writes/workers-{workers}", figure, median(each[workers] / each[1] for each in rounds))


def spread_anew(callers: list[Caller]) -> float:
    """Connect the callers one after the other so that they spread over the workers, then record for a while."""
    for caller in callers:
        caller.hang_up()
    for caller in callers:
        caller.open()
        time.sleep(0.01)
    return rate(callers, SECONDS)


def young_and_old(key: str, server: Server) -> Figure:
    """Compare the cost of an event at a new table with one that has seen five thousand, alternately."""
    young, old = (recorder(server, number) for number in range(2))
    old.done = grow(server, old.path, old.token)
    rates = [(rate([young], 0.4), rate([old], 0.4)) for _ in range(ROUNDS)]
    return Figure(key, median(1000 / late for _, late in rates), median(early / late for early, late in rates))


def grow(server: Server, path: str, token: str) -> int:
    """Record hands by result, with notes, until a table has seen five thousand events; return its version."""
    hand = {"events": [{"type": "note", "text": "A trick."}] * 36 + [{"type": "result", "tricks": [9, 0, 0, 0]}]}
    version = 0
    while version < OLD:
        status, recorded = server.post(path, hand, token)
        assert status == 201, recorded
        version = recorded["version"]
    return version


def recorder(server: Server, number: int) -> Caller:
    """Open an Ace Trump table for four; return a client that records its plays."""
    seats = {"game": "ace-trump", "seats": ["Ann", "Bob", "Cy", "Dot"], "first_dealer": 0}
    status, table = server.post("tables/", seats)
    assert status == 201, table
    return Caller(server.port, f"tables/{table['code']}/events/", table["token"], plays(number))


def plays(seed: int) -> Iterator[dict[str, object]]:
    """Deal and play endlessly."""
    record = honest_record(Random(seed), HANDS)
    return chain.from_iterable(hand["events"] for hand in chain.from_iterable(record["hands"] for _ in count()))
