"""What follows from the options and the number of players, worked out once per table."""

from dataclasses import dataclass, field

from referee.engine.rules import Rules
from referee.games.american_deuce.beating import strength
from referee.games.american_deuce.combinations import RANKS

KING = {1: "KD", 2: "KD*"}
"""The King of diamonds that obliges its holder: with two packs, that of the trump deck (AD-Q16)."""
DEUCE = "2"


@dataclass(frozen=True)
class ClimbingRules(Rules):
    """Rules of a table of American Deuce; card sets are bit masks over the pack.

    ``of_rank`` holds the cards of each rank, ``twos`` and ``king`` the cards of Drop a Deuce.
    """

    of_rank: tuple[int, ...] = field(init=False)
    twos: int = field(init=False)
    king: int = field(init=False)

    def __post_init__(self) -> None:
        cards = self.pack.cards
        ranks = tuple(self.pack.mask(c.index for c in cards if c.rank == rank) for rank in RANKS)
        decks = 2 if any(card.star for card in cards) else 1
        derived = {
            "of_rank": ranks,
            "twos": ranks[RANKS.index(DEUCE)],
            "king": 1 << self.pack.codes[KING[decks]],
        }
        for name, value in derived.items():
            object.__setattr__(self, name, value)

    def ladder(self, suits: tuple[str, ...]) -> tuple[int, ...]:
        """Return all cards from the lowest to the highest under this order of suits (AD-Q8)."""
        cards = sorted(self.pack.cards, key=lambda card: strength(card, suits))
        return tuple(card.index for card in cards)
