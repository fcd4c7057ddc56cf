"""What disputes keep from being recorded: a dispute slipped into an event, and play while the referee is waited for."""

from collections.abc import Sequence

from referee.engine.event_kinds import DISPUTES, Event
from referee.engine.options import Problem, Refused
from scoring.models import Table
from scoring.queries.disputes import pausing_numbers
from scoring.services.exceptions import TablePaused


def check_marks(events: Sequence[Event]) -> None:
    """Raise ``Refused`` where an event says something of a dispute: these are raised and decided by calls of their own.

    Otherwise whoever records could rule on anything.
    """
    for position, event in enumerate(events):
        if event.extra and DISPUTES in event.extra:
            pointer = f"/{DISPUTES}" if len(events) == 1 else f"/events/{position}/{DISPUTES}"
            raise Refused([Problem(pointer, "bad-value", "A dispute is raised and decided under its own address.")])


def check_pause(row: Table, events: Sequence[Event]) -> None:
    """Raise ``TablePaused`` for play while a dispute holds it up; what stands beside the play is recorded."""
    if pausing_numbers(row) and any(not (event.kind.stays or event.kind.aside) for event in events):
        raise TablePaused
