"""Events that cannot have happened, made to fit the moment they disturb."""

from __future__ import annotations

from random import Random

from tests.games.decktet_tricks.oracle_cards import NAMES, is_high, suits_of
from tests.games.decktet_tricks.oracle_hand import Event, Hand

FOREIGN: list[Event] = [
    {"type": "pass", "seat": 0},
    {"type": "suit", "seat": 0, "suit": "S"},
    {"type": "ransom", "seat": 0, "cards": ["9MS"]},
    {"type": "ruling-card", "seat": 0, "cards": ["XM"]},
    {"type": "trump", "seat": 0, "suit": "M"},
    {"type": "bid", "seat": 0, "tricks": 1},
]


def impossible_event(rng: Random, hand: Hand, hands: list[list[str]]) -> Event:
    """Most likely not taken; a few of these happen to be possible, which is as good."""
    makers = [wrong_card, wrong_card, wrong_card, wrong_count, wrong_seat, wrong_suit]
    makers += [wrong_bid, wrong_result, wrong_transfer, wrong_trick, foreign, second_card]
    event = rng.choice(makers)(rng, hand, hands)
    if rng.random() < 0.2:
        event["accepted"] = True
    return event


def card_event(rng: Random, hand: Hand, seat: int, cards: list[str]) -> Event:
    phase = hand.phase()
    kind = phase if phase in ("ransom", "ruling-card") else "play"
    return {"type": kind, "seat": seat, "cards": cards}


def turn(rng: Random, hand: Hand) -> int:
    return rng.choice(hand.to_act() or list(hand.seats))


def wrong_card(rng: Random, hand: Hand, hands: list[list[str]]) -> Event:
    """A card shown before, no card, a card of another deck, another's card or a fifth Ace."""
    seat = turn(rng, hand)
    shown = [card for _, _, card in hand.shown] or ["?"]
    others = [card for s, cards in enumerate(hands) if s != seat for card in cards] or ["E"]
    high = [card for card in others if is_high(card)] or others
    pools = [shown, ["?", "9SK", "PMS", "10S"], sorted(NAMES), others, others, high]
    return card_event(rng, hand, seat, [rng.choice(rng.choice(pools))])


def wrong_count(rng: Random, hand: Hand, hands: list[list[str]]) -> Event:
    seat = turn(rng, hand)
    return card_event(rng, hand, seat, list(hands[seat][:2]) if rng.random() < 0.5 else [])


def wrong_seat(rng: Random, hand: Hand, hands: list[list[str]]) -> Event:
    seat = rng.choice([hand.players, 9, -1])
    if hand.phase() == "bidding":
        return {"type": "bid", "seat": seat, "tricks": 1}
    if rng.random() < 0.3:
        return {"type": "penalty", "seat": seat, "points": 1, "reason": "?"}
    return card_event(rng, hand, seat, ["8MS"])


def wrong_suit(rng: Random, hand: Hand, hands: list[list[str]]) -> Event:
    """A suit that does not exist, or that the card does not bear; only a play may name one beside its card."""
    seat, suit = turn(rng, hand), rng.choice("MSWLYKHZ")
    if hand.phase() == "trump":
        return {"type": "trump", "seat": seat, "suit": suit}
    if hand.phase() in ("ransom", "ruling-card"):
        return wrong_card(rng, hand, hands)
    cards = hands[seat] or ["8MS"]
    card = rng.choice(cards)
    if suit in suits_of(card):
        suit = "Z"
    return {**card_event(rng, hand, seat, [card]), "suit": suit}


def wrong_bid(rng: Random, hand: Hand, hands: list[list[str]]) -> Event:
    """More than all tricks, fewer than none, or a second bid."""
    seat = rng.choice(list(hand.seats)) if rng.random() < 0.3 else turn(rng, hand)
    return {"type": "bid", "seat": seat, "tricks": rng.choice([-1, hand.trick_count + 1, 1])}


def wrong_result(rng: Random, hand: Hand, hands: list[list[str]]) -> Event:
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
        event["last"] = rng.choice([card for _, _, card in hand.shown] or ["9SK"])
    return event


def wrong_transfer(rng: Random, hand: Hand, hands: list[list[str]]) -> Event:
    """More tricks than there are, none, or to oneself."""
    giver = rng.randrange(hand.players)
    taker = giver if rng.random() < 0.4 else (giver + 1) % hand.players
    number = hand.tricks_won()[giver] + (0 if giver == taker else 1)
    return {
        "type": "transfer",
        "from_seat": giver,
        "to_seat": taker,
        "tricks": rng.choice((max(number, 1), 0, -1)),
        "reason": "?",
    }


def wrong_trick(rng: Random, hand: Hand, hands: list[list[str]]) -> Event:
    """A winner nobody is, a trump that contradicts, a last card gone before."""
    event: Event = {"type": "trick", "winner": rng.randrange(hand.players)}
    spoiled = rng.choice(["winner", "trump", "last"])
    if spoiled == "winner":
        event["winner"] = hand.players
    elif spoiled == "trump":
        event["trump"] = rng.choice(["Z", other_trump(rng, hand)])
    else:
        event["last"] = rng.choice([card for _, _, card in hand.shown] or ["?"])
    return event


def other_trump(rng: Random, hand: Hand) -> str | None:
    """A suit that is surely not trump where the contract says so, any or none where Aces make it, else no suit."""
    if hand.game == "wildcat-chicane":
        return "M"
    if hand.options.get("trump") == "fixed":
        return rng.choice([s for s in "MSWLYK" if s != hand.options["fixed_trump"]])
    if hand.game == "ace-trump":
        return rng.choice([*"MSWLYKZ", None])
    if hand.game == "ransom-trump" and None not in hand.aside:
        return rng.choice([s for s in "MSWLYK" if s not in hand.choices()])
    return "Z"


def foreign(rng: Random, hand: Hand, hands: list[list[str]]) -> Event:
    return dict(rng.choice(FOREIGN))


def second_card(rng: Random, hand: Hand, hands: list[list[str]]) -> Event:
    trick = hand.open_trick()
    seat = trick["plays"][0]["seat"] if trick else turn(rng, hand)
    return card_event(rng, hand, seat, [rng.choice(hands[seat] or ["8MS"])])
