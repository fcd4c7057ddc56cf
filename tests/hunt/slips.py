"""`make slips N=50`: this many random slips per game, each corrected by a tap in a real browser.

A slip is a card mistaken for another one and noticed some cards later. `make test` tries one per game, a hunt ten.
"""

import os
import sys
from collections import Counter
from pathlib import Path

import pytest

SLIPS = Path(__file__).resolve().parents[1] / "e2e" / "test_slips.py"


class Tally:
    """Counts the outcomes of the slips, game by game."""

    def __init__(self) -> None:
        self.right: Counter[str] = Counter()
        self.wrong: Counter[str] = Counter()

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Count a slip once it has been tried, or could not be."""
        game = report.nodeid.rpartition("[")[2].rstrip("]").lstrip("0123456789-")
        if report.failed:
            self.wrong[game] += 1
        elif report.when == "call":
            self.right[game] += 1


def main(slips: int) -> int:
    """Try the slips, and print for every game how many were corrected; return 1 if one was not."""
    os.environ["SLIPS"] = str(slips)
    tally = Tally()
    pytest.main(["-q", "--tb=short", "-p", "no:cacheprovider", str(SLIPS)], plugins=[tally])
    for game in sorted({*tally.right, *tally.wrong}):
        print(f"{game}: {tally.right[game]} of {tally.right[game] + tally.wrong[game]} slips were put right.")
    return int(bool(tally.wrong) or not tally.right)


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 50))
