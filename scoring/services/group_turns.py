"""The one door for changing a group: it finds the group and the right, knows retries, compares the version, counts."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from django.db import transaction

from scoring.models import Group, GroupLink, GroupRequest
from scoring.services.exceptions import GroupMovedOn, KeyReused, LinkRevoked, NoSuchGroup
from scoring.services.holding import lock_group
from scoring.services.keys import Caller, oldest_key, replayed
from scoring.services.limits import counted
from scoring.services.notifications import announce_group


@dataclass(slots=True)
class GroupTurn:
    """One act at a group; nobody else changes the group meanwhile. ``made`` is the id of what it made, if anything."""

    group: Group
    caller: Caller
    repeats: bool = False
    """Whether this very request was done before: then it is answered as it was, and nothing is written."""
    made: int | None = None
    gone: bool = False
    """Whether the act has deleted the group."""


@contextmanager
def group_turn(code: str, caller: Caller, fingerprint: str) -> Iterator[GroupTurn]:
    """Hold a group for one act, and write all of it at the end, or nothing where it raises.

    Raises ``NoSuchGroup``, ``LinkRevoked``, ``GroupMovedOn``, ``KeyReused`` and ``TooMany``. What uses it is done again
    after a deadlock (``past_deadlocks``).
    """
    with transaction.atomic():
        group = lock_group(code)
        if group is None:
            raise NoSuchGroup
        if caller.link is not None:
            if not GroupLink.objects.filter(group=group, pk=caller.link, revoked__isnull=True).exists():
                raise LinkRevoked
            group.writes = dict(counted(group.writes, caller.link))
        done = _done_before(group, caller, fingerprint)
        if done is not None:
            group.save(update_fields=["writes"])
            yield GroupTurn(group, caller, repeats=True, made=done.made)
            return
        if caller.expected not in (None, group.version):
            raise GroupMovedOn(version=group.version)
        turn = GroupTurn(group, caller)
        announce_group(group.pk)
        yield turn
        if turn.gone:
            return
        group.version += 1
        group.save()
        if caller.known_by is not None:
            GroupRequest.objects.create(group=group, key=caller.known_by, fingerprint=fingerprint, made=turn.made)


def _done_before(group: Group, caller: Caller, fingerprint: str) -> GroupRequest | None:
    key = caller.known_by
    if key is None:
        return None
    GroupRequest.objects.filter(group=group, key=key, at__lt=oldest_key()).delete()
    done = GroupRequest.objects.filter(group=group, key=key).first()
    if done is not None and done.fingerprint != fingerprint:
        raise KeyReused
    replayed.set(done is not None)
    return done
