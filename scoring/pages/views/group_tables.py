"""Opening a table in a group: who of the group sits where, and who is new to it."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.db import transaction
from django.http import Http404, HttpRequest

from scoring.models import Table
from scoring.pages.device.access import visit
from scoring.pages.device.group_access import visit_group
from scoring.pages.forms import NewTable
from scoring.queries.groups import group_link_by, people_of, person_named, strangers
from scoring.services.devices import devices_of
from scoring.services.group_access import GroupAdmission
from scoring.services.keys import Caller
from scoring.services.people import add_person
from scoring.services.tables import Opened, create_table

SAME, NEW = "same", "new"


class WhoIsIt(Exception):  # noqa: N818 - nothing failed: somebody is asked
    """A name is spelt almost like somebody's of the group; nobody is made that person without being asked."""


def table_before(request: HttpRequest) -> Table | None:
    """Return the table whose people are to play on, if this device keeps its score or opens tables of its group."""
    code = request.POST.get("after") or request.GET.get("after") or request.GET.get("again", "")
    if not code:
        return None
    try:
        row, link, _known = visit(request, code[:40], head_only=True)
    except Http404:
        return None
    return row if (link is not None and link.keeps) or _group_of(request, row) is not None else None


def _group_of(request: HttpRequest, row: Table) -> GroupAdmission | None:
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
        return None if before is None or request.method == "POST" else _group_of(request, before)
    found = visit_group(request, code[:40])
    return found if found.link.manages else None


def names_in(group: GroupAdmission) -> tuple[str, ...]:
    """Return the names of the people of a group."""
    return tuple(person.name for person in people_of(group.group) if person.merged_into_id is None)


def unclear_spellings(group: GroupAdmission, names: Sequence[str]) -> list[tuple[str, str]]:
    """Return the names that are spelt almost like somebody's of the group, each with that one."""
    return [(name, close) for name, close in strangers(people_of(group.group), names) if close]


def open_in_group(
    form: NewTable, group: GroupAdmission, answers: Mapping[str, str], *, after: Table | None = None
) -> Opened:
    """Open the table that a form describes; who is not known to the group is new to it.

    ``answers`` says of each name that is spelt almost like somebody's whether it is that person. Raises ``WhoIsIt``
    where one is missing, and what ``create_table`` raises.
    """
    described: dict[str, Any] = form.described()
    known, seats = people_of(group.group), list(described["seats"])
    caller = Caller(by=group.link.name or group.link.role, link=group.link.pk)
    unknown = dict(strangers(known, seats))
    if any(close and answers.get(f"spelt-{name}") not in (SAME, NEW) for name, close in unknown.items()):
        raise WhoIsIt
    with transaction.atomic():
        people = []
        for seat, name in enumerate(seats):
            close = unknown.get(name)
            person = (
                person_named(known, close or name) if close is None or answers.get(f"spelt-{name}") == SAME else None
            )
            if close is not None and person is None:
                person = add_person(group.group.code, name, caller)
            assert person is not None
            seats[seat] = person.name if close else name
            people.append(person.pk)
        whole = described | {"seats": seats, "people": people}
        return create_table(whole, group=group.group, group_link=group.link.pk, after=after)
