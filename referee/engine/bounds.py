"""How much one record, or one table, may hold, and how long judging it may take.

Lawful evenings stay far below: a hand has some hundred events, an evening two thousand. What is bounded is what would
otherwise be sent to keep a referee busy.
"""

import json
from collections.abc import Callable, Mapping, Sequence

from referee.engine.event_kinds import Event
from referee.engine.events import Note, Penalty, Transfer
from referee.engine.options import Problem, Refused
from referee.engine.translation import Phrase, phrase

MOST_EVENTS = 20_000
"""Events of a record or table."""
MOST_HANDS = 2_000
MOST_EVENTS_OF_HAND = 2_000
MOST_SETTLEMENTS = 300
"""Penalties and transfers of a hand, together."""
MOST_NOTES = 200
"""Notes of a hand."""
MOST_EXTRA = 64_000
"""Bytes of all ``x_`` keys of a record or table with their values, as JSON."""
STATED = ("x_scores", "x_totals", "x_rules_version")
"""Keys under which a record repeats what follows from its events: they are compared, not kept, and not counted."""

Watch = Callable[[], None]
"""Called now and then while judging goes on; it raises ``TooCostly`` when that has taken too long."""
STEP = 50
"""Events between two looks at the clock."""


class TooCostly(Refused):
    """Judging would take too long; whoever called set a deadline."""

    def __init__(self) -> None:
        super().__init__([Problem("", "too-costly", "Judging this takes longer than there is time for.")])


def no_watch() -> None:
    """Let judging take as long as it takes."""


def deadline(clock: Callable[[], float], seconds: float) -> Watch:
    """Return a watch that lets so many seconds of a clock pass; 0 is no limit."""
    if not seconds:
        return no_watch
    end = clock() + seconds

    def look() -> None:
        if clock() > end:
            raise TooCostly

    return look


# -- what is too many -----------------------------------------------------------------------


def too_many_events(pointer: str) -> Problem:
    """Say that a record or table has no room for one more event."""
    return Problem(pointer, "too-many-events", phrase("A record holds at most {most} events.", most=MOST_EVENTS))


def too_many_hands(pointer: str) -> Problem:
    """Say that a record or table has no room for one more hand."""
    return Problem(pointer, "too-many-hands", phrase("A record holds at most {most} hands.", most=MOST_HANDS))


def too_much_extra(pointer: str) -> Problem:
    """Say that the ``x_`` keys of a record or table hold too much."""
    detail = phrase("The x_ keys of a record hold at most {most} bytes together.", most=MOST_EXTRA)
    return Problem(pointer, "too-much-extra", detail)


def overfull(events: int, settlements: int, notes: int, pointer: str) -> Problem | None:
    """Return what a hand with so many events, so many settlements and notes among them, has too many of."""
    detail: Phrase
    if events > MOST_EVENTS_OF_HAND:
        detail = phrase("A hand holds at most {most} events.", most=MOST_EVENTS_OF_HAND)
        return Problem(pointer, "too-many-events", detail)
    if settlements > MOST_SETTLEMENTS:
        detail = phrase("A hand holds at most {most} penalties and transfers.", most=MOST_SETTLEMENTS)
        return Problem(pointer, "too-many-settlements", detail)
    if notes > MOST_NOTES:
        return Problem(pointer, "too-many-notes", phrase("A hand holds at most {most} notes.", most=MOST_NOTES))
    return None


def overfull_hand(events: Sequence[Event | None], pointer: str) -> Problem | None:
    """Return what a hand with these events has too many of."""
    if len(events) <= min(MOST_NOTES, MOST_SETTLEMENTS):
        return None
    settlements = sum(isinstance(event, Penalty | Transfer) for event in events)
    return overfull(len(events), settlements, sum(isinstance(event, Note) for event in events), pointer)


def extra_size(extra: Mapping[str, object] | None) -> int:
    """Return how many bytes ``x_`` keys and their values take."""
    kept = {key: value for key, value in (extra or {}).items() if key not in STATED}
    return len(json.dumps(kept, ensure_ascii=False, separators=(",", ":")).encode(errors="replace")) - 2 if kept else 0
