"""`make numbers N=2000`: the statistics of this many random tables, each number recomputed from exported records.

`make test` does it for 40 tables. The recomputation uses only the records and the second adjudicators.
"""

import os
import sys
from pathlib import Path

import pytest

NUMBERS = Path(__file__).resolve().parents[1] / "scoring" / "api" / "test_statistics.py"
TEST = "test_statistics_equal_those_of_the_exported_records"


def main(tables: int) -> int:
    """Compare the numbers of this many tables; return 1 if any differ."""
    os.environ["TABLES"] = str(tables)
    ended = pytest.main(["-q", "--tb=short", "-p", "no:cacheprovider", f"{NUMBERS}::{TEST}"])
    print(f"{tables} tables: {'every number is the same' if ended == 0 else 'not every number is the same'}.")
    return int(ended)


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 2000))
