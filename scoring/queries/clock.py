"""The clock, which the referee does not have: ends by time (REC-16), and how long judging may take."""

from datetime import timedelta
from time import thread_time

from django.conf import settings
from django.db.models import OuterRef, Prefetch, QuerySet, Subquery
from django.utils import timezone

from referee.engine.bounds import Watch, deadline
from referee.engine.table import TableState, end_by_time
from scoring.models import Table, TableEvent
from scoring.queries.state import Standing, standing

TIME = "time"


def time_is_up(row: Table) -> bool:
    """Return whether the agreed time has passed since the first event of a table; never where none is agreed."""
    if row.end["kind"] != TIME or not row.version:
        return False
    began = vars(row).get("began") or TableEvent.objects.filter(table=row, seq=1).values_list("at", flat=True).first()
    return began is not None and timezone.now() >= began + timedelta(minutes=row.end["value"])


def listed(rows: QuerySet[Table]) -> QuerySet[Table]:
    """Have tables read with what is asked of each, so that a list of many takes no more statements than one of few."""
    began = TableEvent.objects.filter(table=OuterRef("pk"), seq=1).values("at")
    following = Prefetch("next", Table.objects.all(), to_attr="following")
    return rows.annotate(began=Subquery(began)).prefetch_related(following)


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


def judging_watch() -> Watch:
    """Return a watch on the processor time of whoever calls; it raises ``TooCostly`` when the time is up."""
    return deadline(thread_time, settings.SECONDS_TO_JUDGE)
