"""A group with a past: played tables, copied as often as needed."""

from datetime import date, datetime, time, timedelta
from typing import Any

from django.utils import timezone

from scoring.models import SeatedPerson, SeatScore, Table, TableEvent
from scoring.models.table import new_code
from tests.scoring.conftest import OpenTable
from tests.scoring.groups import Thursday

FIRST_EVENING = date(2024, 1, 4)


def result(*tricks: int) -> dict[str, Any]:
    """Return the event of a hand with only the tricks recorded."""
    return {"type": "result", "tricks": list(tricks)}


def played(group: Thursday, *hands: tuple[int, ...], **changes: Any) -> OpenTable:
    """Open a table of the group, play hands with these tricks, and end it."""
    table = group.open_table(**changes)
    table.record(*(result(*tricks) for tricks in hands), {"type": "end"})
    return table


def on(table: OpenTable, day: date, hour: int = 20) -> OpenTable:
    """Move a table's play to an evening, opened at an hour."""
    opened = datetime.combine(day, time(hour), tzinfo=timezone.get_current_timezone())
    over, scores = opened + timedelta(minutes=40), SeatScore.objects.filter(table__code=table.code)
    Table.objects.filter(code=table.code).update(evening=day, created=opened, finished_at=over, updated=over)
    scores.update(evening=day)
    scores.filter(finished_at__isnull=False).update(finished_at=over)
    return table


def copies(table: OpenTable, count: int, *, each_evening: int = 4) -> None:
    """Copy the table this often, on evenings a week apart."""
    row = table.row
    seats = list(SeatedPerson.objects.filter(table=row))
    events = list(TableEvent.objects.filter(table=row))
    made = []
    for number in range(count):
        day = FIRST_EVENING + timedelta(weeks=number // each_evening)
        copy = Table.objects.get(pk=row.pk)
        copy.pk, copy.code, copy.evening, copy.key = None, new_code(), day, None
        made.append(copy)
    Table.objects.bulk_create(made, batch_size=200)
    for number, copy in enumerate(made):
        opened = datetime.combine(
            copy.evening, time(18 + number % each_evening), tzinfo=timezone.get_current_timezone()
        )
        copy.created, copy.finished_at = opened, opened + timedelta(minutes=40)
    Table.objects.bulk_update(made, ["created", "finished_at"], batch_size=200)
    SeatedPerson.objects.bulk_create(
        [SeatedPerson(table=copy, seat=one.seat, person_id=one.person_id) for copy in made for one in seats],
        batch_size=500,
    )
    fields = ("seq", "hand", "place", "event", "at")
    TableEvent.objects.bulk_create(
        [TableEvent(table=copy, **{name: getattr(one, name) for name in fields}) for copy in made for one in events],
        batch_size=200,
    )
    scores = list(SeatScore.objects.filter(table=row))
    scored = tuple(field.attname for field in SeatScore._meta.concrete_fields if field.attname not in OWN)
    SeatScore.objects.bulk_create(
        [
            SeatScore(
                table=copy,
                evening=copy.evening,
                finished_at=copy.finished_at,
                **{name: getattr(one, name) for name in scored},
            )
            for copy in made
            for one in scores
        ],
        batch_size=200,
    )


OWN = ("id", "table_id", "evening", "finished_at")
"""The fields each seat score has for itself."""
