"""Signed cursors of lists."""

from datetime import UTC, datetime, timedelta
from typing import Any, TypeVar

from django.core.signing import BadSignature, Signer
from django.db.models import Model, QuerySet

Place = tuple[int, ...]
"""A stable position in a list; empty at the start."""
LONGEST_CURSOR = 200
EPOCH, MICROSECOND = datetime(1970, 1, 1, tzinfo=UTC), timedelta(microseconds=1)
Row = TypeVar("Row", bound=Model)


def cursor_of(listed: str, place: Place) -> str:
    """Return the cursor of a position in a named list; empty at the start."""
    return _signer(listed).sign_object(place) if place else ""


def place_of(listed: str, cursor: str) -> Place | None:
    """Return a cursor's position, or ``None`` if it is invalid."""
    try:
        return tuple(_signer(listed).unsign_object(cursor))
    except BadSignature:
        return None


def _signer(listed: str) -> Signer:
    return Signer(sep=".", salt=f"cursor.{listed}")


def place_in_time(moment: datetime, pk: int) -> Place:
    """Return the position of a row in a list by time.

    >>> place_in_time(datetime(1970, 1, 1, 0, 0, 1, tzinfo=UTC), 7)
    (1000000, 7)
    """
    return (moment - EPOCH) // MICROSECOND, pk


def latest_after(rows: QuerySet[Row], column: str, place: Place) -> QuerySet[Row]:
    """Return rows by time, latest first, after a position."""
    ordered = rows.order_by(f"-{column}", "-pk")
    if not place:
        return ordered
    moment: Any = EPOCH + place[0] * MICROSECOND
    return ordered.filter(**{f"{column}__lte": moment}).exclude(**{column: moment, "pk__gte": place[1]})
