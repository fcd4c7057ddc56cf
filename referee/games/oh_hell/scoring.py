"""What a bid and the tricks taken are worth in Oh Hell."""

from collections.abc import Callable

from referee.engine.options import Options
from referee.engine.rulings import Reason, ScoreLine

EXACT = 10
"""Points for the exact bid, beside those for its tricks (OH-9)."""
EXACT_ZERO = 5
"""The same for a bid of 0, where it is worth less (OH-V11)."""


def bid_line(seat: int, bid: int, tricks: int, options: Options) -> ScoreLine:
    """Score one bid in the way of the table (OH-9, OH-V8 .. OH-V11)."""
    facts = {"seat": seat, "bid": bid, "tricks": tricks, "off": abs(tricks - bid)}
    clauses, missed, squared = WAYS[options["scoring"]]
    if tricks != bid:
        points, code, phrase = missed(tricks, abs(tricks - bid))
        return ScoreLine(seat, points, Reason(code, clauses, facts | {"sum": points}, phrase))
    five = bid == 0 and options["zero"] == "five"
    ten = EXACT_ZERO if five else EXACT
    points = ten + (tricks * tricks if squared else tricks)
    phrase = "bid-exact-square" if squared else "bid-exact-ten"
    cited = (*clauses, "OH-V11") if five else clauses
    return ScoreLine(seat, points, Reason("bid-exact", cited, facts | {"ten": ten, "sum": points}, phrase))


Missed = tuple[int, str, str]
"""What a bid missed is worth, the code of the reason and its sentence."""


def nothing(tricks: int, off: int) -> Missed:
    """Give nothing for a bid missed (OH-9)."""
    return 0, "bid-missed", "bid-missed-nothing"


def tricks_only(tricks: int, off: int) -> Missed:
    """Give a point for each trick (OH-V8)."""
    return tricks, "bid-off-by", "bid-tricks-only"


def difference(tricks: int, off: int) -> Missed:
    """Take a point for each trick too many or too few (OH-V9)."""
    return -off, "bid-off-by", "bid-difference"


def square(tricks: int, off: int) -> Missed:
    """Take the square of the difference (OH-V10)."""
    return -off * off, "bid-off-by", "bid-square"


WAYS: dict[str, tuple[tuple[str, ...], Callable[[int, int], Missed], bool]] = {
    "exact": (("OH-9",), nothing, False),
    "tricks-and-ten": (("OH-V8",), tricks_only, False),
    "difference": (("OH-V9",), difference, False),
    "squares": (("OH-V10",), square, True),
}
"""The ways of scoring: their clauses, what a bid missed is worth, and whether tricks count by their square."""
