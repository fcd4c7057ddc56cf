"""The tables of a group, the last opened first: filtered, and read page by page from a cursor on."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta

from django.db.models import BooleanField, Q, QuerySet
from django.db.models.expressions import RawSQL

from scoring.models import Group, Person, SeatedPerson, Table, TableEvent
from scoring.models.table import NOTE
from scoring.queries.results import heads, tables_over
from scoring.queries.seat_rows import Chosen, among

RUNNING, FINISHED = "running", "finished"
STATES = (RUNNING, FINISHED)
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
MICROSECOND = timedelta(microseconds=1)


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which tables of a group are looked for; what is empty does not matter.

    ``person`` counts everybody merged into that one. ``first`` and ``last`` are evenings. ``words`` stand in a note.
    """

    game: str = ""
    person: int | None = None
    first: date | None = None
    last: date | None = None
    state: str = ""
    words: str = ""


@dataclass(frozen=True, slots=True)
class Page:
    """Some tables, and the cursor of those that follow; empty where none do."""

    rows: Sequence[Table]
    following: str


def wanted_tables(group: Group, wanted: Wanted) -> QuerySet[Table]:
    """Return the tables of a group that somebody looks for, in no order."""
    chosen = Chosen(game=wanted.game, first=wanted.first, last=wanted.last)
    rows = among(Table.objects.filter(group=group), chosen)
    if wanted.person is not None:
        same = Person.objects.filter(Q(pk=wanted.person) | Q(merged_into=wanted.person), group=group)
        rows = rows.filter(pk__in=SeatedPerson.objects.filter(person__in=same).values("table"))
    if wanted.state:
        over = tables_over(group).values("pk")
        rows = rows.filter(pk__in=over) if wanted.state == FINISHED else rows.exclude(pk__in=over)
    if wanted.words:
        rows = rows.filter(pk__in=_with_note(group, wanted.words))
    return rows


def _with_note(group: Group, words: str) -> set[int]:
    """Return the ids of the tables of a group at which a note holds all of some words, in whatever case."""
    terms = words.casefold().split()
    notes = TableEvent.objects.filter(_IS_NOTE, table__group=group, amended_by__isnull=True)
    return {
        table
        for table, event in notes.values_list("table", "event")
        if all(word in str((event or {}).get("text", "")).casefold() for word in terms)
    }


_IS_NOTE = RawSQL(f"""substr("scoring_tableevent"."event", 1, {len(NOTE)}) = '{NOTE}'""", (), BooleanField())
"""As the index of notes says it, letter by letter: a database takes no index whose condition it is given as a value."""


def page_of_tables(group: Group, wanted: Wanted, *, cursor: str = "", most: int) -> Page:
    """Return some of the tables that somebody looks for, the last opened first, from a cursor on.

    Raises ``ValueError`` for a cursor that none of these pages has given.
    """
    rows = wanted_tables(group, wanted)
    if cursor:
        created, pk = read_cursor(cursor)
        rows = rows.filter(created__lte=created).exclude(created=created, pk__gte=pk)
    # First which, then what they are: no database is to sort whole states.
    found = list(rows.order_by("-created", "-pk").values_list("pk", "created")[: most + 1])
    read = heads().in_bulk([pk for pk, _created in found[:most]])
    following = cursor_of(*found[most - 1][::-1]) if len(found) > most else ""
    return Page([read[pk] for pk, _created in found[:most] if pk in read], following)


def cursor_of(created: datetime, pk: int) -> str:
    """Return the cursor of what follows a table.

    >>> cursor_of(datetime(1970, 1, 1, 0, 0, 1, tzinfo=UTC), 7)
    '1000000-7'
    """
    return f"{(created - EPOCH) // MICROSECOND}-{pk}"


def read_cursor(cursor: str) -> tuple[datetime, int]:
    """Return when the last table of the page before was opened, and its id; raises ``ValueError``."""
    moment, _dash, pk = cursor.partition("-")
    if not (moment.isascii() and moment.isdecimal() and pk.isascii() and pk.isdecimal() and len(cursor) < LONGEST):
        raise ValueError(cursor)
    try:
        return EPOCH + int(moment) * MICROSECOND, int(pk)
    except OverflowError:
        raise ValueError(cursor) from None


LONGEST = 30


def people_at(rows: Collection[Table]) -> Mapping[int, Sequence[int | None]]:
    """Return who sits on each seat of some tables, by the id they count as; ``None`` for guests."""
    seats: dict[int, list[int | None]] = {row.pk: [None] * len(row.seats) for row in rows}
    seated = list(SeatedPerson.objects.filter(table__in=seats).values_list("table", "seat", "person"))
    merged = Person.objects.filter(group__in={row.group_id for row in rows}, merged_into__isnull=False)
    other = dict(merged.values_list("pk", "merged_into")) if seated else {}
    for table, seat, person in seated:
        seats[table][seat] = other.get(person, person)
    return seats


def following_codes(rows: Iterable[Table]) -> Mapping[int, str]:
    """Return the codes of the tables with which some tables of a group went on, by id."""
    later = Table.objects.filter(previous__in=[row.pk for row in rows])
    return {previous: code for previous, code in later.values_list("previous", "code") if previous is not None}
