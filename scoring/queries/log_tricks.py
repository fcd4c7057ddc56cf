"""To which hand and trick the rows of a log belong, and who took it."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

from referee.notation.write import number_tricks
from scoring.models import TableEvent
from scoring.queries.log import sheets_of, standing_rows
from scoring.queries.state import Standing, current_hand


@dataclass(frozen=True, slots=True)
class TrickOfRow:
    """A hand, from 0, and a trick in it, from 1, with the seat that took it; ``None``: no trick, or nobody yet."""

    hand: int
    trick: int | None = None
    winner: int | None = None


def tricks_of_rows(at: Standing, entries: Sequence[TableEvent]) -> dict[int, TrickOfRow]:
    """Say of rows of the log to which trick they belong, by their number.

    Those that amend others, were taken back, or are no event tell of no trick: they happened at another time.
    """
    by_seq = {entry.seq: entry for entry in entries if entry.event and entry.amends is None}
    if not by_seq:
        return {}
    hands = {entry.hand for entry in by_seq.values()}
    first, last = min(hands), max(hands)
    tricks = {sheet.number: sheet.sheet["tricks"] for sheet in sheets_of(at.row, first=first, last=last)}
    if last not in tricks and (current := current_hand(at)) is not None:
        tricks[last] = current["tricks"]
    found: dict[int, TrickOfRow] = {}
    standing = standing_rows(at.row).filter(hand__gte=first, hand__lte=last).order_by("hand", "place")
    for hand, rows in groupby(standing, key=lambda row: row.hand):
        its = list(rows)
        winners = {trick["number"]: trick["winner"] for trick in tricks.get(hand, ())}
        numbers = number_tricks([row.event for row in its], tricks.get(hand, ()))
        for row, number in zip(its, numbers, strict=True):
            found[row.place] = TrickOfRow(hand, number, winners.get(number))
    return {seq: found[entry.place] for seq, entry in by_seq.items() if entry.place in found}
