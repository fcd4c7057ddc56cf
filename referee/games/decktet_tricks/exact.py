"""Exact bids, shared by Chicane and Wildcat Chicane."""

from dataclasses import replace
from typing import ClassVar

from referee.engine.events import Field
from referee.engine.rulings import Reason, ScoreLine
from referee.tricks.hand import TrickHand

MULTIPLES = (4, 2, 1)
"""Multipliers of a bid that is exact, one off, two off."""


class ExactBidsHand(TrickHand):
    """A hand in which an exact bid scores four times itself, one off twice, two off once.

    Further keys of ``CITES``: ``far-off`` and ``zero-bid``.
    """

    EXACT_BIDS: ClassVar[bool] = True

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
