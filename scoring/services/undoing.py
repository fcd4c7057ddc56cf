"""Taking back the last event."""

from django.db import transaction

import referee.table as game_table
from referee.records import load_event
from referee.snapshot import load_table
from scoring.models import HandSheet, Table, TableEvent
from scoring.queries.log import play, standing_events
from scoring.queries.rules import rules_of
from scoring.queries.state import Standing
from scoring.services.outcomes import NothingToUndo
from scoring.services.recording import Recorded, first_answer
from scoring.services.writing import Request, answered, check_version, fingerprint, keep, locked


def undo(code: str, request: Request) -> Recorded:
    """Take back the last event that stands; it stays readable in the log.

    Raises ``NothingToUndo``, ``MovedOn``, ``KeyReused`` and ``Table.DoesNotExist``.
    """
    with transaction.atomic():
        row = locked(code)
        mark = fingerprint("undo", None)
        written = answered(row, request, mark)
        if written is not None:
            return first_answer(row, written)
        check_version(row, request)
        state = _take_back(row, request, mark)
        keep(row, state)
        return Recorded(Standing(row, state.rules, state), row.version, [])


def _take_back(row: Table, request: Request, mark: str) -> game_table.Table:
    standing = TableEvent.objects.filter(table=row, event__isnull=False, amended_by__isnull=True)
    last = standing.order_by("-seq").first()
    if last is None:
        raise NothingToUndo
    row.version += 1
    last.amended_by = row.version
    last.save(update_fields=["amended_by"])
    TableEvent.objects.create(
        table=row,
        seq=row.version,
        hand=last.hand,
        amends=last.seq,
        by=request.by,
        key=request.key,
        fingerprint=mark if request.key else "",
    )
    return _state_now(row)


def _state_now(row: Table) -> game_table.Table:
    """Return the state after an event was taken back, going back a hand where it had begun this one."""
    rules = rules_of(row)
    assert row.hand_number is not None
    events = standing_events(row, hand=row.hand_number)
    if not events:
        if row.hand_number == 0:
            row.hand_number, row.hand_start = None, None
            return game_table.open_table(rules, first_dealer=row.first_dealer, carried=row.carried)
        before = HandSheet.objects.get(table=row, number=row.hand_number - 1)
        row.hand_number, row.hand_start = before.number, before.start
        before.delete()
        events = standing_events(row, hand=row.hand_number)
    start = load_table(rules, row.hand_start)
    return play(start, (load_event(entry.event) for entry in events))[0]
