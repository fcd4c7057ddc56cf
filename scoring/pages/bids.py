"""Bids as a table page shows them while they are made: in turn, with the places still open."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from referee.engine.hand import Hand
from referee.engine.phases import BIDDING
from scoring.queries.state import Standing


@dataclass(frozen=True, slots=True)
class BidShown:
    """A bid, or the place of one that is still to come."""

    name: str
    bid: int | None
    acting: bool


def bids(at: Standing, described: Mapping[str, Any], hand: Hand | None) -> tuple[BidShown, ...]:
    """Return the bids in turn, from the dealer's left, while they are made."""
    if hand is None or hand.phase is not BIDDING:
        return ()
    seating = hand.setup.seating
    first = seating.index(hand.setup.dealer) + 1
    made, acting = described.get("bids") or [None] * len(seating), hand.to_act()
    return tuple(BidShown(at.names[seat], made[seat], seat in acting) for seat in (*seating[first:], *seating[:first]))
