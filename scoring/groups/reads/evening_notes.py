"""Places, notes and tags of tables and evenings, and finding tables by them."""

from collections.abc import Mapping
from datetime import date
from typing import NamedTuple

from django.db.models import Q

from referee.engine.reader import as_seen
from scoring.models import EveningNote, Group, Table


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
