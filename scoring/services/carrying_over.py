"""Carrying players’ own phones over: whoever has a seat's link at one table has the same player's at the next."""

from collections import defaultdict
from collections.abc import Sequence
from functools import partial

from django.db import transaction
from django.utils import timezone

from scoring.models import DeviceTable, Link, Role, Table
from scoring.queries.access import token_hash
from scoring.queries.group_tables import people_at
from scoring.queries.groups import key_of_player
from scoring.services.links import new_token
from scoring.services.notifications import announce_next


def seats_before(before: Table, table: Table) -> list[int | None]:
    """Return for each seat of a table where the same player sat at the one before: the person, or a guest by name."""
    people = people_at([before, table])
    keys = [
        [key_of_player(name, person) for person, name in zip(people[row.pk], row.seats, strict=True)]
        for row in (before, table)
    ]
    sat = {key: seat for seat, key in enumerate(keys[0]) if keys[0].count(key) == 1}
    return [sat.get(key) if keys[1].count(key) == 1 else None for key in keys[1]]


def carry_over_phones(before: Table, table: Table, came: Sequence[int | None]) -> None:
    """Give each phone that has a seat at the table before its player's seat at this one, by a link of its own.

    ``came`` says where each seat's player sat. Only links count that a phone has and that stand: what was revoked stays
    revoked, and no phone gets another player's seat, or a right that it had not. Must be called in a transaction.
    """
    seats = {old: new for new, old in enumerate(came) if old is not None}
    held = defaultdict[Link, list[int]](list)
    rows = DeviceTable.objects.filter(
        table=before, link__table=before, link__role=Role.PLAYER, link__revoked=None, link__taken__isnull=False
    )
    for row in rows.filter(link__seat__in=seats).select_related("link").order_by("link", "pk"):
        assert row.link is not None
        held[row.link].append(row.device_id)
    now = timezone.now()
    for link, devices in held.items():
        assert link.seat is not None
        made = Link.objects.create(
            table=table,
            role=Role.PLAYER,
            seat=seats[link.seat],
            label=link.label,
            token_hash=token_hash(new_token()),  # nobody knows the token: the device has the link already
            taken=now,
            group_link=link.group_link,
        )
        DeviceTable.objects.bulk_create(DeviceTable(device_id=device, table=table, link=made) for device in devices)
    # Afterwards, for a turn holds the table before as it was: what is kept of its page is not what it says from now on.
    transaction.on_commit(partial(_touch, before.pk), robust=True)
    announce_next(before.pk)


def _touch(pk: int) -> None:
    Table.objects.filter(pk=pk).update(updated=timezone.now())
