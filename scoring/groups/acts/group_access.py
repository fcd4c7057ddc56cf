"""Access to a group: by link or recovery code, and the person and seats of each of its phones."""

from collections.abc import Mapping
from contextlib import suppress
from datetime import timedelta
from typing import NamedTuple

from django.db import Error as DatabaseError
from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from scoring.groups.acts.groups import NewGroupLink, group_turn, new_group_link, revoke_all
from scoring.groups.reads.groups import bars_phone, group_link_by, seat_of, standing_group_links
from scoring.models import (
    Device,
    DeviceGroup,
    DeviceTable,
    Group,
    GroupLink,
    GroupRole,
    Link,
    Person,
    RecoveryCode,
    Role,
    Table,
)
from scoring.models.table import RECOVERY_LENGTH, new_code, normal_code
from scoring.operating.acts.database import noted_if_it_can_be, past_deadlocks
from scoring.operating.acts.limits import check_guess, count_wrong_code, guesser_of
from scoring.tables.acts import exceptions
from scoring.tables.acts.access import give_link, renew_link
from scoring.tables.acts.exceptions import first_of
from scoring.tables.acts.holding import announce_revoked, group_id_cache, link_cache
from scoring.tables.acts.keys import Caller, fingerprint_of, keep_token, kept_token, new_token
from scoring.tables.acts.links import MOST_LINKS, new_link
from scoring.tables.reads.access import Devices, standing_rights, token_hash

LONGEST_TYPED = 100


class GroupAdmission(NamedTuple):
    """A group, and the link that grants the caller access."""

    group: Group
    link: GroupLink


def admit_to_group(typed: str, meta: Mapping[str, object], *, token: str = "", devices: Devices = ()) -> GroupAdmission:
    """Admit a caller that has a link to the group, by token or device; the group's code alone grants nothing.

    Raises ``NoSuchGroup``, and ``TooMany`` after too many wrong codes from the client address in ``meta``.
    """
    group = Group.objects.filter(code=normal_code(typed)).first()
    link = None if group is None else group_link_by(group.pk, token=token, devices=devices)
    if group is None or link is None:
        guesser = guesser_of(meta, normal_code(typed))
        check_guess(guesser)
        count_wrong_code(guesser)
        raise exceptions.NoSuchGroup
    group_id_cache.put(group.code, group.pk)
    return GroupAdmission(group, link)


def link_of_token(token: str) -> GroupLink | None:
    links = GroupLink.objects.select_related("group").filter(revoked__isnull=True)
    return links.filter(token_hash=token_hash(token)).first() if token else None


@transaction.atomic
def put_group_on_device(secret: str, link: GroupLink, *, phone: bool = False) -> None:
    """Put a group on a device; ``phone`` marks the link as made for that device alone."""
    if phone:
        GroupLink.objects.filter(group=link.group, pk=link.pk).update(phone=True, seen=timezone.now())
    device, _ = Device.objects.get_or_create(secret_hash=token_hash(secret))
    DeviceGroup.objects.get_or_create(device=device, link=link, defaults={"group": link.group})


# --- Recovery codes of groups
# A recovery code is written on paper, so it has the same alphabet as table codes, in groups of four, and is too long to
# guess. Wrong ones count against the same limit as wrong table codes.


@past_deadlocks
def make_recovery_code(code: str, caller: Caller) -> str:
    """Make a recovery code for a group, replacing any earlier one, and return it as text.

    A retry gets the same code while it is kept, then an empty string. Raises ``GroupMovedOn`` if the code has been
    replaced since, and what ``group_turn`` raises.
    """
    fingerprint = caller.fingerprint("recovery-code", None)
    with group_turn(code, caller, fingerprint) as turn:
        if turn.repeats:
            if not RecoveryCode.objects.filter(group=turn.group, pk=turn.made or 0).exists():
                raise exceptions.GroupMovedOn(version=turn.group.version)
            return in_fours(kept_token(caller.key, fingerprint))
        made = keep_token(caller.key, fingerprint, new_code(RECOVERY_LENGTH))
        RecoveryCode.objects.filter(group=turn.group).delete()
        turn.made = RecoveryCode.objects.create(group=turn.group, code_hash=token_hash(made)).pk
        return in_fours(made)


@past_deadlocks
def withdraw_recovery_code(code: str, caller: Caller) -> None:
    """Invalidate a group's recovery code. Raises ``NoSuchRecoveryCode`` if it has none."""
    with group_turn(code, caller, caller.fingerprint("withdraw-recovery-code", None)) as turn:
        if not turn.repeats and not RecoveryCode.objects.filter(group=turn.group).delete()[0]:
            raise exceptions.NoSuchRecoveryCode


@past_deadlocks
def recover_group(
    typed: str, meta: Mapping[str, object], *, name: str = "", cancel_older: bool = False, key: str | None = None
) -> NewGroupLink:
    """Exchange a recovery code for a new member link.

    ``cancel_older`` revokes all other links and the rights they granted at the group's tables. Raises
    ``NoSuchRecoveryCode``, ``TooManyLinks``, and ``TooMany`` after too many wrong codes from the client address in
    ``meta``.
    """
    code = normal_code(typed[:LONGEST_TYPED])
    guesser = guesser_of(meta, code)
    check_guess(guesser)
    found = RecoveryCode.objects.select_related("group").filter(code_hash=token_hash(code)).first()
    if found is None:
        count_wrong_code(guesser)
        raise exceptions.NoSuchRecoveryCode
    caller = Caller(by="recovery code", key=key)
    fingerprint = fingerprint_of("recover", [found.code_hash, name, cancel_older], key)
    with group_turn(found.group.code, caller, fingerprint) as turn:
        if turn.repeats:
            link = first_of(turn.group.links.filter(pk=turn.made or 0, revoked__isnull=True), exceptions.NoSuchLink)
            return NewGroupLink(link, kept_token(key, fingerprint))
        if not RecoveryCode.objects.filter(group=turn.group, code_hash=found.code_hash).update(used=timezone.now()):
            raise exceptions.NoSuchRecoveryCode
        older = standing_group_links(turn.group)
        if cancel_older:
            revoke_all(turn.group, older)
        elif older.count() >= MOST_LINKS:
            raise exceptions.TooManyLinks
        made = new_group_link(turn.group, GroupRole.MEMBER, name, keep_token(key, fingerprint, new_token()))
        turn.made = made.link.pk
        return made


def in_fours(code: str) -> str:
    """Format a code in hyphenated groups of four.

    >>> in_fours("K7PQM2XW3HJ489ABCDEFGHJK")
    'K7PQ-M2XW-3HJ4-89AB-CDEF-GHJK'
    """
    return "-".join(code[first : first + 4] for first in range(0, len(code), 4))


# --- Which person each phone of a group belongs to, and the seats it gets at the group's tables

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
        raise exceptions.PhoneTurnedOff
    own = invitation
    if not invitation.phone and standing_group_links(group).count() < MOST_LINKS:
        # The token is discarded: the device holds the link.
        more = {"phone": True, "invited_by": invitation.pk, "seen": timezone.now()}
        own = new_group_link(group, GroupRole(invitation.role), "", new_token(), **more).link
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
        own = first_of(standing_group_links(turn.group).filter(pk=caller.link or 0), exceptions.NotMember)
        if own.role != GroupRole.MEMBER:
            raise exceptions.NotMember
        if turn.repeats:
            return own
        people = Person.objects.filter(group=turn.group, pk=person or 0)
        named = None if person is None else first_of(people, exceptions.NoSuchPerson)
        if named is not None and named.merged_into is not None:
            named = named.merged_into
        others = [] if named is None else list(phones_of(turn.group, named).exclude(pk=own.pk))
        if others and not takes_over:
            raise exceptions.HasPhone(name=named.name if named else "")
        for other in others:
            _become(turn.group, other, None, answered=False)
        _become(turn.group, own, named)
        return own


@past_deadlocks
def unsay_who(code: str, caller: Caller) -> None:
    """Clear whose phone the caller's is: the question is asked again, and its seats are revoked."""
    with group_turn(code, caller, caller.fingerprint("unsay-who", None)) as turn:
        if not turn.repeats:
            own = first_of(standing_group_links(turn.group).filter(pk=caller.link or 0), exceptions.NotMember)
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
            renew_link(each)
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
            link = new_link(row, Role.PLAYER, seat=seat, taken=timezone.now(), group_link=own.pk).link
        give_link(device, row, link)
    return True
