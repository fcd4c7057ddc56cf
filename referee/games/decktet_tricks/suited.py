"""What Ace Trump and Ransom Trump share beyond all trick-taking: two-suit ties and bids."""

from referee.engine.language import say
from referee.engine.rulings import Reason, ScoreLine
from referee.packs.decktet import SUITS, plural
from referee.tricks.hand import TrickHand
from referee.tricks.resolve import TieRule, earlier, symbol_rule
from referee.tricks.scoring import bid_line, by_seat, joint_bid_line, trick_line

SINGLE = {"P": "AT-17", "C": "AT-Q11"}
"""Ranks whose ties always go to the earlier card, and the clause that says so."""
SUIT_NAMES = {suit.code: suit.name for suit in SUITS}


class SuitedHand(TrickHand):
    """A hand in which every player reads both suits of a card alike."""

    __slots__ = ()

    def explain(self, code: str, card: int) -> Reason:
        """Return why this card won; a tie names the rule that broke it."""
        reason = super().explain(code, card)
        if code in ("highest-trump", "highest-follower"):
            return reason
        cards = self.rules.pack.cards
        rank = cards[card].rank
        facts: dict[str, object] = {"card": cards[card], "rank": say(plural(rank))}
        cite = self.CITES[code][0]
        if code == "higher-symbol" and self.lead is not None:
            lead = cards[self.lead]
            suit = next(s for s in lead.suits if s in cards[card].suits)
            facts |= {"suit": say(SUIT_NAMES[suit]), "lead": lead}
            return Reason(code, self.CITES[code], facts)
        if rank in SINGLE:
            trumped = self.trumps()[0] >> card & 1
            clauses = (cite, "AT-Q6") if trumped else (cite, SINGLE[rank])
            return Reason(code, clauses, facts, "earlier-pawn")
        if code == "later-of-equals":
            return Reason(code, (cite, "AT-V8"), facts)
        if self.lead is not None and 1 << self.lead == self.rules.excuse:
            return Reason(code, (cite, "AT-Q9"), facts)
        return Reason(code, (cite, "AT-V2"), facts, "earlier-bird")

    def tie_rule(self) -> TieRule:
        """Return how equal cards that follow are told apart (AT-12 and its variants)."""
        lead = self.lead
        if lead is None or 1 << lead == self.rules.excuse:
            return earlier
        return symbol_rule(self.rules.pack, lead, self.rules.options["ties"])

    def scored_with(self, seat: int) -> tuple[int, ...]:
        """Return the seats of a joint bid, whose one score stands at the lower seat (AT-Q16)."""
        joint = self.rules.bidding and self.rules.options["partner_bid"] == "joint"
        return self.rules.sides[seat] if joint else (seat,)

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
