"""What follows from the options and the number of players, worked out once per table."""

from dataclasses import dataclass, field
from functools import lru_cache

from referee.engine.rules import Rules
from referee.games.american_deuce.beating import strength
from referee.games.american_deuce.combinations import RANKS
from referee.packs import Pack

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

    @property
    def two_decks(self) -> bool:
        """Return whether two packs are in play (AD-A3)."""
        return self.pack.cards[-1].star

    def ladder(self, suits: tuple[str, ...]) -> tuple[int, ...]:
        """Return all cards from the lowest to the highest under this order of suits (AD-Q8)."""
        return _ladder(self.pack, suits)

    def below(self, suits: tuple[str, ...]) -> tuple[int, ...]:
        """Return for each card those that are lower: by rank, then suit, then the plain deck (AD-Q8)."""
        return _below(self.pack, suits)


@lru_cache(maxsize=64)
def _ladder(pack: Pack, suits: tuple[str, ...]) -> tuple[int, ...]:
    cards = sorted(pack.cards, key=lambda card: strength(card, suits))
    return tuple(card.index for card in cards)


@lru_cache(maxsize=64)
def _below(pack: Pack, suits: tuple[str, ...]) -> tuple[int, ...]:
    lower = [0] * len(pack)
    passed = 0
    for card in _ladder(pack, suits):
        lower[card] = passed
        passed |= 1 << card
    return tuple(lower)
