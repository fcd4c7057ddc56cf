"""Random tables of trick-taking games: true hands, players of varying honesty, a scorekeeper.

A story holds the true cards and a second adjudicator's live table, and writes the events of one hand at a time. An
irregular event is accepted, taken back, or left to stop the record. Each game defines its deal, bids and plays.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, fields
from random import Random
from typing import Any, ClassVar, Self

from tests.games.tricks.oracle_plain import UNSEEN, Event

Hands = list[list[str]]
Maker = Callable[[Random, Any, Hands], Event]
"""Makes an event that is most likely refused, to fit the moment it disturbs."""

MAX_EVENTS = 140
MOST_REFUSED = 100
"""How often in a row a story may try refused events before it gives up."""
MOST_UNSEEN = 2
"""The most unseen cards in a trick for which both adjudicators try every combination."""


@dataclass(frozen=True)
class Mischief:
    """How often each thing happens: a probability per record, hand, or opportunity."""

    liars: float = 0.45
    disorder: float = 0.3
    impossible: float = 0.25
    accept: float = 0.8
    refuse: float = 0.06
    settlements: float = 0.35
    afterwards: float = 0.08
    known: float = 0.3
    aliases: float = 0.25
    coarse: float = 0.4
    unfinished: float = 0.35
    surplus_hand: float = 0.1

    @classmethod
    def none(cls) -> Self:
        """No mischief, and every card is entered."""
        return cls(**{field.name: 0 for field in fields(cls)} | {"accept": cls.accept})


def record_without_hands(game: str, options: Event, players: int, dealer: int, end: Event | None) -> dict:
    return {
        "format": "table-record/1",
        "game": game,
        "options": options,
        "seats": ["Ann", "Bob", "Cy", "Dot", "Eve", "Flo", "Gus", "Hal"][:players],
        "first_dealer": dealer,
        "hands": [],
        **({"end": end} if end else {}),
    }


def random_options(rng: Random, values: Mapping[str, Sequence[Any]]) -> Event:
    """Some house rules: in many records few, in others most."""
    eager = rng.choice([0.0, 0.2, 0.5, 0.8])
    return {key: rng.choice(each) for key, each in values.items() if rng.random() < eager}


def random_end(rng: Random, scores: Sequence[int]) -> Event | None:
    """Any kind of end, or None for the game's own."""
    kind = rng.choice(["none", "none", "open", "score", "hands", "time"])
    values = {"score": rng.choice(scores), "hands": rng.randint(1, 4), "time": 90}
    if kind in values:
        return {"kind": kind, "value": values[kind]}
    return None if kind == "none" else {"kind": kind}


def disguise(record: dict, alias: Callable[[str], str], more: Callable[[Event], None] = lambda event: None) -> None:
    """Rewrite every card of a record in another spelling, and vary its events."""
    for hand in record["hands"]:
        for cards in hand.get("known", {}).values():
            cards[:] = [alias(card) for card in cards]
        for event in hand["events"]:
            if "cards" in event:
                event["cards"] = [alias(card) for card in event["cards"]]
            for key in ("card", "last", "given", "returned"):
                if event.get(key):
                    event[key] = alias(event[key])
            more(event)


class TrickStory(ABC):
    """One table from the first deal on; ``held`` are the true hands after each event, hand by hand."""

    LATE: ClassVar[list[Event]] = [
        {"type": "redeal", "reason": "miscounted"},
        {"type": "end", "reason": "late"},
        {"type": "trick", "winner": 0},
    ]
    """Events that may come too late; a wild play is one of them."""
    CARDS: ClassVar[list[str]]
    PENALTIES: ClassVar[list[int]]
    DRASTIC: ClassVar[float]
    """How often a table does something drastic if it could."""

    def __init__(self, rng: Random, mischief: Any, table: Any) -> None:
        self.rng, self.mischief, self.table = rng, mischief, table
        self.stopped = False
        self.refused = 0
        self.hands: list[list[str]] = []
        self.held: list[list[list[list[str]]]] = []
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
    def hand(self) -> Any:
        return self.table.hands[-1]

    def chance(self, probability: float) -> bool:
        return self.rng.random() < probability

    # -- what each game says -------------------------------------------------------------------

    @abstractmethod
    def deal(self) -> None:
        """Shuffle and deal honestly."""

    @abstractmethod
    def impossible_event(self) -> Event:
        """Something that cannot have happened at this moment."""

    @abstractmethod
    def ordinary(self) -> Event:
        """The next event of the hand that its phase calls for."""

    @abstractmethod
    def denied(self, hand: Any, seat: int, card: str) -> Collection[str]:
        """The cards that the seat says it does not hold by playing this one."""

    @abstractmethod
    def trick(self) -> Event:
        """A trick whose cards were not recorded."""

    def truthful(self, hand: Any, seat: int) -> list[str]:
        """The cards with which a seat says nothing untrue about the rest of its hand, or all of them."""
        cards = self.hands[seat]
        return [card for card in cards if not set(self.denied(hand, seat, card)) & set(cards)] or cards

    def last_is_told(self) -> float:
        """How often a result names the last card of the hand."""
        return 0.1

    def break_off(self) -> Event:
        """A table that has a joint finding may stop entering cards."""
        if self.hand.open_trick() is None:
            return self.result() if self.chance(0.6) else self.trick()
        return {"type": self.rng.choice(["redeal", "end"]), "reason": "suspicion"}

    def draw_characters(self) -> None:
        """Decide who lies how often, who keeps up a lie, and how coarse the record is."""
        seats = range(self.table.players)
        lying = self.chance(self.mischief.liars)
        self.lies = [self.rng.choice([0, 0.1, 0.3, 0.6]) if lying else 0 for _ in seats]
        self.careful = [self.chance(0.7) for _ in seats]
        self.coarseness = self.rng.choice([0.05, 0.15, 0.5, 1.0]) if self.chance(self.mischief.coarse) else 0.0

    # -- one hand ------------------------------------------------------------------------------

    def wild_play(self) -> Event:
        """A random play."""
        seat = self.rng.randrange(self.table.players)
        return {"type": "play", "seat": seat, "cards": [self.rng.choice(self.CARDS)]}

    def result(self) -> Event:
        tricks = self.hand.won_before_transfers()
        while sum(tricks) < self.hand.trick_count:
            tricks[self.rng.randrange(self.hand.players)] += 1
        event: Event = {"type": "result", "tricks": tricks}
        left = [card for cards in self.hands for card in cards]
        return {**event, "last": self.rng.choice(left)} if left and self.chance(self.last_is_told()) else event

    def choose(self, hand: Any, seat: int, lies: float) -> str:
        """A card for a player who lies this often: an honest one, a lie, or one that keeps an earlier lie hidden."""
        honest = self.truthful(hand, seat)
        own = [claim for claim in hand.claims if claim.seat == seat and not claim.proved]
        safe = [card for card in self.hands[seat] if not any(claim.denies(card) for claim in own)]
        if lies and self.careful[seat] and safe:
            return self.rng.choice([card for card in safe if card in honest] or safe)
        if self.chance(lies):
            return self.rng.choice([card for card in self.hands[seat] if card not in honest] or self.hands[seat])
        return self.rng.choice(honest)

    def play(self, seat: int) -> Event:
        """A card as this player would choose it, perhaps unseen."""
        trick = self.hand.open_trick()
        hidden = sum(play["cards"] == [UNSEEN] for play in trick["plays"]) if trick else 0
        missed = hidden < MOST_UNSEEN and self.chance(self.inattention)
        card = UNSEEN if missed else self.choose(self.hand, seat, self.lies[seat])
        return {"type": "play", "seat": seat, "cards": [card]}

    def close_trick(self) -> Event:
        """Name the winner of a trick with unseen cards, or give the result."""
        hand, rng = self.hand, self.rng
        if self.chance(0.1):
            return self.result()
        able = sorted(hand.possible_winners())
        for seat in hand.seats:
            if not hand.has_played(seat) and self.hands[seat]:
                self.hands[seat].pop()
        return {"type": "trick", "winner": rng.choice(able if self.chance(0.9) else list(hand.seats))}

    def fill(
        self, record: dict, hands: int, stories: list[Any] | None, *ways: Callable[..., Any], cards: int | None = None
    ) -> dict:
        """Tell at most ``hands`` into a record, until ``cards`` are dealt; sometimes ``disguise`` it in ``ways``."""
        if stories is not None:
            stories.append(self)
        dealt = 0
        while not self.stopped and self.table.refusal() is None and len(record["hands"]) < hands:
            if cards is not None:
                if dealt >= cards:
                    break
                dealt += self.table.next_size() * self.table.players
            record["hands"].append(self.tell_hand())
        self.leave(record)
        if self.chance(self.mischief.aliases):
            disguise(record, *ways)
        return record

    def tell_hand(self) -> dict:
        self.deal()
        self.held.append([])
        known = self.enter_hands()
        self.table.start_hand(known)
        self.events, self.suspected = [], None
        self.draw_characters()
        self.refused = 0
        while not self.stopped and len(self.events) < MAX_EVENTS and self.playing():
            self.step()
            self.held[-1] += [deepcopy(self.hands)] * (len(self.events) - len(self.held[-1]))
            if self.refused > MOST_REFUSED:
                self.stopped = True
        if not self.stopped and not self.playing():
            self.settle_after()
        entry: dict[str, Any] = {"events": self.events}
        return {"known": known, **entry} if known else entry

    def playing(self) -> bool:
        return self.hand.phase() not in ("finished", "void")

    def enter_hands(self) -> dict[str, list[str]]:
        """Perhaps enter some hands as dealt."""
        if not self.chance(self.mischief.known):
            return {}
        share = self.rng.choice([0.3, 0.6, 1.0])
        return {str(seat): list(cards) for seat, cards in enumerate(self.hands) if self.chance(share)}

    def step(self) -> None:
        self.doom -= 1
        before, written = deepcopy(self.hands), len(self.events)
        if self.doom == 0:
            self.fail(self.impossible_event())
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
        """Write an event if it is accepted; else accept it as irregular, take it back, or let it stop the record."""
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
        """Write an event that stops the record, and perhaps others after it."""
        self.events.append(event)
        verdict = self.table.apply(event)
        if verdict is None:
            self.remember(event)
            return
        self.stopped = True
        for _ in range(self.rng.randint(0, 2)):
            self.events.append(self.rng.choice([{"type": "note", "text": "?"}, self.wild_play()]))

    def remember(self, event: Event) -> None:
        """Remove an accepted card from the true hand.

        A card the seat did not hold is swapped for one of its own: the deal was wrong.
        """
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

    def hidden_trick(self) -> Any:
        """Play a trick on a copy of the hand; None if the referee could not follow it."""
        copy, before = deepcopy(self.hand), deepcopy(self.hands)
        number = len(copy.complete())
        while len(copy.complete()) == number:
            if not copy.to_act():  # no card of the open trick was seen, so its winner is unknown
                self.hands = before
                return None
            seat = copy.to_act()[0]
            card = self.choose(copy, seat, 0)
            if self.table.judge_event(copy, {"type": "play", "seat": seat, "cards": [card], "accepted": True}):
                self.hands = before
                return None
            self.hands[seat].remove(card)
        return copy

    def unseen_trick(self) -> int:
        """Take a card out of every hand; return who won the trick, which can be anyone."""
        for cards in self.hands:
            if cards:
                cards.pop()
        return self.rng.randrange(self.hand.players)

    # -- settlements ---------------------------------------------------------------------------

    def settlement(self) -> Event:
        """A note, a penalty, a transfer; rarely a redeal or the end."""
        hand, rng = self.hand, self.rng
        seat = rng.randrange(hand.players)
        kind = rng.choice(["note", "note", "penalty", "penalty", "transfer", "transfer", "drastic"])
        rich = [s for s in hand.seats if hand.tricks_counted()[s] > 0]
        if kind == "drastic" and self.chance(self.DRASTIC):
            return {"type": rng.choice(["redeal", "redeal", "end"]), "reason": "agreed"}
        if kind == "transfer" and rich:
            giver = rng.choice(rich)
            taker = rng.choice([s for s in hand.seats if s != giver])
            tricks = rng.randint(1, hand.tricks_counted()[giver])
            event: Event = {"type": "transfer", "from_seat": giver, "to_seat": taker, "tricks": tricks}
            return {**event, "reason": "revoke"}
        if kind == "penalty":
            return {"type": "penalty", "seat": seat, "points": rng.choice(self.PENALTIES), "reason": "agreed"}
        note: Event = {"type": "note", "text": "tea"}
        return {**note, "seat": seat} if self.chance(0.5) else note

    def suspicious(self) -> bool:
        return any(each["certainty"] == "joint" for each in self.hand.irregularities)

    def settle_after(self) -> None:
        while not self.stopped and self.chance(self.mischief.afterwards + 3 * self.settling):
            event = self.settlement() if self.chance(0.85) else self.late_event()
            if self.table.apply(event) is None:
                self.events.append(event)
            elif self.chance(0.3):
                self.fail(event)

    def late_event(self) -> Event:
        return self.rng.choice([*self.LATE, self.wild_play()])

    # -- the end of a record -------------------------------------------------------------------

    def leave(self, record: dict) -> None:
        """Finish the record as a table might: with a hand too many, or broken off."""
        if not self.stopped and self.table.refusal() and self.chance(self.mischief.surplus_hand):
            event = self.rng.choice([{"type": "note", "text": "once more"}, self.wild_play()])
            record["hands"].append({"events": [event]})
        elif self.chance(self.mischief.unfinished if self.suspected is None else 0.7):
            self.break_record_off(record)

    def break_record_off(self, record: dict) -> None:
        """Leave the last hand unfinished: anywhere, or soon after its first joint finding."""
        events = record["hands"][-1]["events"]
        kept = int(len(events) * self.rng.random() ** 0.4)
        if self.suspected is not None and self.chance(0.7):
            kept = self.suspected + self.rng.randint(0, 3)
        del events[kept:]


# --- Impossible events


def wrong(rng: Random, makers: Sequence[Maker], hand: Any, hands: Hands) -> Event:
    """An event most likely refused; a few happen to be possible, which is just as good."""
    event = rng.choice(makers)(rng, hand, hands)
    if rng.random() < 0.2:
        event["accepted"] = True
    return event


def wrong_anyhow(
    cards: Sequence[Maker], suits: Sequence[Maker], tricks: Sequence[Maker], foreign: Sequence[Event]
) -> list[Maker]:
    """What can be wrong in every game, with a game's own wrong cards, suits and tricks, and events foreign to it."""
    makers = [*cards, wrong_count, wrong_seat, *suits, wrong_bid, wrong_result, wrong_transfer]
    return [*makers, *tricks, one_of(foreign), second_card]


def one_of(events: Sequence[Event]) -> Maker:
    return lambda rng, hand, hands: dict(rng.choice(events))


def card_event(hand: Any, seat: int, *cards: str) -> Event:
    """A card event of the kind the phase calls for."""
    phase = hand.phase()
    kind = phase if phase in ("ransom", "ruling-card") else "play"
    return {"type": kind, "seat": seat, "cards": list(cards)}


def turn(rng: Random, hand: Any) -> int:
    return rng.choice(hand.to_act() or list(hand.seats))


def shown_cards(hand: Any, none: str = "?") -> list[str]:
    return [card for _, _, card in hand.shown] or [none]


def wrong_count(rng: Random, hand: Any, hands: Hands) -> Event:
    """No card or two."""
    seat = turn(rng, hand)
    return card_event(hand, seat, *(hands[seat][:2] if rng.random() < 0.5 else []))


def wrong_seat(rng: Random, hand: Any, hands: Hands) -> Event:
    seat = rng.choice([hand.players, 9, -1])
    if hand.phase() == "bidding":
        return {"type": "bid", "seat": seat, "tricks": 1}
    if rng.random() < 0.3:
        return {"type": "penalty", "seat": seat, "points": 1, "reason": "?"}
    return card_event(hand, seat, hand.SOME_CARD)


def wrong_bid(rng: Random, hand: Any, hands: Hands) -> Event:
    """More than all tricks, a negative bid, or a second one."""
    seat = rng.choice(list(hand.seats)) if rng.random() < 0.3 else turn(rng, hand)
    return {"type": "bid", "seat": seat, "tricks": rng.choice([-1, hand.trick_count + 1, 1])}


def wrong_result(rng: Random, hand: Any, hands: Hands) -> Event:
    """Too few numbers, a wrong sum, or fewer than won."""
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
        event["last"] = rng.choice(shown_cards(hand, "9SK"))
    return event


def wrong_transfer(rng: Random, hand: Any, hands: Hands) -> Event:
    """More tricks than there are, none, or to the same seat."""
    giver = rng.randrange(hand.players)
    taker = giver if rng.random() < 0.4 else (giver + 1) % hand.players
    number = hand.tricks_counted()[giver] + (0 if giver == taker else 1)
    tricks = rng.choice((max(number, 1), 0, -1))
    return {"type": "transfer", "from_seat": giver, "to_seat": taker, "tricks": tricks, "reason": "?"}


def second_card(rng: Random, hand: Any, hands: Hands) -> Event:
    """Another card by a player who has played to this trick."""
    trick = hand.open_trick()
    seat = trick["plays"][0]["seat"] if trick else turn(rng, hand)
    return card_event(hand, seat, rng.choice(hands[seat] or [hand.SOME_CARD]))
