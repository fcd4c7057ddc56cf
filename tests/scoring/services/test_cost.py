"""A table's cost grows linearly with its content, for import, export and corrections.

Work is counted, not timed (see ``tests.work``). The first query of a run fills Django's caches, so it is made
beforehand.
"""

from collections.abc import Callable
from itertools import count
from typing import Any

import pytest

from referee.engine.records import load_event
from scoring.models import Table
from scoring.operating.reads.verifying import differences
from scoring.tables.acts.amending import Amendment, preview
from scoring.tables.acts.importing import import_record
from scoring.tables.acts.keys import Caller
from scoring.tables.acts.opening import create_table
from scoring.tables.acts.recording import record_events
from scoring.tables.reads.log import as_it_was, log, record
from scoring.tables.reads.record_export import as_json, as_text, events_csv, scores_csv
from scoring.tables.reads.state import adjudication, standing
from tests.referee.worst import WORST
from tests.work import growth

TWICE = 2.2
NOTE = {"type": "note", "text": "hm"}


def amended(row: Table) -> None:
    """Replace the first event, so that everything after it is judged again."""
    row = Table.objects.get(pk=row.pk)
    first = log(row, most=1)[0]
    preview(row.code, Amendment(seq=first.seq, event=load_event(first.event)), Caller())


def read(row: Table) -> None:
    """Read everything about a table."""
    row = Table.objects.get(pk=row.pk)
    adjudication(standing(row))
    log(row)
    as_it_was(row, row.version)


def taken_away(row: Table) -> None:
    """Export a table in every way."""
    row = Table.objects.get(pk=row.pk)
    as_json(row, annotate=True)
    as_text(row, annotate=True)
    events_csv(row)
    scores_csv(row)


WAYS: dict[str, Callable[[Table], object]] = {
    "amend": amended, "read": read, "take away": taken_away, "verify": differences,
}  # fmt: skip
KINDS = ("passes with a known hand", "transfers", "settled notes", "results", "hands with findings")
LENGTHS = {"results": 20, "hands with findings": 20}


def made(worst: str, times: int) -> dict[str, Any]:
    make, size = WORST[worst]
    return make(times * LENGTHS.get(worst, size))


@pytest.mark.parametrize("worst", KINDS)
def test_import_cost_is_linear_in_record_size(db, worst):
    assert growth(import_record, made(worst, 1), made(worst, 2)) < TWICE


@pytest.mark.smoke
@pytest.mark.parametrize("worst", KINDS)
def test_cost_is_linear_in_table_size(db, worst):
    small, large = (import_record(made(worst, times)).table for times in (1, 2))
    for way, work in WAYS.items():
        assert growth(work, small, large) < TWICE, way


@pytest.mark.parametrize("worst", KINDS)
def test_batch_cost_is_linear(db, worst):
    numbers = count()

    def recorded(data: dict[str, Any]) -> None:
        head = {key: value for key, value in data.items() if key != "hands"}
        events = [load_event(event) for hand in data["hands"] for event in hand["events"]]
        record_events(create_table(head).table.code, events, Caller(key=str(next(numbers))))

    assert growth(recorded, made(worst, 1), made(worst, 2)) < TWICE


def test_finding_settlements_after_a_correction_has_linear_cost(db):
    def named(events: int) -> Table:
        notes = [NOTE | {"x_settles": [0, at]} for at in range(events)]
        return import_record(made("notes", 0) | {"hands": [{"events": [NOTE, *notes]}]}).table

    assert growth(record, named(90), named(180)) < TWICE
