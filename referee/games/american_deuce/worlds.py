"""Possible worlds: where cards may be, given entered hands, the exchange and the plays; and riots led."""

from collections.abc import Callable, Iterator, Sequence
from functools import reduce
from itertools import islice
from operator import or_
from typing import NamedTuple

from referee.games.american_deuce.combinations import RIOT_SIZE

# --- Possible worlds: where cards may be, given entered hands, the exchange and the plays
# An entered hand is known as dealt. The exchange moved one card to the President-Elect and one to the King's holder,
# who may get back the card just given. A *world* is one deal with one such exchange. For other hands, a world fixes the
# cards they must have had and those they may have had; the hand sizes bound what is between, so every answer here is
# exact. What fits no world cannot have happened (REC-8).

Pick = Callable[[int], Iterator[int]]
"""Yields representatives of a set of interchangeable cards."""


class Exchange(NamedTuple):
    """An exchange between the King's holder and the President-Elect (AD-7, AD-8).

    ``king`` is ``None`` if no one in the cabinet had the King, so nothing was exchanged. ``given`` and ``returned`` are
    card indices, ``None`` if unseen.
    """

    event: int
    king: int | None
    constipated: bool = False
    given: int | None = None
    returned: int | None = None


class Late(NamedTuple):
    """Two cards exchanged after the first trick, ``None`` if unseen (IR-12).

    ``givable`` is a mask of the cards the King's holder may have given, ``before`` the cards each seat had played by
    then. ``back``: the card that was not the lowest was returned to the President-Elect, and ``returned`` replaces it.
    """

    event: int
    given: int | None
    returned: int | None
    givable: int
    before: tuple[int, ...]
    back: bool


class Evidence(NamedTuple):
    """Evidence about the hands; card sets are masks, by seat.

    ``sizes`` are the hand sizes dealt, ``known`` the entered hands as dealt, ``played`` the cards played so far.
    """

    everything: int
    president: int
    sizes: tuple[int, ...]
    known: tuple[int | None, ...]
    played: tuple[int, ...]
    exchange: Exchange | None
    late: Late | None = None

    def traders(self) -> tuple[int, ...]:
        """The President-Elect's and the King's holder's seats; empty if nothing was exchanged."""
        if self.exchange is None or self.exchange.king is None:
            return ()
        return (self.president, self.exchange.king)

    def entered(self, *, apart: tuple[int, ...] = ()) -> int:
        """Cards of all entered hands, except those of ``apart``."""
        return union(k for seat, k in enumerate(self.known) if k and seat not in apart)

    def seen(self, *, apart: tuple[int, ...] = ()) -> int:
        """Cards played by all seats except ``apart``."""
        return union(p for seat, p in enumerate(self.played) if seat not in apart)

    def dealt(self, seat: int) -> int:
        """Cards this seat may have been dealt, according to entered hands."""
        known = self.known[seat]
        return self.everything & ~self.entered() if known is None else known

    def consistent(self) -> bool:
        """Return whether any world fits the evidence."""
        return next(worlds(self), None) is not None


class World(NamedTuple):
    """One possible deal and exchange; ``given`` and ``returned`` are single bits, 0 if nothing was exchanged.

    ``must`` holds the cards each seat was certainly dealt. ``late`` holds the cards given and returned when the
    exchange was corrected.
    """

    evidence: Evidence
    given: int
    returned: int
    must: tuple[int, ...]
    late: tuple[int, int] = (0, 0)

    def dealt(self, seat: int) -> tuple[int, int]:
        """Cards a seat was certainly dealt, and those it may have been dealt."""
        known = self.evidence.known[seat]
        if known is not None:
            return known, known
        elsewhere = union(cards for other, cards in enumerate(self.must) if other != seat)
        return self.must[seat], self.evidence.everything & ~elsewhere

    def held(self, seat: int, *, late: bool = False) -> tuple[int, int]:
        """Cards a seat certainly held after the exchange (``late``: its correction), and those it may have held."""
        must, may = self.dealt(seat)
        for given, returned in ((self.given, self.returned), self.late if late else (0, 0)):
            got, gave = moved(self.evidence, seat, given, returned)
            must, may = must & ~gave | got, may & ~gave | got
        return must, may

    def having(self, seat: int, cards: int) -> "World":
        """The same world, with these cards certainly dealt to ``seat``."""
        must = (*self.must[:seat], self.must[seat] | cards, *self.must[seat + 1 :])
        return self._replace(must=must)

    def allows(self, seat: int, *, holding: int = 0, lacking: int = 0) -> bool:
        """Return whether this seat may have been dealt all of ``holding`` and none of ``lacking``."""
        must, may = self.dealt(seat)
        must, may = must | holding, may & ~lacking
        return not must & ~may and must.bit_count() <= self.evidence.sizes[seat] <= may.bit_count()

    def may_lie_aside(self, card: int) -> bool:
        """Return whether this card may have been left undealt (AD-Q14)."""
        undealt = self.evidence.everything.bit_count() > sum(self.evidence.sizes)
        return undealt and not union(iter(self.must)) & card


def moved(evidence: Evidence, seat: int, given: int, returned: int) -> tuple[int, int]:
    """Cards a seat got and gave in an exchange; both 0 if the same card came back."""
    got, gave = given & ~returned, returned & ~given
    if seat == evidence.president:
        return got, gave
    return (gave, got) if seat in evidence.traders() else (0, 0)


def one(mask: int) -> Iterator[int]:
    """Yield one card of a set of interchangeable cards."""
    if mask:
        yield mask & -mask


def worlds(evidence: Evidence, pick: Pick = one) -> Iterator[World]:
    """Yield the worlds that fit the evidence; ``pick`` chooses representatives of interchangeable cards."""
    for before, late in before_late(evidence, pick):
        yield from (world._replace(late=late) for world in first_worlds(before, pick))


def before_late(evidence: Evidence, pick: Pick) -> Iterator[tuple[Evidence, tuple[int, int]]]:
    """Yield the evidence as it was before the late correction, with the cards exchanged then."""
    late = evidence.late
    if late is None:
        yield evidence, (0, 0)
        return
    president, king = evidence.traders()
    unplayed = evidence.everything & ~union(iter(evidence.played))
    hers, his = (evidence.played[seat] & ~late.before[seat] for seat in (president, king))
    for given in each(late.givable & (hers | unplayed)):
        for returned in returnable_late(evidence, late, his, unplayed & ~given, pick):
            shown = list(evidence.played)
            shown[president] = shown[president] & ~given | returned
            shown[king] = shown[king] & ~returned | given
            if all(cards.bit_count() <= size for cards, size in zip(shown, evidence.sizes, strict=True)):
                yield evidence._replace(played=tuple(shown), late=None), (given, returned)


def returnable_late(evidence: Evidence, late: Late, his: int, unplayed: int, pick: Pick) -> Iterator[int]:
    """Yield cards that may have gone to the King's holder late: all that seat played, and one of each other kind."""
    if late.returned is not None:
        yield from each((his | unplayed) & 1 << late.returned)
        return
    exchange = evidence.exchange
    told = () if exchange is None else (exchange.given, exchange.returned)
    recorded = union(1 << card for card in told if card is not None)
    yield from each(his | unplayed & recorded)
    of_president, of_king = (evidence.dealt(seat) for seat in evidence.traders())
    for kind in (of_president, of_king & ~of_president):
        yield from pick(unplayed & kind & ~recorded)


def each(cards: int) -> Iterator[int]:
    while cards:
        yield cards & -cards
        cards &= cards - 1


def first_worlds(evidence: Evidence, pick: Pick) -> Iterator[World]:
    """Yield the worlds that fit the evidence, apart from any late correction."""
    traders = evidence.traders()
    for seat, played in enumerate(evidence.played):
        if seat not in traders and played & ~evidence.dealt(seat):
            return
    fixed = [played if known is None else known for played, known in zip(evidence.played, evidence.known, strict=True)]
    if not traders:
        yield World(evidence, 0, 0, tuple(fixed))
        return
    if sum(cards.bit_count() for cards in evidence.played) != union(iter(evidence.played)).bit_count():
        return
    for given, returned in exchanges(evidence, pick):
        for seat in traders:
            if evidence.known[seat] is None:
                got, gave = moved(evidence, seat, given, returned)
                fixed[seat] = evidence.played[seat] & ~got | gave
        king = traders[1]
        fixed[king] |= given
        if all(fixed[seat].bit_count() <= evidence.sizes[seat] for seat in traders):
            yield World(evidence, given, returned, tuple(fixed))


def exchanges(evidence: Evidence, pick: Pick) -> Iterator[tuple[int, int]]:
    """Yield (given, returned), as bits, for every exchange that makes a difference.

    An unrecorded card has been played by its new holder, or came straight back and was played by the King's holder, or
    has not been played. Within each group, cards are interchangeable except as ``pick`` distinguishes them.
    """
    exchange = evidence.exchange
    assert exchange is not None
    hers, his = (evidence.played[seat] for seat in evidence.traders())
    recorded = 0 if exchange.returned is None else 1 << exchange.returned
    may_be_given = givable(evidence)
    for sort in (hers & ~recorded, his & ~recorded, ~(hers | his | recorded), recorded):
        for given in pick(may_be_given & sort):
            may_return = returnable(evidence, given)
            for kind in (~his & ~given, his & ~given):
                for returned in pick(may_return & kind):
                    yield given, returned
            if may_return & given:
                yield given, given


def givable(evidence: Evidence) -> int:
    """Cards the King's holder may have given."""
    traders = president, king = evidence.traders()
    exchange = evidence.exchange
    if exchange is None or (evidence.played[president] | evidence.played[king]) & evidence.entered(apart=traders):
        return 0
    cards = evidence.dealt(king) & ~evidence.seen(apart=traders) & brought(evidence, president, king)
    return cards if exchange.given is None else cards & 1 << exchange.given


def returnable(evidence: Evidence, given: int) -> int:
    """Cards that may have been returned for the one given."""
    traders = president, king = evidence.traders()
    hers, his = evidence.played[president], evidence.played[king]
    cards = evidence.dealt(president) & ~evidence.seen(apart=traders) & ~hers & ~given
    if not hers & given:
        cards |= given
    if evidence.exchange is not None and evidence.exchange.returned is not None:
        cards &= 1 << evidence.exchange.returned
    if his & given:
        cards &= given
    cards &= brought(evidence, king, president)
    if his.bit_count() == evidence.sizes[king]:  # with no cards left, the received card has been played too
        cards &= his
    if hers.bit_count() == evidence.sizes[president] and not hers & given:
        cards &= given
    return cards


def brought(evidence: Evidence, seat: int, other: int) -> int:
    """Cards this seat may have received: the one it played that only the other seat can have given, else any.

    With several such cards, none is possible.
    """
    known = evidence.known[seat]
    foreign = evidence.played[seat] & (evidence.known[other] or 0 if known is None else ~known)
    if not foreign:
        return evidence.everything
    return 0 if foreign & (foreign - 1) else foreign


def union(masks: Iterator[int]) -> int:
    return reduce(or_, masks, 0)


def one_of_each(*classes: int) -> Pick:
    """Pick one card of each class, and one in no class."""
    rest = ~union(iter(classes))
    return lambda mask: (cards & -cards for c in (*classes, rest) if (cards := mask & c))


def lowest_two(ladder: Sequence[int]) -> Pick:
    """Pick the two lowest cards by ``ladder``."""
    return lambda mask: islice((1 << card for card in ladder if mask >> card & 1), 2)


# --- Riots led: can the remaining hand consist only of fours of a kind (AD-24, AD-Q12)?
# No one sees that hand, so the lead is a claim about it. It is irregular at once if no such hand fits the evidence, and
# proved false by the first later play after which none fits.


class LedRiot(NamedTuple):
    """A claim: the ``size`` cards left after this riot are all in fours.

    ``before`` is a mask of the cards its player had played by then.
    """

    seat: int
    event: int
    trick: int
    size: int
    before: int


def may_be_fours(riot: LedRiot, evidence: Evidence, ranks: Sequence[int]) -> bool:
    """Return whether some hand made only of fours fits the evidence; ``ranks`` holds the cards of each rank."""
    before = riot.before
    pick = one_of_each(*(part for rank in ranks for part in (rank & before, rank & ~before)))
    late = evidence.late is not None and riot.event > evidence.late.event
    for world in worlds(evidence, pick) if riot.size % RIOT_SIZE == 0 else ():
        must, may = (cards & ~before for cards in world.held(riot.seat, late=late))
        if must & ~may:
            continue
        needed = [-(-(must & rank).bit_count() // RIOT_SIZE) * RIOT_SIZE for rank in ranks]
        possible = [(may & rank).bit_count() // RIOT_SIZE * RIOT_SIZE for rank in ranks]
        fits = all(least <= most for least, most in zip(needed, possible, strict=True))
        if fits and sum(needed) <= riot.size <= sum(possible):
            return True
    return False
