"""A hand and a table as the naive referees of the French-card games replay them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from tests.games.french.oracle_common import (
    COMMON_EVENTS,
    FORMAT,
    RECORD_KEYS,
    Invalid,
    Json,
    Refused,
    Shape,
    canonical_all,
    check_event,
    checked_end,
    demand,
    is_int,
    is_text,
    list_of,
    require,
)

# --- one deal --------------------------------------------------------------------------------


@dataclass(frozen=True)
class Deal:
    """What is fixed before a hand begins."""

    dealer: int
    seating: list[int]
    hand_size: list[int]


class Hand(ABC):
    """One hand in play; a game adds its own phases and events."""

    handlers: dict[str, str] = {}

    def __init__(self, position: int, deal: Deal, options: Json, known: Json) -> None:
        self.position = position
        self.deal = deal
        self.options = options
        self.seats = len(deal.seating)
        self.known = self.entered_hands(known)
        self.phase = "play"
        self.redealt = False
        self.table_ended = False
        self.penalties = [0] * self.seats
        self.cards_left = list(deal.hand_size)
        self.tricks: list[Json] = []
        self.tricks_won: list[Any] = [0] * self.seats
        self.irregularities: list[Json] = []

    decks = 1

    def entered_hands(self, known: Json) -> dict[int, set[str]]:
        """The `known` hands of the record, checked."""
        names = {str(seat): seat for seat in range(len(self.deal.seating))}
        hands: dict[int, set[str]] = {}
        for name, cards in known.items():
            demand(name in names and list_of(is_text)(cards), "bad known hand")
            codes = set(canonical_all(cards, self.decks))
            demand(len(codes) == self.deal.hand_size[names[name]], "wrong size of a known hand")
            demand(all(codes.isdisjoint(other) for other in hands.values()), "a card in two hands")
            hands[names[name]] = codes
        return hands

    @property
    def running(self) -> bool:
        return self.phase not in ("finished", "void")

    def taken_when_closed(self) -> set[str] | None:
        """The event types still accepted; None while the hand is in play."""
        if self.table_ended:
            return {"note", "penalty"}
        if self.redealt:
            return {"note", "penalty", "end"}
        if self.phase == "finished":
            return {"note", "penalty", "redeal", "end"}
        return None

    def take(self, at: int, event: Json) -> None:
        """Accept one event, or raise `Refused` and change nothing."""
        still_taken = self.taken_when_closed()
        if still_taken is not None:
            require(event["type"] in still_taken, "hand-finished")
        common = {"note": "note", "penalty": "penalty", "redeal": "redeal", "end": "end"}
        name = {**common, **self.handlers}.get(event["type"])
        if name is None:
            raise Refused("wrong-phase")
        getattr(self, "take_" + name)(at, event)

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
        self.redealt = True

    def take_end(self, at: int, event: Json) -> None:
        """The table ends by agreement; a running hand is void."""
        if self.running:
            self.phase = "void"
        self.table_ended = True

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
        points = [0] * self.seats if self.phase == "void" else self.points()
        if points is None:
            return [None] * self.seats
        return [a + b for a, b in zip(points, self.penalties, strict=True)]

    def towards_totals(self) -> list[int]:
        pairs = zip(self.scores(), self.penalties, strict=True)
        return [penalty if score is None else score for score, penalty in pairs]

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


# --- the table -------------------------------------------------------------------------------


@dataclass(frozen=True)
class Game:
    """What distinguishes one game's table from another's."""

    name: str
    players: range
    default_end: Json
    events: dict[str, tuple[Shape, Shape]]
    check_options: Callable[[object, int], Json]
    check_more: Callable[[Json], None]
    first_deal: Callable[[int, int, Json], Deal]
    next_deal: Callable[[Hand, list[int]], Deal]
    new_hand: Callable[[int, Deal, Json, Json], Hand]


@dataclass
class Table:
    """A record being replayed, hand after hand."""

    game: Game
    options: Json
    end: Json
    carried: list[int]
    deal: Deal
    hands: list[Hand] = field(default_factory=list)
    finished: bool = False
    rejected: Json | None = None

    def totals(self) -> list[int]:
        columns = zip(self.carried, *(hand.towards_totals() for hand in self.hands), strict=True)
        return [sum(column) for column in columns]

    def end_reached(self) -> bool:
        """Whether the agreed end has been reached, checked after each finished hand that is not void."""
        if self.end["kind"] == "score":
            return max(self.totals()) >= self.end["value"]
        if self.end["kind"] == "hands":
            done = [hand for hand in self.hands if hand.phase == "finished"]
            return len(done) >= self.end["value"]
        return False

    def play_hand(self, position: int, raw: Json) -> None:
        """Replay one hand of the record; sets `rejected` where it stops."""
        events = raw["events"]
        if self.finished or (self.hands and self.hands[-1].running):
            if events:
                code = "hand-finished" if self.finished else "wrong-phase"
                self.reject(position, 0, Refused(code))
            return
        hand = self.game.new_hand(position, self.deal, self.options, raw.get("known", {}))
        self.hands.append(hand)
        for at, event in enumerate(events):
            try:
                hand.take(at, event)
            except Refused as refusal:
                self.reject(position, at, refusal)
                break
        self.close_hand(hand)

    def close_hand(self, hand: Hand) -> None:
        if hand.table_ended or (hand.phase == "finished" and self.end_reached()):
            self.finished = True
        elif hand.phase == "finished":
            self.deal = self.game.next_deal(hand, self.totals())

    def reject(self, position: int, at: int, refusal: Refused) -> None:
        self.rejected = {"hand": position, "event": at, "verdict": refusal.verdict, "code": refusal.code}

    def next(self) -> Json | None:
        """The next deal, if there is one."""
        if self.finished or (self.hands and self.hands[-1].running):
            return None
        return {
            "number": len(self.hands) + 1,
            "dealer": self.deal.dealer,
            "seating": self.deal.seating,
            "hand_size": self.deal.hand_size,
        }

    def answer(self) -> Json:
        totals = self.totals()
        best = [seat for seat, total in enumerate(totals) if total == max(totals)]
        return {
            "game": self.game.name,
            "options": self.options,
            "hands": [hand.answer() for hand in self.hands],
            "totals": totals,
            "finished": self.finished,
            "winners": best if self.finished else [],
            "next": self.next(),
            "rejected": self.rejected,
        }


def open_table(record: object, game: Game) -> Table:
    if not isinstance(record, dict):
        raise Invalid("a record is an object")
    unknown = [key for key in record if key not in RECORD_KEYS and not key.startswith("x_")]
    demand(not unknown, "unknown key of the record")
    demand(record.get("format") == FORMAT and record.get("game") == game.name, "wrong format")
    seats = record.get("seats")
    demand(list_of(is_text)(seats) and len(seats or []) in game.players, "wrong number of players")
    players = len(seats or [])
    options = game.check_options(record.get("options", {}), players)
    first = record.get("first_dealer")
    if not isinstance(first, int) or isinstance(first, bool) or not 0 <= first < players:
        raise Invalid("bad first dealer")
    carried = record.get("carried", [0] * players)
    demand(list_of(is_int)(carried) and len(carried) == players, "bad carried totals")
    end = checked_end(record.get("end"), game.default_end)
    check_hands(record.get("hands"), game)
    return Table(game, options, end, list(carried), game.first_deal(players, first, options))


def check_hands(hands: object, game: Game) -> None:
    if not isinstance(hands, list):
        raise Invalid("hands are a list")
    for hand in hands:
        if not isinstance(hand, dict) or not isinstance(hand.get("events"), list):
            raise Invalid("a hand has a list of events")
        extra = [key for key in hand if key not in ("events", "known") and key[:2] != "x_"]
        demand(not extra and isinstance(hand.get("known", {}), dict), "bad hand")
        for event in hand["events"]:
            check_event(event, {**COMMON_EVENTS, **game.events})
            game.check_more(event)


def judge_record(record: object, game: Game) -> Json:
    table = open_table(record, game)
    raw_hands = record["hands"] if isinstance(record, dict) else []
    for position, raw in enumerate(raw_hands):
        table.play_hand(position, raw)
        if table.rejected is not None:
            break
    return table.answer()
