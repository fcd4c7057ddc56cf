"""Access to a group: by link, or by its recovery code if no phone has access any more."""

from collections.abc import Mapping
from typing import NamedTuple

from django.db import transaction
from django.utils import timezone

from scoring.groups.acts.groups import NewGroupLink, first_of, group_turn, new_group_link, revoke_all
from scoring.groups.reads.groups import group_link_by, standing_group_links
from scoring.models import Device, DeviceGroup, Group, GroupLink, GroupRole, RecoveryCode
from scoring.models.table import RECOVERY_LENGTH, new_code, normal_code
from scoring.operating.acts.database import past_deadlocks
from scoring.operating.acts.limits import check_guess, count_wrong_code, guesser_of
from scoring.tables.acts.exceptions import GroupMovedOn, NoSuchGroup, NoSuchLink, NoSuchRecoveryCode, TooManyLinks
from scoring.tables.acts.holding import group_id_cache
from scoring.tables.acts.keys import Caller, fingerprint_of, keep_token, kept_token, new_token
from scoring.tables.acts.links import MOST_LINKS
from scoring.tables.reads.access import Devices, token_hash

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
        raise NoSuchGroup
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
                raise GroupMovedOn(version=turn.group.version)
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
            raise NoSuchRecoveryCode


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
        raise NoSuchRecoveryCode
    caller = Caller(by="recovery code", key=key)
    fingerprint = fingerprint_of("recover", [found.code_hash, name, cancel_older], key)
    with group_turn(found.group.code, caller, fingerprint) as turn:
        if turn.repeats:
            link = first_of(turn.group.links.filter(pk=turn.made or 0, revoked__isnull=True), NoSuchLink)
            return NewGroupLink(link, kept_token(key, fingerprint))
        if not RecoveryCode.objects.filter(group=turn.group, code_hash=found.code_hash).update(used=timezone.now()):
            raise NoSuchRecoveryCode
        older = standing_group_links(turn.group)
        if cancel_older:
            revoke_all(turn.group, older)
        elif older.count() >= MOST_LINKS:
            raise TooManyLinks
        made = new_group_link(turn.group, GroupRole.MEMBER, name, keep_token(key, fingerprint, new_token()))
        turn.made = made.link.pk
        return made


def in_fours(code: str) -> str:
    """Format a code in hyphenated groups of four.

    >>> in_fours("K7PQM2XW3HJ489ABCDEFGHJK")
    'K7PQ-M2XW-3HJ4-89AB-CDEF-GHJK'
    """
    return "-".join(code[first : first + 4] for first in range(0, len(code), 4))
