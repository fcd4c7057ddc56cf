"""A first trick with the referee: the newcomer taps for one player, the others play automatically.

The deal is in ``examples.toml`` of the game's folder; the game itself says what may come next. A tap that the rules do
not allow gets the same reason as at a table.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any

from referee.engine.events import Ask
from referee.engine.game import Game, event_kinds
from referee.engine.hand import Hand
from referee.engine.records import load_event
from referee.engine.rulebook import of_game
from referee.engine.rulings import Reason, Refusal
from referee.engine.sheet import EventData

LEARNER = 0
"""The newcomer's seat."""
USUAL_BIDS = (2, 1, 3, 0)
"""The others' bids: the first of these that is legal."""
CARD_KINDS = ("card", "cards")


@dataclass(frozen=True, slots=True)
class FirstDeal:
    """A deal for a lesson; the other players play the first legal card of their hand, in the order given here."""

    dealer: int
    hands: tuple[tuple[str, ...], ...]
    seen: tuple[EventData, ...] = ()
    finished: int = 0
    """The number of hands of the game that were played before this one."""


@dataclass(slots=True)
class FirstTrick:
    """The state of a first trick: cards still ``held``, accepted ``taps``, and the ``wrong`` tap that ended it."""

    hand: Hand
    held: tuple[str, ...]
    events: list[EventData] = field(default_factory=list)
    asks: tuple[Ask, ...] = ()
    taps: tuple[str, ...] = ()
    wrong: str = ""
    why: Reason | None = None

    @property
    def over(self) -> bool:
        return any(trick["winner"] is not None for trick in self.hand.describe()["tricks"])


@cache
def first_deal(game: str) -> FirstDeal | None:
    """Return the game's lesson deal; ``None`` if its folder has none."""
    deal = of_game(game, "examples.toml").get("first_trick")
    if deal is None:
        return None
    hands = tuple(tuple(cards.split()) for cards in deal["hands"])
    return FirstDeal(deal["dealer"], hands, tuple(deal.get("seen", ())), deal.get("finished", 0))


def first_trick(game: Game, deal: FirstDeal, taps: Sequence[str]) -> FirstTrick:
    """Play the first trick of a deal as far as these taps lead; the first one refused ends it.

    A tap is ``event:value`` or ``event:card+card``, with values from ``choices``.
    """
    rules = game.rules({}, len(deal.hands))
    known = tuple(rules.pack.mask(rules.pack.codes[code] for code in cards) for cards in deal.hands)
    setup = replace(game.first(rules, deal.dealer), known=known, finished=deal.finished)
    at = FirstTrick(rules.game.hand_class(rules, setup), deal.hands[LEARNER])
    for event in deal.seen:
        _take(at, event)
    left = list(taps)
    while not at.over:
        at.asks = asks_of(at.hand, LEARNER)
        if not at.asks:
            _play_on(at, deal)
            continue
        # A tap is ``event:value`` or ``event:card+card``; stop at one that no ask allows.
        name, _, value = left[0].partition(":") if left else ("", "", "")
        ask = next((ask for ask in at.asks if ask.event == name), None)
        values = [each for each in value.split("+") if each]
        if ask is None or bool(values) != bool(ask.fields) or not set(values) <= set(choices(ask, at.held)):
            break
        refused = _take(at, event_of(ask, LEARNER, values))
        if refused is not None:
            at.wrong, at.why = left[0], refused.reason
            break
        at.taps += (left.pop(0),)
    return at


def asks_of(hand: Hand, seat: int) -> tuple[Ask, ...]:
    """Return the asks of a seat that are part of play, card by card."""
    if seat not in hand.to_act():
        return ()
    kinds = event_kinds()
    due, *others = (ask for ask in hand.asks() if not kinds[ask.event].coarse)
    asks = (due, *(ask for ask in others if kinds[ask.event].in_trick))
    return tuple(ask for ask in asks if seat in ask.seats)


def choices(ask: Ask, held: Sequence[str]) -> tuple[str, ...]:
    """Return what can be tapped (cards, suits, numbers); empty if the event has no open field."""
    if not ask.fields:
        return ()
    wanted = ask.fields[0]
    if wanted.kind in CARD_KINDS:
        return tuple(held)
    if wanted.kind == "number":
        return tuple(str(number) for number in range(wanted.least, wanted.most + 1))
    return wanted.choices


def event_of(ask: Ask, seat: int, values: Sequence[str]) -> EventData:
    """Return the event for a tap; ``values`` are several cards, or one of ``choices``."""
    event: dict[str, Any] = {"type": ask.event, "seat": seat}
    for wanted in ask.fields[:1]:
        first = next(iter(values), "")
        if wanted.kind in CARD_KINDS:
            event[wanted.name] = list(values)
        elif wanted.kind == "number":
            event[wanted.name] = int(first) if first.isdecimal() else -1
        else:
            event[wanted.name] = first
    return event


def _take(at: FirstTrick, event: EventData) -> Refusal | None:
    refused = at.hand.take(load_event(event))
    if refused is None:
        at.events.append(event)
        played = event.get("cards", ()) if event.get("seat") == LEARNER else ()
        at.held = tuple(card for card in at.held if card not in played)
    return refused


def _play_on(at: FirstTrick, deal: FirstDeal) -> None:
    gone = {card for event in at.events for card in event.get("cards", ())}
    for seat in at.hand.to_act():
        held = [card for card in deal.hands[seat] if card not in gone]
        for event in _ways(at.hand, seat, held):
            if _take(at, event) is None:
                return
    raise LookupError("no player has a legal act in this deal")


def _ways(hand: Hand, seat: int, held: Sequence[str]) -> Iterator[EventData]:
    for ask in asks_of(hand, seat):
        wanted = choices(ask, held)
        if not ask.fields:
            yield event_of(ask, seat, ())
        elif ask.fields[0].kind == "number":
            yield from (event_of(ask, seat, (str(bid),)) for bid in (*USUAL_BIDS, *wanted))
        else:
            yield from (event_of(ask, seat, (choice,)) for choice in wanted)
