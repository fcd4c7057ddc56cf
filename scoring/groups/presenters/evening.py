"""An evening, and the picture of it or of a game that is over, to be sent to others."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from referee.engine.game import find_game
from scoring.groups.reads.evenings import Evening, EveningTable, Hands, RunningNow, games_at, points_over_time
from scoring.tables.presenters.board import Board, board
from scoring.tables.presenters.curves import HEIGHT, WIDTH, Curve, draw
from scoring.tables.presenters.formats import number, written
from scoring.tables.presenters.scene import Scene

# --- The picture of a game that is over, or of an evening, to be sent to others: the ranking, and the curve

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


# --- An evening as pages show it: its tables in a line each, those that run with what is open there, and its curve

LONGEST_CLAIM = 80
MOST_LINES = 8
"""So many people are in the curve, those with most points: lines and marks tell no more of them apart."""


@dataclass(frozen=True, slots=True)
class PlayedTable:
    """A table in a list: what was played, and each player with the points, the best first."""

    code: str
    game: str
    day: date
    runs: bool
    stands: str


@dataclass(frozen=True, slots=True)
class RunningTable:
    """A table that runs, as whoever looks after the evening sees it; it stands with what was carried in.

    ``hand`` says how far it is, ``leads`` who is ahead, ``status`` whose turn it is; ``to_decide`` are
    irregularities that nobody has settled, as far as everybody may know of them, and disputes that are open.
    """

    played: PlayedTable
    hand: str
    leads: str
    status: str
    to_decide: tuple[str, ...]


def played(table: EveningTable) -> PlayedTable:
    """Return a table as a list shows it: with what it has brought."""
    return _played(table, None if table.result is None else table.result.points)


def _played(table: EveningTable, points: Sequence[int] | None) -> PlayedTable:
    game, row = find_game(table.row.game), table.row
    names = [each.shown for each in table.seated]
    stands = ", ".join(names)
    if points is not None:
        ranked = sorted(zip(points, names, strict=True), key=lambda pair: -pair[0])
        stands = " · ".join(f"{name}\N{NO-BREAK SPACE}{number(brought)}" for brought, name in ranked)
    return PlayedTable(row.code, row.game if game is None else game.name, row.evening, table.runs, stands)


def running(tables: Sequence[EveningTable], known: Mapping[int, RunningNow]) -> Iterator[RunningTable]:
    """Yield the tables that run; of a game that is not installed here no more than who plays it."""
    for table in tables:
        if table.runs:
            now = known.get(table.row.pk)
            yield RunningTable(played(table), "", "", "", ()) if now is None else _running(table, now)


def _running(table: EveningTable, now: RunningNow) -> RunningTable:
    shown = board(now.at, now.facts)
    result = table.result
    leaders = () if result is None else result.leaders
    names = " & ".join(table.seated[seat].shown for seat in leaders)
    hand = _("Hand {number}").format(number=shown.number)
    return RunningTable(
        played=_played(table, None if result is None else result.totals),
        hand=f"{hand} · {shown.goal}",
        leads=ngettext("{names} leads.", "{names} lead.", len(leaders)).format(names=names) if leaders else "",
        status=shown.status,
        to_decide=(
            *(f"{found.word}: {found.who}" for found in shown.findings if found.raised),
            *(shortened(each.claim.text, LONGEST_CLAIM) for each in now.disputes),
        ),
    )


def evening_curve(evening: Evening, hands: Hands) -> Curve | None:
    """Draw everybody's points after each hand of an evening; nothing before the first one is over."""
    people = [each.who for each in evening.people[:MOST_LINES]]
    rows = points_over_time(evening.tables, people, hands)
    return draw([who.shown for who in people], rows) if len(rows) > 1 else None


def games_of(evening: Evening) -> str:
    """Say which games were played, and at how many tables; those that went on from one another are one.

    The games stand in the order in which they were begun.
    """
    names = dict.fromkeys(played(table).game for table in evening.tables)
    tables = len({*games_at(evening.tables).values()})
    count = ngettext("{count} table", "{count} tables", tables).format(count=tables)
    return f"{count}: {', '.join(names)}"


def ranking_of(evening: Evening) -> str:
    places = [f"{each.rank}. {each.who.shown} {number(each.points)}" for each in evening.people]
    return f"{', '.join(places)} · {games_of(evening)}"
