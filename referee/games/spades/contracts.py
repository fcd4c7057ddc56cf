"""Scoring of a side in Spades: contract, nils and bags."""

from collections.abc import Iterator
from typing import NamedTuple

from referee.engine.rules import Options
from referee.engine.rulings import Reason, ScoreLine

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


def score(side: Side, options: Options) -> tuple[list[ScoreLine], int]:
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
