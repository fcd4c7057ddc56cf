"""What a thousand tables cost in an hour, and what an evening of a million tables would take.

`python -m tests.bench.million [TABLES]` measures single acts on this machine: one worker, and a PostgreSQL that waits
for its disk. Then it lets so many tables be played in one evening and adds up, minute by minute, what they ask for.
"""

import math
import os
import sys
import tempfile
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from random import Random

from tests import postgres
from tests.bench.bench_taps import TABLE, Phone
from tests.bench.bench_writes import plays
from tests.scoring.live.driving import serving

TAPS = 300
SECONDS_A_CARD = 8
FOLLOWERS = 3
EVENING_MINUTES = 6 * 60
BUSY = 0.6
"""How much of a core may be used before people wait."""
KB_A_STREAM = 45
MB_A_PROCESS = 85
STREAMS_A_PROCESS = 8000
NOTIFIED_A_SECOND = 3800
"""What one PostgreSQL was measured to pass on, and what each process is told of: all of it."""
WAL_A_SECOND = 100e6
"""What one server writes and sends to a replica without being a special one."""
CORES_OF_DATABASE = 32
SIZE = "SELECT sum(pg_total_relation_size(oid)) FROM pg_class WHERE relname LIKE 'scoring_%' AND relkind = 'r'"
LOG = "SELECT pg_current_wal_lsn() - '0/0'"


@dataclass(frozen=True, slots=True)
class Costs:
    """What acts cost: milliseconds of processor, in the application or the database; bytes written and kept."""

    tap: float
    fetch: float
    tap_in_database: float
    wal: float
    kept: float


def seconds_of(parent: int) -> float:
    """Return the processor time of the processes that somebody has started."""
    children = Path(f"/proc/{parent}/task/{parent}/children").read_text().split()
    return sum(int(Path(f"/proc/{pid}/schedstat").read_text().split()[0]) for pid in children) / 1e9


def measure() -> Costs:
    """Play one table card by card, and let somebody look after each."""
    os.environ["WRITES_PER_MINUTE"] = str(10**9)
    postgres.SETTINGS.update(postgres.DURABLE)
    with postgres.Postgres.started() as database, tempfile.TemporaryDirectory() as var:
        name = database.create_database()
        with serving(Path(var), database.url(name)) as server, database.connect(name) as look:
            parent = int((database.directory / "data/postmaster.pid").read_text().split()[0])

            def spent() -> tuple[float, float]:
                return server.seconds_of_processor(), seconds_of(parent)

            def told(question: str) -> float:
                row = look.execute(question.encode()).fetchone()
                assert row
                return float(row[0])

            _, opened = server.post("tables/", TABLE)
            keeper, follower = Phone(server.port, opened["code"], opened["token"]), Phone(server.port, opened["code"])
            cards = plays(1)
            for _ in range(20):
                keeper.tap(next(cards))
                follower.fetch()
            look.execute("CHECKPOINT")
            taps, fetches, kept, written = [0.0, 0.0], 0.0, told(SIZE), told(LOG)
            for _ in range(TAPS):
                before = spent()
                keeper.tap(next(cards))
                after = spent()
                follower.fetch()
                fetches += spent()[0] - after[0]
                taps = [total + late - early for total, late, early in zip(taps, after, before, strict=True)]
            wal, kept = told(LOG) - written, told(SIZE) - kept
    tap, fetch, in_database = (1000 * each / TAPS for each in (taps[0], fetches, taps[1]))
    return Costs(tap, fetch, in_database, wal / TAPS, kept / TAPS)


def evening(tables: int, random: Random) -> Counter[int]:
    """Return how many tables run in each minute: people begin around the middle and play for an hour or two."""
    running: Counter[int] = Counter()
    drawn = min(tables, 20_000)
    for _ in range(drawn):
        begun = min(max(random.gauss(EVENING_MINUTES / 3, 45), 0), EVENING_MINUTES)
        lasts = random.lognormvariate(math.log(75), 0.4)
        running.update(range(int(begun), int(begun + lasts)))
    return Counter({minute: round(count * tables / drawn) for minute, count in running.items()})


def main() -> None:
    tables = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
    costs = measure()
    print(f"  A tap takes {costs.tap:.1f} ms of the application and {costs.tap_in_database:.2f} ms of PostgreSQL,")
    print(f"  a follower's look {costs.fetch:.1f} ms.")
    print(f"  A card writes {costs.wal:,.0f} bytes of log and keeps {costs.kept:,.0f}.")
    cards = 3600 / SECONDS_A_CARD
    application = costs.tap + FOLLOWERS * costs.fetch
    hour = 1000 * cards
    print("\n  A thousand tables for an hour, a card every eight seconds and three who follow each:")
    print(f"    {hour:,.0f} cards, {hour * application / 3.6e6:.1f} core hours of the application,")
    print(f"    {hour * costs.tap_in_database / 3.6e6:.2f} of PostgreSQL,")
    print(f"    {hour * costs.wal / 1e9:.1f} GB of log written, {hour * costs.kept / 1e9:.2f} GB kept")
    sum_up(tables, costs, application)


def sum_up(tables: int, costs: Costs, application: float) -> None:
    """Print what an evening of so many tables takes."""
    running = evening(tables, Random(1))
    most = max(running.values())
    rate = most / SECONDS_A_CARD
    all_cards = sum(running.values()) * 60 / SECONDS_A_CARD
    cores = rate * application / 1000 / BUSY
    streams = most * (FOLLOWERS + 1)
    processes = max(cores, streams / STREAMS_A_PROCESS)
    memory = (streams * KB_A_STREAM / 1e6) + processes * MB_A_PROCESS / 1e3
    in_database = rate * costs.tap_in_database / 1000 / BUSY
    print(f"\n  {tables:,} tables in one evening:")
    print(f"    at most {most:,} run at once: {rate:,.0f} cards a second, {streams:,} streams")
    print(f"    {cores:,.0f} cores of the application, one process each, {memory:,.0f} GB of memory")
    print(f"    {in_database:,.0f} cores of PostgreSQL, {rate * costs.wal / 1e6:,.0f} MB of log a second")
    print(f"    {all_cards:,.0f} cards, {all_cards * costs.kept / 1e12:.2f} TB kept")
    print("\n  One PostgreSQL is at its end with so many cards a second, and so many tables at once, by")
    ends = {
        "words to the streams (NOTIFY)": NOTIFIED_A_SECOND,
        "its log": WAL_A_SECOND / costs.wal,
        f"{CORES_OF_DATABASE} cores": CORES_OF_DATABASE * BUSY * 1000 / costs.tap_in_database,
    }
    for name, end in sorted(ends.items(), key=lambda each: each[1]):
        print(f"    {name:<32}{end:>10,.0f}{end * SECONDS_A_CARD:>12,.0f}")
    print(f"  so the evening takes {math.ceil(rate / min(ends.values()))} of them, each with its own processes.")


if __name__ == "__main__":
    main()
