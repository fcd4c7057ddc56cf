"""Groups: making one, changing it, its links, and its going."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.db import IntegrityError, transaction
from django.utils import timezone

from referee.engine.options import Problem, Refused
from scoring.models import Group, GroupLink, GroupRole, Person
from scoring.models.table import new_code
from scoring.queries.access import token_hash
from scoring.queries.groups import plain_name, standing_group_links
from scoring.services.exceptions import KeyReused, LastMember, NoSuchLink, TooManyLinks
from scoring.services.group_turns import GroupTurn, take_group_turn
from scoring.services.keys import Caller, fingerprint_of, retried, stored_key
from scoring.services.links import MOST_LINKS, new_token
from scoring.services.notifications import announce_group_revoked
from scoring.services.short_lived import keep_receipt, keep_token, kept_token

MOST_PEOPLE = 500
TRIES = 5


@dataclass(frozen=True, slots=True)
class NewGroupLink:
    """A link to a group just made, and its token; empty where a retry comes too late to be told it."""

    link: GroupLink
    token: str


def create_group(name: str, people: Sequence[str] = (), *, key: str | None = None) -> NewGroupLink:
    """Make a group with its people, and the first member's link; a retry under the same ``key`` makes no other.

    Raises ``Refused`` where two names are alike, and ``KeyReused``.
    """
    check_names(people)
    fingerprint = fingerprint_of("groups", [name, list(people)], key)
    before = made_before(key, fingerprint)
    if before is not None:
        return before
    try:
        with transaction.atomic():
            group = new_group(name, key=key, fingerprint=fingerprint)
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
        if plain_name(name) in seen:
            raise Refused([Problem(f"/people/{place}", "bad-value", "Two people of a group have two names.")])
        seen.add(plain_name(name))
    if len(names) > MOST_PEOPLE:
        raise Refused([Problem("/people", "bad-value", "A group has at most 500 people.")])


def new_group(name: str, *, key: str | None = None, fingerprint: str = "") -> Group:
    """Store a new group under a code that no other has."""
    group = Group(name=name, key=key and stored_key(key), fingerprint=fingerprint)
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


def change_group(
    code: str,
    caller: Caller,
    *,
    name: str | None = None,
    counts_revokes: bool | None = None,
    shares_rulings: bool | None = None,
) -> Group:
    """Give a group another name, say whether its statistics count revokes, and whether others read what was ruled.

    What is ``None`` stays.
    """

    def act(turn: GroupTurn) -> Group:
        turn.group.name = turn.group.name if name is None else name
        turn.group.counts_revokes = turn.group.counts_revokes if counts_revokes is None else counts_revokes
        turn.group.shares_rulings = turn.group.shares_rulings if shares_rulings is None else shares_rulings
        return turn.group

    request = [name, counts_revokes, *([] if shares_rulings is None else [shares_rulings])]
    return take_group_turn(code, caller, caller.fingerprint("group", request), act, again=lambda group, _made: group)


def delete_group(code: str, caller: Caller) -> None:
    """Delete a group with all its tables, people and links, at once and for good."""

    def act(turn: GroupTurn) -> None:
        turn.group.delete()
        turn.gone = True
        keep_receipt(caller.receipt)

    take_group_turn(code, caller, caller.fingerprint("delete-group", None), act, again=lambda _group, _made: None)


def add_group_link(code: str, role: str, name: str, caller: Caller) -> NewGroupLink:
    """Make a link to a group: a member's or a viewer's. Raises ``TooManyLinks``."""
    fingerprint = caller.fingerprint("group-link", [role, name])

    def act(turn: GroupTurn) -> NewGroupLink:
        if standing_group_links(turn.group).count() >= MOST_LINKS:
            raise TooManyLinks
        made = new_group_link(turn.group, GroupRole(role), name, keep_token(caller.key, fingerprint, new_token()))
        turn.made = made.link.pk
        return made

    def again(group: Group, made: int | None) -> NewGroupLink:
        link = group.links.filter(pk=made or 0).first()
        if link is None:
            raise NoSuchLink
        return NewGroupLink(link, "" if link.revoked else kept_token(caller.key, fingerprint))

    return take_group_turn(code, caller, fingerprint, act, again=again)


def name_group_link(code: str, number: int, name: str, caller: Caller) -> GroupLink:
    """Call a link by another name. Raises ``NoSuchLink``."""

    def act(turn: GroupTurn) -> GroupLink:
        return found(turn.group, turn)

    def found(group: Group, turn: GroupTurn | None = None) -> GroupLink:
        link = standing_group_links(group).filter(pk=number).first()
        if link is None:
            raise NoSuchLink
        if turn is not None:
            link.name = name
            GroupLink.objects.filter(group=group, pk=link.pk).update(name=name)
        return link

    again = lambda group, _made: found(group)  # noqa: E731 - the answer to a retry
    return take_group_turn(code, caller, caller.fingerprint("name-group-link", [number, name]), act, again=again)


def revoke_group_link(code: str, number: int, caller: Caller) -> None:
    """Revoke a link to a group: from now on it opens nothing. Raises ``NoSuchLink`` and ``LastMember``."""

    def act(turn: GroupTurn) -> None:
        links = standing_group_links(turn.group)
        link = links.filter(pk=number).first()
        if link is None:
            raise NoSuchLink
        if link.manages and not links.filter(role=GroupRole.MEMBER).exclude(pk=number).exists():
            raise LastMember
        link.revoked = timezone.now()
        GroupLink.objects.filter(group=turn.group, pk=link.pk).update(revoked=link.revoked)
        announce_group_revoked(link.pk)
        if link.pk == caller.link:
            keep_receipt(caller.receipt)

    take_group_turn(
        code, caller, caller.fingerprint("revoke-group-link", number), act, again=lambda _group, _made: None
    )
