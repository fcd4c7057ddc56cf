"""Tokens of the notation, and decoding of text in any common encoding."""

import json
import re
import unicodedata
from collections.abc import Sequence
from typing import Any, NamedTuple

from referee.engine.rules import Problem, Refused
from referee.engine.texts import Phrase, phrase

BYTE_ORDER_MARK = "\ufeff"
MARKS = {b"\xef\xbb\xbf": "utf-8-sig", b"\xff\xfe": "utf-16", b"\xfe\xff": "utf-16"}
"""Byte order marks, and the encodings they indicate."""
NAMED = ("utf-16", "utf-16-le", "utf-16-be", "cp1252", "iso8859-1", "iso8859-15")
"""Encodings that a request may name, as Python calls them; any other is read as UTF-8."""
CODE_PAGE = "cp1252"  # the usual encoding of older programs in Western Europe
PLAUSIBLE = frozenset("’–—…°€\xa0")
"""Characters that are no letters but occur in such text; any other suggests a different code page."""


def read_file(body: bytes) -> str:
    """Decode a file: UTF-8, UTF-16 or a Western code page; raises ``Refused`` if it is none of them."""
    encoding = "utf-8"
    if body[:2].count(0) == 1:  # UTF-16, in which every other byte of a European text is zero
        encoding = "utf-16-be" if body[0] == 0 else "utf-16-le"
    try:
        return _decoded(body, encoding)
    except UnicodeDecodeError:
        text = body.decode(CODE_PAGE, errors="replace")
        plausible = all(letter.isascii() or letter.isalpha() or letter in PLAUSIBLE for letter in text)
        if plausible and not body.startswith(tuple(MARKS)):
            return text
    detail = phrase("This file can’t be read. Save it as “CSV UTF-8”, or as text in UTF-8.")
    raise Refused([Problem("", "not-utf-8", detail)], malformed=True)


def read_body(body: bytes, encoding: str = "") -> str:
    """Decode a request: UTF-8, UTF-16 by its mark, or the encoding it names; raises ``Refused``."""
    try:
        return _decoded(body, encoding if encoding in NAMED else "utf-8")
    except UnicodeDecodeError as error:
        detail = phrase(
            "The body is not {encoding}: byte {position} does not belong there. Send UTF-8, or say what it is in: "
            "“charset=windows-1252”.",
            encoding=error.encoding.upper(),
            position=error.start,
        )
        raise Refused([Problem("", "not-utf-8", detail)], malformed=True) from None


def _decoded(body: bytes, encoding: str) -> str:
    marked = next((name for mark, name in MARKS.items() if body.startswith(mark)), encoding)
    return body.decode(marked)


LINE_END = re.compile(r"\r\n?")


def plain_lines(text: str) -> str:
    """Return a text with line feeds as its only line ends."""
    return LINE_END.sub("\n", text)


# --- The words of the notation: names, cards, texts and values, written so that each can be read back
# A word is unquoted if it is unambiguous, otherwise in double quotes as in JSON. Characters that do not print (line
# ends, directions, joiners) are escaped, so that one line stays one line.

RESERVED = frozenset({"false", "nobody", "none", "null", "pass", "passes", "true", "won"})
"""Words with a special meaning; a name or card spelled like one is quoted."""
BARE_NAME = re.compile(r"[^\W\d_][\w.'’-]*")
BARE_CARD = re.compile(r"[A-Za-z0-9]+\*?|\?")
BARE_WORD = re.compile(r"[A-Za-z][A-Za-z0-9_-]*")
NO_CARDS = "-"
DEEPEST = 40  # the deepest nesting of lists and objects in values of ``x_`` keys


class Mistake(Exception):  # noqa: N818 - a mistake in the text, not an error of the program
    """An error in a line, and its column (from 1)."""

    def __init__(self, column: int, detail: Phrase | str, code: str = "bad-notation") -> None:
        super().__init__(str(detail))
        self.column = column
        self.detail = detail
        self.code = code


UNIT = re.compile("....")  # the four hexadecimal digits of ``\u``


def escape(text: str) -> str:
    """Escape every character that does not print as ``\\uXXXX``.

    >>> escape("a\\u2028b")
    'a\\\\u2028b'
    """
    if text.isprintable():
        return text
    return "".join(
        letter if letter.isprintable() else UNIT.sub(r"\\u\g<0>", letter.encode("utf-16-be", "surrogatepass").hex())
        for letter in text
    )


def value(data: object) -> str:
    """Write a value as JSON on one line."""
    return escape(json.dumps(data, ensure_ascii=False))


def is_plain(text: str) -> bool:
    """Return whether a text can stand unquoted up to the end of its line."""
    return bool(text) and text.isprintable() and text.strip() == text and text[0] != '"'


def line_text(text: str) -> str:
    """Write a text that fills the rest of its line, quoted if necessary."""
    return text if is_plain(text) else value(text)


def card(code: str) -> str:
    """Write a card's code, quoted if it could be taken for something else."""
    bare = BARE_CARD.fullmatch(code) and code.casefold() not in RESERVED
    return code if bare else value(code)


def cards(codes: Sequence[str]) -> str:
    """Write cards separated by spaces; ``-`` if there are none."""
    return " ".join(map(card, codes)) if codes else NO_CARDS


def word(text: str) -> str:
    """Write a suit or the value of an option, quoted if it could be taken for something else."""
    bare = BARE_WORD.fullmatch(text) and text.casefold() not in RESERVED
    return text if bare else value(text)


def option_value(value_: object) -> str:
    """Write the value of a house rule: a word, or true, false, null or a number."""
    return word(value_) if isinstance(value_, str) else value(value_)


class Names:
    """How the seats of one table are written and found again."""

    def __init__(self, names: Sequence[str]) -> None:
        self.names = tuple(names)
        self.seats = {name: seat for seat, name in enumerate(names) if names.count(name) == 1}
        folded = [name.casefold() for name in names]
        self.folded = {name: seat for seat, name in enumerate(folded) if folded.count(name) == 1}

    def write(self, seat: int) -> str:
        """Write a seat by its player's name, or by its number (``@2``) if no name is unique to it."""
        if not 0 <= seat < len(self.names) or self.names[seat] not in self.seats:
            return f"@{seat}"
        name = self.names[seat]
        bare = BARE_NAME.fullmatch(name) and name.casefold() not in RESERVED and name.isprintable()
        return name if bare else value(name)

    def find(self, name: str) -> int | None:
        """Return the seat of a name; case matters only where it tells two names apart."""
        seat = self.seats.get(name)
        return self.folded.get(name.casefold()) if seat is None else seat

    def each(self, numbers: Sequence[object]) -> str:
        """Write one value for every seat: ``Ann 3, Bob 0``."""
        return ", ".join(f"{self.write(seat)} {number}" for seat, number in enumerate(numbers))


class Token(NamedTuple):
    """A token of a line: a bare ``word``, a quoted ``text``, an ``object`` or a ``mark``."""

    kind: str
    value: Any
    column: int


COMMAS = ",，、"  # with their East Asian forms, as the other marks below
MARK = f"{COMMAS};；!！()（）"
PIECE = re.compile(rf"\s*(?:([{MARK}])|([^\s{MARK}{{}}\"]+)|([\"{{])|(\S))")


def split(line: str, start: int = 0) -> list[Token]:
    """Split a line into tokens from ``start`` on."""
    tokens = []
    position = start
    while found := PIECE.match(line, position):
        mark, bare, opening, stray = found.groups()
        column = found.start(found.lastindex or 0) + 1
        position = found.end()
        if stray:
            raise Mistake(column, phrase("“{text}” does not belong here.", text=escape(stray)))
        if mark:
            tokens.append(Token("mark", "," if mark in COMMAS else unicodedata.normalize("NFKC", mark), column))
        elif bare:
            tokens.append(Token("word", bare, column))
        else:
            read, position = read_value(line, column - 1)
            tokens.append(Token("text" if opening == '"' else "object", read, column))
    return tokens


def read_value(line: str, start: int) -> tuple[Any, int]:
    """Return a JSON value and the position after it; raises ``Mistake``, also for text that databases reject."""
    try:
        read, end = DECODER.raw_decode(line, start)
    except json.JSONDecodeError as error:
        if line[start : start + 1] == '"':
            raise Mistake(start + 1, phrase('The text in quotes is not closed (or has a bare "\\").')) from None
        raise Mistake(error.pos + 1, phrase("This is not a JSON value.")) from None
    except RecursionError:
        raise Mistake(
            start + 1, phrase("Lists and objects can be nested at most {most} levels deep.", most=DEEPEST)
        ) from None
    except ValueError as error:  # from these hooks, or from Python's limit of 4300 digits
        known = isinstance(error.args[0], Phrase)
        detail = error.args[0] if known else phrase("This is not a JSON value: a number is too long.")
        raise Mistake(start + 1, detail) from None
    level = [read]
    for _ in range(DEEPEST + 1):
        deeper: list[object] = []
        for item in level:
            if isinstance(item, dict):
                deeper += [*item.keys(), *item.values()]
            elif isinstance(item, list):
                deeper += item
            elif isinstance(item, str):
                check_text(item, start + 1)
        if not deeper:
            return read, end
        level = deeper
    raise Mistake(start + 1, phrase("Lists and objects can be nested at most {most} levels deep.", most=DEEPEST))


def _object(pairs: list[tuple[str, object]]) -> dict[str, object]:
    made = dict(pairs)
    if len(made) != len(pairs):
        raise ValueError(phrase("This is not a JSON value: a key appears twice in one object."))
    return made


def _number(digits: str) -> float:
    number = float(digits)
    if number - number != 0:
        raise ValueError(phrase("This is not a JSON value: a number is too large."))
    return number


def _constant(name: str) -> float:
    raise ValueError(phrase("{name} is not a number in JSON.", name=name))


DECODER = json.JSONDecoder(object_pairs_hook=_object, parse_float=_number, parse_constant=_constant, strict=False)


UNSTORABLE = re.compile("[\0\ud800-\udfff]")


def check_text(text: str, column: int) -> None:
    if UNSTORABLE.search(text):
        raise Mistake(column, phrase("This text has a character that can’t be stored."))


LONGEST_NUMBER = 12


class Cursor:
    """Reads the tokens of a line in order."""

    def __init__(self, tokens: list[Token], names: Names | None, end: int) -> None:
        self.tokens = tokens
        self.names = names
        self.index = 0
        self.end = end

    @property
    def column(self) -> int:
        """Return the column of the next token, from 1; after the last one, that of the end of the line."""
        return self.tokens[self.index].column if self.index < len(self.tokens) else self.end

    def done(self) -> bool:
        return self.index >= len(self.tokens)

    def finish(self) -> None:
        """Raise ``Mistake`` if tokens are left."""
        if not self.done():
            raise self.wrong("The end of the line expected.")

    def wrong(self, detail: Phrase | str) -> Mistake:
        """Return a mistake at the next token, quoting it."""
        expected = detail if isinstance(detail, Phrase) else phrase(detail)
        if self.done():
            return Mistake(self.column, phrase("{detail} The line ends here.", detail=expected))
        found = self.tokens[self.index]
        shown = found.value if found.kind in ("word", "mark") else value(found.value)
        return Mistake(found.column, phrase("{detail} Found: “{text}”.", detail=expected, text=escape(shown[:40])))

    def next_is(self, kind: str, *values: str, offset: int = 0) -> bool:
        """Return whether the token at ``offset`` from here is of this kind (and one of these values)."""
        place = self.index + offset
        if place >= len(self.tokens):
            return False
        token = self.tokens[place]
        return token.kind == kind and (not values or token.value.casefold() in values)

    def take(self, kind: str, *values: str) -> bool:
        """Consume the next token if it matches, and return whether it does."""
        found = self.next_is(kind, *values)
        self.index += found
        return found

    def pull(self) -> Any:
        """Consume the next token and return its value."""
        self.index += 1
        return self.tokens[self.index - 1].value

    def text(self, what: str) -> str:
        """Read a bare word or a quoted text."""
        if self.next_is("word") or self.next_is("text"):
            return str(self.pull())
        raise self.wrong(phrase("{what} expected.", what=phrase(what)))

    def number(self) -> int:
        number = whole(self.tokens[self.index].value) if self.next_is("word") else None
        if number is not None:
            self.index += 1
            return number
        raise self.wrong("A whole number expected.")

    def seat(self) -> int:
        """Read a player: a name, or ``@`` and the number of a seat."""
        if self.names is None:
            raise Mistake(self.column, "Name the players before this line: “Seats: Ann, Bob”.")
        quoted = self.next_is("text")
        if not quoted and not self.next_is("word"):
            raise self.wrong("A player expected.")
        name = str(self.tokens[self.index].value)
        name = name if quoted else name.removesuffix(":").removesuffix("：")
        number = whole(name[1:]) if name[:1] in ("@", "＠") and not quoted else None
        seat = self.names.find(name) if number is None else number
        if seat is None:
            those = ", ".join(map(self.names.write, range(len(self.names.names))))
            raise self.wrong(phrase("A player expected: {names}, or “@” and a seat number.", names=those))
        self.index += 1
        return seat

    def cards(self) -> list[str]:
        """Read cards up to the end of the item; ``-`` for none."""
        if self.take("word", NO_CARDS):
            return []
        found = []
        while self.next_is("word") or self.next_is("text"):
            found.append(str(self.pull()))
        if not found:
            raise self.wrong("A card expected, such as 8MS or 10H (“-” for none).")
        return found

    def suffix(self) -> dict[str, object]:
        """Read what any event may have: ``!`` and ``x_`` keys."""
        data: dict[str, object] = {"accepted": True} if self.take("mark", "!") else {}
        if self.next_is("object"):
            column = self.column
            extra = self.pull()
            if not all(key.startswith("x_") for key in extra):
                raise Mistake(column, "The keys of this object must start with x_.")
            data |= extra
        return data


def whole(text: str) -> int | None:
    """Return a whole number of at most ``LONGEST_NUMBER`` digits; ``None`` for any other text."""
    text = unicodedata.normalize("NFKC", text)
    digits = text[1:] if text[:1] in ("-", "+", "−") else text
    if not (digits.isascii() and digits.isdigit() and len(digits) <= LONGEST_NUMBER):
        return None
    return -int(digits) if text[0] in "-−" else int(digits)
