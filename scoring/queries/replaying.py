"""Judging hands of a table again, event by event, from any hand on."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from referee.engine.bounds import Watch, no_watch
from referee.engine.reading import stored_event
from referee.engine.replaying import PlayedHand, RecordedHand, play_hands
from referee.engine.table import Ruling, TableState
from scoring.models import DealtHand, TableEvent


@dataclass(frozen=True, slots=True)
class LoggedHand(PlayedHand):
    """A hand of a log judged again, with the rows that were taken, one for each ruling."""

    entries: tuple[TableEvent, ...] = ()


@dataclass(frozen=True, slots=True)
class Stop:
    """The row that is not taken: where it stands in the record, and the ruling on it.

    ``entry`` is ``None`` where it is the deal of a hand in which nothing has happened.
    """

    entry: TableEvent | None
    hand: int
    position: int
    ruling: Ruling


def replay_hands(
    state: TableState,
    entries: Sequence[TableEvent],
    *,
    dealt: Mapping[int, DealtHand],
    first: int = 0,
    start: TableState | None = None,
    watch: Watch = no_watch,
) -> tuple[list[LoggedHand], Stop | None]:
    """Judge rows again, given in the order of the record, from the hand ``first`` on.

    ``state`` is the table before that hand is dealt; ``start``, where it is known, with the hand dealt. Each event
    stays in the hand in which it was recorded. A hand that the record itself deals stops it like an event where it can
    no longer be dealt: the cards entered for it would be lost. Raises what ``watch`` raises.
    """
    by_hand: dict[int, list[TableEvent]] = {}
    for entry in entries:
        by_hand.setdefault(entry.hand, []).append(entry)
    last = max((number for number in (*by_hand, *dealt) if number >= first), default=first - 1)
    recorded = _recorded(range(first, last + 1), by_hand, dealt)
    played, stop = play_hands(state, recorded, dealt=start, rulings=True, watch=watch)
    hands = [
        LoggedHand(
            hand.number, hand.start, hand.state, hand.rulings, tuple(by_hand.get(hand.number, ())[: len(hand.rulings)])
        )
        for hand in played
    ]
    if stop is None:
        return hands, None
    rest = (entry for number in range(stop.hand, last + 1) for entry in by_hand.get(number, ()))
    refused = next((entry for place, entry in enumerate(rest) if place == stop.event), None)
    where = stop.hand if refused is None else refused.hand
    return hands, Stop(refused, where, stop.event, stop.ruling)


def _recorded(
    numbers: range, by_hand: Mapping[int, Sequence[TableEvent]], dealt: Mapping[int, DealtHand]
) -> Iterator[RecordedHand]:
    for number in numbers:
        events = [stored_event(entry.event) for entry in by_hand.get(number, ())]
        known = dealt[number].known if number in dealt else {}
        yield RecordedHand(number, events, {int(seat): codes for seat, codes in known.items()})
