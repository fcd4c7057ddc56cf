"""What somebody reads on a page."""

import re
from typing import Any

UNFOLDED = "?open=lines,log,tricks,unchecked"
"""The query of a table's page with everything on it open."""


DRAWN = re.compile(
    r'<span class="card small in-words[^"]*" role="img" aria-label="([^"]*)"[^>]*>.*?<span class="pips">'
    r'(?:<span class="pip.*?(?:</small>|</svg>)\s*</span>)*</span>\s*(?:<svg.*?</svg>)?</span>',
    re.DOTALL,
)
"""A card drawn in a sentence, and what it is called."""


def text(answer: Any) -> str:
    """Return what a page says, without its tags; a card that is drawn in a sentence says what it is called."""
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", DRAWN.sub(r"\1", answer.content.decode())))


def tells(page: Any, word: str) -> bool:
    """Return whether a whole word stands anywhere in a page, tags included.

    A word inside a longer one is none: the tokens of a page hold every three letters once in a while.
    """
    said = page if isinstance(page, str) else page.content.decode()
    return re.search(rf"\b{re.escape(word)}\b", said) is not None
