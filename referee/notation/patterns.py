"""Patterns by which events are written as items of a line and read back, derived from their kinds."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple, cast

from referee.engine.event_kinds import EventField, EventKind, Line
from referee.engine.game import event_kinds
from referee.engine.sheet import EventData as Data
from referee.engine.texts import Listing, Phrase, phrase
from referee.notation import words
from referee.notation.words import Cursor, Mistake, Names, whole

# --- Items of a line, written and read as event kinds declare them
# A pattern consists of words and of places for fields; ``referee.engine.event_kinds.Line`` explains its syntax. How a
# value is written follows from the type of its field.

TOKEN = re.compile(r"(\()?\{(\w+)(?:\|(\w+))?\}\)?|(\S+)")


class Piece(NamedTuple):
    """A part of a pattern: synonymous words, or the place of a field with the word for ``null``."""

    words: tuple[str, ...] = ()
    field: EventField | None = None
    null: str = ""
    bracketed: bool = False

    def is_set(self, event: Data) -> bool:
        assert self.field is not None
        value = event.get(self.field.name)
        if self.field.type.name == "flag":
            return bool(value)
        return value is not None or (bool(self.null) and self.field.name in event)


@dataclass(frozen=True, slots=True)
class Pattern:
    """A parsed ``Line``: its item and its clauses."""

    kind: EventKind
    line: Line
    item: tuple[Piece, ...]
    clauses: tuple[tuple[Piece, ...], ...]

    @property
    def only_field(self) -> str:
        return next(piece.field.name for piece in self.item if piece.field)

    def write(self, event: Data, names: Names) -> str:
        """Write an event as an item of its line; ``-`` if there is nothing to write."""
        item = _write(self.item, event, names)
        told = [clause for clause in self.clauses if all(piece.is_set(event) for piece in clause if piece.field)]
        clauses = [text for clause in told if (text := _write(clause, event, names))]
        if self.clauses and not self.item and not clauses:
            return words.NO_CARDS
        if self.line.parted:
            return "; ".join([item, *clauses])
        return " ".join(filter(None, [item, "; ".join(clauses)]))

    def fits(self, event: Data) -> bool:
        """Return whether the pattern has a place for every field that is set."""
        places = {piece.field.name for part in (self.item, *self.clauses) for piece in part if piece.field}
        return all(field.name in places for field in self.kind.fields if event.get(field.name) is not None)

    def begins(self, line: Cursor) -> bool:
        """Return whether the words that tell this item from others of its line come next."""
        first = next((place for place, piece in enumerate(self.item) if piece.words), None)
        return first is not None and line.next_is("word", *self.item[first].words, offset=first)

    def read(self, line: Cursor) -> dict[str, object]:
        """Read an item of the line as an event; raises ``Mistake`` if there is something else."""
        data: dict[str, object] = {"type": self.kind.name}
        if not self.item and line.take("word", words.NO_CARDS):
            return data
        for place, piece in enumerate(self.item):
            if piece.field is not None:
                _read_field(piece, line, data)
            elif not line.take("word", *piece.words):
                raise line.wrong(self._expected(place))
        if self.clauses:
            self._read_clauses(line, data)
        return data

    def _expected(self, place: int) -> Phrase:
        """Return which words are expected in a place: the missing one, with those directly beside it."""
        start, end = place, place + 1
        while start and self.item[start - 1].words:
            start -= 1
        while end < len(self.item) and self.item[end].words:
            end += 1
        expected = " ".join(piece.words[0] for piece in self.item[start:end])
        followed = self.item[end].field if end < len(self.item) else None
        if followed and followed.type.name == "seat":
            return phrase("“{words}” and a player expected.", words=expected)
        return phrase("“{words}” expected.", words=expected)

    def _read_clauses(self, line: Cursor, data: dict[str, object]) -> None:
        read = False
        while True:
            parted = line.take("mark", ";")
            found = next((clause for clause in self.clauses if _starts(clause, line)), None)
            if found is None:
                if (not read and not self.item) or (parted and not line.done() and not line.next_is("mark")):
                    heads = (" ".join(piece.words[0] for piece in clause if piece.words) for clause in self.clauses)
                    quoted = Listing(tuple(f"“{head}”" for head in heads), last="{first} or {last}")
                    raise line.wrong(phrase("{words} expected.", words=quoted))
                return
            read = True
            for piece in found:
                if piece.field is not None:
                    _read_field(piece, line, data)
                else:
                    line.take("word", *piece.words)


def _starts(clause: Sequence[Piece], line: Cursor) -> bool:
    worded = [piece for piece in clause if piece.words]
    return all(line.next_is("word", *piece.words, offset=place) for place, piece in enumerate(worded))


def _write(pattern: Sequence[Piece], event: Data, names: Names) -> str:
    parts = []
    for piece in pattern:
        if piece.field is None:
            parts.append(piece.words[0])
        elif piece.is_set(event):
            value = event[piece.field.name]
            text = piece.null if value is None else _written(value, piece.field, event, names)
            parts.append(f"({text})" if piece.bracketed else text)
    return " ".join(parts)


def _written(value: Any, field: EventField, event: Data, names: Names) -> str:
    match field.type.name:
        case "seat":
            return names.write(value)
        case "flag":
            return field.name
        case "numbers" if len(value) == len(names.names):
            return names.each(value)
        case "points" if list(value) == [str(event["winner"])]:
            return str(value[str(event["winner"])])
        case kind:
            return WRITERS.get(kind, words.value)(value)


def _write_options(options: Data) -> str:
    written = (f"{words.word(key)} = {words.option_value(value)}" for key, value in options.items())
    return ", ".join(written) or words.NO_CARDS


WRITERS: Mapping[str, Callable[[Any], str]] = {
    "cards": words.cards,
    "card": words.card,
    "suit": words.word,
    "choice": words.word,
    "number": str,
    "numbers": lambda numbers: ", ".join(map(str, numbers)) or words.NO_CARDS,
    "options": _write_options,
}


def _read_field(piece: Piece, line: Cursor, data: dict[str, object]) -> None:
    field = piece.field
    assert field is not None
    if piece.bracketed:
        if not line.take("mark", "("):
            return
        data[field.name] = _read(field.type.name, line, data)
        if not line.take("mark", ")"):
            raise line.wrong("“)” expected.")
    elif field.type.name == "flag":
        if line.take("word", field.name):
            data[field.name] = True
    elif field.type.name == "reason":
        if line.next_is("text"):
            data[field.name] = line.pull()
    elif field.type.name == "choice":
        found = next(
            (value for value in cast(Sequence[str], field.type.schema["enum"]) if line.take("word", value)), None
        )
        data |= {} if found is None else {field.name: found}
    elif piece.null and line.take("word", piece.null):
        data[field.name] = None
    else:
        data[field.name] = _read(field.type.name, line, data)


def _read(kind: str, line: Cursor, data: Data) -> object:
    if kind == "points":
        return line.pull() if line.next_is("object") else {str(data["winner"]): line.number()}
    return READERS[kind](line)


def _read_numbers(line: Cursor) -> list[int]:
    if line.take("word", words.NO_CARDS):
        return []
    named = not (line.next_is("word") and whole(line.tokens[line.index].value) is not None)
    numbers: dict[int, int] = {}
    while True:
        column = line.column
        seat = line.seat() if named else len(numbers)
        if seat in numbers:
            raise Mistake(column, "This player already has a number.")
        numbers[seat] = line.number()
        if not line.take("mark", ","):
            break
    players = len(line.names.names) if line.names else 0
    if named and sorted(numbers) != list(range(players)):
        raise line.wrong("Every player needs one number.")
    return [numbers[seat] for seat in sorted(numbers)]


BARE_VALUES: dict[str, object] = {"true": True, "false": False, "null": None}  # not texts if unquoted


def _read_options(line: Cursor) -> dict[str, object]:
    options: dict[str, object] = {}
    if line.take("word", words.NO_CARDS):
        return options
    while True:
        column = line.column
        key = line.text("A house rule")
        if key in options:
            raise Mistake(column, phrase("The house rule {key} appears twice.", key=key[:40]))
        if not line.take("word", "=", "＝"):
            raise line.wrong("Write a house rule as “key = value”.")
        bare = str(line.tokens[line.index].value) if line.next_is("word") else ""
        if bare in BARE_VALUES or (bare and whole(bare) is not None):
            line.pull()
            options[key] = BARE_VALUES[bare] if bare in BARE_VALUES else whole(bare)
        else:
            options[key] = line.text("The value of a house rule")
        if not line.take("mark", ","):
            return options


READERS: Mapping[str, Callable[[Cursor], object]] = {
    "seat": Cursor.seat,
    "cards": Cursor.cards,
    "card": lambda line: line.text("A card"),
    "suit": lambda line: line.text("A suit"),
    "number": Cursor.number,
    "numbers": _read_numbers,
    "text": lambda line: line.text("A text"),
    "options": _read_options,
}


def pieces(kind: EventKind, text: str) -> tuple[Piece, ...]:
    """Split the pattern of an item or a clause (see ``Line``) into words and places for fields."""
    found = []
    for bracket, name, null, literal in TOKEN.findall(text):
        field = kind.field(name) if name else None
        assert literal or field is not None, f"{kind.name} has no field {name!r}"
        found.append(Piece(tuple(literal.split("|")) if literal else (), field, null, bool(bracket)))
    return tuple(found)


@lru_cache(maxsize=256)
def patterns_of(kind: EventKind) -> tuple[Pattern, ...]:
    """Return the patterns of an event kind; the first that fits is used."""
    return tuple(
        Pattern(kind, line, pieces(kind, line.item), tuple(pieces(kind, clause) for clause in line.clauses))
        for line in kind.lines
    )


# --- The events of a hand as items of lines, and back
# Events are as in records (``dump_event``); one that no pattern fits is written as JSON on a line ``Event:``.

ANY_EVENT = "Event"  # begins a line that holds an event as JSON


def pattern_of(event: Data) -> Pattern | None:
    """Return the pattern by which an event is written; ``None`` if no line has a place for all of it."""
    kind = event_kinds().get(event["type"])
    return next((pattern for pattern in patterns_of(kind) if pattern.fits(event)), None) if kind else None


def write_item(event: Data, names: Names) -> str:
    """Write one event as an item, with the table's consent (``!``) and its ``x_`` keys as JSON."""
    pattern = pattern_of(event)
    if pattern is None:
        return words.value(event)
    extra = {key: item for key, item in event.items() if key.startswith("x_")}
    tail = (" !" if event.get("accepted") else "") + (f" {words.value(extra)}" if extra else "")
    if pattern.line.whole and not tail:
        return words.line_text(event[pattern.only_field])
    return pattern.write(event, names) + tail


def heads() -> Mapping[str, Sequence[Pattern]]:
    """Return the patterns of all events, by the case-folded word that begins their line."""
    found: dict[str, list[Pattern]] = {}
    for kind in event_kinds().values():
        for pattern in patterns_of(kind):
            found.setdefault(pattern.line.head.casefold(), []).append(pattern)
    return found


def stands_alone(patterns: Sequence[Pattern]) -> bool:
    """Return whether a line may consist of the word that begins it alone."""
    return all(
        not pattern.clauses and all(piece.field and not piece.field.needed for piece in pattern.item)
        for pattern in patterns
    )


def whole_text(patterns: Sequence[Pattern], text: str) -> dict[str, object] | None:
    """Return the event of a line whose text is unquoted up to its end; ``None`` if it is to be read as items."""
    pattern = patterns[0]
    if not pattern.line.whole or text[:1] == '"':
        return None
    return {"type": pattern.kind.name, pattern.only_field: text}


def read_items(patterns: Sequence[Pattern], line: Cursor) -> Iterator[tuple[int, dict[str, object]]]:
    """Yield the events of a line, each with its column."""
    while True:
        column = line.column
        telling = next((pattern for pattern in patterns if pattern.begins(line)), None)
        yield column, (telling or patterns[0]).read(line) | line.suffix()
        if line.done():
            return
        if not line.take("mark", ","):
            raise line.wrong("A comma or the end of the line expected.")
