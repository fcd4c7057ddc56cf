"""Which people of a group sit at a table, and to which evening it belongs."""

from collections import defaultdict
from collections.abc import Sequence
from datetime import date

from django.utils import timezone

from referee.engine.reader import Reader
from referee.engine.records import check_names_differ
from scoring.models import Group, Person, SeatedPerson, SeatScore, Table
from scoring.models.table import evening_now
from scoring.models.time_zones import LONGEST_ZONE, evening_at, zone_names
from scoring.queries.evenings import LONGEST_BREAK
from scoring.queries.groups import people_of, person_named
from scoring.queries.played import PLAYED, played_at
from scoring.services.rating import hold_scores


def read_people(reader: Reader, value: object, seats: Sequence[str], group: Group | None) -> list[int | None]:
    """Read who of a group sits where, by id, ``None`` for guests; without a value the names tell.

    Problems are noted under ``/people``: a number of places other than that of the seats, ids that the group does not
    have, somebody on two seats.
    """
    if group is None:
        if value is not None:
            reader.value("/people", "People belong to a group; send the token of a member’s link to it.")
        return [None] * len(seats)
    people = people_of(group)
    if value is None:
        named = [person_named(people, name) for name in seats]
        # Who is named twice is left out: neither of the two is surely that person.
        found = [None if each is None or named.count(each) > 1 else each.pk for each in named]
        check_shown_names(reader, seats, found, people)
        return found
    counts_as = {person.pk: person.counts_as for person in people}
    read = [
        None if item is None else reader.integer(item, f"/people/{place}")
        for place, item in enumerate(reader.array(value, "/people"))
    ]
    if len(read) != len(seats):
        reader.value("/people", "There is one person of the group, or null, for each seat.")
    for place, person in enumerate(read):
        if person is not None and person not in counts_as:
            reader.value(f"/people/{place}", "This group has no such person.", "no-such-person")
    known = [counts_as[person] for person in read if person in counts_as]
    if len(set(known)) < len(known):
        reader.value("/people", "Nobody sits on two seats.")
    found = [counts_as.get(person or 0) for person in read]
    if len(found) == len(seats) == len(read):
        check_shown_names(reader, seats, found, people)
    return found


def check_shown_names(
    reader: Reader, seats: Sequence[str], found: Sequence[int | None], people: Sequence[Person]
) -> None:
    """Note two seats that would have one name wherever a group calls its people by their own."""
    if reader.malformed or reader.wrong:
        return  # which may be this
    own = {person.pk: person.name for person in people}
    check_names_differ(reader, [own.get(person or 0, name) for person, name in zip(found, seats, strict=True)])


def seat_people(table: Table, people: Sequence[int | None]) -> None:
    """Seat people of a group at a table."""
    SeatedPerson.objects.bulk_create(
        SeatedPerson(table=table, seat=seat, person_id=person) for seat, person in enumerate(people) if person
    )


def read_time_zone(reader: Reader, value: object, pointer: str) -> str:
    """Read the IANA name of a time zone; empty where none is named."""
    name = None if value is None else reader.text(value, pointer, LONGEST_ZONE)
    if name is not None and name not in zone_names():
        reader.value(pointer, "There is no such time zone. Use an IANA name, such as Europe/Berlin.")
    return name or ""


def evening_of(group: Group | None, zone: str = "") -> date:
    """Return the evening to which a table belongs that is opened now: that of the group, if it is still at it.

    It is counted in the time zone of the group; without one in ``zone``, that of the device.
    """
    last = None if group is None else Table.objects.filter(group=group).order_by("-created", "-id").first()
    if last is not None and timezone.now() - max(last.created, played_at(last)) < LONGEST_BREAK:
        return last.evening
    return evening_now((group.time_zone if group else "") or zone or (last.time_zone if last else ""))


def count_evenings_again(group: Group) -> None:
    """Count the evenings of all tables of a group in its time zone, as if they were opened one after the other."""
    rows = Table.objects.filter(group=group).annotate(played=PLAYED).order_by("created", "pk")
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
