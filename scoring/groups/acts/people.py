"""The people of a group: adding, renaming, merging and deleting them."""

import re
from collections import defaultdict
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from itertools import count
from typing import Any, TypeVar

from django.db import connection, transaction
from django.db.models import QuerySet
from django.utils import timezone

from referee.engine.reader import as_seen
from referee.engine.rules import Problem, Refused
from referee.engine.snapshot import dump_table
from referee.engine.texts import phrase
from scoring.groups.acts.groups import MOST_PEOPLE, group_turn
from scoring.groups.acts.scores import leave_scores, people_changed
from scoring.groups.reads.groups import Look, least_worn, looks_of, people_of
from scoring.models import (
    DealtHand,
    EveningNote,
    Group,
    GroupLink,
    HandSheet,
    Link,
    PastImport,
    Person,
    Precedent,
    Season,
    SeatedPerson,
    Table,
    TableEvent,
)
from scoring.models.table import spoken_code
from scoring.operating.acts.database import past_deadlocks
from scoring.rulings.acts.dispute_index import write_index
from scoring.rulings.reads.disputes import disputes_of
from scoring.rulings.reads.precedents import anyhow_spelt, names_in_group
from scoring.tables.acts import holding
from scoring.tables.acts.exceptions import AlreadyMerged, NoSuchPerson, SatTogether, first_of
from scoring.tables.acts.keys import Caller
from scoring.tables.reads.log import hands_as_they_were


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
    """Add a person. Raises ``Refused`` if another person has the name or one of the aliases."""
    with group_turn(code, caller, caller.fingerprint("person", [name, list(aliases), colour])) as turn:
        if turn.repeats:
            return _person(turn.group, turn.made)
        others = people_of(turn.group)
        before = looks_of(others)
        if len(others) >= MOST_PEOPLE:
            raise Refused([Problem("/name", "bad-value", "A group can have up to 500 people.")])
        check_spellings([name, *aliases], others)
        person = Person.objects.create(
            group=turn.group,
            name=name,
            aliases=list(aliases),
            colour=colour or free_colour(before.values()),
            distinct_from=list(distinct_from),
        )
        write_looks(before, looks_of([*others, person]))
        turn.made = person.pk
        return person


@past_deadlocks
def change_person(code: str, number: int, changes: Mapping[str, Any], caller: Caller) -> Person:
    """Change a person's ``name``, ``aliases``, ``colour`` or ``distinct_from``.

    A new name replaces the old one at every table; scores stay. Raises ``NoSuchPerson``, and ``Refused`` if another
    person of the group, or another player at one of these tables, has the name.
    """
    with group_turn(code, caller, caller.fingerprint("change-person", [number, changes])) as turn:
        person = _person(turn.group, number)
        if turn.repeats:
            return person
        before = person.name
        everybody = people_of(turn.group)
        looks = looks_of(everybody)
        others = [each for each in everybody if each.pk != number]
        known, distinct = {each.pk for each in others}, changes.get("distinct_from") or ()
        for place, each in enumerate(distinct):
            if each not in known:
                raise Refused([Problem(f"/distinct_from/{place}", "no-such-person", "This group has no such person.")])
        if changes.get("colour") == "":
            changes = {**changes, "colour": free_colour(look for pk, look in looks.items() if pk != number)}
        for field, value in changes.items():
            setattr(person, field, value)
        check_spellings([person.name, *person.aliases], others)
        if person.name != before:
            same = [person.pk, *person.merged.values_list("pk", flat=True)]
            if table := _sat_with(same, person.name):
                detail = phrase(
                    "At table {code} another player is called {name}. Rename that player first.",
                    code=table,
                    name=person.name,
                )
                raise Refused([Problem("/name", "same-name", detail)])
        Person.objects.filter(group=turn.group, pk=person.pk).update(**changes)
        if person.name != before:
            GroupLink.objects.filter(group=turn.group, person=person, name=before).update(name=person.name)
            _write_seats([person], lambda _row, _seat, _person: person.name)
        write_looks(looks, looks_of(people_of(turn.group)))
        return person


@past_deadlocks
def merge_people(code: str, number: int, into: int | None, caller: Caller) -> Person:
    """Merge a person into another; ``None`` separates them again, each with their own tables.

    Raises ``NoSuchPerson``, ``AlreadyMerged`` and ``SatTogether``.
    """
    with group_turn(code, caller, caller.fingerprint("merge", [number, into])) as turn:
        person = _person(turn.group, number)
        if turn.repeats:
            return person
        looks = looks_of(people_of(turn.group))
        if into is None:
            person.merged_into = None
        else:
            other = _person(turn.group, into)
            if other.pk == person.pk or other.merged_into_id or person.merged.exists():
                raise AlreadyMerged
            same = [other.pk, *other.merged.values_list("pk", flat=True)]
            tables = SeatedPerson.objects.filter(person=person).values("table")
            if SeatedPerson.objects.filter(person__in=same, table__in=tables).exists():
                raise SatTogether(one=person.name, other=other.name)
            person.merged_into = other
        Person.objects.filter(group=turn.group, pk=person.pk).update(merged_into=person.merged_into)
        people_changed(turn.group.pk, [person.pk])
        write_looks(looks, looks_of(people_of(turn.group)))
        return person


def free_colour(looks: Iterable[Look]) -> str:
    return least_worn([look.colour for look in looks])


def write_looks(before: Mapping[int, Look], after: Mapping[int, Look]) -> None:
    """Update changed colors and letters at all tables of the people concerned."""
    seats = _seats_of([person for person in before if before[person] != after.get(person)])
    rows = list(Table.objects.filter(pk__in=seats).only("pk", "code", "seats", "looks")) if seats else []
    for row in rows:
        row.looks = row.looks or [None] * len(row.seats)
        for seat, person in seats[row.pk]:
            row.looks[seat] = after.get(person)
        holding.state_cache.drop(row.code)
    Table.objects.bulk_update(rows, ["looks"], batch_size=500)


def _seats_of(people: Sequence[int]) -> Mapping[int, list[tuple[int, int]]]:
    """Return the seats of people, each with the person's id, by table."""
    seats = defaultdict[int, list[tuple[int, int]]](list)
    if people:
        seated = SeatedPerson.objects.filter(person__in=people)
        for table, seat, person in seated.values_list("table", "seat", "person"):
            seats[table].append((seat, person))
    return seats


def _sat_with(people: Sequence[int], name: str) -> str:
    """Return the code of a table where another player has this name, or an empty string."""
    own = {table: {seat for seat, _person in sat} for table, sat in _seats_of(people).items()}
    for pk, code, seats in Table.objects.filter(pk__in=own).order_by("pk").values_list("pk", "code", "seats"):
        if any(as_seen(each) == as_seen(name) for seat, each in enumerate(seats) if seat not in own[pk]):
            return spoken_code(code)
    return ""


def _person(group: Group, number: int | None) -> Person:
    return first_of(Person.objects.filter(group=group, pk=number or 0), NoSuchPerson)


def check_spellings(spellings: Sequence[str], others: Iterable[Person]) -> None:
    """Raise ``Refused`` if one of the names (a name, then its aliases) belongs to one of ``others``."""
    taken = {as_seen(name): person.name for person in others for name in (person.name, *person.aliases)}
    for place, name in enumerate(spellings):
        if as_seen(name) in taken:
            pointer = "/name" if place == 0 else f"/aliases/{place - 1}"
            detail = "Someone else in this group has that name. If the two are one person, merge them."
            raise Refused([Problem(pointer, "same-name", detail)])


def _write_seats(people: Iterable[Person], name_on: Callable[[Table, int, int], str]) -> None:
    """Rewrite people's names at all their tables, and invalidate the score sheets, which are rebuilt when read.

    ``name_on`` returns the name for a table, a seat and a person's id.
    """
    seats, now = _seats_of([person.pk for person in people]), timezone.now()
    rows = list(Table.objects.filter(pk__in=seats).only("pk", "code", "seats", "updated"))
    for row in rows:
        for seat, person in seats[row.pk]:
            row.seats[seat] = name_on(row, seat, person)
        row.updated = now
        holding.state_cache.drop(row.code)
    Table.objects.bulk_update(rows, ["seats", "updated"], batch_size=500)
    HandSheet.objects.filter(table__in=seats).update(sheet=None)


# --- Deleting a person: the name is removed from stored and derived texts, scores stay

Row = TypeVar("Row", TableEvent, DealtHand, Table, Link, GroupLink, EveningNote, PastImport, Season, Precedent)
NOBODY = "…"
"""Replaces a deleted name in free text."""
TEXT = "text"
"""The key of free text; values of ``x_`` keys are free text too."""


@past_deadlocks
def forget_person(code: str, number: int, caller: Caller) -> None:
    """Permanently delete a person and everyone merged into them.

    At their tables "Player 1" (by seat) replaces the name, and it is removed from notes, reasons and link names. Plays
    and scores stay, without a person. Raises ``NoSuchPerson`` and what ``group_turn`` raises.
    """
    with group_turn(code, caller, caller.fingerprint("forget-person", number)) as turn:
        if turn.repeats:
            return
        people = list(Person.objects.filter(group=turn.group, pk=number))
        if not people:
            raise NoSuchPerson
        people += Person.objects.filter(merged_into=number)
        _write_seats(people, _name_of_seat)
        names = {name for person in people for name in (person.name, *person.aliases)}
        others = {as_seen(name) for name in names_in_group(turn.group.pk)}
        genitives = {f"{name}s" for name in names if as_seen(f"{name}s") not in others}
        _leave_texts(turn.group, anyhow_spelt(names | genitives))
        leave_scores(turn.group.pk, [person.pk for person in people])
        gone = {person.pk for person in people}
        GroupLink.objects.filter(group=turn.group, person__in=gone).update(answered=None)
        remove_people(turn.group, gone)
        transaction.on_commit(empty_journal)


def remove_people(group: Group, gone: Container[int]) -> None:
    """Delete people of a group by id, and references to them in ``distinct_from``."""
    everybody = people_of(group)
    left = [each for each in everybody if each.pk not in gone]
    write_looks(looks_of(everybody), looks_of(left))
    for other in left:
        if any(each in gone for each in other.distinct_from):
            other.distinct_from = [each for each in other.distinct_from if each not in gone]
            other.save(update_fields=["distinct_from"])
    Person.objects.filter(group=group, pk__in=[each.pk for each in everybody if each.pk in gone]).delete()


def _name_of_seat(row: Table, seat: int, _person: int) -> str:
    others = {as_seen(name) for place, name in enumerate(row.seats) if place != seat}
    numbered = (f"Player {number}" for number in count(seat + 1))
    return next(name for name in numbered if as_seen(name) not in others)


def _leave_texts(group: Group, name: re.Pattern[str]) -> None:
    tables = Table.objects.filter(group=group)
    events = TableEvent.objects.filter(table__in=tables).only("table", "event", "reason")
    dealt = DealtHand.objects.filter(table__in=tables).only("table", "extra")
    changed = {row.table_id for row in _rewrite(events, name)} | {row.table_id for row in _rewrite(dealt, name)}
    for row in tables.filter(pk__in=changed):
        # Derived states contain the free text of the log, so they are rebuilt.
        hands = hands_as_they_were(row, row.version)
        for hand in hands[:-1]:
            HandSheet.objects.filter(table=row, number=hand.number).update(sheet=None, start=dump_table(hand.start))
        if hands:
            row.snapshot, row.hand_start = dump_table(hands[-1].state), dump_table(hands[-1].start)
        row.updated = timezone.now()
        row.save(update_fields=["snapshot", "hand_start", "updated"])
        if row.disputes:
            write_index(row, disputes_of(row))
        holding.state_cache.drop(row.code)
    _rewrite(tables.only("extra", "place", "note", "tags"), name)
    _rewrite(EveningNote.objects.filter(group=group).only("place", "note", "tags"), name)
    _rewrite(PastImport.objects.filter(group=group).only("name", "by"), name)
    _rewrite(Link.objects.filter(table__in=tables).only("label"), name)
    _rewrite(GroupLink.objects.filter(group=group).only("name"), name)
    _rewrite(Season.objects.filter(group=group).only("name"), name)
    _rewrite(Precedent.objects.filter(group=group).only("question", "decision"), name)
    group.name = name.sub(NOBODY, group.name)


def _rewrite(rows: QuerySet[Row], name: re.Pattern[str]) -> list[Row]:
    changed, fields = [], set[str]()
    for row in rows.iterator(chunk_size=500):
        read = {field: value for field, value in vars(row).items() if isinstance(value, str | dict | list)}
        after = {field: _without(value, name, written=not isinstance(value, dict)) for field, value in read.items()}
        if after != read:
            vars(row).update(after)
            changed.append(row)
            fields |= after.keys()
    if changed:
        rows.model._default_manager.bulk_update(changed, fields, batch_size=200)
    return changed


def _without(value: Any, name: re.Pattern[str], *, written: bool) -> Any:
    """Remove a name from the free text in a JSON value; card codes and keywords stay."""
    match value:
        case str():
            return name.sub(NOBODY, value) if written else value
        case list():
            return [_without(item, name, written=written) for item in value]
        case dict():
            return {
                key: _without(item, name, written=written or key == TEXT or key.startswith("x_"))
                for key, item in value.items()
            }
    return value


def empty_journal() -> None:
    """Truncate SQLite's WAL, which would otherwise still contain deleted data."""
    if connection.vendor == "sqlite" and not connection.in_atomic_block:
        with connection.cursor() as cursor:
            cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")
