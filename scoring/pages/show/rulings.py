"""What was irregular and what the table decided, as everybody at the table sees it on a big screen."""

from collections.abc import Sequence
from typing import NamedTuple

from scoring.pages.show.board import Board
from scoring.pages.show.findings import Finding


class Rulings(NamedTuple):
    """What a big screen tells of rulings.

    ``scenes`` are findings that are news: just proved, just decided, or undecided at the end of a hand. ``decided`` is
    what the table has just recorded that belongs to none of them; ``open`` are those that wait, ``done`` those decided
    in a hand that is over.
    """

    scenes: tuple[Finding, ...]
    decided: str
    open: tuple[Finding, ...]
    done: tuple[Finding, ...]


def rulings(board: Board) -> Rulings:
    """Sort the findings of a table by what a big screen says of them; what is held back is not among them."""
    news = [found for found in board.findings if found.decided or (found.raised and found.fresh)]
    waiting = [found for found in board.findings if found.raised and found not in news]
    settled = [found for found in board.findings if found.settled and not found.decided and found.over]
    return Rulings(
        tuple(news), "" if _says(news) else board.recorded, tuple(waiting), tuple(settled) if board.scene else ()
    )


def _says(news: Sequence[Finding]) -> bool:
    """Return whether one of the scenes says what was just recorded."""
    return any(found.decided for found in news)
