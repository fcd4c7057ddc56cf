"""A hand of Spades: contracts, nils, tricks with spades as trump, and bags."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import ClassVar

from referee.engine.event_kinds import Event
from referee.engine.events import Ask, Bid
from referee.engine.rulings import (
    Certainty,
    Irregularity,
    Oddity,
    Reason,
    Refusal,
    Remedy,
    ScoreLine,
    Undertaken,
    impossible,
)
from referee.engine.state import BIDDING, FINISHED, per_seat
from referee.games.spades.contracts import FAILED, MADE, NO_NIL, Bidder, Side, score
from referee.tricks.bridge import THREE_TRICKS, give_three, three_tricks
from referee.tricks.leads import BrokenParts, LowClubHand
from referee.tricks.rules import TrickRules
from referee.tricks.view import BIDS

BEHIND = 100
"""Points a side must be behind to bid blind nil (SP-5)."""


@dataclass(frozen=True)
class SpadesRules(TrickRules):
    def has_bids(self) -> bool:
        return True

    def trump_suits(self) -> tuple[str, ...]:
        return ("S",)


class SpadesHand(LowClubHand):
    """A hand of Spades; ``unlooked`` marks seats that bid blind (SP-5)."""

    rules: SpadesRules
    unlooked: tuple[bool, ...] = per_seat(False)

    EXACT_BIDS: ClassVar[bool] = True
    POOLS: ClassVar[bool] = True
    REMEDIES: ClassVar[Mapping[str, Remedy]] = {
        **LowClubHand.REMEDIES, THREE_TRICKS: three_tricks("SP-R1", "SP-R2")
    }  # fmt: skip
    PROVED_REMEDIES: ClassVar[tuple[str, ...]] = (
        "correct", "stand", "bridge", THREE_TRICKS, "equity", "hand-zero", "penalty", "redeal",
    )  # fmt: skip
    LEAD_OPTION: ClassVar[str] = "spades_lead"
    CITES = {
        "highest-trump": ("SP-7",), "highest-follower": ("SP-7",), "earlier-of-equals": ("SP-7",), "follow": ("SP-7",),
        "turn-to-bid": ("SP-3",), "trump-led": ("SP-8",), "tricks": ("SP-9",), "bid": ("SP-3",),
        "lead": ("SP-6", "SP-7"), "deal": ("SP-2",),
    }  # fmt: skip

    # -- bids (SP-3 .. SP-5) -----------------------------------------------------------------------

    def take_bid(self, event: Bid) -> Refusal | None:
        refusal = super().take_bid(event)
        if refusal is None and event.blind:
            self.unlooked = (*self.unlooked[: event.seat], True, *self.unlooked[event.seat + 1 :])
        return refusal

    def has_nils(self) -> bool:
        return bool(self.rules.options["nil"] != "off")

    def unfit_blind(self, event: Bid) -> Refusal | None:
        if event.tricks or not self.has_nils():
            return impossible("bad-bid", "SP-5", "REC-10", phrase="no-such-blind-bid")
        return None

    def may_bid_blind(self, seat: int) -> bool:
        """Return whether a seat may bid blind nil: always, or if its side is far enough behind (SP-5)."""
        if self.rules.options["blind_nil"] != "behind":
            return self.has_nils() and self.rules.options["blind_nil"] == "always"
        totals, side = self.setup.totals or self.rules.nobody, self.rules.sides[seat]
        best = max(total for other, total in enumerate(totals) if other not in side)
        return self.has_nils() and totals[seat] <= best - BEHIND

    def odd_bid(self, event: Bid) -> list[Oddity]:
        odd = super().odd_bid(event)
        if event.blind and not self.may_bid_blind(event.seat):
            phrase = "blind-not-played" if self.rules.options["blind_nil"] == "off" else "blind-too-near"
            reason = Reason("forbidden-bid", ("SP-5",), {"seat": event.seat, "points": BEHIND}, phrase)
            odd.append(Oddity("forbidden-bid", event.seat, reason))
        return odd

    # -- leads (SP-6, SP-8) ------------------------------------------------------------------------

    def no_spade_first(self) -> bool:
        """Return whether spades may not be led because this is the first trick (SP-6)."""
        return self.is_first_trick() and self.rules.options["opening"] == "left"

    def guarded(self, seat: int) -> int:
        return self.held_back() if self.no_spade_first() else super().guarded(seat)

    def guard_clauses(self) -> tuple[str, ...]:
        free = self.led_when() == self.rules.options["spades_lead"] == "free"
        return (("SP-6",) if free else ("SP-6", "SP-8")) if self.no_spade_first() else super().guard_clauses()

    # -- scores (SP-9 .. SP-12) --------------------------------------------------------------------

    def scored_with(self, seat: int) -> tuple[int, ...]:
        return self.rules.sides[seat]

    def is_nil(self, seat: int) -> bool:
        return self.bids[seat] == 0 and self.has_nils()

    def pooled_sides(self) -> tuple[tuple[int, ...], ...]:
        """Partnerships without a nil: who of the two took a trick does not matter."""
        return tuple(side for side in super().pooled_sides() if side[1:] and not any(map(self.is_nil, side)))

    def revoked(self, found: Irregularity) -> bool:
        """Return whether a finding is a revoke by one certain player (SP-R3)."""
        return found.code in self.REVOKES and found.certainty is not Certainty.JOINT

    def nil_of(self, seat: int) -> str:
        """Outcome of a seat's nil; a trick in which an opponent revoked does not break it (SP-4, SP-R3)."""
        if not self.is_nil(seat):
            return NO_NIL
        side = self.rules.sides[seat]
        revokes = [found for found in self.irregularities if self.revoked(found)]
        if any(found.seat == seat for found in revokes):
            return FAILED
        spoiled = {found.trick for found in revokes if found.seat not in side}
        won = {number for number, trick in enumerate(self.taken, 1) if trick.winner == seat}
        return MADE if not self.won[seat] or (self.won[seat] == 1 and won and won <= spoiled) else FAILED

    def side_of(self, seats: tuple[int, ...]) -> Side:
        """A side with its bids and tricks; tricks lost for a revoke are deducted, those gained counted separately."""
        moved = self.moved()
        gained = sum(max(0, moved[seat]) for seat in seats)
        bidders = tuple(
            Bidder(
                seat, self.bids[seat] or 0, self.won[seat] + min(0, moved[seat]), self.unlooked[seat], self.nil_of(seat)
            )
            for seat in seats
        )  # fmt: skip
        alone = all(bidder.nil for bidder in bidders)
        bags = self.setup.bags[seats[0]] if self.setup.bags else 0
        return Side(bidders, bags, 0 if alone else gained)

    def all_sides(self) -> tuple[Side, ...]:
        return tuple(self.side_of(side) for side in dict.fromkeys(self.rules.sides))

    def point_lines(self) -> list[ScoreLine]:
        return [line for side in self.all_sides() for line in score(side, self.rules.options)[0]]

    def bags_after(self) -> tuple[int, ...]:
        """Bags of each seat's side, after this hand once it is over (SP-10)."""
        if self.phase is not FINISHED:
            return self.setup.bags or self.rules.nobody
        accounts = {
            bidder.seat: score(side, self.rules.options)[1] for side in self.all_sides() for bidder in side.bidders
        }
        return tuple(accounts[seat] for seat in range(self.rules.players))

    def undertaken(self) -> tuple[Undertaken | None, ...]:
        if None in self.bids:
            return (None,) * self.rules.players
        sides = {bidder.seat: side for side in self.all_sides() for bidder in side.bidders}
        return tuple(
            Undertaken(0, 0 if self.nil_of(seat) == MADE else self.won[seat] or 1)
            if self.is_nil(seat)
            else Undertaken(sides[seat].contract, sides[seat].tricks(self.rules.options))
            for seat in range(self.rules.players)
        )

    # -- penalties for a revoke (SP-R1, SP-R2) ------------------------------------------------------

    def carry_out(self, remedy: str, found: Irregularity, why: str) -> tuple[Event, ...] | Reason:
        if remedy != THREE_TRICKS:
            return super().carry_out(remedy, found, why)
        if found.offender is None:
            return Reason("remedy-nobody", ("REC-18",))
        if self.phase is not FINISHED:
            return Reason("remedy-at-end", ("SP-R1",))
        moved = give_three(self, found.offender, why)
        return tuple(replace(each, to_seat=self.heir_of(each.to_seat)) for each in moved)

    def heir_of(self, taker: int) -> int:
        """The seat of a side that receives tricks given up: a player who did not bid nil (SP-R2)."""
        return next((seat for seat in self.rules.sides[taker] if not self.is_nil(seat)), taker)

    def applies(self, remedy: str, found: Irregularity) -> bool:
        return super().applies(remedy, found) and (remedy != THREE_TRICKS or len(self.rules.sides[0]) > 1)

    # -- description -------------------------------------------------------------------------------

    def asks(self) -> tuple[Ask, ...]:
        asks = super().asks()
        if self.phase is not BIDDING:
            return asks
        blind = tuple(
            Ask("bid", "Blind nil", (seat,), fixed={"tricks": 0, "blind": True}, turn=BIDS)
            for seat in self.to_act() if self.may_bid_blind(seat)
        )  # fmt: skip
        return (*asks[:1], *blind, *asks[1:])

    def contracts(self) -> list[int | None]:
        bids = [[self.bids[seat] for seat in side] for side in self.rules.sides]
        return [None if None in side else sum(bid or 0 for bid in side) for side in bids]

    def describe(self) -> BrokenParts:
        notes = ["blind nil" if self.unlooked[seat] else "nil" if self.is_nil(seat) else None
                 for seat in range(self.rules.players)]  # fmt: skip
        return {
            **super().describe(),
            "contracts": self.contracts(), "bags": list(self.bags_after()), "seat_notes": notes,
        }  # fmt: skip
