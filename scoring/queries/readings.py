"""Links for reading: those of a table that stand, and the one by which a device reads."""

from django.db.models import QuerySet

from scoring.models import Reading, Table
from scoring.queries.access import Devices


def standing_readings(row: Table) -> QuerySet[Reading]:
    """Return the links for reading of a table that were not revoked, in the order in which they were made."""
    return Reading.objects.filter(table=row, revoked__isnull=True).order_by("pk")


def reading_on(devices: Devices, number: int) -> Reading | None:
    """Return a link for reading that a device has and that still stands, with its table."""
    held = Reading.objects.select_related("table").filter(devices__device__secret_hash__in=devices)
    return held.filter(pk=number, revoked__isnull=True).first()
