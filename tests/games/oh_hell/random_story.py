"""What happens at a random table of Oh Hell: true hands, players of varying honesty, a scorekeeper.

The story holds the true cards and a live table of the second adjudicator; it writes the events of one hand at a
time. An event found irregular is accepted, taken back or left to stop the record.
"""

from __future__ import annotations

from copy import deepcopy
from random import Random
from typing import TYPE_CHECKING, Any

from tests.games.oh_hell.oracle import Table
from tests.games.oh_hell.oracle_hand import Event, Hand
from tests.games.oh_hell.oracle_judge import judge_event
from tests.games.oh_hell.oracle_rules import DECK, UNSEEN, suit_of
from tests.games.oh_hell.random_wrong import impossible_event

if TYPE_CHECKING:
    from tests.games.oh_hell.random_records import Mischief

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
        self.dealt: list[list[str]] = []
        self.turned: str | None = None
        self.events: list[Event] = []
        self.disorder = 0.05 if self.chance(mischief.disorder) else 0.0
        self.settling = 0.04 if self.chance(mischief.settlements) else 0.0
        self.suspected: int | None = None
        self.doom = int(60 * rng.random() ** 2) if self.chance(mischief.impossible) else -1
        self.lies: list[float] = []
        self.careful: list[bool] = []
        self.secret: str | None = None
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
        """Shuffle and deal honestly; the next card is turned up if there is one and the table wants it."""
        size, players = self.table.next_size(), self.table.players
        deck = list(DECK)
        self.rng.shuffle(deck)
        self.hands = [deck[seat * size : (seat + 1) * size] for seat in range(players)]
        self.dealt = deepcopy(self.hands)
        rest = deck[players * size :]
        self.turned = rest[0] if rest and self.table.options["trump"] == "turned" else None

    def enter_hands(self) -> dict[str, list[str]]:
        """Some hands may be entered as dealt."""
        if not self.chance(self.mischief.known):
            return {}
        share = self.rng.choice([0.3, 0.6, 1.0])
        return {str(seat): list(cards) for seat, cards in enumerate(self.hands) if self.chance(share)}

    def draw_characters(self) -> None:
        """Who lies how often, who keeps up a lie, how coarse the record is, which suit most players hide together."""
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

    def step(self) -> None:
        """Something happens."""
        self.doom -= 1
        before, written = deepcopy(self.hands), len(self.events)
        if self.doom == 0:
            self.fail(impossible_event(self.rng, self.hand, self.hands, self.turned))
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

        A card that lay elsewhere is swapped for one of the player's own: somebody had misdealt.
        """
        if event["type"] == "turn-up" and event["card"] not in (UNSEEN, self.turned):
            for cards in self.hands:
                if event["card"] in cards and self.turned:
                    cards[cards.index(event["card"])] = self.turned
            self.turned = event["card"]
        for card in event.get("cards", []):
            own = self.hands[event["seat"]]
            if card == UNSEEN:
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
        return {"type": "play", "seat": seat, "cards": [self.rng.choice(DECK)]}

    # -- ordinary events -----------------------------------------------------------------------

    def ordinary(self) -> Event:
        """The next event of the hand as its phase wants it."""
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
            trick = hand.open_trick()
            played = [play["seat"] for play in trick["plays"]] if trick else []
            seat = self.rng.choice([s for s in hand.seats if s not in played])
        trick = hand.open_trick()
        hidden = sum(play["cards"] == [UNSEEN] for play in trick["plays"]) if trick else 0
        missed = hidden < MOST_UNSEEN and self.chance(self.inattention)
        return {"type": "play", "seat": seat, "cards": [UNSEEN if missed else self.choose(hand, seat, self.lies[seat])]}

    def close_trick(self) -> Event:
        """Say who won a trick of which not every card was seen, or give the result."""
        hand, rng = self.hand, self.rng
        if self.chance(0.1):
            return self.result()
        able = sorted(hand.possible_winners())
        event: Event = {"type": "trick", "winner": rng.choice(able if self.chance(0.9) else list(hand.seats))}
        played = [play["seat"] for play in (hand.open_trick() or {"plays": []})["plays"]]
        for seat in hand.seats:
            if seat not in played and self.hands[seat]:
                self.hands[seat].pop()
        if self.chance(0.2):
            event["trump"] = hand.trump
        return {**event, "last": rng.choice(DECK)} if self.chance(0.1) else event

    def turn_up(self) -> Event:
        """The card turned up, or only its suit."""
        card = self.turned or "2S"
        if self.chance(self.mischief.unseen_turn_up):
            return {"type": "turn-up", "card": UNSEEN, "suit": suit_of(card)}
        event: Event = {"type": "turn-up", "card": card}
        return {**event, "suit": suit_of(card)} if self.chance(0.15) else event

    def bidder(self) -> int:
        """Whose bid is recorded next: the one in turn, or where order does not count anybody."""
        hand = self.hand
        free = [seat for seat in hand.seats if hand.bids[seat] is None]
        disorderly = self.chance(0.5 if hand.options["bidding"] == "together" else self.disorder)
        return self.rng.choice(free) if disorderly else hand.next_bidder()

    def bid(self, seat: int) -> Event:
        """A bid near a fair share of the tricks, sometimes the one the hook forbids."""
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
        """An honest card, a lie, or a card that keeps an earlier lie from coming out."""
        cards = self.hands[seat]
        honest = [card for card in cards if not self.lie(hand, card, cards)] or cards
        if self.secret and self.chance(lies):
            return self.hide(cards, honest)
        own = {claim.suit for claim in hand.claims if claim.seat == seat and not claim.proved}
        safe = [card for card in cards if suit_of(card) not in own]
        if lies and self.careful[seat] and safe:
            return self.rng.choice([card for card in safe if card in honest] or safe)
        if self.chance(lies):
            return self.rng.choice([card for card in cards if card not in honest] or cards)
        return self.rng.choice(honest)

    def hide(self, cards: list[str], honest: list[str]) -> str:
        """A card that keeps the suit hidden that nobody admits to hold."""
        others = [card for card in cards if suit_of(card) != self.secret]
        return self.rng.choice([card for card in others if card in honest] or others or cards)

    def lie(self, hand: Hand, card: str, cards: list[str]) -> bool:
        """Whether playing the card says something untrue of the rest of the hand."""
        denied = hand.denied_suit(card)
        return denied is not None and any(suit_of(other) == denied for other in cards)

    # -- tricks and results without cards ------------------------------------------------------

    def trick(self) -> Event:
        """A trick whose cards only the players saw; it may tell a trump that nobody recorded."""
        hand = self.hand
        hidden = self.hidden_trick() if hand.trump_known else None
        if hidden is None:
            for cards in self.hands:
                if cards:
                    cards.pop()
            winner, last = self.rng.randrange(hand.players), None
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

    def hidden_trick(self) -> Hand | None:
        """Play a trick on a copy of the hand; None where the referee could not follow it."""
        copy, before = deepcopy(self.hand), deepcopy(self.hands)
        number = len(copy.complete())
        while len(copy.complete()) == number:
            seat = copy.to_act()[0]
            card = self.choose(copy, seat, 0)
            if judge_event(copy, {"type": "play", "seat": seat, "cards": [card], "accepted": True}):
                self.hands = before
                return None
            self.hands[seat].remove(card)
        return copy

    def result(self) -> Event:
        """The tricks of the whole hand."""
        hand = self.hand
        tricks = hand.won_before_transfers()
        while sum(tricks) < hand.size:
            tricks[self.rng.randrange(hand.players)] += 1
        event: Event = {"type": "result", "tricks": tricks}
        left = [card for cards in self.hands for card in cards]
        return {**event, "last": self.rng.choice(left)} if left and self.chance(0.1) else event

    # -- settlements ---------------------------------------------------------------------------

    def settlement(self) -> Event:
        """A note, a penalty, a transfer; rarely a redeal or the end."""
        hand, rng = self.hand, self.rng
        seat = rng.randrange(hand.players)
        kind = rng.choice(["note", "note", "penalty", "penalty", "transfer", "transfer", "drastic"])
        rich = [s for s in hand.seats if hand.tricks_won()[s] > 0]
        if kind == "drastic" and self.chance(0.5):
            return {"type": rng.choice(["redeal", "redeal", "end"]), "reason": "agreed"}
        if kind == "transfer" and rich:
            giver = rng.choice(rich)
            taker = rng.choice([s for s in hand.seats if s != giver])
            tricks = rng.randint(1, hand.tricks_won()[giver])
            event: Event = {"type": "transfer", "from_seat": giver, "to_seat": taker, "tricks": tricks}
            return {**event, "reason": "revoke"}
        if kind == "penalty":
            points = rng.choice([-10, -5, -1, 1, 3, 10])
            return {"type": "penalty", "seat": seat, "points": points, "reason": "agreed"}
        note: Event = {"type": "note", "text": "tea"}
        return {**note, "seat": seat} if self.chance(0.5) else note

    def suspicious(self) -> bool:
        """Whether a joint finding is open."""
        return any(each["certainty"] == "joint" for each in self.hand.irregularities)

    def break_off(self) -> Event:
        """A table that has heard of a joint finding may want to stop counting cards."""
        if self.hand.open_trick() is None:
            return self.result() if self.chance(0.6) else self.trick()
        return {"type": self.rng.choice(["redeal", "end"]), "reason": "suspicion"}

    def settle_after(self) -> None:
        """What the table settles once the hand is over."""
        while not self.stopped and self.chance(self.mischief.afterwards + 3 * self.settling):
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
            {"type": "turn-up", "card": "2S"},
            self.wild_play(),
        ]
        return self.rng.choice(choices)
