"""A plain second adjudicator for Oh Hell.

It is compared with the referee on many records, so it shares no code with it: strings instead of bit masks, one mutable
hand, everything recomputed, suits counted instead of sets of places.
"""

from __future__ import annotations

from tests.games.oh_hell.oracle_hand import Hand
from tests.games.oh_hell.oracle_judge import judge_event
from tests.games.oh_hell.oracle_rules import PLAYERS, Invalid, check_end, course, full_options, parse_card
from tests.games.tricks.oracle_plain import Event, PlainTable, Verdict

__all__ = ["Invalid", "Table", "judge"]


class Table(PlainTable):
    """A record that grows hand by hand and event by event."""

    game = "oh-hell"

    def __init__(self, record: dict) -> None:
        super().__init__(record, Invalid, PLAYERS)
        self.options = full_options(record.get("options", {}), self.players)
        self.course = course(self.options)
        self.end = record.get("end", {"kind": "course"})
        check_end(self.end)

    def next_size(self) -> int:
        """The course continues, and starts again after its end (OH-2)."""
        return self.course[self.played() % len(self.course)]

    def end_reached(self) -> bool:
        if self.end["kind"] == "course":
            return self.played() >= len(self.course)
        return super().end_reached()

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
        """Check entered hands as dealt: right size, cards of the pack, no card twice."""
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

    def apply(self, event: Event) -> Verdict | None:
        return judge_event(self.hands[-1], event)


def judge(record: dict) -> dict:
    """The stateless referee's answer to a whole record; Invalid if it is refused as a whole."""
    return Table(record).judge(record)
