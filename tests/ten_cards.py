"""The toy game with its own cards: two suits of five cards, for two players."""

from typing import Any, ClassVar

from referee.engine.rules import Rules
from referee.packs import Card, Pack, Suit
from referee.tricks.hand import TrickHand
from tests.toy import PlainWhist

SUITS = (Suit("R", "Reds", ("r", "red", "reds")), Suit("B", "Blues", ("b", "blue", "blues")))
RANKS = ("1", "2", "3", "4", "5")
CARDS = tuple(
    Card(index, rank + suit.code, f"{suit.name} {rank}", rank, (suit.code,))
    for index, (suit, rank) in enumerate((suit, rank) for suit in SUITS for rank in RANKS)
)


def interpret(text: str) -> str | None:
    """Understand "3r" and "reds 3"."""
    names = {card.name.casefold(): card.code for card in CARDS}
    return names.get(text, text.upper())


def describe(pack: Pack, text: str) -> str:
    """Describe the cards."""
    return f"“{text}” is no card. The cards are 1R to 5R and 1B to 5B."


PACK = Pack("ten-cards", "Ten Cards", SUITS, CARDS, interpret, describe, RANKS)


class TenCards(PlainWhist):
    """Plain Whist with ten cards, all of them dealt."""

    id = "ten-cards"
    name = "Ten Cards"
    players: ClassVar[tuple[int, ...]] = (2,)

    def pack(self, options: Any, players: int) -> Pack:
        """Return the ten cards."""
        return PACK

    def size(self, rules: Rules, before: TrickHand | None) -> int:
        """Deal them all."""
        return len(PACK) // rules.players


GAME = TenCards()
