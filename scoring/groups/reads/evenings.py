"""Evenings and seasons of a group: who was there, what each has brought, and all of them as a calendar (RFC 5545)."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta
from typing import NamedTuple, TypedDict
from zlib import crc32

from django.db.models import Max, OuterRef, Subquery
from django.utils import timezone
from django.utils.translation import gettext as _

from referee.engine.game import find_game
from referee.engine.reader import as_seen
from referee.engine.sheet import GameKey
from scoring.groups.reads.evening_notes import NOTHING, Said, said_of, said_of_evenings
from scoring.groups.reads.group_tables import (
    ALL,
    Chosen,
    among,
    counted,
    notes_at,
    people_at,
    people_counted,
    with_who,
)
from scoring.groups.reads.groups import key_of_player, people_of
from scoring.groups.reads.looks import Look, looks_of, marks
from scoring.models import Dispute, Group, SeatScore, Table, TableEvent
from scoring.rulings.reads.disputes import DisputeNow, open_disputes
from scoring.tables.reads.access import PLAYED, played_at
from scoring.tables.reads.page_facts import PageFacts, page_facts
from scoring.tables.reads.results import Result, ended_by_clock, heads, results_of, worked_out
from scoring.tables.reads.state import Standing

LONGEST_BREAK = timedelta(hours=8)
"""A group that opens a table so long after the one before it was played still has the same evening."""
MOST_TABLES = 500
"""Tables of one evening that are read."""
Hands = Sequence[tuple[datetime, int, Sequence[int]]]
"""Hands that are over, and games known by their totals: when, at which table, and what each seat there got."""
SHORTEST_EVENING = timedelta(minutes=1)
LONGEST_LINE = 75
"""Bytes of a line without its end; a longer one goes on in the next, after a space."""


@dataclass(frozen=True, slots=True)
class Who:
    """Somebody at an evening: a person of the group, or a guest, who is known by name alone.

    ``namesake``: a guest whose name somebody of the group has who was there, too.
    """

    name: str
    person: int | None = None
    colour: str = ""
    mark: str = ""
    namesake: bool = False

    @property
    def shown(self) -> str:
        return _("{name} (guest)").format(name=self.name) if self.namesake else self.name

    @property
    def look(self) -> Look | None:
        return Look(self.colour, self.mark) if self.colour else None

    @property
    def key(self) -> object:
        """By what somebody is known from table to table."""
        return key_of_player(self.name, self.person)


class EveningTable(NamedTuple):
    """A table of an evening with who sits where; without a result its game is not installed here.

    ``noted``: somebody wrote a note there; ``disputed``: somebody called the referee; ``said``: where it was, a note on
    it, and its tags.
    """

    row: Table
    seated: tuple[Who, ...]
    result: Result | None
    noted: bool = False
    disputed: bool = False
    said: Said = NOTHING

    @property
    def runs(self) -> bool:
        return not (self.row.finished if self.result is None else self.result.finished)


class Present(NamedTuple):
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


class Evening(NamedTuple):
    """The tables of one night, the first opened first, and who was there, those with most points first."""

    day: date
    tables: tuple[EveningTable, ...]
    people: tuple[Present, ...]

    @property
    def runs(self) -> bool:
        return any(table.runs for table in self.tables)

    @property
    def points_hidden(self) -> bool:
        return any(table.result is not None and table.result.points is None for table in self.tables)

    @property
    def wins(self) -> list[tuple[Who, int]]:
        """Who was there, with the games that each has won or shared tonight, those with most first."""
        won = Counter(table.seated[seat].key for table in self.tables if table.result for seat in table.result.winners)
        ranking = [(each.who, won[each.who.key]) for each in self.people]
        return sorted(ranking, key=lambda each: -each[1])

    @property
    def games(self) -> int:
        return sum(bool(table.result and table.result.winners) for table in self.tables)

    @property
    def out(self) -> tuple[Present, ...]:
        return tuple(each for each in self.people if not each.plays) if self.runs else ()


def days_of(group: Group, *, before: date | None = None, chosen: Chosen = ALL, most: int) -> list[date]:
    rows = among(Table.objects.filter(group=group), chosen)
    if before is not None:
        rows = rows.filter(evening__lt=before)
    return list(rows.order_by("-evening").values_list("evening", flat=True).distinct()[:most])


def days_beside(group: Group, day: date) -> tuple[date | None, date | None]:
    days = Table.objects.filter(group=group).order_by("evening").values_list("evening", flat=True)
    return days.filter(evening__lt=day).last(), days.filter(evening__gt=day).first()


def evenings_of(group: Group, days: Sequence[date]) -> list[Evening]:
    rows = heads().filter(group=group, evening__in=days).order_by("evening", "created", "pk")
    tables = tables_shown(group, list(rows[: MOST_TABLES * len(days)]))
    by_day = defaultdict[date, list[EveningTable]](list)
    for table in tables:
        by_day[table.row.evening].append(table)
    return [Evening(day, tuple(by_day[day]), ranked(by_day[day])) for day in days]


def tables_shown(group: Group, rows: Sequence[Table]) -> list[EveningTable]:
    members = people_of(group)
    looks = looks_of(members)
    people = {
        person.pk: Who(person.name, person.pk, *looks[person.pk]) for person in members if person.merged_into_id is None
    }
    seats, results = people_at(rows), results_of(rows)
    shown = [row.pk for row in rows]
    disputed = {*Dispute.objects.filter(table__in=shown).values_list("table", flat=True)}
    noted, said = {*notes_at(shown)}, said_of_evenings(group)
    return [
        EveningTable(
            row,
            _told_apart(
                [people.get(person or 0) or guest(name) for person, name in zip(seats[row.pk], row.seats, strict=True)]
            ),
            results.get(row.pk),
            row.pk in noted,
            row.pk in disputed,
            said_of(row, said),
        )
        for row in rows
    ]


def guest(name: str) -> Who:
    return Who(name, mark=marks([name])[0])


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
            who.setdefault(each.key, each)
            sat[each.key].append(table)
            points[each.key] += brought[seat] if brought else 0
    last, first = max((table.row.created for table in tables), default=None), games_at(tables)
    shown = dict(zip(who, _told_apart([*who.values()]), strict=True))
    present = []
    for key, own in sat.items():
        latest, plays = own[-1].row, any(table.runs for table in own)
        stayed = plays or last is None or latest.created >= last
        present.append(
            Present(
                who=shown[key],
                rank=1 + sum(other > points[key] for other in points.values()),
                points=points[key],
                tables=len({first[table.row.pk] for table in own}),
                came=own[0].row.created,
                left=None if stayed else played_at(latest),
                plays=plays,
            )
        )
    return tuple(sorted(present, key=lambda each: each.rank))


def hands_of(evening: Evening) -> Hands:
    shown = [table.row.pk for table in evening.tables if table.result is not None and table.result.points is not None]
    scores = defaultdict[int, list[tuple[int, Mapping[int, int]]]](list)
    rows = SeatScore.objects.filter(table__in=shown).order_by("table", "seat")
    for table, side, lines in rows.values_list("table", "side", "lines"):
        scores[table].append((side, {line[0]: line[1] for line in lines}))
    stood = TableEvent.objects.filter(table__in=shown, event__isnull=False, amends__isnull=True)
    ended = stood.order_by().values_list("table", "hand").annotate(at=Max("at"))
    hands = list[tuple[datetime, int, Sequence[int]]]()
    for table, hand, moment in ended:
        if table in scores and hand in scores[table][0][1]:
            sides = defaultdict[int, int](int)
            for side, points in scores[table]:
                sides[side] += points[hand]
            hands.append((moment, table, [sides[side] for side, _points in scores[table]]))
    for played in evening.tables:
        if played.result is not None and played.result.totals_only and played.result.points is not None:
            hands.append((played_at(played.row), played.row.pk, played.result.points))
    return hands


class RunningNow(NamedTuple):
    """A table that runs: where it stands, what its page shows beside that, and the disputes that are open."""

    at: Standing
    facts: PageFacts
    disputes: Sequence[DisputeNow]


def running_now(evening: Evening) -> Mapping[int, RunningNow]:
    standings = worked_out([table.row.pk for table in evening.tables if table.runs])
    return {pk: RunningNow(at, page_facts(at), open_disputes(at.row)) for pk, at in standings.items()}


def points_over_time(
    tables: Iterable[EveningTable], people: Sequence[Who], hands: Hands
) -> list[tuple[str, tuple[int, ...]]]:
    """Return the points of some people at the start of an evening and after each of its hands, at whatever table."""
    seats = {table.row.pk: [each.key for each in table.seated] for table in tables}
    made = {each.key: 0 for each in people}
    rows = [("0", tuple(made.values()))]
    for number, (_moment, pk, brought) in enumerate(sorted(hands, key=lambda hand: hand[0]), 1):
        for key, points in zip(seats[pk], brought, strict=True):
            if key in made:
                made[key] += points
        rows.append((str(number), tuple(made.values())))
    return rows


def group_marks(groups: Collection[int]) -> Mapping[int, int]:
    """Return the mark of each of these groups that exists; two statements, however many they are."""
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


# --- A season of a group, from one evening to another: what each has brought at all tables that are over, by game


class PersonAtGame(TypedDict):
    """What somebody has brought at a game."""

    game: GameKey
    points: int
    tables: int


class PersonInSeason(TypedDict):
    """What somebody has brought in a season."""

    person: int
    name: str
    rank: int
    points: int
    tables: int
    games: list[PersonAtGame]


def season_of(group: Group, chosen: Chosen) -> list[PersonInSeason]:
    """Return the ranking of a season, most points first; guests are not in it, and hidden points do not count.

    Tables that went on from one another count as one, for those who played at its end.
    """
    made = defaultdict[int, defaultdict[str, list[int]]](lambda: defaultdict(lambda: [0, 0]))
    carried = dict(Table.objects.filter(group=group).values_list("pk", "carried"))
    read = with_who(counted(group.pk, chosen)).filter(who__isnull=False)
    columns = ("table", "seat", "who", "game", "total", "goes_on", "hands")
    for table, seat, who, game, total, goes_on, hands in read.values_list(*columns):
        made[who][game][0] += total - (0 if hands is None else carried[table][seat])
        made[who][game][1] += not goes_on
    # Those that are over since a moment ago do not count yet.
    ended = ended_by_clock(group)
    rows = list(among(heads().filter(pk__in=ended), chosen)) if ended else []
    people, results = people_at(rows), results_of(rows)
    for row in rows:
        for person, brought in zip(people[row.pk], results[row.pk].points or (), strict=False):
            if person is not None:
                made[person][row.game][0] += brought
                made[person][row.game][1] += 1
    sums = {who: [sum(part) for part in zip(*games.values(), strict=True)] for who, games in made.items()}
    names = {person.pk: person.name for person in people_of(group)}
    ranking: list[PersonInSeason] = [
        {
            "person": who,
            "name": names[who],
            "rank": 1 + sum(other > points for other, _tables in sums.values()),
            "points": points,
            "tables": tables,
            "games": [{"game": game, "points": at, "tables": of} for game, (at, of) in sorted(made[who].items())],
        }
        for who, (points, tables) in sums.items()
    ]
    return sorted(ranking, key=lambda each: (each["rank"], each["person"]))


# --- The evenings of a group as a calendar (RFC 5545): an event each, with what was played and what everybody brought


def calendar_of(group: Group, chosen: Chosen) -> str:
    """Return the evenings of a group, from the first table opened to the last one over; one that runs ends now."""
    tables: defaultdict[date, list[tuple[str, datetime, datetime, datetime]]] = defaultdict(list)
    rows = among(Table.objects.filter(group=group), chosen).order_by("created", "pk")
    now = timezone.now()
    read = rows.annotate(played=PLAYED).values_list("evening", "game", "created", "played", "finished", "updated")
    for evening, game, created, last, finished, updated in read:
        over = now if not finished and now - last < LONGEST_BREAK else last
        tables[evening].append((game, created, max(over, created + SHORTEST_EVENING), updated))
    points = _points(group, chosen)
    lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Card table//Evenings//EN", "CALSCALE:GREGORIAN"]
    lines += [f"X-WR-CALNAME:{_text(group.name)}", f"X-WR-TIMEZONE:{group.zone}"]
    for evening, played in sorted(tables.items()):
        games = ", ".join(dict.fromkeys(game_name(game) for game, *_rest in played))
        lines += [
            "BEGIN:VEVENT",
            f"UID:{evening.isoformat()}-{group.pk}-{group.created:%Y%m%d%H%M%S}@card-table",
            f"DTSTAMP:{_moment(max(updated for *_rest, updated in played))}",
            f"DTSTART:{_moment(min(created for _game, created, *_rest in played))}",
            f"DTEND:{_moment(max(over for _game, _created, over, _updated in played))}",
            f"SUMMARY:{_text(f'{group.name}: {games}')}",
        ]
        if points[evening]:
            brought = sorted(points[evening].items(), key=lambda each: (-each[1], each[0]))
            lines.append(f"DESCRIPTION:{_text(chr(10).join(f'{name}: {sum_}' for name, sum_ in brought))}")
        lines += ["TRANSP:TRANSPARENT", "END:VEVENT"]
    return "".join(f"{line}\r\n" for line in _folded([*lines, "END:VCALENDAR"]))


def _points(group: Group, chosen: Chosen) -> defaultdict[date, dict[str, int]]:
    people = people_counted(group)
    made: defaultdict[date, dict[str, int]] = defaultdict(dict)
    rows = counted(group.pk, chosen).filter(person__isnull=False).order_by("evening", "pk")
    for evening, person, points, total in rows.values_list("evening", "person", "points", "total"):
        name = people.names[people.counts_as[person or 0]]
        made[evening][name] = made[evening].get(name, 0) + (total if points is None else points)
    return made


def game_name(game: str) -> str:
    found = find_game(game)
    return game if found is None else found.name


def _moment(moment: datetime) -> str:
    return f"{moment.astimezone(UTC):%Y%m%dT%H%M%SZ}"


def _text(text: str) -> str:
    r"""Return a text as the value of a property, which holds no control characters but tabs.

    >>> _text("Ann, Bob; “x” \\ y\nz\u2028a\x07") == "Ann\\, Bob\\; “x” \\\\ y\\nz\\na"
    True
    """
    for plain in "\\;,":
        text = text.replace(plain, f"\\{plain}")
    return "\\n".join("".join(c for c in line if c.isprintable() or c == "\t") for line in text.splitlines())


def _folded(lines: Iterable[str]) -> Iterator[str]:
    for line in lines:
        part, size = "", 0
        for letter in line:
            wide = len(letter.encode())
            if size + wide > LONGEST_LINE:
                yield part
                part, size = " ", 1
            part, size = part + letter, size + wide
        yield part
