"""The course of hands: how many cards each has, and what is trump where suits take turns."""

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


def course_clauses(options: Options, players: int) -> tuple[str, ...]:
    """Return the clauses by which the size of a hand follows from its place in the course."""
    house = {
        "OH-V1": options["course"] != "down-up",
        "OH-V2": options["largest"] != USUAL_AND_MOST[players][0],
        "OH-V3": options["twice_one"] and options["course"] == "down-up",
    }
    return ("OH-2", *(clause for clause, holds in house.items() if holds))
