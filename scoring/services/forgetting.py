"""Forgetting somebody: the name goes wherever it was written down or worked out, and scores stay."""

import re
from collections.abc import Sequence
from itertools import count
from typing import Any, TypeVar

from django.db import connection
from django.db.models import QuerySet
from django.utils import timezone

from referee.engine.reader import as_seen
from referee.engine.snapshot import dump_table
from scoring.models import DealtHand, Group, GroupLink, HandSheet, Link, Person, SeatedPerson, Table, TableEvent
from scoring.queries.disputes import disputes_of
from scoring.queries.log import hands_as_they_were
from scoring.services import seen
from scoring.services.deadlocks import past_deadlocks
from scoring.services.dispute_index import write_index
from scoring.services.exceptions import NoSuchPerson
from scoring.services.group_turns import group_turn
from scoring.services.keys import Caller
from scoring.services.scores import leave_scores

Row = TypeVar("Row", TableEvent, DealtHand, Table, Link, GroupLink)
NOBODY = "…"
"""What stands in a text where a name was."""
TEXT = "text"
"""The key of what people have written themselves; so are keys that begin with ``x_``."""


def forget_person(code: str, number: int, caller: Caller) -> None:
    """Forget somebody of a group, with everybody merged into this person, at once and for good.

    At their tables a seat takes the place of the name; in notes, reasons and names of links it is left out. What was
    played and scored stays, and is nobody's. Raises ``NoSuchPerson``, and what ``group_turn`` raises.
    """
    _forget_person(code, number, caller)
    empty_journal()


@past_deadlocks
def _forget_person(code: str, number: int, caller: Caller) -> None:
    with group_turn(code, caller, caller.fingerprint("forget-person", number)) as turn:
        if turn.repeats:
            return
        people = list(Person.objects.filter(group=turn.group, pk=number))
        if not people:
            raise NoSuchPerson
        people += Person.objects.filter(merged_into=number)
        spellings = [name for person in people for name in (person.name, *person.aliases)]
        _leave_tables(people)
        _leave_texts(turn.group, _anyhow_spelt(spellings))
        leave_scores(turn.group.pk, [person.pk for person in people])
        gone = {person.pk for person in people}
        for other in Person.objects.filter(group=turn.group).exclude(pk__in=gone):
            if not gone.isdisjoint(other.distinct_from):
                other.distinct_from = [each for each in other.distinct_from if each not in gone]
                other.save(update_fields=["distinct_from"])
        Person.objects.filter(pk__in=gone).delete()


def _leave_tables(people: Sequence[Person]) -> None:
    seats: dict[int, list[int]] = {}
    for table, seat in SeatedPerson.objects.filter(person__in=people).values_list("table", "seat"):
        seats.setdefault(table, []).append(seat)
    rows = list(Table.objects.filter(pk__in=seats).only("pk", "code", "seats", "updated"))
    for row in rows:
        for seat in seats[row.pk]:
            others = {as_seen(name) for place, name in enumerate(row.seats) if place != seat}
            numbered = (f"Player {number}" for number in count(seat + 1))
            row.seats[seat] = next(name for name in numbered if as_seen(name) not in others)
        row.updated = timezone.now()
        seen.state_cache.drop(row.code)
    Table.objects.bulk_update(rows, ["seats", "updated"], batch_size=500)
    HandSheet.objects.filter(table__in=seats).update(sheet=None)


def _anyhow_spelt(names: Sequence[str]) -> re.Pattern[str]:
    longest_first = sorted(set(names), key=len, reverse=True)
    return re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, longest_first))})(?!\w)", re.IGNORECASE)


def _leave_texts(group: Group, name: re.Pattern[str]) -> None:
    """Leave a name out of what people have written: notes, reasons, what came with records, names of links."""
    tables = Table.objects.filter(group=group)
    events = TableEvent.objects.filter(table__in=tables).only("table", "event", "reason")
    dealt = DealtHand.objects.filter(table__in=tables).only("table", "extra")
    changed = {row.table_id for row in _rewrite(events, name)} | {row.table_id for row in _rewrite(dealt, name)}
    for row in tables.filter(pk__in=changed):
        _work_out_again(row)
    _rewrite(tables.only("extra"), name)
    _rewrite(Link.objects.filter(table__in=tables).only("label"), name)
    _rewrite(GroupLink.objects.filter(group=group).only("name"), name)
    group.name = name.sub(NOBODY, group.name)


def _work_out_again(row: Table) -> None:
    """Write anew what follows from the log of a table: the states of its hands hold what people have written."""
    hands = hands_as_they_were(row, row.version)
    for hand in hands[:-1]:
        HandSheet.objects.filter(table=row, number=hand.number).update(sheet=None, start=dump_table(hand.start))
    if hands:
        row.snapshot, row.hand_start = dump_table(hands[-1].state), dump_table(hands[-1].start)
    row.updated = timezone.now()
    row.save(update_fields=["snapshot", "hand_start", "updated"])
    if row.disputes:
        write_index(row, disputes_of(row))
    seen.state_cache.drop(row.code)


def _rewrite(rows: QuerySet[Row], name: re.Pattern[str]) -> list[Row]:
    """Leave a name out of the columns that are read of rows; return the rows that held it."""
    changed, fields = [], set[str]()
    for row in rows.iterator(chunk_size=500):
        read = {field: value for field, value in vars(row).items() if isinstance(value, str | dict)}
        after = {field: _without(value, name, written=isinstance(value, str)) for field, value in read.items()}
        if after != read:
            vars(row).update(after)
            changed.append(row)
            fields |= after.keys()
    if changed:
        rows.model._default_manager.bulk_update(changed, fields, batch_size=200)
    return changed


def _without(value: Any, name: re.Pattern[str], *, written: bool) -> Any:
    """Return a value without a name in what people have written; codes of cards and words of the record stay."""
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
    """Let nothing that was deleted lie on in the journal of an embedded database."""
    if connection.vendor == "sqlite" and not connection.in_atomic_block:
        with connection.cursor() as cursor:
            cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")
