"""The picture of a game that is over, or of an evening, to be sent to others: the ranking, and the curve."""

from datetime import date
from typing import NamedTuple

from django.utils.translation import ngettext

from scoring.pages.show.board import Board
from scoring.pages.show.curve import HEIGHT, WIDTH, Curve
from scoring.pages.show.dates import written
from scoring.pages.show.numbers import number
from scoring.pages.show.scene import Scene
from scoring.queries.evenings import Evening

WIDE, EDGE, HEAD, ROW, LINE = 720, 40, 138, 56, 34
"""What the picture measures: its width, what stays free at its edges, its head, a player, a sentence."""
SCALE = (WIDE - 2 * EDGE) / WIDTH
"""How much larger than on a page the curve is."""
LONGEST_NAME, LONGEST_LINE, MOST_RANKED = 28, 66, 12
INKS = ("#4a4fa8", "#a85800", "#0b6796", "#a32244", "#2c7031", "#6a4a2c", "#20262b", "#5b646b")
"""The colours of the lines, by seat; they differ in dashes and marks, too."""


class Ranked(NamedTuple):
    """A player in the picture: place in the ranking, name, total, and whether this is who won; ``y``: where."""

    place: str
    name: str
    total: str
    won: bool
    y: int


class Sentence(NamedTuple):
    """A line of words, and where it stands."""

    text: str
    y: int


class Picture(NamedTuple):
    """Everything that is drawn; measures as in ``WIDE``."""

    game: str
    when: str
    title: str
    ranking: tuple[Ranked, ...]
    sentences: tuple[Sentence, ...]
    curve: Curve | None
    curve_at: int
    height: int
    width: int = WIDE
    edge: int = EDGE
    scale: float = SCALE
    inks: tuple[str, ...] = INKS


def picture_of(board: Board, scene: Scene, played: date) -> Picture:
    """Lay out the picture of a game that is over and shows its points; ``played`` is its evening."""
    totals = [row.total or 0 for row in scene.rows]
    ranking = tuple(
        Ranked(
            place=f"{1 + sum(other > total for other in totals)}.",
            name=shortened(row.name, LONGEST_NAME),
            total=number(total),
            won=row.ahead,
            y=HEAD + at * ROW,
        )
        for at, (row, total) in enumerate(zip(scene.rows, totals, strict=True))
    )
    under = HEAD + len(ranking) * ROW + 16
    texts = [shortened(text, LONGEST_LINE) for text in (scene.story, scene.best) if text]
    sentences = tuple(Sentence(text, under + at * LINE) for at, text in enumerate(texts))
    under += len(texts) * LINE
    curve = board.sheet.curve if board.sheet.has_curve else None
    hands = sum(hand.settled for hand in board.sheet.hands)
    return Picture(
        game=board.game.name,
        when=f"{written(played)} · {ngettext('{hands} hand', '{hands} hands', hands).format(hands=hands)}",
        title=f"{board.game.name}: {board.status}",
        ranking=ranking,
        sentences=sentences,
        curve=curve,
        curve_at=under,
        height=round(under + (HEIGHT * SCALE if curve else 0) + EDGE / 2),
    )


def picture_of_evening(group: str, evening: Evening, curve: Curve, *, when: str, games: str) -> Picture:
    """Lay out the picture of an evening: who was there, with how many points at all tables together."""
    ranking = tuple(
        Ranked(
            place=f"{each.rank}.",
            name=shortened(each.who.shown, LONGEST_NAME),
            total=number(each.points),
            won=each.rank == 1 and not evening.runs,
            y=HEAD + at * ROW,
        )
        for at, each in enumerate(evening.people[:MOST_RANKED])
    )
    under = HEAD + len(ranking) * ROW + 16
    return Picture(
        game=shortened(group, LONGEST_NAME),
        when=when,
        title=f"{group}: {when}",
        ranking=ranking,
        sentences=(Sentence(shortened(games, LONGEST_LINE), under),),
        curve=curve,
        curve_at=under + LINE,
        height=round(under + LINE + HEIGHT * SCALE + EDGE / 2),
    )


def shortened(text: str, most: int) -> str:
    """Return a text that has room.

    >>> shortened("Bartholomew", 8)
    'Barthol…'
    """
    return text if len(text) <= most else text[: most - 1] + "…"
