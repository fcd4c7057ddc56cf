"""Taking back the last event."""

from django.db import transaction

from referee.engine.reading import stored_event
from referee.engine.table import TableState
from scoring.models import Table, TableEvent
from scoring.queries.log import dealt_hands
from scoring.queries.state import Standing
from scoring.services.exceptions import NothingToUndo, NotYourSeat
from scoring.services.limits import count_write
from scoring.services.recording import Recorded, first_answer, is_own
from scoring.services.rewriting import judge_again, rewrite
from scoring.services.turns import Request, answered, check_version, fingerprint, locked


def undo(code: str, request: Request) -> Recorded:
    """Take back the last event that stands; it stays readable in the log.

    A player takes back only the own last act, and only while nothing else has happened. Raises ``NothingToUndo``,
    ``NotYourSeat``, ``MovedOn``, ``KeyReused``, ``TooMany``, ``LinkRevoked`` and ``Table.DoesNotExist``.
    """
    with transaction.atomic():
        row = locked(code, request)
        mark = fingerprint("undo", None)
        written = answered(row, request, mark)
        if written is not None:
            return first_answer(row, written)
        check_version(row, request)
        count_write(row, request)
        state = _take_back(row, request, mark)
        return Recorded(Standing(row, state.rules, state), row.version, [])


def _take_back(row: Table, request: Request, mark: str) -> TableState:
    standing = TableEvent.objects.filter(table=row, event__isnull=False, amended_by__isnull=True)
    last = standing.order_by("-hand", "-place").first()
    if last is None:
        raise NothingToUndo
    if request.seat is not None:
        _check_own(row, last, request.seat)
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


def can_take_back(row: Table, seat: int) -> bool:
    """Return whether the latest entry of the log is one that the player of a seat may take back."""
    last = TableEvent.objects.filter(table=row, seq=row.version).first()
    if last is None or not last.stands:
        return False
    try:
        _check_own(row, last, seat)
    except NotYourSeat:
        return False
    return True


def _check_own(row: Table, last: TableEvent, seat: int) -> None:
    """Raise ``NotYourSeat`` unless a player takes back what that player did last, and all have seen at once."""
    shown = last.hidden is not None and "seat" in last.hidden
    if row.hidden or shown or not is_own(stored_event(last.event), seat):
        raise NotYourSeat("A player’s link takes back only what this player did last, and never what was hidden.")
