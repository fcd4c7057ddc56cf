"""Letting somebody into a group: only links open one."""

from collections.abc import Mapping
from typing import NamedTuple

from django.db import transaction

from scoring.models import Device, DeviceGroup, Group, GroupLink
from scoring.models.table import normal_code
from scoring.queries.access import Devices, token_hash
from scoring.queries.groups import group_link_by
from scoring.services.exceptions import NoSuchGroup
from scoring.services.guesses import check_guess, count_wrong_code, guesser_of
from scoring.services.holding import note_group


class GroupAdmission(NamedTuple):
    """A group, and the link by which the caller opens it."""

    group: Group
    link: GroupLink


def admit_to_group(typed: str, meta: Mapping[str, object], *, token: str = "", devices: Devices = ()) -> GroupAdmission:
    """Let in who comes with a link to a group, or on a device that has one; the code alone opens nothing.

    Raises ``NoSuchGroup``, and ``TooMany`` when too many wrong codes came from the address in ``meta``.
    """
    group = Group.objects.filter(code=normal_code(typed)).first()
    link = None if group is None else group_link_by(group.pk, token=token, devices=devices)
    if group is None or link is None:
        guesser = guesser_of(meta, normal_code(typed))
        check_guess(guesser)
        count_wrong_code(guesser)
        raise NoSuchGroup
    note_group(group.code, group.pk)
    return GroupAdmission(group, link)


def link_of_token(token: str) -> GroupLink | None:
    """Return the link of a token, with its group, unless it was revoked."""
    links = GroupLink.objects.select_related("group").filter(revoked__isnull=True)
    return links.filter(token_hash=token_hash(token)).first() if token else None


@transaction.atomic
def put_group_on_device(secret: str, link: GroupLink) -> None:
    """Give a group to a device, by a link."""
    device, _ = Device.objects.get_or_create(secret_hash=token_hash(secret))
    DeviceGroup.objects.get_or_create(device=device, link=link, defaults={"group": link.group})


def forget_group(devices: Devices, code: str) -> None:
    """Take a group off a device; its links stand, and other devices keep theirs."""
    DeviceGroup.objects.filter(device__secret_hash__in=devices, group__code=code).delete()
