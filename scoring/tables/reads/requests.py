"""Reads of requests for a seat or for keeping the score, and who may answer them."""

from datetime import timedelta

from django.db.models import QuerySet
from django.utils import timezone

from scoring.models import Link, Role, SeatRequest, Table
from scoring.tables.reads.access import Devices

KEPT = timedelta(minutes=10)
"""How long a request stays open, and how long a refused device can't ask again."""


def waiting_requests(row: Table) -> QuerySet[SeatRequest]:
    found = SeatRequest.objects.filter(table=row, refused=None, at__gte=timezone.now() - KEPT)
    return found.select_related("device").order_by("pk")


def request_of(row: Table, devices: Devices) -> SeatRequest | None:
    """Return a device's request at a table, including a refused one."""
    found = SeatRequest.objects.filter(table=row, device__secret_hash__in=devices)
    return found.filter(at__gte=timezone.now() - KEPT).first()


def may_answer(link: Link, asked: SeatRequest) -> bool:
    """Return whether a link may answer a request.

    The scorekeeper may answer all. A player may answer requests of other phones for their own seat, and other players'
    requests to keep the score.
    """
    if link.keeps:
        return True
    if link.plays is None or link.revoked:
        return False
    return (link.plays == asked.seat) == (asked.role == Role.PLAYER)


def answered_by(row: Table, link: Link | None) -> list[SeatRequest]:
    return [] if link is None else [each for each in waiting_requests(row) if may_answer(link, each)]
