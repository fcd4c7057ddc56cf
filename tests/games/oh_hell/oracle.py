"""A plain second adjudicator for Oh Hell.

It exists to be compared with the referee on many records, so it shares nothing with it: strings instead of bit
masks, one mutable hand, everything computed afresh, suits counted instead of sets of places.
"""

from __future__ import annotations

from typing import Any

from tests.games.oh_hell.oracle_hand import Event, Hand
from tests.games.oh_hell.oracle_judge import judge_event
from tests.games.oh_hell.oracle_rules import PLAYERS, Invalid, check_end, course, full_options, parse_card

__all__ = ["Invalid", "Table", "judge"]


class Table:
    """A record that grows hand by hand and event by event."""

    def __init__(self, record: dict) -> None:
        self.players = len(record["seats"])
        if self.players not in PLAYERS:
            raise Invalid("number of players")
        if record["first_dealer"] not in range(self.players):
            raise Invalid("first dealer")
        self.options = full_options(record.get("options", {}), self.players)
        self.course = course(self.options)
        self.end: dict[str, Any] = record.get("end", {"kind": "course"})
        check_end(self.end)
        self.first_dealer = record["first_dealer"]
        self.carried = list(record.get("carried", [0] * self.players))
        if len(self.carried) != self.players:
            raise Invalid("carried")
        self.hands: list[Hand] = []
        self.rejected: dict | None = None

    # -- between hands -------------------------------------------------------------------------

    def played(self) -> int:
        """How many hands are finished; void ones do not count."""
        return sum(hand.finished() and not hand.void for hand in self.hands)

    def next_dealer(self) -> int:
        """The deal passes after a finished hand, stays after a void one (OH-10)."""
        if not self.hands:
            return self.first_dealer
        last = self.hands[-1]
        return last.dealer if last.void else (last.dealer + 1) % self.players

    def next_size(self) -> int:
        """Cards each in the next hand: the course goes on, and begins anew when it is through (OH-2)."""
        return self.course[self.played() % len(self.course)]

    # -- the state of the game -----------------------------------------------------------------

    def totals(self) -> list[int]:
        """Carried points plus every hand's scores; penalties of an unfinished hand count at once."""
        totals = list(self.carried)
        for hand in self.hands:
            for seat, score in enumerate(hand.scores()):
                totals[seat] += hand.penalties[seat] if score is None else score
        return totals

    def running(self) -> bool:
        return bool(self.hands) and not self.hands[-1].void and not self.hands[-1].finished()

    def finished(self) -> bool:
        if any(hand.ended for hand in self.hands):
            return True
        if not self.hands or self.running() or self.hands[-1].void:
            return False
        if self.end["kind"] == "course":
            return self.played() >= len(self.course)
        if self.end["kind"] == "score":
            return max(self.totals()) >= self.end["value"]
        return self.end["kind"] == "hands" and self.played() >= self.end["value"]

    # -- growing -------------------------------------------------------------------------------

    def refusal(self) -> str | None:
        """Why no further hand can begin, if so."""
        if self.finished():
            return "hand-finished"
        return "wrong-phase" if self.running() else None

    def start_hand(self, known: dict[str, list[str]]) -> Hand:
        size = self.next_size()
        hand = Hand(
            options=self.options,
            players=self.players,
            index=len(self.hands),
            played=self.played(),
            dealer=self.next_dealer(),
            size=size,
            known=self.check_known(known, size),
        )
        self.hands.append(hand)
        return hand

    def check_known(self, known: dict[str, list[str]], size: int) -> dict[int, list[str]]:
        """Entered hands as dealt: right size, cards of the pack, no card twice."""
        read = {}
        taken: list[str] = []
        for seat, codes in known.items():
            cards = [parse_card(code) for code in codes]
            if int(seat) not in range(self.players) or len(cards) != size:
                raise Invalid("known hand size")
            read[int(seat)] = [card for card in cards if card]
            taken += read[int(seat)]
            if None in cards:
                raise Invalid("known cards")
        if len(set(taken)) != len(taken):
            raise Invalid("a card in two places")
        return read

    def apply(self, event: Event) -> tuple[str, str] | None:
        """Judge one event of the last hand; a refusal changes nothing."""
        return judge_event(self.hands[-1], event)

    def reject(self, hand: int, event: int, verdict: str, code: str) -> None:
        self.rejected = {"hand": hand, "event": event, "verdict": verdict, "code": code}

    # -- the answer ----------------------------------------------------------------------------

    def answer(self) -> dict:
        """The adjudication as the API gives it, without texts."""
        totals, finished = self.totals(), self.finished()
        coming = {
            "number": len(self.hands) + 1,
            "dealer": self.next_dealer(),
            "seating": list(range(self.players)),
            "hand_size": [self.next_size()] * self.players,
        }
        return {
            "game": "oh-hell",
            "options": dict(self.options),
            "end": dict(self.end),
            "hands": [hand.answer() for hand in self.hands],
            "totals": totals,
            "finished": finished,
            "winners": [seat for seat in range(self.players) if finished and totals[seat] == max(totals)],
            "next": None if finished or self.running() else coming,
            "rejected": self.rejected,
        }


def judge(record: dict) -> dict:
    """The answer of the stateless referee to a whole record.

    Raises Invalid for a record that is refused as a whole.
    """
    table = Table(record)
    for index, entry in enumerate(record["hands"]):
        refusal = table.refusal()
        if refusal:
            if entry["events"]:
                table.reject(index, 0, "impossible", refusal)
            break
        table.start_hand(entry.get("known", {}))
        for position, event in enumerate(entry["events"]):
            verdict = table.apply(event)
            if verdict:
                table.reject(index, position, *verdict)
                return table.answer()
    return table.answer()
