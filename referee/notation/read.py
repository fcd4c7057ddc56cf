"""Reading a record from text."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, NoReturn

from referee.engine.bounds import MOST_EVENTS, too_many_events
from referee.engine.options import MOST_PROBLEMS, Problem, Refused
from referee.engine.records import Record, load_record
from referee.engine.translation import phrase
from referee.notation import words
from referee.notation.encodings import BYTE_ORDER_MARK, plain_lines
from referee.notation.head import Head
from referee.notation.items import ANY_EVENT, heads, read_items, stands_alone, whole_text
from referee.notation.words import Mistake


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
