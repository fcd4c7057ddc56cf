"""A naive referee of American Deuce."""

from __future__ import annotations

from typing import Any

from tests.games.american_deuce.oracle_round import Round, penalty_points
from tests.games.french.oracle import Deal, FrenchTable, Json, demand

OPTIONS: dict[str, tuple[Any, ...]] = {
    "scoring": ("zero-sum", "winner-only"),
    "reseat": ("no", "round", "total"),
    "count_lock": ("trick", "round"),
    "same_type": (False, True),
    "riot_lead": ("quads-only", "never", "always"),
    "riot_equal": ("colour", "never"),
    "deal": ("all", "even"),
    "bands": ("flat", "scaled"),
}
TWO_DECK_OPTIONS = ("riot_equal", "deal")


def cards_each(players: int, options: Json) -> list[int]:
    """Cards per seat from the dealer's left, the dealer last (AD-3, AD-Q5, AD-Q14)."""
    cards = 52 if players == 4 else 104
    share, rest = divmod(cards, players)
    if options["deal"] == "even":
        rest = 0
    return [share + (1 if place < rest else 0) for place in range(players)]


def deal_to(seating: list[int], options: Json) -> Deal:
    sizes = cards_each(len(seating), options)
    by_seat = dict(zip(seating[1:] + seating[:1], sizes, strict=True))
    return Deal(seating[0], seating, [by_seat[seat] for seat in sorted(seating)])


class ClimbingTable(FrenchTable):
    game = "american-deuce"
    sizes = range(4, 9)
    hand_class = Round
    values = OPTIONS
    default_end = {"kind": "score", "value": 270}

    def __init__(self, record: Json) -> None:
        super().__init__(record)
        for key in TWO_DECK_OPTIONS if self.players == 4 else ():
            demand(self.options[key] == OPTIONS[key][0], f"{key} needs two decks")

    def first_deal(self) -> Deal:
        """The first round: seats in order, starting with the first President-Elect."""
        return deal_to([(self.first_dealer + step) % self.players for step in range(self.players)], self.options)

    def deal_after(self, hand: Round) -> Deal:
        """The winner deals; losers may change seats (AD-14, AD-A2, AD-Q23)."""
        winner = hand.cards_left.index(0)
        place = hand.deal.seating.index(winner)
        losers = hand.deal.seating[place + 1 :] + hand.deal.seating[:place]
        if self.options["reseat"] == "round":
            sizes, bands = hand.deal.hand_size, self.options["bands"]
            losers = sorted(losers, key=lambda seat: penalty_points(hand.cards_left[seat], sizes[seat], bands))
        elif self.options["reseat"] == "total":
            totals = self.totals()
            losers = sorted(losers, key=lambda seat: -totals[seat])
        return deal_to([winner, *losers], self.options)


judge = ClimbingTable.answer_to
