"""Evenings of a group: people, results, highlights, and the iCalendar export (RFC 5545)."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta
from fractions import Fraction
from typing import NamedTuple
from zlib import crc32

from django.db.models import OuterRef, Subquery
from django.utils import timezone
from django.utils.translation import gettext as _

from referee.engine.game import find_game
from referee.engine.reader import as_seen
from scoring.groups.reads.charts import distributions
from scoring.groups.reads.group_tables import (
    ALL,
    NOTHING,
    Chosen,
    Said,
    among,
    counted,
    notes_at,
    people_at,
    people_counted,
    said_of,
    said_of_evenings,
)
from scoring.groups.reads.groups import Look, key_of_player, looks_of, marks, people_of
from scoring.groups.reads.seasons import Finish, place_points, ranks, tallies
from scoring.models import Dispute, Group, SeatScore, Table
from scoring.models.table import DECIDED
from scoring.rulings.reads.disputes import DisputeNow, open_disputes
from scoring.tables.reads.access import PLAYED, played_at
from scoring.tables.reads.page_facts import PageFacts, page_facts
from scoring.tables.reads.results import Result, heads, results_of, worked_out
from scoring.tables.reads.rules import name_of
from scoring.tables.reads.state import Standing
from scoring.wording import filled

LONGEST_BREAK = timedelta(hours=8)
"""A table opened within this time after the last one was played belongs to the same evening."""
MOST_TABLES = 500
"""Most tables of one evening that are read."""
SHORTEST_EVENING = timedelta(minutes=1)
LONGEST_LINE = 75
"""Longest line in bytes, without its end; longer ones are folded (RFC 5545, 3.1)."""


@dataclass(frozen=True, slots=True)
class Who:
    """A participant of an evening: a person of the group, or a guest known only by name.

    ``namesake``: a guest who shares the name of a person who was there too.
    """

    name: str
    person: int | None = None
    colour: str = ""
    mark: str = ""
    namesake: bool = False

    @property
    def shown(self) -> str:
        return filled(_("{name} (guest)"), name=self.name) if self.namesake else self.name

    @property
    def look(self) -> Look | None:
        return Look(self.colour, self.mark) if self.colour else None

    @property
    def key(self) -> object:
        """The player's identity across tables."""
        return key_of_player(self.name, self.person)


class EveningTable(NamedTuple):
    """A table of an evening with its players; ``result`` is ``None`` if its game is not installed.

    ``noted``: it has a note; ``disputed``: the referee was called; ``said``: its place, note and tags.
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
    """A participant, with wins and places of finished games, and points per game.

    ``points`` exclude carried and hidden ones. A continued game counts once in ``tables``. ``came`` is when the
    person's first table opened; ``left`` is when their last one ended, if others have opened one since; ``plays``: is
    at a running table.
    """

    who: Who
    rank: int
    wins: Fraction
    places: Fraction
    points: Mapping[str, int]
    tables: int
    came: datetime
    left: datetime | None
    plays: bool


class Evening(NamedTuple):
    """The tables of one evening in order of opening, and its people by rank."""

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
    def wins(self) -> list[tuple[Who, Fraction]]:
        """People with the number of games won, most first."""
        return sorted(((each.who, each.wins) for each in self.people), key=lambda each: -each[1])

    @property
    def over(self) -> list[EveningTable]:
        """Finished tables with visible points, in order of finishing."""
        ended = [table for table in self.tables if table.result is not None and table.result.ranks]
        return sorted(ended, key=lambda table: (played_at(table.row), table.row.pk))

    @property
    def games(self) -> int:
        return len(self.over)

    @property
    def played(self) -> list[str]:
        """Ids of the games played, in the order of their first tables."""
        return list(dict.fromkeys(table.row.game for table in self.tables))

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
    return [Evening(day, tuple(by_day[day]), ranked(by_day[day], group.ranked_by)) for day in days]


def evening_on(group: Group, day: str) -> Evening | None:
    """Return the evening of an ISO date; ``None`` if the date is invalid or nothing was played."""
    try:
        [shown] = evenings_of(group, [date.fromisoformat(day)])
    except ValueError:
        return None
    return shown if shown.tables else None


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
    """Map each table's id to the first table of its game, by ``previous``; ``tables`` must be in order of opening."""
    first: dict[int, int] = {}
    for table in tables:
        first[table.row.pk] = first.get(table.row.previous_id or 0, table.row.pk)
    return first


def finishes(table: EveningTable) -> list[Finish[object]]:
    """Return the places at a table; empty if no game ended there or points are hidden."""
    ended = () if table.result is None else table.result.ranks
    return [
        Finish(who.key, side, rank)
        for who, side, rank in zip(table.seated, table.result.sides if table.result else (), ended, strict=False)
    ]


def ranked(tables: Sequence[EveningTable], by: str) -> tuple[Present, ...]:
    """Rank the people at some tables by wins or places; equal people share a rank."""
    who: dict[object, Who] = {}
    points = defaultdict[object, dict[str, int]](dict)
    sat = defaultdict[object, list[EveningTable]](list)
    for table in tables:
        brought = table.result.points if table.result is not None else None
        for seat, each in enumerate(table.seated):
            who.setdefault(each.key, each)
            sat[each.key].append(table)
            if brought:
                points[each.key][table.row.game] = points[each.key].get(table.row.game, 0) + brought[seat]
    made = tallies(map(finishes, tables))
    rank = ranks({key: made[key] for key in sat}, by)
    last, first = max((table.row.created for table in tables), default=None), games_at(tables)
    shown = dict(zip(who, _told_apart([*who.values()]), strict=True))
    present = []
    for key, own in sat.items():
        latest, plays = own[-1].row, any(table.runs for table in own)
        stayed = plays or last is None or latest.created >= last
        present.append(
            Present(
                who=shown[key],
                rank=rank[key],
                wins=made[key].wins,
                places=made[key].places,
                points=points[key],
                tables=len({first[table.row.pk] for table in own}),
                came=own[0].row.created,
                left=None if stayed else played_at(latest),
                plays=plays,
            )
        )
    return tuple(sorted(present, key=lambda each: each.rank))


def places_over_time(evening: Evening, people: Sequence[Who]) -> list[tuple[str, tuple[int, ...]]]:
    """Return people's cumulative place points at the start of an evening and after each of its games."""
    made, rows = defaultdict[object, Fraction](Fraction), [("0", (0,) * len(people))]
    for number, table in enumerate(evening.over, 1):
        there = finishes(table)
        for each, places in zip(there, place_points(there), strict=True):
            made[each.who] += places
        rows.append((str(number), tuple(round(made[each.key]) for each in people)))
    return rows


class RunningNow(NamedTuple):
    """A running table: its state, the other facts its page shows, and open disputes."""

    at: Standing
    facts: PageFacts
    disputes: Sequence[DisputeNow]


def running_now(evening: Evening) -> Mapping[int, RunningNow]:
    standings = worked_out([table.row.pk for table in evening.tables if table.runs])
    return {pk: RunningNow(at, page_facts(at), open_disputes(at.row)) for pk, at in standings.items()}


def group_marks(groups: Collection[int]) -> Mapping[int, int]:
    """Return a checksum per group that changes with the group or a table of its last evening, in two queries."""
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


# --- The evenings of a group as a calendar (RFC 5545): one event each, with games and points


def calendar_of(group: Group, chosen: Chosen) -> str:
    """Return a group's evenings as an iCalendar file.

    An evening lasts from the first table opened to the last one over; while a table is running, it ends now.
    """
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
        told = []
        for game, made in points[evening].items():
            brought = sorted(made.items(), key=lambda each: (-each[1], each[0]))
            told.append(f"{game_name(game)}: {', '.join(f'{name} {sum_}' for name, sum_ in brought)}")
        if told:
            lines.append(f"DESCRIPTION:{_text(chr(10).join(told))}")
        lines += ["TRANSP:TRANSPARENT", "END:VEVENT"]
    return "".join(f"{line}\r\n" for line in _folded([*lines, "END:VCALENDAR"]))


def _points(group: Group, chosen: Chosen) -> defaultdict[date, dict[str, dict[str, int]]]:
    people = people_counted(group)
    made: defaultdict[date, dict[str, dict[str, int]]] = defaultdict(dict)
    rows = counted(group.pk, chosen).filter(person__isnull=False).order_by("evening", "finished_at", "pk")
    for evening, game, person, points, total in rows.values_list("evening", "game", "person", "points", "total"):
        name, at_game = people.names[people.counts_as[person or 0]], made[evening].setdefault(game, {})
        at_game[name] = at_game.get(name, 0) + (total if points is None else points)
    return made


def game_name(game: str) -> str:
    found = find_game(game)
    return game if found is None else name_of(found)


def _moment(moment: datetime) -> str:
    return f"{moment.astimezone(UTC):%Y%m%dT%H%M%SZ}"


def _text(text: str) -> str:
    r"""Escape a text as a property value, dropping control characters except tabs.

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


# --- Highlights of an evening: winner, best hand, closest games, rulings, and the evening a year ago

YEAR = timedelta(days=365)
ABOUT = timedelta(days=3)
"""Days by which an evening may differ to count as *a year ago*."""
MOST_RULINGS = 20


class HandOfNight(NamedTuple):
    """The evening's rarest hand: the one that fewest of the group's hands at its game have equaled."""

    who: Who
    table: EveningTable
    hand: int
    points: int


class ClosestGame(NamedTuple):
    """The closest result at a game; ``margin`` is in points, between first and second place."""

    table: EveningTable
    margin: int


class RulingOfNight(NamedTuple):
    """A dispute decided that evening."""

    table: str
    number: int
    claim: str
    ruling: str


class Digest(NamedTuple):
    """The highlights; missing ones are empty. The latest ruling is first."""

    winners: tuple[Who, ...]
    hand: HandOfNight | None
    closest: tuple[ClosestGame, ...]
    rulings: tuple[RulingOfNight, ...]
    year_ago: Evening | None


def digest_of(group: Group, evening: Evening) -> Digest:
    shown = {table.row.pk: table for table in evening.tables if table.result and table.result.points is not None}
    rulings = Dispute.objects.filter(table__in=[table.row.pk for table in evening.tables], state__in=DECIDED)
    last = rulings.filter(decided__isnull=False).order_by("-decided", "-pk")
    told = last.values_list("table__code", "number", "claim", "ruling")[:MOST_RULINGS]
    return Digest(
        tuple(each.who for each in evening.people if each.rank == 1) if evening.games else (),
        _hand(group, shown),
        tuple(_closest(evening)),
        tuple(RulingOfNight(*each) for each in told),
        _year_ago(group, evening.day),
    )


def _hand(group: Group, shown: Mapping[int, EveningTable]) -> HandOfNight | None:
    """Return the evening's rarest hand, compared with all the group's hands at its game; the earliest on a tie."""
    rows = SeatScore.objects.filter(table__in=shown, best_hand__isnull=False).order_by("table", "seat")
    best, least = None, (2.0, 0)
    columns = ("table", "seat", "game", "best_hand", "best_number", "lowest")
    for table, seat, game, best_hand, number, lowest in rows.values_list(*columns):
        points = best_hand or 0
        scores = distributions(group, Chosen(game=game)).scores
        count = sum(scores.values()) or 1
        as_good = sum(hands for each, hands in scores.items() if (each <= points if lowest else each >= points))
        rare = (as_good / count, -count)
        if rare < least:
            best, least = HandOfNight(shown[table].seated[seat], shown[table], (number or 0) + 1, points), rare
    return best


def _closest(evening: Evening) -> Iterator[ClosestGame]:
    """Yield the closest result of each game finished several times tonight, or as the only game; the earliest on a tie.

    Different games are not compared. A game finished once among others counts only if it ended in a tie at the top.
    """
    ended = Counter(table.row.game for table in evening.over)
    best: dict[str, ClosestGame] = {}
    for table in evening.over:
        apart, game = _margin(table), table.row.game
        if apart is None or (apart and len(ended) > 1 and ended[game] == 1):
            continue
        if game not in best or apart < best[game].margin:
            best[game] = ClosestGame(table, apart)
    yield from best.values()


def _margin(table: EveningTable) -> int | None:
    """Return the points between the first and the second side; ``None`` if there are no points."""
    result = table.result
    if result is None or result.totals is None or not any(result.totals):
        return None
    sides = dict(zip(result.sides, zip(result.ranks, result.totals, strict=True), strict=True))
    first, *others = sorted(sides.values(), key=lambda each: each[0])
    return abs(first[1] - others[0][1]) if others else None


def _year_ago(group: Group, day: date) -> Evening | None:
    then = day - YEAR
    days = Table.objects.filter(group=group, evening__range=(then - ABOUT, then + ABOUT)).order_by("evening")
    near = min(days.values_list("evening", flat=True).distinct(), key=lambda each: abs(each - then), default=None)
    return None if near is None else evenings_of(group, [near])[0]
