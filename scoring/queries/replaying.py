"""Judging hands of a table again, event by event, from any hand on."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import referee.engine.table as game_table
from referee.engine.reading import load_event
from referee.engine.rulings import Refusal, Verdict
from referee.engine.table import Ruling
from referee.packs import Pack
from scoring.models import DealtHand, TableEvent


@dataclass(slots=True)
class PlayedHand:
    """A hand judged again: the state it began from, where it stands, its rows and the rulings on them."""

    number: int
    start: game_table.Table
    state: game_table.Table
    entries: list[TableEvent] = field(default_factory=list)
    rulings: list[Ruling] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Stop:
    """The row that is not taken: where it stands in the record, and the ruling on it.

    ``entry`` is ``None`` where it is the deal of a hand in which nothing has happened.
    """

    entry: TableEvent | None
    hand: int
    position: int
    ruling: Ruling


def known_masks(dealt: DealtHand | None, pack: Pack) -> dict[int, int]:
    """Return the hands that were entered as bit masks, by seat."""
    if dealt is None:
        return {}
    return {int(seat): _mask(codes, pack) for seat, codes in dealt.known.items()}


def _mask(codes: Iterable[str], pack: Pack) -> int:
    found = (pack.find(code) for code in codes)
    return sum(1 << card for card in found if card is not None)


def replay_hands(
    state: game_table.Table,
    entries: Sequence[TableEvent],
    *,
    dealt: Mapping[int, DealtHand],
    first: int = 0,
    start: game_table.Table | None = None,
) -> tuple[list[PlayedHand], Stop | None]:
    """Judge rows again, given in the order of the record, from the hand ``first`` on.

    ``state`` is the table before that hand is dealt; ``start``, where it is known, with the hand dealt. Each event
    stays in the hand in which it was recorded. A hand that the record itself deals stops it like an event where it can
    no longer be dealt: the cards entered for it would be lost.
    """
    by_hand: dict[int, list[TableEvent]] = {}
    for entry in entries:
        by_hand.setdefault(entry.hand, []).append(entry)
    hands: list[PlayedHand] = []
    last = max((number for number in (*by_hand, *dealt) if number >= first), default=first - 1)
    for number in range(first, last + 1):
        opened = start if number == first and start else deal_hand(state, dealt.get(number))
        if isinstance(opened, Refusal):
            refused = next((e for e in entries if e.hand >= number), None)
            where = number if refused is None else refused.hand
            return hands, Stop(refused, where, 0, Ruling(opened.verdict, state, opened.reason))
        hand = PlayedHand(number, opened, opened)
        hands.append(hand)
        stop = _play(hand, by_hand.get(number, ()))
        if stop:
            return hands, stop
        state = hand.state
    return hands, None


def deal_hand(state: game_table.Table, dealt: DealtHand | None) -> game_table.Table | Refusal:
    """Deal the next hand, with what was entered of it."""
    return game_table.deal(state, known_masks(dealt, state.rules.pack))


def _play(hand: PlayedHand, entries: Iterable[TableEvent]) -> Stop | None:
    for position, entry in enumerate(entries):
        ruling = game_table.judge(hand.state, load_event(entry.event))
        if ruling.verdict is not Verdict.ACCEPTED:
            return Stop(entry, entry.hand, position, ruling)
        hand.state = ruling.table
        hand.entries.append(entry)
        hand.rulings.append(ruling)
    return None
