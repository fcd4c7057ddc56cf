"""Values derived from the house rules of Oh Hell: the sequence of hands, and the score of a bid."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from referee.engine.rules import Options
from referee.engine.rulings import Reason, ScoreLine
from referee.tricks.rules import TrickRules

USUAL_AND_MOST = {3: (10, 17), 4: (10, 13), 5: (10, 10), 6: (8, 8), 7: (7, 7)}
"""Usual and largest possible size of the largest hand, by number of players (OH-2, OH-V2)."""
TRUMPS_IN_ORDER = ("S", "H", "D", "C", None)
"""Trump of successive hands in a fixed order, which repeats (OH-V4)."""


def course(options: Options) -> tuple[int, ...]:
    """Return the hand sizes of one full sequence (OH-2, OH-V1 .. OH-V3).

    >>> course({"course": "down-up", "largest": 3, "twice_one": False})
    (3, 2, 1, 2, 3)
    """
    up = tuple(range(1, options["largest"] + 1))
    down = up[::-1]
    match options["course"]:
        case "down":
            return down
        case "up":
            return up
        case "up-down":
            return up + down[1:]
    return down + (up if options["twice_one"] else up[1:])


def place_after(before: Sequence[int], finished: int, now: Sequence[int]) -> int:
    """Return the index in sequence ``now`` at which play continues after ``finished`` hands of ``before`` (OH-Q7).

    The hand there has the size that would have come next, or the nearest one, in the same direction.

    >>> place_after((5, 4, 3, 2, 1, 2, 3, 4, 5), 3, (3, 2, 1, 2, 3)), place_after((5, 4, 3, 2, 1), 1, (3, 2, 1))
    (1, 0)
    >>> place_after((5, 4, 3, 2, 1, 2, 3, 4, 5), 7, (3, 2, 1, 2, 3))
    4
    """
    place = finished % len(before)
    if not place:
        return 0
    same_way = [there for there in range(len(now)) if _falls(now, there) == _falls(before, place)]
    return min(same_way, key=lambda there: abs(now[there] - before[place]), default=0)


def _falls(sizes: Sequence[int], place: int) -> bool:
    """Return whether the hand sizes decrease at this place; for the first hand, the next one decides."""
    place = max(1, min(place, len(sizes) - 1))
    return len(sizes) > 1 and sizes[place] < sizes[place - 1]


def course_clauses(options: Options, players: int) -> tuple[str, ...]:
    house = {
        "OH-V1": options["course"] != "down-up",
        "OH-V2": options["largest"] != USUAL_AND_MOST[players][0],
        "OH-V3": options["twice_one"] and options["course"] == "down-up",
    }
    return ("OH-2", *(clause for clause, holds in house.items() if holds))


@dataclass(frozen=True)
class OhHellRules(TrickRules):
    """Rules of a table: ``course`` holds the hand sizes; ``together``: everyone bids in secret at once."""

    course: tuple[int, ...] = field(init=False)
    together: bool = field(init=False)

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "course", course(self.options))
        object.__setattr__(self, "together", self.options["bidding"] == "together")

    def has_bids(self) -> bool:
        return True

    def trump_suits(self) -> tuple[str, ...]:
        return () if self.options["trump"] == "none" else super().trump_suits()

    def most_dealt(self) -> int:
        return max(self.course)

    def turns_up(self, size: int) -> bool:
        """Return whether a card is turned up in a hand of this size: only if one is left (OH-3)."""
        return self.options["trump"] == "turned" and size * self.players < len(self.pack)


# --- The score of a bid

EXACT = 10
"""Points for an exact bid, in addition to those for its tricks (OH-9)."""
EXACT_ZERO = 5
"""Points for an exact bid of 0, if it is worth less (OH-V11)."""


def bid_line(seat: int, bid: int, tricks: int, options: Options) -> ScoreLine:
    """Score a bid by the table's house rule (OH-9, OH-V8 .. OH-V11)."""
    off = abs(tricks - bid)
    facts = {"seat": seat, "bid": bid, "tricks": tricks, "off": off}
    clause, missed, code, phrase = WAYS[options["scoring"]]
    if off:
        points = missed(tricks, off)
        return ScoreLine(seat, points, Reason(code, (clause,), facts | {"sum": points}, phrase))
    squared, five = options["scoring"] == "squares", bid == 0 and options["zero"] == "five"
    ten = EXACT_ZERO if five else EXACT
    points = ten + (tricks * tricks if squared else tricks)
    phrase = "bid-exact-square" if squared else "bid-exact-ten"
    cited = (clause, "OH-V11") if five else (clause,)
    return ScoreLine(seat, points, Reason("bid-exact", cited, facts | {"ten": ten, "sum": points}, phrase))


WAYS: dict[str, tuple[str, Callable[[int, int], int], str, str]] = {
    "exact": ("OH-9", lambda tricks, off: 0, "bid-missed", "bid-missed-nothing"),
    "tricks-and-ten": ("OH-V8", lambda tricks, off: tricks, "bid-off-by", "bid-tricks-only"),
    "difference": ("OH-V9", lambda tricks, off: -off, "bid-off-by", "bid-difference"),
    "squares": ("OH-V10", lambda tricks, off: -off * off, "bid-off-by", "bid-square"),
}
"""Per scoring rule: clause, points of a missed bid by tricks and difference, reason code, sentence key."""
