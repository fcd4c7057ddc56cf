"""What Ace Trump and Ransom Trump share beyond all trick-taking: two-suit ties and bids."""

from referee.rulings import ScoreLine
from referee.tricktaking.hand import TrickHand
from referee.tricktaking.resolve import TieRule, earlier, symbol_rule
from referee.tricktaking.scoring import bid_line, by_seat, joint_bid_line, trick_line


class SuitedHand(TrickHand):
    """A hand in which every player reads both suits of a card alike."""

    __slots__ = ()

    def tie_rule(self) -> TieRule:
        """Return how equal cards that follow are told apart (AT-12 and its variants)."""
        lead = self.lead
        if lead is None or 1 << lead == self.rules.excuse:
            return earlier
        return symbol_rule(self.rules.pack, lead, self.rules.options["ties"])

    def points(self) -> tuple[int, ...] | None:
        """Return the points so far; with bidding only once the hand is over."""
        if self.rules.bidding and self.phase.value != "finished":
            return None
        if not self.rules.bidding:
            return self.tricks_won()
        return by_seat(self.point_lines(), self.rules.players)

    def point_lines(self) -> list[ScoreLine]:
        """Return one line per scoring seat: tricks, or bids."""
        tricks = self.tricks_won()
        if not self.rules.bidding:
            cite = self.CITES["tricks"]
            return [trick_line(seat, won, *cite) for seat, won in enumerate(tricks) if won]
        bids = [bid or 0 for bid in self.bids]
        cite = self.CITES["bid"]
        if self.rules.options["partner_bid"] == "joint":
            sides = sorted({tuple(sorted(side)) for side in self.rules.sides})
            return [joint_bid_line(side, bids, tricks, *cite, "AT-Q16") for side in sides]
        return [bid_line(seat, bids[seat], tricks[seat], *cite) for seat in range(len(bids))]
