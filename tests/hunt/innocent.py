"""`make innocent N=10000`: judge this many records of every trick-taking game with known hands.

No one is accused of what they did not do, and hiding part of a true hand makes no one guilty and nothing impossible.
"""

import sys
from collections import Counter
from time import process_time

from tests.referee.test_audit import TRICK_GAMES, look_at_liars, look_at_masked
from tests.seeds import FIRST


def main(records: int, first: int = FIRST) -> int:
    """Judge this many records; stop at the first wrong accusation."""
    met, begun = Counter[str](), process_time()
    for seed in range(first, first + records):
        game = TRICK_GAMES[seed % len(TRICK_GAMES)]
        met[f"masked {game}"] += look_at_masked(game, seed)
        met[f"found in {game}"] += look_at_liars(game, seed)
    print(f"{records} records: nobody innocent was accused. {process_time() - begun:.0f} s.")
    print(", ".join(f"{what} {times}" for what, times in sorted(met.items())))
    return 0


if __name__ == "__main__":
    sys.exit(main(*(map(int, sys.argv[1:]) if sys.argv[1:] else [10_000])))
