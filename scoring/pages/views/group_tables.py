"""Opening a table in a group: who of the group sits where, and who is new to it."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple

from django.db import transaction
from django.http import Http404, HttpRequest

from referee.engine.reader import Reader, as_seen
from referee.engine.records import check_names_differ
from scoring.models import Table
from scoring.pages.device.access import visit
from scoring.pages.device.group_access import visit_group
from scoring.pages.forms import NewTable
from scoring.queries.group_tables import people_at
from scoring.queries.groups import group_link_by, people_of, person_named, strangers
from scoring.queries.returning import former_players
from scoring.services.devices import devices_of
from scoring.services.group_access import GroupAdmission
from scoring.services.keys import Caller
from scoring.services.people import add_person
from scoring.services.tables import Opened, create_table

SAME, NEW = "same", "new"


class WhoIsIt(Exception):  # noqa: N818 - nothing failed: somebody is asked
    """A name is spelt almost like somebody's of the group; nobody is made that person without being asked."""


class Spelling(NamedTuple):
    """A name that is spelt almost like somebody's, and whether it is that person, if that was answered."""

    name: str
    close: str
    answer: str


def table_before(request: HttpRequest) -> Table | None:
    """Return the table whose people are to play on, if this device keeps its score or opens tables of its group."""
    code = request.POST.get("after") or request.GET.get("after") or request.GET.get("again", "")
    if not code:
        return None
    try:
        row, link, _known = visit(request, code[:40], head_only=True)
    except Http404:
        return None
    return row if (link is not None and link.keeps) or group_of(request, row) is not None else None


def group_of(request: HttpRequest, row: Table) -> GroupAdmission | None:
    """Return the group of a table, if this device may open tables there."""
    if row.group is None:
        return None
    link = group_link_by(row.group.pk, devices=devices_of(request.COOKIES))
    return GroupAdmission(row.group, link) if link is not None and link.manages else None


def group_playing(request: HttpRequest, before: Table | None = None) -> GroupAdmission | None:
    """Return the group that the new table is to be one of, if this device may open one there.

    Who plays on after a table of a group plays in that group, unless another one is named.
    """
    code = request.POST.get("group") or request.GET.get("group", "")
    if not code:
        return None if before is None or request.method == "POST" else group_of(request, before)
    found = visit_group(request, code[:40])
    return found if found.link.manages else None


def names_in(group: GroupAdmission) -> tuple[str, ...]:
    """Return the names of the people of a group."""
    return tuple(person.name for person in people_of(group.group) if person.merged_into_id is None)


def unclear_spellings(group: GroupAdmission, names: Sequence[str], answers: Mapping[str, str]) -> list[Spelling]:
    """Return the names that are spelt almost like somebody's of the group, each with that one and what was answered."""
    found = strangers(people_of(group.group), names)
    return [Spelling(name, close, answers.get(f"spelt-{name}", "")) for name, close in found if close]


def seated_at(row: Table) -> dict[str, int | None]:
    """Return who sits at a table, or sat at one before it and left, by the name as it is seen; ``None`` for guests."""
    left = {as_seen(each.name): each.person for each in reversed(former_players(row))}
    return left | {as_seen(name): person for name, person in zip(row.seats, people_at([row])[row.pk], strict=True)}


def known_before(group: GroupAdmission, before: Table | None) -> dict[str, int | None]:
    """Return the people of a group who sat at the table before, by the name as it is seen there."""
    if before is None or before.group_id != group.group.pk:
        return {}
    return {name: person for name, person in seated_at(before).items() if person is not None}


def open_in_group(
    form: NewTable, group: GroupAdmission, answers: Mapping[str, str], *, after: Table | None = None
) -> Opened:
    """Open the table that a form describes; who is not known to the group is new to it.

    Raises what ``with_people`` and ``create_table`` raise.
    """
    with transaction.atomic():
        described = with_people(form.described(), group, answers, known_before(group, after))
        return create_table(described, group=group.group, group_link=group.link.pk, after=after)


def with_people(
    described: Mapping[str, Any],
    group: GroupAdmission,
    answers: Mapping[str, str],
    seated: Mapping[str, int | None] = MappingProxyType({}),
) -> dict[str, Any]:
    """Return what a form describes with the people of the group on its seats; who is not known there is added to it.

    ``answers`` says of each name that is spelt almost like somebody's whether it is that person; ``seated`` is who sat
    at the table before by the name as it is seen there, ``None`` for a guest. Must be called in a transaction. Raises
    ``WhoIsIt`` where an answer is missing, and ``Refused`` where two names look alike.
    """
    seats = list(described["seats"])
    reader = Reader()
    check_names_differ(reader, seats)
    reader.check()
    known = people_of(group.group)
    unknown = dict(strangers(known, [name for name in seats if as_seen(name) not in seated]))
    if any(close and answers.get(f"spelt-{name}") not in (SAME, NEW) for name, close in unknown.items()):
        raise WhoIsIt
    caller = Caller(by=group.link.name or group.link.role, link=group.link.pk)
    people = list[int | None]()
    for seat, name in enumerate(seats):
        close = unknown.get(name)
        if as_seen(name) in seated:
            people.append(seated[as_seen(name)])
        elif close and answers[f"spelt-{name}"] == SAME:
            person = person_named(known, close)
            assert person is not None
            seats[seat] = person.name
            people.append(person.pk)
        else:
            other = person_named(known, close) if close else None
            distinct = [other.pk] if other else []
            person = person_named(known, name) or add_person(group.group.code, name, caller, distinct_from=distinct)
            people.append(person.pk)
    return {**described, "seats": seats, "people": people}
