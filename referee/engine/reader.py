"""Input validation: strict JSON, shapes and types, with a JSON pointer for every problem."""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, NoReturn
from unicodedata import category, normalize

from referee.engine.rules import MOST_PROBLEMS, Problem, Refused
from referee.engine.texts import Listing, Phrase, phrase

LARGEST = 1_000_000_000
LONGEST_TEXT = 2_000
UNSEEN = ("Cc", "Cf", "Cs", "Z", "Mn", "Me")
"""Unicode categories that are invisible by themselves: controls, formatting, spaces, combining marks."""
MARKLESS = ("Cc", "Cf", "Cs")
"""Those of them that are also invisible next to letters."""
MISSING = object()
"""Sentinel for the value of a missing key; null is a value."""
BLANKS = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2065\u2800\u3164\uffa0\U0001d159") | set(
    map(chr, [*range(0xFE00, 0xFE10), *range(0xE0000, 0xE1000)])
)
"""Letters and symbols that render as nothing."""


def can_be_seen(text: str) -> bool:
    """Return whether a text shows anything at all.

    >>> can_be_seen("Ann\\u200b"), can_be_seen("\\u200b \\u3164")
    (True, False)
    """
    return any(letter not in BLANKS and not category(letter).startswith(UNSEEN) for letter in text)


def as_seen(name: str) -> str:
    """Return a name as people see it; names that look alike give the same text.

    >>> as_seen(" Ann  LEE\\u200b ") == as_seen("ann \\uff2cee")
    True
    >>> as_seen("Jose\\u0301") == as_seen("Jos\\u00e9"), as_seen("Jose") == as_seen("Jos\\u00e9")
    (True, False)
    """
    seen = (letter for letter in name if letter not in BLANKS)
    shown = (letter for letter in seen if letter.isspace() or not category(letter).startswith(MARKLESS))
    # Case folding can undo the normalization, and vice versa.
    folded = normalize("NFKC", normalize("NFKC", "".join(shown)).casefold())
    return " ".join(folded.split())


TURNING = "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
"""Bidirectional formatting characters, which also affect the text after a name; right-to-left names need none."""


def turns_writing(text: str) -> bool:
    """Return whether a text would change the direction of the text around it.

    >>> turns_writing("\\u202eAnn"), turns_writing("\\u05d0\\u05dc")
    (True, False)
    """
    return any(letter in TURNING for letter in text)


CONTROLS = ("Cc", "Zl", "Zp")
"""Unicode categories of control characters and of line and paragraph separators."""


def breaks_lines(text: str) -> bool:
    """Return whether a text holds a line break, a tab or another control character.

    >>> breaks_lines("Ann\\u2028Bob"), breaks_lines("Ann\\x85"), breaks_lines("Ann Lee")
    (True, True, False)
    """
    return any(category(letter) in CONTROLS for letter in text)


class Reader:
    """Collects the problems of a record, each with its JSON pointer."""

    def __init__(self) -> None:
        self.malformed: list[Problem] = []
        self.wrong: list[Problem] = []

    def shape(self, pointer: str, detail: Phrase | str, code: str = "wrong-type") -> None:
        """Note a wrong shape or type (400); raises ``Refused`` once there are ``MOST_PROBLEMS``."""
        self.malformed.append(Problem(pointer, code, detail))
        if len(self.malformed) >= MOST_PROBLEMS:
            self.check()

    def value(self, pointer: str, detail: Phrase | str, code: str = "bad-value") -> None:
        """Note an impossible value (422); at most ``MOST_PROBLEMS`` are kept."""
        if len(self.wrong) < MOST_PROBLEMS:
            self.wrong.append(Problem(pointer, code, detail))

    def check(self) -> None:
        if self.malformed:
            raise Refused(self.malformed, malformed=True)
        if self.wrong:
            raise Refused(self.wrong)

    def _other(self, value: object, pointer: str, detail: Phrase | str) -> None:
        self.shape(pointer, detail, "missing-key" if value is MISSING else "wrong-type")

    def integer(self, value: object, pointer: str) -> int | None:
        if type(value) is int and -LARGEST <= value <= LARGEST:
            return value
        if type(value) is int:
            self.shape(pointer, phrase("This must be a whole number of at most {most}.", most=f"{LARGEST:,}"))
        else:
            self._other(value, pointer, "This must be a whole number.")
        return None

    def flag(self, value: object, pointer: str) -> bool | None:
        if isinstance(value, bool):
            return value
        self._other(value, pointer, phrase("This must be true or false."))
        return None

    def text(self, value: object, pointer: str, longest: int = LONGEST_TEXT) -> str | None:
        if isinstance(value, str) and len(value) <= longest:
            return value
        self._other(value, pointer, phrase("This must be a text of at most {most} characters.", most=longest))
        return None

    def name(self, text: str, pointer: str) -> None:
        """Note a name that is invisible, changes text direction or breaks lines."""
        if not can_be_seen(text):
            self.value(pointer, "This name is invisible: it needs a letter, a digit or a symbol.")
        elif turns_writing(text):
            self.value(pointer, "This name changes the direction of the text around it. Remove its direction marks.")
        elif breaks_lines(text):
            self.value(pointer, "This name has a line break, a tab or a control character. Remove it.")

    def label(self, value: object, pointer: str, longest: int) -> str:
        label = (self.text(value, pointer, longest) or "").strip()
        if label:
            self.name(label, pointer)
        return label

    def words(self, text: str, pointer: str) -> None:
        if not can_be_seen(text):
            self.value(pointer, "There is nothing to read here. Use words.")
        elif turns_writing(text):
            self.value(pointer, "This text changes the direction of the text around it. Remove its direction marks.")

    def array(self, value: object, pointer: str) -> Sequence[object]:
        if isinstance(value, (list, tuple)):
            return value
        self._other(value, pointer, phrase("This must be a list."))
        return ()

    def mapping(self, value: object, pointer: str) -> Mapping[str, Any]:
        if isinstance(value, (dict, Mapping)):
            return value
        self._other(value, pointer, phrase("This must be an object."))
        return {}

    def keys(self, value: Mapping[str, object], known: Sequence[str], pointer: str) -> dict[str, object]:
        """Note unknown keys; return those that start with ``x_``, to be kept."""
        extra = {}
        for key, kept in value.items():
            if key in known:
                continue
            if key.startswith("x_"):
                extra[key] = kept
            else:
                facts = {"key": repr(key[:40]), "known": Listing(tuple(known))}
                detail = phrase("There is no key {key} here. Known keys: {known}.", **facts)
                self.shape(f"{pointer}/{key[:40]}", detail, "unknown-key")
        return extra


# --- A strict reader of JSON: refuses what two programs could read differently, and what cannot be stored

DEEPEST = 40
"""The deepest nesting of lists and objects; a record has seven levels."""
LARGEST_EXACT = 2**53
"""Up to here a double represents every whole number exactly."""
LONGEST_WHOLE = 17


def read_object(body: bytes) -> dict[str, Any]:
    """Read the body of a request, one JSON object in UTF-8; raises ``Refused`` (malformed) for anything else."""
    try:
        return read_json_object(body.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        where = error.start
        refuse("not-json", phrase("The body is not UTF-8: byte {position} does not belong there.", position=where))


def read_json_object(text: str, *, deepest: int = DEEPEST) -> dict[str, Any]:
    """Read one JSON object; raises ``Refused`` (malformed) for anything else.

    Also refused are duplicate keys, ``NaN``, numbers beyond 2^53, nesting below ``deepest``, and texts with NUL or a
    lone surrogate, which databases and encoders reject.
    """
    try:
        value = json.loads(
            text, object_pairs_hook=_object, parse_constant=_no_number, parse_float=_number, parse_int=_number
        )
    except json.JSONDecodeError as error:
        where = {"line": error.lineno, "column": error.colno}
        refuse("not-json", phrase("This is not valid JSON: the error is at line {line}, column {column}.", **where))
    except RecursionError:
        refuse("too-deep", too_deep(deepest))
    if not isinstance(value, dict):
        refuse("not-an-object", phrase("The body must be a JSON object: {example}.", example="{ ... }"))
    level: list[Any] = [value]
    for _ in range(deepest):
        holders = (holder.values() if isinstance(holder, dict) else holder for holder in level)
        level = [item for items in holders for item in items if isinstance(item, dict | list)]
    if level:
        refuse("too-deep", too_deep(deepest))
    if "\\u" in text:  # JSON has no other way to write these characters
        _check_texts(value, "")
    return value


def too_deep(deepest: int) -> Phrase:
    return phrase("The body nests lists and objects deeper than {most} levels.", most=deepest)


def refuse(code: str, detail: Phrase | str, pointer: str = "") -> NoReturn:
    raise Refused([Problem(pointer, code, detail)], malformed=True)


def _object(pairs: list[tuple[str, object]]) -> dict[str, object]:
    made = dict(pairs)
    if len(made) != len(pairs):
        twice = next(key for key, times in Counter(key for key, _ in pairs).items() if times > 1)
        refuse("duplicate-key", phrase("The key {key} appears twice in one object.", key=ascii(twice[:40])))
    return made


def _no_number(name: str) -> NoReturn:
    refuse("bad-number", phrase("{name} is not a number in JSON.", name=name))


def _number(digits: str) -> int | float:
    """Read a number; ``2.0`` becomes the integer 2, since JSON does not tell them apart."""
    whole = digits.removeprefix("-").isdecimal()
    if not (whole and len(digits) > LONGEST_WHOLE):
        number = int(digits) if whole else float(digits)
        if abs(number) <= LARGEST_EXACT:
            return int(number) if number == int(number) else number
    refuse("bad-number", phrase("The number {number} is too large; numbers go up to 2^53.", number=digits[:40]))


def _check_texts(value: object, pointer: str) -> None:
    if isinstance(value, str):
        if "\0" in value or any("\ud800" <= letter <= "\udfff" for letter in value):
            refuse("bad-text", phrase("This text has a character that can’t be stored."), pointer)
    elif isinstance(value, dict):
        for key, item in value.items():
            _check_texts(key, pointer)
            _check_texts(item, f"{pointer}/{key[:40].replace('~', '~0').replace('/', '~1')}")
    elif isinstance(value, list):
        for position, item in enumerate(value):
            _check_texts(item, f"{pointer}/{position}")
