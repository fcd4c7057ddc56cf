"""A hand and a table as the naive referees of American Deuce and Ace Pit replay them.

They are written from the rules alone, recompute whatever they can, and prefer plain statements to speed.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from tests.games.tricks.oracle_plain import Invalid, RecordTable, Verdict, entered_hands, full_options, hand_finished

Json = dict[str, Any]

RANKS = ("3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A", "2")
SUITS = ("S", "H", "C", "D")
REVOKES = ("ask", "stand", "bridge", "hand-zero", "redeal")


class Refused(Exception):  # noqa: N818 - the record is refused; no program failed
    """An event is not accepted: `verdict` is impossible or irregular, `code` says why."""

    def __init__(self, code: str, verdict: str = "impossible") -> None:
        super().__init__(code)
        self.code = code
        self.verdict = verdict


def require(condition: bool, code: str) -> None:
    """Refuse the event as impossible unless the condition holds."""
    if not condition:
        raise Refused(code)


def demand(condition: bool, message: str) -> None:
    """Refuse the whole request unless the condition holds."""
    if not condition:
        raise Invalid(message)


def french_deck(decks: int) -> list[str]:
    """All codes of one pack, or of two with `*` for the trump deck."""
    marks = ("",) if decks == 1 else ("", "*")
    return [rank + suit + mark for rank in RANKS for suit in SUITS for mark in marks]


def canonical(text: object, decks: int) -> str | None:
    """The code of the card as typed, or None if the deck has no such card."""
    code = str(text).strip().upper()
    if code.startswith("T"):
        code = "10" + code[1:]
    return code if code in french_deck(decks) else None


@dataclass(frozen=True)
class Deal:
    """What is fixed before a hand begins."""

    dealer: int
    seating: list[int]
    hand_size: list[int]


class Hand(ABC):
    """One hand in play; a game adds its phases, and for each of its events a method `take_` with the event's name."""

    decks = 1

    def __init__(self, position: int, deal: Deal, options: Json, known: dict[str, list[str]]) -> None:
        self.position = position
        self.deal = deal
        self.options = options
        self.seats = len(deal.seating)
        parse = partial(canonical, decks=self.decks)
        entered = entered_hands(known, deal.hand_size, parse, french_deck(self.decks))
        self.known = {seat: set(cards) for seat, cards in entered.items()}
        self.phase = "play"
        self.events = 0
        self.ended = False
        self.penalties = [0] * self.seats
        self.cards_left = list(deal.hand_size)
        self.tricks: list[Json] = []
        self.tricks_won: list[Any] = [0] * self.seats
        self.irregularities: list[Json] = []

    @property
    def void(self) -> bool:
        return self.phase == "void"

    def finished(self) -> bool:
        return self.phase == "finished"

    @property
    def running(self) -> bool:
        return self.phase not in ("finished", "void")

    def take(self, event: Json) -> None:
        """Accept one event, or raise `Refused` and change nothing."""
        require(not hand_finished(self, event), "hand-finished")
        taken = getattr(self, "take_" + event["type"].replace("-", "_"), None)
        if taken is None:
            raise Refused("wrong-phase")
        taken(self.events, event)
        self.events += 1

    def check_seat(self, seat: int) -> None:
        """Refuse a seat that does not exist."""
        require(0 <= seat < self.seats, "no-such-seat")

    def take_note(self, at: int, event: Json) -> None:
        if event.get("seat") is not None:
            self.check_seat(event["seat"])

    def take_penalty(self, at: int, event: Json) -> None:
        self.check_seat(event["seat"])
        self.penalties[event["seat"]] += event["points"]

    def take_redeal(self, at: int, event: Json) -> None:
        """The hand is void; the same dealer deals again."""
        self.phase = "void"

    def take_end(self, at: int, event: Json) -> None:
        """The table ends by agreement; a running hand is void."""
        if self.running:
            self.phase = "void"
        self.ended = True

    def settle(self, at: int, event: Json, faults: Sequence[tuple[str, int]], trick: int | None) -> None:
        """Refuse an irregular event, or note its faults if the table accepts it."""
        if faults and not event.get("accepted", False):
            raise Refused(faults[0][0], "irregular")
        for code, seat in faults:
            self.note_irregularity(code, "seen", seat, at, trick, [])

    def note_irregularity(
        self, code: str, certainty: str, seat: int, event: int, trick: int | None, proved_by: list[int]
    ) -> None:
        self.irregularities.append(
            {
                "code": code,
                "certainty": certainty,
                "seat": seat,
                "suspects": [seat],
                "event": [self.position, event],
                "trick": trick,
                "proved_by": [[self.position, index] for index in proved_by],
            }
        )

    # what a game defines

    @abstractmethod
    def points(self) -> list[int] | None:
        """Points of a hand that is not void, without penalties; None while undecided."""

    @abstractmethod
    def to_act(self) -> list[int]:
        """Seats that may act now, while the hand is in play."""

    @abstractmethod
    def extras(self) -> Json:
        """Trump and suit order."""

    # what the table reads

    def scores(self) -> list[int | None]:
        points = [0] * self.seats if self.void else self.points()
        if points is None:
            return [None] * self.seats
        return [a + b for a, b in zip(points, self.penalties, strict=True)]

    def answer(self) -> Json:
        """The hand as in the adjudication."""
        return {
            "number": self.position + 1,
            "dealer": self.deal.dealer,
            "seating": self.deal.seating,
            "hand_size": self.deal.hand_size,
            "phase": self.phase,
            "to_act": self.to_act() if self.running else [],
            **self.extras(),
            "bids": [None] * self.seats,
            "cards_left": self.cards_left,
            "tricks_won": self.tricks_won,
            "tricks": self.tricks,
            "scores": self.scores(),
            "irregularities": self.irregularities,
        }


class FrenchTable(RecordTable):
    """A record being replayed, hand after hand; each deal has its own seating and hand sizes."""

    values: dict[str, tuple[Any, ...]]
    """The house rules, each by default its first value."""
    default_end: Json

    def __init__(self, record: Json) -> None:
        super().__init__(record)
        self.options = full_options(record.get("options", {}), {**self.values, "revoke": REVOKES})
        self.end = record.get("end", self.default_end)
        demand(self.end["kind"] in ("open", "score", "hands", "time"), "bad end")

    @abstractmethod
    def first_deal(self) -> Deal: ...

    @abstractmethod
    def deal_after(self, hand: Any) -> Deal:
        """The deal after a finished hand."""

    def next_deal(self) -> Deal:
        """The next deal; a void hand is dealt again."""
        if not self.hands:
            return self.first_deal()
        last = self.hands[-1]
        return last.deal if last.void else self.deal_after(last)

    def start_hand(self, known: dict[str, list[str]]) -> Any:
        hand = self.hand_class(len(self.hands), self.next_deal(), self.options, known)
        self.hands.append(hand)
        return hand

    def apply(self, event: Json) -> Verdict | None:
        try:
            self.hands[-1].take(event)
        except Refused as refusal:
            return refusal.verdict, refusal.code
        return None

    def coming(self) -> Json:
        deal = self.next_deal()
        return {
            "number": len(self.hands) + 1,
            "dealer": deal.dealer,
            "seating": deal.seating,
            "hand_size": deal.hand_size,
        }
