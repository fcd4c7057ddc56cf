"""A group with a long life: as many tables and hands as people play in decades, copied from a few."""

from datetime import datetime, time, timedelta
from typing import Any

from django.db import connection, transaction
from django.utils import timezone

from scoring.groups.acts.rating import Moment, hold_scores, rate_from
from scoring.models import HandSheet, SeatedPerson, SeatScore, Table, TableEvent
from scoring.models.table import new_code
from tests.scoring.evenings import FIRST_EVENING
from tests.scoring.groups import Thursday, make_group

NAMES = ("Ann", "Bob", "Cy", "Dee", "Eve", "Flo", "Gus", "Hal")
EACH_EVENING = 4
GAMES: tuple[tuple[dict[str, Any], int], ...] = (
    ({"game": "ace-trump", "options": {"bidding": True}}, 9),
    ({"game": "ransom-trump"}, 8),
    ({"game": "ace-trump", "options": {"partners": True}}, 9),
)
"""The games played, and their tricks per hand."""
COPIED = (TableEvent, HandSheet, SeatScore, SeatedPerson)


@transaction.atomic
def long_life(*, tables: int, hands: int) -> Thursday:
    """Make a group of eight with this many tables and hands, four tables an evening and an evening a week."""
    group = make_group(*NAMES)
    played = [_played(group, game, tricks, hands) for game, tricks in GAMES]
    people = list(group.people().items())
    rows = [_copy(played[number % len(played)], number, people) for number in range(tables)]
    Table.objects.bulk_create(rows, batch_size=100)
    for model in COPIED:
        _copy_rows(model, [(row.pk, played[number % len(played)].pk) for number, row in enumerate(rows)])
    Table.objects.filter(pk__in=[row.pk for row in played]).delete()
    _seat(rows, people)
    first = SeatScore.objects.filter(group=group.row).order_by("finished_at", "table").first()
    assert first is not None
    assert first.finished_at is not None
    hold_scores(group.row.pk)
    rate_from(group.row.pk, Moment(first.finished_at, first.table_id))
    return group


def _played(group: Thursday, game: dict[str, Any], tricks: int, hands: int) -> Table:
    table = group.open_table(seats=["Ann", "Bob", "Cy", "Dee"], first_dealer=0, **game)
    events: list[dict[str, Any]] = []
    for number in range(hands):
        made = [number % 4, 3 - number % 3, number % 3, tricks - 3 - number % 4]
        if game.get("options", {}).get("bidding"):
            events += [
                {"type": "bid", "seat": (1 + number + bidder) % 4, "tricks": 2 + bidder % 2} for bidder in range(4)
            ]
        events.append({"type": "result", "tricks": made})
    table.record(*events[: len(events) // 2])
    table.record(*events[len(events) // 2 :], {"type": "end"})
    return table.row


def _copy(played: Table, number: int, people: list[tuple[str, int]]) -> Table:
    day = FIRST_EVENING + timedelta(weeks=number // EACH_EVENING)
    opened = datetime.combine(day, time(18 + number % EACH_EVENING), tzinfo=timezone.get_current_timezone())
    row = Table.objects.get(pk=played.pk)
    row.pk, row.code, row.key, row.evening = None, new_code(), None, day
    row.finished_at = opened + timedelta(minutes=50)
    row.seats = [people[(number + seat) % len(people)][0] for seat in range(len(row.seats))]
    row.created = opened
    return row


def _copy_rows(model: Any, pairs: list[tuple[int, int]]) -> None:
    """Copy one table's rows to another, for each pair of new and old."""
    columns = [f'"{field.column}"' for field in model._meta.concrete_fields if field.column not in ("id", "table_id")]
    name, listed = model._meta.db_table, ", ".join(columns)
    with connection.cursor() as cursor:
        cursor.executemany(
            f"INSERT INTO {name} (table_id, {listed}) SELECT %s, {listed} FROM {name} WHERE table_id = %s", pairs
        )


def _seat(rows: list[Table], people: list[tuple[str, int]]) -> None:
    """Seat other people at every table, and give each table its end time."""
    who = [(people[(n + seat) % len(people)][1], row.pk, seat) for n, row in enumerate(rows) for seat in range(4)]
    moments = [(row.created, row.created, row.finished_at, row.pk) for row in rows]
    with connection.cursor() as cursor:
        cursor.executemany("UPDATE scoring_seatedperson SET person_id = %s WHERE table_id = %s AND seat = %s", who)
        cursor.executemany("UPDATE scoring_seatscore SET person_id = %s WHERE table_id = %s AND seat = %s", who)
        cursor.executemany(
            "UPDATE scoring_table SET created = %s, updated = %s, finished_at = %s WHERE id = %s", moments
        )
        cursor.execute(
            "UPDATE scoring_seatscore SET (finished_at, evening) ="
            " (SELECT finished_at, evening FROM scoring_table t WHERE t.id = table_id)"
        )
