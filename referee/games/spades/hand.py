"""A hand of Spades: contracts, nils, tricks with spades as trump, and bags."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import ClassVar, NamedTuple

from referee.engine.event_kinds import Event
from referee.engine.events import Ask, Bid
from referee.engine.rules import Options
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
from referee.tricks.bridge import THREE_TRICKS, give_three, three_tricks
from referee.tricks.hand import BIDS
from referee.tricks.leads import BrokenParts, LowClubHand
from referee.tricks.rules import TrickRules

# --- The score of a side: contract, nils and bags

A_TRICK = 10
"""Points per trick of a contract (SP-9)."""
BLIND_TIMES = 2
"""A blind nil is worth this many nils (SP-11)."""
ACCOUNTS = {"ten": (10, 100), "five": (5, 50)}
"""Penalties for bags: (bags, points) (SP-10)."""
BAGS_ARE = {1: "bags", 0: "bags-free", -1: "bags-lose"}
"""Sentence keys for bags, by points per bag (SP-9)."""
NO_NIL, MADE, FAILED = "", "made", "failed"
"""Outcome of a nil bid: none was bid, it was made, or it failed."""


class Bidder(NamedTuple):
    """A seat's bid and tricks at the end of a hand, and the outcome of its nil."""

    seat: int
    bid: int
    tricks: int
    blind: bool = False
    nil: str = NO_NIL


class Side(NamedTuple):
    """Bidders who share a contract; ``gained`` counts tricks the other side gave up to them."""

    bidders: tuple[Bidder, ...]
    bags: int = 0
    gained: int = 0

    @property
    def seat(self) -> int:
        """The seat that holds the side's score."""
        return min(bidder.seat for bidder in self.bidders)

    @property
    def contract(self) -> int:
        return sum(bidder.bid for bidder in self.bidders)

    def counts(self, options: Options) -> list[Bidder]:
        """Bidders whose tricks count toward the contract (SP-4, SP-12)."""
        helps = (NO_NIL, FAILED) if options["failed_nil"] == "count" else (NO_NIL,)
        return [bidder for bidder in self.bidders if bidder.nil in helps]

    def tricks(self, options: Options) -> int:
        """Tricks that count toward the contract, including those gained."""
        return sum(bidder.tricks for bidder in self.counts(options)) + self.gained


def score_side(side: Side, options: Options) -> tuple[list[ScoreLine], int]:
    """Score a side; return its score lines and its bags afterwards (SP-9 .. SP-12)."""
    lines, bags = [], 0
    for points, more, reason in _contract(side, options):
        lines.append(ScoreLine(side.seat, points, reason))
        bags += more
    for points, more, reason in _nils(side, options):
        lines.append(ScoreLine(side.seat, points, reason))
        bags += more
    account = side.bags + bags
    if options["bags"] in ACCOUNTS:
        limit, price = ACCOUNTS[options["bags"]]
        full, rest = divmod(account, limit)
        if full:
            facts = {"seat": side.seat, "bags": account, "rest": rest, "sum": -full * price}
            lines.append(ScoreLine(side.seat, -full * price, Reason("bags-full", ("SP-10",), facts)))
        account = rest
    return lines, account


Part = tuple[int, int, Reason]
"""Points, bags, and the reason for both."""


def _contract(side: Side, options: Options) -> Iterator[Part]:
    if all(bidder.nil for bidder in side.bidders) and options["failed_nil"] != "count":
        return
    bid, tricks = side.contract, side.tricks(options)
    if not (bid or tricks) and any(bidder.nil for bidder in side.bidders):
        return
    facts: dict[str, object] = {"seat": side.seat, "bid": bid, "tricks": tricks}
    if tricks < bid:
        yield -A_TRICK * bid, 0, Reason("contract-set", ("SP-9",), facts | {"sum": -A_TRICK * bid})
        return
    over = max(0, tricks - side.gained - bid)
    points = A_TRICK * bid + over * options["overtrick"]
    facts |= {"bags": over, "sum": points}
    phrase = f"contract-made-{BAGS_ARE[options['overtrick']]}" if over else ""
    yield points, over, Reason("contract-made", ("SP-9",), facts, phrase)


def _nils(side: Side, options: Options) -> Iterator[Part]:
    for bidder in side.bidders:
        if not bidder.nil:
            continue
        worth = int(options["nil"]) * (BLIND_TIMES if bidder.blind else 1)
        points = worth if bidder.nil == MADE else -worth
        clauses = ("SP-11", "SP-5") if bidder.blind else ("SP-11",)
        facts = {"seat": bidder.seat, "tricks": bidder.tricks, "sum": points}
        yield points, 0, Reason(f"nil-{bidder.nil}", clauses, facts)
        if bidder.nil == FAILED and bidder.tricks and options["failed_nil"] == "bags":
            points = bidder.tricks * options["overtrick"]
            facts = {"seat": bidder.seat, "bags": bidder.tricks, "sum": points}
            yield points, bidder.tricks, Reason("nil-bags", ("SP-12", "SP-9"), facts)


# --- The hand of Spades

BEHIND = 100
"""Points a side must be behind to bid blind nil (SP-5)."""


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
        moved = self.moved
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
        return [line for side in self.all_sides() for line in score_side(side, self.rules.options)[0]]

    def bags_after(self) -> tuple[int, ...]:
        """Bags of each seat's side, after this hand once it is over (SP-10)."""
        if self.phase is not FINISHED:
            return self.setup.bags or self.rules.nobody
        accounts = {
            bidder.seat: score_side(side, self.rules.options)[1] for side in self.all_sides() for bidder in side.bidders
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
