"""Where the players of later hands sit, in games that seat them by the score, once an earlier score is corrected."""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from referee.engine.bounds import Watch, no_watch
from referee.engine.event_kinds import Event
from referee.engine.reading import dump_event
from referee.engine.table import TableState
from scoring.models import DealtHand, Table, TableEvent
from scoring.queries.log import dealt_hands, hand_start, standing_events
from scoring.queries.replaying import LoggedHand, replay_hands
from scoring.queries.rules import game_of


class Reseated(NamedTuple):
    """A hand, counted from 0, in which the players would have sat otherwise; seats clockwise, as hands list them."""

    hand: int
    before: tuple[int, ...]
    after: tuple[int, ...]


def reseated(row: Table, hands: Iterable[LoggedHand]) -> list[Reseated]:
    """Return in which of these hands, judged again, the players sit otherwise than they did."""
    found = []
    for hand in hands:
        before, after = _seating(row, hand.number), hand.start.hand.setup.seating if hand.start.hand else None
        if before and after and before != after:
            found.append(Reseated(hand.number, before, after))
    return found


def seatings_to_keep(row: Table, news: Sequence[TableEvent], watch: Watch = no_watch) -> Iterator[tuple[int, Event]]:
    """Yield, with the hand that it ends, each event that seats the players of the next one as they sat.

    ``news`` are rows that take the place of those that they amend. What the corrected score seats like that anyway
    needs none.
    """
    game = game_of(row)
    first = min(entry.hand for entry in news)
    gone = {entry.amends for entry in news}
    entries = [entry for entry in standing_events(row, hands_from=first) if entry.seq not in gone]
    entries = sorted((*entries, *(e for e in news if e.event is not None)), key=lambda entry: (entry.hand, entry.place))
    start, known = hand_start(row, first), dealt_hands(row)
    for number in range(first, row.hand_number or 0):
        here = [entry for entry in entries if entry.hand == number]
        sat = _seating(row, number + 1)
        event = game.seated_as(sat) if sat else None
        if start is None or sat is None or event is None:
            return
        following = DealtHand(number=number + 1, known={})
        if not _seats(start, here, following, sat, watch):
            here.append(TableEvent(hand=number, event=dump_event(event)))
            if not _seats(start, here, following, sat, watch):
                return  # it takes another correction first
            yield number, event
        following = known.get(number + 1, following)
        hands, _ = replay_hands(
            start, here, dealt={following.number: following}, first=number, start=start, watch=watch
        )
        start = hands[-1].start


def _seats(
    start: TableState, entries: Sequence[TableEvent], following: DealtHand, seating: tuple[int, ...], watch: Watch
) -> bool:
    """Return whether these entries of a hand that is dealt seat the players of the following one like this."""
    first, dealt = following.number - 1, {following.number: following}
    hands, stop = replay_hands(start, entries, dealt=dealt, first=first, start=start, watch=watch)
    hand = hands[-1].start.hand
    return stop is None and hand is not None and hand.setup.seating == seating


def _seating(row: Table, hand: int) -> tuple[int, ...] | None:
    """Return how the players sat in a hand that is dealt, seats clockwise."""
    if row.hand_number is None or hand > row.hand_number:
        return None
    start = hand_start(row, hand)
    return start.hand.setup.seating if start and start.hand else None
