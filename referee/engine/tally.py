"""What a finished hand leaves for the statistics of a group: a few numbers for each seat.

A game says what its bids came to, whether every trick is told, and which findings are revokes.
"""

from collections.abc import Sequence
from typing import NamedTuple

from referee.engine.hand import Hand
from referee.engine.phases import FINISHED
from referee.engine.rulings import Certainty, Feat, Undertaken


class SeatTally(NamedTuple):
    """What a finished hand brought one seat.

    ``score`` counts penalties as the score sheet does; ``tricks`` are ``None`` where a result does not tell them.
    ``bid`` is what it undertook and what became of it, ``None`` where nothing is bid. ``revokes`` are those that were
    proved against this seat, or accepted as they were recorded. ``feat`` is the best single thing it did, in games that
    count one.
    """

    score: int
    tricks: int | None
    bid: Undertaken | None
    revokes: int
    feat: Feat | None


class HandTally(NamedTuple):
    """What a finished hand brought each seat; ``complete``: the record tells who won every trick of it."""

    number: int
    seats: tuple[SeatTally, ...]
    complete: bool


def tally(hand: Hand) -> HandTally | None:
    """Return what a hand brought; ``None`` while it runs, and of a void one.

    Only a seat that is surely the offender is counted one: counting alone may leave several under suspicion.
    """
    if hand.phase is not FINISHED:
        return None
    scores = hand.scores()
    assert scores is not None, "a finished hand is settled"
    tricks, bids, feats = hand.tricks_won(), hand.undertaken(), hand.feats()
    revokes = [
        found.seat
        for found in hand.irregularities
        if found.code in hand.REVOKES and found.certainty is not Certainty.JOINT
    ]
    seats = tuple(
        SeatTally(scores[seat], tricks[seat], bids[seat], revokes.count(seat), _best(feats, seat))
        for seat in range(hand.rules.players)
    )
    return HandTally(hand.setup.index, seats, hand.tells_all_tricks())


def _best(feats: Sequence[Feat], seat: int) -> Feat | None:
    own = [feat for feat in feats if feat.seat == seat]
    return max(own, key=lambda feat: feat.points, default=None)
