"""How bids are scored in Ace Trump and Ransom Trump."""

from collections.abc import Sequence

from referee.engine.rulings import Reason, ScoreLine

PER_TRICK_BID = 5
PER_OVERTRICK = 1


def bid_line(seat: int, bid: int, tricks: int, *clauses: str) -> ScoreLine:
    """Five points per trick bid and one per overtrick; nothing below the bid (AT-V4)."""
    facts = {"seat": seat, "bid": bid, "tricks": tricks}
    if tricks < bid:
        return ScoreLine(seat, 0, Reason("bid-missed", clauses, facts))
    over = tricks - bid
    points = PER_TRICK_BID * bid + PER_OVERTRICK * over
    return ScoreLine(seat, points, Reason("bid-made", clauses, facts | {"over": over, "sum": points}))


def joint_bid_line(side: Sequence[int], bids: Sequence[int], tricks: Sequence[int], *clauses: str) -> ScoreLine:
    """One bid line for a partnership: bids and tricks added, written at the lower seat."""
    return bid_line(min(side), sum(bids[s] for s in side), sum(tricks[s] for s in side), *clauses)
