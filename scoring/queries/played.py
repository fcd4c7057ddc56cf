"""When tables were played: what changes of one later, such as names, its group or a corrected entry, moves nothing."""

from datetime import datetime

from django.db.models import OuterRef, Subquery
from django.db.models.functions import Coalesce

from scoring.models import Table, TableEvent

_LAST = TableEvent.objects.filter(table=OuterRef("pk"), event__isnull=False, amends__isnull=True).order_by("-seq")
PLAYED = Coalesce("finished_at", Subquery(_LAST.values("at")[:1]), "created")
"""When a game was over, or else when the last entry was recorded that corrects no other."""


def last_recorded(row: Table) -> datetime:
    """Return when the last entry of a table was recorded that corrects no other, or when it was opened."""
    log = TableEvent.objects.filter(table=row, event__isnull=False, amends__isnull=True)
    return log.order_by("-seq").values_list("at", flat=True).first() or row.created


def played_at(row: Table) -> datetime:
    """Return when a table was played."""
    return row.finished_at or vars(row).get("played") or last_recorded(row)
