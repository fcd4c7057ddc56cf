"""What happens at a random table of Ace Trump, Ransom Trump or Wildcat Chicane."""

from __future__ import annotations

from random import Random

from tests.games.decktet_tricks.oracle import Table
from tests.games.decktet_tricks.oracle_cards import NAMES, SUITS, deck_of, is_high, suits_of
from tests.games.decktet_tricks.oracle_hand import Hand
from tests.games.tricks.oracle_plain import Event
from tests.games.tricks.random_story import (
    MOST_UNSEEN,
    Hands,
    TrickStory,
    card_event,
    shown_cards,
    turn,
    wrong,
    wrong_anyhow,
)


class Story(TrickStory):
    """One table from the first deal on."""

    CARDS = sorted(NAMES)
    PENALTIES = [-5, -2, -1, 1, 3, 10]
    DRASTIC = 0.4
    table: Table

    # -- one hand ------------------------------------------------------------------------------

    def deal(self) -> None:
        """Shuffle and deal honestly (Wildcat Chicane: two deals)."""
        size = self.table.next_size() or 0
        players = self.table.players
        deck = deck_of(self.table.game, self.table.options)
        self.rng.shuffle(deck)
        if self.table.game == "wildcat-chicane":
            deck.sort(key=is_high)
            self.hands = [deck[seat::players] for seat in range(players)]
        else:
            self.hands = [deck[seat * size : (seat + 1) * size] for seat in range(players)]

    def draw_characters(self) -> None:
        seats = range(self.table.players)
        lying = self.chance(self.mischief.liars)
        self.lies = [self.rng.choice([0, 0.1, 0.3, 0.6]) if lying else 0 for _ in seats]
        self.careful = [self.chance(0.7) for _ in seats]
        coarse = self.chance(self.mischief.coarse)
        self.inattention = self.rng.choice([0, 0, 0, 0.02, 0.1])
        self.coarseness = self.rng.choice([0.05, 0.15, 0.5, 1.0]) if coarse else 0.0

    def impossible_event(self) -> Event:
        makers = wrong_anyhow([wrong_card] * 3, [wrong_suit], [wrong_trick], FOREIGN)
        return wrong(self.rng, makers, self.hand, self.hands)

    # -- ordinary events -----------------------------------------------------------------------

    def ordinary(self) -> Event:
        hand, rng, phase = self.hand, self.rng, self.hand.phase()
        if hand.waiting() or (
            hand.open_trick() and hand.unseen_slots() <= MOST_UNSEEN and self.chance(self.inattention)
        ):
            return self.close_trick()
        if phase == "trump" and hand.names_before_deal() and not self.chance(self.coarseness):
            by = {"seat": rng.choice(hand.seats)} if self.chance(0.3) else {}
            return {"type": "trump", "suit": rng.choice(SUITS), **by}
        seat = rng.choice(hand.to_act() or list(hand.seats))
        if phase == "trump" and hand.names_before_deal():
            return self.coarse(phase)
        if hand.open_trick() is None and self.chance(self.coarseness):
            return self.coarse(phase)
        if phase in ("ransom", "ruling-card"):
            cards = [card for card in self.hands[seat] if phase == "ransom" or is_high(card)]
            return {"type": phase, "seat": seat, "cards": [rng.choice(cards)]}
        if phase in ("trump", "bidding", "play") and self.chance(self.disorder):
            bids = phase == "bidding"
            seat = rng.choice([s for s in hand.seats if (hand.bids[s] is None if bids else not hand.has_played(s))])
        if phase == "trump":
            return {"type": "trump", "seat": seat, "suit": rng.choice(hand.choices())}
        if phase == "bidding":
            return self.bid(seat)
        if hand.skipped and not hand.skipped_by_trick:
            return self.coarse(phase)
        return self.play(seat)

    def bid(self, seat: int) -> Event:
        """A bid near a fair share of the tricks, sometimes one the hook forbids."""
        count = self.hand.trick_count
        bid = min(count, max(0, round(self.rng.gauss(count / self.table.players, 1.2))))
        missing = count - sum(given or 0 for given in self.hand.bids)
        if self.hand.bids.count(None) == 1 and 0 <= missing <= count and self.chance(0.3):
            bid = missing
        return {"type": "bid", "seat": seat, "tricks": bid}

    def play(self, seat: int) -> Event:
        """A card as this player would choose it, with the suit called if that is usual."""
        card = self.choose(self.hand, seat, self.lies[seat])
        trick = self.hand.open_trick()
        hidden = 0 if trick is None else sum(play["cards"] == ["?"] for play in trick["plays"])
        if hidden < MOST_UNSEEN and self.chance(self.inattention):
            card = "?"
        event: Event = {"type": "play", "seat": seat, "cards": [card]}
        if self.hand.options.get("called_suit") and self.hand.is_lead() and suits_of(card):
            usual = 0.92 if len(suits_of(card)) > 1 else 0.3
            if self.chance(usual):
                event["suit"] = self.rng.choice(suits_of(card))
        return event

    def denied(self, hand: Hand, seat: int, card: str) -> frozenset[str]:
        said = hand.assertion(seat, card)
        return said[1] if said else frozenset()

    def close_trick(self) -> Event:
        """Name the winner of a trick with unseen cards, or give the result."""
        hand, rng = self.hand, self.rng
        if self.chance(0.1):
            return self.result()
        event: Event = {"type": "trick", "winner": rng.choice(sorted(hand.possible_winners()))}
        laid = (hand.open_trick() or {"plays": []})["plays"]
        gone = [self.hands[play["seat"]].pop() for play in hand.slots() if play not in laid]
        if hand.game != "wildcat-chicane" and self.chance(0.4):
            event["trump"] = rng.choice([hand.trump_story()[1], *SUITS])
        if gone and self.chance(0.2):
            event["last"] = rng.choice(gone)  # a card still held could not be played after this
        return event

    # -- tricks and results without cards ------------------------------------------------------

    def coarse(self, phase: str) -> Event:
        """A trick by its winner, the rest by its result, or the bids that must come first."""
        hand = self.hand
        if hand.bidding and None in hand.bids:
            free = [s for s in hand.seats if hand.bids[s] is None]
            order = hand.clockwise((hand.dealer + 1) % hand.players)
            turn = next(s for s in order if s in free)
            return self.bid(self.rng.choice(free) if self.chance(self.disorder) else turn)
        if self.chance(0.2):
            return self.result()
        return self.trick(phase)

    def trick(self, phase: str = "play") -> Event:
        """A trick whose cards were not recorded."""
        for seat in self.hand.seats:
            if self.hand.sets_aside and self.hand.aside[seat] is None and not self.hand.skipped:
                self.hands[seat].pop()
        hidden = self.hidden_trick() if phase == "play" and not self.hand.skipped else None
        if hidden is None:
            for seat, cards in enumerate(self.hands):
                if cards and not self.hand.has_played(seat):
                    cards.pop()
            winner, trump, last = self.rng.randrange(self.table.players), None, None
        else:
            plays = hidden.tricks[-1]["plays"]
            winner, trump = hidden.tricks[-1]["winner"], hidden.trump_story()[1]
            by_seat = {play["seat"]: play["cards"][0] for play in plays}
            winning = self.hand.options.get("tides_last") == "winning"
            last = by_seat[winner] if winning else plays[-1]["cards"][0]
        event: Event = {"type": "trick", "winner": winner}
        self.add_trump(event, trump, known=hidden is not None)
        if last and self.chance(0.5):
            event["last"] = last
        return event

    def add_trump(self, event: Event, trump: str | None, *, known: bool) -> None:
        """State trump where it changed, and now and then where it did not."""
        hand = self.hand
        if hand.game == "wildcat-chicane":
            return
        if hand.game == "ransom-trump" and None in hand.aside:
            if self.chance(0.4):
                event["trump"] = hand.trump_story()[1] or self.rng.choice(SUITS)
            return
        if hand.names_before_deal() and not hand.trump_settled():
            if self.chance(0.4):
                event["trump"] = self.rng.choice(SUITS)
            return
        if not known:
            if self.chance(0.5) and hand.choices():
                event["trump"] = self.rng.choice(hand.choices())
        elif trump != hand.trump_story()[1] or (trump and self.chance(0.4)):
            event["trump"] = trump

    def last_is_told(self) -> float:
        return 0.6 if self.hand.options.get("tides") else 0.2

    def break_off(self) -> Event:
        if self.hand.open_trick() is None or (self.hand.unseen_slots() <= MOST_UNSEEN and self.chance(0.2)):
            return self.result() if self.chance(0.6) else self.trick()
        return {"type": self.rng.choice(["redeal", "end"]), "reason": "suspicion"}


# --- Impossible events, made to fit the moment they disturb

FOREIGN: list[Event] = [
    {"type": "pass", "seat": 0},
    {"type": "suit", "seat": 0, "suit": "S"},
    {"type": "ransom", "seat": 0, "cards": ["9MS"]},
    {"type": "ruling-card", "seat": 0, "cards": ["XM"]},
    {"type": "trump", "seat": 0, "suit": "M"},
    {"type": "bid", "seat": 0, "tricks": 1},
]


def wrong_card(rng: Random, hand: Hand, hands: Hands) -> Event:
    """A card shown before, no card, a card of another deck, another player's card, or a fifth Ace."""
    seat = turn(rng, hand)
    others = [card for s, cards in enumerate(hands) if s != seat for card in cards] or ["E"]
    high = [card for card in others if is_high(card)] or others
    pools = [shown_cards(hand), ["?", "9SK", "PMS", "10S"], sorted(NAMES), others, others, high]
    return card_event(hand, seat, rng.choice(rng.choice(pools)))


def wrong_suit(rng: Random, hand: Hand, hands: Hands) -> Event:
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


def wrong_trick(rng: Random, hand: Hand, hands: Hands) -> Event:
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
