"""Impossible events for any trick-taking game, made to fit the moment they disturb."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import Any

from tests.games.tricks.oracle_plain import Event

Hands = list[list[str]]
Maker = Callable[[Random, Any, Hands], Event]


def wrong(rng: Random, makers: Sequence[Maker], hand: Any, hands: Hands) -> Event:
    """An event most likely refused; a few happen to be possible, which is just as good."""
    event = rng.choice(makers)(rng, hand, hands)
    if rng.random() < 0.2:
        event["accepted"] = True
    return event


def one_of(events: Sequence[Event]) -> Maker:
    return lambda rng, hand, hands: dict(rng.choice(events))


def card_event(hand: Any, seat: int, *cards: str) -> Event:
    """A card event of the kind the phase calls for."""
    phase = hand.phase()
    kind = phase if phase in ("ransom", "ruling-card") else "play"
    return {"type": kind, "seat": seat, "cards": list(cards)}


def turn(rng: Random, hand: Any) -> int:
    return rng.choice(hand.to_act() or list(hand.seats))


def shown_cards(hand: Any, none: str = "?") -> list[str]:
    return [card for _, _, card in hand.shown] or [none]


def wrong_count(rng: Random, hand: Any, hands: Hands) -> Event:
    """No card or two."""
    seat = turn(rng, hand)
    return card_event(hand, seat, *(hands[seat][:2] if rng.random() < 0.5 else []))


def wrong_seat(rng: Random, hand: Any, hands: Hands) -> Event:
    seat = rng.choice([hand.players, 9, -1])
    if hand.phase() == "bidding":
        return {"type": "bid", "seat": seat, "tricks": 1}
    if rng.random() < 0.3:
        return {"type": "penalty", "seat": seat, "points": 1, "reason": "?"}
    return card_event(hand, seat, hand.SOME_CARD)


def wrong_bid(rng: Random, hand: Any, hands: Hands) -> Event:
    """More than all tricks, a negative bid, or a second one."""
    seat = rng.choice(list(hand.seats)) if rng.random() < 0.3 else turn(rng, hand)
    return {"type": "bid", "seat": seat, "tricks": rng.choice([-1, hand.trick_count + 1, 1])}


def wrong_result(rng: Random, hand: Any, hands: Hands) -> Event:
    """Too few numbers, a wrong sum, or fewer than won."""
    tricks = hand.won_before_transfers()
    tricks[rng.randrange(hand.players)] += hand.trick_count - sum(tricks)
    spoiled = rng.choice(["length", "sum", "below", "last"])
    event: Event = {"type": "result", "tricks": tricks}
    if spoiled == "length":
        tricks.append(0)
    elif spoiled == "sum":
        tricks[0] += rng.choice([-1, 1])
    elif spoiled == "below":
        tricks[0], tricks[1] = tricks[0] - 1, tricks[1] + 1
    else:
        event["last"] = rng.choice(shown_cards(hand, "9SK"))
    return event


def wrong_transfer(rng: Random, hand: Any, hands: Hands) -> Event:
    """More tricks than there are, none, or to the same seat."""
    giver = rng.randrange(hand.players)
    taker = giver if rng.random() < 0.4 else (giver + 1) % hand.players
    number = hand.tricks_counted()[giver] + (0 if giver == taker else 1)
    tricks = rng.choice((max(number, 1), 0, -1))
    return {"type": "transfer", "from_seat": giver, "to_seat": taker, "tricks": tricks, "reason": "?"}


def second_card(rng: Random, hand: Any, hands: Hands) -> Event:
    """Another card by a player who has played to this trick."""
    trick = hand.open_trick()
    seat = trick["plays"][0]["seat"] if trick else turn(rng, hand)
    return card_event(hand, seat, rng.choice(hands[seat] or [hand.SOME_CARD]))
