"""What happens at a random table of Oh Hell."""

from __future__ import annotations

from copy import deepcopy
from random import Random
from typing import TYPE_CHECKING, Any

from tests.games.oh_hell.oracle import Table
from tests.games.oh_hell.oracle_hand import Hand
from tests.games.oh_hell.oracle_judge import judge_event
from tests.games.oh_hell.oracle_rules import DECK, UNSEEN, suit_of
from tests.games.oh_hell.random_wrong import impossible_event
from tests.games.tricks.oracle_plain import Event, Verdict
from tests.games.tricks.random_story import MOST_UNSEEN, TrickStory

if TYPE_CHECKING:
    from tests.games.oh_hell.random_records import Mischief


class Story(TrickStory):
    """One table from the first deal on."""

    LATE = [*TrickStory.LATE, {"type": "turn-up", "card": "2S"}]
    CARDS = list(DECK)
    PENALTIES = [-10, -5, -1, 1, 3, 10]
    DRASTIC = 0.5
    table: Table

    def __init__(self, rng: Random, mischief: Mischief, table: Table) -> None:
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
        return impossible_event(self.rng, self.hand, self.hands, self.turned)

    def judge(self, hand: Any, event: Event) -> Verdict | None:
        return judge_event(hand, event)

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
            trick = hand.open_trick()
            played = [play["seat"] for play in trick["plays"]] if trick else []
            seat = self.rng.choice([s for s in hand.seats if s not in played])
        trick = hand.open_trick()
        hidden = sum(play["cards"] == [UNSEEN] for play in trick["plays"]) if trick else 0
        missed = hidden < MOST_UNSEEN and self.chance(self.inattention)
        return {"type": "play", "seat": seat, "cards": [UNSEEN if missed else self.choose(hand, seat, self.lies[seat])]}

    def close_trick(self) -> Event:
        """Name the winner of a trick with unseen cards, or give the result."""
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
        cards = self.hands[seat]
        honest = [card for card in cards if not self.lie(hand, card, cards)] or cards
        if self.secret and self.chance(lies):
            return self.hide(cards, honest)
        own = {claim.suit for claim in hand.claims if claim.seat == seat and not claim.proved}
        safe = [card for card in cards if suit_of(card) not in own]
        return self.pick(seat, honest, safe, lies)

    def hide(self, cards: list[str], honest: list[str]) -> str:
        others = [card for card in cards if suit_of(card) != self.secret]
        return self.rng.choice([card for card in others if card in honest] or others or cards)

    def lie(self, hand: Hand, card: str, cards: list[str]) -> bool:
        """Whether playing the card implies something untrue about the rest of the hand."""
        denied = hand.denied_suit(card)
        return denied is not None and any(suit_of(other) == denied for other in cards)

    # -- tricks and results without cards ------------------------------------------------------

    def trick(self) -> Event:
        """A trick whose cards were not recorded; it may tell an unrecorded trump."""
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

    def last_is_told(self) -> float:
        return 0.1

    def break_off(self) -> Event:
        if self.hand.open_trick() is None:
            return self.result() if self.chance(0.6) else self.trick()
        return {"type": self.rng.choice(["redeal", "end"]), "reason": "suspicion"}
