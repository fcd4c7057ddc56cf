"""A group for tests, the Thursday round, and its past: played tables, copied as often as needed."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from typing import Any

from django.apps import apps
from django.db import connection, transaction
from django.db.models import Model
from django.utils import timezone
from rest_framework.test import APIClient

from scoring.groups.acts.groups import create_group
from scoring.groups.acts.scores import Moment, hold_scores, rate_from
from scoring.models import Group, HandSheet, SeatedPerson, SeatScore, Table, TableEvent
from scoring.models.table import new_code
from tests.scoring.conftest import ACE_TRUMP, OpenTable, holder


@dataclass
class Thursday:
    """A group, and its first token."""

    code: str
    token: str

    @property
    def url(self) -> str:
        return f"/api/v1/groups/{self.code}/"

    @property
    def row(self) -> Group:
        return Group.objects.get(code=self.code)

    @property
    def member(self) -> APIClient:
        return holder(self.token)

    def link(self, role: str, name: str = "", scope: str | None = None) -> str:
        """Make a link and return its token."""
        made = self.member.post(f"{self.url}links/", {"role": role, "name": name, "scope": scope})
        token: str = made.json()["token"]
        return token

    def people(self) -> dict[str, int]:
        """Return the ids of the people by name."""
        return {person.name: person.pk for person in self.row.people.all()}

    def adopt(self, table: OpenTable, people: Sequence[int | None] | None = None, **more: Any) -> Any:
        """Move a table into the group, with the scorekeeper's token and a member's."""
        body = {"group": self.code, "group_token": self.token} | ({"people": people} if people else {})
        return holder(table.token).patch(f"/api/v1/tables/{table.code}/", body, **more)

    def archive(self) -> str:
        """Return the text of the group's archive."""
        text: str = self.member.get(f"{self.url}archive/").getvalue().decode()
        return text

    def open_table(self, **changes: Any) -> OpenTable:
        """Open a table of the group."""
        opened = self.member.post("/api/v1/tables/", ACE_TRUMP | changes).json()
        return OpenTable(opened["code"], opened["token"])


def brought(text: str) -> Thursday:
    """Import an archive as a new group."""
    answer = APIClient().post("/api/v1/groups/import/", {"text": text})
    assert answer.status_code == 201, answer.json()
    return Thursday(answer.json()["code"], answer.json()["token"])


def make_group(*people: str, name: str = "Thursday") -> Thursday:
    """Make a group."""
    made = create_group(name, people or ("Ann", "Bob", "Cy"))
    return Thursday(made.link.group.code, made.token)


def made_once(make: Callable[[], Thursday]) -> Callable[[], Thursday]:
    """Make a group by requests once in this process; for later tests, write its rows again.

    Its group and tables get new codes each time, because the caches of a process are kept by code.
    """
    rows: list[Model] = []
    tokens: list[str] = []

    def made() -> Thursday:
        if not tokens:
            first = make()
            models = apps.get_app_config("scoring").get_models(include_auto_created=True)
            rows.extend(row for model in models for row in model._base_manager.all())
            tokens.append(first.token)
            return first
        for row in rows:
            if isinstance(row, Group | Table):
                row.code = new_code()
            row.save_base(raw=True, force_insert=True)
        [code] = [row.code for row in rows if isinstance(row, Group)]
        return Thursday(code, tokens[0])

    return made


# --- Played tables, and copies of them

FIRST_EVENING = date(2024, 1, 4)
EACH_EVENING = 4
COPIED = (TableEvent, HandSheet, SeatScore, SeatedPerson)


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


def copies(table: OpenTable, count: int, *, each_evening: int = EACH_EVENING) -> None:
    """Copy the table this often, on evenings a week apart."""
    copy_tables([table.row], count, each_evening)


def copy_tables(played: Sequence[Table], count: int, each_evening: int = EACH_EVENING) -> list[Table]:
    """Copy these tables in turn with all their rows, so many an evening, on evenings a week apart."""
    rows, moments = [], []
    for number in range(count):
        day = FIRST_EVENING + timedelta(weeks=number // each_evening)
        moments.append(datetime.combine(day, time(18 + number % each_evening), tzinfo=timezone.get_current_timezone()))
        row = Table.objects.get(pk=played[number % len(played)].pk)
        row.pk, row.code, row.key, row.evening = None, new_code(), None, day
        rows.append(row)
    Table.objects.bulk_create(rows, batch_size=100)
    for model in COPIED:
        _copy_rows(model, [(row.pk, played[number % len(played)].pk) for number, row in enumerate(rows)])
    for row, opened in zip(rows, moments, strict=True):
        row.created, row.updated, row.finished_at = opened, opened, opened + timedelta(minutes=40)
        SeatScore.objects.filter(table=row).update(evening=row.evening, finished_at=row.finished_at)
    Table.objects.bulk_update(rows, ["created", "updated", "finished_at"], batch_size=200)
    return rows


def _copy_rows(model: Any, pairs: list[tuple[int, int]]) -> None:
    """Copy one table's rows to another, for each pair of new and old."""
    columns = [f'"{field.column}"' for field in model._meta.concrete_fields if field.column not in ("id", "table_id")]
    name, listed = model._meta.db_table, ", ".join(columns)
    with connection.cursor() as cursor:
        cursor.executemany(
            f"INSERT INTO {name} (table_id, {listed}) SELECT %s, {listed} FROM {name} WHERE table_id = %s", pairs
        )


# --- A long life: as many tables and hands as people play in decades, copied from a few

NAMES = ("Ann", "Bob", "Cy", "Dee", "Eve", "Flo", "Gus", "Hal")
GAMES: tuple[tuple[dict[str, Any], int], ...] = (
    ({"game": "ace-trump", "options": {"bidding": True}}, 9),
    ({"game": "ransom-trump"}, 8),
    ({"game": "ace-trump", "options": {"partners": True}}, 9),
)
"""The games played, and their tricks per hand."""


@transaction.atomic
def long_life(*, tables: int, hands: int) -> Thursday:
    """Make a group of eight with this many tables and hands, four tables an evening and an evening a week."""
    group = make_group(*NAMES)
    played = [_played(group, game, tricks, hands) for game, tricks in GAMES]
    rows = copy_tables(played, tables)
    Table.objects.filter(pk__in=[row.pk for row in played]).delete()
    _seat(rows, list(group.people().items()))
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


def _seat(rows: list[Table], people: list[tuple[str, int]]) -> None:
    """Seat other people at every table."""
    for number, row in enumerate(rows):
        row.seats = [people[(number + seat) % len(people)][0] for seat in range(len(row.seats))]
        for seat in range(len(row.seats)):
            who = people[(number + seat) % len(people)][1]
            for model in (SeatedPerson, SeatScore):
                model._default_manager.filter(table=row, seat=seat).update(person_id=who)
    Table.objects.bulk_update(rows, ["seats"], batch_size=200)
