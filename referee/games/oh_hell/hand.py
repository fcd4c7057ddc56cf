"""A hand of Oh Hell: a card turned up, exact bids, and tricks."""

from dataclasses import replace
from typing import Annotated, ClassVar

from referee.engine.claims import Places
from referee.engine.events import Ask, Bid, Turn
from referee.engine.rulings import Oddity, Reason, Refusal, ScoreLine, impossible
from referee.engine.state import BIDDING
from referee.games.oh_hell.rules import OhHellRules, bid_line, course_clauses
from referee.tricks.turned import TURN_UP, TurnedHand, TurnedParts
from referee.tricks.view import BIDS

BIDS_TOGETHER = Turn(
    "{seat} bids in secret: how many tricks?",
    "You bid in secret: how many tricks?",
    "Everyone bids in secret: how many tricks?",
    "{seats} bid in secret: how many tricks?",
)


class OhHellParts(TurnedParts):
    """Description of a hand with the card turned up and its place in the sequence."""

    hand_of_course: Annotated[int, "Its place in the course, from 1."]


class OhHellHand(TurnedHand):
    """A hand of Oh Hell: bids in turn or in secret, and tricks with the turned-up trump.

    The card turned up is set aside (OH-Q1).
    """

    rules: OhHellRules

    EXACT_BIDS: ClassVar[bool] = True
    CITES = {
        "highest-trump": ("OH-8",), "highest-follower": ("OH-8",), "earlier-of-equals": ("OH-8",),
        "follow": ("OH-7",), "turn-to-bid": ("OH-4",), "hook": ("OH-5",), "tricks": ("OH-9",),
        "lead": ("OH-6",), "deal": ("OH-2", "OH-3"), "turn-up": ("OH-3",), "turned-place": ("OH-Q1",),
        "suit-only": ("OH-Q2",), "not-turned": ("OH-Q3",), "in-order": ("OH-3", "OH-V4"), "no-trump": ("OH-3", "OH-V5"),
    }  # fmt: skip

    def turns_up(self) -> bool:
        """A card is turned up only if one is left after the deal (OH-3)."""
        return self.rules.turns_up(self.total)

    def beyond_deal(self, seat: int, card: int) -> Refusal | None:
        shown = self.rules.pack.cards[card]
        if self.turned is not None:
            wrong = impossible("not-in-hand", "OH-Q1", "REC-8", phrase="turned-card-played", card=shown)
            return wrong if card == self.turned else None
        if not self.turns_up() or self.trump is None or self.unplaced(self.trump) != 1 << card:
            return None
        return impossible("not-in-hand", "OH-Q1", "OH-Q2", "REC-8", phrase="last-of-turned-suit", card=shown)

    def may_hold(self, seat: int) -> int:
        """Cards that a seat may have played unseen; never the card turned up (OH-Q1)."""
        return super().may_hold(seat) & ~(0 if self.turned is None else 1 << self.turned)

    def kept_aside(self) -> tuple[int, ...]:
        """Possible cards of the one turned up, if only its suit is known (OH-Q2)."""
        if self.turned is not None or not self.turns_up() or self.trump is None:
            return ()
        return (self.unplaced(self.trump),)

    def split(self, gone: int, left: list[int]) -> tuple[Places, ...]:
        """Where unseen cards can be; the card turned up is set aside (OH-Q2)."""
        (places,) = super().split(gone, left)
        if self.turned is not None:
            return (Places(places.unseen & ~(1 << self.turned), places.room),)
        if not self.suit_only:
            return (places,)
        other_suits = self.rules.pack.everything & ~self.rules.suited[self.trump][0]
        return (Places(places.unseen, places.room, kept=((other_suits, 1),)),)

    def deal_clauses(self) -> tuple[str, ...]:
        return (*course_clauses(self.rules.options, self.rules.players), "OH-3")

    def bidders(self) -> tuple[int, ...]:
        """Seats in bidding order; none if everyone bids together (OH-V7)."""
        return () if self.rules.together else super().bidders()

    def to_act(self) -> tuple[int, ...]:
        """If everyone bids together, all who have not bid may act (OH-V7)."""
        return self.bid_next() if self.rules.together and self.phase is BIDDING else super().to_act()

    def bid_next(self) -> tuple[int, ...]:
        """The seats that can bid next: one in turn, or everyone left if they bid together (OH-4, OH-V7)."""
        without = tuple(seat for seat in self.in_bidding_order() if self.bids[seat] is None)
        return tuple(sorted(without)) if self.rules.together else without[:1]

    def odd_bid(self, event: Bid) -> list[Oddity]:
        """Joint bids are never irregular (OH-V7); a hook on a player who is not the dealer cites OH-Q4."""
        odd = [] if self.rules.together else super().odd_bid(event)
        for place, oddity in enumerate(odd):
            if oddity.code == "forbidden-bid" and event.seat != self.setup.dealer:
                reason = replace(oddity.reason, clauses=(*oddity.reason.clauses, "OH-Q4"))
                odd[place] = replace(oddity, reason=reason)
        return odd

    def forbidden_bid(self, seat: int) -> int | None:
        """The hook does not apply to bids made together (OH-5, OH-V7)."""
        return None if self.rules.together else super().forbidden_bid(seat)

    def score_line(self, seat: int, tricks: int, bid: int) -> ScoreLine:
        return bid_line(seat, bid, tricks, self.rules.options)

    # -- description ----------------------------------------------------------------------------

    def asks(self) -> tuple[Ask, ...]:
        """Adds bids before the card is turned up (OH-Q3), and secret bids (OH-V7)."""
        secret = self.rules.together
        bids = BIDS_TOGETHER if secret else BIDS
        if self.phase is TURN_UP:
            seats = self.bid_next()
            fields = self.bid_fields(seats[0])
            early = Ask("bid", "Enter the bids first", seats, fields, secret=secret, turn=bids)
            return (*super().asks(), early)
        if self.phase is BIDDING and secret:
            seats = self.to_act()
            return (Ask("bid", "Bid", seats, self.bid_fields(seats[0]), secret=True, turn=bids),)
        return super().asks()

    def unplayed(self) -> tuple[str, ...]:
        turned = None if self.turned is None else self.rules.pack.cards[self.turned].code
        return tuple(code for code in super().unplayed() if code != turned)

    def claims_of_cards(self) -> dict[str, Reason]:
        """The card turned up cannot be played, so it claims nothing (OH-Q1)."""
        left = self.unplayed()
        return {code: claim for code, claim in super().claims_of_cards().items() if code in left}

    def describe(self) -> OhHellParts:
        return {**super().describe(), "hand_of_course": self.setup.finished % len(self.rules.course) + 1}

    def trump_reason(self) -> Reason | None:
        """Why this suit, or none, is trump; the deal may have used up the pack (OH-3)."""
        if self.rules.options["trump"] == "turned" and not self.turns_up():
            return Reason("no-card-left", ("OH-3",))
        return super().trump_reason()
