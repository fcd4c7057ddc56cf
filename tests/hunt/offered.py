"""`make offered N=10000`: play this many random hands of all games, made only of events the referee offers.

`make test` plays some hundreds. An offer is what `GET tables/{code}/asks/` lists; none may be refused.
"""

import sys
from time import process_time

from tests.referee.test_offers import GAMES, play_what_is_offered
from tests.seeds import FIRST


def main(hands: int) -> int:
    """Play this many hands, the games in turn; stop at the first offered event that is refused."""
    games, events, begun = list(GAMES), 0, process_time()
    for number in range(hands):
        events += play_what_is_offered(games[number % len(games)], FIRST + number // len(games))
    seconds = process_time() - begun
    print(f"{hands} hands of {len(games)} games, {events} events: none was refused. {seconds:.0f} s of processor time.")
    return 0


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 10_000))
