"""The three-trick penalty for a revoke in partnership games."""

from collections.abc import Iterator
from dataclasses import replace

from referee.engine.events import Transfer
from referee.engine.rules import REVOKE, Option
from referee.engine.rulings import Remedy
from referee.tricks.state import TrickState

THREE_TRICKS = "three-tricks"
PRICE = 3
"""Tricks a revoke costs; fewer if the side has fewer."""


def revoke_option(*clauses: str) -> Option:
    """The house rule on proved revokes with three tricks as an extra choice, explained by ``clauses``."""
    return replace(
        REVOKE,
        clauses=(*REVOKE.clauses, *clauses),
        values=(*REVOKE.values, THREE_TRICKS),
        labels=(*REVOKE.labels, "three tricks to the other side"),
        says=(*REVOKE.says, "a proved revoke costing three tricks"),
    )


def three_tricks(*clauses: str) -> Remedy:
    return Remedy("Three tricks, or all if there are fewer, go to the other side.", clauses, "Three tricks")


def give_three(hand: TrickState, offender: int, why: str) -> Iterator[Transfer]:
    """Yield transfers of up to three tricks from the offender's side, the offender's own first, to the other side."""
    side, counted, left = hand.rules.sides[offender], hand.tricks_counted(), PRICE
    taker = next(seat for seat in range(hand.rules.players) if seat not in side)
    for seat in sorted(side, key=lambda seat: seat != offender):
        given = min(left, counted[seat])
        if given > 0:
            yield Transfer(seat, taker, given, why)
            left -= given
