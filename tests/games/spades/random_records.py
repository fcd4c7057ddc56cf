"""Random records of Spades, for comparing two adjudicators.

`random_record(rng)` deals honestly, lets players of varying honesty play, and records what the table would: bids, blind
ones included, cards, trick winners or results, with settlements and mistakes in between.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from random import Random
from typing import ClassVar

from tests.games.oh_hell.oracle_rules import DECK, SUITS, UNSEEN, suit_of
from tests.games.oh_hell.random_records import alias, name_suits
from tests.games.oh_hell.random_story import wrong_suit, wrong_trick
from tests.games.spades.oracle import LIMITS, VALUES, Hand, Table, deck_of
from tests.games.tricks.oracle_plain import Event
from tests.games.tricks.random_story import (
    MOST_UNSEEN,
    Hands,
    TrickStory,
    card_event,
    random_end,
    random_options,
    record_without_hands,
    shown_cards,
    turn,
    wrong,
    wrong_anyhow,
)
from tests.games.tricks.random_story import Mischief as AnyMischief


@dataclass(frozen=True)
class Mischief(AnyMischief):
    """How often each thing happens: a probability per record, hand, or opportunity."""

    impossible: float = 0.3
    afterwards: float = 0.05
    inattention: float = 0.25
    blind: float = 0.15


HONEST = Mischief.none()
FOREIGN: list[Event] = [
    {"type": "pass", "seat": 0},
    {"type": "turn-up", "card": "9S"},
    {"type": "trump", "seat": 0, "suit": "H"},
    {"type": "bid", "seat": 0, "tricks": 1},
    {"type": "bid", "seat": 0, "tricks": 0, "blind": True},
    {"type": "trick", "winner": 0},
]


def random_record(rng: Random, mischief: Mischief | None = None, stories: list[Story] | None = None) -> dict:
    """One record; its story is appended to ``stories``."""
    mischief = mischief or Mischief()
    record = random_table(rng)
    story = Story(rng, mischief, Table(record))
    return story.fill(record, rng.choice([1, 1, 2, 3, 5]), stories, partial(alias, rng), partial(name_suits, rng))


honest_record = partial(random_record, mischief=HONEST)
"""A record in which no one breaks a rule and every card is entered."""


def random_table(rng: Random) -> dict:
    """A record without hands."""
    players = rng.choice([4, 4, 4, 3, 5, 6])
    options = random_options(rng, VALUES)
    options.pop("leftover" if players == 4 else "partners", None)
    pairs = options.get("partners", players == 4)
    if options.get("revoke") == "three-tricks" and not pairs:
        del options["revoke"]
    end = random_end(rng, [60, 150, 500])
    record = record_without_hands("spades", options, players, rng.randrange(players), end)

    def level(least: int, most: int) -> list[int]:
        own = [rng.randint(least, most) for _ in range(players)]
        return [own[seat % 2] for seat in range(players)] if pairs else own

    if rng.random() < 0.4:
        record["carried"] = level(-250, 480)
    if rng.random() < 0.4:
        record["carried_bags"] = level(0, min(30, LIMITS[options.get("bags", "ten")]))
    return record


class Story(TrickStory):
    """One table from the first deal on."""

    CARDS: ClassVar[list[str]] = list(DECK)
    PENALTIES: ClassVar[list[int]] = [-100, -10, 10, 30]
    DRASTIC: ClassVar[float] = 0.5
    table: Table

    def deal(self) -> None:
        deck = deck_of(self.table.options, self.table.players)
        self.rng.shuffle(deck)
        size = self.table.next_size()
        self.hands = [deck[seat * size : (seat + 1) * size] for seat in range(self.table.players)]

    def draw_characters(self) -> None:
        super().draw_characters()
        self.inattention = self.rng.choice([0.02, 0.1, 0.3]) if self.chance(self.mischief.inattention) else 0.0

    def impossible_event(self) -> Event:
        makers = wrong_anyhow([wrong_card] * 2, [wrong_suit], [wrong_trick], FOREIGN)
        return wrong(self.rng, makers, self.hand, self.hands)

    # -- ordinary events -----------------------------------------------------------------------

    def ordinary(self) -> Event:
        hand = self.hand
        if hand.phase() == "bidding":
            return self.bid()
        trick = hand.open_trick()
        if trick is None and self.chance(self.coarseness):
            return self.side_result() if self.chance(0.25) else self.trick()
        few = trick is not None and hand.unseen_slots() <= MOST_UNSEEN
        if hand.waiting() or (few and self.chance(self.inattention)):
            return self.close_trick()
        return self.play(self.who_plays())

    def who_plays(self) -> int:
        """The seat to act, the holder of the opening card, or anyone."""
        hand = self.hand
        if self.chance(self.disorder):
            return self.rng.choice([seat for seat in hand.seats if not hand.has_played(seat)])
        clubs = hand.may_open() or []
        able = [seat for seat in hand.seats if set(clubs) & set(self.hands[seat])]
        return able[0] if able else hand.to_act()[0]

    def bid(self) -> Event:
        """A bid near a fair share of the tricks, sometimes nil."""
        hand, free = self.hand, [seat for seat in self.hand.seats if self.hand.bids[seat] is None]
        seat = self.rng.choice(free) if self.chance(self.disorder) else hand.next_bidder()
        bid = min(hand.size, max(0, round(self.rng.gauss(hand.size / hand.players, 1.5))))
        if self.chance(0.2):
            bid = 0
        blind = {"blind": True} if bid == 0 and self.chance(self.mischief.blind) else {}
        return {"type": "bid", "seat": seat, "tricks": bid, **blind}

    def truthful(self, hand: Hand, seat: int) -> list[str]:
        clubs = hand.may_open() if hand.open_trick() is None else None
        opening = [card for card in self.hands[seat] if card in (clubs or [])]
        return opening or super().truthful(hand, seat)

    def denied(self, hand: Hand, seat: int, card: str) -> list[str]:
        suits = hand.denied_suits(card)
        return [other for other in DECK if suit_of(other) in suits]

    # -- tricks and results without cards ------------------------------------------------------

    def side_result(self) -> Event:
        """The result of the hand, sometimes with both partners' tricks at one seat."""
        event = self.result()
        if self.hand.options["partners"] and self.chance(0.5):
            tricks = event["tricks"]
            for seat in (0, 1):
                if self.chance(0.7):
                    tricks[seat], tricks[seat + 2] = tricks[seat] + tricks[seat + 2], 0
        return event

    def trick(self) -> Event:
        """A trick whose cards were not recorded."""
        hidden = self.hidden_trick()
        if hidden is None:
            return {"type": "trick", "winner": self.unseen_trick()}
        trick = hidden.tricks[-1]
        event: Event = {"type": "trick", "winner": trick["winner"]}
        if self.chance(0.2):
            event["trump"] = "S"
        return {**event, "last": trick["plays"][-1]["cards"][0]} if self.chance(0.2) else event


def wrong_card(rng: Random, hand: Hand, hands: Hands) -> Event:
    """A card shown before, no card, a card of another deck or removed from this one, or another player's card."""
    entered = sorted(hand.entered()) or shown_cards(hand)
    out = [card for card in DECK if card not in hand.deck] or [f"2{suit}*" for suit in SUITS]
    pools = [shown_cards(hand), ["9SK", "0H", "2S*", UNSEEN], DECK, entered, out]
    return card_event(hand, turn(rng, hand), rng.choice(rng.choice(pools)))
