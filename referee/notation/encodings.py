"""Texts as programs save them: what encoding the bytes of a file are in, and where its lines end."""

import re

from referee.engine.options import Problem, Refused
from referee.engine.translation import phrase

BYTE_ORDER_MARK = "\ufeff"
MARKS = {b"\xef\xbb\xbf": "utf-8-sig", b"\xff\xfe": "utf-16", b"\xfe\xff": "utf-16"}
"""The byte order marks that name an encoding."""
NAMED = ("utf-16", "utf-16-le", "utf-16-be", "cp1252", "iso8859-1", "iso8859-15")
"""The encodings that a request may name, as Python calls them; any other is read as UTF-8."""
CODE_PAGE = "cp1252"
"""What spreadsheets and editors save in where people write with Western European letters."""
PLAUSIBLE = frozenset("’–—…°€\xa0")
"""What is no letter and yet is found in such a text; anything else says that it is in another code page."""


def read_file(body: bytes) -> str:
    """Return the text of a file that a person chose: UTF-8, UTF-16, or a Western European code page.

    Raises ``Refused`` where it can be none of these, with how to save it.
    """
    try:
        return _decoded(body, _by_zeros(body))
    except UnicodeDecodeError:
        text = body.decode(CODE_PAGE, errors="replace")
        plausible = all(letter.isascii() or letter.isalpha() or letter in PLAUSIBLE for letter in text)
        if plausible and not body.startswith(tuple(MARKS)):
            return text
    detail = phrase("The letters of this file cannot be read. Save it as “CSV UTF-8”, or as text in UTF-8.")
    raise Refused([Problem("", "not-utf-8", detail)], malformed=True)


def read_body(body: bytes, encoding: str = "") -> str:
    """Return the text of a request: UTF-8, or UTF-16 with its byte order mark, or what the request names.

    Raises ``Refused`` with the first byte that does not belong there.
    """
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


def _by_zeros(body: bytes) -> str:
    """Return UTF-16 where every other byte is zero as it is in European texts, else UTF-8."""
    if body[1:2] == b"\0" != body[:1]:
        return "utf-16-le"
    return "utf-16-be" if body[:1] == b"\0" != body[1:2] else "utf-8"


LINE_END = re.compile(r"\r\n?")


def plain_lines(text: str) -> str:
    """Return a text whose lines end with a line feed alone, whichever system has saved it."""
    return LINE_END.sub("\n", text)
