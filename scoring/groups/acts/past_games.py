"""Past games of a group, entered by date, people and totals, and undoing such an import."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime, time, timedelta
from types import MappingProxyType
from typing import NamedTuple
from zoneinfo import ZoneInfo

from django.db.models import QuerySet
from django.utils import timezone

from referee.engine.events import End
from referee.engine.reader import Reader, as_seen
from referee.engine.records import dump_event, read_table
from referee.engine.replaying import RecordedHand, play_hands
from referee.engine.rules import Problem, Refused, Rules
from referee.engine.snapshot import dump_table
from referee.engine.table import TableState, open_table
from referee.engine.texts import phrase
from scoring.groups.acts.evenings import read_said
from scoring.groups.acts.groups import MOST_PEOPLE, group_turn, seat_people
from scoring.groups.acts.people import check_spellings, free_colour, remove_people, write_looks
from scoring.groups.acts.scores import forget_all_scores, score_past
from scoring.groups.reads.groups import (
    looks_of,
    people_of,
    person_named,
    seated_looks,
    standing_group_links,
)
from scoring.models import Group, PastImport, Person, SeatedPerson, Table, TableEvent
from scoring.models.fields import evening_at
from scoring.models.group import LONGEST_NAME
from scoring.operating.acts.database import past_deadlocks
from scoring.tables.acts import holding
from scoring.tables.acts.exceptions import NoSuchGroup, NoSuchImport, first_of
from scoring.tables.acts.holding import PRIVATE, announce
from scoring.tables.acts.keys import Caller
from scoring.tables.acts.opening import columns_of, insert_table
from scoring.tables.acts.table_settings import LARGEST_TOTAL
from scoring.tables.acts.writing import LogRow, add_to_log

MOST_GAMES = 300
"""Games per import: the group is locked while they are written."""
FIRST_DAY, MOST_MINUTES = date(1900, 1, 1), 7 * 24 * 60
NOBODY: Mapping[str, int] = MappingProxyType({})
PLAYED_AT = time(20)
"""Assumed time of day for a game of which only the date is known."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PastGame:
    """A past game: title, date and final scores, in seating order if known.

    ``at`` is the time of day in the group's time zone, ``minutes`` the duration, ``options`` the known house rules.
    ``people`` are ids by seat; ``None`` matches by name, and an unknown name becomes a new person.
    """

    game: str
    title: str = ""
    day: date
    players: tuple[str, ...]
    totals: tuple[int, ...]
    people: tuple[int | None, ...] = ()
    options: Mapping[str, object] = field(default_factory=dict)
    at: time | None = None
    minutes: int = 0
    place: str = ""
    note: str = ""
    tags: tuple[str, ...] = ()


class Judged(NamedTuple):
    """A validated past game: its unsaved table, and the table's final state."""

    game: PastGame
    row: Table
    state: TableState


def judge_past(game: PastGame, group: Group, pointer: str = "") -> Judged:
    """Build the finished table of a past game, with its totals carried in and no hands. Raises ``Refused``."""
    reader, zone = Reader(), group.zone
    game = _partners_together(game)
    rules, seats, _dealer, carried = read_table(
        reader,
        {**_described(game), "carried": list(game.totals)},
    )
    if not any(game.totals) and not (reader.wrong or reader.malformed):
        reader.value("/carried", "Everyone has 0 points. Enter each player’s final score.")
    if any(abs(total) > LARGEST_TOTAL for total in game.totals):
        reader.value("/carried", phrase("A score can be at most {most}.", most=LARGEST_TOTAL))
    if game.day > timezone.now().astimezone(ZoneInfo(zone)).date():
        reader.value("/date", "That day is still to come.")
    if game.day < FIRST_DAY:
        reader.value("/date", "Enter a date from 1900 on.")
    if game.minutes > MOST_MINUTES:
        reader.value("/minutes", "A game can last a week at most.")
    said = read_said(reader, {"place": game.place, "note": game.note, "tags": game.tags})
    if reader.wrong or reader.malformed:
        problems = [*reader.malformed, *reader.wrong]
        raise Refused([Problem(pointer + each.pointer, each.code, each.phrase) for each in problems])
    assert rules is not None
    moment = min(datetime.combine(game.day, game.at or PLAYED_AT, ZoneInfo(zone)), timezone.now())
    over = min(moment + timedelta(minutes=game.minutes), timezone.now())
    begun = open_table(rules, first_dealer=0, carried=carried)
    hands, stop = play_hands(begun, [RecordedHand(0, [End()])])
    assert stop is None, "a game can end before its first card"
    [hand] = hands
    row = Table(
        **columns_of(begun, group) | {"snapshot": dump_table(hand.state)},
        seats=[name.strip() for name in seats],
        **said,
        evening=evening_at(moment, zone) if game.at else game.day,
        version=1,
        hand_start=dump_table(hand.start),
        hand_number=0,
        finished=True,
        finished_at=over,
    )
    row.created = moment
    return Judged(game, row, hand.state)


def _partners_together(game: PastGame) -> PastGame:
    """In partnership games, seat players with equal totals as partners, if every pair comes out even."""
    reader = Reader()
    rules, *_rest = read_table(reader, _described(game))
    if rules is None or reader.wrong or reader.malformed or _fits(rules, game.totals):
        return game
    left = sorted(range(len(game.totals)), key=lambda place: (-game.totals[place], place))
    order = [0] * len(left)
    for side in dict.fromkeys(tuple(sorted(side)) for side in rules.sides):
        for seat in side:
            order[seat] = left.pop(0)
    totals = tuple(game.totals[place] for place in order)
    players = tuple(game.players[place] for place in order)
    people = tuple(game.people[place] for place in order) if game.people else ()
    return replace(game, players=players, totals=totals, people=people) if _fits(rules, totals) else game


def _described(game: PastGame) -> dict[str, object]:
    title = {"title": game.title} if game.title else {}
    return {"game": game.game, **title, "options": game.options, "seats": game.players, "first_dealer": 0}


def _fits(rules: Rules, totals: Sequence[int]) -> bool:
    return all(len({totals[seat] for seat in side}) == 1 for side in rules.sides)


@past_deadlocks
def add_past_games(
    code: str, games: Sequence[PastGame], caller: Caller, *, name: str = "", distinct: Mapping[str, int] = NOBODY
) -> PastImport:
    """Add past games to a group, all or none.

    ``distinct`` maps a new name to the id of a person with a similar name who is someone else. Raises ``Refused`` and
    what ``group_turn`` raises.
    """
    known, titles = first_of(Group.objects.filter(code=code), NoSuchGroup), dict[str, str]()
    spelt = [replace(game, title=titles.setdefault(as_seen(game.title), game.title)) for game in games[:MOST_GAMES]]
    judged = [judge_past(game, known, f"/games/{place}") for place, game in enumerate(spelt)]
    if not 0 < len(games) <= MOST_GAMES:
        raise Refused([Problem("/games", "bad-value", phrase("Import 1 to {most} games at a time.", most=MOST_GAMES))])
    with group_turn(code, caller, caller.fingerprint("past-games", [name, list(map(repr, games))])) as turn:
        group = turn.group
        if turn.repeats:
            return first_of(group.past_imports.filter(pk=turn.made or 0), NoSuchImport)
        new, seated = _people(group, [each.game for each in judged], distinct)
        made = PastImport.objects.create(
            group=group, name=name[:LONGEST_NAME], by=caller.by, people=[person.pk for person in new]
        )
        everybody = people_of(group)
        names = {person.pk: person.name for person in everybody}
        for each, people in zip(judged, seated, strict=True):
            each.row.group, each.row.came_with = group, made
            each.row.seats = [names[person] for person in people]
            each.row.looks = seated_looks(everybody, people)
        rows = [each.row for each in judged]
        moments = [row.created for row in rows]
        for row, moment in zip(rows, moments, strict=True):
            insert_table(row).created = moment
        Table.objects.bulk_update(rows, ["created"], batch_size=200)
        for each, people in zip(judged, seated, strict=True):
            add_to_log(each.row.pk, [LogRow(1, 0, 1, dump_event(End()), each.row.created, by=caller.by)])
            seat_people(each.row, people)
        score_past([(each.row, each.state) for each in judged], seated)
        turn.made = made.pk
        return made


def _people(
    group: Group, games: Sequence[PastGame], distinct: Mapping[str, int]
) -> tuple[list[Person], list[list[int]]]:
    """Create the missing people; return them, and the person ids by seat for each game.

    Raises ``Refused`` if one person would have two seats at a table.
    """
    known = people_of(group)
    looks, new, counts_as = looks_of(known), list[Person](), {person.pk: person.counts_as for person in known}
    found = dict[str, int]()
    seated = list[list[int]]()
    reader = Reader()
    for place, game in enumerate(games):
        own = list[int]()
        for seat, name in enumerate(game.players):
            given = game.people[seat] if game.people else None
            if given is not None and given not in counts_as:
                reader.value(f"/games/{place}/players/{seat}", "This group has no such person.", "no-such-person")
                continue
            who = counts_as[given] if given is not None else found.get(as_seen(name))
            if who is None:
                person = person_named(known, name)
                if person is None:
                    person = _new_person(group, name.strip(), known, distinct.get(as_seen(name)))
                    new.append(person)
                    known.append(person)
                    counts_as[person.pk] = person.pk
                who = found[as_seen(name)] = person.pk
            if who in own:
                reader.value(f"/games/{place}/players/{seat}", "One person can’t sit in two seats.")
            own.append(who)
        seated.append(own)
    reader.check()
    if new:
        write_looks(looks, looks_of(known))
    return new, seated


def _new_person(group: Group, name: str, known: Sequence[Person], distinct: int | None) -> Person:
    if len(known) >= MOST_PEOPLE:
        raise Refused([Problem("/games", "bad-value", "A group can have up to 500 people.")])
    check_spellings([name], known)
    others = [] if distinct is None else [distinct]
    colour = free_colour(looks_of(known).values())
    return Person.objects.create(group=group, name=name, colour=colour, distinct_from=others)


def imports_of(group: Group) -> QuerySet[PastImport]:
    return group.past_imports.order_by("-pk").prefetch_related("tables")


class Undone(NamedTuple):
    """Numbers of tables deleted, and of tables kept because play has continued there."""

    gone: int
    kept: int


@past_deadlocks
def undo_past_games(code: str, number: int, caller: Caller) -> Undone:
    """Undo an import: delete its tables, except those where play has continued, and its people without other seats.

    Raises ``NoSuchImport`` and what ``group_turn`` raises.
    """
    with group_turn(code, caller, caller.fingerprint("undo-past-games", number)) as turn:
        group = turn.group
        if turn.repeats:
            return Undone(0, 0)
        made = first_of(group.past_imports.filter(pk=number), NoSuchImport)
        own = Table.objects.filter(group=group, came_with=made)
        corrected = {"event__isnull": True, "amends__isnull": True, "choosing__contains": '"carried"'}
        played_on = TableEvent.objects.filter(table__in=own, seq__gt=1).exclude(**corrected)
        untouched = own.filter(next=None, later=None).exclude(pk__in=played_on.values("table"))
        rows = list(untouched.select_for_update(of=("self",)))
        kept = own.count() - len(rows)
        forget_all_scores(rows)
        for row in rows:
            announce(PRIVATE, row.pk)
            holding.state_cache.drop(row.code)
        Table.objects.filter(pk__in=[row.pk for row in rows]).delete()
        _leave(group, made.people)
        made.delete()
        return Undone(len(rows), kept)


def _leave(group: Group, came: Iterable[int]) -> None:
    """Delete those of the imported people who have no seat, no phone and nobody merged into them."""
    everybody = people_of(group)
    here = {*SeatedPerson.objects.filter(person__in=list(came)).values_list("person", flat=True)}
    here |= {*standing_group_links(group).exclude(person=None).values_list("person", flat=True)}
    here |= {person.merged_into_id for person in everybody if person.merged_into_id}
    gone = {person.pk for person in everybody if person.pk in {*came} - here and not person.merged_into_id}
    remove_people(group, gone)
