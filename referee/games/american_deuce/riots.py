"""Riots led: may the hand that remains be made of fours of a kind only (AD-24, AD-Q12)?

Nobody sees that hand, so the lead is a claim about it. It is irregular at once when no such hand
fits what has been shown, and proved false by the first later play after which none fits.
"""

from collections.abc import Sequence
from typing import NamedTuple

from referee.games.american_deuce.combinations import RIOT_SIZE
from referee.games.american_deuce.worlds import Evidence, one_of_each, worlds


class LedRiot(NamedTuple):
    """A standing claim: after this riot, ``size`` cards remained, all in fours of a kind.

    ``before`` are the cards the leader had played until then, the riot included.
    """

    seat: int
    event: int
    trick: int
    size: int
    before: int


def may_be_fours(riot: LedRiot, evidence: Evidence, ranks: Sequence[int]) -> bool:
    """Return whether a hand of fours of a kind only fits all that has been shown.

    ``ranks`` are the cards of each rank, as bit masks.
    """
    if riot.size % RIOT_SIZE:
        return False
    before = riot.before
    pick = one_of_each(*(part for rank in ranks for part in (rank & before, rank & ~before)))
    late = evidence.late is not None and riot.event > evidence.late.event
    for world in worlds(evidence, pick):
        must, may = world.held(riot.seat, late=late)
        if fours_fit(riot.size, must & ~before, may & ~before, ranks):
            return True
    return False


def fours_fit(size: int, must: int, may: int, ranks: Sequence[int]) -> bool:
    """Return whether ``size`` cards in whole fours can hold all of ``must``, out of ``may``."""
    if must & ~may:
        return False
    least = most = 0
    for rank in ranks:
        needed = -(-(must & rank).bit_count() // RIOT_SIZE) * RIOT_SIZE
        possible = (may & rank).bit_count() // RIOT_SIZE * RIOT_SIZE
        if needed > possible:
            return False
        least += needed
        most += possible
    return least <= size <= most
