"""Taking back the last event."""

from django.db import transaction

import referee.table as game_table
from scoring.models import Table, TableEvent
from scoring.queries.log import dealt_hands
from scoring.queries.state import Standing
from scoring.services.outcomes import NothingToUndo
from scoring.services.recording import Recorded, first_answer
from scoring.services.rewriting import judge_again, rewrite
from scoring.services.writing import Request, answered, check_version, fingerprint, locked


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
        return Recorded(Standing(row, state.rules, state), row.version, [])


def _take_back(row: Table, request: Request, mark: str) -> game_table.Table:
    standing = TableEvent.objects.filter(table=row, event__isnull=False, amended_by__isnull=True)
    last = standing.order_by("-hand", "-place").first()
    if last is None:
        raise NothingToUndo
    # A hand that was dealt after this event, and in which nothing has happened, goes with it.
    dealt = {number: hand for number, hand in dealt_hands(row).items() if number <= last.hand}
    judged = judge_again(row, last, None, dealt=dealt)
    assert judged.stop is None, judged.stop
    row.version += 1
    last.amended_by = row.version
    last.save(update_fields=["amended_by"])
    TableEvent.objects.create(
        table=row,
        seq=row.version,
        hand=last.hand,
        place=last.place,
        amends=last.seq,
        by=request.by,
        key=request.key,
        fingerprint=mark if request.key else "",
    )
    return rewrite(row, judged)
