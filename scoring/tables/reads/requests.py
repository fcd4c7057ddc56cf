"""Who asks for a seat at a table, or for its score, and which phone may answer."""

from datetime import timedelta

from django.db.models import QuerySet
from django.utils import timezone

from scoring.models import Link, Role, SeatRequest, Table
from scoring.tables.reads.access import Devices

KEPT = timedelta(minutes=10)
"""How long a request waits, and how long a refused device does not ask again."""


def waiting_requests(row: Table) -> QuerySet[SeatRequest]:
    found = SeatRequest.objects.filter(table=row, refused=None, at__gte=timezone.now() - KEPT)
    return found.select_related("device").order_by("pk")


def request_of(row: Table, devices: Devices) -> SeatRequest | None:
    """Return what a device has asked for at a table, refused or not."""
    found = SeatRequest.objects.filter(table=row, device__secret_hash__in=devices)
    return found.filter(at__gte=timezone.now() - KEPT).first()


def may_answer(link: Link, asked: SeatRequest) -> bool:
    """Return whether a phone answers a request.

    The scorekeeper answers all. A player answers for their own seat, which another phone wants, and lets someone else
    keep the score whose scorekeeper is gone.
    """
    if link.keeps:
        return True
    if link.plays is None or link.revoked:
        return False
    return (link.plays == asked.seat) == (asked.role == Role.PLAYER)


def answered_by(row: Table, link: Link | None) -> list[SeatRequest]:
    return [] if link is None else [each for each in waiting_requests(row) if may_answer(link, each)]
