"""Creating, changing and deleting groups; their links and seating."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date
from itertools import cycle
from typing import Any, NamedTuple

from django.db import IntegrityError, transaction
from django.db.models import QuerySet
from django.utils import timezone

from referee.engine.reader import Reader, as_seen
from referee.engine.records import check_names_differ
from referee.engine.rules import Problem, Refused
from scoring.groups.acts.scores import hold_scores
from scoring.groups.reads.evenings import LONGEST_BREAK
from scoring.groups.reads.groups import COLOURS, people_of, person_named, right_at_table, seat_of, standing_group_links
from scoring.models import (
    Group,
    GroupLink,
    GroupRequest,
    GroupRole,
    Link,
    Person,
    Role,
    Scope,
    SeatedPerson,
    SeatScore,
    Table,
)
from scoring.models.fields import LONGEST_ZONE, evening_at, zone_names
from scoring.models.table import evening_now, new_code
from scoring.operating.acts.database import past_deadlocks
from scoring.operating.acts.limits import counted
from scoring.tables.acts import exceptions, holding, keys
from scoring.tables.acts.exceptions import first_of
from scoring.tables.acts.holding import GROUP, GROUP_REVOKED, announce, announce_revoked, lock_group
from scoring.tables.acts.keys import Caller, new_token
from scoring.tables.acts.links import MOST_LINKS, NewLink, new_link
from scoring.tables.reads.access import PLAYED, hash_at_table, played_at, standing_links, token_hash

MOST_PEOPLE = 500
TRIES = 5

# --- The transaction of every change to a group: authorization, retries, version check, rate limit


@dataclass(slots=True)
class GroupTurn:
    """One act on a locked group. ``made`` is the id of the row it created, if any."""

    group: Group
    caller: Caller
    repeats: bool = False
    """Whether this is a retry: it gets the first response, and nothing is written."""
    made: int | None = None
    gone: bool = False


@contextmanager
def group_turn(code: str, caller: Caller, fingerprint: str) -> Iterator[GroupTurn]:
    """Lock a group for one act; commit at the end, or roll back if the block raises.

    Raises ``NoSuchGroup``, ``LinkRevoked``, ``GroupMovedOn``, ``KeyReused`` and ``TooMany``. The block must be safe to
    repeat, since callers retry after a deadlock (``past_deadlocks``).
    """
    with transaction.atomic():
        group = lock_group(code)
        if group is None:
            raise exceptions.NoSuchGroup
        if caller.link is not None:
            if not GroupLink.objects.filter(group=group, pk=caller.link, revoked__isnull=True).exists():
                raise exceptions.LinkRevoked
            group.writes = dict(counted(group.writes, caller.link))
        if caller.known_by is not None:
            done = keys.done_before(GroupRequest.objects.filter(group=group, key=caller.known_by), fingerprint)
            if done is not None:
                group.save(update_fields=["writes"])
                yield GroupTurn(group, caller, repeats=True, made=done.made)
                return
        if caller.expected not in (None, group.version):
            raise exceptions.GroupMovedOn(version=group.version)
        turn = GroupTurn(group, caller)
        announce(GROUP, group.pk)
        yield turn
        if turn.gone:
            return
        group.version += 1
        group.save()
        if caller.known_by is not None:
            GroupRequest.objects.create(group=group, key=caller.known_by, fingerprint=fingerprint, made=turn.made)


# --- Seating people of a group at a table, and the evening to which it belongs


def read_people(reader: Reader, value: object, seats: Sequence[str], group: Group | None) -> list[int | None]:
    """Read a table's people by id, ``None`` for guests; if ``value`` is ``None``, match the seats' names.

    Adds problems under ``/people`` for a wrong number of seats, unknown ids, or one person in two seats.
    """
    if group is None:
        if value is not None:
            reader.value("/people", "People belong to a group: send the token of a member’s link.")
        return [None] * len(seats)
    people = people_of(group)
    if value is None:
        named = [person_named(people, name) for name in seats]
        # A person matched by two names is left out, since either could be a guest.
        found = [None if each is None or named.count(each) > 1 else each.pk for each in named]
        check_shown_names(reader, seats, found, people)
        return found
    counts_as = {person.pk: person.counts_as for person in people}
    read = [
        None if item is None else reader.integer(item, f"/people/{place}")
        for place, item in enumerate(reader.array(value, "/people"))
    ]
    if len(read) != len(seats):
        reader.value("/people", "Give a person of the group, or null, for each seat.")
    for place, person in enumerate(read):
        if person is not None and person not in counts_as:
            reader.value(f"/people/{place}", "This group has no such person.", "no-such-person")
    known = [counts_as[person] for person in read if person in counts_as]
    if len(set(known)) < len(known):
        reader.value("/people", "One person can’t sit in two seats.")
    found = [counts_as.get(person or 0) for person in read]
    if len(found) == len(seats) == len(read):
        check_shown_names(reader, seats, found, people)
    return found


def check_shown_names(
    reader: Reader, seats: Sequence[str], found: Sequence[int | None], people: Sequence[Person]
) -> None:
    if reader.malformed or reader.wrong:
        return  # the seats' names may be the problem already found
    own = {person.pk: person.name for person in people}
    check_names_differ(reader, [own.get(person or 0, name) for person, name in zip(found, seats, strict=True)])


def seat_people(table: Table, people: Sequence[int | None]) -> None:
    SeatedPerson.objects.bulk_create(
        SeatedPerson(table=table, seat=seat, person_id=person) for seat, person in enumerate(people) if person
    )


def read_time_zone(reader: Reader, value: object, pointer: str) -> str:
    """Read an IANA time zone name; an empty string if there is none."""
    name = None if value is None else reader.text(value, pointer, LONGEST_ZONE)
    if name is not None and name not in zone_names():
        reader.value(pointer, "Unknown time zone. Use an IANA name, such as Europe/Berlin.")
    return name or ""


def evening_of(group: Group | None, zone: str = "") -> date:
    """Return the evening of a table opened now: the group's last one, if it is still going on."""
    last = None if group is None else _recorded_here(group).order_by("-created", "-id").first()
    if last is not None and timezone.now() - max(last.created, played_at(last)) < LONGEST_BREAK:
        return last.evening
    return evening_now((group.time_zone if group else "") or zone or (last.time_zone if last else ""))


def _recorded_here(group: Group) -> QuerySet[Table]:
    """Return the group's tables except past games, whose date was entered by hand."""
    told = SeatScore.objects.filter(group=group, hands=None).values("table")
    return Table.objects.filter(group=group).exclude(pk__in=told)


def count_evenings_again(group: Group) -> None:
    rows = _recorded_here(group).annotate(played=PLAYED).order_by("created", "pk")
    changed = defaultdict[date, list[int]](list)
    until, evening = None, None
    for pk, created, played, before, own in rows.values_list("pk", "created", "played", "evening", "time_zone"):
        if until is None or evening is None or created - until >= LONGEST_BREAK:
            evening = evening_at(created, group.time_zone or own)
        until = max(created, played)
        if evening != before:
            changed[evening].append(pk)
    if changed:
        hold_scores(group.pk)
    for day, tables in changed.items():
        Table.objects.filter(pk__in=tables).update(evening=day)
        SeatScore.objects.filter(group=group, table__in=tables).update(evening=day)


class NewGroupLink(NamedTuple):
    """A new link to a group and its token, which is empty if a retry comes too late to get it again."""

    link: GroupLink
    token: str


def create_group(
    name: str, people: Sequence[str] = (), *, time_zone: str | None = None, key: str | None = None
) -> NewGroupLink:
    """Create a group with its people and the first member link; a retry with the same ``key`` creates no other.

    ``time_zone`` is the device's. Raises ``Refused`` for duplicate names, and ``KeyReused``.
    """
    check_names(people)
    request = [name, list(people), *([time_zone] if time_zone else [])]
    fingerprint = keys.fingerprint_of("groups", request, key)
    before = made_before(key, fingerprint)
    if before is not None:
        return before
    try:
        with transaction.atomic():
            group = new_group(name, time_zone=time_zone or "", key=key, fingerprint=fingerprint)
            own = zip(people, cycle(COLOURS), strict=False)
            Person.objects.bulk_create(Person(group=group, name=each, colour=colour) for each, colour in own)
            return first_link(group, key, fingerprint)
    except IntegrityError:
        again = made_before(key, fingerprint)
        if again is None:
            raise
        return again


def check_names(names: Sequence[str]) -> None:
    """Raise ``Refused`` for duplicate names or too many people."""
    seen = set[str]()
    for place, name in enumerate(names):
        if as_seen(name) in seen:
            raise Refused([Problem(f"/people/{place}", "same-name", "Two people in a group can’t have the same name.")])
        seen.add(as_seen(name))
    if len(names) > MOST_PEOPLE:
        raise Refused([Problem("/people", "bad-value", "A group can have up to 500 people.")])


def new_group(name: str, *, time_zone: str = "", key: str | None = None, fingerprint: str = "") -> Group:
    group = Group(name=name, time_zone=time_zone, key=key and keys.stored_key(key), fingerprint=fingerprint)
    for _ in range(TRIES):
        if not Group.objects.filter(code=group.code).exists():
            group.save(force_insert=True)
            return group
        group.code = new_code()
    raise RuntimeError("No free code was found for a new group.")


def first_link(group: Group, key: str | None, fingerprint: str) -> NewGroupLink:
    return new_group_link(group, GroupRole.MEMBER, "", keys.keep_token(key, fingerprint, new_token()))


def made_before(key: str | None, fingerprint: str) -> NewGroupLink | None:
    group = None if key is None else keys.retried(Group.objects.filter(key=keys.stored_key(key)).first(), fingerprint)
    if group is None:
        return None
    link = first_of(group.links.order_by("pk"), exceptions.KeyReused)
    return NewGroupLink(link, "" if link.revoked else keys.kept_token(key, fingerprint))


def new_group_link(group: Group, role: GroupRole, name: str, token: str, **more: Any) -> NewGroupLink:
    made = GroupLink.objects.create(group=group, role=role, name=name, token_hash=token_hash(token), **more)
    return NewGroupLink(made, token)


@past_deadlocks
def change_group(
    code: str,
    caller: Caller,
    *,
    name: str | None = None,
    counts_revokes: bool | None = None,
    shares_rulings: bool | None = None,
    ranked_by: str | None = None,
    time_zone: str | None = None,
) -> Group:
    """Change a group's settings; ``None`` leaves one as it is."""
    changes = {
        "name": name, "counts_revokes": counts_revokes, "shares_rulings": shares_rulings, "ranked_by": ranked_by,
    }  # fmt: skip
    with group_turn(code, caller, caller.fingerprint("group", [*changes.values(), time_zone])) as turn:
        group = turn.group
        if turn.repeats:
            return group
        for field, value in changes.items():
            if value is not None:
                setattr(group, field, value)
        if time_zone and time_zone != group.time_zone:
            group.time_zone = time_zone
            count_evenings_again(group)
        return group


@past_deadlocks
def delete_group(code: str, caller: Caller) -> None:
    with group_turn(code, caller, caller.fingerprint("delete-group", None)) as turn:
        turn.group.delete()
        turn.gone = True
        keys.keep_receipt(caller.receipt)


@past_deadlocks
def add_group_link(code: str, role: str, name: str, caller: Caller, *, scope: str | None = None) -> NewGroupLink:
    """Create a link for a member, viewer or bot; only a bot's link has a ``scope``, and it must have a name.

    Raises ``Refused`` and ``TooManyLinks``.
    """
    reader, bot = Reader(), role == GroupRole.BOT
    if bot is not (scope in Scope.values):
        reader.value("/scope", "A bot’s key needs a scope: read, record or manage. No other link has one.")
    if bot and not name.strip():
        reader.value("/name", "A bot’s key needs a name, which the log shows.")
    reader.check()
    fingerprint = caller.fingerprint("group-link", [role, name, scope])
    with group_turn(code, caller, fingerprint) as turn:
        if turn.repeats:
            link = first_of(turn.group.links.filter(pk=turn.made or 0), exceptions.NoSuchLink)
            return NewGroupLink(link, "" if link.revoked else keys.kept_token(caller.key, fingerprint))
        if standing_group_links(turn.group).count() >= MOST_LINKS:
            raise exceptions.TooManyLinks
        token = keys.keep_token(caller.key, fingerprint, new_token())
        made = new_group_link(turn.group, GroupRole(role), name, token, scope=scope or "", made_by=caller.link)
        turn.made = made.link.pk
        return made


@past_deadlocks
def name_group_link(code: str, number: int, name: str, caller: Caller) -> GroupLink:
    """Rename a link. Raises ``NoSuchLink``."""
    with group_turn(code, caller, caller.fingerprint("name-group-link", [number, name])) as turn:
        link = first_of(standing_group_links(turn.group).filter(pk=number), exceptions.NoSuchLink)
        if not turn.repeats:
            link.name = name
            GroupLink.objects.filter(group=turn.group, pk=link.pk).update(name=name)
            brought = Link.objects.select_related("table").filter(table__group=turn.group, group_link=number)
            for own in brought.filter(scope__gt=""):
                Link.objects.filter(table=own.table_id, pk=own.pk).update(label=name)
                holding.link_cache.drop((own.table.code, link.token_hash))
        return link


@past_deadlocks
def revoke_group_link(code: str, number: int, caller: Caller) -> None:
    with group_turn(code, caller, caller.fingerprint("revoke-group-link", number)) as turn:
        if turn.repeats:
            return
        links = standing_group_links(turn.group)
        link = first_of(links.filter(pk=number), exceptions.NoSuchLink)
        others = links.exclude(pk=number).exclude(invited_by=number)
        if link.manages and not others.filter(role=GroupRole.MEMBER).exists():
            raise exceptions.LastMember
        revoke_all(turn.group, [link])
        if link.pk == caller.link:
            keys.keep_receipt(caller.receipt)


def revoke_all(group: Group, links: Iterable[GroupLink]) -> None:
    """Revoke links to a group and every right they granted at its tables, and close their streams.

    Also revokes the links of phones that joined with one of them. Must be called in a transaction.
    """
    now, numbers = timezone.now(), [link.pk for link in links]
    numbers += standing_group_links(group).filter(invited_by__in=numbers).values_list("pk", flat=True)
    GroupLink.objects.filter(group=group, pk__in=numbers).update(revoked=now)
    brought = list(Link.objects.filter(table__group=group, group_link__in=numbers, revoked__isnull=True))
    tables = {link.table_id for link in brought}
    for table in Table.objects.filter(pk__in=tables).only("code").order_by("pk"):
        Link.objects.filter(table=table, group_link__in=numbers, revoked__isnull=True).update(revoked=now)
        Table.objects.filter(pk=table.pk).update(updated=now)
        holding.state_cache.drop(table.code)
    for link in brought:
        announce_revoked(link)
    for number in numbers:
        announce(GROUP_REVOKED, number)


@past_deadlocks
def link_of_group_token(row: Table, own: GroupLink, token: str) -> Link:
    """Return the table link of a group token, creating it at first use.

    Revoking the group link revokes it too; it can also be revoked at the table alone. Raises ``LinkRevoked``.
    """
    with transaction.atomic():
        group = holding.lock_group(own.group.code)
        if group is None or not standing_group_links(group).filter(pk=own.pk).exists():
            raise exceptions.LinkRevoked
        before = Link.objects.filter(table=row, token_hash=hash_at_table(token, row.code)).first()
        if before is not None and before.revoked:
            raise exceptions.LinkRevoked
        link = before or right_at_table(row, own, token)
        if before is None:
            link.save(force_insert=True)
        return link


def as_keeper(row: Table, own: GroupLink) -> dict[str, Any]:
    """Return the fields of a scorekeeper link granted by a group link; the log shows the owner's name."""
    seat = seat_of(row, own)
    return {"group_link": own.pk, "seat": seat, "label": "" if seat is not None else own.name}


@past_deadlocks
def keep_score(code: str, table: str, own: GroupLink, caller: Caller) -> NewLink:
    """Create a scorekeeper link for a member at a table of the group.

    Raises ``NoSuchTable``, ``TooManyLinks`` and what ``group_turn`` raises.
    """
    fingerprint = caller.fingerprint("keep-score", table)
    with group_turn(code, caller, fingerprint) as turn:
        row = first_of(Table.objects.filter(group=turn.group, code=table), exceptions.NoSuchTable)
        if turn.repeats:
            link = first_of(standing_links(row).filter(pk=turn.made or 0), exceptions.NoSuchTable)
            return NewLink(link, keys.kept_token(caller.key, fingerprint))
        if standing_links(row).count() >= MOST_LINKS:
            raise exceptions.TooManyLinks
        token = keys.keep_token(caller.key, fingerprint, new_token())
        made = new_link(row, Role.SCOREKEEPER, token=token, **as_keeper(row, own))
        turn.made = made.link.pk
        return made
