"""What Chicane and Wildcat Chicane share: each card counts as one of its suits, and bids are to be met exactly."""

from abc import abstractmethod
from dataclasses import replace
from functools import cache
from typing import ClassVar

from referee.engine.events import Field
from referee.engine.rulings import Reason, ScoreLine
from referee.engine.sheet import TrickEntry
from referee.packs import Pack
from referee.tricks.hand import TrickHand
from referee.tricks.rules import Played, TrickRules

MULTIPLES = (4, 2, 1)
"""Multipliers of a bid that is exact, one off, two off."""
TOP_SUIT, BOTTOM_SUIT = 0, -1


@cache
def readings(pack: Pack, place: int) -> dict[str, int]:
    """Return the cards of each suit, as masks, if the suit at this place of each card counts."""
    return {suit.code: pack.mask(c.index for c in pack.cards if c.suits[place] == suit.code) for suit in pack.suits}


class ExactBidsRules(TrickRules):
    def has_bids(self) -> bool:
        return True


class ExactBidsHand(TrickHand):
    """A hand in which an exact bid scores four times itself, one off twice, two off once.

    Each seat reads one suit of every card (``place_read``), and has a trump of its own (``own_trump``), which may be
    everyone's. Further keys of ``CITES``: ``far-off`` and ``zero-bid``.
    """

    EXACT_BIDS: ClassVar[bool] = True

    # -- how cards are read ------------------------------------------------------------------------

    @abstractmethod
    def place_read(self, seat: int) -> int | None:
        """Return ``TOP_SUIT`` or ``BOTTOM_SUIT``; ``None`` while that is open."""

    def own_trump(self, seat: int) -> str | None:
        return self.trump

    def own(self, seat: int) -> dict[str, int]:
        """Masks of the cards of each suit as this seat reads them; empty while that is open."""
        place = self.place_read(seat)
        return {} if place is None else readings(self.rules.pack, place)

    def suit_of(self, seat: int, card: int) -> str | None:
        return next((suit for suit, cards in self.own(seat).items() if cards >> card & 1), None)

    def reading_of(self, seat: int, suit: str) -> int:
        return self.own(seat).get(suit, 0)

    def open_suit(self, seat: int, card: int, suit: str | None) -> None:
        """The suit led is the one that its player reads; the others follow it by their own reading."""
        self.lead = card
        led = str(self.suit_of(seat, card))
        self.follows = tuple(self.own(other)[led] for other in range(self.rules.players))

    def trumps(self) -> tuple[int, ...]:
        return tuple(self.reading_of(seat, self.own_trump(seat) or "") for seat in range(self.rules.players))

    def entry(self, number: int, leader: int, plays: tuple[Played, ...]) -> TrickEntry:
        """Describe a trick; ``reads`` gives each card's suit as its player reads it."""
        return {**super().entry(number, leader, plays), "reads": [self.suit_of(seat, card) for seat, card, *_ in plays]}

    # -- bids --------------------------------------------------------------------------------------

    def score_line(self, seat: int, tricks: int, bid: int) -> ScoreLine:
        off, options = abs(tricks - bid), self.rules.options
        facts = {"seat": seat, "bid": bid, "tricks": tricks, "off": off}
        if bid == 0 and off == 0:
            points = options["zero_bid"]
            return ScoreLine(seat, points, Reason("zero-bid", self.CITES["zero-bid"], facts | {"sum": points}))
        if off < len(MULTIPLES):
            points = MULTIPLES[off] * bid
            facts |= {"times": MULTIPLES[off], "sum": points}
            return ScoreLine(seat, points, Reason("bid-off-by" if off else "bid-exact", self.CITES["tricks"], facts))
        points = -options["miss_penalty"]
        return ScoreLine(seat, points, Reason("bid-far-off", self.CITES["far-off"], facts | {"sum": points}))

    def bid_fields(self, seat: int) -> tuple[Field, ...]:
        (field,) = super().bid_fields(seat)
        zero = Reason("zero-brings-nothing", self.CITES["zero-bid"])
        return (replace(field, warnings=(*field.warnings, *(() if self.rules.options["zero_bid"] else (zero,)))),)
