"""Incremental updates of a table's page: a response contains only the parts that the page doesn't have.

A part is the template code between ``{% part %}`` and ``{% endpart %}``. It is rendered once per set of values, whoever
requests it, and identified by a mark, a hash of its content. A request lists the marks that the page has; the response
contains only a reference in place of each of these. So a tap transfers what has changed, and a new page gets
everything.
"""

import re
from base64 import urlsafe_b64encode
from collections.abc import Mapping
from dataclasses import dataclass, field
from hashlib import blake2b
from secrets import token_hex
from typing import Any, NamedTuple

from markupsafe import Markup

from scoring.tables.reads.state import RecentCache

HEADER = "Table-Parts"
MOST_MARKS = 200
MARK = re.compile(r"[\w-]{7}", re.ASCII)
NAMED = re.compile(r"<!--=\d+-->(?:\s*<!--=\d+-->)*", re.ASCII)
PLACE = re.compile(r"\d+", re.ASCII)
VERSION, TOKEN = f"version{token_hex(12)}", f"token{token_hex(12)}"
TOKEN_FIELD = Markup(f'<input type="hidden" name="csrfmiddlewaretoken" value="{TOKEN}">')
"""Placeholder in a part for values that differ in every response: the table's version and the CSRF token."""

part_cache: RecentCache[tuple[object, ...], Any] = RecentCache(8000)
"""Rendered parts with their marks, by position, language, time zone and values."""


@dataclass(frozen=True, slots=True)
class TravellingPage:
    """The parts a client has, by mark, and its language and time zone.

    ``answers``: an open page requests what it lacks.
    """

    reader: tuple[str | None, str]
    known: Mapping[str, int] = field(default_factory=dict)
    answers: bool = True

    def holds(self, part: "Part") -> str:
        """Return a part's HTML, or a reference if the client has it."""
        place = self.known.get(part.mark)
        return part.html if place is None else f"<!--={place}-->"


class Part(NamedTuple):
    """A rendered part, and the mark at its beginning."""

    mark: str
    html: str

    def shows(self, inside: str) -> str:
        """Return the part with different content under the same mark."""
        return f"<!--[{self.mark}-->{inside}<!--]-->"


def places(header: str) -> dict[str, int]:
    return {mark: place for place, mark in enumerate(MARK.findall(header[: 8 * MOST_MARKS]))}


def marked(html: str) -> Part:
    plain = html.replace(VERSION, "").replace(TOKEN, "")
    mark = urlsafe_b64encode(blake2b(plain.encode(), digest_size=5).digest()).decode().rstrip("=")
    return Part(mark, Part(mark, "").shows(html))


def gathered(html: str) -> str:
    return NAMED.sub(_runs, html)


def _runs(found: re.Match[str]) -> str:
    runs: list[list[int]] = []
    for place in map(int, PLACE.findall(found[0])):
        if runs and place == runs[-1][1] + 1:
            runs[-1][1] = place
        else:
            runs.append([place, place])
    return "".join(f"<!--={first}-{last}-->" for first, last in runs)


def filled(html: str, version: int, token: str) -> str:
    return html.replace(VERSION, str(version)).replace(TOKEN, token)
