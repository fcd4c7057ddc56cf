"""How a trick-taking hand is shown: its part of the adjudication, and what may come next."""

from typing import Any

from referee.asks import Ask, Field
from referee.hand import PLAY, Phase
from referee.tricktaking.resolve import Played
from referee.tricktaking.state import Taken, TrickState


class View(TrickState):
    """Describes bids, tricks and trump, and what the record can take next."""

    __slots__ = ()

    def asks(self) -> tuple[Ask, ...]:
        """Return what the record can take next."""
        asks: list[Ask] = []
        if self.phase is Phase.BIDDING:
            for seat in self.to_act():
                hook = self.forbidden_bid(seat)
                struck = () if hook is None else (hook,)
                bid = Field("tricks", "number", "Tricks", least=0, most=self.total, struck=struck)
                asks.append(Ask("bid", "Bid", (seat,), (bid,)))
        if self.phase is PLAY and not self.skipped:
            fields = [Field("cards", "cards", "Card", choices=self.unplayed())]
            if self.rules.options.get("called_suit") and self.lead is None:
                suits = tuple(suit.code for suit in self.rules.pack.suits)
                fields.append(Field("suit", "suit", "Suit called", suits, optional=True))
            asks.append(Ask("play", "Play", self.to_act(), tuple(fields)))
        if not self.closed() and not self.plays:
            seats = tuple(str(s) for s in range(self.rules.players))
            winner = Field("winner", "seat", "Winner", seats)
            last = len(self.taken) == self.total - 1
            asks.append(Ask("trick", "Trick won by", (), (winner, *self.trump_field(), *self.last_field(last=last))))
            result = Field("tricks", "numbers", "Tricks of each player", least=0, most=self.total)
            asks.append(Ask("result", "Result of the hand", (), (result, *self.last_field(last=True))))
        return tuple(asks)

    def trump_field(self) -> tuple[Field, ...]:
        """Return the field for what trump is after a trick recorded without its cards."""
        suits = tuple(suit.code for suit in self.rules.pack.suits if self.trump_fits(suit.code))
        if len(suits) <= 1:
            return ()
        return (Field("trump", "suit", "Trump afterwards", suits, optional=True),)

    def last_field(self, *, last: bool) -> tuple[Field, ...]:
        """Return the field for the last card of the hand, in a game where it matters."""
        if not (last and self.rules.options.get("tides")):
            return ()
        return (Field("last", "card", "Last card played", self.unplayed(), optional=True),)

    def unplayed(self) -> tuple[str, ...]:
        """Return the codes of the cards that have not left the hands."""
        return tuple(c.code for c in self.rules.pack.cards if not self.gone >> c.index & 1)

    def points_of(self, trick: Taken) -> dict[str, int]:
        """Return what a trick is itself worth, by seat; nothing where bids decide."""
        return {} if self.rules.bidding else {str(trick.winner): 1}

    def describe(self) -> dict[str, Any]:
        """Return this hand's bids, tricks and trump for the adjudication."""
        tricks = [
            self._entry(number, trick.leader, trick.plays)
            | {
                "winner": trick.winner, "points": self.points_of(trick), "trump": trick.trump,
                "reason": trick.reason,
            }
            for number, trick in enumerate(self.taken, 1)
        ]  # fmt: skip
        if self.plays:
            tricks.append(
                self._entry(len(self.taken) + 1, self.leader, self.plays)
                | {"winner": None, "points": {}, "trump": self.deciding_trump(), "reason": None}
            )
        return {
            "trump": self.trump, "suit_order": None, "bids": list(self.bids),
            "tricks_won": list(self.tricks_won()), "tricks": tricks,
        }  # fmt: skip

    def _entry(self, number: int, leader: int, plays: tuple[Played, ...]) -> dict[str, Any]:
        cards = self.rules.pack.cards
        return {
            "number": number, "leader": leader,
            "plays": [
                {"seat": seat, "cards": [cards[card].code]} for seat, card, _, _ in plays
            ],
            "called_suit": next((suit for *_, suit in plays if suit), None),
        }  # fmt: skip
