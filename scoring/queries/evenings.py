"""Evenings of a group: the tables of one night, who was there, and what each has brought at all of them together."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from zlib import crc32

from django.db.models import Max, OuterRef, Subquery
from django.utils.translation import gettext as _

from referee.engine.reader import as_seen
from scoring.models import Group, Person, SeatScore, Table, TableEvent
from scoring.queries.disputes import DisputeNow, open_disputes
from scoring.queries.group_tables import people_at
from scoring.queries.groups import key_of_player, people_of
from scoring.queries.page_facts import PageFacts, page_facts
from scoring.queries.played import played_at
from scoring.queries.results import Result, heads, results_of, worked_out
from scoring.queries.seat_rows import Chosen, among
from scoring.queries.state import Standing

LONGEST_BREAK = timedelta(hours=8)
"""A group that opens a table so long after the one before it was played still has the same evening."""
MOST_TABLES = 500
"""Tables of one evening that are read."""


@dataclass(frozen=True, slots=True)
class Who:
    """Somebody at an evening: a person of the group, or a guest, who is known by name alone.

    ``namesake``: a guest whose name somebody of the group has who was there, too.
    """

    name: str
    person: int | None = None
    colour: str = ""
    namesake: bool = False

    @property
    def shown(self) -> str:
        """Return the name by which people know who is meant."""
        return _("{name} (guest)").format(name=self.name) if self.namesake else self.name


@dataclass(frozen=True, slots=True)
class EveningTable:
    """A table of an evening with who sits where; without a result its game is not installed here."""

    row: Table
    seated: tuple[Who, ...]
    result: Result | None

    @property
    def runs(self) -> bool:
        return not (self.row.finished if self.result is None else self.result.finished)


@dataclass(frozen=True, slots=True)
class Present:
    """Somebody at an evening, with the points that all its tables have brought.

    ``points`` count what hands brought, never what was carried from one table to the next; those that are hidden are
    missing. ``tables`` that went on from one another count as one. ``came`` is when the first table was opened at which
    somebody sat, ``left`` when the last one was over, if
    others have opened one since; ``plays``: sits at a table that runs.
    """

    who: Who
    rank: int
    points: int
    tables: int
    came: datetime
    left: datetime | None
    plays: bool


@dataclass(frozen=True, slots=True)
class Evening:
    """The tables of one night, the first opened first, and who was there, those with most points first."""

    day: date
    tables: tuple[EveningTable, ...]
    people: tuple[Present, ...]

    @property
    def runs(self) -> bool:
        return any(table.runs for table in self.tables)

    @property
    def points_hidden(self) -> bool:
        """Return whether points of any of its tables are hidden."""
        return any(table.result is not None and table.result.points is None for table in self.tables)

    @property
    def out(self) -> tuple[Present, ...]:
        """Return who sits out while others play."""
        return tuple(each for each in self.people if not each.plays) if self.runs else ()


def days_of(
    group: Group, *, before: date | None = None, first: date | None = None, last: date | None = None, most: int
) -> list[date]:
    """Return the evenings of a group, the last one first."""
    rows = among(Table.objects.filter(group=group), Chosen(first=first, last=last))
    if before is not None:
        rows = rows.filter(evening__lt=before)
    return list(rows.order_by("-evening").values_list("evening", flat=True).distinct()[:most])


def days_beside(group: Group, day: date) -> tuple[date | None, date | None]:
    """Return the evenings of a group before and after a day."""
    days = Table.objects.filter(group=group).order_by("evening").values_list("evening", flat=True)
    return days.filter(evening__lt=day).last(), days.filter(evening__gt=day).first()


def evenings_of(group: Group, days: Sequence[date]) -> list[Evening]:
    """Return evenings of a group, in this order; as many statements for many as for one."""
    rows = heads().filter(group=group, evening__in=days).order_by("evening", "created", "pk")
    tables = tables_shown(group, list(rows[: MOST_TABLES * len(days)]))
    by_day = defaultdict[date, list[EveningTable]](list)
    for table in tables:
        by_day[table.row.evening].append(table)
    return [Evening(day, tuple(by_day[day]), ranked(by_day[day])) for day in days]


def tables_shown(group: Group, rows: Sequence[Table]) -> list[EveningTable]:
    """Return tables of a group with who sits there and what they have brought, in their order."""
    people = {person.pk: person for person in people_of(group)}
    seats, results = people_at(rows), results_of(rows)
    return [
        EveningTable(
            row,
            _told_apart([_who(person, name, people) for person, name in zip(seats[row.pk], row.seats, strict=True)]),
            results.get(row.pk),
        )
        for row in rows
    ]


def _who(person: int | None, name: str, people: Mapping[int, Person]) -> Who:
    known = people.get(person or 0)
    return Who(name) if known is None else Who(known.name, known.pk, known.colour)


def _told_apart(seated: Sequence[Who]) -> tuple[Who, ...]:
    known = {as_seen(who.name) for who in seated if who.person is not None}
    return tuple(replace(who, namesake=who.person is None and as_seen(who.name) in known) for who in seated)


def games_at(tables: Sequence[EveningTable]) -> Mapping[int, int]:
    """Return by which of some tables, given in the order in which they were opened, the game of each one began."""
    first: dict[int, int] = {}
    for table in tables:
        first[table.row.pk] = first.get(table.row.previous_id or 0, table.row.pk)
    return first


def ranked(tables: Sequence[EveningTable]) -> tuple[Present, ...]:
    """Return who was at some tables, those with most points first; who has as many is as good."""
    who: dict[object, Who] = {}
    points = defaultdict[object, int](int)
    sat = defaultdict[object, list[EveningTable]](list)
    for table in tables:
        brought = table.result.points if table.result is not None else None
        for seat, each in enumerate(table.seated):
            key = key_of(each)
            who.setdefault(key, each)
            sat[key].append(table)
            points[key] += brought[seat] if brought else 0
    last, first = max((table.row.created for table in tables), default=None), games_at(tables)
    shown = dict(zip(who, _told_apart([*who.values()]), strict=True))
    present = [
        Present(
            who=shown[key],
            rank=1 + sum(other > points[key] for other in points.values()),
            points=points[key],
            tables=len({first[table.row.pk] for table in sat[key]}),
            came=sat[key][0].row.created,
            left=_left(sat[key], last),
            plays=any(table.runs for table in sat[key]),
        )
        for key in who
    ]
    return tuple(sorted(present, key=lambda each: each.rank))


def key_of(who: Who) -> object:
    """Return by what somebody is known from table to table."""
    return key_of_player(who.name, who.person)


def _left(sat: Sequence[EveningTable], last: datetime | None) -> datetime | None:
    """Return when somebody left who sat at these tables, if another one was opened after the last of them."""
    own = sat[-1].row
    if last is None or own.created >= last or any(table.runs for table in sat):
        return None
    return played_at(own)


Hands = Sequence[tuple[datetime, int, Sequence[int]]]
"""Hands that are over: the moment, the id of the table, and what it brought each seat there, partners added."""


def hands_of(evening: Evening) -> Hands:
    """Return the hands of an evening that are over; those whose points are hidden are left out."""
    shown = [table.row.pk for table in evening.tables if table.result is not None and table.result.points is not None]
    scores = defaultdict[int, list[tuple[int, Mapping[int, int]]]](list)
    rows = SeatScore.objects.filter(table__in=shown).order_by("table", "seat")
    for table, side, lines in rows.values_list("table", "side", "lines"):
        scores[table].append((side, {line[0]: line[1] for line in lines}))
    stood = TableEvent.objects.filter(table__in=shown, event__isnull=False, amends__isnull=True)
    ended = stood.order_by().values_list("table", "hand").annotate(at=Max("at"))
    return [
        (moment, table, _brought(scores[table], hand))
        for table, hand, moment in ended
        if table in scores and hand in scores[table][0][1]
    ]


def _brought(scores: Sequence[tuple[int, Mapping[int, int]]], hand: int) -> Sequence[int]:
    sides = defaultdict[int, int](int)
    for side, points in scores:
        sides[side] += points[hand]
    return [sides[side] for side, _points in scores]


@dataclass(frozen=True, slots=True)
class RunningNow:
    """A table that runs: where it stands, what its page shows beside that, and the disputes that are open."""

    at: Standing
    facts: PageFacts
    disputes: Sequence[DisputeNow]


def running_now(evening: Evening) -> Mapping[int, RunningNow]:
    """Return the tables of an evening that run, by id; those of games that are not installed here are left out."""
    standings = worked_out([table.row.pk for table in evening.tables if table.runs])
    return {pk: RunningNow(at, page_facts(at), open_disputes(at.row)) for pk, at in standings.items()}


def points_over_time(
    tables: Iterable[EveningTable], people: Sequence[Who], hands: Hands
) -> list[tuple[str, tuple[int, ...]]]:
    """Return the points of some people at the start of an evening and after each of its hands, at whatever table."""
    seats = {table.row.pk: [key_of(each) for each in table.seated] for table in tables}
    made = {key_of(each): 0 for each in people}
    rows = [("0", tuple(made.values()))]
    for number, (_moment, pk, brought) in enumerate(sorted(hands, key=lambda hand: hand[0]), 1):
        for key, points in zip(seats[pk], brought, strict=True):
            if key in made:
                made[key] += points
        rows.append((str(number), tuple(made.values())))
    return rows


def group_marks(groups: Collection[int]) -> Mapping[int, int]:
    """Return the mark of each of these groups that exists; two statements, however many they are.

    It changes with the people and the name of the group, and with whatever happens at a table of its last evening.
    """
    last = Table.objects.filter(group=OuterRef("pk")).order_by("-evening").values("evening")[:1]
    heads = Group.objects.filter(pk__in=groups).annotate(day=Subquery(last)).values_list("pk", "version", "day")
    read = {pk: (version, day) for pk, version, day in heads}
    tables = defaultdict[int, list[tuple[int, int, str]]](list)
    days = {day for _version, day in read.values() if day is not None}
    if days:
        rows = Table.objects.filter(group__in=read, evening__in=days).order_by("pk")
        for group, day, pk, version, updated in rows.values_list("group", "evening", "pk", "version", "updated"):
            if day == read[group][1]:
                tables[group].append((pk, version, updated.isoformat()))
    return {pk: crc32(repr((version, day, tables[pk])).encode()) for pk, (version, day) in read.items()}
