"""Groups: making one, changing it, its links, and its going."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.db import IntegrityError, transaction
from django.utils import timezone

from referee.engine.options import Problem, Refused
from referee.engine.reader import as_seen
from scoring.models import Group, GroupLink, GroupRole, Link, Person, Reading, Table
from scoring.models.table import new_code
from scoring.queries.access import token_hash
from scoring.queries.groups import standing_group_links
from scoring.services import seen
from scoring.services.deadlocks import past_deadlocks
from scoring.services.exceptions import KeyReused, LastMember, NoSuchLink, TooManyLinks
from scoring.services.group_turns import group_turn
from scoring.services.keys import Caller, fingerprint_of, retried, stored_key
from scoring.services.links import MOST_LINKS, new_token
from scoring.services.notifications import announce_group_revoked, announce_revoked
from scoring.services.seating import count_evenings_again
from scoring.services.short_lived import keep_receipt, keep_token, kept_token

MOST_PEOPLE = 500
TRIES = 5


@dataclass(frozen=True, slots=True)
class NewGroupLink:
    """A link to a group just made, and its token; empty where a retry comes too late to be told it."""

    link: GroupLink
    token: str


def create_group(
    name: str, people: Sequence[str] = (), *, time_zone: str | None = None, key: str | None = None
) -> NewGroupLink:
    """Make a group with its people, and the first member's link; a retry under the same ``key`` makes no other.

    ``time_zone`` is that of the device.

    Raises ``Refused`` where two names are alike, and ``KeyReused``.
    """
    check_names(people)
    request = [name, list(people), *([time_zone] if time_zone else [])]
    fingerprint = fingerprint_of("groups", request, key)
    before = made_before(key, fingerprint)
    if before is not None:
        return before
    try:
        with transaction.atomic():
            group = new_group(name, time_zone=time_zone or "", key=key, fingerprint=fingerprint)
            Person.objects.bulk_create(Person(group=group, name=each) for each in people)
            return first_link(group, key, fingerprint)
    except IntegrityError:
        again = made_before(key, fingerprint)
        if again is None:
            raise
        return again


def check_names(names: Sequence[str]) -> None:
    """Raise ``Refused`` where two of the people of a group would have one name."""
    seen = set[str]()
    for place, name in enumerate(names):
        if as_seen(name) in seen:
            raise Refused([Problem(f"/people/{place}", "same-name", "Two people of a group have two names.")])
        seen.add(as_seen(name))
    if len(names) > MOST_PEOPLE:
        raise Refused([Problem("/people", "bad-value", "A group has at most 500 people.")])


def new_group(name: str, *, time_zone: str = "", key: str | None = None, fingerprint: str = "") -> Group:
    """Store a new group under a code that no other has."""
    group = Group(name=name, time_zone=time_zone, key=key and stored_key(key), fingerprint=fingerprint)
    for _ in range(TRIES):
        if not Group.objects.filter(code=group.code).exists():
            group.save(force_insert=True)
            return group
        group.code = new_code()
    raise RuntimeError("No free code was found for a new group.")


def first_link(group: Group, key: str | None, fingerprint: str) -> NewGroupLink:
    """Make the link of whoever makes a group, by the request of this key and fingerprint."""
    return new_group_link(group, GroupRole.MEMBER, "", keep_token(key, fingerprint, new_token()))


def made_before(key: str | None, fingerprint: str) -> NewGroupLink | None:
    """Return the group that this very request made before, if it is a retry."""
    group = None if key is None else retried(Group.objects.filter(key=stored_key(key)).first(), fingerprint)
    if group is None:
        return None
    link = group.links.order_by("pk").first()
    if link is None:
        raise KeyReused
    return NewGroupLink(link, "" if link.revoked else kept_token(key, fingerprint))


def new_group_link(group: Group, role: GroupRole, name: str, token: str) -> NewGroupLink:
    """Store a link to a group; of its token the hash alone."""
    return NewGroupLink(
        GroupLink.objects.create(group=group, role=role, name=name, token_hash=token_hash(token)), token
    )


@past_deadlocks
def change_group(
    code: str,
    caller: Caller,
    *,
    name: str | None = None,
    counts_revokes: bool | None = None,
    shares_rulings: bool | None = None,
    time_zone: str | None = None,
) -> Group:
    """Give a group another name or time zone, say whether revokes are counted, and whether others read its rulings.

    In another time zone its evenings are counted again. What is ``None`` stays.
    """

    asked = caller.fingerprint("group", [name, counts_revokes, shares_rulings, time_zone])
    with group_turn(code, caller, asked) as turn:
        group = turn.group
        if turn.repeats:
            return group
        group.name = group.name if name is None else name
        group.counts_revokes = group.counts_revokes if counts_revokes is None else counts_revokes
        group.shares_rulings = group.shares_rulings if shares_rulings is None else shares_rulings
        if time_zone and time_zone != group.time_zone:
            group.time_zone = time_zone
            count_evenings_again(group)
        return group


@past_deadlocks
def delete_group(code: str, caller: Caller) -> None:
    """Delete a group with all its tables, people and links, at once and for good."""

    with group_turn(code, caller, caller.fingerprint("delete-group", None)) as turn:
        turn.group.delete()
        turn.gone = True
        keep_receipt(caller.receipt)


@past_deadlocks
def add_group_link(code: str, role: str, name: str, caller: Caller) -> NewGroupLink:
    """Make a link to a group: a member's or a viewer's. Raises ``TooManyLinks``."""
    fingerprint = caller.fingerprint("group-link", [role, name])

    with group_turn(code, caller, fingerprint) as turn:
        if turn.repeats:
            link = turn.group.links.filter(pk=turn.made or 0).first()
            if link is None:
                raise NoSuchLink
            return NewGroupLink(link, "" if link.revoked else kept_token(caller.key, fingerprint))
        if standing_group_links(turn.group).count() >= MOST_LINKS:
            raise TooManyLinks
        made = new_group_link(turn.group, GroupRole(role), name, keep_token(caller.key, fingerprint, new_token()))
        turn.made = made.link.pk
        return made


@past_deadlocks
def name_group_link(code: str, number: int, name: str, caller: Caller) -> GroupLink:
    """Call a link by another name. Raises ``NoSuchLink``."""

    with group_turn(code, caller, caller.fingerprint("name-group-link", [number, name])) as turn:
        link = standing_group_links(turn.group).filter(pk=number).first()
        if link is None:
            raise NoSuchLink
        if not turn.repeats:
            link.name = name
            GroupLink.objects.filter(group=turn.group, pk=link.pk).update(name=name)
        return link


@past_deadlocks
def revoke_group_link(code: str, number: int, caller: Caller) -> None:
    """Revoke a link to a group, and what it brought at its tables. Raises ``NoSuchLink`` and ``LastMember``."""

    with group_turn(code, caller, caller.fingerprint("revoke-group-link", number)) as turn:
        if turn.repeats:
            return
        links = standing_group_links(turn.group)
        link = links.filter(pk=number).first()
        if link is None:
            raise NoSuchLink
        if link.manages and not links.filter(role=GroupRole.MEMBER).exclude(pk=number).exists():
            raise LastMember
        revoke_all(turn.group, [link])
        if link.pk == caller.link:
            keep_receipt(caller.receipt)


def revoke_all(group: Group, links: Iterable[GroupLink]) -> None:
    """Revoke links to a group and every right that they brought at its tables; streams opened with any of them end.

    Links that were made with such a right are revoked, too, whoever has them. Must be called in a transaction.
    """
    now, numbers = timezone.now(), [link.pk for link in links]
    GroupLink.objects.filter(group=group, pk__in=numbers).update(revoked=now)
    brought = list(Link.objects.filter(table__group=group, group_link__in=numbers, revoked__isnull=True))
    tables = {link.table_id for link in brought}
    for table in Table.objects.filter(pk__in=tables).only("code").order_by("pk"):
        Link.objects.filter(table=table, group_link__in=numbers, revoked__isnull=True).update(revoked=now)
        Table.objects.filter(pk=table.pk).update(updated=now)
        seen.state_cache.drop(table.code)
    Reading.objects.filter(table__group=group, group_link__in=numbers, revoked__isnull=True).update(revoked=now)
    for link in brought:
        announce_revoked(link)
    for number in numbers:
        announce_group_revoked(number)
