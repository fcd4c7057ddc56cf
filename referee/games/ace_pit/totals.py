"""What both players can have made together in the tricks left of a hand, when only the sums are known.

Each trick is won by one player, for what a lay or a response can give; the last one is a card against a card
(AP-Q11). Who laid in which trick is not known, as a lead by the wrong player stands once it is accepted.

Points are counted in steps of five. Pairs of sums are bits of one number: the bit of the pair ``(a, b)`` stands
at ``a * WIDTH + b``, so that one shift adds a trick to all of them.
"""

from functools import cache

from referee.engine.options import Options
from referee.games.ace_pit.sets import leader_scores, responder_scores

STEP = 5
"""Every score of the game is a multiple of this."""
WIDTH = 256
"""More steps than a hand can bring to one player: seven times 170 points are 238."""


def trick_scores(options: Options, *, last: bool) -> frozenset[int]:
    """Return everything that the winner of a trick can score, whoever laid; ``last``: of the last trick."""
    return leader_scores(options) | responder_scores(options, single=last)


def can_be_made(made: tuple[int, int], options: Options, *, tricks: int) -> bool:
    """Return whether so many tricks, the last one of the hand among them, can have given these points.

    >>> from referee.games.ace_pit.game import GAME
    >>> options = GAME.rules({}, 2).options
    >>> can_be_made((95, 0), options, tricks=1), can_be_made((95, 10), options, tricks=2)
    (False, True)
    """
    if min(made) < 0 or any(points % STEP for points in made) or max(made) >= STEP * WIDTH:
        return False
    first, second = (points // STEP for points in made)
    return bool(_sums(*_scores(options), tricks) >> (first * WIDTH + second) & 1)


def most_made(options: Options, *, tricks: int) -> int:
    """Return the most that one player can make in so many tricks, the last one of the hand among them."""
    usual, last = _scores(options)
    return max(last) + max(usual) * (tricks - 1)


def _scores(options: Options) -> tuple[frozenset[int], frozenset[int]]:
    return trick_scores(options, last=False), trick_scores(options, last=True)


@cache
def _sums(usual: frozenset[int], last: frozenset[int], tricks: int) -> int:
    """Return the pairs of sums that so many tricks can give."""
    before = _sums(usual, last, tricks - 1) if tricks > 1 else 1
    after = 0
    for points in usual if tricks > 1 else last:
        steps = points // STEP
        after |= before << steps * WIDTH | before << steps
    return after
