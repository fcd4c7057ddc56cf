"""What somebody reads on a page."""

import re
from typing import Any

UNFOLDED = "?open=lines,log,tricks,unchecked"
"""The query of a table's page with everything on it open."""


def text(answer: Any) -> str:
    """Return what a page says, without its tags."""
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", answer.content.decode()))


def tells(page: Any, word: str) -> bool:
    """Return whether a whole word stands anywhere in a page, tags included.

    A word inside a longer one is none: the tokens of a page hold every three letters once in a while.
    """
    said = page if isinstance(page, str) else page.content.decode()
    return re.search(rf"\b{re.escape(word)}\b", said) is not None
