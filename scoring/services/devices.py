"""Devices: which one is asking, and what it has opened.

A device is known by a secret in a signed cookie. The database keeps the hash of it, and a row for each of its tables.
Sessions of Django would keep their key as it is, and in each of them one lump of data that no query can join.
"""

import re
import secrets
from collections.abc import Mapping
from contextlib import suppress
from datetime import datetime
from functools import lru_cache

from django.conf import settings
from django.core import signing
from django.db import Error as DatabaseError
from django.db import transaction
from django.utils import timezone

from scoring.models import Device, DeviceTable, Link, SecretChoice, Table
from scoring.queries.access import Devices, token_hash
from scoring.services.database_away import noted_if_it_can_be

COOKIE = "device-"
"""How a cookie of a device begins. The rest tells two apart, which a browser has whose first two pages came at once."""
SIGNER = signing.Signer(salt="scoring.device")
SECRET_BYTES = 32
SIGNED = re.compile(r"[\w-]{43,64}:[\w-]{43}", re.ASCII)
MOST_COOKIES = 8
LONGEST_NAME = 40


def new_secret() -> str:
    """Make the secret of a device up."""
    return secrets.token_urlsafe(SECRET_BYTES)


def cookie_for(secret: str) -> tuple[str, str]:
    """Return the name and the value of the cookie that holds a secret."""
    return _name(secret), SIGNER.sign(secret)


def _name(secret: str) -> str:
    return f"{settings.COOKIE_PREFIX}{plain_name(secret)}"


def plain_name(secret: str) -> str:
    """Return the name of the cookie where there is no TLS: what a phone brings along when it comes there first."""
    return COOKIE + token_hash(secret)[:8]


def secrets_in(cookies: Mapping[str, str]) -> list[str]:
    """Return the secrets that a caller's cookies hold; what is not signed here is none.

    What has another shape, or another name than its secret gives it, takes no place from a device's own. Over TLS, the
    name that no other host can give goes before the plain one.
    """
    shaped = _of_devices(cookies)
    # Only what a browser of ours sends is kept in mind, so that nobody fills the memory with cookies of his own.
    look = _signed_here if len(shaped) <= MOST_COOKIES else _signed_here.__wrapped__
    return [*look(shaped, settings.COOKIE_PREFIX)]


def _of_devices(cookies: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
    """Return the cookies that have the name and the shape of a device's, by name."""
    begins = (settings.COOKIE_PREFIX + COOKIE, COOKIE)
    return tuple(
        (name, cookies[name])
        for name in sorted(cookies)
        if name.startswith(begins) and len(name) <= LONGEST_NAME and SIGNED.fullmatch(cookies[name])
    )


@lru_cache(maxsize=4000)
def _signed_here(cookies: tuple[tuple[str, str], ...], _prefix: str) -> tuple[str, ...]:
    """Return the secrets that were signed here; a phone brings the same cookies with every card, and every look."""
    shaped = [(name, value, value.partition(":")[0]) for name, value in cookies]
    own = [value for name, value, secret in shaped if name == _name(secret)][:MOST_COOKIES]
    own = own or [value for name, value, secret in shaped if name == plain_name(secret)][:MOST_COOKIES]
    return tuple(secret for value in own if (secret := _unsigned(value)))


def devices_of(cookies: Mapping[str, str]) -> Devices:
    """Return what a caller's device is known by in the database."""
    return tuple(token_hash(secret) for secret in secrets_in(cookies))


def put_on_returning(cookies: Mapping[str, str], table: Table) -> None:
    """Note that a device has opened a table by its code, if it has come back with its cookie.

    Whatever walks through the net keeps no cookie, and leaves nothing behind. A device that cannot be noted down now
    may look all the same.
    """
    for secret in secrets_in(cookies)[:1]:
        with suppress(DatabaseError), noted_if_it_can_be():
            put_on_device(secret, table)


def put_on_device(secret: str, table: Table, token: str = "") -> None:
    """Note that a device has opened a table, with a link or by its code alone."""
    link = Link.objects.get(table=table, token_hash=token_hash(token)) if token else None
    with transaction.atomic():
        device, _ = Device.objects.get_or_create(secret_hash=token_hash(secret))
        rows = DeviceTable.objects.filter(device=device, table=table)
        links = list(rows.values_list("link", flat=True))
        if (link is None and links) or (link is not None and link.pk in links):
            return
        # All of them anew: what other processes remember of this device's right is true no more.
        rows.delete()
        held = [*filter(None, links), None if link is None else link.pk]
        new = [DeviceTable(device=device, table=table, link_id=pk) for pk in held]
        DeviceTable.objects.bulk_create(new, ignore_conflicts=True)


def take_link(link: Link, held: DeviceTable) -> None:
    """Give a link to the device that comes with it first, by this row; whoever else has opened its address is too late.

    Opening the address is not enough: what only looks where an address leads to keeps no cookie and never comes back.
    """
    with transaction.atomic():
        if Link.objects.filter(table=link.table_id, pk=link.pk, taken__isnull=True).update(taken=timezone.now()):
            DeviceTable.objects.filter(table=link.table_id, link=link).exclude(pk=held.pk).delete()


def forget_table(devices: Devices, code: str) -> None:
    """Take a table off a device, with its rights there; the links stand, and other devices keep theirs.

    What was chosen on it in secret stays chosen, and is not to be looked at any more.
    """
    SecretChoice.objects.filter(device__secret_hash__in=devices, table__code=code).update(device=None)
    DeviceTable.objects.filter(device__secret_hash__in=devices, table__code=code).delete()


def forget_empty_devices(before: datetime) -> int:
    """Forget the devices with nothing on them that were first seen before a moment, and return how many there were.

    One that comes back is as good as new: it is known by what its cookie holds.
    """
    gone, _ = Device.objects.filter(tables=None, groups=None, readings=None, created__lt=before).delete()
    return gone


def _unsigned(signed: str) -> str | None:
    try:
        return SIGNER.unsign(signed)
    except signing.BadSignature:
        return None
