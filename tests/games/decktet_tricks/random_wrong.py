"""Impossible events, made to fit the moment they disturb."""

from __future__ import annotations

from random import Random

from tests.games.decktet_tricks.oracle_cards import NAMES, is_high, suits_of
from tests.games.decktet_tricks.oracle_hand import Hand
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
    {"type": "ransom", "seat": 0, "cards": ["9MS"]},
    {"type": "ruling-card", "seat": 0, "cards": ["XM"]},
    {"type": "trump", "seat": 0, "suit": "M"},
    {"type": "bid", "seat": 0, "tricks": 1},
]


def impossible_event(rng: Random, hand: Hand, hands: list[list[str]]) -> Event:
    makers: list[Maker] = [wrong_card, wrong_card, wrong_card, wrong_count, wrong_seat, wrong_suit]
    makers += [wrong_bid, wrong_result, wrong_transfer, wrong_trick, one_of(FOREIGN), second_card]
    return wrong(rng, makers, hand, hands)


def wrong_card(rng: Random, hand: Hand, hands: list[list[str]]) -> Event:
    """A card shown before, no card, a card of another deck, another player's card, or a fifth Ace."""
    seat = turn(rng, hand)
    others = [card for s, cards in enumerate(hands) if s != seat for card in cards] or ["E"]
    high = [card for card in others if is_high(card)] or others
    pools = [shown_cards(hand), ["?", "9SK", "PMS", "10S"], sorted(NAMES), others, others, high]
    return card_event(hand, seat, rng.choice(rng.choice(pools)))


def wrong_suit(rng: Random, hand: Hand, hands: list[list[str]]) -> Event:
    """A suit that does not exist, or is not on the card; only a play may name one beside its card."""
    seat, suit = turn(rng, hand), rng.choice("MSWLYKHZ")
    if hand.phase() == "trump":
        return {"type": "trump", "seat": seat, "suit": suit}
    if hand.phase() in ("ransom", "ruling-card"):
        return wrong_card(rng, hand, hands)
    cards = hands[seat] or ["8MS"]
    card = rng.choice(cards)
    if suit in suits_of(card):
        suit = "Z"
    return {**card_event(hand, seat, card), "suit": suit}


def wrong_trick(rng: Random, hand: Hand, hands: list[list[str]]) -> Event:
    """A nonexistent winner, a contradictory trump, or a last card that is gone."""
    event: Event = {"type": "trick", "winner": rng.randrange(hand.players)}
    spoiled = rng.choice(["winner", "trump", "last"])
    if spoiled == "winner":
        event["winner"] = hand.players
    elif spoiled == "trump":
        event["trump"] = rng.choice(["Z", other_trump(rng, hand)])
    else:
        event["last"] = rng.choice(shown_cards(hand))
    return event


def other_trump(rng: Random, hand: Hand) -> str | None:
    """A suit that is certainly not trump if the contract says so, any or none if Aces set it, else no suit."""
    if hand.game == "wildcat-chicane":
        return "M"
    if hand.options.get("trump") == "fixed":
        return rng.choice([s for s in "MSWLYK" if s != hand.options["fixed_trump"]])
    if hand.game == "ace-trump":
        return rng.choice([*"MSWLYKZ", None])
    if hand.game == "ransom-trump" and None not in hand.aside:
        return rng.choice([s for s in "MSWLYK" if s not in hand.choices()])
    return "Z"
