"""Reading a record from text: its head, and its hands."""

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, NoReturn

from referee.engine.game import all_games
from referee.engine.records import Record, load_record
from referee.engine.replaying import MOST_EVENTS, too_many_events
from referee.engine.rules import MOST_PROBLEMS, Problem, Refused
from referee.engine.texts import phrase
from referee.notation import words
from referee.notation.patterns import ANY_EVENT, heads, read_items, stands_alone, whole_text
from referee.notation.words import BYTE_ORDER_MARK, Cursor, Mistake, Names, plain_lines, whole

# --- Reading the head of a record: what a table is opened with

KEY = re.compile(r"\s*(\"|[^\s=＝:\"]+)")
COMMA = re.compile(f"[{words.COMMAS}]|$")
MOST_NAMES = 20
"""Names read from a line; how many a table may have is judged with the record."""
HEADERS = {
    "format": "Format:", "game": "Game:", "option": "Option:", "end": "End:", "seats": "Seats:",
    "first dealer": "First dealer:", "carried": "Carried:", "hands before": "Hands before:",
}  # fmt: skip


class Head:
    """Reads the lines before the first hand into the data that ``load_record`` takes.

    ``number`` is the line being read; ``places`` remembers where each part was found.
    """

    def __init__(self) -> None:
        self.data: dict[str, Any] = {"options": {}, "hands": []}
        self.places: dict[str, tuple[int, int]] = {"": (1, 1)}
        self.names: Names | None = None
        self.number = 0

    def at(self, pointer: str, column: int = 1) -> None:
        """Remember where a part of the record stands."""
        self.places[pointer] = (self.number, column)

    def take_header(self, line: str) -> None:
        """Read a line of the head."""
        head, colon, rest = line.partition(":")
        key = " ".join(head.casefold().split())
        if not colon or key not in HEADERS:
            raise Mistake(
                1,
                phrase("A line here begins with one of: {words}, or == Hand 1 ==.", words=", ".join(HEADERS.values())),
            )
        start = len(line) - len(rest.lstrip())
        name = key.replace(" ", "_")
        if name != "option":
            if name in self.data:
                raise Mistake(1, phrase("The line “{words}” stands twice.", words=HEADERS[key]))
            self.at(f"/{name}", start + 1)
        getattr(self, f"_take_{name}")(line, start)

    def _take_format(self, line: str, start: int) -> None:
        self.data["format"] = self._line_text(line, start)

    def _take_game(self, line: str, start: int) -> None:
        written = self._line_text(line, start)
        spoken = _spoken(written)
        named = (game.id for game in all_games() if spoken in (_spoken(game.id), _spoken(game.name)))
        self.data["game"] = next(named, written)

    def _line_text(self, line: str, start: int) -> str:
        if line[start : start + 1] != '"':
            return line[start:]
        text, end = words.read_value(line, start)
        if line[end:].strip():
            raise Mistake(end + 1, "The line should end after the text in quotes.")
        return str(text)

    def _take_option(self, line: str, start: int) -> None:
        found = KEY.match(line, start)
        key, end = (found.group(1), found.end()) if found else ("", start)
        if key == '"':
            key, end = words.read_value(line, end - 1)
        sign, value = line[end:].lstrip()[:1], line[end:].lstrip()[1:].strip()
        if not key or sign not in ("=", "＝") or not value:
            raise Mistake(start + 1, "An option is written as “key = value”.")
        if key in self.data["options"]:
            raise Mistake(start + 1, phrase("The option {key} stands twice.", key=key[:40]))
        self.at(f"/options/{key[:40]}", start + 1)
        self.data["options"][key] = self._option(line, len(line) - len(value), value)

    def _option(self, line: str, start: int, value: str) -> object:
        if words.BARE_WORD.fullmatch(value) and value not in ("true", "false", "null"):
            return value
        read, end = words.read_value(line, start)
        if line[end:]:
            raise Mistake(start + 1, "An option’s value is one word or one number.")
        return read

    def _take_end(self, line: str, start: int) -> None:
        kind, *numbers = line[start:].split() or [""]
        end: dict[str, object] = {"kind": kind}
        if numbers:
            end["value"] = whole(numbers[0])
        if len(numbers) > 1 or (numbers and end["value"] is None):
            raise Mistake(start + 1, "The end is “open”, “hands 4”, “score 40” or “time 90”.")
        self.data["end"] = end

    def _take_seats(self, line: str, start: int) -> None:
        seats: list[str] = []
        position = start
        while True:
            position = len(line) - len(line[position:].lstrip())
            self.at(f"/seats/{len(seats)}", position + 1)
            if line[position : position + 1] == '"':
                name, position = words.read_value(line, position)
                comma, after = line[position:].lstrip()[:1], len(line) - len(line[position:].lstrip())
                if comma and comma not in words.COMMAS:
                    raise Mistake(after + 1, "A comma, or the end of the line, is expected.")
                position = after
            else:
                end = next(COMMA.finditer(line, position)).start()
                name, position = line[position:end].strip(), end
            seats.append(str(name))
            if position >= len(line):
                break
            if len(seats) > MOST_NAMES:
                raise Mistake(position + 1, "So many players have no place at a table.")
            position += 1
        self.data["seats"] = seats
        self.names = Names(seats)

    def _cursor(self, line: str, start: int) -> Cursor:
        return Cursor(words.split(line, start), self.names, len(line) + 1)

    def _take_first_dealer(self, line: str, start: int) -> None:
        cursor = self._cursor(line, start)
        self.data["first_dealer"] = cursor.seat()
        self._nothing_left(cursor)

    def _take_carried(self, line: str, start: int) -> None:
        cursor = self._cursor(line, start)
        carried: dict[int, int] = {}
        while True:
            seat = cursor.seat()
            carried[seat] = cursor.number()
            if not cursor.take("mark", ","):
                break
        self._nothing_left(cursor)
        players = len(self.data["seats"])
        if any(not 0 <= seat < players for seat in carried):
            raise Mistake(start + 1, "Only players of this table carry points.")
        self.data["carried"] = [carried.get(seat, 0) for seat in range(players)]

    def _take_hands_before(self, line: str, start: int) -> None:
        cursor = self._cursor(line, start)
        self.data["hands_before"] = cursor.number()
        self._nothing_left(cursor)

    def _nothing_left(self, cursor: Cursor) -> None:
        if not cursor.done():
            raise cursor.wrong("The end of the line is expected.")


def _spoken(name: str) -> str:
    """Return what is left of the name of a game when it is only heard: no capitals, no hyphens.

    >>> _spoken("ACE-TRUMP") == _spoken("Ace  Trump")
    True
    """
    return " ".join(unicodedata.normalize("NFKC", name).casefold().replace("-", " ").replace("_", " ").split())


# --- Reading a record from text


@dataclass(frozen=True, slots=True)
class Reading:
    """A record with the places its parts were read from, by their JSON pointer; ``None`` where it was JSON.

    ``passed_over`` are the columns of CSV that no record has, and that were not read.
    """

    record: Record
    places: Mapping[str, tuple[int, int]] | None
    passed_over: tuple[str, ...] = ()

    def where(self, pointer: str) -> str:
        """Say where a part of the record stands: in a text ``line 7, column 12``, in JSON its pointer."""
        return pointer if self.places is None else place(self.places, pointer)


def read_text(text: str) -> Record:
    """Read a record that ``write_text``, or a person, has written.

    Raises ``Refused`` with every problem; each pointer says where, as ``line 7, column 12``.
    """
    return read_placed(text).record


def read_placed(text: str) -> Reading:
    """Read a record, and remember where each of its parts stands in the text."""
    parser = _Parser()
    parser.read(text)
    try:
        record = load_record(parser.data)
    except Refused as refused:
        problems = [replace(p, pointer=place(parser.places, p.pointer)) for p in refused.problems]
        raise Refused(problems, malformed=refused.malformed) from None
    return Reading(record, parser.places)


def place(places: Mapping[str, tuple[int, int]], pointer: str) -> str:
    """Say where a pointer leads: to its own place, or to that of what holds it."""
    while pointer and pointer not in places:
        pointer = pointer.rpartition("/")[0]
    line, column = places.get(pointer, (1, 1))
    return f"line {line}, column {column}"


TRICK_NUMBER = re.compile(r"\d{1,9}\s*[.．]")
HAND_HEADING = re.compile(r"[=＝]{2}\s*hand\b.*[=＝]{2}", re.IGNORECASE | re.DOTALL)
SHEET = re.compile(r"[=＝]{2}\s*score\s+sheet\s*[=＝]{2}", re.IGNORECASE)
WIDE_COLON = re.compile(r"^([^:：\"]*)：")
"""The colon after the word that begins a line, as keyboards of East Asia write it."""


class _Parser(Head):
    """Reads line by line into the data that ``load_record`` takes."""

    def __init__(self) -> None:
        super().__init__()
        self.problems: list[Problem] = []
        self.hand: dict[str, object] | None = None
        self.events = 0

    def read(self, text: str) -> None:
        """Read every line up to the end, or up to the score sheet."""
        for self.number, line in enumerate(plain_lines(text.removeprefix(BYTE_ORDER_MARK)).split("\n"), 1):
            content = WIDE_COLON.sub(r"\1:", line.strip())
            if not content or content[0] == "#":
                continue
            if SHEET.fullmatch(content):
                break
            try:
                words.check_text(content, 1)
                self.take(content)
            except Mistake as mistake:
                self.note(mistake, len(line) - len(line.lstrip()))
        self.finish()

    def note(self, mistake: Mistake, indent: int) -> None:
        """Keep a mistake with its place; stop when there are many."""
        where = f"line {self.number}, column {mistake.column + indent}"
        self.problems.append(Problem(where, mistake.code, mistake.detail))
        if len(self.problems) == MOST_PROBLEMS or self.hand is None or mistake.code == "too-many-events":
            self.stop()

    def stop(self) -> NoReturn:
        """Refuse the text with what was found."""
        raise Refused(self.problems, malformed=True)

    def finish(self) -> None:
        """Refuse the text when something was wrong, or when the head is not complete."""
        for key, example in NEEDED.items():
            if key not in self.data:
                detail = phrase("The record has no line such as “{words}”.", words=example)
                self.problems.append(Problem(f"line {self.number}, column 1", "missing-key", detail))
        if self.problems:
            self.stop()

    def take(self, line: str) -> None:
        """Read one line, stripped, by how it begins; raises ``Mistake``."""
        if line[0] in "=＝":
            self.take_heading(line)
        elif line[0] == '"' or line[:2] == "x_":
            self.take_extra(line)
        elif self.hand is None:
            self.take_header(line)
        else:
            self.take_events(line, self.hand)

    def take_heading(self, line: str) -> None:
        """Read the heading of a hand, and begin the hand."""
        if not HAND_HEADING.fullmatch(line):
            raise Mistake(1, "A heading is “== Hand 1 ==” or “== Score sheet ==”.")
        self.hand = {"events": []}
        self.at(f"/hands/{len(self.data['hands'])}")
        self.data["hands"].append(self.hand)

    def take_extra(self, line: str) -> None:
        """Read an ``x_`` key and its value."""
        if line[0] == '"':
            key, end = words.read_value(line, 0)
        else:
            key = line.partition(":")[0].rstrip()
            end = len(key)
        colon = line[end:].lstrip()
        if not colon.startswith(":") or not key.startswith("x_"):
            raise Mistake(1, "A key that starts with x_, a colon and a JSON value are expected.")
        start = len(line) - len(colon[1:].lstrip())
        value, end = words.read_value(line, start)
        if line[end:].strip():
            raise Mistake(end + 1, "The line should end after the value.")
        holder = self.data if self.hand is None else self.hand
        if key in holder:
            raise Mistake(1, "This key stands twice.")
        holder[key] = value

    # -- hands --------------------------------------------------------------------------------

    def take_events(self, line: str, hand: dict[str, object]) -> None:
        """Read a line of a hand: entered hands, or one or more events."""
        numbered = TRICK_NUMBER.match(line)
        head, colon, rest = line.partition(":")
        key = "trick" if numbered else " ".join(head.casefold().split())
        start = numbered.end() if numbered else len(line) - len(rest.lstrip())
        patterns = heads().get(key, ())
        if not numbered and not colon and not (patterns and stands_alone(patterns)):
            raise self._no_such_line()
        if key == "known":
            self._take_known(line, start, hand)
        elif key == ANY_EVENT.casefold():
            data, end = words.read_value(line, start)
            if line[end:].strip():
                raise Mistake(end + 1, "The line should end after the event.")
            self._add(hand, data, start + 1)
        elif not patterns:
            raise self._no_such_line()
        elif (noted := whole_text(patterns, line[start:])) is not None:
            self._add(hand, noted, start + 1)
        else:
            for column, event in read_items(patterns, self._cursor(line, start)):
                self._add(hand, event, column)

    def _no_such_line(self) -> Mistake:
        known = ", ".join(f"{head.capitalize()}:" for head in (*heads(), "known", ANY_EVENT))
        return Mistake(1, phrase("A line here begins with a trick’s number (“3.”) or one of: {words}.", words=known))

    def _take_known(self, line: str, start: int, hand: dict[str, Any]) -> None:
        cursor = self._cursor(line, start)
        seat = cursor.seat()
        known = hand.setdefault("known", {})
        if str(seat) in known:
            raise Mistake(start + 1, "This hand stands twice.")
        known[str(seat)] = cursor.cards()
        self.at(f"/hands/{len(self.data['hands']) - 1}/known/{seat}", start + 1)
        self._nothing_left(cursor)

    def _add(self, hand: dict[str, Any], event: object, column: int) -> None:
        self.events += 1
        if self.events > MOST_EVENTS:
            raise Mistake(column, too_many_events("").phrase, "too-many-events")
        self.at(f"/hands/{len(self.data['hands']) - 1}/events/{len(hand['events'])}", column)
        hand["events"].append(event)


NEEDED = {
    "game": "Game: ace-trump", "seats": "Seats: Ann, Bob, Cy", "first_dealer": "First dealer: Ann",
}  # fmt: skip
