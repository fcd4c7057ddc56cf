"""Letting somebody in: by code where a table is public, by link where it is private."""

from collections.abc import Mapping, Sequence
from enum import IntEnum
from typing import Any, NamedTuple

from scoring.models import DeviceTable, Link, Table
from scoring.models.table import normal_code
from scoring.queries.access import Devices, own_link, token_hash, with_links
from scoring.queries.groups import opens_by_group
from scoring.services import seen
from scoring.services.devices import take_link
from scoring.services.exceptions import LinkTurnedOff, NoSuchTable
from scoring.services.guesses import check_guess, count_wrong_code, guesser_of, note_opened
from scoring.services.holding import note_table

HEAVY = ("snapshot", "hand_start")
"""What a table holds that only the referee reads."""


class Known(IntEnum):
    """Whether a table is on the caller's device already, and whether the link was revoked by which it was."""

    NO = 0
    YES = 1
    TURNED_OFF = 2


class Admission(NamedTuple):
    """A table, and the link that the caller has to it; ``known``: whether the caller's device has the table."""

    table: Table
    link: Link | None
    known: Known = Known.NO


def admit(
    typed: str, meta: Mapping[str, object], *, token: str = "", devices: Devices = (), head_only: bool = False
) -> Admission:
    """Let in who comes with a code, however it was typed: with the token of a link, or on a device.

    A private table does not exist for who has no link to it, nor to its group. ``head_only`` leaves out what the
    referee keeps of it.
    Raises ``NoSuchTable``, and ``TooMany`` when too many wrong codes came from the address in ``meta``; a link opens
    its table all the same, and what a device or that address had opened before is no guess.
    """
    code, heavy = normal_code(typed), HEAVY if head_only else ()
    if devices and (admission := _on_device(code, devices, heavy)):
        return admission
    if token:
        opened = Link.objects.select_related("table").defer(*(f"table__{name}" for name in heavy))
        link = opened.filter(table__code=code, token_hash=token_hash(token), revoked__isnull=True).first()
        if link is not None:
            seen.link_cache.put(_key(code, token), _bare(link))
            note_table(code, link.table_id)
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
    note_table(code, table.pk)
    return Admission(table, None)


def _on_device(code: str, devices: Devices, heavy: Sequence[str]) -> Admission | None:
    """Let in who has the table on a device; raises ``NoSuchTable`` where it does not open any more."""
    rows = with_links(DeviceTable.objects.select_related("table"))
    rows = rows.defer(*(f"table__{name}" for name in heavy))
    held = max(rows.filter(device__secret_hash__in=devices, table__code=code), key=_strength, default=None)
    if held is None:
        return None
    note_table(code, held.table_id)
    link = own_link(held)
    if link is None or link.revoked:
        if held.table.private and not opens_by_group(held.table, devices=devices):
            raise NoSuchTable if link is None else LinkTurnedOff
        return Admission(held.table, None, Known.YES if link is None else Known.TURNED_OFF)
    if link.taken is None:
        take_link(link, held)
        return _on_device(code, devices, heavy)
    link.device_table = held.pk
    seen.link_cache.put(_key(code, "", devices), _bare(link))
    return Admission(held.table, link, Known.YES)


def remembered_link(code: str, *, token: str = "", devices: Devices = ()) -> Link | None:
    """Return the link that has opened a table for this caller before.

    It is not looked for again: whether it still does, every turn asks by itself.
    """
    return seen.link_cache.get(_key(normal_code(code), token, devices))


def link_to_take(typed: str, token: str) -> Link | None:
    """Return the link of a token, with its table, unless it was revoked or a device has it already."""
    links = Link.objects.select_related("table").filter(revoked__isnull=True, taken__isnull=True)
    return links.filter(table__code=normal_code(typed), token_hash=token_hash(token)).first()


def _key(code: str, token: str, devices: Devices = ()) -> tuple[str, ...]:
    return (code, "device", *devices) if devices else (code, token_hash(token))


def _strength(held: Any) -> tuple[int, int]:
    """Return how much a device may do by a row, against its other ones; of equal ones the last to come counts."""
    link = own_link(held)
    return 0 if link is None else link.strength, held.pk


def _bare(link: Link) -> Link:
    bare = Link(**{field.attname: getattr(link, field.attname) for field in Link._meta.concrete_fields})
    bare.device_table = link.device_table
    return bare
