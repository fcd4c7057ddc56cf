"""What a group has played, to export: its history and statistics as tables for a spreadsheet, text, calendar."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from referee.engine.catalogue import find_game
from referee.notation import PROGRAMS, Dialect, write_csv
from scoring.models import WHOLE_WIN, Group, Table
from scoring.queries.calendar import calendar_of
from scoring.queries.exporting import Row
from scoring.queries.seat_rows import Chosen, counted, people_counted
from scoring.queries.statistics import PersonStatistics, statistics_of

HISTORY = (
    "evening", "finished", "game", "table", "seat", "player", "points", "total", "rank", "wins", "hands", "tricks",
)  # fmt: skip
STATISTICS = (
    "player", "game", "tables", "wins", "hands", "points", "best_hand", "tricks", "untold_hands",
    "bids_made", "bids_over", "bids_under", "revokes", "rating_mu", "rating_sigma", "rating_ordinal",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Shape:
    """A shape of a group's file: how it is written, of what kind it is, and how its name ends.

    Only a table for a spreadsheet asks for the dialect.
    """

    write: Callable[[Group, Chosen, Dialect], str]
    kind: str
    ending: str


def history_csv(group: Group, chosen: Chosen, dialect: Dialect = PROGRAMS) -> str:
    """Return a row for each seat of every table that counts, in the order of finishing.

    Where the game went on at another table nobody has a place or a win yet.
    """
    return write_csv([HISTORY, *_history(group, chosen)], dialect)


def _history(group: Group, chosen: Chosen) -> Iterator[Row]:
    people = people_counted(group)
    rows = counted(group.pk, chosen).order_by("finished_at", "table", "seat")
    read = rows.values_list(
        "evening", "finished_at", "game", "table", "seat", "person",
        "points", "total", "rank", "share", "hands", "tricks", "goes_on",
    )  # fmt: skip
    tables = Table.objects.filter(group=group).values_list("pk", "code", "seats")
    known = {pk: (code, seats) for pk, code, seats in tables}
    for evening, over, game, table, seat, person, points, total, rank, share, hands, tricks, goes_on in read:
        code, seats = known[table]
        counts_as = people.counts_as.get(person)
        name = seats[seat] if counts_as is None else people.names[counts_as]
        assert over is not None
        place, wins = ("", "") if goes_on else (rank, share / WHOLE_WIN)
        ended = over.isoformat(timespec="seconds")
        yield evening.isoformat(), ended, game, code, seat, name, points, total, place, wins, hands, _known(tricks)


def statistics_csv(group: Group, chosen: Chosen, dialect: Dialect = PROGRAMS) -> str:
    """Return a row for each person and game, and one over all games, whose game is empty."""
    found = statistics_of(group, chosen)
    return write_csv([STATISTICS, *(_made(each, revokes=group.counts_revokes) for each in found.people)], dialect)


def _made(each: PersonStatistics, *, revokes: bool) -> Row:
    rating = () if each.rating is None else (*each.rating, each.rating.ordinal)
    return (
        each.name, each.game, each.tables, float(each.wins), each.hands, each.points,
        _known(each.best_hand), _known(each.tricks), each.untold, *(each.bids or ("", "", "")),
        each.revokes if revokes else "", *(rating or ("", "", "")),
    )  # fmt: skip


def _known(number: int | None) -> int | str:
    """Return a number, or an empty cell where nobody knows it."""
    return "" if number is None else number


def text_of(group: Group, chosen: Chosen) -> str:
    """Return the history of a group as people read it: who has made what, then every evening."""
    found = [each for each in statistics_of(group, chosen).people if each.game == chosen.game]
    name = _on_one_line(group.name)
    lines = [name, "=" * len(name), ""]
    longest = max((len(_on_one_line(each.name)) for each in found), default=0)
    best_first = sorted(found, key=lambda each: (-each.wins, each.name))
    lines += [f"{_on_one_line(each.name):<{longest}}  {_in_words(each)}" for each in best_first]
    for evening, rows in groupby(_history(group, chosen), key=lambda row: row[0]):
        lines += ["", str(evening)]
        for _code, seats in groupby(rows, key=lambda row: row[3]):
            lines.append(f"  {_table([*seats])}")
    return "\n".join(lines) + "\n"


def _in_words(each: PersonStatistics) -> str:
    """Say what somebody has made; who has left every game before its end has won none and lost none."""
    points = ngettext("{count} point", "{count} points", abs(each.points)).format(count=each.points)
    hands = ngettext("{count} hand", "{count} hands", each.hands).format(count=each.hands)
    if not each.tables:
        return _("{points} in {hands}").format(points=points, hands=hands)
    sentence = _("{wins} of {tables} won, {points} in {hands}")
    return sentence.format(wins=f"{float(each.wins):.4g}", tables=each.tables, points=points, hands=hands)


def _table(seats: list[Any]) -> str:
    game = find_game(seats[0][2])
    name = seats[0][2] if game is None else game.name
    if seats[0][8] == "":  # nobody has a place: the game went on
        name = _("{game} (goes on)").format(game=name)
    ranking = ", ".join(f"{_on_one_line(row[5])} {row[7]}" for row in sorted(seats, key=lambda row: (-row[7], row[4])))
    return f"{name}: {ranking}"


def _on_one_line(name: str) -> str:
    """Return a name that may be older than the rule that names hold no line breaks.

    >>> _on_one_line("Ann\\n2026-01-01\\u2028x")
    'Ann 2026-01-01 x'
    """
    return " ".join(name.split())


SHAPES: Mapping[str, Shape] = {
    "history": Shape(history_csv, "text/csv; charset=utf-8", "-history.csv"),
    "statistics": Shape(statistics_csv, "text/csv; charset=utf-8", "-statistics.csv"),
    "text": Shape(lambda group, chosen, _dialect: text_of(group, chosen), "text/plain; charset=utf-8", ".txt"),
    "calendar": Shape(lambda group, chosen, _: calendar_of(group, chosen), "text/calendar; charset=utf-8", ".ics"),
}
"""Every shape in which a group's history and statistics can be exported; ``archive`` is the whole group."""
