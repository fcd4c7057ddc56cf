"""Where cards may lie: entered hands, what was exchanged, what has been played since; and what a riot led needs."""

from collections.abc import Callable, Iterator, Sequence
from functools import reduce
from itertools import islice
from operator import or_
from typing import NamedTuple

from referee.games.american_deuce.combinations import RIOT_SIZE

# --- Where cards may lie: entered hands, what was exchanged, and what has been played since
# A hand that somebody entered is known as dealt. The exchange then moved one card to the
# President-Elect and one to the King, who may also get back the card just given. A *world* is one
# deal with one such exchange. Which other cards a hand was dealt is open between the cards it must
# have held and those it may have held; the numbers of cards close the gap, so that every answer
# here is exact. What leaves no world cannot have happened (REC-8).

Pick = Callable[[int], Iterator[int]]
"""Yields, of cards that came the same way, single ones that can stand for all of them."""


class Exchange(NamedTuple):
    """An exchange between the King's holder and the President-Elect (AD-7, AD-8).

    ``king`` is ``None`` if no one of the cabinet held the King: nothing was exchanged then. ``given`` and ``returned``
    are cards, ``None`` if unseen.
    """

    event: int
    king: int | None
    constipated: bool = False
    given: int | None = None
    returned: int | None = None


class Late(NamedTuple):
    """Two cards that changed hands after the first trick, ``None`` if unseen (IR-12).

    ``givable`` are those that the King may have given, ``before`` the cards each seat had played by then. ``back``: the
    card that was not the lowest went back, and ``returned`` takes its place.
    """

    event: int
    given: int | None
    returned: int | None
    givable: int
    before: tuple[int, ...]
    back: bool


class Evidence(NamedTuple):
    """What has been shown of the hands, as bit masks by seat.

    ``sizes`` are the hands as dealt, by number, ``known`` those entered, as dealt; ``played`` the
    cards played so far.
    """

    everything: int
    president: int
    sizes: tuple[int, ...]
    known: tuple[int | None, ...]
    played: tuple[int, ...]
    exchange: Exchange | None
    late: Late | None = None

    def traders(self) -> tuple[int, ...]:
        """Return the seats that exchanged cards: President-Elect and King, or none."""
        if self.exchange is None or self.exchange.king is None:
            return ()
        return (self.president, self.exchange.king)

    def entered(self, *, apart: tuple[int, ...] = ()) -> int:
        """Return the cards of all hands entered, some seats apart."""
        return union(k for seat, k in enumerate(self.known) if k and seat not in apart)

    def seen(self, *, apart: tuple[int, ...] = ()) -> int:
        """Return the cards played by all seats, some apart."""
        return union(p for seat, p in enumerate(self.played) if seat not in apart)

    def dealt(self, seat: int) -> int:
        """Return the cards that this seat may have been dealt, by the hands entered."""
        known = self.known[seat]
        return self.everything & ~self.entered() if known is None else known

    def consistent(self) -> bool:
        """Return whether all this can have happened."""
        return next(worlds(self), None) is not None


class World(NamedTuple):
    """One way the exchange may have gone: the cards given and returned, as bits; 0 where nothing was exchanged.

    ``must`` are the cards that each seat was dealt for certain, by seat. ``late`` are the cards given and returned when
    the exchange was put right.
    """

    evidence: Evidence
    given: int
    returned: int
    must: tuple[int, ...]
    late: tuple[int, int] = (0, 0)

    def dealt(self, seat: int) -> tuple[int, int]:
        """Return the cards a seat was dealt for certain, and all that it may have been dealt."""
        known = self.evidence.known[seat]
        if known is not None:
            return known, known
        elsewhere = union(cards for other, cards in enumerate(self.must) if other != seat)
        return self.must[seat], self.evidence.everything & ~elsewhere

    def held(self, seat: int, *, late: bool = False) -> tuple[int, int]:
        """Return what a seat held for certain once the exchange was over, or put right, and all it may have held."""
        must, may = self.dealt(seat)
        for given, returned in ((self.given, self.returned), self.late if late else (0, 0)):
            got, gave = moved(self.evidence, seat, given, returned)
            must, may = must & ~gave | got, may & ~gave | got
        return must, may

    def having(self, seat: int, cards: int) -> "World":
        """Return the same world in which a seat was dealt these cards for certain, too."""
        must = (*self.must[:seat], self.must[seat] | cards, *self.must[seat + 1 :])
        return self._replace(must=must)

    def allows(self, seat: int, *, holding: int = 0, lacking: int = 0) -> bool:
        """Return whether this seat may have been dealt all of some cards and none of others."""
        must, may = self.dealt(seat)
        must, may = must | holding, may & ~lacking
        return not must & ~may and must.bit_count() <= self.evidence.sizes[seat] <= may.bit_count()

    def may_lie_aside(self, card: int) -> bool:
        """Return whether this card may not have been dealt to anyone (AD-Q14)."""
        undealt = self.evidence.everything.bit_count() > sum(self.evidence.sizes)
        return undealt and not union(iter(self.must)) & card


def moved(evidence: Evidence, seat: int, given: int, returned: int) -> tuple[int, int]:
    """Return what a seat got in an exchange and what it gave away; both are nothing where a card came straight back."""
    got, gave = given & ~returned, returned & ~given
    if seat == evidence.president:
        return got, gave
    return (gave, got) if seat in evidence.traders() else (0, 0)


def one(mask: int) -> Iterator[int]:
    """Yield one card of a set: they are all alike."""
    if mask:
        yield mask & -mask


def worlds(evidence: Evidence, pick: Pick = one) -> Iterator[World]:
    """Yield ways the exchange may have gone; ``pick`` says which cards can stand for all others, else any one."""
    for before, late in before_late(evidence, pick):
        yield from (world._replace(late=late) for world in first_worlds(before, pick))


def before_late(evidence: Evidence, pick: Pick) -> Iterator[tuple[Evidence, tuple[int, int]]]:
    """Yield what is shown of the hands as they were before an exchange was put right, and the cards that moved then."""
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
    """Yield cards that may have gone to the King late: each that he has played, of those alike some."""
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
    """Yield ways the exchange itself may have gone."""
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
    """Yield the cards given and returned, as bits, of every exchange that makes a difference.

    A card that no one recorded is one that its new holder has played since, or one that came straight back and was
    played by the King, or one that no one has played; cards of the same sort are alike but for what ``pick`` tells
    apart.
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
    """Return the cards that the King may have given."""
    traders = president, king = evidence.traders()
    exchange = evidence.exchange
    if exchange is None or (evidence.played[president] | evidence.played[king]) & evidence.entered(apart=traders):
        return 0
    cards = evidence.dealt(king) & ~evidence.seen(apart=traders) & brought(evidence, president, king)
    return cards if exchange.given is None else cards & 1 << exchange.given


def returnable(evidence: Evidence, given: int) -> int:
    """Return the cards that may have come back for the one given."""
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
    if his.bit_count() == evidence.sizes[king]:  # who is out of cards has played what came in the exchange
        cards &= his
    if hers.bit_count() == evidence.sizes[president] and not hers & given:
        cards &= given
    return cards


def brought(evidence: Evidence, seat: int, other: int) -> int:
    """Return what this trader can have got: a card that it played and can only have from the other one, if there is.

    Of several such cards none can be it.
    """
    known = evidence.known[seat]
    foreign = evidence.played[seat] & (evidence.known[other] or 0 if known is None else ~known)
    if not foreign:
        return evidence.everything
    return 0 if foreign & (foreign - 1) else foreign


def union(masks: Iterator[int]) -> int:
    return reduce(or_, masks, 0)


def one_of_each(*classes: int) -> Pick:
    """Return a pick that takes one card of each class, and one of those in none."""
    rest = ~union(iter(classes))
    return lambda mask: (cards & -cards for c in (*classes, rest) if (cards := mask & c))


def lowest_two(ladder: Sequence[int]) -> Pick:
    """Return a pick that takes the two lowest cards, by a ladder from the lowest up."""
    return lambda mask: islice((1 << card for card in ladder if mask >> card & 1), 2)


# --- Riots led: may the hand that remains be made of fours of a kind only (AD-24, AD-Q12)?
# Nobody sees that hand, so the lead is a claim about it. It is irregular at once when no such hand
# fits what has been shown, and proved false by the first later play after which none fits.


class LedRiot(NamedTuple):
    """A claim: after this riot ``size`` cards were left, all in fours; ``before`` were played by then."""

    seat: int
    event: int
    trick: int
    size: int
    before: int


def may_be_fours(riot: LedRiot, evidence: Evidence, ranks: Sequence[int]) -> bool:
    """Return whether a hand of fours only fits all that has been shown; ``ranks`` are the cards of each rank."""
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
