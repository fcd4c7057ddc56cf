"""What happens at a random table: true hands, players of varying honesty, a scorekeeper.

The story holds the true cards and a live oracle table; it writes the events of one hand at a
time. An event the oracle finds irregular is accepted, taken back or left to stop the record.
"""

from __future__ import annotations

from copy import deepcopy
from random import Random
from typing import TYPE_CHECKING, Any

from tests.games.decktet_tricks.oracle import Table
from tests.games.decktet_tricks.oracle_cards import NAMES, SUITS, deck_of, is_high, suits_of
from tests.games.decktet_tricks.oracle_hand import Event, Hand
from tests.games.decktet_tricks.oracle_judge import judge_event
from tests.games.decktet_tricks.random_wrong import impossible_event

if TYPE_CHECKING:
    from tests.games.decktet_tricks.random_records import Mischief

MAX_EVENTS = 140
MOST_REFUSED = 100
"""So many times in a row a story may try what is not taken; then it has told itself into a corner and stops."""
MOST_UNSEEN = 2
"""Of so many unseen cards in a trick both adjudicators try every combination."""


class Story:
    """One table from the first deal on."""

    def __init__(self, rng: Random, mischief: Mischief, table: Table) -> None:
        self.rng, self.mischief, self.table = rng, mischief, table
        self.stopped = False
        self.refused = 0
        self.hands: list[list[str]] = []
        self.events: list[Event] = []
        self.disorder = 0.05 if self.chance(mischief.disorder) else 0.0
        self.settling = 0.04 if self.chance(mischief.settlements) else 0.0
        self.suspected: int | None = None
        self.doom = int(60 * rng.random() ** 2) if self.chance(mischief.impossible) else -1
        self.lies: list[float] = []
        self.careful: list[bool] = []
        self.coarseness = 0.0
        self.inattention = 0.0

    @property
    def hand(self) -> Hand:
        """The hand being told."""
        return self.table.hands[-1]

    def chance(self, probability: float) -> bool:
        """True so often."""
        return self.rng.random() < probability

    # -- one hand ------------------------------------------------------------------------------

    def tell_hand(self) -> dict:
        """Deal, play and settle one hand."""
        self.deal()
        known = self.enter_hands()
        self.table.start_hand(known)
        self.events, self.suspected = [], None
        self.draw_characters()
        self.refused = 0
        while not self.stopped and len(self.events) < MAX_EVENTS and self.playing():
            self.step()
            if self.refused > MOST_REFUSED:
                self.stopped = True
        if not self.stopped and not self.playing():
            self.settle_after()
        entry: dict[str, Any] = {"events": self.events}
        return {"known": known, **entry} if known else entry

    def playing(self) -> bool:
        """Whether somebody is to act."""
        return self.hand.phase() not in ("finished", "void")

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

    def enter_hands(self) -> dict[str, list[str]]:
        """Some hands may be entered as dealt."""
        if not self.chance(self.mischief.known):
            return {}
        share = self.rng.choice([0.3, 0.6, 1.0])
        return {str(s): list(cards) for s, cards in enumerate(self.hands) if self.chance(share)}

    def draw_characters(self) -> None:
        """Who lies how often, who keeps up a lie, how coarse the record is."""
        seats = range(self.table.players)
        lying = self.chance(self.mischief.liars)
        self.lies = [self.rng.choice([0, 0.1, 0.3, 0.6]) if lying else 0 for _ in seats]
        self.careful = [self.chance(0.7) for _ in seats]
        coarse = self.chance(self.mischief.coarse)
        self.inattention = self.rng.choice([0, 0, 0, 0.02, 0.1])
        self.coarseness = self.rng.choice([0.05, 0.15, 0.5, 1.0]) if coarse else 0.0

    def step(self) -> None:
        """Something happens."""
        self.doom -= 1
        before, written = deepcopy(self.hands), len(self.events)
        if self.doom == 0:
            self.fail(impossible_event(self.rng, self.hand, self.hands))
        elif self.chance(self.settling):
            self.submit(self.settlement())
        elif self.suspicious() and self.chance(0.1):
            self.submit(self.break_off())
        else:
            self.submit(self.ordinary())
        if len(self.events) == written:
            self.hands = before
        self.refused = self.refused + 1 if len(self.events) == written else 0
        if self.suspected is None and self.suspicious():
            self.suspected = len(self.events)

    def submit(self, event: Event) -> None:
        """Write an event down if it is taken; else accept it, take it back or leave it to stop."""
        verdict = self.table.apply(event)
        if verdict and verdict[0] == "irregular" and self.chance(self.mischief.accept):
            event = {**event, "accepted": True}
            verdict = self.table.apply(event)
        if verdict is None:
            self.events.append(event)
            self.remember(event)
        elif self.chance(self.mischief.refuse):
            self.fail(event)

    def fail(self, event: Event) -> None:
        """Write an event down that stops the record, and perhaps others after it."""
        self.events.append(event)
        verdict = self.table.apply(event)
        if verdict is None:
            self.remember(event)
            return
        self.stopped = True
        for _ in range(self.rng.randint(0, 2)):
            self.events.append(self.rng.choice([{"type": "note", "text": "?"}, self.wild_play()]))

    def remember(self, event: Event) -> None:
        """Take the card of a taken event out of the true hand.

        A card the seat did not hold is swapped for one of its own: somebody had misdealt.
        """
        for card in event.get("cards", []):
            own = self.hands[event["seat"]]
            if card == "?":
                own.pop(self.rng.randrange(len(own)))
            elif card not in own:
                spare = own.pop(self.rng.randrange(len(own)))
                for cards in self.hands:
                    if card in cards:
                        cards[cards.index(card)] = spare
            else:
                own.remove(card)

    def wild_play(self) -> Event:
        """A play without any thought."""
        seat = self.rng.randrange(self.table.players)
        return {"type": "play", "seat": seat, "cards": [self.rng.choice(sorted(NAMES))]}

    # -- ordinary events -----------------------------------------------------------------------

    def ordinary(self) -> Event:
        """The next event of the hand as its phase wants it."""
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
            seat = rng.choice([s for s in hand.seats if self.may_interrupt(s, phase)])
        if phase == "trump":
            return {"type": "trump", "seat": seat, "suit": rng.choice(hand.choices())}
        if phase == "bidding":
            return self.bid(seat)
        if hand.skipped and not hand.skipped_by_trick:
            return self.coarse(phase)
        return self.play(seat)

    def may_interrupt(self, seat: int, phase: str) -> bool:
        """Whether this seat could act out of turn."""
        trick = self.hand.open_trick()
        if phase == "bidding":
            return self.hand.bids[seat] is None
        return trick is None or seat not in [play["seat"] for play in trick["plays"]]

    def bid(self, seat: int) -> Event:
        """A bid near a fair share of the tricks, sometimes the one the hook forbids."""
        count = self.hand.trick_count
        bid = min(count, max(0, round(self.rng.gauss(count / self.table.players, 1.2))))
        missing = count - sum(given or 0 for given in self.hand.bids)
        if self.hand.bids.count(None) == 1 and 0 <= missing <= count and self.chance(0.3):
            bid = missing
        return {"type": "bid", "seat": seat, "tricks": bid}

    def play(self, seat: int) -> Event:
        """A card as this player's character has it, with the suit called where that is usual."""
        card = self.choose(self.hand, seat, self.hands[seat], self.lies[seat])
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

    def choose(self, hand: Hand, seat: int, cards: list[str], lies: float) -> str:
        """An honest card, a lie, or a card that keeps an earlier lie from coming out."""
        honest = [card for card in cards if not self.lie(hand, seat, card, cards)] or cards
        own = [claim for claim in hand.claims if claim.seat == seat and not claim.proved]
        safe = [card for card in cards if not any(card in claim.forbidden for claim in own)]
        if lies and self.careful[seat] and safe:
            honest_and_safe = [card for card in safe if card in honest]
            return self.rng.choice(honest_and_safe or safe)
        if self.chance(lies):
            return self.rng.choice([card for card in cards if card not in honest] or cards)
        return self.rng.choice(honest)

    def lie(self, hand: Hand, seat: int, card: str, cards: list[str]) -> bool:
        """Whether playing the card says something untrue of the rest of the hand."""
        said = hand.assertion(seat, card)
        return said is not None and any(other in said[1] for other in cards if other != card)

    def close_trick(self) -> Event:
        """Say who won a trick of which not every card was seen, or give the result."""
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

    def trick(self, phase: str) -> Event:
        """A trick whose cards only the players saw."""
        for seat in self.hand.seats:
            if self.hand.sets_aside and self.hand.aside[seat] is None and not self.hand.skipped:
                self.hands[seat].pop()
        hidden = self.hidden_trick() if phase == "play" else None
        if hidden is None:
            for cards in self.hands:
                if cards:
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

    def hidden_trick(self) -> Hand | None:
        """Play a trick on a copy of the hand; None where the referee could not follow it."""
        if self.hand.skipped:
            return None
        copy, before = deepcopy(self.hand), deepcopy(self.hands)
        number = len(copy.complete())
        while len(copy.complete()) == number:
            seat = copy.to_act()[0]
            card = self.choose(copy, seat, self.hands[seat], 0)
            event = {"type": "play", "seat": seat, "cards": [card], "accepted": True}
            if judge_event(copy, event):
                self.hands = before
                return None
            self.hands[seat].remove(card)
        return copy

    def result(self) -> Event:
        """The tricks of the whole hand."""
        hand = self.hand
        tricks = hand.won_before_transfers()
        while sum(tricks) < hand.trick_count:
            tricks[self.rng.randrange(hand.players)] += 1
        event: Event = {"type": "result", "tricks": tricks}
        left = [card for cards in self.hands for card in cards]
        if left and self.chance(0.6 if hand.options.get("tides") else 0.2):
            event["last"] = self.rng.choice(left)
        return event

    # -- settlements ---------------------------------------------------------------------------

    def settlement(self) -> Event:
        """A note, a penalty, a transfer; rarely a redeal or the end."""
        hand, rng = self.hand, self.rng
        seat = rng.randrange(hand.players)
        kind = rng.choice(["note", "note", "penalty", "penalty", "transfer", "transfer", "drastic"])
        rich = [s for s in hand.seats if hand.tricks_won()[s] > 0]
        if kind == "drastic" and self.chance(0.4):
            return {"type": rng.choice(["redeal", "redeal", "end"]), "reason": "agreed"}
        if kind == "transfer" and rich:
            giver = rng.choice(rich)
            taker = rng.choice([s for s in hand.seats if s != giver])
            number = rng.randint(1, hand.tricks_won()[giver])
            return {
                "type": "transfer",
                "from_seat": giver,
                "to_seat": taker,
                "tricks": number,
                "reason": "revoke",
            }
        if kind == "penalty":
            points = rng.choice([-5, -2, -1, 1, 3, 10])
            return {"type": "penalty", "seat": seat, "points": points, "reason": "agreed"}
        note: Event = {"type": "note", "text": "tea"}
        return {**note, "seat": seat} if self.chance(0.5) else note

    def suspicious(self) -> bool:
        """Whether a joint finding is open."""
        return any(each["certainty"] == "joint" for each in self.hand.irregularities)

    def break_off(self) -> Event:
        """A table that has heard of a joint finding may want to stop counting cards."""
        if self.hand.open_trick() is None or (self.hand.unseen_slots() <= MOST_UNSEEN and self.chance(0.2)):
            return self.result() if self.chance(0.6) else self.trick("play")
        return {"type": self.rng.choice(["redeal", "end"]), "reason": "suspicion"}

    def settle_after(self) -> None:
        """What the table settles once the hand is over."""
        while not self.stopped and self.chance(0.08 + 3 * self.settling):
            event = self.settlement() if self.chance(0.85) else self.late_event()
            if self.table.apply(event) is None:
                self.events.append(event)
            elif self.chance(0.3):
                self.fail(event)

    def late_event(self) -> Event:
        """An event that may come too late."""
        choices: list[Event] = [
            {"type": "redeal", "reason": "miscounted"},
            {"type": "end", "reason": "late"},
            {"type": "trick", "winner": 0},
            self.wild_play(),
        ]
        return self.rng.choice(choices)
