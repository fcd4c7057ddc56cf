"""Ends by time. The referee has no clock; here a table whose time is up is finished between two hands (REC-16)."""

from datetime import timedelta

from django.utils import timezone

from referee.engine.table import TableState, end_by_time
from scoring.models import Table, TableEvent
from scoring.queries.state import Standing, standing

TIME = "time"


def time_is_up(row: Table) -> bool:
    """Return whether the agreed time has passed since the first event of a table; never where none is agreed."""
    if row.end["kind"] != TIME:
        return False
    began = TableEvent.objects.filter(table=row, seq=1).values_list("at", flat=True).first()
    return began is not None and timezone.now() >= began + timedelta(minutes=row.end["value"])


def by_now(row: Table, state: TableState) -> TableState:
    """Return the state with what the clock has done to it: between two hands, a table out of time has ended."""
    late = end_by_time(state)
    return late if late is not state and time_is_up(row) else state


def standing_now(row: Table) -> Standing:
    """Load the referee's state of a table, as it is at this moment. It is for showing, not for keeping."""
    return now(standing(row))


def now(at: Standing) -> Standing:
    """Return where a table stands at this moment."""
    state = by_now(at.row, at.state)
    return at if state is at.state else Standing(at.row, at.rules, state)
