"""The record of a table for taking away: as JSON, as text and as tables for a spreadsheet."""

import csv
import re
from collections.abc import Iterable, Mapping, Sequence
from io import StringIO
from typing import Any

from referee.engine.bounds import STATED
from referee.engine.catalogue import event_kinds
from referee.engine.records import load_record
from referee.notation import SHEET_HEADING, write_sheet, write_text
from scoring.models import Table
from scoring.models.fields import canonical
from scoring.queries.clock import judging_watch, standing_now
from scoring.queries.log import record
from scoring.queries.points import adjudication_shown, points_hidden
from scoring.queries.results import confirmations
from scoring.queries.state import Standing

SCORES, TOTALS = STATED
"""The keys under which an annotated record states the scores of a hand and the totals."""

Row = Sequence[object]


CONFIRMED = "x_confirmed"
"""The key under which a hand of a record says which seats have agreed with its result."""


def as_json(row: Table, *, annotate: bool = False) -> dict[str, object]:
    """Return the record; ``annotate`` adds the scores that follow from it, unless they are hidden."""
    at = standing_now(row)
    data = _with_agreement(at)
    if not annotate or points_hidden(at):
        return data
    judged = adjudication_shown(at)
    hands = [hand | {SCORES: list(sheet["scores"])} for hand, sheet in zip(data["hands"], judged["hands"], strict=True)]
    return data | {"hands": hands, TOTALS: list(judged["totals"])}


def _with_agreement(at: Standing) -> dict[str, Any]:
    """Return the record, each hand with who has agreed with its result."""
    data = record(at.row)
    for number, agreed in confirmations(at).items():
        data["hands"][number][CONFIRMED] = [*agreed]
    return data


def as_text(row: Table, *, annotate: bool = False) -> str:
    """Return the record in the text notation; ``annotate`` adds the referee's comments and the score sheet."""
    loaded = load_record(_with_agreement(standing_now(row)), stored=True)
    watch = judging_watch()
    text = write_text(loaded, annotate=annotate, watch=watch)
    return f"{text}\n{SHEET_HEADING}\n{write_sheet(loaded, watch)}" if annotate else text


def event_fields() -> tuple[str, ...]:
    """Return the fields that events of any kind may have, who acted apart: each is a column."""
    keys = (field.name for kind in event_kinds().values() for field in kind.fields)
    return tuple(dict.fromkeys(key for key in keys if key != "seat"))


def events_csv(row: Table) -> str:
    """Return the events as a table, one row each; lists are parted by spaces."""
    names, fields = list(row.seats), event_fields()
    columns = ("hand", "event", "type", "seat", "player", *fields, "accepted", "other")
    rows = (
        _event(hand, position, event, names, fields)
        for hand, written in enumerate(record(row)["hands"], 1)
        for position, event in enumerate(written["events"], 1)
    )
    return write_csv([columns, *rows])


def _event(hand: int, position: int, event: Mapping[str, object], names: Sequence[str], fields: Sequence[str]) -> Row:
    seat = event.get("seat")
    player = names[seat] if isinstance(seat, int) and 0 <= seat < len(names) else ""
    own = {key: value for key, value in event.items() if key not in ("type", "seat", "accepted", *fields)}
    cells = [_cell(event, key) for key in fields]
    return [
        hand, position, event["type"], "" if seat is None else seat, player,
        *cells, _cell(event, "accepted"), canonical(own) if own else "",
    ]  # fmt: skip


def _cell(event: Mapping[str, object], key: str) -> object:
    """Return the field of an event as a cell; ``null`` says something else than nothing."""
    value = event.get(key, "")
    if isinstance(value, list):
        return " ".join(map(str, value))
    return value if isinstance(value, int | str) and not isinstance(value, bool) else canonical(value)


def scores_csv(row: Table) -> str:
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
    return write_csv(rows)


# -- cells ----------------------------------------------------------------------------------

FORMULA = "=+\\-@＝＋－＠"
"""What begins a formula; spreadsheets take the full-width forms for the plain ones."""
BEGINS_A_FORMULA = re.compile(rf"\s*[{FORMULA}]|[\t\r\n]")
FORMULA_INSIDE = re.compile(rf'([;\t\r\n][\s"]*)(?=[{FORMULA}])')
"""Where another cell begins for a spreadsheet that parts cells by semicolons or tabs, as a German one does."""


def write_csv(rows: Iterable[Row]) -> str:
    """Write rows as CSV (RFC 4180) in which no cell can be taken for a formula."""
    text = StringIO()
    csv.writer(text, lineterminator="\r\n").writerows([cell(value) for value in row] for row in rows)
    return text.getvalue()


def cell(value: object) -> str:
    """Return a cell that no spreadsheet computes, whatever it parts cells by.

    A text that could begin a formula gets an apostrophe before it, also after a semicolon, a negative number a space,
    which leaves it a number.

    >>> cell("=1+1"), cell("Ann;=1+1"), cell(-3), cell(12)
    ("'=1+1", "Ann;'=1+1", ' -3', '12')
    """
    text = str(value)
    if isinstance(value, int):
        return f" {text}" if value < 0 else text
    text = FORMULA_INSIDE.sub(r"\1'", text)
    return f"'{text}" if BEGINS_A_FORMULA.match(text) else text
