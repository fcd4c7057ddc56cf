"""`make bench`: run every measurement in this folder, one after the other.

A measurement is a module named `bench_*.py` with a function `main()` that prints what it found, one line a figure.
"""

import importlib
from pathlib import Path


def main() -> None:
    for path in sorted(Path(__file__).parent.glob("bench_*.py")):
        measurement = importlib.import_module(f"tests.bench.{path.stem}")
        print(f"\n{(measurement.__doc__ or path.stem).strip().splitlines()[0]}")
        measurement.main()


if __name__ == "__main__":
    main()
