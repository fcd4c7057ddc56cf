"""Operators' manual acts, each logged in the same transaction."""

import getpass
import os
from collections.abc import Sequence
from datetime import timedelta

from django.db import transaction
from django.db.models import Q, QuerySet
from django.urls import reverse
from django.utils import timezone

from referee.engine.reader import Reader
from scoring.groups.acts.groups import delete_group, new_group_link, revoke_all
from scoring.groups.acts.people import change_person, empty_journal
from scoring.groups.reads.groups import standing_group_links
from scoring.models import Group, GroupRole, Link, OperatorAct, Person, Role, Table
from scoring.models.table import normal_code
from scoring.tables.acts import holding
from scoring.tables.acts.exceptions import NoSuchGroup, NoSuchPerson
from scoring.tables.acts.holding import announce_revoked
from scoring.tables.acts.keys import Caller, new_token
from scoring.tables.acts.links import new_link
from scoring.tables.acts.table_settings import remove_table
from scoring.tables.reads.access import standing_rights

AT_ONCE = 100  # tables deleted per transaction
OPERATOR = "OPERATOR"  # environment variable: who runs a command as another user (`deploy/systemd/card-table`)
LABEL = "operator"  # name of links made by an operator


def note(what: str, on: str = "", *, who: str = "") -> None:
    """Log an operator's act; ``who`` defaults to the ``OPERATOR`` environment variable, then to the system user."""
    try:
        who = who or os.environ.get(OPERATOR) or getpass.getuser()
    except (KeyError, OSError):
        who = "unknown"
    OperatorAct.objects.create(who=who[:80], what=what, on=on[:80])


def found_by(words: str, most: int) -> tuple[Sequence[Group], Sequence[Table]]:
    """Find groups and tables by code, group name or player, latest first."""
    typed, name = normal_code(words), words.strip()
    persons = Person.objects.filter(name__icontains=name).values("group") if name else Person.objects.none()
    groups = Group.objects.filter(Q(code=typed) | Q(name__icontains=name) | Q(pk__in=persons)).order_by("-created")
    tables = Table.objects.defer("snapshot", "hand_start").filter(Q(code=typed) | Q(seats__icontains=name))
    return list(groups[:most]), list(tables.order_by("-created")[:most])


@transaction.atomic
def give_right(target: Table | Group, *, looking: bool) -> str:
    """Make a new link and return its path with the token; ``looking`` makes a spectator's or viewer's link."""
    token = new_token()
    if isinstance(target, Table):
        new_link(target, Role.SPECTATOR if looking else Role.SCOREKEEPER, label=LABEL, token=token)
        path = reverse("scoring:join", args=[target.code])
    else:
        new_group_link(target, GroupRole.VIEWER if looking else GroupRole.MEMBER, LABEL, token)
        path = reverse("scoring:group", args=[target.code])
    note("give-right", described(target))
    return f"{path}#{token}"


@transaction.atomic
def close(target: Table | Group, *, who: str = "") -> int:
    """Revoke every link to a table, which becomes private, or to a group; return their number."""
    now = timezone.now()
    if isinstance(target, Table):
        links = list(standing_rights(target))
        count = len(links)
        Link.objects.filter(pk__in=[link.pk for link in links]).update(revoked=now)
        Table.objects.filter(pk=target.pk).update(private=True, updated=now)
        for link in links:
            announce_revoked(link)
        holding.state_cache.drop(target.code)
    else:
        of_group = list(standing_group_links(target))
        count = len(of_group)
        revoke_all(target, of_group)
    note("close", described(target), who=who)
    return count


def delete(target: Table | Group) -> None:
    if isinstance(target, Table):
        _delete_tables([target.pk])
    else:
        delete_group(target.code, Caller(by=LABEL))
    note("delete", described(target))
    empty_journal()


def rename(code: str, before: str, after: str) -> Person:
    """Rename a person of a group at every table. Raises ``NoSuchGroup``, ``NoSuchPerson`` and ``Refused``."""
    group = Group.objects.filter(code=normal_code(code)).first()
    if group is None:
        raise NoSuchGroup
    person = Person.objects.filter(group=group, name=before).order_by("merged_into", "pk").first()
    if person is None:
        raise NoSuchPerson
    reader = Reader()
    reader.name(after, "/name")
    reader.check()
    with transaction.atomic():
        changed = change_person(group.code, person.pk, {"name": after}, Caller(by=LABEL))
        note("rename-person", f"{described(group)} person {person.pk}")
    return changed


def abandoned(days: int) -> QuerySet[Table]:
    """Return tables without a group that have been unused for a number of days."""
    return Table.objects.filter(group=None, updated__lt=timezone.now() - timedelta(days=days)).order_by("pk")


def prune(days: int) -> int:
    """Delete abandoned tables; return their number."""
    numbers = list(abandoned(days).values_list("pk", flat=True))
    gone = sum(_delete_tables(numbers[first : first + AT_ONCE], days) for first in range(0, len(numbers), AT_ONCE))
    if gone:
        note("prune", f"{gone} tables not touched for {days} days")
        empty_journal()
    return gone


@transaction.atomic
def _delete_tables(numbers: Sequence[int], days: int | None = None) -> int:
    rows = Table.objects.all() if days is None else abandoned(days)
    held = list(rows.filter(pk__in=numbers).select_for_update())
    for row in held:
        remove_table(row)
        holding.state_cache.drop(row.code)
    return len(held)


def described(target: Table | Group) -> str:
    """Describe an act's target for the operators' log, without names."""
    return f"{'table' if isinstance(target, Table) else 'group'} {target.spoken_code}"
