"""Records as cells of a spreadsheet, one row per event, and back.

The first row below the heading holds the table (``record``); a ``hand`` row holds what a hand has besides its events.
Both are JSON in the last column, as is whatever else of an event no cell can hold. Columns are found by their heading,
and unknown ones are skipped. ``read_cells`` reads all that ``write_cells`` has written, also if a spreadsheet has saved
it with semicolons or tabs.
"""

import csv
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from io import StringIO
from itertools import zip_longest
from typing import Any

from referee.engine.event_kinds import EventKind
from referee.engine.game import event_kinds
from referee.engine.reader import Reader
from referee.engine.records import load_record
from referee.engine.replaying import Watch, no_watch
from referee.engine.rules import Problem, Refused
from referee.engine.texts import Phrase, phrase
from referee.notation.read import Reading, load_placed, read_placed
from referee.notation.words import BYTE_ORDER_MARK, Mistake, check_text, plain_lines, read_value

Row = Sequence[object]
RECORD, HAND, OTHER = "record", "hand", "other"
FIRST = ("hand", "event", "type", "seat", "player")
EMPTY = "null"


def event_fields() -> tuple[str, ...]:
    """Return the fields of all event kinds except ``seat``; each is a column."""
    keys = (field.name for kind in event_kinds().values() for field in kind.fields)
    return tuple(dict.fromkeys(key for key in keys if key != "seat"))


@dataclass(frozen=True, slots=True)
class Dialect:
    """How a spreadsheet file is written: the separator, the decimal mark, and what it begins with."""

    separator: str = ","
    decimal: str = "."
    begins: str = ""


PROGRAMS = Dialect()  # UTF-8 without a byte order mark, commas, decimal points


def for_people(decimal: str) -> Dialect:
    """Return what Excel opens by itself where numbers are written with this decimal mark.

    Excel recognises UTF-8 only by a byte order mark, and separates cells by semicolons where the decimal mark is a
    comma.
    """
    return Dialect(";" if decimal == "," else ",", decimal, BYTE_ORDER_MARK)


def write_cells(record: Mapping[str, Any], dialect: Dialect = PROGRAMS) -> str:
    """Write a record, given as JSON-like data, as CSV; lists are separated by spaces."""
    columns, names = (*FIRST, *event_fields(), "accepted", OTHER), record["seats"]
    table = {key: value for key, value in record.items() if key != "hands"}
    rows: list[dict[str, object]] = [{"type": RECORD, OTHER: _json(table)}]
    for number, hand in enumerate(record["hands"], 1):
        more = {key: value for key, value in hand.items() if key != "events"}
        if more or not hand["events"]:
            rows.append({"hand": number, "type": HAND, OTHER: _json(more)})
        for position, event in enumerate(hand["events"], 1):
            seat = event.get("seat")
            player = names[seat] if isinstance(seat, int) and 0 <= seat < len(names) else ""
            rows.append({"hand": number, "event": position, "player": player, **_event_cells(event)})
    return write_csv([columns, *([row.get(column, "") for column in columns] for row in rows)], dialect)


def _event_cells(event: Mapping[str, Any]) -> dict[str, object]:
    """Return the cells of an event by column; values that would be read back differently go under ``other``."""
    kind = event_kinds()[event["type"]]
    cells: dict[str, object] = {"type": event["type"]}
    other = {}
    for key, value in event.items():
        if key == "type":
            continue
        written: object = " ".join(map(str, value)) if isinstance(value, list) else value
        if not isinstance(written, int | str) or isinstance(written, bool):
            written = _json(value)
        has_column = (kind.field(key) is not None or key == "accepted") and str(written).strip()
        if has_column and _json(_read_field(kind, key, str(written))) == _json(value):
            cells[key] = written
        else:
            other[key] = value
    return cells | ({OTHER: _json(other)} if other else {})


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def read_cells(text: str) -> Reading:
    """Read a record from CSV; raises ``Refused`` with every problem, its line as the pointer."""
    data: dict[str, Any] = {}
    hands: list[dict[str, Any]] = []
    places: dict[str, tuple[int, int]] = {}
    passed_over: dict[str, None] = {}
    for line, cells in _lines(text, passed_over):
        try:
            _take(cells, line, data, hands, places)
        except Mistake as mistake:
            raise _refused(line, mistake.detail) from None
    if not data:
        raise _refused(1, phrase("The row of type {type}, which describes the table, is missing.", type=RECORD))
    return Reading(load_placed({**data, "hands": hands}, places), places, tuple(passed_over))


def _lines(text: str, passed_over: dict[str, None]) -> Iterator[tuple[int, dict[str, str]]]:
    """Yield the number of each line and its cells by column, unescaped; unknown columns go to ``passed_over``."""
    content = text.removeprefix(BYTE_ORDER_MARK)
    first = plain_lines(content).partition("\n")[0]
    separator = max(",;\t", key=first.count)
    reader = csv.reader(StringIO(content, newline=""), delimiter=separator)
    known = {*FIRST, *event_fields(), "accepted", OTHER}
    try:
        headings = [heading.strip() for heading in next(reader, [])]
        columns = [heading.lower() for heading in headings]
        if not {"hand", "type", OTHER} <= set(columns):
            raise _refused(1, phrase("The first line must name the columns, among them hand, type and other."))
        line = reader.line_num
        for row in reader:
            line, begins = reader.line_num, line + 1
            cells: dict[str, str] = {}
            for number, (column, value) in enumerate(zip_longest(columns, row, fillvalue=""), 1):
                if not value.strip():
                    continue
                if (column in known or column.startswith("x_")) and column not in columns[: number - 1]:
                    cells[column] = bare(value, separator)
                else:
                    passed_over[headings[number - 1] if column else f"#{number}"] = None
            if cells:
                yield begins, cells
    except csv.Error:
        raise _refused(reader.line_num, phrase("This line is not valid CSV.")) from None


def _refused(line: int, detail: Phrase | str) -> Refused:
    return Refused([Problem(f"line {line}, column 1", "bad-notation", detail)], malformed=True)


def _take(
    cells: dict[str, str], line: int, data: dict[str, Any], hands: list[dict[str, Any]], places: dict[str, Any]
) -> None:
    for value in cells.values():
        check_text(value, 1)
    kind, other = cells.get("type", "").strip(), _object(cells.get(OTHER, ""))
    if kind == RECORD:
        if data:
            raise Mistake(1, phrase("Only one row can have the type {type}.", type=RECORD))
        data |= other
        places[""] = (line, 1)
        return
    try:
        number = _number(cells.get("hand", ""))
    except ValueError:
        raise Mistake(1, phrase("The number of the hand is missing here.")) from None
    if number not in (len(hands), len(hands) + 1) or number < 1:
        raise Mistake(1, phrase("Hand {number} doesn’t belong here.", number=number))
    if number > len(hands):
        hands.append({"events": []})
        places[f"/hands/{number - 1}"] = (line, 1)
    hand = hands[number - 1]
    if kind == HAND:
        hand |= {key: value for key, value in other.items() if key != "events"}
        return
    places[f"/hands/{number - 1}/events/{len(hand['events'])}"] = (line, 1)
    known, seats = event_kinds().get(kind), data.get("seats")
    event: dict[str, Any] = {"type": kind}
    for column, value in cells.items():
        if column not in ("hand", "event", "type", "player", OTHER):
            event[column] = value if known is None else _read_field(known, column, value)
    player = cells.get("player", "")
    if "seat" not in cells and "seat" not in other and isinstance(seats, list) and player in seats:
        event["seat"] = seats.index(player)  # a row written by hand
    hand["events"].append({**event, **other})


def _read_field(kind: EventKind, name: str, cell: str) -> Any:
    """Read a cell by the type of its field; what cannot be read stays a text, for the record reader to refuse."""
    if name == "accepted":
        return _flag(cell)
    field = kind.field(name)
    if field is None:
        return cell
    if field.type.null and cell == EMPTY:
        return None
    try:
        return READ.get(field.type.name, str)(cell)
    except ValueError:
        return cell


def _flag(cell: str) -> Any:
    return {"true": True, "false": False}.get(cell.strip().lower(), cell)  # spreadsheets write booleans in capitals


def _object(cell: str) -> dict[str, Any]:
    if not cell.strip():
        return {}
    value, end = read_value(cell, 0)
    if not isinstance(value, dict) or cell[end:].strip():
        raise Mistake(1, phrase("The last column must be a JSON object or empty."))
    return value


def _number(cell: str) -> int:
    if not re.fullmatch(r"\s*-?\d{1,12}\s*", cell, re.ASCII):
        raise ValueError(cell)
    return int(cell)


def _object_or_text(cell: str) -> Any:
    try:
        return _object(cell)
    except Mistake:
        return cell


READ: Mapping[str, Callable[[str], Any]] = {
    "seat": _number,
    "number": _number,
    "numbers": lambda cell: [_number(each) for each in cell.split(" ")],
    "cards": lambda cell: cell.split(" "),
    "flag": _flag,
    "points": _object_or_text,
    "options": _object_or_text,
}
"""How cells are read, by the name of their field's type; others are texts."""


TEXT, CSV = "text", "csv"  # the JSON keys of a record as text or as cells
LONGEST = 16 * 1024 * 1024


def read_any_form(data: object, watch: Watch = no_watch) -> Reading:
    """Read a record from JSON, or from text or CSV under its key; raises ``Refused``, and what ``watch`` raises."""
    if not isinstance(data, Mapping) or not data.keys() & {TEXT, CSV}:
        return Reading(load_record(data, watch=watch), None)
    reader = Reader()
    form = TEXT if TEXT in data else CSV
    reader.keys(data, (form,), "")
    text = reader.text(data[form], f"/{form}", LONGEST)
    reader.check()
    assert text is not None
    return read_placed(text) if form == TEXT else read_cells(text)


FORMULA = "=+\\-@＝＋－＠"  # these begin a formula, also in their full-width forms
BEGINS_A_FORMULA = re.compile(rf"'*(\s*[{FORMULA}]|[\t\r\n])")


def write_csv(rows: Iterable[Row], dialect: Dialect = PROGRAMS) -> str:
    """Write rows as CSV without formula injection."""
    text = StringIO()
    text.write(dialect.begins)
    writer = csv.writer(text, delimiter=dialect.separator, lineterminator="\r\n")
    writer.writerows([cell(value, dialect) for value in row] for row in rows)
    return text.getvalue()


def cell(value: object, dialect: Dialect = PROGRAMS) -> str:
    """Return a cell that no spreadsheet evaluates, whatever its separator; ``bare`` is the inverse.

    A number has at most four decimals, and a leading space if it is negative, so that it stays a number. Text that
    could begin a formula gets an apostrophe, also behind another spreadsheet's separator; text that has apostrophes
    already gets one more.

    >>> cell("=1+1"), cell("Ann;=1+1"), cell(-3), cell(-1.25), cell(2.0), cell("'=1")
    ("'=1+1", "Ann;'=1+1", ' -3', ' -1.25', '2', "''=1")
    >>> cell(-1.25, for_people(",")), cell("Ann,=1+1", for_people(","))
    (' -1,25', "Ann,'=1+1")
    """
    if isinstance(value, int | float):
        number = str(value) if isinstance(value, int) else f"{value:.4f}".rstrip("0").rstrip(".")
        number = "0" if number == "-0" else number.replace(".", dialect.decimal)
        return f" {number}" if value < 0 and number != "0" else number
    text = re.sub(rf"({_elsewhere(dialect.separator)})('*)(?=[{FORMULA}])", r"\1'\2", str(value))
    return f"'{text}" if BEGINS_A_FORMULA.match(text) else text


def bare(text: str, separator: str = PROGRAMS.separator) -> str:
    """Return the text from which a cell was written.

    >>> bare(cell("Ann;=1+1")), bare(cell("'=1")), bare("'tis so")
    ('Ann;=1+1', "'=1", "'tis so")
    """
    if text[:1] == "'" and BEGINS_A_FORMULA.match(text):
        text = text[1:]
    return re.sub(rf"({_elsewhere(separator)})'('*)(?=[{FORMULA}])", r"\1\2", text)


def _elsewhere(separator: str) -> str:
    """Return a pattern for the start of a new cell in spreadsheets that use another separator."""
    return rf"""[{"," if separator == ";" else ""};\t\r\n][\s"]*"""
