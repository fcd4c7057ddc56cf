"""Which person each phone of a group belongs to, and the seats it gets at the group's tables."""

from contextlib import suppress
from datetime import timedelta

from django.db import Error as DatabaseError
from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from scoring.groups.acts.groups import first_of, group_turn
from scoring.groups.reads.groups import bars_phone, group_link_by, seat_of, standing_group_links
from scoring.models import Device, DeviceGroup, DeviceTable, Group, GroupLink, GroupRole, Link, Person, Role, Table
from scoring.operating.acts.database import noted_if_it_can_be, past_deadlocks
from scoring.tables.acts.access import give_link
from scoring.tables.acts.exceptions import HasPhone, NoSuchPerson, NotMember, PhoneTurnedOff
from scoring.tables.acts.holding import link_cache
from scoring.tables.acts.keys import Caller, new_token
from scoring.tables.acts.links import MOST_LINKS
from scoring.tables.acts.notifications import announce_revoked
from scoring.tables.reads.access import Devices, standing_rights, token_hash

SEEN_EVERY = timedelta(minutes=5)  # precision of ``GroupLink.seen``


@transaction.atomic
def join_by(secret: str, invitation: GroupLink) -> GroupLink:
    """Join a group on a device with a link of its own, and return that link.

    If the group has too many links, the device uses the invitation itself. Raises ``PhoneTurnedOff`` if the phone's
    link was revoked after the invitation was made.
    """
    device, _ = Device.objects.get_or_create(secret_hash=token_hash(secret))
    group = invitation.group
    before = group_link_by(group.pk, devices=(device.secret_hash,))
    if before is not None and before.phone and before.strength >= invitation.strength:
        return before
    if bars_phone(invitation, (device.secret_hash,)):
        raise PhoneTurnedOff
    own = invitation
    if not invitation.phone and standing_group_links(group).count() < MOST_LINKS:
        own = GroupLink.objects.create(
            group=group,
            role=invitation.role,
            phone=True,
            invited_by=invitation.pk,
            token_hash=token_hash(new_token()),  # the token is discarded: the device holds the link
            seen=timezone.now(),
        )
        DeviceGroup.objects.filter(device=device, link=invitation).delete()
    DeviceGroup.objects.get_or_create(device=device, link=own, defaults={"group": group})
    return own


def note_seen(link: GroupLink) -> None:
    now = timezone.now()
    if link.seen is None or now - link.seen > SEEN_EVERY:
        with suppress(DatabaseError), noted_if_it_can_be():
            GroupLink.objects.filter(group=link.group_id, pk=link.pk).update(seen=now)


@past_deadlocks
def say_who(code: str, person: int | None, caller: Caller, *, takes_over: bool = False) -> GroupLink:
    """Assign the caller's phone to a person; with ``None`` it only watches.

    Seats it held as another person are revoked. With ``takes_over``, the person's other phones are asked again whose
    they are. Raises ``NotMember``, ``NoSuchPerson``, ``HasPhone``, and what ``group_turn`` raises.
    """
    with group_turn(code, caller, caller.fingerprint("who", [person, takes_over])) as turn:
        own = first_of(standing_group_links(turn.group).filter(pk=caller.link or 0), NotMember)
        if own.role != GroupRole.MEMBER:
            raise NotMember
        if turn.repeats:
            return own
        named = None if person is None else first_of(Person.objects.filter(group=turn.group, pk=person), NoSuchPerson)
        if named is not None and named.merged_into is not None:
            named = named.merged_into
        others = [] if named is None else list(phones_of(turn.group, named).exclude(pk=own.pk))
        if others and not takes_over:
            raise HasPhone(name=named.name if named else "")
        for other in others:
            _become(turn.group, other, None, answered=False)
        _become(turn.group, own, named)
        return own


@past_deadlocks
def unsay_who(code: str, caller: Caller) -> None:
    """Clear whose phone the caller's is: the question is asked again, and its seats are revoked."""
    with group_turn(code, caller, caller.fingerprint("unsay-who", None)) as turn:
        if not turn.repeats:
            own = first_of(standing_group_links(turn.group).filter(pk=caller.link or 0), NotMember)
            _become(turn.group, own, None, answered=False)


@transaction.atomic
def leave(devices: Devices, code: str = "") -> None:
    """Remove one group, or all, from a device; the person is then free to use another phone.

    Revoked phone links stay on record, since an old invitation would otherwise let the phone back in.
    """
    held = DeviceGroup.objects.filter(device__secret_hash__in=devices)
    if code:
        held = held.filter(group__code=code)
    for row in held.filter(link__phone=True).select_related("link__person", "group").order_by("group"):
        _become(row.group, row.link, None, answered=False)
    held.exclude(link__phone=True, link__revoked__isnull=False).delete()


def phones_of(group: Group, person: Person) -> QuerySet[GroupLink]:
    """Return the active links of a person's phones, including those of people merged into them."""
    return standing_group_links(group).filter(Q(person=person) | Q(person__merged_into=person))


def _become(group: Group, link: GroupLink, person: Person | None, *, answered: bool = True) -> None:
    """Assign a phone to a person: revoke its seats at the group's tables, but keep its scorekeeper links."""
    before = link.person
    if person is None or before is None or before.counts_as != person.counts_as:
        _leave_seats(group, link)
    if link.name in ("", before.name if before else ""):
        link.name = person.name if person else ""
    link.person, link.answered = person, timezone.now() if answered else None
    link.save(update_fields=["name", "person", "answered"])
    kept = Link.objects.filter(table__group=group, group_link=link.pk, role=Role.SCOREKEEPER, revoked=None)
    for each in kept.select_related("table").order_by("table"):
        seat, label = seat_of(each.table, link), link.name if person else ""
        if (seat, label) != (each.seat, each.label):
            Link.objects.filter(table=each.table, pk=each.pk).update(seat=seat, label="" if seat is not None else label)
            # New rows invalidate the rights that processes have cached by row id.
            rows = list(DeviceTable.objects.filter(table=each.table, link=each))
            DeviceTable.objects.filter(pk__in=[row.pk for row in rows]).delete()
            DeviceTable.objects.bulk_create(
                DeviceTable(device_id=row.device_id, table=each.table, link=each) for row in rows
            )
            link_cache.drop((each.table.code, each.token_hash))


def _leave_seats(group: Group, link: GroupLink) -> None:
    held = Link.objects.filter(table__group=group, group_link=link.pk, role=Role.PLAYER, revoked=None)
    for each in held.order_by("table"):
        DeviceTable.objects.filter(table=each.table_id, link=each).delete()
        Link.objects.filter(table=each.table_id, pk=each.pk).update(revoked=timezone.now(), group_link=None)
        announce_revoked(each)


def sit_down(row: Table, devices: Devices) -> bool:
    """Give a phone its person's seat at a table of the group; return whether it has the seat now.

    A seat revoked at the table stays revoked.
    """
    own = None if row.group_id is None else group_link_by(row.group_id, devices=devices)
    if own is None or not own.manages:
        return False
    note_seen(own)
    seat = seat_of(row, own)
    with suppress(DatabaseError), noted_if_it_can_be():  # a full disk must not prevent reading the table
        return seat is not None and _seated(row, own, seat, devices)
    return False


def _seated(row: Table, own: GroupLink, seat: int, devices: Devices) -> bool:
    with transaction.atomic():
        device = Device.objects.filter(secret_hash__in=devices, groups__link=own).first()
        link = Link.objects.filter(table=row, group_link=own.pk, role=Role.PLAYER, seat=seat).first()
        if device is None or (link is not None and link.revoked) or standing_rights(row).count() >= MOST_LINKS:
            return False
        if link is None:
            link = Link.objects.create(
                table=row,
                role=Role.PLAYER,
                seat=seat,
                token_hash=token_hash(new_token()),
                taken=timezone.now(),
                group_link=own.pk,
            )
        give_link(device, row, link)
    return True
