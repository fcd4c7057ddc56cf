"""`make bench`: measure every row of `tests/bench/table.py`, and print them as one table.

`make bench ONLY=taps,start` measures parts. A part is a module named `bench_<part>.py` with a function `figures()` that
yields what it found. What all parts found is written to `docs/bench/`, under the release's name, and the page and the
picture of it are made anew (`tests/bench/report.py`).
"""

import importlib
import os
import sys
import time
import traceback
from math import nan

from tests.bench.report import Found, Results, machine, publish, release, table_of
from tests.bench.table import BY_KEY, PARTS, ROWS, Figure


def main(only: str = "") -> None:
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # what is served is compiled once, whatever is set here
    parts = [part for part in only.split(",") if part] or PARTS
    unknown = [part for part in parts if part not in PARTS]
    if unknown:
        sys.exit(f"There is no part {', '.join(unknown)}; there are {', '.join(PARTS)}.")
    about, found = machine(), list[Found]()
    for part in parts:
        began = time.monotonic()
        figures = {row.key: Figure(row.key, nan, nan) for row in ROWS if row.part == part}
        try:
            for figure in importlib.import_module(f"tests.bench.bench_{part}").figures():
                figures[figure.row] = figure
        except Exception:  # noqa: BLE001 - what was measured is told all the same, and what was not is named
            traceback.print_exc()
        found += [Found.of(BY_KEY[key], figure) for key, figure in figures.items()]
        print(f"{part}: {time.monotonic() - began:.0f} s", file=sys.stderr, flush=True)
    results = Results(release(), about, tuple(sorted(found, key=lambda each: ROWS.index(BY_KEY[each.row]))))
    print(f"{results.machine_line()}\n\n{table_of([results])}")
    if parts == PARTS:
        print(f"\nWritten to {publish(results)}.")
    if any(each.figure is None for each in found):
        sys.exit("Some of it could not be measured.")


if __name__ == "__main__":
    main(*sys.argv[1:])
