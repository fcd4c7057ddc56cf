"""Tries of one kind, as many as asked for: `make innocent N=10000`, `make offered`, `make slips` and `make numbers`.

`make test` tries a few of each.
"""

import os
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from time import process_time

import pytest

TESTS = Path(__file__).resolve().parents[1]
QUIETLY = ("-q", "--tb=short", "-p", "no:cacheprovider")


def innocent(records: int) -> int:
    """Judge this many records of trick-taking games with known hands; stop at the first wrong accusation.

    No one is accused of what they did not do; hiding part of a true hand makes no one guilty and nothing impossible.
    """
    from tests.referee.test_audit import TRICK_GAMES, look_at_liars, look_at_masked
    from tests.seeds import FIRST

    met, begun = Counter[str](), process_time()
    for seed in range(FIRST, FIRST + records):
        game = TRICK_GAMES[seed % len(TRICK_GAMES)]
        met[f"masked {game}"] += look_at_masked(game, seed)
        met[f"found in {game}"] += look_at_liars(game, seed)
    print(f"{records} records: nobody innocent was accused. {process_time() - begun:.0f} s.")
    print(", ".join(f"{what} {times}" for what, times in sorted(met.items())))
    return 0


def offered(hands: int) -> int:
    """Play this many hands, the games in turn, of offered events alone; stop at the first that is refused.

    An offer is what `GET tables/{code}/asks/` lists.
    """
    from tests.referee.test_offers import GAMES, play_what_is_offered
    from tests.seeds import FIRST

    games, events, begun = list(GAMES), 0, process_time()
    for number in range(hands):
        events += play_what_is_offered(games[number % len(games)], FIRST + number // len(games))
    seconds = process_time() - begun
    print(f"{hands} hands of {len(games)} games, {events} events: none was refused. {seconds:.0f} s of processor time.")
    return 0


class Tally:
    """Counts the outcomes of slips, game by game."""

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


def slips(number: int) -> int:
    """Correct this many random slips per game by a tap in a real browser; return 1 if one was not corrected.

    A slip is a card mistaken for another one and noticed some cards later. A hunt tries ten per game.
    """
    os.environ["SLIPS"] = str(number)
    tally = Tally()
    pytest.main([*QUIETLY, str(TESTS / "e2e" / "test_slips.py")], plugins=[tally])
    for game in sorted({*tally.right, *tally.wrong}):
        print(f"{game}: {tally.right[game]} of {tally.right[game] + tally.wrong[game]} slips were put right.")
    return int(bool(tally.wrong) or not tally.right)


def numbers(tables: int) -> int:
    """Recompute the statistics of this many random tables from exported records; return 1 if any differ.

    The recomputation uses only the records and the second adjudicators.
    """
    os.environ["TABLES"] = str(tables)
    test = "test_statistics_equal_those_of_the_exported_records"
    ended = pytest.main([*QUIETLY, f"{TESTS / 'scoring' / 'api' / 'test_statistics.py'}::{test}"])
    print(f"{tables} tables: {'every number is the same' if ended == 0 else 'not every number is the same'}.")
    return int(ended)


KINDS: dict[str, tuple[Callable[[int], int], int]] = {
    "innocent": (innocent, 10_000), "offered": (offered, 10_000), "slips": (slips, 50), "numbers": (numbers, 2000),
}  # fmt: skip
"""What can be tried, and how often by default."""

if __name__ == "__main__":
    kind, *times = sys.argv[1:]
    tried, usual = KINDS[kind]
    sys.exit(tried(int(times[0]) if times else usual))
