"""The time from a start, or from kill -9 under load, to the first answer."""

import os
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from statistics import median

from tests import postgres
from tests.bench.table import Figure
from tests.faults.load import Load
from tests.faults.service import Service
from tests.scoring.live.driving import free_port, running, serving

TIMES = int(os.environ.get("ROUNDS", "3"))


def figures() -> Iterator[Figure]:
    with tempfile.TemporaryDirectory() as var:
        bare = median(seconds_of_bare_start(Path(var)) for _ in range(TIMES))
        first = seconds_of_start(Path(var), "")
        yield Figure("start/first", first, first / bare)
        again = median(seconds_of_start(Path(var), "") for _ in range(TIMES))
        yield Figure("start/again", again, again / bare)
        yield from killed("sqlite", Path(var), None, again)
    postgres.SETTINGS.update(postgres.DURABLE)
    with postgres.Postgres.started() as database, tempfile.TemporaryDirectory() as var:
        url = database.url(database.create_database())
        seconds_of_start(Path(var), url)
        again = median(seconds_of_start(Path(var), url) for _ in range(TIMES))
        yield from killed("postgres", Path(var), database, again)


def seconds_of_bare_start(var: Path) -> float:
    port, started = free_port(), time.perf_counter()
    command = [sys.executable, "-m", "gunicorn", "-b", f"127.0.0.1:{port}"]
    with running([*command, "tests.bench.bare_site:application"], dict(os.environ), port, var / "log-bare"):
        return time.perf_counter() - started


def seconds_of_start(var: Path, database: str) -> float:
    started = time.perf_counter()
    with serving(var, database) as server:
        took = time.perf_counter() - started
        server.stop()
    return took


def killed(base: str, var: Path, database: postgres.Postgres | None, start: float) -> Iterator[Figure]:
    """Kill all processes, then only the workers, while phones write; time until the next remark is accepted."""
    whole, workers = [], []
    for _ in range(TIMES):
        with Service.started(var, database) as service, Load(service.port) as load:
            load.more(50)
            began = time.perf_counter()
            service.kill()
            service.start()
            load.one_sent_from_now()
            whole.append(time.perf_counter() - began)
            load.more(50)
            began = time.perf_counter()
            service.kill_workers()
            load.one_sent_from_now()
            workers.append(time.perf_counter() - began)
            load.more(50)
            load.end()
            load.check(service.port)
    for key, took in (("killed", whole), ("workers", workers)):
        yield Figure(f"start/{key}/{base}", median(took), median(took) / start)
