"""`make bench`: measure every row of `tests/bench/table.py` and print them as one table.

`make bench ONLY=taps,start` measures some parts. A part is a module named `bench_<part>.py` whose function `figures()`
yields its measurements.
"""

import importlib
import os
import platform
import re
import sqlite3
import subprocess
import sys
import time
import traceback
from datetime import UTC, datetime
from math import isfinite, nan
from pathlib import Path

from tests.bench.table import PARTS, ROWS, Figure, Goal, Row
from tests.postgres import find_binaries


def main(only: str = "") -> None:
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # compile what is served once, whatever the environment says
    parts = [part for part in only.split(",") if part] or PARTS
    unknown = [part for part in parts if part not in PARTS]
    if unknown:
        sys.exit(f"There is no part {', '.join(unknown)}; there are {', '.join(PARTS)}.")
    measured_on = machine()  # measured first, because the benchmarks themselves raise the load
    found: dict[str, Figure] = {}
    for part in parts:
        began = time.monotonic()
        try:
            found |= {figure.row: figure for figure in importlib.import_module(f"tests.bench.bench_{part}").figures()}
        except Exception:  # noqa: BLE001 - what was measured is printed all the same, and what was not is named
            traceback.print_exc()
        print(f"{part}: {time.monotonic() - began:.0f} s", file=sys.stderr, flush=True)
    print(f"{measured_on}\n\n| what | figure | ratio | beside | goal | met |\n| --- | --: | --: | --- | --- | --- |")
    rows = [row for row in ROWS if row.part in parts]
    for row in rows:
        print(line_of(row, found.get(row.key, Figure(row.key, nan, nan))))
    if any(row.key not in found for row in rows):
        sys.exit("Some of it could not be measured.")


def machine() -> str:
    """Return the machine and the time of the measurement."""
    info = Path("/proc/cpuinfo")
    models = re.findall(r"^model name\s*: (.*)$", info.read_text(), re.MULTILINE) if info.exists() else []
    postgres = subprocess.run([find_binaries() / "postgres", "--version"], capture_output=True, text=True, check=True)
    commit = subprocess.run(["git", "describe", "--always", "--dirty"], capture_output=True, text=True, check=False)
    return (
        f"Measured on {datetime.now(UTC):%Y-%m-%d %H:%M} UTC; commit {commit.stdout.strip()};"
        f" {models[0] if models else platform.processor()}, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f};"
        f" Python {platform.python_version()}, SQLite {sqlite3.sqlite_version}, PostgreSQL {postgres.stdout.split()[2]}"
    )


def line_of(row: Row, found: Figure) -> str:
    goal = Goal.read(row.goal)
    met = isfinite(found.figure) and isfinite(found.ratio) and goal.met(found.figure, found.ratio)
    figure = f"{_rounded(found.figure)} {row.unit}" if isfinite(found.figure) else "not measured"
    ratio = f"× {_rounded(found.ratio)}" if isfinite(found.ratio) else "—"
    return f"| {row.what} | {figure} | {ratio} | {row.beside} | {goal} | {'yes' if met else '**no**'} |"


def _rounded(value: float) -> str:
    """Return a number with three significant digits.

    >>> _rounded(1234.5), _rounded(0.012345)
    ('1,230', '0.0123')
    """
    return f"{float(f'{value:.3g}'):,g}" if abs(value) < 1e5 else f"{int(float(f'{value:.3g}')):,}"


if __name__ == "__main__":
    main(*sys.argv[1:])
