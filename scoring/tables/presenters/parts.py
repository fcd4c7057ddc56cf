"""Parts of a table's page that travel once: an answer names those that the page has, and holds the others.

A part is what stands between ``{% part %}`` and ``{% endpart %}``. It is drawn once for the same values,
whoever asks, and known by a mark that follows from what it says. A page says which marks it has; of these
an answer holds only their places in what it says. So a tap costs what has changed, and a page that has nothing gets
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
"""What stands in a part for the table's version and the mark of a device's forms, which are another in every answer."""

part_cache: RecentCache[tuple[object, ...], Any] = RecentCache(8000)
"""Parts as they were drawn, with their marks around them, by where they stand, language, time zone and values."""


@dataclass(frozen=True, slots=True)
class TravellingPage:
    """A page that travels in parts: language and time zone of its reader, and the parts they have, by their places.

    ``answers``: a page that is open asks for what it lacks.
    """

    reader: tuple[str | None, str]
    known: Mapping[str, int] = field(default_factory=dict)
    answers: bool = True

    def holds(self, part: "Part") -> str:
        """Return a part, or its place where it is known."""
        place = self.known.get(part.mark)
        return part.html if place is None else f"<!--={place}-->"


class Part(NamedTuple):
    """A part as it was drawn, and the mark that stands at its beginning."""

    mark: str
    html: str

    def shows(self, inside: str) -> str:
        """Return the part with something else inside that its mark stands for all the same."""
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
