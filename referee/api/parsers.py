"""A strict reader of JSON: what two programs could understand differently is refused."""

import json
from collections import Counter
from collections.abc import Mapping
from typing import IO, Any, NoReturn

from django.conf import settings
from rest_framework.parsers import BaseParser

from referee.api.problems import TooLarge
from referee.engine.options import Problem, Refused

DEEPEST = 40
"""Levels of lists and objects inside one another; a record has seven."""


class StrictJSONParser(BaseParser):
    """Reads a JSON object in UTF-8 and nothing that merely looks like one.

    Refused with 400: malformed JSON, anything but an object, a key given twice, ``NaN`` and
    numbers that no double holds, nesting below ``DEEPEST``, and texts with NUL or half a
    surrogate pair (no database and no encoder takes them). A body larger than
    ``DATA_UPLOAD_MAX_MEMORY_SIZE`` is refused with 413, whatever its headers say.
    """

    media_type = "application/json"

    def parse(
        self,
        stream: IO[Any],
        media_type: str | None = None,
        parser_context: Mapping[str, object] | None = None,
    ) -> dict[str, object]:
        most = settings.DATA_UPLOAD_MAX_MEMORY_SIZE
        body = stream.read(most + 1)
        if len(body) > most:
            raise TooLarge
        return read_object(body)


class TextParser(BaseParser):
    """Reads a body of text in UTF-8, as if it had come as JSON under ``key``."""

    media_type, key = "text/plain", "text"

    def parse(
        self, stream: IO[Any], media_type: str | None = None, parser_context: Mapping[str, object] | None = None
    ) -> dict[str, str]:
        most = settings.DATA_UPLOAD_MAX_MEMORY_SIZE
        body: bytes = stream.read(most + 1)
        if len(body) > most:
            raise TooLarge
        try:
            return {self.key: body.decode("utf-8-sig")}
        except UnicodeDecodeError as error:
            refuse("bad-text", f"The body is not UTF-8: byte {error.start} does not belong there.")


class CellsParser(TextParser):
    """Reads a record as cells for a spreadsheet."""

    media_type, key = "text/csv", "csv"


RECORD_PARSERS = [StrictJSONParser, TextParser, CellsParser]
"""What reads the forms in which a record is brought."""


def read_object(body: bytes) -> dict[str, object]:
    """Read one JSON object; raises ``Refused`` (malformed) for everything else."""
    try:
        text = body.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        refuse("not-json", f"The body is not UTF-8: byte {error.start} does not belong there.")
    try:
        value = json.loads(
            text, object_pairs_hook=_object, parse_constant=_no_number, parse_float=_double, parse_int=_whole
        )
    except json.JSONDecodeError as error:
        where = f"line {error.lineno}, column {error.colno}"
        refuse("not-json", f"The body is not JSON: {error.msg} ({where}).")
    except RecursionError:
        refuse("too-deep", TOO_DEEP)
    if not isinstance(value, dict):
        refuse("not-an-object", "The body has to be a JSON object: { ... }.")
    _check_depth(value)
    if "\\u" in text:  # the only way to write these characters in JSON
        _check_texts(value, "")
    return value


TOO_DEEP = f"The body nests lists and objects deeper than {DEEPEST} levels."


def refuse(code: str, detail: str, pointer: str = "") -> NoReturn:
    """Raise the refusal of a malformed body."""
    raise Refused([Problem(pointer, code, detail)], malformed=True)


def _object(pairs: list[tuple[str, object]]) -> dict[str, object]:
    made = dict(pairs)
    if len(made) != len(pairs):
        twice = next(key for key, times in Counter(key for key, _ in pairs).items() if times > 1)
        refuse("duplicate-key", f"The key {twice[:40]!a} stands twice in one object.")
    return made


def _no_number(name: str) -> NoReturn:
    refuse("bad-number", f"{name} is not a number in JSON.")


def _double(digits: str) -> int | float:
    """Read a number with a point or an exponent; ``2.0`` is a whole number in JSON as ``2`` is."""
    number = float(digits)
    if abs(number) > LARGEST_EXACT:
        refuse("bad-number", TOO_LARGE.format(number=digits[:40]))
    return int(number) if number.is_integer() else number


def _whole(digits: str) -> int:
    if len(digits) > LONGEST_WHOLE or abs(int(digits)) > LARGEST_EXACT:
        refuse("bad-number", TOO_LARGE.format(number=digits[:40]))
    return int(digits)


LARGEST_EXACT = 2**53
"""Up to here a double holds every whole number."""
LONGEST_WHOLE = 17
TOO_LARGE = "The number {number} is too large; numbers go up to 2^53."


def _check_depth(value: dict[str, object]) -> None:
    level: list[Any] = [value]
    for _ in range(DEEPEST):
        level = [
            item
            for holder in level
            for item in (holder.values() if isinstance(holder, dict) else holder)
            if isinstance(item, dict | list)
        ]
        if not level:
            return
    refuse("too-deep", TOO_DEEP)


def _check_texts(value: object, pointer: str) -> None:
    """Refuse NUL and half surrogate pairs; the depth is known to be small."""
    if isinstance(value, str):
        if "\0" in value or any("\ud800" <= letter <= "\udfff" for letter in value):
            refuse("bad-text", "This text holds a character that cannot be stored.", pointer)
    elif isinstance(value, dict):
        for key, item in value.items():
            _check_texts(key, pointer)
            _check_texts(item, f"{pointer}/{key[:40].replace('~', '~0').replace('/', '~1')}")
    elif isinstance(value, list):
        for position, item in enumerate(value):
            _check_texts(item, f"{pointer}/{position}")
