"""Reads a record from text: its header and its hands."""

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from referee.engine.game import all_games
from referee.engine.records import Record, load_record
from referee.engine.replaying import MOST_EVENTS, too_many_events
from referee.engine.rules import MOST_PROBLEMS, Problem, Refused
from referee.engine.texts import Phrase, phrase
from referee.notation import words
from referee.notation.patterns import ANY_EVENT, heads, read_items, stands_alone, whole_text
from referee.notation.words import BYTE_ORDER_MARK, Cursor, Mistake, Names, plain_lines, whole

Places = Mapping[str, tuple[int, int]]  # (line, column) of each part of a record, by its JSON pointer
KEY = re.compile(r"\s*(\"|[^\s=＝:\"]+)")
COMMA = re.compile(f"[{words.COMMAS}]|$")
MOST_NAMES = 20  # a limit for parsing; the number of seats is checked with the record
HEADERS = (
    "format", "game", "title", "option", "end", "seats", "first dealer", "carried", "carried bags", "hands before",
)  # fmt: skip
NEEDED = {
    "game": "Game: ace-trump", "seats": "Seats: Ann, Bob, Cy", "first_dealer": "First dealer: Ann",
}  # fmt: skip
TRICK_NUMBER = re.compile(r"\d{1,9}\s*[.．]")
HAND_HEADING = re.compile(r"[=＝]{2}\s*hand\b.*[=＝]{2}", re.IGNORECASE | re.DOTALL)
SHEET = re.compile(r"[=＝]{2}\s*score\s+sheet\s*[=＝]{2}", re.IGNORECASE)
WIDE_COLON = re.compile(r"^([^:：\"]*)：")
"""The full-width colon after the first word of a line, as East Asian keyboards type it."""


@dataclass(frozen=True, slots=True)
class Reading:
    """A record, the places of its parts (``None`` if it was JSON), and the CSV columns that were skipped."""

    record: Record
    places: Places | None
    passed_over: tuple[str, ...] = ()

    def where(self, pointer: str) -> str:
        """Return the place of a part of the record: ``line 7, column 12`` in text, its pointer in JSON."""
        return pointer if self.places is None else place(self.places, pointer)


def read_text(text: str) -> Record:
    """Read a record from text; raises ``Refused`` with every problem and its place, as ``line 7, column 12``."""
    return read_placed(text).record


def read_placed(text: str) -> Reading:
    """Read a record from text, with the place of each of its parts."""
    parser = _Parser()
    parser.read(text)
    return Reading(load_placed(parser.data, parser.places), parser.places)


def load_placed(data: object, places: Places) -> Record:
    """Load a record; raises ``Refused`` with every problem, its place in the text as the pointer."""
    try:
        return load_record(data)
    except Refused as refused:
        problems = [replace(each, pointer=place(places, each.pointer)) for each in refused.problems]
        raise Refused(problems, malformed=refused.malformed) from None


def place(places: Places, pointer: str) -> str:
    """Return the place of a pointer, or of the smallest part around it that has one."""
    while pointer and pointer not in places:
        pointer = pointer.rpartition("/")[0]
    line, column = places.get(pointer, (1, 1))
    return f"line {line}, column {column}"


class _Parser:
    """Reads line by line into what ``load_record`` takes; ``places`` is where each part was found."""

    def __init__(self) -> None:
        self.data: dict[str, Any] = {"options": {}, "hands": []}
        self.places: dict[str, tuple[int, int]] = {"": (1, 1)}
        self.names: Names | None = None
        self.number = 0
        self.problems: list[Problem] = []
        self.hand: dict[str, Any] | None = None
        self.events = 0

    def read(self, text: str) -> None:
        """Read every line up to the end or to the score sheet; raises ``Refused``."""
        for self.number, line in enumerate(plain_lines(text.removeprefix(BYTE_ORDER_MARK)).split("\n"), 1):
            content = WIDE_COLON.sub(r"\1:", line.strip())
            if not content or content[0] == "#":
                continue
            if SHEET.fullmatch(content):
                break
            try:
                words.check_text(content, 1)
                self._take(content)
            except Mistake as mistake:
                where = f"line {self.number}, column {mistake.column + len(line) - len(line.lstrip())}"
                self.problems.append(Problem(where, mistake.code, mistake.detail))
                if len(self.problems) == MOST_PROBLEMS or self.hand is None or mistake.code == "too-many-events":
                    raise Refused(self.problems, malformed=True) from None
        for key, example in NEEDED.items():
            if key not in self.data:
                detail = phrase("The record has no line such as “{words}”.", words=example)
                self.problems.append(Problem(f"line {self.number}, column 1", "missing-key", detail))
        if self.problems:
            raise Refused(self.problems, malformed=True)

    def _take(self, line: str) -> None:
        if line[0] in "=＝":
            if not HAND_HEADING.fullmatch(line):
                raise Mistake(1, "A heading must be “== Hand 1 ==” or “== Score sheet ==”.")
            self.hand = {"events": []}
            self._at(f"/hands/{len(self.data['hands'])}")
            self.data["hands"].append(self.hand)
        elif line[0] == '"' or line[:2] == "x_":
            self._take_extra(line)
        elif self.hand is None:
            self._take_header(line)
        else:
            self._take_events(line, self.hand)

    def _at(self, pointer: str, column: int = 1) -> None:
        self.places[pointer] = (self.number, column)

    def _cursor(self, line: str, start: int) -> Cursor:
        return Cursor(words.split(line, start), self.names, len(line) + 1)

    def _take_extra(self, line: str) -> None:
        if line[0] == '"':
            key, end = words.read_value(line, 0)
        else:
            key = line.partition(":")[0].rstrip()
            end = len(key)
        colon = line[end:].lstrip()
        if not colon.startswith(":") or not key.startswith("x_"):
            raise Mistake(1, "A key that starts with x_, a colon and a JSON value expected.")
        value = _last_value(line, len(line) - len(colon[1:].lstrip()), phrase("The line should end after the value."))
        holder = self.data if self.hand is None else self.hand
        if key in holder:
            raise Mistake(1, "This key appears twice.")
        holder[key] = value

    def _take_header(self, line: str) -> None:
        head, colon, rest = line.partition(":")
        key = " ".join(head.casefold().split())
        if not colon or key not in HEADERS:
            known = ", ".join(f"{header.capitalize()}:" for header in HEADERS)
            raise Mistake(1, phrase("A line here must begin with one of: {words}, or == Hand 1 ==.", words=known))
        start = len(line) - len(rest.lstrip())
        name = key.replace(" ", "_")
        if name == "option":
            self._take_option(line, start)
            return
        if name in self.data:
            raise Mistake(1, phrase("The line “{words}” appears twice.", words=f"{key.capitalize()}:"))
        self._at(f"/{name}", start + 1)
        match name:
            case "format" | "title":
                self.data[name] = _line_text(line, start)
            case "game":
                written = _line_text(line, start)
                spoken = _spoken(written)
                named = (game.id for game in all_games() if spoken in (_spoken(game.id), _spoken(game.name)))
                self.data[name] = next(named, written)
            case "end":
                self.data[name] = _end(line, start)
            case "seats":
                self.data[name] = self._seats(line, start)
                self.names = Names(self.data[name])
            case "carried" | "carried_bags":
                self.data[name] = self._carried(line, start)
            case _:
                cursor = self._cursor(line, start)
                self.data[name] = cursor.seat() if name == "first_dealer" else cursor.number()
                cursor.finish()

    def _take_option(self, line: str, start: int) -> None:
        found = KEY.match(line, start)
        key, end = (found.group(1), found.end()) if found else ("", start)
        if key == '"':
            key, end = words.read_value(line, end - 1)
        sign, value = line[end:].lstrip()[:1], line[end:].lstrip()[1:].strip()
        if not key or sign not in ("=", "＝") or not value:
            raise Mistake(start + 1, "Write a house rule as “key = value”.")
        if key in self.data["options"]:
            raise Mistake(start + 1, phrase("The house rule {key} appears twice.", key=key[:40]))
        self._at(f"/options/{key[:40]}", start + 1)
        if words.BARE_WORD.fullmatch(value) and value not in ("true", "false", "null"):
            self.data["options"][key] = value
            return
        start = len(line) - len(value)
        self.data["options"][key], end = words.read_value(line, start)
        if line[end:]:
            raise Mistake(start + 1, "The value of a house rule is one word or one number.")

    def _seats(self, line: str, position: int) -> list[str]:
        seats: list[str] = []
        while True:
            position = len(line) - len(line[position:].lstrip())
            self._at(f"/seats/{len(seats)}", position + 1)
            if line[position : position + 1] == '"':
                name, position = words.read_value(line, position)
                position = len(line) - len(line[position:].lstrip())
                if line[position : position + 1] and line[position] not in words.COMMAS:
                    raise Mistake(position + 1, "A comma or the end of the line expected.")
            else:
                end = next(COMMA.finditer(line, position)).start()
                name, position = line[position:end].strip(), end
            seats.append(str(name))
            if position >= len(line):
                return seats
            if len(seats) > MOST_NAMES:
                raise Mistake(position + 1, "That is too many players for a table.")
            position += 1

    def _carried(self, line: str, start: int) -> list[int]:
        cursor = self._cursor(line, start)
        carried: dict[int, int] = {}
        while True:
            seat = cursor.seat()
            carried[seat] = cursor.number()
            if not cursor.take("mark", ","):
                break
        cursor.finish()
        players = len(self.data["seats"])
        if any(not 0 <= seat < players for seat in carried):
            raise Mistake(start + 1, "Only players at this table can have carried points or bags.")
        return [carried.get(seat, 0) for seat in range(players)]

    def _take_events(self, line: str, hand: dict[str, Any]) -> None:
        numbered = TRICK_NUMBER.match(line)
        head, colon, rest = line.partition(":")
        key = "trick" if numbered else " ".join(head.casefold().split())
        start = numbered.end() if numbered else len(line) - len(rest.lstrip())
        patterns = heads().get(key, ())
        known = colon and key in ("known", ANY_EVENT.casefold())
        if not (known or (patterns and (numbered or colon or stands_alone(patterns)))):
            there = ", ".join(f"{head.capitalize()}:" for head in (*heads(), "known", ANY_EVENT))
            detail = phrase("A line here must begin with a trick number (“3.”) or one of: {words}.", words=there)
            raise Mistake(1, detail)
        if key == "known":
            cursor = self._cursor(line, start)
            seat, hands = cursor.seat(), hand.setdefault("known", {})
            if str(seat) in hands:
                raise Mistake(start + 1, "This hand appears twice.")
            hands[str(seat)] = cursor.cards()
            self._at(f"/hands/{len(self.data['hands']) - 1}/known/{seat}", start + 1)
            cursor.finish()
        elif key == ANY_EVENT.casefold():
            self._add(hand, _last_value(line, start, phrase("The line should end after the event.")), start + 1)
        elif (noted := whole_text(patterns, line[start:])) is not None:
            self._add(hand, noted, start + 1)
        else:
            for column, event in read_items(patterns, self._cursor(line, start)):
                self._add(hand, event, column)

    def _add(self, hand: dict[str, Any], event: object, column: int) -> None:
        self.events += 1
        if self.events > MOST_EVENTS:
            raise Mistake(column, too_many_events("").phrase, "too-many-events")
        self._at(f"/hands/{len(self.data['hands']) - 1}/events/{len(hand['events'])}", column)
        hand["events"].append(event)


def _last_value(line: str, start: int, otherwise: Phrase) -> Any:
    value, end = words.read_value(line, start)
    if line[end:].strip():
        raise Mistake(end + 1, otherwise)
    return value


def _line_text(line: str, start: int) -> str:
    if line[start : start + 1] != '"':
        return line[start:]
    return str(_last_value(line, start, phrase("The line should end after the text in quotes.")))


def _end(line: str, start: int) -> dict[str, object]:
    kind, *numbers = line[start:].split() or [""]
    end: dict[str, object] = {"kind": kind}
    if numbers:
        end["value"] = whole(numbers[0])
    if len(numbers) > 1 or (numbers and end["value"] is None):
        raise Mistake(start + 1, "The end must be “open”, “hands 4”, “score 40” or “time 90”.")
    return end


def _spoken(name: str) -> str:
    """Return the name of a game without case and hyphens, for comparison.

    >>> _spoken("ACE-TRUMP") == _spoken("Ace  Trump")
    True
    """
    return " ".join(unicodedata.normalize("NFKC", name).casefold().replace("-", " ").replace("_", " ").split())
