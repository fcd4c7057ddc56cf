"""Access to tables by code or link, and the devices that remember them."""

import json
import re
import secrets
from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from enum import IntEnum
from functools import lru_cache
from typing import Any, NamedTuple

from django.conf import settings
from django.core import signing
from django.db import Error as DatabaseError
from django.db import transaction
from django.utils import timezone

from scoring.groups.reads.groups import opens_by_group
from scoring.models import Device, DeviceGroup, DeviceReading, DeviceTable, Link, SecretChoice, Table
from scoring.models.table import normal_code
from scoring.operating.acts.database import noted_if_it_can_be
from scoring.operating.acts.limits import check_guess, count_wrong_code, guesser_of, note_opened
from scoring.tables.acts import holding
from scoring.tables.acts.exceptions import LinkTurnedOff, NoSuchTable
from scoring.tables.acts.keys import hashed, keep, kept, new_token
from scoring.tables.reads.access import HEAVY, Devices, hash_at_table, links_by, own_link, token_hash, with_links
from scoring.tables.reads.state import table_id_cache

# --- Devices, and the tables they have opened
# A device is identified by a secret in a signed cookie. The database stores its hash, and a row for each of its tables.
# Django's sessions would store the key in the clear, and their data as a blob that can't be joined.

COOKIE = "device-"  # prefix of a device's cookie; the suffix distinguishes several in one browser
SECRET_BYTES = 32
SIGNED = re.compile(r"[\w-]{43,64}:[\w-]{43}", re.ASCII)
MOST_COOKIES = 8
LONGEST_NAME = 40


def _signer() -> signing.Signer:
    return signing.Signer(salt="scoring.device")


def new_secret() -> str:
    return secrets.token_urlsafe(SECRET_BYTES)


def cookie_for(secret: str) -> tuple[str, str]:
    return settings.COOKIE_PREFIX + plain_name(secret), _signer().sign(secret)


def plain_name(secret: str) -> str:
    """Return the cookie's name without the TLS prefix; a phone may send it on its first visit over TLS."""
    return COOKIE + token_hash(secret)[:8]


def secrets_in(cookies: Mapping[str, str]) -> list[str]:
    """Return the secrets in validly signed cookies, the host-bound cookie first."""
    begins = (settings.COOKIE_PREFIX + COOKIE, COOKIE)
    shaped = tuple(
        (name, cookies[name])
        for name in sorted(cookies)
        if name.startswith(begins) and len(name) <= LONGEST_NAME and SIGNED.fullmatch(cookies[name])
    )
    # Cache only what our own cookies look like, so that forged ones can't fill the memory.
    look = _signed_here if len(shaped) <= MOST_COOKIES else _signed_here.__wrapped__
    return [*look(shaped, settings.COOKIE_PREFIX)]


@lru_cache(maxsize=4000)
def _signed_here(cookies: tuple[tuple[str, str], ...], prefix: str) -> tuple[str, ...]:
    shaped = [(name, value, plain_name(value.partition(":")[0])) for name, value in cookies]
    own = [value for name, value, plain in shaped if name == prefix + plain][:MOST_COOKIES]
    own = own or [value for name, value, plain in shaped if name == plain][:MOST_COOKIES]
    found = []
    for value in own:
        with suppress(signing.BadSignature):
            found.append(_signer().unsign(value))
    return tuple(found)


def devices_of(cookies: Mapping[str, str]) -> Devices:
    return tuple(token_hash(secret) for secret in secrets_in(cookies))


def put_on_returning(cookies: Mapping[str, str], table: Table) -> None:
    """Remember a table on a device that returns its cookie; crawlers never do."""
    for secret in secrets_in(cookies)[:1]:
        with suppress(DatabaseError), noted_if_it_can_be():
            put_on_device(secret, table)


def put_on_device(secret: str, table: Table, token: str = "") -> None:
    link = Link.objects.get(table=table, token_hash=token_hash(token)) if token else None
    with transaction.atomic():
        device, _ = Device.objects.get_or_create(secret_hash=token_hash(secret))
        give_link(device, table, link)


def give_link(device: Device, table: Table, link: Link | None) -> None:
    """Add a table to a device, with a link or by its code alone."""
    with transaction.atomic():
        rows = DeviceTable.objects.filter(device=device, table=table)
        links = list(rows.values_list("link", flat=True))
        if (link is None and links) or (link is not None and link.pk in links):
            return
        # Recreate all rows, so that what other processes have cached of this device's right becomes invalid.
        rows.delete()
        held = [*filter(None, links), None if link is None else link.pk]
        new = [DeviceTable(device=device, table=table, link_id=pk) for pk in held]
        DeviceTable.objects.bulk_create(new, ignore_conflicts=True)


def renew_link(link: Link) -> None:
    """Recreate the rows of a link on devices, so that the rights other processes have cached by row become invalid."""
    rows = list(DeviceTable.objects.filter(table=link.table_id, link=link))
    DeviceTable.objects.filter(pk__in=[row.pk for row in rows]).delete()
    DeviceTable.objects.bulk_create(
        DeviceTable(device_id=row.device_id, table_id=row.table_id, link=link) for row in rows
    )


@transaction.atomic
def take_link(link: Link, held: DeviceTable) -> None:
    """Bind a link to the first device that returns with it; link previews never do."""
    if Link.objects.filter(table=link.table_id, pk=link.pk, taken__isnull=True).update(taken=timezone.now()):
        DeviceTable.objects.filter(table=link.table_id, link=link).exclude(pk=held.pk).delete()


def forget_table(devices: Devices, code: str) -> None:
    SecretChoice.objects.filter(device__secret_hash__in=devices, table__code=code).update(device=None)
    DeviceTable.objects.filter(device__secret_hash__in=devices, table__code=code).delete()


def forget_empty_devices(before: datetime) -> int:
    """Delete devices without tables or groups that were created before a moment."""
    gone, _ = Device.objects.filter(tables=None, groups=None, readings=None, created__lt=before).delete()
    return gone


# --- Admission: by code to a public table, by link to a private one


class Known(IntEnum):
    """Whether the table is on the caller's device, or was by a link that has been revoked."""

    NO = 0
    YES = 1
    TURNED_OFF = 2


class Admission(NamedTuple):
    table: Table
    link: Link | None
    known: Known = Known.NO


def admit(
    typed: str, meta: Mapping[str, object], *, token: str = "", devices: Devices = (), head_only: bool = False
) -> Admission:
    """Admit a caller to a table by its code, and by a link's token or a device's link.

    A private table looks nonexistent without a link to it or to its group. ``head_only`` defers the referee's state.
    Raises ``NoSuchTable``, and ``TooMany`` after too many wrong codes from the address in ``meta``.
    """
    code, heavy = normal_code(typed), HEAVY if head_only else ()
    if devices and (admission := _on_device(code, devices, heavy)):
        return admission
    if token:
        opened = links_by(token_hash(token), hash_at_table(token, code)).defer(*(f"table__{name}" for name in heavy))
        link = opened.filter(table__code=code).first()
        if link is not None:
            holding.link_cache.put(_key(code, token), _bare(link))
            table_id_cache.put(code, link.table_id)
            return Admission(link.table, link)
    guesser = guesser_of(meta, code)
    table = Table.objects.defer(*heavy).filter(code=code).first()
    if table is not None and opens_by_group(table, token=token, devices=devices):
        return Admission(table, None)
    check_guess(guesser)
    if table is None or table.private:
        count_wrong_code(guesser)
        raise NoSuchTable
    note_opened(guesser)
    table_id_cache.put(code, table.pk)
    return Admission(table, None)


def _on_device(code: str, devices: Devices, heavy: Sequence[str]) -> Admission | None:
    rows = with_links(DeviceTable.objects.select_related("table"))
    rows = rows.defer(*(f"table__{name}" for name in heavy))
    held = max(rows.filter(device__secret_hash__in=devices, table__code=code), key=_strength, default=None)
    if held is None:
        return None
    table_id_cache.put(code, held.table_id)
    link = own_link(held)
    if link is None or link.revoked:
        if held.table.private and not opens_by_group(held.table, devices=devices):
            raise NoSuchTable if link is None else LinkTurnedOff
        return Admission(held.table, None, Known.YES if link is None else Known.TURNED_OFF)
    if link.taken is None:
        take_link(link, held)
        return _on_device(code, devices, heavy)
    link.device_table = held.pk
    holding.link_cache.put(_key(code, "", devices), _bare(link))
    return Admission(held.table, link, Known.YES)


def remembered_link(code: str, *, token: str = "", devices: Devices = ()) -> Link | None:
    """Return the cached link by which a caller opened a table; every turn revalidates it."""
    return holding.link_cache.get(_key(normal_code(code), token, devices))


def link_to_take(typed: str, token: str) -> Link | None:
    return links_by(token_hash(token)).filter(table__code=normal_code(typed), taken__isnull=True).first()


def _key(code: str, token: str, devices: Devices = ()) -> tuple[str, ...]:
    return (code, "device", *devices) if devices else (code, token_hash(token))


def _strength(held: Any) -> tuple[int, int]:
    """Rank the rows of a device by what their links allow; ties go to the latest."""
    link = own_link(held)
    return 0 if link is None else link.strength, held.pk


def _bare(link: Link) -> Link:
    bare = Link(**{field.attname: getattr(link, field.attname) for field in Link._meta.concrete_fields})
    bare.device_table = link.device_table
    return bare


# --- Moving a device's tables and groups to another device, or forgetting them; links stay valid

MOVING = "moving"
MINUTES = 10  # lifetime of the token for moving


def moving_token(devices: Devices) -> str:
    token = new_token()
    keep(hashed(MOVING, token), timedelta(minutes=MINUTES), json.dumps(devices))
    return token


@transaction.atomic
def take_everything(token: str, secret: str) -> bool:
    found = kept(hashed(MOVING, token), timedelta(minutes=MINUTES))
    if found is None:
        return False
    hashes: list[str] = json.loads(found)
    taker, _ = Device.objects.get_or_create(secret_hash=token_hash(secret))
    givers = list(Device.objects.filter(secret_hash__in=hashes).exclude(pk=taker.pk))
    _move_tables(givers, taker)
    groups = DeviceGroup.objects.filter(device__in=givers)
    moved = [DeviceGroup(device=taker, **held) for held in groups.values("group_id", "link_id")]
    groups.delete()
    DeviceGroup.objects.bulk_create(moved, batch_size=500, ignore_conflicts=True)
    readings = DeviceReading.objects.filter(device__in=givers)
    read = [DeviceReading(device=taker, **held) for held in readings.values("link_id")]
    readings.delete()
    DeviceReading.objects.bulk_create(read, batch_size=500, ignore_conflicts=True)
    SecretChoice.objects.filter(device__in=givers).update(device=taker)
    return True


def _move_tables(givers: list[Device], taker: Device) -> None:
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


@transaction.atomic
def forget_everything(devices: Devices) -> None:
    SecretChoice.objects.filter(device__secret_hash__in=devices).update(device=None)
    Device.objects.filter(secret_hash__in=devices).delete()


def what_it_has(devices: Devices) -> Mapping[str, int]:
    groups = DeviceGroup.objects.filter(device__secret_hash__in=devices).values("group").distinct()
    tables = DeviceTable.objects.filter(device__secret_hash__in=devices).values("table").distinct()
    return {"groups": groups.count(), "tables": tables.count()}
