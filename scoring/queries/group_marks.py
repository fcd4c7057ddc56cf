"""How the last evening of a group stands, in one number: what shows that evening is out of date when it changes."""

from collections import defaultdict
from collections.abc import Collection, Mapping
from zlib import crc32

from django.db.models import OuterRef, Subquery

from scoring.models import Group, Table


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
