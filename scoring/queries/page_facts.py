"""What the pages of a table read beside its state, all of it before anything is put together for them."""

from dataclasses import dataclass
from typing import Any

from referee.engine.sheet import DescribedTrick
from scoring.models import TableEvent
from scoring.queries.log import last_rows, standing_events
from scoring.queries.points import points_hidden
from scoring.queries.settlements import settled_places
from scoring.queries.state import LeftHands, Standing, current_hand, left_before, left_hands


@dataclass(frozen=True, slots=True)
class PageFacts:
    """What hands that were left have brought, whether points are hidden, and what a hand with irregularities holds.

    ``events`` are those of the hand in progress as they stand, where anything in it is irregular; ``settled`` are the
    positions, hand and event, of those that the table has settled. ``last`` is the last event, where anything is
    irregular or the table has decided something.
    """

    left: LeftHands
    hidden: bool
    events: tuple[dict[str, Any], ...] = ()
    settled: tuple[list[int], ...] = ()
    last: dict[str, Any] | None = None


def page_facts(at: Standing) -> PageFacts:
    """Read what the page of a table shows beside its state."""
    left, hidden = left_before(at.row), points_hidden(at)
    if at.hand is None:
        return PageFacts(left, hidden)
    if not at.hand.irregularities:
        return PageFacts(left, hidden, last=last_rows(at.row, most=1)[0].event if at.hand.settlements() else None)
    hand = at.hand.setup.index
    entries, places = standing_events(at.row, hand=hand), settled_places(at.row, hand).values()
    settled = tuple([hand, position] for position, entry in enumerate(entries) if entry.place in places)
    events = tuple(entry.event or {} for entry in entries)
    return PageFacts(left, hidden, events, settled, events[-1] if events else None)


@dataclass(frozen=True, slots=True)
class HandEvents:
    """A hand to look through: its place among ``count`` hands, from 0, its tricks, and its events as they stand."""

    index: int
    count: int
    tricks: list[DescribedTrick]
    entries: list[TableEvent]
    hidden: bool


def hand_events(at: Standing, index: int | None = None) -> HandEvents | None:
    """Read the events of a hand, or of the last one; ``None`` when there is no such hand."""
    current = current_hand(at)
    sheets = [*left_hands(at.row), *([current] if current else [])]
    index = len(sheets) - 1 if index is None else index
    if not 0 <= index < len(sheets):
        return None
    entries = standing_events(at.row, hand=index)
    return HandEvents(index, len(sheets), sheets[index]["tricks"], entries, points_hidden(at))
