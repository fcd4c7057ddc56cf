"""The course of hands: how many cards each has, and what is trump where suits take turns."""

from collections.abc import Sequence

from referee.engine.options import Options

USUAL_AND_MOST = {3: (10, 17), 4: (10, 13), 5: (10, 10), 6: (8, 8), 7: (7, 7)}
"""Cards each in the largest hand, usually and at most, by the number of players (OH-2, OH-V2)."""
TRUMPS_IN_ORDER = ("S", "H", "D", "C", None)
"""What is trump hand after hand in a fixed order, then again from the start (OH-V4)."""


def course(options: Options) -> tuple[int, ...]:
    """Return the cards each in every hand of one course (OH-2, OH-V1 .. OH-V3).

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
    """Return the place in another course at which one goes on after so many hands of the course ``before`` (OH-Q7).

    It is that of the size that would have come, on the same way down or up, or of the nearest one.

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
    """Return whether a hand belongs to the way down; the first one to that on which the course begins."""
    place = max(1, min(place, len(sizes) - 1))
    return len(sizes) > 1 and sizes[place] < sizes[place - 1]


def course_clauses(options: Options, players: int) -> tuple[str, ...]:
    """Return the clauses by which the size of a hand follows from its place in the course."""
    house = {
        "OH-V1": options["course"] != "down-up",
        "OH-V2": options["largest"] != USUAL_AND_MOST[players][0],
        "OH-V3": options["twice_one"] and options["course"] == "down-up",
    }
    return ("OH-2", *(clause for clause, holds in house.items() if holds))
