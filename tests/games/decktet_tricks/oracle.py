"""A plain second adjudicator for Ace Trump, Ransom Trump and Wildcat Chicane.

It is compared with the referee on many records, so it shares no code with it: strings instead of bit masks, one mutable
hand, everything recomputed, matching instead of counting.
"""

from __future__ import annotations

from collections.abc import Iterable

from tests.games.decktet_tricks.oracle_cards import (
    DEFAULT_END,
    PLAYERS,
    Invalid,
    deck_of,
    first_size,
    full_options,
    is_high,
    parse_card,
    tides_size,
)
from tests.games.decktet_tricks.oracle_hand import Hand
from tests.games.decktet_tricks.oracle_judge import judge_event
from tests.games.tricks.oracle_plain import Event, PlainTable, Verdict

__all__ = ["Invalid", "Table", "judge"]


class Table(PlainTable):
    """A record that grows hand by hand and event by event."""

    def __init__(self, record: dict) -> None:
        self.game = record["game"]
        super().__init__(record, Invalid, PLAYERS[self.game])
        self.options = full_options(self.game, record.get("options", {}), self.players)
        self.end = record.get("end", DEFAULT_END[self.game])
        half = self.players // 2
        if self.options.get("partners") and self.carried[:half] != self.carried[half:]:
            raise Invalid("carried of partners")

    # -- between hands -------------------------------------------------------------------------

    def next_size(self) -> int | None:
        """Cards per player in the next hand; None if the Tides are unknown."""
        if not self.hands:
            return first_size(self.game, self.options, self.players)
        last = self.hands[-1]
        if last.void or not self.options.get("tides"):
            return last.size
        by_cards = self.size_by_cards(last)
        if by_cards is not None:
            return by_cards
        if last.last is None:
            return None
        return tides_size(self.options, [last.last], last.last, last.size)

    def size_by_cards(self, last: Hand) -> int | None:
        """The size set by the cards of the last trick, if every possible card sets the same one."""
        if last.result is not None or not last.tricks[-1]["plays"]:
            return None
        trick = last.tricks[-1]
        could = trick["could"]
        if self.options["tides_last"] == "winning":
            cards = could[trick["winner"]]
            return self.only(tides_size(self.options, [card], card, last.size) for card in cards)
        *_, before, final = could.values()
        ranked = self.options["tides_excuse"] == "ranked"
        telling = {card for card in final if card != "E" or not ranked}
        if len(telling) < len(final):
            telling |= before if len(before) == 1 else {"2", "3"}  # whichever of them
        return self.only(tides_size(self.options, [card], None, last.size) for card in telling)

    @staticmethod
    def only(sizes: Iterable[int | None]) -> int | None:
        """The only possible size; None if there are several."""
        found = set(sizes)
        return found.pop() if len(found) == 1 else None

    def next_trump(self) -> str | None:
        if not self.hands or not self.options.get("trump_carry"):
            return None
        last = self.hands[-1]
        return last.start_trump if last.void else last.trump_story()[1]

    def next_unsure(self) -> set[str | None]:
        """Every trump that may be carried over, if unknown because cards of the hand before went unseen."""
        if not self.hands or not self.options.get("trump_carry"):
            return set()
        last = self.hands[-1]
        return last.unsure if last.void else last.unsure_now()

    def shared(self, made: list[int]) -> list[int]:
        if not self.options.get("partners"):
            return made
        half = self.players // 2
        return [made[seat] + made[(seat + half) % self.players] for seat in range(self.players)]

    # -- growing -------------------------------------------------------------------------------

    def start_hand(self, known: dict[str, list[str]]) -> Hand:
        size = self.next_size()
        assert size is not None
        hand = Hand(
            game=self.game,
            options=self.options,
            players=self.players,
            index=len(self.hands),
            dealer=self.next_dealer(),
            size=size,
            trump=self.next_trump(),
            unsure=self.next_unsure(),
            known=self.check_known(known, size),
        )
        self.hands.append(hand)
        return hand

    def check_known(self, known: dict[str, list[str]], size: int) -> dict[int, list[str]]:
        """Entered hands as dealt: right size, right deck, no card twice."""
        deck, taken = deck_of(self.game, self.options), []
        result = {}
        for seat, codes in known.items():
            cards = [parse_card(code) or "" for code in codes]
            if int(seat) not in range(self.players) or len(cards) != size:
                raise Invalid("known hand size")
            high = sum(card != "" and is_high(card) for card in cards)
            if self.game == "wildcat-chicane" and high != 12 // self.players:
                raise Invalid("known hand against WC-2")
            taken += cards
            result[int(seat)] = cards
        if len(set(taken)) != len(taken) or any(card not in deck for card in taken):
            raise Invalid("known cards")
        return result

    def apply(self, event: Event) -> Verdict | None:
        return judge_event(self.hands[-1], event)


def judge(record: dict) -> dict:
    """The stateless referee's answer to a whole record; Invalid if it is refused as a whole."""
    return Table(record).judge(record)
