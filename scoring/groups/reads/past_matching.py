"""Matching of a file's names to people of a group, and of its games to those already there."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import date, timedelta
from typing import NamedTuple

from referee.engine.reader import as_seen
from referee.engine.texts import phrase
from scoring.groups.reads.groups import people_of, person_named, strangers
from scoring.groups.reads.past_files import Draft, LeftOut
from scoring.models import Group, Person, SeatScore
from scoring.models.fields import EVENING_ENDS


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
