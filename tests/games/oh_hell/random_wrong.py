"""Events that cannot have happened in Oh Hell, made to fit the moment they disturb."""

from __future__ import annotations

from random import Random

from tests.games.oh_hell.oracle_hand import Event, Hand
from tests.games.oh_hell.oracle_rules import DECK, SUITS, UNSEEN, suit_of

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
    """Most likely not taken; a few of these happen to be possible, which is as good."""
    if hand.phase() == "turn-up":
        makers = [wrong_turn_up, wrong_turn_up, wrong_turn_up, foreign, wrong_card, wrong_bid]
    else:
        makers = [wrong_card, wrong_card, turned_card, turned_card, wrong_count, wrong_seat, wrong_suit]
        makers += [wrong_bid, wrong_result, wrong_transfer, wrong_trick, wrong_trick, foreign, second_card]
    event = rng.choice(makers)(rng, hand, hands, turned)
    if rng.random() < 0.2:
        event["accepted"] = True
    return event


def play(seat: int, *cards: str) -> Event:
    return {"type": "play", "seat": seat, "cards": list(cards)}


def turn(rng: Random, hand: Hand) -> int:
    return rng.choice(hand.to_act() or list(hand.seats))


def wrong_turn_up(rng: Random, hand: Hand, hands: list[list[str]], turned: str | None) -> Event:
    """A turned card that is none, lies in an entered hand, or has another suit."""
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


def turned_card(rng: Random, hand: Hand, hands: list[list[str]], turned: str | None) -> Event:
    """The turned card is played, or a trick tells that it fell."""
    seat = turn(rng, hand)
    if turned is None:
        return wrong_card(rng, hand, hands, turned)
    if rng.random() < 0.15:
        return {"type": "trick", "winner": seat, "last": turned}
    return play(seat, turned)


def wrong_card(rng: Random, hand: Hand, hands: list[list[str]], turned: str | None) -> Event:
    """A card shown before, no card, a card of another deck, another's card."""
    shown = [card for _, _, card in hand.shown] or [UNSEEN]
    entered = sorted(hand.entered()) or shown
    pools = [shown, [UNSEEN, "9SK", "PMS", "0H", "2S*"], DECK, entered, entered]
    return play(turn(rng, hand), rng.choice(rng.choice(pools)))


def wrong_count(rng: Random, hand: Hand, hands: list[list[str]], turned: str | None) -> Event:
    seat = turn(rng, hand)
    return play(seat, *(hands[seat][:2] if rng.random() < 0.5 else []))


def wrong_seat(rng: Random, hand: Hand, hands: list[list[str]], turned: str | None) -> Event:
    seat = rng.choice([hand.players, 9, -1])
    if hand.phase() == "bidding":
        return {"type": "bid", "seat": seat, "tricks": 1}
    if rng.random() < 0.3:
        return {"type": "penalty", "seat": seat, "points": 1, "reason": "?"}
    return play(seat, "8S")


def wrong_suit(rng: Random, hand: Hand, hands: list[list[str]], turned: str | None) -> Event:
    """A suit named beside a card that is played, which no rule of this game wants."""
    seat = turn(rng, hand)
    card = rng.choice(hands[seat] or ["8S"])
    return {**play(seat, card), "suit": rng.choice([suit_of(card), *"SHDCZ"])}


def wrong_bid(rng: Random, hand: Hand, hands: list[list[str]], turned: str | None) -> Event:
    """More than all tricks, fewer than none, or a second bid."""
    seat = rng.choice(list(hand.seats)) if rng.random() < 0.3 else turn(rng, hand)
    return {"type": "bid", "seat": seat, "tricks": rng.choice([-1, hand.size + 1, 1])}


def wrong_result(rng: Random, hand: Hand, hands: list[list[str]], turned: str | None) -> Event:
    tricks = hand.won_before_transfers()
    tricks[rng.randrange(hand.players)] += hand.size - sum(tricks)
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


def wrong_transfer(rng: Random, hand: Hand, hands: list[list[str]], turned: str | None) -> Event:
    """More tricks than there are, none, or to oneself."""
    giver = rng.randrange(hand.players)
    taker = giver if rng.random() < 0.4 else (giver + 1) % hand.players
    tricks = rng.choice((max(1, hand.tricks_won()[giver] + (0 if giver == taker else 1)), 0, -1))
    return {"type": "transfer", "from_seat": giver, "to_seat": taker, "tricks": tricks, "reason": "?"}


def wrong_trick(rng: Random, hand: Hand, hands: list[list[str]], turned: str | None) -> Event:
    """A winner nobody is, a trump that contradicts, a last card gone before."""
    event: Event = {"type": "trick", "winner": rng.randrange(hand.players)}
    spoiled = rng.choice(["winner", "trump", "trump", "last"])
    if spoiled == "winner":
        event["winner"] = hand.players
    elif spoiled == "trump":
        event["trump"] = rng.choice([trump for trump in [*SUITS, None, "Z"] if trump != hand.trump])
    else:
        event["last"] = rng.choice([card for _, _, card in hand.shown] or [UNSEEN])
    return event


def foreign(rng: Random, hand: Hand, hands: list[list[str]], turned: str | None) -> Event:
    return dict(rng.choice(FOREIGN))


def second_card(rng: Random, hand: Hand, hands: list[list[str]], turned: str | None) -> Event:
    trick = hand.open_trick()
    seat = trick["plays"][0]["seat"] if trick else turn(rng, hand)
    return play(seat, rng.choice(hands[seat] or ["8S"]))
