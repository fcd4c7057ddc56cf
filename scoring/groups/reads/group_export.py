"""Exports of a group: history and statistics as tables, and everything as JSON lines."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from fractions import Fraction
from itertools import groupby
from types import MappingProxyType
from typing import Annotated, Any, NotRequired, TypedDict

from django.db.models import Model
from django.utils.crypto import salted_hmac
from django.utils.formats import get_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from referee.engine.reader import as_seen
from referee.engine.records import PlayerNames
from referee.engine.shapes import CLOSED, OWN_KEYS, Named, also
from referee.engine.sheet import EndData, EventData, GameId, Moment, OptionData, SeatNumber, Title
from referee.notation import Dialect, write_csv
from scoring.groups.reads.evenings import calendar_of, game_name
from scoring.groups.reads.group_tables import Chosen, counted, games, people_counted, said_of, said_of_evenings
from scoring.groups.reads.statistics import STATISTICS, PersonStatistics, known_cell, statistics_of
from scoring.models import (
    WHOLE_WIN,
    DealtHand,
    Draw,
    EveningNote,
    Group,
    Person,
    Precedent,
    RankedBy,
    Season,
    SeatedPerson,
    Table,
    TableEvent,
)
from scoring.models.fields import canonical, local
from scoring.tables.reads.record_export import known_as
from scoring.tables.reads.rules import game_and_title, rules_of
from scoring.tables.reads.state import is_veiled, standing_now, veiled
from scoring.wording import filled

# --- A whole group as JSON lines: first the group with its people, then each table with its log
# Codes, ids, links and devices are left out, since rights belong to one installation, and so are face-down cards.
# Importing an archive and exporting the group again gives the same bytes.

FORMAT, FULL = "group-archive/1", "table-log/1"
AT_ONCE = 20
"""Tables per chunk of an archive."""
HEAD = (
    "format", "name", "counts_revokes", "shares_rulings", "time_zone", "created", "people", "tables", "precedents",
    "evenings", "ranked_by", "seasons", "draws",
)  # fmt: skip
PERSON = ("name", "aliases", "colour", "merged_into", "distinct_from", "created")
PRECEDENT = (
    "game", "code", "clause", "facts", "question", "decision", "option", "value", "table", "dispute", "since",
)  # fmt: skip
DRAW = ("evening", "number", "game", "by_rating", "seed", "here", "tables", "out", "opened", "started")
SEASON = ("name", "first", "last", "evenings", "ranked_by", "created")
"""The keys of the first line of an archive and of the objects in it, in this order."""
OPTIONAL: Mapping[str, object] = {"shares_rulings": False, "place": "", "note": "", "tags": []}
USUAL: Mapping[str, object] = {
    **OPTIONAL, "time_zone": "", "hands_before": 0, "carried_from": None, "carried_bags": [], "ruled_by": {},
}  # fmt: skip
"""Values that an archive leaves out of a table; ``OPTIONAL`` are those that are plain columns."""
IN_FULL = (
    "options", "end", "seats", "first_dealer", "carried", "carried_from", "carried_bags", "hands_before", "extra",
    "private", "previous", "people", "created", "updated", "evening", "time_zone", "finished_at", "agreed", "ruled_by",
    *OPTIONAL, "log", "dealt",
)  # fmt: skip
"""The keys of a table in an archive after its game, in this order."""
SAID = ("place", "note", "tags")
"""Columns of an evening's note in an archive."""
ORIGIN = "x_origin"
"""The key under which an imported table keeps its original id."""
HISTORY = (
    "evening", "finished", "game", "table", "seat", "player", "points", "total", "rank", "wins", "hands", "tricks",
    "place", "note", "tags",
)  # fmt: skip


def archive_of(group: Group) -> Iterator[str]:
    """Yield a group's archive in chunks of whole lines, none of which holds a thread or the database for long."""
    people = list(Person.objects.filter(group=group).order_by("pk"))
    places = {person.pk: place for place, person in enumerate(people)}
    pks = list(Table.objects.filter(group=group).order_by("created", "pk").values_list("pk", flat=True))
    numbers = {pk: number for number, pk in enumerate(pks)}
    codes = {code: numbers.get(pk) for code, pk in Table.objects.filter(group=group).values_list("code", "pk")}
    lists: dict[str, list[dict[str, Any]]] = {
        "precedents": [
            _described(each, PRECEDENT, table=numbers.get(each.table_id or 0))
            for each in Precedent.objects.filter(group=group).order_by("pk")
        ],
        "evenings": [
            _described(each, (*SAID, "evening")) for each in EveningNote.objects.filter(group=group).order_by("evening")
        ],
        "seasons": [_described(each, SEASON) for each in Season.objects.filter(group=group).order_by("pk")],
        "draws": [
            _draw(each, places, codes) for each in Draw.objects.filter(group=group).order_by("evening", "number")
        ],
    }
    usual = {"shares_rulings": False, "time_zone": "", "ranked_by": RankedBy.WINS, **{name: [] for name in lists}}
    lists["people"] = [_person(person, places) for person in people]
    first = _described(group, HEAD, usual, format=FORMAT, tables=len(pks), **lists)
    yield f"{canonical(first)}\n"
    for start in range(0, len(pks), AT_ONCE):
        part = pks[start : start + AT_ONCE]
        rows = Table.objects.defer("snapshot", "hand_start").filter(pk__in=part).order_by("created", "pk")
        described = _in_full(rows, places, numbers)
        if len(described) < len(part):
            raise GoneMeanwhile
        yield "".join(f"{canonical(each)}\n" for each in described)


class GoneMeanwhile(Exception):  # noqa: N818 - not an error of this program
    """A table was deleted while its group's archive was being written, so the part already sent is invalid."""


def _described(
    row: Model, keys: Iterable[str], usual: Mapping[str, object] = MappingProxyType({}), **own: Any
) -> dict[str, Any]:
    """Describe a row by ``own`` values and else its columns, in the order of ``keys``, without values as ``usual``."""
    values = {name: own[name] if name in own else getattr(row, name) for name in keys}
    return {
        name: value.isoformat() if isinstance(value, date) else value
        for name, value in values.items()
        if name not in usual or value != usual[name]
    }


def _draw(draw: Draw, places: Mapping[int, int], numbers: Mapping[str, int | None]) -> dict[str, Any]:
    """Describe a drawn round, leaving out deleted people; opened tables are given by number."""

    def known(people: Iterable[int]) -> list[int]:
        return [places[each] for each in people if each in places]

    return _described(
        draw,
        DRAW,
        here=known(draw.here),
        tables=[known(table) for table in draw.tables],
        out=known(draw.out),
        opened=[numbers.get(code) for code in draw.codes],
    )


def _person(person: Person, places: dict[int, int]) -> dict[str, Any]:
    others = [places[each] for each in person.distinct_from if each in places]
    merged_into = places.get(person.merged_into_id or 0)
    return _described(person, PERSON, {"distinct_from": []}, merged_into=merged_into, distinct_from=others)


def _in_full(rows: Iterable[Table], places: Mapping[int, int], numbers: Mapping[int, int]) -> list[dict[str, Any]]:
    """Describe tables with their logs; ``places`` and ``numbers`` map ids to positions in the archive."""
    tables = {row.pk: row for row in rows}
    people: dict[int, list[int | None]] = {pk: [None] * len(row.seats) for pk, row in tables.items()}
    for each in SeatedPerson.objects.filter(table__in=tables):
        people[each.table_id][each.seat] = places.get(each.person_id)
    logs = defaultdict[int, list[list[Any]]](list)
    for entry in TableEvent.objects.filter(table__in=tables).order_by("table", "seq"):
        version = tables[entry.table_id].version
        if entry.seq <= version:
            values = {name: getattr(entry, name) for name in ROW} | {"at": entry.at.isoformat()}
            if entry.event and is_veiled(entry.event):
                values["event"] = veiled(entry.event, entry.hand, standing_now(tables[entry.table_id]).state)
            logs[entry.table_id].append([_by_then(values[name], name, version) for name in ROW])
    dealt = defaultdict[int, list[list[Any]]](list)
    for hand in DealtHand.objects.filter(table__in=tables).order_by("table", "number", "pk"):
        version = tables[hand.table_id].version
        dealt[hand.table_id].append([_by_then(getattr(hand, name), name, version) for name in DEALT])
    return [
        {**game_and_title(row)}
        | _described(
            row,
            IN_FULL,
            USUAL,
            carried_from=row.carried_from if row.carried_from and row.previous_id in numbers else None,
            carried_bags=row.carried_bags if any(row.carried_bags) else [],
            previous=numbers.get(row.previous_id or 0),
            people=people[pk],
            ruled_by={"kind": row.ruled_by["kind"]} if row.ruled_by else {},  # without a neutral phone's link
            log=logs[pk],
            dealt=dealt[pk],
        )
        for pk, row in tables.items()
    ]


def _by_then(value: Any, name: str, version: int) -> Any:
    """Return a value as of a version: ``None`` for corrections and retirements after it."""
    return None if name in ("amended_by", "retired") and value is not None and value > version else value


OwnKeys = Annotated[dict[str, Any], OWN_KEYS | CLOSED]


@also(CLOSED)
class LoggedRow(TypedDict):
    """A row of the log, as it was written."""

    seq: int
    hand: int
    place: int
    event: EventData | None
    amends: int | None
    amended_by: int | None
    reason: str
    by: str
    at: Moment
    batch: int
    choosing: Annotated[dict[str, Any], Named("SecretChoices")] | None


@also(CLOSED)
class HandAsDealt(TypedDict):
    """The deal of a hand, without its events."""

    number: int
    known: dict[str, list[str]]
    extra: OwnKeys
    retired: int | None


ROW, DEALT = tuple(LoggedRow.__annotations__), tuple(HandAsDealt.__annotations__)
"""Columns of a log row and of a dealt hand in an archive, in this order."""


@also(CLOSED)
class HandAgreed(TypedDict):
    """The seats that have agreed to the scores of a hand; `seats` maps each to its log row."""

    scores: list[int]
    seats: dict[str, int]


@also(CLOSED)
class RuledBy(TypedDict, total=False):
    """Who decides disputes."""

    kind: str


@also(CLOSED)
class TableWithLog(TypedDict):
    """A table with its whole log."""

    format: Annotated[str, {"const": FULL}]
    id: Annotated[str, "An id that identifies the table on any server, without giving access to it."]
    rules_version: Annotated[int, "The version of the game’s rules that judged it."]
    game: GameId
    title: NotRequired[Title]
    options: OptionData
    end: EndData
    seats: PlayerNames
    first_dealer: SeatNumber
    carried: list[int]
    carried_bags: NotRequired[list[int]]
    hands_before: NotRequired[int]
    extra: OwnKeys
    private: bool
    created: Moment
    updated: Moment
    evening: Annotated[str, {"format": "date"}]
    time_zone: NotRequired[str]
    finished_at: Moment | None
    agreed: dict[str, HandAgreed]
    ruled_by: NotRequired[RuledBy]
    shares_rulings: NotRequired[bool]
    place: NotRequired[str]
    note: NotRequired[str]
    tags: NotRequired[list[str]]
    log: list[LoggedRow]
    dealt: list[HandAsDealt]


def full_export(row: Table) -> dict[str, Any]:
    """Return a table with its whole log: when, by whom, and what was corrected or undone.

    ``id`` identifies the table without granting access to it, and survives imports; exporting an imported table gives
    the same bytes. Links and codes are left out.
    """
    [described] = _in_full([row], {}, {})
    extra = dict(described["extra"])
    named = extra.pop(ORIGIN, None) or salted_hmac("scoring.table", f"{row.code} {row.created}").hexdigest()[:24]
    log = [dict(zip(ROW, entry, strict=True)) for entry in described["log"]]
    dealt = [dict(zip(DEALT, hand, strict=True)) for hand in described["dealt"]]
    for only_in_a_group in ("people", "previous"):
        del described[only_in_a_group]
    return {
        "format": FULL,
        "id": named,
        "rules_version": rules_of(row).game.rules_version,
        **described,
        "extra": extra,
        "log": log,
        "dealt": dealt,
    }


# --- History and statistics of a group as CSV, text and calendar


@dataclass(frozen=True, slots=True)
class Shape:
    """An export format: its writer, media type and file name suffix."""

    write: Callable[[Group, Chosen, Dialect], str]
    kind: str
    ending: str


def _history(group: Group, chosen: Chosen) -> Iterator[Sequence[Any]]:
    people = people_counted(group)
    rows = counted(group.pk, chosen).order_by("finished_at", "table", "seat")
    read = rows.values_list(
        "evening", "finished_at", "game", "table", "seat", "person",
        "points", "total", "rank", "share", "hands", "tricks", "goes_on",
    )  # fmt: skip
    said = said_of_evenings(group)
    tables = Table.objects.filter(group=group).only("code", "seats", "place", "note", "tags", "evening")
    known = {row.pk: (row.code, row.seats, said_of(row, said)) for row in tables}
    for evening, over, game, table, seat, person, points, total, rank, share, hands, tricks, goes_on in read:
        code, seats, about = known[table]
        counts_as = people.counts_as.get(person)
        name = seats[seat] if counts_as is None else people.names[counts_as]
        assert over is not None
        place, wins = ("", "") if goes_on else (rank, share / WHOLE_WIN)
        ended = over.isoformat(timespec="seconds")
        made = (known_cell(points), total, place, wins, known_cell(hands), known_cell(tricks))
        yield evening.isoformat(), ended, game, code, seat, name, *made, about.place, about.note, ", ".join(about.tags)


def text_of(group: Group, chosen: Chosen) -> str:
    found = [each for each in statistics_of(group, chosen).people if each.game == chosen.game]
    name = _on_one_line(group.name)
    lines = [name, "=" * len(name), ""]
    longest = max((len(_on_one_line(each.name)) for each in found), default=0)
    best_first = sorted(found, key=lambda each: (-each.wins, each.name))
    lines += [f"{_on_one_line(each.name):<{longest}}  {_in_words(each)}" for each in best_first]
    for evening, rows in groupby(_history(group, chosen), key=lambda row: row[0]):
        lines += ["", str(evening)]
        for _code, seats in groupby(rows, key=lambda row: row[3]):
            table = sorted(seats, key=lambda row: (-row[7], row[4]))
            game = game_name(table[0][2])
            if table[0][8] == "":  # no places, since the game was continued
                game = filled(_("{game} (goes on)"), game=game)
            lines.append(f"  {game}: {', '.join(f'{_on_one_line(row[5])} {row[7]}' for row in table)}")
    return "\n".join(lines) + "\n"


def _in_words(each: PersonStatistics) -> str:
    """Describe a person's results; someone who left every game early has neither won nor lost."""
    if each.hands is None:
        return filled(_("{wins} of {tables} won"), wins=_few_digits(each.wins), tables=each.tables)
    made = filled(ngettext("{count} hand", "{count} hands", each.hands), count=each.hands)
    if each.points is not None:
        points = filled(ngettext("{count} point", "{count} points", abs(each.points)), count=each.points)
        made = filled(_("{points} in {hands}"), points=points, hands=made)
    if not each.tables:
        return made
    sentence = _("{wins} of {tables} won, {made}")
    return filled(sentence, wins=_few_digits(each.wins), tables=each.tables, made=made)


def _few_digits(value: Fraction) -> str:
    return f"{float(value):.4g}".replace(".", str(get_format("DECIMAL_SEPARATOR")))


def _on_one_line(name: str) -> str:
    """Replace line breaks in a name, which older versions allowed.

    >>> _on_one_line("Ann\\n2026-01-01\\u2028x")
    'Ann 2026-01-01 x'
    """
    return " ".join(name.split())


# --- Games of a group in the export format of BG Stats


def bgstats_of(group: Group, chosen: Chosen) -> str:
    """Return a group's games in the format of BGStatsExport.json, without codes or ids of this server."""
    people, said = people_counted(group), said_of_evenings(group)
    rows = games(group.pk, chosen).order_by("finished_at", "table", "seat")
    tables = {row.pk: row for row in Table.objects.defer("snapshot", "hand_start").filter(group=group)}
    listed = {part: dict[str, int]() for part in ("players", "games", "locations", "tags")}

    def ref(part: str, key: str) -> int:
        return listed[part].setdefault(key, len(listed[part]) + 1)

    names, highest, plays = dict[str, str](), dict[str, bool](), list[dict[str, Any]]()
    columns = ("table", "seat", "person", "total", "rank", "share", "hands", "finished_at", "lowest")
    for table, seats in groupby(rows.values_list(*columns), key=lambda row: row[0]):
        row, sitting = tables[table], list(seats)
        about, scores = said_of(row, said), list[dict[str, Any]]()
        for _table, seat, person, total, rank, share, *_rest in sitting:
            who = people.counts_as.get(person)
            key = f"guest {as_seen(row.seats[seat])}" if who is None else f"person {who}"
            names[key] = row.seats[seat] if who is None else people.names[who]
            scores.append(
                {
                    "playerRefId": ref("players", key), "score": str(total), "rank": rank, "winner": share > 0,
                    "newPlayer": False, "startPlayer": False, "seatOrder": seat + 1,
                }
            )  # fmt: skip
        hands, over, lowest = sitting[0][6:9]
        assert over is not None
        game = ref("games", row.game)
        highest[row.game] = not lowest
        began = local(row.created, group.zone)
        plays.append(
            {
                "uuid": known_as(f"table {row.code}"),
                "playDate": f"{began:%Y-%m-%d %H:%M:%S}",
                "durationMin": max(0 if hands is None else 1, round((over - row.created).total_seconds() / 60)),
                "ignored": False,
                "gameRefId": game,
                **({"locationRefId": ref("locations", about.place)} if about.place else {}),
                "comments": about.note,
                "tags": [{"tagRefId": ref("tags", tag)} for tag in about.tags],
                "playerScores": scores,
            }
        )
    return canonical(
        {
            "players": [
                {"id": number, "uuid": known_as(key), "name": names[key], "isAnonymous": False}
                for key, number in listed["players"].items()
            ],
            "locations": [{"id": number, "name": name} for name, number in listed["locations"].items()],
            "games": [
                {"id": number, "name": game_name(key), "highestWins": highest[key], "noPoints": False}
                for key, number in listed["games"].items()
            ],
            "tags": [{"id": number, "name": name} for name, number in listed["tags"].items()],
            "plays": plays,
            "challenges": [],
            "userInfo": {},
        }
    )


CSV = "text/csv; charset=utf-8"
SHAPES: Mapping[str, Shape] = {
    "history": Shape(
        lambda group, chosen, dialect: write_csv([HISTORY, *_history(group, chosen)], dialect), CSV, "-history.csv"
    ),
    # One row per person and game, and one over all games, with an empty game.
    "statistics": Shape(
        lambda group, chosen, dialect: write_csv(
            [STATISTICS, *(each.cells(revokes=group.counts_revokes) for each in statistics_of(group, chosen).people)],
            dialect,
        ),
        CSV,
        "-statistics.csv",
    ),
    "text": Shape(lambda group, chosen, _dialect: text_of(group, chosen), "text/plain; charset=utf-8", ".txt"),
    "bgstats": Shape(lambda group, chosen, _: bgstats_of(group, chosen), "application/json", "-BGStatsExport.json"),
    "calendar": Shape(lambda group, chosen, _: calendar_of(group, chosen), "text/calendar; charset=utf-8", ".ics"),
}
"""All export formats of a group's history and statistics."""
