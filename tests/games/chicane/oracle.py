"""A plain second adjudicator for Chicane, written from the rules and independent of the referee.

What is known of hidden cards is found as for the other Decktet trick-taking games: by trial and matching.
"""

from __future__ import annotations

from itertools import islice
from typing import Any

from tests.games.decktet_tricks import oracle as shared
from tests.games.decktet_tricks.oracle_cards import BASIC, chicane_points, parse_card, parse_suit, rank_of, suits_of
from tests.games.decktet_tricks.oracle_facts import Situation, Stand
from tests.games.decktet_tricks.oracle_hand import Hand as DecktetHand
from tests.games.tricks import oracle_plain as plain
from tests.games.tricks.oracle_plain import SETTLING, Event, Invalid, PlainTable, Tests, full_options

__all__ = ["Hand", "Invalid", "Table", "judge"]

VALUES: dict[str, list[Any]] = {
    "first_bid": ["after-calls", "left"],
    "trump_lead": ["broken", "never", "free"],
    "hook": [False, True],
    "zero_bid": [0, *range(1, 21)],
    "miss_penalty": [0, *range(1, 21)],
    "revoke": ["ask", "stand", "bridge", "hand-zero", "redeal"],
}


class Hand(DecktetHand):
    """One hand of Chicane: everyone reads the cards alike (CH-3), and one suit is trump for all."""

    def __init__(self, **dealt: Any) -> None:
        super().__init__(game="wildcat-chicane", trump=None, unsure=set(), **dealt)
        self.game = "chicane"
        self.deck = list(BASIC)
        self.reading: str | None = None
        self.suit: str | None = None
        self.callers: list[int] = []

    bidding = True
    sets_aside = False

    def read(self, card: str) -> str:
        """The suit a card counts as."""
        return suits_of(card)[0 if self.reading == "top" else -1]

    def trumps(self) -> frozenset[str]:
        return frozenset(card for card in self.deck if self.reading and self.read(card) == self.suit)

    # -- calls, and whose turn it is (CH-2, CH-4) ---------------------------------------------------

    def caller(self) -> int:
        return next(seat for seat in self.clockwise((self.dealer + 1) % self.players) if seat not in self.callers)

    def first_leader(self) -> int:
        """Who bids first and leads."""
        if self.options["first_bid"] == "left":
            return (self.dealer + 1) % self.players
        later = self.callers[1] if len(self.callers) == 2 else self.dealer + 2
        return (later + 1) % self.players

    def next_bidder(self) -> int:
        return next(seat for seat in self.clockwise(self.first_leader()) if self.bids[seat] is None)

    def phase(self) -> str:
        if self.void:
            return "void"
        if self.finished():
            return "finished"
        if len(self.callers) < 2 and not self.skipped and self.bids.count(None) == self.players and not self.tricks:
            return "calling"
        return "bidding" if None in self.bids else "play"

    def to_act(self) -> list[int]:
        phase = self.phase()
        if phase == "calling":
            return [self.caller()]
        if phase == "bidding":
            return [self.next_bidder()]
        return [self.next_player()] if phase == "play" and not self.waiting() else []

    def is_lead(self) -> bool:
        return self.open_trick() is None

    # -- tricks (CH-5 .. CH-7) -----------------------------------------------------------------------

    def befores(self) -> set[Stand]:
        suits = [self.suit] if self.suit else "MSWLYK"
        return {(suit, False, False) for suit in suits}

    def run(self, before: Stand, plays: list[dict]) -> tuple[str | None, Stand]:
        return before[0], before

    def is_wide(self) -> bool:
        return self.open_trick() is None and (self.skipped or super().is_wide())

    def resolve(self, plays: list[dict], trump: str | None) -> int:
        suits = [self.read(play["cards"][0]) for play in plays]
        ruling = trump if trump in suits else suits[0]
        best = [play for play, suit in zip(plays, suits, strict=True) if suit == ruling]
        return max(best, key=lambda play: rank_of(play["cards"][0]))["seat"]

    def trump_story(self) -> tuple[list[str | None], str | None]:
        return [trick.get("told_trump", self.suit) for trick in self.tricks], self.suit

    def broken(self) -> bool | None:
        """Whether an earlier trick contained a trump (CH-5)."""
        if not (self.suit and self.reading) and not all(trick["plays"] for trick in self.complete()):
            return None
        found: bool | None = False
        hidden, trumps = iter(self.hidden), self.trumps()
        for trick in self.complete():
            seen = {play["cards"][0] for play in trick["plays"] if play["cards"] != ["?"]}
            unseen = (
                [cards for _, cards in islice(hidden, self.players - len(seen))] if trick["plays"] else [set(self.deck)]
            )
            if seen & trumps or any(cards <= trumps for cards in unseen):
                return True
            if any(cards & trumps for cards in unseen):
                found = None
        return found

    def forbidden_if_void(self, seat: int) -> frozenset[str]:
        trick = self.open_trick()
        lead = trick["plays"][0]["cards"][0] if trick else "?"
        return frozenset(card for card in self.deck if lead != "?" and self.read(card) == self.read(lead))

    def assertion(self, seat: int, card: str) -> tuple[str, frozenset[str]] | None:
        if card == "?":
            return None
        if not self.is_lead():
            follow = self.forbidden_if_void(seat)
            return ("revoke", follow) if follow and card not in follow else None
        when, trumps = self.options["trump_lead"], self.trumps()
        free = when == "free" or (when == "broken" and self.broken() is not False)
        return None if free or card not in trumps else ("trump-led", frozenset(self.deck) - trumps)

    def situations(self, position: int) -> list[Situation]:
        shown = [(seat, card) for at, seat, card in self.shown if at <= position]
        return [self._situation(self.deck, shown)]

    def bid_score(self, seat: int) -> int:
        return chicane_points(self.options, self.bids[seat] or 0, self.tricks_won()[seat])


# --- The checks of each event, in the order of the codes, and the effect of an accepted one


def wrong_phase(hand: Hand, event: Event) -> bool:
    kind, phase = event["type"], hand.phase()
    if kind in SETTLING:
        return False
    if kind == "call":
        return phase != "calling" or event["seat"] in hand.callers
    if kind == "bid":
        return phase not in ("calling", "bidding") or shared.given_already(hand.bids, event)
    if kind == "play":
        return phase != "play" or hand.waiting() or not (hand.reading and hand.suit)
    half = kind == "result" and hand.open_trick() is not None and not hand.waiting()
    return half or kind not in ("trick", "result") or None in hand.bids


def bad_suit(hand: Hand, event: Event) -> bool:
    kind = event["type"]
    if kind == "play":
        return event.get("suit") is not None
    if kind == "call":
        return event.get("suit") == ""
    if kind != "trick" or "trump" not in event:
        return False
    return event["trump"] != hand.suit if hand.suit else not event["trump"]


def bad_bid(hand: Hand, event: Event) -> bool:
    if event["type"] != "call":
        return plain.bad_bid(hand, event)
    reading, suit = event.get("reading"), event.get("suit")
    if (reading is None) == (suit is None) or reading not in (None, "top", "bottom"):
        return True
    return bool(hand.suit if suit else hand.reading)


IMPOSSIBLE: Tests = shared.IMPOSSIBLE | {"wrong-phase": wrong_phase, "bad-suit": bad_suit, "bad-bid": bad_bid}


def out_of_turn(hand: Hand, event: Event) -> bool:
    if event["type"] == "bid":
        return event["seat"] != hand.next_bidder()
    return event["type"] in ("call", "play") and event["seat"] not in hand.to_act()


IRREGULAR: Tests = {
    "out-of-turn": out_of_turn,
    "forbidden-bid": shared.forbidden_bid,
    "trump-led": shared.against_known("trump-led"),
    "revoke": shared.against_known("revoke"),
}


def take(hand: Hand, event: Event, seen: list[str]) -> None:
    """Change the hand by an accepted event."""
    kind = event["type"]
    if kind == "call":
        hand.callers.append(event["seat"])
        hand.reading, hand.suit = event.get("reading") or hand.reading, event.get("suit") or hand.suit
    elif kind == "trick":
        number = len(hand.tricks) - (hand.open_trick() is not None)
        shared.take_trick(hand, event)
        hand.suit = event.get("trump") or hand.suit
        if "trump" in event and hand.reading:
            hand.skipped = False
        hand.tricks[number]["told_trump"] = hand.suit
    else:
        shared.take(hand, event, seen)


# --- The table


class Table(PlainTable):
    """A record that grows hand by hand and event by event."""

    game = "chicane"
    sizes = (3, 4)
    hand_class = Hand
    parse_card, parse_suit = staticmethod(parse_card), staticmethod(parse_suit)
    impossible, irregular, take = IMPOSSIBLE, IRREGULAR, staticmethod(take)

    def __init__(self, record: dict) -> None:
        super().__init__(record)
        self.options = full_options(record.get("options", {}), VALUES)
        self.end = record.get("end", {"kind": "score", "value": 40})

    def next_size(self) -> int:
        return len(BASIC) // self.players

    def deck(self) -> list[str]:
        return BASIC


judge = Table.answer_to
