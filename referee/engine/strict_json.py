"""A strict reader of JSON: what two programs could understand differently is refused, and what no computer holds."""

import json
from collections import Counter
from typing import Any, NoReturn

from referee.engine.options import Problem, Refused
from referee.engine.translation import Phrase, phrase

DEEPEST = 40
"""Levels of lists and objects inside one another; a record has seven."""
LARGEST_EXACT = 2**53
"""Up to here a double holds every whole number."""
LONGEST_WHOLE = 17


def read_object(body: bytes) -> dict[str, Any]:
    """Read the body of a request, one JSON object in UTF-8; raises ``Refused`` (malformed) for everything else."""
    try:
        return read_json_object(body.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        where = error.start
        refuse("not-json", phrase("The body is not UTF-8: byte {position} does not belong there.", position=where))


def read_json_object(text: str, *, deepest: int = DEEPEST) -> dict[str, Any]:
    """Read one JSON object; raises ``Refused`` (malformed) for everything else.

    Refused are malformed JSON, anything but an object, a key given twice, ``NaN`` and numbers that no double holds,
    nesting below ``deepest``, and texts with NUL or half a surrogate pair, which no database and no encoder takes.
    """
    try:
        value = json.loads(
            text, object_pairs_hook=_object, parse_constant=_no_number, parse_float=_double, parse_int=_whole
        )
    except json.JSONDecodeError as error:
        where = {"line": error.lineno, "column": error.colno}
        refuse("not-json", phrase("This is not JSON: it goes wrong at line {line}, column {column}.", **where))
    except RecursionError:
        refuse("too-deep", too_deep(deepest))
    if not isinstance(value, dict):
        refuse("not-an-object", phrase("The body has to be a JSON object: {example}.", example="{ ... }"))
    _check_depth(value, deepest)
    if "\\u" in text:  # the only way to write these characters in JSON
        _check_texts(value, "")
    return value


def too_deep(deepest: int) -> Phrase:
    """Say that something is nested too deeply."""
    return phrase("The body nests lists and objects deeper than {most} levels.", most=deepest)


def refuse(code: str, detail: Phrase | str, pointer: str = "") -> NoReturn:
    """Raise the refusal of a malformed body."""
    raise Refused([Problem(pointer, code, detail)], malformed=True)


def _object(pairs: list[tuple[str, object]]) -> dict[str, object]:
    made = dict(pairs)
    if len(made) != len(pairs):
        twice = next(key for key, times in Counter(key for key, _ in pairs).items() if times > 1)
        refuse("duplicate-key", phrase("The key {key} stands twice in one object.", key=ascii(twice[:40])))
    return made


def _no_number(name: str) -> NoReturn:
    refuse("bad-number", phrase("{name} is not a number in JSON.", name=name))


def _double(digits: str) -> int | float:
    """Read a number with a point or an exponent; ``2.0`` is a whole number in JSON as ``2`` is."""
    number = float(digits)
    if abs(number) > LARGEST_EXACT:
        refuse("bad-number", _too_large(digits))
    return int(number) if number.is_integer() else number


def _whole(digits: str) -> int:
    if len(digits) > LONGEST_WHOLE or abs(int(digits)) > LARGEST_EXACT:
        refuse("bad-number", _too_large(digits))
    return int(digits)


def _too_large(digits: str) -> Phrase:
    return phrase("The number {number} is too large; numbers go up to 2^53.", number=digits[:40])


def _check_depth(value: dict[str, object], deepest: int) -> None:
    level: list[Any] = [value]
    for _ in range(deepest):
        level = [
            item
            for holder in level
            for item in (holder.values() if isinstance(holder, dict) else holder)
            if isinstance(item, dict | list)
        ]
        if not level:
            return
    refuse("too-deep", too_deep(deepest))


def _check_texts(value: object, pointer: str) -> None:
    """Refuse NUL and half surrogate pairs; the depth is known to be small."""
    if isinstance(value, str):
        if "\0" in value or any("\ud800" <= letter <= "\udfff" for letter in value):
            refuse("bad-text", phrase("This text holds a character that cannot be stored."), pointer)
    elif isinstance(value, dict):
        for key, item in value.items():
            _check_texts(key, pointer)
            _check_texts(item, f"{pointer}/{key[:40].replace('~', '~0').replace('/', '~1')}")
    elif isinstance(value, list):
        for position, item in enumerate(value):
            _check_texts(item, f"{pointer}/{position}")
