"""How the events of a hand are written as items of lines and read back: both follow from what their kinds declare."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple

from referee.engine.event_kinds import EventField, EventKind, Line
from referee.engine.game import event_kinds
from referee.engine.sheet import EventData as Data
from referee.engine.texts import Listing, phrase
from referee.notation import words
from referee.notation.words import Cursor, Mistake, Names, whole

# --- How the items of a line are written and read: both follow from the lines that the kinds of events declare
# A pattern is made of words and of places for fields; ``referee.engine.event_kinds.Line`` says how it is spelled. What
# stands in a place follows from the type of its field.

TOKEN = re.compile(r"(\()?\{(\w+)(?:\|(\w+))?\}\)?|(\S+)")


class Piece(NamedTuple):
    """A part of a pattern: words that mean the same, or the place of a field with the word for ``null``."""

    words: tuple[str, ...] = ()
    field: EventField | None = None
    null: str = ""
    bracketed: bool = False


@dataclass(frozen=True, slots=True)
class Pattern:
    """A line's item and clauses, taken apart."""

    kind: EventKind
    line: Line
    item: tuple[Piece, ...]
    clauses: tuple[tuple[Piece, ...], ...]

    def write(self, event: Data, names: Names) -> str:
        """Write an event as an item of its line; ``-`` where there is nothing to say but that it happened."""
        item = _write(self.item, event, names)
        clauses = [
            text for clause in self.clauses if (text := _write(clause, event, names)) and _is_there(clause, event)
        ]
        if self.clauses and not self.item and not clauses:
            return words.NO_CARDS
        if self.line.parted:
            return "; ".join([item, *clauses])
        return " ".join(filter(None, [item, "; ".join(clauses)]))

    def fits(self, event: Data) -> bool:
        """Return whether every field that is set has its place here."""
        places = {piece.field.name for part in (self.item, *self.clauses) for piece in part if piece.field}
        return all(field.name in places for field in self.kind.fields if event.get(field.name) is not None)

    def begins(self, line: Cursor) -> bool:
        """Return whether the words that tell this item from others of its line stand there."""
        first = next((place for place, piece in enumerate(self.item) if piece.words), None)
        return first is not None and line.word_at(first, *self.item[first].words)

    def read(self, line: Cursor) -> dict[str, object]:
        """Read an item of the line as an event as JSON holds it; raises ``Mistake`` where something else stands."""
        data: dict[str, object] = {"type": self.kind.name}
        if not self.item and line.take("word", words.NO_CARDS):
            return data
        for place, piece in enumerate(self.item):
            self._read_piece(piece, self.item[place + 1 :], line, data)
        if self.clauses:
            self._read_clauses(line, data)
        return data

    def _read_piece(self, piece: Piece, after: Sequence[Piece], line: Cursor, data: dict[str, object]) -> None:
        if piece.field is not None:
            _read_field(piece, line, data)
        elif not line.take("word", *piece.words):
            until = 1 + next((n for n, other in enumerate(after) if not other.words), len(after))
            expected = " ".join(self._words_around(piece))
            followed = until <= len(after) and after[until - 1].field
            if followed and followed.type.name == "seat":
                raise line.wrong(phrase("“{words}” and a player is expected.", words=expected))
            raise line.wrong(phrase("“{words}” is expected.", words=expected))

    def _words_around(self, piece: Piece) -> list[str]:
        """Return a word with those that stand directly beside it: they are expected together."""
        place = self.item.index(piece)
        start = place
        while start and self.item[start - 1].words:
            start -= 1
        end = place
        while end + 1 < len(self.item) and self.item[end + 1].words:
            end += 1
        return [other.words[0] for other in self.item[start : end + 1]]

    def _read_clauses(self, line: Cursor, data: dict[str, object]) -> None:
        read = False
        while True:
            parted = line.take("mark", ";")
            found = next((clause for clause in self.clauses if _starts(clause, line)), None)
            if found is None:
                if (not read and not self.item) or (parted and not line.done() and not line.next_is("mark")):
                    heads = tuple(
                        " ".join(piece.words[0] for piece in clause if piece.words) for clause in self.clauses
                    )
                    quoted = Listing(tuple(f"“{head}”" for head in heads), last="{first} or {last}")
                    raise line.wrong(phrase("{words} is expected.", words=quoted))
                return
            read = True
            for piece in found:
                if piece.field is not None:
                    _read_field(piece, line, data)
                else:
                    line.take("word", *piece.words)


def _is_there(clause: Sequence[Piece], event: Data) -> bool:
    return all(_is_set(piece, event) for piece in clause if piece.field)


def _is_set(piece: Piece, event: Data) -> bool:
    assert piece.field is not None
    value = event.get(piece.field.name)
    if piece.field.type.name == "flag":
        return bool(value)
    return value is not None or (bool(piece.null) and piece.field.name in event)


def _starts(clause: Sequence[Piece], line: Cursor) -> bool:
    worded = [piece for piece in clause if piece.words]
    return all(line.word_at(place, *piece.words) for place, piece in enumerate(worded))


def _write(pattern: Sequence[Piece], event: Data, names: Names) -> str:
    parts = []
    for piece in pattern:
        if piece.field is None:
            parts.append(piece.words[0])
        elif _is_set(piece, event):
            value = event[piece.field.name]
            text = piece.null if value is None else WRITERS[piece.field.type.name](value, names, piece.field, event)
            parts.append(f"({text})" if piece.bracketed else text)
    return " ".join(parts)


def _read_field(piece: Piece, line: Cursor, data: dict[str, object]) -> None:
    field = piece.field
    assert field is not None
    if piece.bracketed:
        if not line.take("mark", "("):
            return
        data[field.name] = READERS[field.type.name](line, data)
        if not line.take("mark", ")"):
            raise line.wrong("“)” is expected.")
    elif field.type.name == "flag":
        data[field.name] = line.take("word", field.name)
    elif field.type.name == "reason":
        if line.next_is("text"):
            data[field.name] = line.pull()
    elif piece.null and line.take("word", piece.null):
        data[field.name] = None
    else:
        data[field.name] = READERS[field.type.name](line, data)


# -- what stands in a place, by the type of the field ----------------------------------------


def _write_numbers(numbers: Sequence[int], names: Names) -> str:
    if len(numbers) == len(names.names):
        return names.each(numbers)
    return ", ".join(map(str, numbers)) or words.NO_CARDS


def _write_options(options: Data) -> str:
    written = (f"{words.word(key)} = {words.option_value(value)}" for key, value in options.items())
    return ", ".join(written) or words.NO_CARDS


def _write_points(points: Data, event: Data) -> str:
    own = list(points) == [str(event["winner"])]
    return str(points[str(event["winner"])]) if own else words.value(points)


Writer = Callable[[Any, Names, EventField, Data], str]
WRITERS: dict[str, Writer] = {
    "seat": lambda value, names, field, event: names.write(value),
    "cards": lambda value, names, field, event: words.cards(value),
    "card": lambda value, names, field, event: words.card(value),
    "suit": lambda value, names, field, event: words.word(value),
    "number": lambda value, names, field, event: str(value),
    "numbers": lambda value, names, field, event: _write_numbers(value, names),
    "points": lambda value, names, field, event: _write_points(value, event),
    "text": lambda value, names, field, event: words.value(value),
    "reason": lambda value, names, field, event: words.value(value),
    "flag": lambda value, names, field, event: field.name,
    "options": lambda value, names, field, event: _write_options(value),
}


def _read_numbers(line: Cursor) -> list[int]:
    """Read one number per seat, with the players’ names or in the order of the seats."""
    if line.take("word", words.NO_CARDS):
        return []
    named = not (line.next_is("word") and whole(line.tokens[line.index].value) is not None)
    numbers: dict[int, int] = {}
    while True:
        column = line.column
        seat = line.seat() if named else len(numbers)
        if seat in numbers:
            raise Mistake(column, "This player has a number already.")
        numbers[seat] = line.number()
        if not line.take("mark", ","):
            break
    players = len(line.names.names) if line.names else 0
    if named and sorted(numbers) != list(range(players)):
        raise line.wrong("Every player needs one number.")
    return [numbers[seat] for seat in sorted(numbers)]


def _read_options(line: Cursor) -> dict[str, object]:
    """Read house rules, each as ``key = value``."""
    options: dict[str, object] = {}
    if line.take("word", words.NO_CARDS):
        return options
    while True:
        column = line.column
        key = line.text("A house rule")
        if key in options:
            raise Mistake(column, phrase("The option {key} stands twice.", key=key[:40]))
        if not line.take("word", "=", "＝"):
            raise line.wrong("An option is written as “key = value”.")
        options[key] = _read_option(line)
        if not line.take("mark", ","):
            return options


def _read_option(line: Cursor) -> object:
    if line.next_is("word"):
        text = str(line.tokens[line.index].value)
        if text in BARE_VALUES or whole(text) is not None:
            line.pull()
            return BARE_VALUES[text] if text in BARE_VALUES else whole(text)
    return line.text("The value of a house rule")


BARE_VALUES: dict[str, object] = {"true": True, "false": False, "null": None}
"""What is no text where it stands bare."""


def _read_points(line: Cursor, data: Data) -> object:
    return line.pull() if line.next_is("object") else {str(data["winner"]): line.number()}


READERS: dict[str, Callable[[Cursor, Data], object]] = {
    "seat": lambda line, data: line.seat(),
    "cards": lambda line, data: line.cards(),
    "card": lambda line, data: line.text("A card"),
    "suit": lambda line, data: line.text("A suit"),
    "number": lambda line, data: line.number(),
    "numbers": lambda line, data: _read_numbers(line),
    "points": _read_points,
    "text": lambda line, data: line.text("A text"),
    "options": lambda line, data: _read_options(line),
}


# -- the patterns of all events ---------------------------------------------------------------


def pieces(kind: EventKind, text: str) -> tuple[Piece, ...]:
    """Take the pattern of an item or a clause, as ``Line`` says it, apart: its words and its places for fields."""
    found = []
    for bracket, name, null, literal in TOKEN.findall(text):
        field = kind.field(name) if name else None
        assert literal or field is not None, f"{kind.name} has no field {name!r}"
        found.append(Piece(tuple(literal.split("|")) if literal else (), field, null, bool(bracket)))
    return tuple(found)


@lru_cache(maxsize=256)
def patterns_of(kind: EventKind) -> tuple[Pattern, ...]:
    """Return how events of a kind are written; the first pattern that fits is taken."""
    return tuple(
        Pattern(kind, line, pieces(kind, line.item), tuple(pieces(kind, clause) for clause in line.clauses))
        for line in kind.lines
    )


def pattern_for(kind: EventKind, event: Data) -> Pattern | None:
    """Return the pattern by which an event is written; ``None`` where no line has place for all of it."""
    return next((pattern for pattern in patterns_of(kind) if pattern.fits(event)), None)


# --- The events of a hand as items of lines, and back: which line an event stands on, and what an item is
# Events are taken as records hold them (``dump_event``); one of a kind that no line knows is written on a line
# ``Event:``, as it stands.

ANY_EVENT = "Event"
"""The word that begins a line on which an event stands as JSON."""


def write_item(event: Data, names: Names) -> str:
    """Write one event as an item, with the table's consent (``!``) and its ``x_`` keys."""
    pattern = pattern_of(event)
    if pattern is None:
        return words.value(event)
    tail = suffix(event)
    if pattern.line.whole and not tail:
        return words.line_text(event[_only_field(pattern)])
    return pattern.write(event, names) + tail


def pattern_of(event: Data) -> Pattern | None:
    """Return the pattern by which an event is written, if a line knows it."""
    kind = event_kinds().get(event["type"])
    return None if kind is None else pattern_for(kind, event)


def suffix(event: Data) -> str:
    """Return what may end any item: `` !`` for the consent of the table, and the ``x_`` keys as JSON."""
    extra = {key: item for key, item in event.items() if key.startswith("x_")}
    return (" !" if event.get("accepted") else "") + (f" {words.value(extra)}" if extra else "")


def head_of(event: Data) -> str:
    """Return the word that begins the line of an event."""
    pattern = pattern_of(event)
    return ANY_EVENT if pattern is None else pattern.line.head


def is_shared(event: Data) -> bool:
    """Return whether the line of an event takes several events of its kind in a row."""
    pattern = pattern_of(event)
    return pattern is not None and pattern.line.shared


def _only_field(pattern: Pattern) -> str:
    return next(piece.field.name for piece in pattern.item if piece.field)


# -- reading ------------------------------------------------------------------------------------


def heads() -> Mapping[str, Sequence[Pattern]]:
    """Return the patterns of all events by the word that begins their line, in small letters."""
    found: dict[str, list[Pattern]] = {}
    for kind in event_kinds().values():
        for pattern in patterns_of(kind):
            found.setdefault(pattern.line.head.casefold(), []).append(pattern)
    return found


def stands_alone(patterns: Sequence[Pattern]) -> bool:
    """Return whether a line may end after the word that begins it."""
    return all(
        not pattern.clauses and all(piece.field and not piece.field.needed for piece in pattern.item)
        for pattern in patterns
    )


def whole_text(patterns: Sequence[Pattern], text: str) -> dict[str, object] | None:
    """Return the event of a line whose text stands bare up to its end; ``None`` where it is read as an item."""
    pattern = patterns[0]
    if not pattern.line.whole or text[:1] == '"':
        return None
    return {"type": pattern.kind.name, _only_field(pattern): text}


def read_items(patterns: Sequence[Pattern], line: Cursor) -> Iterator[tuple[int, dict[str, object]]]:
    """Read the events of a line, each with its column."""
    while True:
        column = line.column
        telling = next((pattern for pattern in patterns if pattern.begins(line)), None)
        yield column, (telling or patterns[0]).read(line) | line.suffix()
        if line.done():
            return
        if not line.take("mark", ","):
            raise line.wrong("A comma, or the end of the line, is expected.")
