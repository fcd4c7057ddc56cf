"""The score curve: a line per player through the totals after every hand, with the same numbers as a table.

Lines are told apart by dashes, by the mark at every hand, and by the name at their end; colour only helps.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from scoring.pages.show.numbers import number
from scoring.queries.state import Standing

WIDTH, HEIGHT = 360, 220
LEFT, TOP, BOTTOM = 34, 12, 24
"""Room around the lines: for the scale, and the numbers of the hands."""
RIGHT, MOST_RIGHT, BEFORE_NAME = 84, 150, 20
"""Room for the names at the right, what long ones get of it, and what of it stands before them."""
LETTER = 7.2
"""How wide a letter of a name is about; more of them than have room stand closer."""
NAME_GAP = 13
"""The least distance between two names, in the same units."""
STEPS = (1, 2, 5)
MOST_LINES_ACROSS = 5
MOST_HANDS_NUMBERED = 10
MARKS = ("disc", "square", "triangle", "diamond", "ring", "plus", "cross", "bar")
DASHES = ("", "7 3", "2 3", "9 3 2 3", "12 4", "4 2", "2 2 6 2", "1 4")


@dataclass(frozen=True, slots=True)
class Mark:
    """Where a total lies."""

    x: float
    y: float


@dataclass(frozen=True, slots=True)
class Line:
    """One player in the curve: the points of the line, and the total at its end."""

    number: int
    name: str
    squeezed: int | None
    """Into how much room a name is drawn that would be wider."""
    mark: str
    dash: str
    points: str
    marks: tuple[Mark, ...]
    end: Mark
    label: Mark


@dataclass(frozen=True, slots=True)
class Tick:
    """A line of the scale, or the number of a hand."""

    at: float
    text: str


@dataclass(frozen=True, slots=True)
class Curve:
    """Everything the drawing and its table need."""

    names: tuple[str, ...]
    rows: tuple[tuple[str, tuple[int, ...]], ...]
    lines: tuple[Line, ...]
    scale: tuple[Tick, ...]
    hands: tuple[Tick, ...]
    target: Tick | None
    width: int = WIDTH
    height: int = HEIGHT
    left: int = LEFT
    right: int = WIDTH - RIGHT
    """Where the lines end."""
    foot: int = HEIGHT - BOTTOM + 16


def draw(names: Sequence[str], rows: Sequence[tuple[str, tuple[int, ...]]], target: int | None = None) -> Curve:
    """Lay out the drawing."""
    totals = [total for _, row in rows for total in row]
    right = min(max(RIGHT, BEFORE_NAME + round(max(map(len, names)) * LETTER)), MOST_RIGHT)
    highest, lowest = max(*totals, 0), min(*totals, 0)
    near = target is not None and highest * 2 >= target
    ticks = scale(lowest, max(highest, target or 0) if near else highest)
    bottom, top = ticks[0], ticks[-1]

    def x(place: int) -> float:
        return round(LEFT + (WIDTH - LEFT - right) * place / (len(rows) - 1), 1)

    def y(total: int) -> float:
        return round(HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * (total - bottom) / (top - bottom), 1)

    heights = spread([y(total) for total in rows[-1][1]], NAME_GAP, HEIGHT - BOTTOM)
    lines = []
    for seat, name in enumerate(names):
        marks = tuple(Mark(x(place), y(row[seat])) for place, (_, row) in enumerate(rows))
        lines.append(
            Line(
                number=seat,
                name=name,
                squeezed=right - BEFORE_NAME if len(name) * LETTER > right - BEFORE_NAME else None,
                mark=MARKS[seat % len(MARKS)],
                dash=DASHES[seat % len(DASHES)],
                points=" ".join(f"{mark.x},{mark.y}" for mark in marks),
                marks=marks,
                end=marks[-1],
                label=Mark(WIDTH - right + 10, heights[seat]),
            )
        )
    every = -(-(len(rows) - 1) // MOST_HANDS_NUMBERED)
    return Curve(
        names=tuple(names),
        rows=tuple(rows),
        lines=tuple(lines),
        scale=tuple(Tick(y(tick), number(tick)) for tick in ticks),
        hands=tuple(Tick(x(n), label) for n, (label, _) in enumerate(rows) if n and (n - 1) % every == 0),
        target=Tick(y(target), number(target)) if near and target is not None else None,
        right=WIDTH - right,
    )


def scale(lowest: int, highest: int) -> list[int]:
    """Return round numbers from below the lowest total to above the highest.

    >>> scale(0, 24)
    [0, 5, 10, 15, 20, 25]
    >>> scale(-49, 33)
    [-60, -40, -20, 0, 20, 40]
    """
    size = 1
    while True:
        for factor in STEPS:
            step = factor * size
            first, last = lowest // step * step, -(-highest // step) * step
            if (last - first) // step <= MOST_LINES_ACROSS:
                return list(range(first, max(last, first + step) + 1, step))
        size *= 10


def spread(heights: Sequence[float], gap: float, lowest: float) -> list[float]:
    """Move names apart that would lie on one another; ``lowest`` is as far down as one may stand.

    >>> spread([10, 12, 50], 13, 100)
    [10, 23, 50]
    """
    order = sorted(range(len(heights)), key=lambda i: heights[i])
    placed = list(heights)
    for above, below in pairwise(order):
        placed[below] = max(placed[below], placed[above] + gap)
    limit = lowest
    for index in reversed(order):
        placed[index] = min(placed[index], limit)
        limit = placed[index] - gap
    return placed


# -- what is left ---------------------------------------------------------------------------


def to_target(at: Standing) -> tuple[int, ...] | None:
    """Return what each player still needs, where the table is played to a score and is not over."""
    end = at.rules.end
    if end.kind != "score" or end.value is None or at.state.finished():
        return None
    return tuple(max(0, end.value - total) for total in at.state.totals())
