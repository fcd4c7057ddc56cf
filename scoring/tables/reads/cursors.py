"""Cursors: where the next part of a list begins, told so that no one but this installation makes one."""

from datetime import UTC, datetime, timedelta
from typing import Any, TypeVar

from django.core.signing import BadSignature, Signer
from django.db.models import Model, QuerySet

Place = tuple[int, ...]
"""Where something stands in a list, whatever else comes and goes; empty before the first."""
LONGEST_CURSOR = 200
EPOCH, MICROSECOND = datetime(1970, 1, 1, tzinfo=UTC), timedelta(microseconds=1)
Row = TypeVar("Row", bound=Model)


def cursor_of(listed: str, place: Place) -> str:
    """Return the cursor of what follows a place in a list of this name; empty for none."""
    return _signer(listed).sign_object(place) if place else ""


def place_of(listed: str, cursor: str) -> Place | None:
    """Return the place that a cursor of this list tells; ``None`` if it is none."""
    try:
        return tuple(_signer(listed).unsign_object(cursor))
    except BadSignature:
        return None


def _signer(listed: str) -> Signer:
    return Signer(sep=".", salt=f"cursor.{listed}")


def place_in_time(moment: datetime, pk: int) -> Place:
    """Return where something stands that happened then.

    >>> place_in_time(datetime(1970, 1, 1, 0, 0, 1, tzinfo=UTC), 7)
    (1000000, 7)
    """
    return (moment - EPOCH) // MICROSECOND, pk


def latest_after(rows: QuerySet[Row], column: str, place: Place) -> QuerySet[Row]:
    """Return the rows in the order of a moment, the latest first, that stand after a place."""
    ordered = rows.order_by(f"-{column}", "-pk")
    if not place:
        return ordered
    moment: Any = EPOCH + place[0] * MICROSECOND
    return ordered.filter(**{f"{column}__lte": moment}).exclude(**{column: moment, "pk__gte": place[1]})
