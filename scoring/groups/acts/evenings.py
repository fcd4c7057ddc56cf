"""Evenings of a group: their places, notes and tags, tonight's rounds, and seasons."""

from collections.abc import Callable, Mapping, Sequence
from datetime import date
from secrets import randbits
from typing import Any

from django.utils import timezone

from referee.engine.game import find_game
from referee.engine.reader import Reader, as_seen
from referee.engine.texts import phrase
from scoring.groups.acts.groups import evening_of, group_turn, keep_score
from scoring.groups.reads.group_tables import people_at
from scoring.groups.reads.groups import people_of
from scoring.groups.reads.tonight import before_draw, draw_tables, ratings_of, sizes_of
from scoring.models import Draw, EveningNote, Group, GroupLink, Person, Season, Table
from scoring.models.table import LONGEST_PLACE
from scoring.operating.acts.database import past_deadlocks
from scoring.tables.acts.exceptions import (
    NoSuchEvening,
    NoSuchPerson,
    NoSuchSeason,
    NoSuchTable,
    NothingDrawn,
    first_of,
)
from scoring.tables.acts.keys import Caller
from scoring.tables.acts.opening import ZERO, continue_table, create_table

LONGEST_NOTE, LONGEST_TAG, MOST_TAGS = 2000, 30, 10


def read_place(reader: Reader, value: object, pointer: str) -> str:
    """Read a place, which must be a single line."""
    return reader.label(value, pointer, LONGEST_PLACE)


def read_note(reader: Reader, value: object, pointer: str) -> str:
    note = (reader.text(value, pointer, LONGEST_NOTE) or "").strip()
    if note:
        reader.words(note, pointer)
    return note


def read_tags(reader: Reader, value: object, pointer: str) -> list[str]:
    """Read tags without a leading ``#``; duplicates that differ only in case are dropped."""
    read = dict[str, str]()
    for place, each in enumerate(reader.array(value, pointer)):
        tag = reader.label(each, f"{pointer}/{place}", LONGEST_TAG).removeprefix("#").strip()
        if tag:
            read.setdefault(as_seen(tag), tag.replace(",", " "))
    if len(read) > MOST_TAGS:
        reader.value(pointer, phrase("Use up to {most} tags.", most=MOST_TAGS))
    return [*read.values()]


READ_SAID: Mapping[str, Callable[[Reader, object, str], Any]] = {
    "place": read_place, "note": read_note, "tags": read_tags,
}  # fmt: skip


def read_said(reader: Reader, said: Mapping[str, object], pointer: str = "") -> dict[str, Any]:
    """Read those of ``place``, ``note`` and ``tags`` that are not ``None``."""
    given = {name: said[name] for name in READ_SAID if said[name] is not None}
    return {name: READ_SAID[name](reader, value, f"{pointer}/{name}") for name, value in given.items()}


@past_deadlocks
def note_evening(
    code: str,
    evening: date,
    caller: Caller,
    *,
    place: object = None,
    note: object = None,
    tags: Sequence[object] | None = None,
) -> EveningNote:
    """Change the place, note and tags of an evening; ``None`` leaves a field as it is.

    Raises ``Refused`` and ``NoSuchEvening``.
    """
    reader = Reader()
    changes = read_said(reader, {"place": place, "note": note, "tags": tags})
    reader.check()
    with group_turn(code, caller, caller.fingerprint("note-evening", [evening.isoformat(), changes])) as turn:
        first_of(Table.objects.filter(group=turn.group, evening=evening), NoSuchEvening)
        said, _new = EveningNote.objects.update_or_create(group=turn.group, evening=evening, defaults=changes)
        return said


# --- Tonight's rounds: drawing tables, opening them, and seating latecomers

SEED_BITS = 31
MOST_HERE = 60


@past_deadlocks
def draw_round(
    code: str,
    people: Sequence[int],
    caller: Caller,
    *,
    game: str = "",
    by_rating: bool = False,
    seed: int | None = None,
) -> Draw:
    """Draw the next round of tables, replacing a draw that was not started.

    The same ``seed`` draws the same tables until another game is played; the default is random. Raises ``Refused``.
    """
    with group_turn(code, caller, caller.fingerprint("draw", [list(people), game, by_rating, seed])) as turn:
        group = turn.group
        if turn.repeats:
            return first_of(Draw.objects.filter(group=group, pk=turn.made or 0), NothingDrawn)
        members = {person.pk: person.counts_as for person in people_of(group)}
        reader = Reader()
        for place, person in enumerate(people):
            if person not in members:
                reader.value(f"/people/{place}", "This group has no such person.", "no-such-person")
        here = list(dict.fromkeys(members[person] for person in people if person in members))
        allowed, preferred = sizes_of(find_game(game))
        if len(here) < min(allowed):
            reader.value("/people", phrase("You need at least {number} people.", number=min(allowed)))
        if len(here) > MOST_HERE:
            reader.value("/people", "Draw tables for up to 60 people at once.")
        if seed is not None and seed < 0:
            reader.value("/seed", "A seed must be 0 or more.")
        reader.check()
        evening = evening_of(group)
        draws = Draw.objects.filter(group=group, evening=evening)
        draws.filter(started=None).delete()
        last = draws.order_by("-number").first()
        before = before_draw(group, evening)
        drawn = draw_tables(
            here,
            seed=(own := randbits(SEED_BITS) if seed is None else seed),
            allowed=allowed,
            preferred=preferred,
            met=before.met,
            beside=before.beside,
            sat_out=before.sat_out,
            ratings=ratings_of(group, game) if by_rating else None,
        )
        made = Draw.objects.create(
            group=group,
            evening=evening,
            number=1 if last is None else last.number + 1,
            game=game,
            by_rating=by_rating,
            seed=own,
            here=here,
            tables=[list(table) for table in drawn.tables],
            out=list(drawn.out),
        )
        turn.made = made.pk
        return made


@past_deadlocks
def start_round(code: str, own: GroupLink, caller: Caller, *, games: Sequence[str] = ()) -> Draw:
    """Open the drawn tables; ``games`` overrides the draw's game per table.

    A table without a game is not opened. Raises ``NothingDrawn`` and ``Refused``.
    """
    with group_turn(code, caller, caller.fingerprint("start", list(games))) as turn:
        group = turn.group
        if turn.repeats:
            return first_of(Draw.objects.filter(group=group, pk=turn.made or 0), NothingDrawn)
        waiting = Draw.objects.filter(group=group, evening=evening_of(group), started=None)
        draw = first_of(waiting, NothingDrawn)
        names = dict(Person.objects.filter(group=group).values_list("pk", "name"))
        if any(who not in names for table in draw.tables for who in table):  # someone was deleted meanwhile
            raise NothingDrawn
        chosen = [*games, *[draw.game] * len(draw.tables)][: len(draw.tables)]
        for table, game in zip(draw.tables, chosen, strict=True):
            opened = None
            if game:
                data = {"game": game, "seats": [names[who] for who in table], "people": table, "first_dealer": 0}
                opened = create_table(data, group=group, group_link=own.pk)
            draw.codes.append("" if opened is None else opened.table.code)
        draw.started = timezone.now()
        draw.save()
        turn.made = draw.pk
        return draw


def seat_latecomer(
    code: str, table: str, person: int, own: GroupLink, caller: Caller, *, newcomer: str = ZERO
) -> Table:
    """Seat a latecomer between two hands: the game continues at a new table with one more player.

    ``newcomer`` is the newcomer's starting score: zero or the lowest total. Raises ``NoSuchPerson``, ``NoSuchTable``
    and what ``continue_table`` raises.
    """
    found = first_of(Person.objects.filter(group__code=code, pk=person, merged_into=None), NoSuchPerson)
    row = first_of(Table.objects.filter(group__code=code, code=table), NoSuchTable)
    link = keep_score(code, row.code, own, Caller(by=caller.by, link=own.pk)).link
    people = [*people_at([row])[row.pk], found.pk]
    company = {"seats": [*row.seats, found.name], "people": people, "newcomer": newcomer}
    return continue_table(row.code, company, Caller(by=link.name, link=link.pk, key=caller.key)).table


# --- Seasons

MOST_SEASONS = 100
MOST_EVENINGS = 400


@past_deadlocks
def add_season(code: str, values: Mapping[str, Any], caller: Caller) -> Season:
    """Create a season; ``ranked_by`` defaults to the group's ranking. Raises ``Refused``."""
    with group_turn(code, caller, caller.fingerprint("season", _told(values))) as turn:
        if turn.repeats:
            return _season(turn.group, turn.made)
        season = Season(group=turn.group, **{**values, "ranked_by": values.get("ranked_by") or turn.group.ranked_by})
        check_season(season)
        if turn.group.seasons.count() >= MOST_SEASONS:
            reader = Reader()
            reader.value("/name", "A group can have up to 100 seasons.")
            reader.check()
        season.save()
        turn.made = season.pk
        return season


@past_deadlocks
def change_season(code: str, number: int, changes: Mapping[str, Any], caller: Caller) -> Season:
    """Change the given fields; setting ``last`` clears ``evenings``, and vice versa.

    Raises ``NoSuchSeason`` and ``Refused``.
    """
    with group_turn(code, caller, caller.fingerprint("change-season", [number, _told(changes)])) as turn:
        season = _season(turn.group, number)
        if turn.repeats:
            return season
        for name, value in changes.items():
            setattr(season, name, value)
        if changes.get("last") and "evenings" not in changes:
            season.evenings = None
        if changes.get("evenings") and "last" not in changes:
            season.last = None
        check_season(season)
        season.save()
        return season


@past_deadlocks
def delete_season(code: str, number: int, caller: Caller) -> None:
    """Delete a season; its tables stay. Raises ``NoSuchSeason``."""
    with group_turn(code, caller, caller.fingerprint("delete-season", number)) as turn:
        if not turn.repeats:
            _season(turn.group, number).delete()


def _season(group: Group, number: int | None) -> Season:
    return first_of(Season.objects.filter(group=group, pk=number or 0), NoSuchSeason)


def _told(values: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value.isoformat() if isinstance(value, date) else value for name, value in values.items()}


def check_season(season: Season) -> None:
    reader = Reader()
    if season.last is not None and season.evenings is not None:
        reader.value("/evenings", "A season ends on a day or after a number of evenings, not both.")
    if season.last is not None and season.last < season.first:
        reader.value("/last", "The last day is before the first.")
    if season.evenings is not None and not 1 <= season.evenings <= MOST_EVENINGS:
        reader.value("/evenings", "A season has 1 to 400 evenings.")
    reader.check()
