"""An evening as pages show it: its tables in a line each, those that run with what is open there, and its curve."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from referee.engine.catalogue import find_game
from scoring.pages.show.board import board
from scoring.pages.show.curve import Curve, draw
from scoring.pages.show.numbers import number
from scoring.pages.show.picture import shortened
from scoring.queries.evenings import Evening, EveningTable, Hands, RunningNow, games_at, points_over_time

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
    """Say how the evening stands, as a message to others does."""
    places = [f"{each.rank}. {each.who.shown} {number(each.points)}" for each in evening.people]
    return f"{', '.join(places)} · {games_of(evening)}"
