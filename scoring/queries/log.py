"""The log of a table, the record it amounts to, and the state rebuilt from nothing else."""

from collections.abc import Iterable
from itertools import groupby
from typing import Any

import referee.table as game_table
from referee.events import Event
from referee.records import FORMAT, load_event
from referee.rulings import Refusal, Ruling, Verdict
from scoring.models import Table, TableEvent
from scoring.queries.rules import rules_of


def log(row: Table, *, after: int = 0, most: int | None = None) -> list[TableEvent]:
    """Return the rows of the log after a version, oldest first."""
    rows = TableEvent.objects.filter(table=row, seq__gt=after).order_by("seq")
    return list(rows if most is None else rows[:most])


def standing_events(row: Table, *, hand: int | None = None) -> list[TableEvent]:
    """Return the rows that make up the record now, in the order in which they happened."""
    rows = TableEvent.objects.filter(table=row, event__isnull=False, amended_by__isnull=True)
    if hand is not None:
        rows = rows.filter(hand=hand)
    return list(rows.order_by("seq"))


def record(row: Table) -> dict[str, Any]:
    """Return the table's record, as it is exported, imported and judged."""
    hands = [
        {"events": [entry.event for entry in entries]}
        for _, entries in groupby(standing_events(row), key=lambda entry: entry.hand)
    ]
    data: dict[str, Any] = {
        "format": FORMAT,
        "game": row.game,
        "options": dict(row.options),
        "end": dict(row.end),
        "seats": list(row.seats),
        "first_dealer": row.first_dealer,
    }
    if any(row.carried):
        data["carried"] = list(row.carried)
    return data | {"hands": hands} | dict(row.extra)


def as_it_was(row: Table, version: int) -> tuple[game_table.Table, list[Ruling]]:
    """Rebuild the state that a table had at a version, and the ruling on each event, from the log alone."""
    rows = TableEvent.objects.filter(table=row, seq__lte=version, event__isnull=False).order_by("seq")
    stood = [e for e in rows if e.amended_by is None or e.amended_by > version]
    table = game_table.open_table(rules_of(row), first_dealer=row.first_dealer, carried=row.carried)
    rulings: list[Ruling] = []
    for _, entries in groupby(stood, key=lambda entry: entry.hand):
        dealt = game_table.deal(table)
        assert not isinstance(dealt, Refusal), dealt
        table, ruled = play(dealt, (load_event(entry.event) for entry in entries))
        rulings += ruled
    return table, rulings


def play(table: game_table.Table, events: Iterable[Event]) -> tuple[game_table.Table, list[Ruling]]:
    """Take events that were accepted once into the hand just dealt."""
    rulings = []
    for event in events:
        ruling = game_table.judge(table, event)
        assert ruling.verdict is Verdict.ACCEPTED, ruling.reason
        rulings.append(ruling)
        table = ruling.table
    return table, rulings


def next_code(row: Table) -> str | None:
    """Return the code of the table at which this one is continued."""
    return Table.objects.filter(previous=row).values_list("code", flat=True).first()
