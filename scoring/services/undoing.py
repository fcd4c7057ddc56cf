"""Taking back the last event."""

from dataclasses import replace

from referee.engine.reading import stored_event
from referee.engine.translation import phrase
from scoring.models import Table, TableEvent
from scoring.queries.chains import next_of
from scoring.queries.log import dealt_hands, standing_rows
from scoring.services.deadlocks import past_deadlocks
from scoring.services.exceptions import AlreadyContinued, NothingToUndo, NotYourSeat
from scoring.services.keys import Caller
from scoring.services.recording import Recorded, is_own, recorded_before
from scoring.services.rewriting import judge_again, rewrite
from scoring.services.turn import Turn
from scoring.services.turns import trial_at, turn_at


@past_deadlocks
def undo(code: str, caller: Caller) -> Recorded:
    """Take back the last event that stands; it stays readable in the log.

    A player takes back only the own last act, and only while nothing else has happened. Raises ``NothingToUndo``,
    ``NotYourSeat``, ``AlreadyContinued``, and what ``turn_at`` raises.
    """
    with turn_at(code, caller, caller.fingerprint("undo", None)) as turn:
        return recorded_before(turn) if turn.repeats else undo_last(turn)


def try_undo(code: str, caller: Caller) -> Recorded:
    """Say what taking back the last event would be answered; nothing is written but that it was asked."""
    with trial_at(code, caller) as turn:
        return replace(undo_last(turn), version=turn.found)


def undo_last(turn: Turn) -> Recorded:
    """Take back, in a turn, the last event that stands; not where the game went on at another table."""
    turn.hold()
    following = next_of(turn.row) if turn.row.finished else None
    if following is not None:
        raise AlreadyContinued(following)
    last = standing_rows(turn.row).order_by("-hand", "-place").first()
    if last is None:
        raise NothingToUndo
    if turn.caller.seat is not None:
        _check_own(turn.row, last, turn.caller.seat)
    # A hand that was dealt after this event, and in which nothing has happened, goes with it.
    dealt = {number: hand for number, hand in dealt_hands(turn.row).items() if number <= last.hand}
    judged = judge_again(turn.row, [turn.amend(last, None)], dealt=dealt, watch=turn.watch)
    assert judged.stop is None, judged.stop
    rewrite(turn, judged)
    return Recorded(turn.at, turn.version, [])


def can_undo(row: Table, seat: int) -> bool:
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
    shown = last.choosing is not None and "seat" in last.choosing
    if row.choosing or shown or not is_own(stored_event(last.event), seat):
        raise NotYourSeat(phrase("A player’s link takes back only this player’s last act, and never a secret choice."))
