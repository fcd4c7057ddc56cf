"""The record of a table, to export: as JSON, as text and as tables for a spreadsheet."""

from collections.abc import Sequence
from typing import Any

from referee.engine.bounds import STATED
from referee.engine.records import load_record
from referee.notation import PROGRAMS, SHEET_HEADING, Dialect, write_cells, write_csv, write_sheet, write_text
from scoring.models import Table
from scoring.queries.clock import judging_watch, standing_now
from scoring.queries.log import record
from scoring.queries.points import adjudication_shown, points_hidden
from scoring.queries.results import confirmations
from scoring.queries.state import Standing

SCORES, TOTALS, RULES_VERSION = STATED
"""The keys under which an annotated record states the scores of a hand, the totals, and the version of the rules."""

Row = Sequence[object]


CONFIRMED = "x_confirmed"
"""The key under which a hand of a record says which seats have agreed with its result."""


def as_json(row: Table, *, annotate: bool = False) -> dict[str, object]:
    """Return the record; ``annotate`` adds the scores that follow from it, unless they are hidden."""
    at = standing_now(row)
    data = _with_confirmations(at)
    if not annotate or points_hidden(at):
        return data
    judged = adjudication_shown(at)
    hands = [hand | {SCORES: list(sheet["scores"])} for hand, sheet in zip(data["hands"], judged["hands"], strict=True)]
    return data | {"hands": hands, TOTALS: list(judged["totals"]), RULES_VERSION: judged["rules_version"]}


def _with_confirmations(at: Standing) -> dict[str, Any]:
    """Return the record, each hand with who has agreed with its result."""
    data = record(at.row)
    for number, agreed in confirmations(at).items():
        data["hands"][number][CONFIRMED] = [*agreed]
    return data


def as_text(row: Table, *, annotate: bool = False) -> str:
    """Return the record in the text notation; ``annotate`` adds the referee's comments and the score sheet."""
    loaded = load_record(_with_confirmations(standing_now(row)), stored=True)
    watch = judging_watch()
    text = write_text(loaded, annotate=annotate, watch=watch)
    return f"{text}\n{SHEET_HEADING}\n{write_sheet(loaded, watch)}" if annotate else text


def events_csv(row: Table, *, dialect: Dialect = PROGRAMS) -> str:
    """Return the record as cells: a row for each event, and those of the table and its hands."""
    return write_cells(_with_confirmations(standing_now(row)), dialect)


def scores_csv(row: Table, *, dialect: Dialect = PROGRAMS) -> str:
    """Return the score sheet as a table: a row for each hand, then the totals."""
    judged = adjudication_shown(standing_now(row))
    hidden = judged["points_hidden"]
    rows: list[Row] = [["hand", "phase", *row.seats]]
    if any(row.carried) and not hidden:
        rows.append(["carried", "", *row.carried])
    rows += (
        [hand["number"], hand["phase"], *("" if points is None else points for points in hand["scores"])]
        for hand in judged["hands"]
    )
    totals = [] if hidden else judged["totals"]
    rows.append(["total", "finished" if judged["finished"] else "hidden" if hidden else "", *totals])
    return write_csv(rows, dialect)
