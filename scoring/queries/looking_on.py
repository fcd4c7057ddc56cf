"""Who looks on at a table and no more: asked for each refresh of each page, so it is one statement for all of them.

Django writes that statement once for each number of tables and devices: that takes longer than having it answered.
"""

import json
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from django.db import connection

from scoring.models import DeviceTable, Role, Table
from scoring.queries.access import Devices, with_links
from scoring.queries.clock import TIME
from scoring.queries.state import table_ids

Follower = tuple[str, Devices]
"""The code of a table, and the device that asks for it."""


class Look(NamedTuple):
    """A table as somebody may look on at it: where it stood when the right to do so was asked for."""

    table: int
    code: str
    version: int
    updated: str
    """When it was written last, as the database says it."""


class _Held(NamedTuple):
    """A table on a device, with the device's link to it, as the database says it."""

    table: int
    code: str
    version: int
    updated: object
    private: bool
    finished: bool
    end: str
    device: str
    link: int | None
    revoked: object
    role: str | None
    taken: object

    @property
    def look(self) -> Look:
        return Look(self.table, self.code, self.version, str(self.updated))

    @property
    def looks_on(self) -> bool | None:
        """Whether the link opens the table for looking on; ``None`` where it does more, or nobody has it yet."""
        if self.link is None or self.revoked is not None:
            return False
        return True if self.role == Role.SPECTATOR and self.taken is not None else None

    @property
    def stays(self) -> bool:
        """Whether all see the same as long as the version stands.

        A table that ends by the clock, or may go on at another one, changes without a version of its own.
        """
        return not self.finished and json.loads(self.end)["kind"] != TIME


COLUMNS = (
    *("table", "table__code", "table__version", "table__updated", "table__private", "table__finished", "table__end"),
    *("device__secret_hash", "own", "own__revoked", "own__role", "own__taken"),
)
AT_ONCE = 500
"""Devices in one statement."""


def who_look_on(followers: Collection[Follower]) -> Mapping[Follower, Look]:
    """Return where the tables of those stand of whom it is plain that they may look on and no more.

    Left out is who has a stronger link, or is the first to come with one, and all at a table that may change without
    a version.
    """
    tables = _ids({code for code, _ in followers})
    found: defaultdict[tuple[str, str], list[_Held]] = defaultdict(list)
    devices = list(dict.fromkeys(device for _, all_of_one in followers for device in all_of_one))
    for held in _held(tables, devices):
        found[held.code, held.device].append(held)
    by_follower = {each: [held for device in each[1] for held in found[each[0], device]] for each in followers}
    return {each: held[0].look for each, held in by_follower.items() if held and held[0].stays and _looks_on(held)}


def _looks_on(held: Sequence[_Held]) -> bool:
    """Return whether it is plain that a device may look on at a table and no more, by all that it has of that one."""
    links = [each.looks_on for each in held]
    return None not in links and (any(links) or not held[0].private)


def _ids(codes: Collection[str]) -> list[int]:
    """Return the ids of tables, by which rows of an evening are asked for; a code that leads to none is passed over."""
    new = [code for code in codes if table_ids.get(code) is None]
    for row in Table.objects.filter(code__in=new).only("code") if new else ():
        table_ids.keep(row.code, row.pk)
    return [pk for pk in map(table_ids.get, codes) if pk is not None]


def _held(tables: Sequence[int], devices: Sequence[str]) -> Iterator[_Held]:
    if not tables:
        return
    tables = _filled(tables)
    for first in range(0, len(devices), AT_ONCE):
        some = _filled(devices[first : first + AT_ONCE])
        statement, places = _written(connection.vendor, len(tables), len(some))
        with connection.cursor() as cursor:
            cursor.execute(statement, [tables[place] if which else some[place] for which, place in places])
            yield from map(_Held._make, cursor.fetchall())


def _filled(values: Sequence[Any]) -> list[Any]:
    """Return values of which there are 1, 2, 4, 8, ...: the last is said again, so that few statements do for all."""
    return [*values, *[values[-1]] * ((1 << (len(values) - 1).bit_length()) - len(values))]


@lru_cache(maxsize=64)
def _written(vendor: str, tables: int, devices: int) -> tuple[str, tuple[tuple[bool, int], ...]]:
    """Return the statement for so many tables and devices, and in which order it takes which: of tables, its place."""
    ids, hashes = range(tables), [str(place) for place in range(devices)]
    held = with_links(DeviceTable.objects.filter(table__in=ids, device__secret_hash__in=hashes))
    statement, values = held.values_list(*COLUMNS).query.sql_with_params()
    return statement, tuple((isinstance(value, int), int(value)) for value in values)
