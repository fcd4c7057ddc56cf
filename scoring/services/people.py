"""The people of a group: names and their spellings, two who are one, and whose name is to be forgotten."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django.utils import timezone

from referee.engine.options import Problem, Refused
from referee.engine.reader import as_seen
from referee.engine.translation import phrase
from scoring.models import Group, HandSheet, Person, SeatedPerson, Table
from scoring.models.table import spoken_code
from scoring.queries.groups import people_of
from scoring.services import seen
from scoring.services.deadlocks import past_deadlocks
from scoring.services.exceptions import AlreadyMerged, NoSuchPerson, SatTogether
from scoring.services.group_turns import group_turn
from scoring.services.groups import MOST_PEOPLE
from scoring.services.keys import Caller
from scoring.services.scores import people_changed


@past_deadlocks
def add_person(
    code: str,
    name: str,
    caller: Caller,
    *,
    aliases: Sequence[str] = (),
    colour: str = "",
    distinct_from: Sequence[int] = (),
) -> Person:
    """Add somebody to a group. Raises ``Refused`` where the name, or a spelling, is somebody else's."""

    with group_turn(code, caller, caller.fingerprint("person", [name, list(aliases), colour])) as turn:
        if turn.repeats:
            return _person(turn.group, turn.made)
        others = people_of(turn.group)
        if len(others) >= MOST_PEOPLE:
            raise Refused([Problem("/name", "bad-value", "A group has at most 500 people.")])
        check_spellings([name, *aliases], others)
        person = Person.objects.create(
            group=turn.group, name=name, aliases=list(aliases), colour=colour, distinct_from=list(distinct_from)
        )
        turn.made = person.pk
        return person


@past_deadlocks
def change_person(code: str, number: int, changes: Mapping[str, object], caller: Caller) -> Person:
    """Change somebody's ``name``, ``aliases``, ``colour`` or ``distinct_from``.

    A new name is the one at every table; scores stay.

    Raises ``NoSuchPerson``, and ``Refused`` where a spelling is somebody else's, or the name that of another player at
    one of these tables.
    """

    with group_turn(code, caller, caller.fingerprint("change-person", [number, changes])) as turn:
        person = _person(turn.group, number)
        if turn.repeats:
            return person
        before = person.name
        _check_others(person, changes.get("distinct_from") or (), turn.group)
        for field, value in changes.items():
            setattr(person, field, value)
        check_spellings([person.name, *person.aliases], [p for p in people_of(turn.group) if p.pk != number])
        if person.name != before:
            same = [person.pk, *person.merged.values_list("pk", flat=True)]
            if table := _sat_with(same, person.name):
                detail = phrase(
                    "At table {code} somebody else is called {name}. Give that player another name first.",
                    code=table,
                    name=person.name,
                )
                raise Refused([Problem("/name", "same-name", detail)])
        Person.objects.filter(group=turn.group, pk=person.pk).update(**changes)
        if person.name != before:
            rename_seats([person])
        return person


@past_deadlocks
def merge_people(code: str, number: int, into: int | None, caller: Caller) -> Person:
    """Let somebody count as another person from now on; ``None`` parts them again, and each has the own tables back.

    Raises ``NoSuchPerson``, ``AlreadyMerged``, and ``SatTogether`` where both sat at one table.
    """

    with group_turn(code, caller, caller.fingerprint("merge", [number, into])) as turn:
        person = _person(turn.group, number)
        if turn.repeats:
            return person
        if into is None:
            person.merged_into = None
        else:
            other = _person(turn.group, into)
            if other.pk == person.pk or other.merged_into_id or person.merged.exists():
                raise AlreadyMerged
            _check_apart(person, other)
            person.merged_into = other
        Person.objects.filter(group=turn.group, pk=person.pk).update(merged_into=person.merged_into)
        people_changed(turn.group.pk, [person.pk])
        return person


def _check_apart(person: Person, other: Person) -> None:
    """Raise ``SatTogether`` where two people, or somebody who counts as the other, sat at one table."""
    same = [other.pk, *other.merged.values_list("pk", flat=True)]
    tables = SeatedPerson.objects.filter(person=person).values("table")
    if SeatedPerson.objects.filter(person__in=same, table__in=tables).exists():
        raise SatTogether(person.name, other.name)


def _check_others(person: Person, others: Any, group: Group) -> None:
    """Raise ``Refused`` where somebody is to be distinct from who is not in the group, or from this very person."""
    known = {each.pk for each in people_of(group)} - {person.pk}
    for place, each in enumerate(others):
        if each not in known:
            raise Refused([Problem(f"/distinct_from/{place}", "no-such-person", "This group has no such person.")])


def _sat_with(people: Sequence[int], name: str) -> str:
    """Return the code of a table at which any of these people sits with another one of this name; empty: none."""
    own = defaultdict[int, set[int]](set)
    for table, seat in SeatedPerson.objects.filter(person__in=people).values_list("table", "seat"):
        own[table].add(seat)
    for pk, code, seats in Table.objects.filter(pk__in=own).order_by("pk").values_list("pk", "code", "seats"):
        if any(as_seen(each) == as_seen(name) for seat, each in enumerate(seats) if seat not in own[pk]):
            return spoken_code(code)
    return ""


def _person(group: Group, number: int | None) -> Person:
    person = Person.objects.filter(group=group, pk=number or 0).first()
    if person is None:
        raise NoSuchPerson
    return person


def check_spellings(spellings: Sequence[str], others: Iterable[Person]) -> None:
    """Raise ``Refused`` where a name of somebody, or another spelling of it, is that of one of the others."""
    taken = {as_seen(name): person.name for person in others for name in (person.name, *person.aliases)}
    for place, name in enumerate(spellings):
        if as_seen(name) in taken:
            pointer = "/name" if place == 0 else f"/aliases/{place - 1}"
            raise Refused(
                [
                    Problem(
                        pointer,
                        "same-name",
                        "Someone else in this group has that name. If the two are one person, merge them.",
                    )
                ]
            )


def rename_seats(people: Sequence[Person]) -> None:
    """Write the names of people anew at all their tables: seats, and the sheets, which are drawn up again when read."""
    names = {person.pk: person.name for person in people}
    seats = SeatedPerson.objects.filter(person__in=names).values_list("table", "seat", "person")
    places: dict[int, list[tuple[int, str]]] = {}
    for table, seat, person in seats:
        places.setdefault(table, []).append((seat, names[person]))
    now = timezone.now()
    rows = list(Table.objects.filter(pk__in=places).only("pk", "code", "seats", "updated"))
    for row in rows:
        for seat, name in places[row.pk]:
            row.seats[seat] = name
        row.updated = now
        seen.state_cache.drop(row.code)
    Table.objects.bulk_update(rows, ["seats", "updated"], batch_size=500)
    HandSheet.objects.filter(table__in=places).update(sheet=None)
