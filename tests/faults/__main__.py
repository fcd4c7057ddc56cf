"""`make faults TIMES=1`: break everything that can break while phones write, and check that nothing is lost.

Each fault meets its own service with two workers, and four phones that retry as phones do. Afterwards nothing
acknowledged is lost, nothing is there twice, every table equals its log (`manage.py verify_tables`), and the service
accepts cards again by itself. The results are printed as a table; the exit status is 1 if something did not hold.
"""

import os
import sys
import tempfile
import time
import traceback
from collections.abc import Callable
from contextlib import AbstractContextManager, ExitStack, nullcontext
from dataclasses import dataclass
from pathlib import Path

from tests.faults import database, network
from tests.faults.load import Load
from tests.faults.service import Service
from tests.postgres import DURABLE, SETTINGS, Postgres
from tests.scoring.concurrency.phones import verify

SQLITE, POSTGRES = "SQLite", "PostgreSQL"
BOTH = (SQLITE, POSTGRES)


@dataclass(frozen=True)
class Fault:
    """A fault, the databases it applies to, and what it needs around it."""

    act: database.Act
    bases: tuple[str, ...] = BOTH
    around: Callable[[Path], AbstractContextManager[None]] = lambda folder: nullcontext()
    volume: bool = False

    @property
    def name(self) -> str:
        return self.act.__name__.replace("_", " ")


FAULTS = [
    Fault(database.application_killed),
    Fault(database.workers_killed),
    Fault(database.database_killed, (POSTGRES,)),
    Fault(database.connections_lost, (POSTGRES,)),
    Fault(database.database_silent, (POSTGRES,)),
    Fault(database.disk_full, (SQLITE,)),
    Fault(database.volume_full, volume=True),
    Fault(database.read_only),
    Fault(database.log_torn, (SQLITE,)),
    Fault(network.clock_jumps, around=network.settable_clock),
    Fault(network.slow_readers, (SQLITE,)),
    Fault(network.half_open, (SQLITE,)),
    Fault(network.wrong_codes),
    Fault(network.new_tables, around=network.behind_a_proxy),
    Fault(network.hub_dies),
    Fault(network.proxy_buffers, (SQLITE,)),
]


def main(times: int, only: str = "") -> int:
    os.environ["WORKERS"] = "2"
    print("| fault | database | cards again | acknowledged | other answers meanwhile | seen |")
    print("| --- | --- | --: | --: | --- | --- |")
    wrong = list[str]()
    SETTINGS.update(DURABLE)
    with Postgres.started() as postgres:
        for fault in FAULTS * times:
            for base in fault.bases if only in fault.name else ():
                if not tried(fault, base, postgres):
                    wrong.append(f"{fault.name} on {base}")
    return int(bool(wrong))


def tried(fault: Fault, base: str, postgres: Postgres) -> bool:
    """Print the results; return whether everything held."""
    began, held = time.monotonic(), True
    try:
        row = done(fault, base, postgres)
    except Exception as problem:  # noqa: BLE001 - the others are tried all the same
        traceback.print_exc()
        held = False
        row = f"— | — | — | **{str(problem).splitlines()[0] if str(problem) else type(problem).__name__}**"
    print(f"| {fault.name} | {base} | {row} |", flush=True)
    print(f"{fault.name}, {base}: {time.monotonic() - began:.0f} s", file=sys.stderr, flush=True)
    return held


def done(fault: Fault, base: str, postgres: Postgres) -> str:
    with ExitStack() as around:
        volume = around.enter_context(database.small_volume(400)) if fault.volume else None
        var = Path(around.enter_context(tempfile.TemporaryDirectory(dir=volume if base == SQLITE else None)))
        if base == POSTGRES and volume:
            postgres = around.enter_context(Postgres.started(volume))
        used = postgres if base == POSTGRES else None
        with fault.around(var):
            service = around.enter_context(Service.started(var, used))
            # A volume has space for more than two tables need.
            with Load(service.port, tables=4 if fault.volume else 2) as load:
                load.more(40)
                seen = fault.act(service, load)
                back = load.more(20)
                load.end()
                refused = load.refused()
                taken = load.check(service.port)
        # With a shifted clock, a sleep ended by a signal raises EINVAL: then it is killed.
        service.kill() if fault.around is network.settable_clock else service.stop()
        verify(var, service.database)
    others = ", ".join(f"{name}: {count}" for name, count in refused.items()) or "none"
    return f"{back:.1f} s | {taken:,} | {others} | {seen}"


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 1, *sys.argv[2:]))
