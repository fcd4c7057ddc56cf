"""Where cards may lie: entered hands, what was exchanged, and what has been played since.

A hand that somebody entered is known as dealt. The exchange then moved one card to the
President-Elect and one to the King; where a card of it was not seen, every card it may have
been is tried. A play that leaves none of these worlds is of a card that lies elsewhere (REC-8).
"""

from collections.abc import Iterator
from functools import reduce
from operator import or_
from typing import NamedTuple


class Exchange(NamedTuple):
    """An exchange between the King's holder and the President-Elect (AD-7, AD-8).

    ``king`` is ``None`` where nobody of the cabinet held the King: nothing was exchanged then.
    ``given`` and ``returned`` are cards, ``None`` where unseen.
    """

    event: int
    king: int | None
    constipated: bool = False
    given: int | None = None
    returned: int | None = None

    def may_come_back(self) -> bool:
        """Return whether the card given may be the card that came back (AD-Q9).

        After a deuce it is only where the record says so, or leaves it open.
        """
        open_or_same = self.returned is not None and self.given in (None, self.returned)
        return self.constipated or open_or_same


class World(NamedTuple):
    """One way the exchange may have gone: a card given, and every card that may have come back."""

    given: int
    returned: int


class Evidence(NamedTuple):
    """What has been shown of the hands (RULES section 6), as bit masks by seat.

    ``sizes`` are the hands as dealt, by number, ``known`` those entered, as dealt; ``played`` the
    cards played so far.
    """

    everything: int
    president: int
    sizes: tuple[int, ...]
    known: tuple[int | None, ...]
    played: tuple[int, ...]
    exchange: Exchange | None

    def traders(self) -> tuple[int, ...]:
        """Return the seats that exchanged cards: President-Elect and King, or none."""
        if self.exchange is None or self.exchange.king is None:
            return ()
        return (self.president, self.exchange.king)

    def entered(self, *, apart: tuple[int, ...] = ()) -> int:
        """Return the cards of all hands entered, some seats apart."""
        return union(k for seat, k in enumerate(self.known) if k and seat not in apart)

    def seen(self, *, apart: tuple[int, ...]) -> int:
        """Return the cards played by all seats, some apart."""
        return union(p for seat, p in enumerate(self.played) if seat not in apart)

    def dealt(self, seat: int) -> int:
        """Return the cards that this seat may have been dealt."""
        known = self.known[seat]
        return self.everything & ~self.entered() if known is None else known

    def consistent(self) -> bool:
        """Return whether all this can have happened."""
        traders = self.traders()
        for seat, played in enumerate(self.played):
            if seat not in traders and played & ~self.dealt(seat):
                return False
        return not traders or next(worlds(self), None) is not None

    def unseen(self) -> int:
        """Return the cards that nobody has shown in any way."""
        shown = self.entered() | self.seen(apart=())
        if self.exchange is not None:
            for card in (self.exchange.given, self.exchange.returned):
                shown |= 0 if card is None else 1 << card
        return self.everything & ~shown


def union(masks: Iterator[int]) -> int:
    """Return the union of bit masks."""
    return reduce(or_, masks, 0)


def bits(mask: int) -> Iterator[int]:
    """Yield the single bits of a mask, lowest first."""
    while mask:
        bit = mask & -mask
        yield bit
        mask ^= bit


def worlds(evidence: Evidence) -> Iterator[World]:
    """Yield every way the exchange may have gone, as bit masks: exact, one for each card given.

    There must have been an exchange. What the two played since comes from their dealt hands,
    less what each gave away, plus what each received; who is out of cards has played that too.
    """
    traders = president, king = evidence.traders()
    exchange = evidence.exchange
    assert exchange is not None
    beyond = evidence.entered(apart=traders)
    hers, his = evidence.played[president], evidence.played[king]
    if (hers | his) & beyond:
        return
    others = evidence.seen(apart=traders)
    her_deal, his_deal = evidence.dealt(president), evidence.dealt(king)
    she_got = foreign(evidence, president, king)
    he_got = foreign(evidence, king, president)
    if not (single(she_got) and single(he_got)):
        return
    candidates = his_deal & ~others
    if exchange.given is not None:
        candidates &= 1 << exchange.given
    if she_got:
        candidates &= she_got
    back = her_deal & ~others & ~hers
    for given in bits(candidates):
        returned = back & ~given
        if exchange.may_come_back():
            returned |= given & ~hers
        if exchange.returned is not None:
            returned &= 1 << exchange.returned
        if his & given:
            returned &= given
        if he_got:
            returned &= he_got
        if his.bit_count() == evidence.sizes[king]:
            returned &= his
        if hers.bit_count() == evidence.sizes[president] and not hers & given:
            returned &= given
        if returned:
            yield World(given, returned)


def foreign(evidence: Evidence, seat: int, other: int) -> int:
    """Return the cards this trader played that can only have come from the other one."""
    known = evidence.known[seat]
    if known is not None:
        return evidence.played[seat] & ~known
    return evidence.played[seat] & (evidence.known[other] or 0)


def single(mask: int) -> bool:
    """Return whether a mask has at most one bit."""
    return not mask & (mask - 1)


def acquired(evidence: Evidence, seat: int) -> int:
    """Return the cards this trader may have received from the other one."""
    found = 0
    for world in worlds(evidence):
        found |= world.given if seat == evidence.president else world.returned
    return found
