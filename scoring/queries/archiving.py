"""A whole group as lines of JSON: first the group with its people, then each table with its whole log.

Codes, ids, links and devices stay behind: rights belong to an installation. What lies face down is not told, as in
every other place. Taken back on another installation and archived there, it is the same again, byte for byte.
"""

from collections.abc import Iterator
from typing import Any

from scoring.models import DealtHand, Group, Person, Precedent, SeatedPerson, Table, TableEvent
from scoring.models.fields import canonical

FORMAT = "group-archive/1"
ROW = ("seq", "hand", "place", "event", "amends", "amended_by", "reason", "by", "at", "batch", "choosing")
"""What an archive has of a row of the log, in this order."""


def archive_of(group: Group) -> Iterator[str]:
    """Yield the lines of the archive of a group."""
    people = list(Person.objects.filter(group=group).order_by("pk"))
    places = {person.pk: place for place, person in enumerate(people)}
    tables = list(Table.objects.filter(group=group).order_by("created", "pk").values_list("pk", flat=True))
    numbers = {pk: number for number, pk in enumerate(tables)}
    yield canonical(
        {
            "format": FORMAT,
            "name": group.name,
            "counts_revokes": group.counts_revokes,
            **({"shares_rulings": True} if group.shares_rulings else {}),
            "created": group.created.isoformat(),
            "people": [_person(person, places) for person in people],
            "tables": len(tables),
            **_decided(group, numbers),
        }
    )
    for pk in tables:
        row = Table.objects.defer("snapshot", "hand_start").get(pk=pk)
        yield canonical(_table(row, places, numbers))


DECIDED = ("game", "code", "clause", "facts", "question", "decision", "option", "value")
"""What an archive has of a decision as it is stored."""


def _decided(group: Group, numbers: dict[int, int]) -> dict[str, Any]:
    found = [
        {name: getattr(each, name) for name in DECIDED}
        | {"table": numbers.get(each.table_id or 0), "dispute": each.dispute, "since": each.since.isoformat()}
        for each in Precedent.objects.filter(group=group).order_by("pk")
    ]
    return {"precedents": found} if found else {}


def _person(person: Person, places: dict[int, int]) -> dict[str, Any]:
    return {
        "name": person.name,
        "aliases": list(person.aliases),
        "colour": person.colour,
        "merged_into": places.get(person.merged_into_id or 0),
        "created": person.created.isoformat(),
    }


def _table(row: Table, places: dict[int, int], numbers: dict[int, int]) -> dict[str, Any]:
    people: list[int | None] = [None] * len(row.seats)
    for seat, person in SeatedPerson.objects.filter(table=row).values_list("seat", "person"):
        people[seat] = places.get(person)
    return {
        "game": row.game,
        "options": row.options,
        "end": row.end,
        "seats": row.seats,
        "first_dealer": row.first_dealer,
        "carried": row.carried,
        "extra": row.extra,
        "private": row.private,
        "previous": numbers.get(row.previous_id or 0),
        "people": people,
        "created": row.created.isoformat(),
        "updated": row.updated.isoformat(),
        "evening": row.evening.isoformat(),
        "finished_at": None if row.finished_at is None else row.finished_at.isoformat(),
        "agreed": row.agreed,
        **_of_rulings(row),
        "log": [_entry(entry) for entry in TableEvent.objects.filter(table=row).order_by("seq")],
        "dealt": [
            [hand.number, hand.known, hand.extra, hand.retired]
            for hand in DealtHand.objects.filter(table=row).order_by("number", "pk")
        ],
    }


def _of_rulings(row: Table) -> dict[str, Any]:
    """Return who decides disputes, and whether others read what was ruled, where that is not as usual.

    Which link is the neutral phone’s stays behind with all links.
    """
    told: dict[str, Any] = {"ruled_by": {"kind": row.ruled_by["kind"]}} if row.ruled_by else {}
    return told | ({"shares_rulings": True} if row.shares_rulings else {})


def _entry(entry: TableEvent) -> list[Any]:
    values = {name: getattr(entry, name) for name in ROW} | {"at": entry.at.isoformat()}
    return [values[name] for name in ROW]
