"""Riots led: may the hand that remains be made of fours of a kind only (AD-24, AD-Q12)?

Nobody sees that hand, so the lead is a claim about it. It is irregular at once when no such hand
fits what has been shown, and proved false by the first later play after which none fits.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from referee.games.american_deuce.combinations import RIOT_SIZE
from referee.games.american_deuce.worlds import Evidence, World, bits, worlds


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
    return any(fours_fit(riot.size, must, may, ranks) for must, may in remaining(riot, evidence, ranks))


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


def remaining(riot: LedRiot, evidence: Evidence, ranks: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Yield, for every way the exchange may have gone, what that hand must and may hold."""
    seat = riot.seat
    others = evidence.seen(apart=(seat,))
    since = evidence.played[seat] & ~riot.before
    gone = others | riot.before
    traders = evidence.traders()
    entered = evidence.entered(apart=(seat, *traders))
    known = evidence.known[seat]
    if seat not in traders and known is not None:
        yield known & ~riot.before, known & ~riot.before
        return
    if not traders:
        yield since, evidence.everything & ~gone & ~entered
        return
    for given, returned in every_way(evidence, ranks):
        hands = after_exchange(evidence, given, returned)
        hand = hands[seat]
        if hand is not None:
            yield hand & ~riot.before, hand & ~riot.before
            continue
        elsewhere = gone | entered
        received = 0
        for trader in traders:
            if trader != seat:
                elsewhere |= hands[trader] or 0
        at_president, at_king = (0, given) if given == returned else (given, returned)
        if seat == evidence.president:
            received, elsewhere = at_president, elsewhere | at_king
        elif seat in traders:
            received, elsewhere = at_king, elsewhere | at_president
        else:
            elsewhere |= given | returned
        yield since | received & ~riot.before, evidence.everything & ~elsewhere


def after_exchange(evidence: Evidence, given: int, returned: int) -> dict[int, int | None]:
    """Return the traders' hands after this exchange, and the leader's, ``None`` where unknown."""
    hands: dict[int, int | None] = dict(enumerate(evidence.known))
    president, king = evidence.traders()
    hers, his = hands[president], hands[king]
    hands[president] = None if hers is None else (hers | given) & ~returned
    hands[king] = None if his is None else his & ~given | returned
    return hands


def every_way(evidence: Evidence, ranks: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Yield every exchange that makes a difference, as the bits given and returned.

    Of cards that nobody has shown and no entered hand holds, one of each rank stands for all.
    """
    unseen = evidence.unseen()
    tried = 0
    for world in worlds(evidence):
        if world.given & unseen:
            alike = next(rank for rank in ranks if rank & world.given) & unseen
            if alike & tried:
                continue
            tried |= world.given
        yield from ((world.given, returned) for returned in distinct(world, unseen, ranks))


def distinct(world: World, unseen: int, ranks: Sequence[int]) -> Iterator[int]:
    """Yield the cards that may have come back, one of each rank among those unseen."""
    yield from bits(world.returned & (~unseen | world.given))
    for rank in ranks:
        alike = world.returned & unseen & rank & ~world.given
        yield from bits(alike & -alike)
