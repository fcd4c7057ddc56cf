"""Judging a table again from the hand on that a change touches, and writing what comes of it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from referee.engine.adjudication import describe_hand
from referee.engine.bounds import Watch, no_watch
from referee.engine.replaying import PlayedHand
from referee.engine.snapshot import dump_table
from scoring.models import DealtHand, HandSheet, Table, TableEvent
from scoring.queries.log import hand_start, opening, standing_events
from scoring.queries.replaying import LoggedHand, Stop, replay_hands
from scoring.services.turn import Turn


@dataclass(frozen=True, slots=True)
class JudgedAgain:
    """The hands of a table from ``first`` on, as they stand after a change, and the row that stopped it."""

    first: int
    hands: list[LoggedHand]
    stop: Stop | None


def judge_again(
    row: Table, new: Sequence[TableEvent], *, dealt: Mapping[int, DealtHand], watch: Watch = no_watch
) -> JudgedAgain:
    """Judge what follows when ``new`` rows take the place of those that they amend; nothing is written.

    It begins with the first hand that is touched, or the one before where nothing is left of that hand. Raises what
    ``watch`` raises.
    """
    first = min(*(entry.hand for entry in new), row.hand_number or 0)
    gone = {entry.amends for entry in new}
    stay = [entry for entry in standing_events(row, hands_from=first) if entry.seq not in gone]
    entries = sorted(stay + [e for e in new if e.event is not None], key=lambda entry: (entry.hand, entry.place))
    if first > 0 and not entries and all(number < first for number in dealt):
        first -= 1
        entries = standing_events(row, hand=first)
    start = hand_start(row, first)
    hands, stop = replay_hands(start or opening(row), entries, dealt=dealt, first=first, start=start, watch=watch)
    return JudgedAgain(first, hands, stop)


def rewrite(turn: Turn, judged: JudgedAgain) -> None:
    """Put hands judged again in the place of those there were."""
    hands = judged.hands
    state, start = (hands[-1].state, hands[-1].start) if hands else (opening(turn.row), None)
    left = [hand.state.hand for hand in hands[:-1] if hand.state.hand is not None]
    turn.judged_again(judged.first, [sheet_of(turn.row, hand) for hand in hands[:-1]], start, state, left)


def sheet_of(row: Table, hand: PlayedHand) -> HandSheet:
    """Describe a hand that another one has followed."""
    assert hand.state.hand is not None
    described = describe_hand(hand.state.hand, row.seats)
    return HandSheet(table=row, number=hand.number, sheet=described, start=dump_table(hand.start))
