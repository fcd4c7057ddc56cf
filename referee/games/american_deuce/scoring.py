"""The score of a round: a loser pays for every card left, the winner is paid (AD-25, AD-26)."""

from collections.abc import Sequence

from referee.engine.options import Options
from referee.engine.rulings import Reason, ScoreLine, by_seat

DOUBLE_FROM = 10
FULL_HAND = 13
DOUBLE, TRIPLE = 2, 3


def multiplier(left: int, dealt: int, *, bands: str) -> int:
    """Return what each card left costs: triple for an untouched hand (AD-25, AD-Q15).

    >>> multiplier(10, 13, bands="flat"), multiplier(16, 21, bands="scaled")
    (2, 1)
    """
    if left == dealt:
        return TRIPLE
    scaled = -(-DOUBLE_FROM * dealt // FULL_HAND)  # rounded up
    return DOUBLE if left >= (scaled if bands == "scaled" else DOUBLE_FROM) else 1


def owed(left: Sequence[int], dealt: Sequence[int], options: Options) -> tuple[int, ...]:
    """Return what each seat owes for its cards left, whether or not it is paid (AD-25, AD-Q15)."""
    bands = options["bands"]
    return tuple(cards * multiplier(cards, size, bands=bands) for cards, size in zip(left, dealt, strict=True))


def round_lines(left: Sequence[int], dealt: Sequence[int], options: Options) -> list[ScoreLine]:
    """Return the lines of a finished round, by seat; exactly one seat has no cards left."""
    lines = []
    paid = 0
    quick = options["scoring"] == "winner-only"
    bands = ("AD-25", "AD-Q15") if set(dealt) != {FULL_HAND} else ("AD-25",)
    for seat, (cards, size) in enumerate(zip(left, dealt, strict=True)):
        if not cards:
            continue
        times = multiplier(cards, size, bands=options["bands"])
        facts = {"seat": seat, "cards": cards, "times": times, "sum": cards * times}
        paid += cards * times
        clauses = (*bands, "AD-A1" if quick else "AD-26")
        reason = Reason("cards-left", clauses, facts, "cards-left-quick" if quick else "")
        lines.append(ScoreLine(seat, 0 if quick else -cards * times, reason))
    winner = left.index(0)
    clauses = ("AD-26", "AD-A1") if quick else ("AD-26",)
    lines.append(ScoreLine(winner, paid, Reason("round-won", clauses, {"seat": winner, "sum": paid})))
    return sorted(lines, key=lambda line: line.seat)


def double_loss(offender: int, left: Sequence[int], dealt: Sequence[int], options: Options) -> tuple[int, ...]:
    """Return, by seat, what is moved when an offender pays double; it goes to the winner (IR-4).

    An offender who went out is paid nothing: everybody gets back what this round cost.
    """
    winner = left.index(0)
    made = by_seat(round_lines(left, dealt, options), len(left))
    if offender == winner:
        return tuple(-points for points in made)
    again = left[offender] * multiplier(left[offender], dealt[offender], bands=options["bands"])
    moved = [0] * len(left)
    moved[offender] = made[offender]
    moved[winner] = again
    return tuple(moved)
