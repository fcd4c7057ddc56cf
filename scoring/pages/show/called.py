"""That the referee was called, as every page of a table shows it."""

from dataclasses import dataclass

from scoring.pages.show.disputes import name_of
from scoring.queries.disputes import disputes_of
from scoring.queries.state import Standing


@dataclass(frozen=True, slots=True)
class Called:
    """An open dispute in a line: who called, the words, whether the hand waits."""

    number: int
    who: str
    text: str
    paused: bool


def called(at: Standing) -> tuple[Called, ...]:
    """Return the open disputes of a table, those first for which the hand waits."""
    if not at.row.disputes.get("open"):
        return ()
    shown = [
        Called(
            each.number,
            "" if each.claim.seat is None else name_of(each.claim, at.names),
            each.claim.text,
            each.paused,
        )
        for each in disputes_of(at.row)
        if each.is_open
    ]
    return tuple(sorted(shown, key=lambda each: not each.paused))
