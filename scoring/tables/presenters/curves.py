"""Presenters of the score sheet, its curve, and frequency charts."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from math import sqrt
from typing import Any, NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from referee.engine.game import find_game
from referee.engine.rules import Rules
from referee.engine.sheet import DescribedHand
from referee.engine.table import add_up
from scoring.groups.reads.groups import COLOURS
from scoring.tables.presenters.formats import number
from scoring.tables.presenters.house_rules import changes_in_words
from scoring.tables.presenters.people import Somebody, at_table
from scoring.tables.reads.state import LeftHand, LeftHands, Standing

# --- The score curve: a line per player through the totals after every hand, and the same numbers as a table
# Lines differ in dash pattern, mark and the name at the end, as well as in color.


class Frame(NamedTuple):
    """The size of a chart; ``unit`` scales letters and marks."""

    width: int
    height: int
    unit: float = 1


WIDTH, HEIGHT = 360, 220
PAGE = Frame(WIDTH, HEIGHT)
FRAMES = {"page": PAGE, "low": Frame(340, 148), "beside-felt": Frame(600, 250, 2), "large": Frame(600, 400, 2)}
"""Frames of the curve: on its own page, below a game's result, and on the big screen during and after the game."""
LEFT, TOP, BOTTOM = 34, 12, 24
"""Margins for the scale and the hand numbers."""
RIGHT, MOST_RIGHT, BEFORE_NAME = 84, 150, 20
"""Right margin for names, its maximum for long ones, and the gap before them."""
LETTER = 7.2
"""Approximate width of a letter; names that are too long are squeezed."""
NAME_GAP = 13
"""Minimum vertical distance between two names."""
SIZES = [factor * 10**power for power in range(20) for factor in (1, 2, 5)]
"""Possible steps of a scale."""
MOST_LINES_ACROSS = 5
MOST_HANDS_NUMBERED = 10
MARKS = dict(
    zip(COLOURS, ("disc", "square", "triangle", "diamond", "plus", "star", "fallen", "ring"), strict=True),
)
DASHES = dict(
    zip(COLOURS, ("", "7 4", "1.5 5", "9 4 2 4", "12 4", "4 3", "2 3 6 3", "1 4"), strict=True),
)
"""Dash pattern by color, so that lines are distinct without color."""


class Mark(NamedTuple):
    """A point on a line: the total after a hand."""

    x: float
    y: float


class Line(NamedTuple):
    """A player's line: a mark per total, its ``end``, and the position of its name.

    ``squeezed`` is the width that a name too long is compressed to.
    """

    colour: str
    name: str
    squeezed: int | None
    mark: str
    dash: str
    points: str
    marks: tuple[Mark, ...]
    end: Mark
    label: Mark


class Tick(NamedTuple):
    """A tick on the scale or the hand axis."""

    at: float
    text: str


class Curve(NamedTuple):
    """Everything that the drawing and its table need; the lines end at ``right``."""

    names: tuple[str, ...]
    rows: tuple[tuple[str, tuple[int, ...]], ...]
    lines: tuple[Line, ...]
    scale: tuple[Tick, ...]
    hands: tuple[Tick, ...]
    target: Tick | None
    right: int
    left: int
    foot: int
    frame: Frame = PAGE


def draw(
    names: Sequence[str],
    rows: Sequence[tuple[str, tuple[int, ...]]],
    target: int | None = None,
    *,
    colours: Sequence[str] = COLOURS,
    frame: Frame = PAGE,
) -> Curve:
    width, height, unit = frame
    letter, left, base = LETTER * unit, round(LEFT * unit), height - BOTTOM * unit
    before, most_right = BEFORE_NAME * unit, MOST_RIGHT * unit
    totals = [total for _, row in rows for total in row]
    right = round(min(max(RIGHT * unit, before + max(map(len, names)) * letter), most_right))
    highest, lowest = max(*totals, 0), min(*totals, 0)
    near = target is not None and highest * 2 >= target
    ticks = scale(lowest, max(highest, target or 0) if near else highest)
    bottom, top = ticks[0], ticks[-1]

    def x(place: int) -> float:
        return round(left + (width - left - right) * place / (len(rows) - 1), 1)

    def y(total: int) -> float:
        return round(base - (base - TOP * unit) * (total - bottom) / (top - bottom), 1)

    heights = spread([y(total) for total in rows[-1][1]], NAME_GAP * unit, base)
    lines = []
    for seat, name in enumerate(names):
        marks = tuple(Mark(x(place), y(row[seat])) for place, (_, row) in enumerate(rows))
        colour = colours[seat % len(colours)]
        lines.append(
            Line(
                colour=colour,
                name=name,
                squeezed=round(right - before) if len(name) * letter > right - before else None,
                mark=MARKS[colour],
                dash=" ".join(f"{float(part) * unit:g}" for part in DASHES[colour].split()),
                points=" ".join(f"{mark.x},{mark.y}" for mark in marks),
                marks=marks,
                end=marks[-1],
                label=Mark(width - right + 10 * unit, heights[seat]),
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
        right=width - right,
        left=left,
        foot=round(base + 16 * unit),
        frame=frame,
    )


def scale(lowest: int, highest: int) -> list[int]:
    """Return round ticks from below the lowest total to above the highest.

    >>> scale(0, 24)
    [0, 5, 10, 15, 20, 25]
    >>> scale(-49, 33)
    [-60, -40, -20, 0, 20, 40]
    """
    for step in SIZES:
        first, last = lowest // step * step, -(-highest // step) * step
        if (last - first) // step <= MOST_LINES_ACROSS:
            break
    return list(range(first, max(last, first + step) + 1, step))


def spread(heights: Sequence[float], gap: float, lowest: float) -> list[float]:
    """Move overlapping names apart; ``lowest`` is the largest allowed value.

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


def to_target(at: Standing) -> tuple[int, ...] | None:
    """Return the points that each player still needs; ``None`` unless the game is running and has a target."""
    end = at.rules.end
    if end.kind != "score" or end.value is None or at.state.finished() or at.state.rules.lowest_wins:
        return None
    return tuple(max(0, end.value - total) for total in at.state.totals())


# --- Frequency charts: bars of points per hand, bubbles of tricks against bids

BARS_LEFT = 46
"""Left margin, for a scale of five digits."""
EDGE = 10
"""Right margin."""
MOST_BARS = 14
MOST_NUMBERED = 8
LARGEST_DISC, LEAST_DISC = 12, 2
DISCS_HEIGHT = 260


def _frame(height: int) -> dict[str, Any]:
    foot = height - BOTTOM + 16
    return {"width": WIDTH, "height": height, "left": BARS_LEFT, "right": WIDTH - EDGE, "foot": foot}


def bars(counted: Mapping[int, int]) -> dict[str, Any]:
    """Lay out a bar chart of points per hand, grouping neighboring values if there are many.

    >>> bars({0: 3, 2: 1})["rows"]
    [('0', 3), ('1', 0), ('2', 1)]
    """
    span = max(counted) - min(counted) + 1
    step = next(size for size in SIZES if span <= size * MOST_BARS)
    lowest, highest = min(counted) // step, max(counted) // step
    found = [0] * (highest - lowest + 1)
    for value, count in counted.items():
        found[value // step - lowest] += count
    firsts = [(lowest + place) * step for place in range(len(found))]
    labels = [number(first) if step == 1 else f"{number(first)} … {number(first + step - 1)}" for first in firsts]
    ticks = scale(0, max(found))
    wide = (WIDTH - BARS_LEFT - EDGE) / len(found)

    def y(count: int) -> float:
        return round(HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * count / ticks[-1], 1)

    every = -(-len(found) // MOST_NUMBERED)
    return _frame(HEIGHT) | {
        "rows": list(zip(labels, found, strict=True)),
        "bars": [
            {
                "x": round(BARS_LEFT + wide * (place + 0.1), 1),
                "y": y(count),
                "width": round(wide * 0.8, 1),
                "height": round(y(0) - y(count), 1),
            }
            for place, count in enumerate(found)
        ],
        "scale": [Tick(y(tick), number(tick)) for tick in ticks],
        "feet": [
            Tick(round(BARS_LEFT + wide * (place + 0.5), 1), number(firsts[place]))
            for place in range(0, len(found), every)
        ],
    }


def discs(counted: Mapping[tuple[int, int], int]) -> dict[str, Any]:
    """Lay out a bubble chart of bids against tricks won."""
    most = max(max(bid, won) for bid, won in counted) or 1
    largest = sqrt(max(counted.values()))
    room = min(LARGEST_DISC, (DISCS_HEIGHT - TOP - BOTTOM) / (most + 1) / 2)

    def x(bid: int) -> float:
        return round(BARS_LEFT + EDGE * 2 + (WIDTH - BARS_LEFT - EDGE * 4) * bid / most, 1)

    def y(won: int) -> float:
        return round(DISCS_HEIGHT - BOTTOM - EDGE - (DISCS_HEIGHT - TOP - BOTTOM - EDGE * 2) * won / most, 1)

    rows = [(bid, won, count) for (bid, won), count in sorted(counted.items())]
    numbered = range(0, most + 1, -(-(most + 1) // MOST_NUMBERED))
    return _frame(DISCS_HEIGHT) | {
        "rows": rows,
        "discs": [
            {
                "x": x(bid),
                "y": y(won),
                "r": round(max(LEAST_DISC, room * sqrt(count) / largest), 1),
                "made": bid == won,
            }
            for bid, won, count in rows
        ],
        "across": [Tick(x(value), str(value)) for value in numbered],
        "up": [Tick(y(value), str(value)) for value in numbered],
        "made": f"{x(0)},{y(0)} {x(most)},{y(most)}",
    }


# --- The score sheet: a row per hand, and the curve of totals

HEAD_LETTER, BESIDE, ROOM = 7.5, 10, 200
"""Approximate letter width, padding per name, and the width available for names on a narrow phone."""


class SheetRow(NamedTuple):
    """A hand in the score sheet, with tricks moved by the table, and house rules that changed with it.

    ``scores`` are ``None`` while the hand is in progress or points are hidden.
    """

    number: int
    scores: tuple[int | None, ...]
    note: str
    moved: tuple[str, ...]
    rules: tuple[str, ...]
    name: str


@dataclass(frozen=True, slots=True)
class ScoreSheet:
    """The score sheet; ``shown``: points are visible.

    Rows and curve are computed lazily. Sheets with the same earlier hands and last scores are equal, so that comparing
    long ones is fast.
    """

    code: str
    people: tuple[Somebody, ...]
    carried: tuple[int, ...]
    left: LeftHands
    last: LeftHand | None
    shown: bool
    rules: Rules = field(compare=False)

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(each.name for each in self.people)

    @property
    def upright(self) -> bool:
        """Whether names are written vertically, because side by side they would be wider than a phone."""
        return sum(map(len, self.names)) * HEAD_LETTER + len(self.names) * BESIDE > ROOM

    @property
    def rows_left(self) -> tuple[SheetRow, ...]:
        return tuple(map(self._row, range(len(self.left.hands))))

    @property
    def last_row(self) -> SheetRow | None:
        return self._row(len(self.left.hands)) if self.last else None

    def _row(self, at: int) -> SheetRow:
        """Return a hand's row, with the house rules that differ from the hand before."""
        hand, game = self._hand(at), find_game(self.rules.game.id)
        before, options = self._options(at - 1), self._options(at)
        notes = {"void": pgettext("hand", "void"), "finished": ""}
        return SheetRow(
            hand.number,
            hand.scores if self.shown else (None,) * len(hand.scores),
            notes.get(hand.phase, _("running")),
            tuple(f"{self.names[giver]} → {self.names[taker]} {count}" for giver, taker, count in hand.moved),
            () if game is None or options == before else changes_in_words(game, before, options, self.rules.players),
            hand.name,
        )

    def _hand(self, at: int) -> LeftHand:
        return self.left.hands[at] if at < len(self.left.hands) or self.last is None else self.last

    def _options(self, at: int) -> dict[str, Any]:
        """Return a hand's house rules; by default the table's."""
        options: dict[str, Any] = dict(self._hand(at).options) if at >= 0 else {}
        return options or dict(self.rules.options)

    @property
    def rules_since(self) -> int | None:
        """The number of the hand in which the current house rules began; ``None`` if they never changed."""
        if self.last is None or not self.last.options:
            return None
        changed = (at for at in range(len(self.left.hands), -1, -1) if self._options(at) != self._options(at - 1))
        return next((self._hand(at).number for at in changed), None)

    @property
    def has_curve(self) -> bool:
        """Whether any hand is settled and points are visible."""
        return self.shown and (self.left.settled or (self.last is not None and self.last.settled))

    @property
    def totals(self) -> tuple[tuple[str, tuple[int, ...]], ...]:
        """The totals at the start and after every settled hand, with partners' points added up."""
        made = [0] * len(self.names)
        rows = [("0", self.carried)]
        for hand in self.hands:
            scores = [points for points in hand.scores if points is not None]
            if len(scores) == len(made):
                made = [before + points for before, points in zip(made, scores, strict=True)]
                rows.append((str(hand.number), add_up(self.rules, self.carried, made)))
        return tuple(rows)

    def curve(self, frame: str = "page") -> Curve:
        """Draw the curve of totals in one of the ``FRAMES``."""
        end, colours = self.rules.end, [each.colour for each in self.people]
        target = end.value if end.kind == "score" else None
        return draw(self.names, self.totals, target, colours=colours, frame=FRAMES[frame])

    @property
    def hands(self) -> tuple[LeftHand, ...]:
        return (*self.left.hands, self.last) if self.last else self.left.hands


def score_sheet(at: Standing, described: DescribedHand | None, left: LeftHands, *, shown: bool) -> ScoreSheet:
    last = None if described is None else LeftHand.of(described)
    return ScoreSheet(
        at.row.code, at_table(at.row), tuple(at.row.carried), left, last, shown=shown, rules=at.state.opening
    )
