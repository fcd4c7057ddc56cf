"""`make innocent N=10000`: so many rounds of American Deuce of which the real hands are known.

A third of all namings, flags and denials are false. Whoever stands accused must have done it, or be accused on a word
that no card has contradicted yet.
"""

import sys
from collections import Counter
from time import process_time

from tests.games.american_deuce.told_rounds import play_round
from tests.seeds import FIRST


def main(rounds: int) -> int:
    """Play so many rounds; stop at the first that accuses somebody wrongly."""
    events, met, begun = 0, Counter[str](), process_time()
    for seed in range(FIRST, FIRST + rounds):
        played, found = play_round(seed)
        events += played
        met.update(found)
    print(f"{rounds} rounds, {events} events: nobody innocent was accused. {process_time() - begun:.0f} s.")
    print(", ".join(f"{what} {times}" for what, times in sorted(met.items())))
    return 0


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 10_000))
