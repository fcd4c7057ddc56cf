"""Impossible events in Oh Hell, made to fit the moment they disturb."""

from __future__ import annotations

from functools import partial
from random import Random

from tests.games.oh_hell.oracle_hand import Hand
from tests.games.oh_hell.oracle_rules import DECK, SUITS, UNSEEN, suit_of
from tests.games.tricks.oracle_plain import Event
from tests.games.tricks.random_wrong import (
    Maker,
    card_event,
    one_of,
    second_card,
    shown_cards,
    turn,
    wrong,
    wrong_bid,
    wrong_count,
    wrong_result,
    wrong_seat,
    wrong_transfer,
)

FOREIGN: list[Event] = [
    {"type": "pass", "seat": 0},
    {"type": "suit", "seat": 0, "suit": "S"},
    {"type": "ransom", "seat": 0, "cards": ["9S"]},
    {"type": "trump", "seat": 0, "suit": "H"},
    {"type": "turn-up", "card": "9S"},
    {"type": "turn-up", "card": UNSEEN, "suit": "D"},
    {"type": "bid", "seat": 0, "tricks": 1},
    {"type": "trick", "winner": 0},
]


def impossible_event(rng: Random, hand: Hand, hands: list[list[str]], turned: str | None) -> Event:
    turned_up, lies_aside = partial(wrong_turn_up, turned), partial(turned_card, turned)
    if hand.phase() == "turn-up":
        makers: list[Maker] = [turned_up, turned_up, turned_up, one_of(FOREIGN), wrong_card, wrong_bid]
    else:
        makers = [wrong_card, wrong_card, lies_aside, lies_aside, wrong_count, wrong_seat, wrong_suit]
        makers += [wrong_bid, wrong_result, wrong_transfer, wrong_trick, wrong_trick, one_of(FOREIGN), second_card]
    return wrong(rng, makers, hand, hands)


def wrong_turn_up(turned: str | None, rng: Random, hand: Hand, hands: list[list[str]]) -> Event:
    """A turned card that does not exist, is in an entered hand, or has another suit."""
    entered = sorted(hand.entered()) or ["9SK"]
    card = turned or "2S"
    events: list[Event] = [
        {"type": "turn-up", "card": rng.choice(["9SK", "1", "XM", "2H*"])},
        {"type": "turn-up", "card": rng.choice(entered)},
        {"type": "turn-up", "card": rng.choice(entered), "suit": rng.choice(SUITS)},
        {"type": "turn-up", "card": UNSEEN},
        {"type": "turn-up", "card": UNSEEN, "suit": rng.choice(["Z", "M", "none", *SUITS])},
        {"type": "turn-up", "card": card, "suit": rng.choice([s for s in "SHDCZ" if s != suit_of(card)])},
    ]
    return rng.choice(events)


def turned_card(turned: str | None, rng: Random, hand: Hand, hands: list[list[str]]) -> Event:
    """The turned card is played, or a trick says that it fell."""
    seat = turn(rng, hand)
    if turned is None:
        return wrong_card(rng, hand, hands)
    if rng.random() < 0.15:
        return {"type": "trick", "winner": seat, "last": turned}
    return card_event(hand, seat, turned)


def wrong_card(rng: Random, hand: Hand, hands: list[list[str]]) -> Event:
    """A card shown before, no card, a card of another deck, or another player's card."""
    shown = shown_cards(hand)
    entered = sorted(hand.entered()) or shown
    pools = [shown, [UNSEEN, "9SK", "PMS", "0H", "2S*"], DECK, entered, entered]
    return card_event(hand, turn(rng, hand), rng.choice(rng.choice(pools)))


def wrong_suit(rng: Random, hand: Hand, hands: list[list[str]]) -> Event:
    """A suit named beside a played card, which no rule of this game allows."""
    seat = turn(rng, hand)
    card = rng.choice(hands[seat] or ["8S"])
    return {**card_event(hand, seat, card), "suit": rng.choice([suit_of(card), *"SHDCZ"])}


def wrong_trick(rng: Random, hand: Hand, hands: list[list[str]]) -> Event:
    """A nonexistent winner, a contradictory trump, or a last card that is gone."""
    event: Event = {"type": "trick", "winner": rng.randrange(hand.players)}
    spoiled = rng.choice(["winner", "trump", "trump", "last"])
    if spoiled == "winner":
        event["winner"] = hand.players
    elif spoiled == "trump":
        event["trump"] = rng.choice([trump for trump in [*SUITS, None, "Z"] if trump != hand.trump])
    else:
        event["last"] = rng.choice(shown_cards(hand))
    return event
