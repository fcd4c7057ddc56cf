"""Who may do what at a table, and who is told of the tables before and after it."""

import hashlib
from collections.abc import Mapping

from django.db.models import Q, QuerySet

from scoring.models import DeviceTable, Link, Table

Devices = tuple[str, ...]
"""What a caller's device is known by: the hash of its secret. Of some browsers there are two."""


def token_hash(token: str) -> str:
    """Return what is kept of a token, or of the secret of a device: long and random, so a plain hash is enough."""
    return hashlib.sha256(token.encode()).hexdigest()


def standing_links(row: Table) -> QuerySet[Link]:
    """Return the links to a table that were not revoked, in the order in which they were made."""
    return Link.objects.filter(table=row, revoked__isnull=True).order_by("pk")


def open_tables(devices: Devices) -> QuerySet[Table]:
    """Return the tables of a device that open: by code alone, or by a link that it has. Running ones come first."""
    held = _on(devices).filter(Q(table__private=False) | Q(link__revoked__isnull=True, link__isnull=False))
    return Table.objects.filter(pk__in=held.values("table")).order_by("finished", "-updated")


def right_stands(right: tuple[int, ...]) -> bool:
    """Return whether a link was not revoked and, where a device has it, whether by the same row; nothing stands."""
    if not right:
        return True
    links = Link.objects.filter(pk=right[0], revoked__isnull=True)
    return (links.filter(devices=right[1]) if right[1:] else links).exists()


def _on(devices: Devices) -> QuerySet[DeviceTable]:
    return DeviceTable.objects.filter(device__secret_hash__in=devices)


def next_code(row: Table, *, keeps: bool, devices: Devices = ()) -> str | None:
    """Return the code of the table at which this one is continued, if it is told; ``keeps``: to who keeps the score."""
    return _code(Table.objects.filter(previous=row).only(*HEAD).first(), keeps=keeps, devices=devices)


def neighbours(row: Table, *, keeps: bool) -> Mapping[str, object]:
    """Return the codes of the tables before and after this one, where they are told."""
    before = Table.objects.filter(pk=row.previous_id).only(*HEAD).first() if row.previous_id else None
    return {"previous": _code(before, keeps=keeps), "next": next_code(row, keeps=keeps)}


HEAD = ("code", "private")


def _code(neighbour: Table | None, *, keeps: bool, devices: Devices = ()) -> str | None:
    """Return a neighbour's code; a private one only for who keeps the score here, and for who can open it anyway."""
    if neighbour is None:
        return None
    if not neighbour.private or keeps:
        return neighbour.code
    opens = _on(devices).filter(table=neighbour, link__isnull=False, link__revoked__isnull=True)
    return neighbour.code if devices and opens.exists() else None
