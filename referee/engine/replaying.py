"""Hands played out again, event by event, as a record or a log tells of them."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from referee.engine.bounds import STEP, Watch, no_watch
from referee.engine.cards import Pack
from referee.engine.event_kinds import Event
from referee.engine.events import HouseRules
from referee.engine.hand import Hand
from referee.engine.options import MOST_PROBLEMS, Problem, Refused
from referee.engine.rulings import Refusal, Verdict
from referee.engine.table import Ruling, TableState, deal, judge, too_late


@dataclass(frozen=True, slots=True)
class RecordedHand:
    """A hand as it was told: its index, its events, and the hands somebody entered, by seat."""

    number: int
    events: Sequence[Event]
    known: Mapping[int, Sequence[str]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class PlayedHand:
    """A hand played out: its index, the table when it was dealt, where it stands, and, if wanted, every ruling."""

    number: int
    start: TableState
    state: TableState
    rulings: tuple[Ruling, ...] = ()


@dataclass(frozen=True, slots=True)
class Stop:
    """The event that is not taken, by its position, and the ruling on it; 0 where it is the deal of its hand."""

    hand: int
    event: int
    ruling: Ruling


def play_hands(
    table: TableState,
    recorded: Iterable[RecordedHand],
    *,
    dealt: TableState | None = None,
    rulings: bool = False,
    empty_too: bool = True,
    watch: Watch = no_watch,
) -> tuple[list[PlayedHand], Stop | None]:
    """Play hands out on a table, and say what stopped them.

    ``dealt`` is the table with the first of them dealt, where that is known. With ``rulings`` each event is judged by
    itself, which takes longer. Unless ``empty_too``, a hand that cannot begin, and in which nothing happened, is no
    obstacle. Raises ``Refused`` for entered hands that cannot have been dealt, and what ``watch`` raises.
    """
    hands: list[PlayedHand] = []
    for hand in recorded:
        known = known_masks(table.rules.pack, hand.known, f"/hands/{hand.number}/known") if hand.known else {}
        opened = dealt or deal(table, known)
        dealt = None
        if isinstance(opened, Refusal):
            if hand.events or empty_too:
                return hands, Stop(hand.number, 0, Ruling(opened.verdict, table, opened.reason))
            continue
        played, stop = (_judge_each if rulings else _take_all)(opened, hand, watch)
        hands.append(played)
        table = played.state
        if stop:
            return hands, stop
    return hands, None


def _judge_each(table: TableState, recorded: RecordedHand, watch: Watch) -> tuple[PlayedHand, Stop | None]:
    state, made = table, list[Ruling]()
    for position, event in enumerate(recorded.events):
        if position % STEP == 0:
            watch()
        ruling = judge(state, event)
        if ruling.verdict is not Verdict.ACCEPTED:
            return PlayedHand(recorded.number, table, state, tuple(made)), Stop(recorded.number, position, ruling)
        state = ruling.table
        made.append(ruling)
    return PlayedHand(recorded.number, table, state, tuple(made)), None


def _take_all(table: TableState, recorded: RecordedHand, watch: Watch) -> tuple[PlayedHand, Stop | None]:
    """Take all events into one copy of the hand.

    A hand played to its last card in which no claim was contradicted shows by itself a way to
    place the cards, so proofs by counting are first left out and made up only where needed.
    """
    assert table.hand is not None
    hand = table.hand.copy()
    hand.count_later()
    refusal = _take_into(table, hand, recorded.events, watch)
    if hand.needs_counting():
        hand = table.hand.copy()
        refusal = _take_into(table, hand, recorded.events, watch)
    state = table.with_hand(hand)
    played = PlayedHand(recorded.number, table, state)
    if refusal is None:
        return played, None
    return played, Stop(recorded.number, hand.events, Ruling(refusal.verdict, state, refusal.reason))


def _take_into(table: TableState, hand: Hand, events: Sequence[Event], watch: Watch) -> Refusal | None:
    take = hand.take
    for start in range(0, len(events), STEP):
        watch()
        for event in events[start : start + STEP]:
            if event.__class__ is HouseRules:
                refusal = too_late(table.with_hand(hand), event) or take(event)
            else:
                refusal = take(event)
            if refusal is not None:
                return refusal
    return None


def known_masks(pack: Pack, known: Mapping[int, Sequence[str]], pointer: str = "") -> dict[int, int]:
    """Return entered hands as bit masks, by seat; ``pointer`` says where they stand.

    Raises ``Refused`` for what is no card of the pack, and for a card that is listed twice.
    """
    masks: dict[int, int] = {}
    problems: list[Problem] = []
    for seat, codes in known.items():
        mask = 0
        for position, code in enumerate(codes):
            if len(problems) == MOST_PROBLEMS:
                raise Refused(problems)
            where = f"{pointer}/{seat}/{position}"
            card = pack.find(code)
            if card is None:
                problems.append(Problem(where, "not-in-deck", pack.explain(code)))
            elif mask >> card & 1:
                problems.append(Problem(where, "bad-known", "This card is listed twice."))
            else:
                mask |= 1 << card
        masks[seat] = mask
    if problems:
        raise Refused(problems)
    return masks
