"""One hand of a table described, in any language: what is stored of a finished hand is in English."""

from referee.engine.adjudication import describe_hand
from referee.engine.hand import Hand
from referee.engine.sheet import DescribedHand
from referee.engine.translation import Language
from scoring.models import Table
from scoring.queries.log import dealt_hands, hand_start, standing_events
from scoring.queries.replaying import replay_hands
from scoring.queries.state import Standing, current_hand


def hand_described(at: Standing, index: int, language: Language, *, points: bool = True) -> DescribedHand | None:
    """Describe one hand, by its index from 0, with or without points; ``None`` where this table has no such hand."""
    if at.hand is None or not 0 <= index <= at.hand.setup.index:
        return None
    if at.hand.setup.index == index:
        return current_hand(at, language, points=points)
    played = _played(at.row, index)
    return describe_hand(played, at.names, language=language, points=points)


def _played(row: Table, index: int) -> Hand:
    """Return an earlier hand, judged again from where it began."""
    start = hand_start(row, index)
    assert start is not None
    dealt = {number: hand for number, hand in dealt_hands(row).items() if number == index}
    hands, stop = replay_hands(start, standing_events(row, hand=index), dealt=dealt, first=index, start=start)
    assert stop is None, stop
    played = hands[0].state.hand
    assert played is not None
    return played
