"""Reader of past games from a file: CSV with a row per game or per player, or an export of BG Stats.

Each game becomes a draft or a reason why it can't be imported; its names are matched to the group's people. Nothing is
stored here.
"""

import csv
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, time, timedelta
from io import StringIO
from typing import Any, NamedTuple

from referee.engine.reader import as_seen, read_json_object
from referee.engine.rules import Problem, Refused
from referee.engine.texts import Phrase, phrase
from referee.notation.cells import bare
from referee.notation.words import BYTE_ORDER_MARK, plain_lines
from scoring.groups.reads.groups import people_of, person_named, strangers
from scoring.models import Group, Person, SeatScore
from scoring.models.fields import EVENING_ENDS

DATE, GAME, PLACE, NOTE, TAGS, TIME, MINUTES, TABLE = (
    "date",
    "game",
    "place",
    "note",
    "tags",
    "time",
    "minutes",
    "table",
)
PLAYER, POINTS, PERSON, NOTHING = "player", "points", "person", ""
ROLES = (DATE, GAME, PLACE, NOTE, TAGS, TIME, MINUTES, TABLE, PLAYER, POINTS, PERSON, NOTHING)
"""The roles of a column: a fact about the game, the player, the player's points, or one person's points."""
HEADINGS: Mapping[str, Sequence[str]] = {
    DATE: ("date", "day", "evening", "played", "played on", "play date", "datum", "tag", "abend", "gespielt am"),
    GAME: ("game", "game name", "spiel"),
    PLACE: ("place", "location", "where", "ort", "wo"),
    NOTE: ("note", "notes", "comment", "comments", "remark", "notiz", "notizen", "bemerkung", "kommentar"),
    TAGS: ("tags", "labels", "schlagworte"),
    TIME: ("time", "start", "begin", "uhrzeit", "zeit", "beginn"),
    MINUTES: ("minutes", "duration", "length", "dauer", "minuten"),
    TABLE: ("table", "play", "play id", "match", "id", "round", "no", "nr", "tisch", "partie", "runde"),
    PLAYER: ("player", "name", "person", "who", "spieler", "spielerin", "wer"),
    POINTS: ("total", "score", "points", "result", "punkte", "ergebnis", "gesamt", "summe"),
}
"""Headings that identify each role; earlier ones win if two columns match."""
MOST_COLUMNS, MOST_LINES = 100, 5000
LONGEST_SAMPLE = 40


class Column(NamedTuple):
    """A column of a file; ``sample`` is its first value."""

    heading: str
    sample: str
    role: str


@dataclass(frozen=True, slots=True)
class Draft:
    """A game read from a file, with its line: names and texts unchanged, points and dates parsed.

    ``lowest``: whether the lowest score wins; ``None`` if unknown.
    """

    line: int
    game: str
    day: date
    players: tuple[tuple[str, int], ...]
    at: time | None = None
    minutes: int = 0
    place: str = ""
    note: str = ""
    tags: tuple[str, ...] = ()
    lowest: bool | None = None


class LeftOut(NamedTuple):
    """A line of a file that is not a valid game, and why."""

    line: int
    why: Phrase


@dataclass(frozen=True, slots=True)
class Sheet:
    """The cells of a CSV file, each row with its line number."""

    headings: tuple[str, ...]
    rows: tuple[tuple[int, tuple[str, ...]], ...]

    def column(self, place: int) -> Iterator[str]:
        return (cells[place] for _line, cells in self.rows if cells[place])


@dataclass(frozen=True, slots=True)
class Found:
    """The content of a file; ``days_unclear``: dates could be day first or month first."""

    drafts: tuple[Draft, ...] = ()
    left_out: tuple[LeftOut, ...] = ()
    columns: tuple[Column, ...] = ()
    days_unclear: bool = False
    without_game: bool = False


# --- CSV


def read_sheet(text: str) -> Sheet:
    """Parse CSV separated by commas, semicolons or tabs. Raises ``Refused``."""
    content = plain_lines(text.removeprefix(BYTE_ORDER_MARK))
    first = next((line for line in content.split("\n") if line.strip()), "")
    separator = max(",;\t", key=first.count)
    reader = csv.reader(StringIO(content, newline=""), delimiter=separator)
    rows = list[tuple[int, tuple[str, ...]]]()
    try:
        for cells in reader:
            if any(cell.strip() for cell in cells):
                rows.append((reader.line_num, tuple(bare(cell, separator).strip() for cell in cells)))
    except csv.Error:
        raise _refused(phrase("Line {line} isn’t CSV.", line=reader.line_num)) from None
    if len(rows) < 2 or len(rows[0][1]) < 2:
        raise _refused("The first line names the columns, and each line below is a game or a player.")
    if len(rows[0][1]) > MOST_COLUMNS or len(rows) > MOST_LINES:
        raise _refused(
            phrase("A file can have up to {columns} columns and {lines} lines.", columns=MOST_COLUMNS, lines=MOST_LINES)
        )
    headings = rows[0][1]
    wide = len(headings)
    return Sheet(headings, tuple((line, (*cells, *[""] * wide)[:wide]) for line, cells in rows[1:]))


def _refused(why: Phrase | str) -> Refused:
    return Refused([Problem("", "bad-file", why)])


def guessed_roles(sheet: Sheet) -> list[str]:
    """Guess the role of each column from its heading; a column of numbers is one person's points."""
    roles = [NOTHING] * len(sheet.headings)
    spoken = [as_seen(heading).strip(" .:") for heading in sheet.headings]
    for role, words in HEADINGS.items():
        named = (place for word in words for place, heading in enumerate(spoken) if heading == word)
        for place in named:
            if not roles[place]:
                roles[place] = role
                break
    if PLAYER in roles and POINTS in roles:
        return roles
    taken = {PLAYER, POINTS}
    for place, role in enumerate(roles):
        if role in taken or (not role and sheet.headings[place] and _is_numbers(sheet.column(place))):
            roles[place] = PERSON if _is_numbers(sheet.column(place)) else NOTHING
    return roles


def _is_numbers(cells: Iterable[str]) -> bool:
    """Return whether most cells are numbers; the others are reported by line later."""
    read = [points_of(cell) is not None for cell in cells]
    return sum(read) * 2 > len(read)


def read_csv(text: str, roles: Sequence[str] = (), *, month_first: bool | None = None, game: str = "") -> Found:
    """Read past games from CSV; ``game`` applies where no column names the game. Raises ``Refused``."""
    sheet = read_sheet(text)
    chosen = list(roles) if len(roles) == len(sheet.headings) else guessed_roles(sheet)
    columns = tuple(
        Column(heading, next(sheet.column(place), "")[:LONGEST_SAMPLE], chosen[place])
        for place, heading in enumerate(sheet.headings)
    )
    place_of = {role: place for place, role in reversed([*enumerate(chosen)]) if role not in (PERSON, NOTHING)}
    days = list(sheet.column(place_of[DATE])) if DATE in place_of else []
    order = _month_first(days)
    month_first = order if order is not None else month_first
    made = [
        _draft(rows, sheet.headings, chosen, place_of, month_first=bool(month_first), game=game)
        for rows in _games_in(sheet, chosen, place_of)
    ]
    return Found(
        drafts=tuple(each for each in made if isinstance(each, Draft)),
        left_out=tuple(each for each in made if isinstance(each, LeftOut)),
        columns=columns,
        days_unclear=order is None and any(SLASHED.match(day) for day in days),
        without_game=GAME not in place_of,
    )


Row = tuple[int, tuple[str, ...]]


def _games_in(sheet: Sheet, roles: Sequence[str], place_of: Mapping[str, int]) -> Iterator[list[Row]]:
    if PLAYER not in place_of or POINTS not in place_of:
        yield from ([row] for row in sheet.rows)
        return
    known = [place_of[role] for role in (DATE, GAME, TABLE, TIME) if role in place_of]
    rows = list[Row]()
    for row in sheet.rows:
        name = as_seen(row[1][place_of[PLAYER]])
        same = rows and all(row[1][place] == rows[0][1][place] for place in known)
        again = any(as_seen(cells[place_of[PLAYER]]) == name for _line, cells in rows)
        if rows and (not same or again):
            yield rows
            rows = []
        rows.append(row)
    if rows:
        yield rows


def _draft(
    rows: Sequence[Row], headings: Sequence[str], roles: Sequence[str], place_of: Mapping[str, int], *,
    month_first: bool, game: str,
) -> Draft | LeftOut:  # fmt: skip
    line, cells = rows[0]

    def told(role: str) -> str:
        return cells[place_of[role]] if role in place_of else ""

    when = read_day(told(DATE), month_first=month_first)
    if when is None:
        return LeftOut(line, phrase("We can’t read the date. Write it like 2026-03-12."))
    if PLAYER in place_of and POINTS in place_of:
        scores = [(number, each[place_of[PLAYER]], each[place_of[POINTS]]) for number, each in rows]
    else:
        scores = [(line, headings[place], cells[place]) for place, role in enumerate(roles) if role == PERSON]
    players = list[tuple[str, int]]()
    for number, name, text in scores:
        points = points_of(text)
        if points is not None and name.strip():
            players.append((name.strip(), points))
        elif text or PLAYER in place_of:
            return LeftOut(number, phrase("{name}’s points aren’t a whole number.", name=name or "?"))
    clock = CLOCK.fullmatch(told(TIME))
    return Draft(
        line=line,
        game=told(GAME) or game,
        day=when[0],
        at=_clock(clock) if clock else when[1],
        players=tuple(players),
        minutes=max(0, points_of(told(MINUTES)) or 0),
        place=told(PLACE),
        note=told(NOTE),
        tags=tuple(filter(None, (tag.strip() for tag in re.split("[,;]", told(TAGS))))),
    )


WHOLE = re.compile(r"[+-]?\d{1,7}([.,]0+)?")
SUM = re.compile(r"[+-]?\d{1,7}([+-]\d{1,7})+")


def points_of(text: str) -> int | None:
    """Parse an integer, or a sum of integers as BG Stats allows it; ``None`` for anything else.

    >>> points_of("12"), points_of("−3"), points_of("4,0"), points_of("10+5-2"), points_of("1.5"), points_of("")
    (12, -3, 4, 13, None, None)
    """
    plain = "".join(text.split()).replace("−", "-")
    if WHOLE.fullmatch(plain):
        return int(re.split("[.,]", plain)[0])
    return sum(map(int, re.findall(r"[+-]?\d+", plain))) if SUM.fullmatch(plain) else None


ISO = re.compile(r"(\d{4})-(\d{1,2})-(\d{1,2})(?:[T ]+(\d{1,2}:\d{2})(?::\d{2}.*)?)?")
DOTTED = re.compile(r"(\d{1,2})\.\s*(\d{1,2})\.\s*(\d{2}|\d{4})(?:,?\s+(\d{1,2}:\d{2})(?::\d{2})?)?")
SLASHED = re.compile(r"(\d{1,2})/(\d{1,2})/(\d{2}|\d{4})(?:,?\s+(\d{1,2}:\d{2})(?::\d{2})?)?")
CLOCK = re.compile(r"(\d{1,2}):(\d{2})(?::\d{2})?")


def read_day(text: str, *, month_first: bool = False) -> tuple[date, time | None] | None:
    """Parse a date with an optional time of day; ``None`` if it is invalid.

    >>> read_day("12.3.19"), read_day("2019-03-12 20:15:00")
    ((datetime.date(2019, 3, 12), None), (datetime.date(2019, 3, 12), datetime.time(20, 15)))
    >>> read_day("3/12/2019", month_first=True), read_day("31.2.2019")
    ((datetime.date(2019, 3, 12), None), None)
    """
    if found := ISO.fullmatch(text.strip()):
        year, month, day = (int(part) for part in found.groups()[:3])
    elif found := DOTTED.fullmatch(text.strip()) or SLASHED.fullmatch(text.strip()):
        day, month, year = (int(part) for part in found.groups()[:3])
        if month_first and "/" in text:
            day, month = month, day
        year += 2000 if year < 100 else 0
    else:
        return None
    try:
        clock = CLOCK.fullmatch(found[4] or "")
        return date(year, month, day), _clock(clock) if clock else None
    except ValueError:
        return None


def _clock(found: re.Match[str]) -> time | None:
    hour, minute = int(found[1]), int(found[2])
    return time(hour, minute) if hour < 24 and minute < 60 else None


def _month_first(days: Iterable[str]) -> bool | None:
    """Return whether dates with slashes put the month first; ``None`` if ambiguous."""
    read = [(int(found[1]), int(found[2])) for cell in days if (found := SLASHED.match(cell))]
    if any(first > 12 for first, _second in read):
        return False
    return True if any(second > 12 for _first, second in read) else None


# --- The export of BG Stats (BGStatsExport.json): plays, which refer to players, games and places by id


def read_bgstats(text: str) -> Found:
    """Read past games from a BG Stats export, skipping missing parts. Raises ``Refused``.

    A play's ``line`` is its position in the file, from 1.
    """
    data = read_json_object(text.removeprefix(BYTE_ORDER_MARK))
    plays = data.get("plays")
    if not isinstance(plays, list):
        raise _refused("This is no export of BG Stats: there are no plays in it.")
    if len(plays) > MOST_LINES:
        raise _refused(phrase("A file can have up to {lines} plays.", lines=MOST_LINES))
    highest = {_ref(each, "id"): each.get("highestWins") for each in _rows(data.get("games"))}
    lowest = {game: not wins for game, wins in highest.items() if isinstance(wins, bool)}
    names = {part: _by_id(data.get(part)) for part in ("players", "games", "locations", "tags")}
    made = [_play(number, play, names, lowest) for number, play in enumerate(plays, 1) if isinstance(play, Mapping)]
    return Found(
        drafts=tuple(each for each in made if isinstance(each, Draft)),
        left_out=tuple(each for each in made if isinstance(each, LeftOut)),
    )


def _by_id(rows: object) -> Mapping[object, str]:
    return {
        each["id"]: str(each.get("name") or each.get("bggName") or "").strip()
        for each in _rows(rows)
        if isinstance(each.get("id"), int | str)
    }


def _rows(value: object) -> list[Mapping[str, Any]]:
    return [each for each in value if isinstance(each, Mapping)] if isinstance(value, list) else []


def _play(
    number: int,
    play: Mapping[str, Any],
    names: Mapping[str, Mapping[object, str]],
    lowest: Mapping[object, bool],
) -> Draft | LeftOut:
    if play.get("ignored") is True:
        return LeftOut(number, phrase("This play is ignored in BG Stats."))
    when = read_day(str(play.get("playDate") or ""))
    if when is None:
        return LeftOut(number, phrase("We can’t read the date. Write it like 2026-03-12."))
    scores = _rows(play.get("playerScores"))
    scores.sort(key=lambda each: seat if isinstance(seat := each.get("seatOrder"), int) else 0)
    players = list[tuple[str, int]]()
    for each in scores:
        name = names["players"].get(_ref(each, "playerRefId"), "")
        points = points_of(str(each.get("score") or ""))
        if not name or points is None:
            return LeftOut(number, phrase("{name}’s points aren’t a whole number.", name=name or "?"))
        players.append((name, points))
    minutes = play.get("durationMin")
    tags = [_ref(each, "tagRefId") for each in _rows(play.get("tags"))]
    return Draft(
        line=number,
        game=names["games"].get(_ref(play, "gameRefId"), ""),
        day=when[0],
        at=when[1] if when[1] != time(0) else None,
        players=tuple(players),
        minutes=minutes if isinstance(minutes, int) and minutes > 0 else 0,
        place=names["locations"].get(_ref(play, "locationRefId"), ""),
        note=str(play.get("comments") or "").strip(),
        tags=tuple(filter(None, (names["tags"].get(tag, "") for tag in tags))),
        lowest=lowest.get(_ref(play, "gameRefId")),
    )


def _ref(row: Mapping[str, Any], key: str) -> object:
    value = row.get(key)
    return value if isinstance(value, int | str) else None


# --- Both formats


def names_in(drafts: Iterable[Draft]) -> list[str]:
    """Return the players' names, most frequent first, each as first spelled."""
    spelt, counted = dict[str, str](), Counter[str]()
    for draft in drafts:
        for name, _points in draft.players:
            spelt.setdefault(as_seen(name), name)
            counted[as_seen(name)] += 1
    return [spelt[key] for key, _count in counted.most_common()]


# --- Matching of a file's names to people of a group, and of its games to those already there


class Meant(NamedTuple):
    """The person a name means: certainly (``person``), possibly (``close``), or someone new (both ``None``)."""

    name: str
    person: Person | None
    close: Person | None


def whom_names_mean(group: Group, names: Sequence[str]) -> list[Meant]:
    people = people_of(group)
    close = dict(strangers(people, names))
    return [
        Meant(name, person_named(people, name), person_named(people, close[name]) if close.get(name) else None)
        for name in names
    ]


Played = tuple[date, str, frozenset[tuple[int | None, int]]]


def played_already(group: Group) -> set[Played]:
    """Return the group's games as (evening, game, {(person, total), ...})."""
    tables = dict[int, tuple[date, str, set[tuple[int | None, int]]]]()
    counts_as = {person.pk: person.counts_as for person in people_of(group)}
    rows = SeatScore.objects.filter(group=group, finished_at__isnull=False)
    for table, evening, game, person, total in rows.values_list("table", "evening", "game", "person", "total"):
        tables.setdefault(table, (evening, game, set()))[2].add((counts_as.get(person or 0), total))
    return {(evening, game, frozenset(seats)) for evening, game, seats in tables.values()}


def new_only(
    group: Group, drafts: Iterable[tuple[Draft, str]], people: Mapping[str, int]
) -> tuple[list[Draft], list[LeftOut]]:
    """Separate drafts, each with its game's id, into new ones and those already in the group.

    ``people`` are ids by normalized name. Identical games within one file are both new: people play twice a night.
    """
    known, new, there = played_already(group), list[Draft](), list[LeftOut]()
    for draft, game in drafts:
        seats = frozenset((people.get(as_seen(name)), points) for name, points in draft.players)
        late = draft.at is not None and draft.at.hour < EVENING_ENDS and draft.day > date.min
        if (draft.day - timedelta(days=late), game, seats) in known:
            there.append(LeftOut(draft.line, phrase("This game has already been added.")))
        else:
            new.append(draft)
    return new, there
