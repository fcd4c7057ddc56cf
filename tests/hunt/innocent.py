"""`make innocent N=10000`: so many rounds of American Deuce, and records of every game of tricks, with known hands.

In American Deuce a third of all namings, flags and denials are false. Whoever stands accused must have done it, or be
accused on a word that no card has contradicted yet. In games of tricks nobody is accused of what they did not do, and
less that was seen of a true hand makes nobody guilty and nothing impossible.
"""

import sys
from collections import Counter
from time import process_time

from tests.games.american_deuce.told_rounds import play_round
from tests.referee.test_audit import TRICK_GAMES, look_at_liars, look_at_masked
from tests.seeds import FIRST


def main(rounds: int, first: int = FIRST) -> int:
    """Play so many rounds and records; stop at the first that accuses somebody wrongly."""
    events, met, begun = 0, Counter[str](), process_time()
    for seed in range(first, first + rounds):
        played, found = play_round(seed)
        events += played
        met.update(found)
        game = TRICK_GAMES[seed % len(TRICK_GAMES)]
        met[f"masked {game}"] += look_at_masked(game, seed)
        met[f"found in {game}"] += look_at_liars(game, seed)
    print(f"{rounds} rounds, {events} events: nobody innocent was accused. {process_time() - begun:.0f} s.")
    print(", ".join(f"{what} {times}" for what, times in sorted(met.items())))
    return 0


if __name__ == "__main__":
    sys.exit(main(*(map(int, sys.argv[1:]) if sys.argv[1:] else [10_000])))
