"""Reading the head of a record: what a table is opened with."""

import re
import unicodedata
from typing import Any

from referee.engine.catalogue import all_games
from referee.engine.translation import phrase
from referee.notation import words
from referee.notation.cursor import Cursor, whole
from referee.notation.words import Mistake, Names

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
