"""A player agrees with what a hand has brought, from the own phone. It never holds up the table."""

from referee.engine.translation import phrase
from scoring.queries.results import hand_scores
from scoring.services.deadlocks import past_deadlocks
from scoring.services.exceptions import HandRunning, NoSuchHand, NotYourSeat
from scoring.services.keys import Caller
from scoring.services.recording import Recorded, recorded_before
from scoring.services.turn import Turn
from scoring.services.turns import turn_at


@past_deadlocks
def confirm_hand(code: str, number: int, caller: Caller) -> Recorded:
    """Note that the caller's seat agrees with the result of a hand, as it is now.

    ``number`` is that of the hand, from 1. A result that is corrected later is to be agreed with again. Raises
    ``NotYourSeat`` where the caller is no player, ``NoSuchHand``, ``HandRunning``, and what ``turn_at`` raises.
    """
    with turn_at(code, caller, caller.fingerprint("confirm", number)) as turn:
        return recorded_before(turn) if turn.repeats else confirm(turn, number)


def confirm(turn: Turn, number: int) -> Recorded:
    """Note, in a turn, that the caller's seat agrees with the result of a hand."""
    turn.hold()
    seat = turn.caller.seat
    if seat is None:
        raise NotYourSeat(phrase("A player agrees from the own phone, with the link of the own seat."))
    last = None if turn.state.hand is None else turn.state.hand.setup.index
    if last is None or not 1 <= number <= last + 1:
        raise NoSuchHand
    scores = hand_scores(turn.at, number - 1)
    if None in scores:
        raise HandRunning
    turn.choosing = dict(turn.row.choosing)  # what lies face down stays there
    turn.confirm(number - 1, seat, scores)
    return Recorded(turn.at, turn.version, [], choosing=turn.choosing)
