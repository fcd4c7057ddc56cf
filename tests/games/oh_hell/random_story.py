"""What happens at a random table of Oh Hell."""

from __future__ import annotations

from copy import deepcopy
from functools import partial
from random import Random
from typing import TYPE_CHECKING, Any

from tests.games.oh_hell.oracle_hand import Hand
from tests.games.oh_hell.oracle_rules import DECK, SUITS, UNSEEN, suit_of
from tests.games.tricks.oracle_plain import Event
from tests.games.tricks.random_story import (
    MOST_UNSEEN,
    Hands,
    TrickStory,
    card_event,
    one_of,
    shown_cards,
    turn,
    wrong,
    wrong_anyhow,
    wrong_bid,
)

if TYPE_CHECKING:
    from tests.games.oh_hell.random_records import Mischief


class Story(TrickStory):
    """One table from the first deal on."""

    LATE = [*TrickStory.LATE, {"type": "turn-up", "card": "2S"}]
    CARDS = list(DECK)
    PENALTIES = [-10, -5, -1, 1, 3, 10]
    DRASTIC = 0.5

    def __init__(self, rng: Random, mischief: Mischief, table: Any) -> None:
        super().__init__(rng, mischief, table)
        self.dealt: list[list[str]] = []
        self.turned: str | None = None
        self.secret: str | None = None

    # -- one hand ------------------------------------------------------------------------------

    def deal(self) -> None:
        """Shuffle and deal honestly; the next card is turned up if there is one and the table wants it."""
        size, players = self.table.next_size(), self.table.players
        deck = list(DECK)
        self.rng.shuffle(deck)
        self.hands = [deck[seat * size : (seat + 1) * size] for seat in range(players)]
        self.dealt = deepcopy(self.hands)
        rest = deck[players * size :]
        self.turned = rest[0] if rest and self.table.options["trump"] == "turned" else None

    def draw_characters(self) -> None:
        """Decide who lies how often, who keeps up a lie, how coarse the record is, and which suit most players hide."""
        seats = range(self.table.players)
        lying = self.chance(self.mischief.liars)
        self.lies = [self.rng.choice([0, 0.1, 0.3, 0.6]) if lying else 0 for _ in seats]
        self.careful = [self.chance(0.7) for _ in seats]
        coarse = self.chance(self.mischief.coarse)
        self.secret = self.rng.choice("SHDC") if self.chance(self.mischief.conspiracies) else None
        if self.secret:
            self.lies, coarse = [self.rng.choice([0, 0.6, 0.9, 0.9]) for _ in seats], False
        self.coarseness = self.rng.choice([0.05, 0.15, 0.5, 1.0]) if coarse else 0.0
        inattentive = self.chance(self.mischief.inattention) and not self.secret
        self.inattention = self.rng.choice([0.02, 0.1, 0.3]) if inattentive else 0.0

    def remember(self, event: Event) -> None:
        """Remove an accepted card from the true hand; a turned-up card was in no hand."""
        if event["type"] == "turn-up" and event["card"] not in (UNSEEN, self.turned):
            for cards in self.hands:
                if event["card"] in cards and self.turned:
                    cards[cards.index(event["card"])] = self.turned
            self.turned = event["card"]
        super().remember(event)

    def impossible_event(self) -> Event:
        turned_up, lies_aside = partial(wrong_turn_up, self.turned), partial(turned_card, self.turned)
        makers = wrong_anyhow([wrong_card] * 2 + [lies_aside] * 2, [wrong_suit], [wrong_trick] * 2, FOREIGN)
        if self.hand.phase() == "turn-up":
            makers = [turned_up, turned_up, turned_up, one_of(FOREIGN), wrong_card, wrong_bid]
        return wrong(self.rng, makers, self.hand, self.hands)

    # -- ordinary events -----------------------------------------------------------------------

    def ordinary(self) -> Event:
        hand, phase = self.hand, self.hand.phase()
        if phase == "turn-up" and not self.chance(self.mischief.forgotten_turn_up):
            return self.turn_up()
        if phase in ("turn-up", "bidding"):
            return self.bid(self.bidder())
        if hand.open_trick() is None and (not hand.trump_known or self.chance(self.coarseness)):
            return self.result() if self.chance(0.2) else self.trick()
        few = hand.open_trick() is not None and hand.unseen_slots() <= MOST_UNSEEN
        if hand.waiting() or (few and self.chance(self.inattention)):
            return self.close_trick()
        seat = hand.next_player()
        if self.chance(self.disorder):
            seat = self.rng.choice([s for s in hand.seats if not hand.has_played(s)])
        return self.play(seat)

    def close_trick(self) -> Event:
        event = super().close_trick()
        if event["type"] == "trick":
            if self.chance(0.2):
                event["trump"] = self.hand.trump
            if self.chance(0.1):
                event["last"] = self.rng.choice(DECK)
        return event

    def turn_up(self) -> Event:
        """The card turned up, or only its suit."""
        card = self.turned or "2S"
        if self.chance(self.mischief.unseen_turn_up):
            return {"type": "turn-up", "card": UNSEEN, "suit": suit_of(card)}
        event: Event = {"type": "turn-up", "card": card}
        return {**event, "suit": suit_of(card)} if self.chance(0.15) else event

    def bidder(self) -> int:
        """Whose bid is recorded next: the one in turn, or anyone if order does not count."""
        hand = self.hand
        free = [seat for seat in hand.seats if hand.bids[seat] is None]
        disorderly = self.chance(0.5 if hand.options["bidding"] == "together" else self.disorder)
        return self.rng.choice(free) if disorderly else hand.next_bidder()

    def bid(self, seat: int) -> Event:
        """A bid near a fair share of the tricks, sometimes one the hook forbids."""
        hand, size = self.hand, self.hand.size
        bid = min(size, max(0, round(self.rng.gauss(size / hand.players, 1.0))))
        missing = size - sum(given or 0 for given in hand.bids)
        if hand.bids.count(None) == 1 and 0 <= missing <= size:
            if self.chance(self.mischief.hooked):
                bid = missing
            elif bid == missing and hand.options["hook"]:
                bid += 1 if bid < size else -1
        return {"type": "bid", "seat": seat, "tricks": bid}

    def choose(self, hand: Hand, seat: int, lies: float) -> str:
        if self.secret and self.chance(lies):
            return self.hide(self.hands[seat], self.truthful(hand, seat))
        return super().choose(hand, seat, lies)

    def hide(self, cards: list[str], honest: list[str]) -> str:
        others = [card for card in cards if suit_of(card) != self.secret]
        return self.rng.choice([card for card in others if card in honest] or others or cards)

    def denied(self, hand: Hand, seat: int, card: str) -> list[str]:
        suit = hand.denied_suit(card)
        return [other for other in DECK if suit_of(other) == suit]

    # -- tricks and results without cards ------------------------------------------------------

    def trick(self) -> Event:
        """A trick whose cards were not recorded; it may tell an unrecorded trump."""
        hand = self.hand
        hidden = self.hidden_trick() if hand.trump_known else None
        if hidden is None:
            winner, last = self.unseen_trick(), None
        else:
            plays = hidden.tricks[-1]["plays"]
            winner, last = hidden.tricks[-1]["winner"], plays[-1]["cards"][0]
        event: Event = {"type": "trick", "winner": winner}
        if hand.trump_known:
            if self.chance(0.2):
                event["trump"] = hand.trump
        elif self.chance(0.4):
            event["trump"] = suit_of(self.turned or "2S")
        return {**event, "last": last} if last and self.chance(0.2) else event


# --- Impossible events, made to fit the moment they disturb

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


def wrong_turn_up(turned: str | None, rng: Random, hand: Hand, hands: Hands) -> Event:
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


def turned_card(turned: str | None, rng: Random, hand: Hand, hands: Hands) -> Event:
    """The turned card is played, or a trick says that it fell."""
    seat = turn(rng, hand)
    if turned is None:
        return wrong_card(rng, hand, hands)
    if rng.random() < 0.15:
        return {"type": "trick", "winner": seat, "last": turned}
    return card_event(hand, seat, turned)


def wrong_card(rng: Random, hand: Hand, hands: Hands) -> Event:
    """A card shown before, no card, a card of another deck, or another player's card."""
    shown = shown_cards(hand)
    entered = sorted(hand.entered()) or shown
    pools = [shown, [UNSEEN, "9SK", "PMS", "0H", "2S*"], DECK, entered, entered]
    return card_event(hand, turn(rng, hand), rng.choice(rng.choice(pools)))


def wrong_suit(rng: Random, hand: Hand, hands: Hands) -> Event:
    """A suit named beside a played card, which no rule of this game allows."""
    seat = turn(rng, hand)
    card = rng.choice(hands[seat] or ["8S"])
    return {**card_event(hand, seat, card), "suit": rng.choice([suit_of(card), *"SHDCZ"])}


def wrong_trick(rng: Random, hand: Hand, hands: Hands) -> Event:
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
