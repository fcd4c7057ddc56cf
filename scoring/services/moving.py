"""Giving a device away: all that it has goes to another one, or is forgotten; groups, tables and their links stay."""

import json
from collections.abc import Mapping
from datetime import timedelta

from django.db import transaction

from scoring.models import Device, DeviceGroup, DeviceReading, DeviceTable, SecretChoice
from scoring.queries.access import Devices, token_hash
from scoring.services.links import new_token
from scoring.services.short_lived import hashed, keep, kept

MOVING = "moving"
MINUTES = 10
"""How long another device may take what this one gives away."""


def moving_token(devices: Devices) -> str:
    """Return what another device takes everything of these devices with, for ten minutes."""
    token = new_token()
    keep(hashed(MOVING, token), timedelta(minutes=MINUTES), json.dumps(devices))
    return token


@transaction.atomic
def take_everything(token: str, secret: str) -> bool:
    """Give everything of the devices of a token to that of a secret; they have nothing then. Return whether it opens.

    What these devices have chosen in secret is this one's to look at.
    """
    found = kept(hashed(MOVING, token), timedelta(minutes=MINUTES))
    if found is None:
        return False
    hashes: list[str] = json.loads(found)
    taker, _ = Device.objects.get_or_create(secret_hash=token_hash(secret))
    givers = list(Device.objects.filter(secret_hash__in=hashes).exclude(pk=taker.pk))
    _move_tables(givers, taker)
    _move_groups(givers, taker)
    _move_readings(givers, taker)
    SecretChoice.objects.filter(device__in=givers).update(device=taker)
    return True


def _move_tables(givers: list[Device], taker: Device) -> None:
    """Write the rows anew: what any process remembers of a device's right to these tables is true no more."""
    tables = DeviceTable.objects.filter(device__in=givers).values("table")
    rows = DeviceTable.objects.filter(device__in=[*givers, taker], table__in=tables)
    held: dict[int, set[int | None]] = {}
    for table, link in rows.values_list("table", "link"):
        held.setdefault(table, set()).add(link)
    rows.delete()
    new = [
        DeviceTable(device=taker, table_id=table, link_id=link)
        for table, links in held.items()
        for link in links - {None} or {None}
    ]
    DeviceTable.objects.bulk_create(new, batch_size=500)


def _move_groups(givers: list[Device], taker: Device) -> None:
    rows = DeviceGroup.objects.filter(device__in=givers)
    new = [DeviceGroup(device=taker, group_id=group, link_id=link) for group, link in rows.values_list("group", "link")]
    rows.delete()
    DeviceGroup.objects.bulk_create(new, batch_size=500, ignore_conflicts=True)


def _move_readings(givers: list[Device], taker: Device) -> None:
    rows = DeviceReading.objects.filter(device__in=givers)
    new = [DeviceReading(device=taker, reading_id=reading) for reading in rows.values_list("reading", flat=True)]
    rows.delete()
    DeviceReading.objects.bulk_create(new, batch_size=500, ignore_conflicts=True)


@transaction.atomic
def forget_everything(devices: Devices) -> None:
    """Forget devices with all that they have; links, tables and groups stay, and other devices keep theirs."""
    SecretChoice.objects.filter(device__secret_hash__in=devices).update(device=None)
    Device.objects.filter(secret_hash__in=devices).delete()


def what_it_has(devices: Devices) -> Mapping[str, int]:
    """Return how many groups and tables there are on a device, those that open no more included."""
    groups = DeviceGroup.objects.filter(device__secret_hash__in=devices).values("group").distinct()
    tables = DeviceTable.objects.filter(device__secret_hash__in=devices).values("table").distinct()
    return {"groups": groups.count(), "tables": tables.count()}
