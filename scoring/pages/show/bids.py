"""Bids as a table page shows them while they are made: in turn, with the places still open."""

from typing import NamedTuple

from referee.engine.hand import Hand
from referee.engine.sheet import HandFacts
from scoring.queries.state import Standing


class BidShown(NamedTuple):
    """A bid, or the place of one that is still to come."""

    name: str
    bid: int | None
    acting: bool


def bids(at: Standing, described: HandFacts, hand: Hand | None) -> tuple[BidShown, ...]:
    """Return the bids in turn, from the dealer's left, while they are made."""
    bidders = hand.bidders() if hand else ()
    made, acting = described.get("bids") or [None] * len(at.names), hand.to_act() if hand else ()
    return tuple(BidShown(at.names[seat], made[seat], seat in acting) for seat in bidders)
