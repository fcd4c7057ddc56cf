"""Pictures of how often something came: bars for the points of hands, discs for tricks on a bid, with their numbers."""

from collections.abc import Mapping
from dataclasses import dataclass
from math import sqrt

from scoring.pages.show.curve import BOTTOM, HEIGHT, STEPS, TOP, WIDTH, Tick, scale
from scoring.pages.show.numbers import number

LEFT = 46
"""Room for a scale of five digits."""
EDGE = 10
"""What stays free at the right of the bars."""
MOST_BARS = 14
MOST_NUMBERED = 8
LARGEST_DISC, LEAST_DISC = 12, 2


@dataclass(frozen=True, slots=True)
class Bar:
    """A bar: where it stands, and how high."""

    x: float
    y: float
    width: float
    height: float


@dataclass(frozen=True, slots=True)
class Bars:
    """How often hands brought so many points, drawn and as numbers."""

    rows: tuple[tuple[str, int], ...]
    bars: tuple[Bar, ...]
    scale: tuple[Tick, ...]
    feet: tuple[Tick, ...]
    width: int = WIDTH
    height: int = HEIGHT
    left: int = LEFT
    right: int = WIDTH - EDGE
    foot: int = HEIGHT - BOTTOM + 16


def bars(counted: Mapping[int, int]) -> Bars:
    """Lay out bars, neighbouring values together where there are many.

    >>> bars({0: 3, 2: 1}).rows
    (('0', 3), ('1', 0), ('2', 1))
    """
    step = _step(max(counted) - min(counted) + 1)
    lowest, highest = min(counted) // step, max(counted) // step
    found = [0] * (highest - lowest + 1)
    for value, count in counted.items():
        found[value // step - lowest] += count
    labels = [_label((lowest + place) * step, step) for place in range(len(found))]
    ticks = scale(0, max(found))
    wide = (WIDTH - LEFT - EDGE) / len(found)

    def y(count: int) -> float:
        return round(HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * count / ticks[-1], 1)

    every = -(-len(found) // MOST_NUMBERED)
    return Bars(
        rows=tuple(zip(labels, found, strict=True)),
        bars=tuple(
            Bar(round(LEFT + wide * (place + 0.1), 1), y(count), round(wide * 0.8, 1), round(y(0) - y(count), 1))
            for place, count in enumerate(found)
        ),
        scale=tuple(Tick(y(tick), number(tick)) for tick in ticks),
        feet=tuple(
            Tick(round(LEFT + wide * (place + 0.5), 1), number((lowest + place) * step))
            for place in range(0, len(found), every)
        ),
    )


def _step(span: int) -> int:
    """Return how many values stand in one bar.

    >>> _step(10), _step(48), _step(300)
    (1, 5, 50)
    """
    size = 1
    while True:
        for factor in STEPS:
            if span <= factor * size * MOST_BARS:
                return factor * size
        size *= 10


def _label(value: int, step: int) -> str:
    return number(value) if step == 1 else f"{number(value)} … {number(value + step - 1)}"


@dataclass(frozen=True, slots=True)
class Disc:
    """How often so many tricks were won on a bid: the larger, the more often."""

    x: float
    y: float
    r: float
    made: bool


@dataclass(frozen=True, slots=True)
class Discs:
    """Tricks won against tricks bid, drawn and as numbers; ``rows`` say bid, won, how often."""

    rows: tuple[tuple[int, int, int], ...]
    discs: tuple[Disc, ...]
    across: tuple[Tick, ...]
    up: tuple[Tick, ...]
    made: str
    """The line on which every bid is made."""
    width: int = WIDTH
    height: int = 260
    left: int = LEFT
    right: int = WIDTH - EDGE
    foot: int = 260 - BOTTOM + 16


def discs(counted: Mapping[tuple[int, int], int]) -> Discs:
    """Lay out a disc for each bid and what was won on it."""
    most = max(max(bid, won) for bid, won in counted) or 1
    largest = sqrt(max(counted.values()))
    room = min(LARGEST_DISC, (260 - TOP - BOTTOM) / (most + 1) / 2)

    def x(bid: int) -> float:
        return round(LEFT + EDGE * 2 + (WIDTH - LEFT - EDGE * 4) * bid / most, 1)

    def y(won: int) -> float:
        return round(260 - BOTTOM - EDGE - (260 - TOP - BOTTOM - EDGE * 2) * won / most, 1)

    every = -(-(most + 1) // MOST_NUMBERED)
    return Discs(
        rows=tuple((bid, won, count) for (bid, won), count in sorted(counted.items())),
        discs=tuple(
            Disc(x(bid), y(won), round(max(LEAST_DISC, room * sqrt(count) / largest), 1), bid == won)
            for (bid, won), count in sorted(counted.items())
        ),
        across=tuple(Tick(x(value), str(value)) for value in range(0, most + 1, every)),
        up=tuple(Tick(y(value), str(value)) for value in range(0, most + 1, every)),
        made=f"{x(0)},{y(0)} {x(most)},{y(most)}",
    )
