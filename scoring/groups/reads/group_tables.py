"""Queries of a group's tables, seats, places and tags; and former players of a continued table."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from itertools import groupby
from typing import Any, NamedTuple, TypeVar

from django.core.signing import BadSignature, Signer
from django.db.models import BooleanField, F, FilteredRelation, Model, Q, QuerySet
from django.db.models.expressions import RawSQL
from django.db.models.functions import Coalesce

from referee.engine.reader import as_seen
from referee.engine.rules import Refused
from scoring.groups.reads.groups import key_of_player
from scoring.models import EveningNote, Group, Person, SeatedPerson, SeatScore, Table, TableEvent
from scoring.models.table import NOTE
from scoring.tables.reads.results import heads, tables_before, tables_over
from scoring.tables.reads.state import standing_now

# --- The seats of a group's counted tables

Row = TypeVar("Row", bound=Model)
RUNNING, FINISHED = "running", "finished"
STATES = (RUNNING, FINISHED)
_IS_NOTE = RawSQL(f"""substr("scoring_tableevent"."event", 1, {len(NOTE)}) = '{NOTE}'""", (), BooleanField())
"""Must equal the index's condition: databases match it literally."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Chosen:
    """Filter by ``game`` and by evenings from ``first`` to ``last``; empty fields match all."""

    game: str = ""
    first: date | None = None
    last: date | None = None


ALL = Chosen()


class People(NamedTuple):
    """People of a group: ids to names without merged people, and ids to the person each counts as."""

    names: Mapping[int, str]
    counts_as: Mapping[int, int]

    def spellings(self, person: int) -> list[int]:
        return [pk for pk, counts in self.counts_as.items() if counts == person] or [person]


def people_counted(group: Group) -> People:
    everybody = list(Person.objects.filter(group=group).order_by("pk"))
    counts_as = {each.pk: each.counts_as for each in everybody}
    named = {*counts_as.values()}
    return People({each.pk: each.name for each in everybody if each.pk in named}, counts_as)


def counted(group: int, chosen: Chosen = ALL) -> QuerySet[SeatScore]:
    return among(SeatScore.objects.filter(group=group, finished_at__isnull=False), chosen)


def games(group: int, chosen: Chosen = ALL) -> QuerySet[SeatScore]:
    """Return the seats of counted tables at which a game ended: of continued games, only those of the last table."""
    return counted(group, chosen).filter(goes_on=False)


def among(rows: QuerySet[Row], chosen: Chosen) -> QuerySet[Row]:
    rows = rows.filter(game=chosen.game) if chosen.game else rows
    rows = rows.filter(evening__gte=chosen.first) if chosen.first else rows
    return rows.filter(evening__lte=chosen.last) if chosen.last else rows


def with_who(rows: QuerySet[SeatScore]) -> QuerySet[Any]:
    """Annotate seats with ``who``: the person, or the one they are merged into."""
    of_this_group = FilteredRelation("person", condition=Q(person__group=F("group")))
    return rows.annotate(player=of_this_group, who=Coalesce("player__merged_into", "person"))


def with_all(rows: QuerySet[SeatScore], *people: list[int]) -> QuerySet[SeatScore]:
    for ids in people:
        rows = rows.filter(table__in=rows.filter(person__in=ids).order_by().values("table"))
    return rows


class SeatRow(NamedTuple):
    """A seat of a counted table; ``who`` is the person it counts for, ``None`` for a guest."""

    pk: int
    table: int
    who: int | None
    side: int
    rank: int
    share: int
    total: int
    game: str
    hands: int | None
    untold: int
    best_hand: int | None
    lowest: bool
    goes_on: bool


def seats_by_table(rows: QuerySet[Any], people: People) -> list[list[SeatRow]]:
    columns = ("pk", "table", "person", *SeatRow._fields[3:])
    read = rows.order_by("finished_at", "table", "seat").values_list(*columns)
    seats = (SeatRow(pk, table, people.counts_as.get(person), *rest) for pk, table, person, *rest in read)
    return [list(own) for _table, own in groupby(seats, key=lambda seat: seat.table)]


# --- Signed cursors of lists, and rows by time after a position

Place = tuple[int, ...]
"""A stable position in a list; empty at the start."""
LONGEST_CURSOR = 200
EPOCH, MICROSECOND = datetime(1970, 1, 1, tzinfo=UTC), timedelta(microseconds=1)


def cursor_of(listed: str, place: Place) -> str:
    """Return the cursor of a position in a named list; empty at the start."""
    return _signer(listed).sign_object(place) if place else ""


def place_of(listed: str, cursor: str) -> Place | None:
    """Return a cursor's position, or ``None`` if it is invalid."""
    try:
        return tuple(_signer(listed).unsign_object(cursor))
    except BadSignature:
        return None


def _signer(listed: str) -> Signer:
    return Signer(sep=".", salt=f"cursor.{listed}")


def place_in_time(moment: datetime, pk: int) -> Place:
    """Return the position of a row in a list by time.

    >>> place_in_time(datetime(1970, 1, 1, 0, 0, 1, tzinfo=UTC), 7)
    (1000000, 7)
    """
    return (moment - EPOCH) // MICROSECOND, pk


def latest_after(rows: QuerySet[Row], column: str, place: Place) -> QuerySet[Row]:
    """Return rows by time, latest first, after a position."""
    ordered = rows.order_by(f"-{column}", "-pk")
    if not place:
        return ordered
    moment: Any = EPOCH + place[0] * MICROSECOND
    return ordered.filter(**{f"{column}__lte": moment}).exclude(**{column: moment, "pk__gte": place[1]})


# --- The tables of a group, the last opened first, filtered and paged


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted(Chosen):
    """Filter of a group's tables; empty fields match all.

    ``person`` includes people merged into them. ``words`` are searched for in notes, places and tags.
    """

    person: int | None = None
    state: str = ""
    words: str = ""
    place: str = ""
    tag: str = ""


class Page(NamedTuple):
    """A page of tables, and the cursor of the next one, if any.

    ``found`` maps table ids to the text that matched.
    """

    rows: Sequence[Table]
    following: Place
    found: Mapping[int, str]


def page_of_tables(group: Group, wanted: Wanted, *, after: Place = (), most: int) -> Page:
    """Return a page of the matching tables, the last opened first."""
    rows = among(Table.objects.filter(group=group), wanted)
    if wanted.person is not None:
        same = Person.objects.filter(Q(pk=wanted.person) | Q(merged_into=wanted.person), group=group)
        rows = rows.filter(pk__in=SeatedPerson.objects.filter(person__in=same).values("table"))
    if wanted.state:
        over = tables_over(group).values("pk")
        rows = rows.filter(pk__in=over) if wanted.state == FINISHED else rows.exclude(pk__in=over)
    if wanted.place:
        rows = rows.filter(played_at_place(group, wanted.place))
    if wanted.tag:
        rows = rows.filter(tagged(group, wanted.tag))
    found = dict[int, str]()
    if terms := wanted.words.casefold().split():
        found = {table: text for table, text in _texts(group) if all(word in text.casefold() for word in terms)}
        rows = rows.filter(pk__in=found)
    # Ids first, then rows, so that the database doesn't sort whole snapshots.
    places = list(latest_after(rows, "created", after).values_list("created", "pk")[: most + 1])
    read = heads().in_bulk([pk for _created, pk in places[:most]])
    following = place_in_time(*places[most - 1]) if len(places) > most else ()
    return Page([read[pk] for _created, pk in places[:most] if pk in read], following, found)


def _texts(group: Group) -> Iterator[tuple[int, str]]:
    evenings = said_of_evenings(group)
    for row in Table.objects.filter(group=group).only("evening", "place", "note", "tags"):
        said = said_of(row, evenings)
        about = " · ".join(filter(None, (said.place, ", ".join(said.tags))))
        for text in (evenings[row.evening].note if row.evening in evenings else "", about, said.note):
            if text:
                yield row.pk, text
    notes = TableEvent.objects.filter(_IS_NOTE, table__group=group, amended_by__isnull=True)
    for table, event in notes.values_list("table", "event"):
        yield table, str((event or {}).get("text", ""))


def notes_at(tables: Collection[int]) -> QuerySet[TableEvent, int]:
    """Return the ids of those tables that have notes."""
    return (
        TableEvent.objects.filter(_IS_NOTE, table__in=tables, amended_by__isnull=True)
        .order_by()
        .values_list("table", flat=True)
        .distinct()
    )


def people_at(rows: Collection[Table]) -> Mapping[int, Sequence[int | None]]:
    """Return the people of each table by seat, ``None`` for guests."""
    seats: dict[int, list[int | None]] = {row.pk: [None] * len(row.seats) for row in rows}
    seated = list(SeatedPerson.objects.filter(table__in=seats).values_list("table", "seat", "person"))
    merged = Person.objects.filter(group__in={row.group_id for row in rows}, merged_into__isnull=False)
    other = dict(merged.values_list("pk", "merged_into")) if seated else {}
    for table, seat, person in seated:
        seats[table][seat] = other.get(person, person)
    return seats


def following_codes(rows: Iterable[Table]) -> Mapping[int, str]:
    later = Table.objects.filter(previous__in=[row.pk for row in rows])
    return {previous: code for previous, code in later.values_list("previous", "code") if previous is not None}


# --- Former players of a continued game, who rejoin with the points they left with


@dataclass(frozen=True, slots=True)
class FormerPlayer:
    """A player of an earlier table of the same game: a person of the group, or just a name.

    ``sat`` is stored by the next table: how many tables back, and which seat.
    """

    name: str
    person: int | None
    total: int
    sat: tuple[int, int]

    @property
    def key(self) -> object:
        return key_of_player(self.name, self.person)


def former_players(row: Table) -> Sequence[FormerPlayer]:
    """Return players of the game's earlier tables who don't sit here, latest first."""
    players = zip(row.seats, people_at([row])[row.pk], strict=True)
    seen, left = {key_of_player(name, person) for name, person in players}, list[FormerPlayer]()
    for back, earlier in enumerate(tables_before(row), 2):
        try:
            totals = standing_now(earlier).state.totals()
        except Refused:
            continue
        sat = zip(earlier.seats, people_at([earlier])[earlier.pk], totals, strict=True)
        there = [FormerPlayer(name, person, total, (back, seat)) for seat, (name, person, total) in enumerate(sat)]
        here = [each for each in there if each.key not in seen]
        seen |= {each.key for each in here}
        left += here
    return left


# --- Places, notes and tags of tables and evenings, and finding tables by them


class Said(NamedTuple):
    place: str = ""
    note: str = ""
    tags: tuple[str, ...] = ()


NOTHING = Said()


def said_of_evenings(group: Group, evening: date | None = None) -> Mapping[date, Said]:
    rows = EveningNote.objects.filter(group=group)
    rows = rows if evening is None else rows.filter(evening=evening)
    return {row.evening: Said(row.place, row.note, tuple(row.tags)) for row in rows}


def said_of(row: Table, evenings: Mapping[date, Said]) -> Said:
    """Return a table's own note, and its place and tags, which default to those of its evening."""
    evening = evenings.get(row.evening, NOTHING)
    tags = {as_seen(tag): tag for tag in (*evening.tags, *row.tags)}
    return Said(row.place or evening.place, row.note, tuple(tags.values()))


def places_and_tags(group: Group) -> tuple[list[str], list[str]]:
    """Return the places and tags of a group, most recently used first."""
    own = Table.objects.filter(group=group).exclude(place="", tags=[]).order_by("-created", "-pk")
    evenings = EveningNote.objects.filter(group=group).order_by("-evening")
    said = [*evenings.values_list("place", "tags"), *own.values_list("place", "tags")]
    places = {as_seen(place): place for place, _tags in reversed(said) if place}
    tags = {as_seen(tag): tag for _place, own_tags in reversed(said) for tag in own_tags}
    return [*reversed(places.values())], [*reversed(tags.values())]


def played_at_place(group: Group, place: str) -> Q:
    """Match the group's tables played at a place, their own or their evening's."""
    days = [row.evening for row in EveningNote.objects.filter(group=group) if as_seen(row.place) == as_seen(place)]
    own = Table.objects.filter(group=group).exclude(place="").values_list("place", flat=True).distinct().order_by()
    spelt = [each for each in own if as_seen(each) == as_seen(place)]
    return Q(place__in=spelt) | Q(place="", evening__in=days)


def tagged(group: Group, tag: str) -> Q:
    """Match the group's tables with a tag, their own or their evening's."""
    wanted = as_seen(tag)
    days = [row.evening for row in EveningNote.objects.filter(group=group) if wanted in map(as_seen, row.tags)]
    own = Table.objects.filter(group=group).exclude(tags=[]).values_list("pk", "tags")
    return Q(pk__in=[pk for pk, tags in own if wanted in map(as_seen, tags)]) | Q(evening__in=days)
