"""What follows from a trick-taking game's options, worked out once per table."""

from dataclasses import dataclass, field

from referee.engine.rules import Rules
from referee.packs.decktet import ACE, CROWN, EXCUSE, RANKS


@dataclass(frozen=True)
class TrickRules(Rules):
    """Rules of a table of Ace Trump, Ransom Trump or Wildcat Chicane.

    Card sets are bit masks over the pack. ``alike[card]`` is the set of cards that share a
    suit with a card, repeated per seat; ``suited[suit]`` likewise all cards of a suit.
    """

    codes: dict[str, int] = field(init=False)
    ranks: tuple[int, ...] = field(init=False)
    excuse: int = field(init=False)
    alike: tuple[tuple[int, ...], ...] = field(init=False)
    suited: dict[str | None, tuple[int, ...]] = field(init=False)
    ace_suits: dict[int, str] = field(init=False)
    high: int = field(init=False)
    bidding: bool = field(init=False)
    strict: bool = field(init=False)
    nobody: tuple[int, ...] = field(init=False)
    clockwise: tuple[int, ...] = field(init=False)

    def __post_init__(self) -> None:
        cards, n = self.pack.cards, self.players
        suits = {suit.code: self.pack.mask(c.index for c in cards if suit.code in c.suits) for suit in self.pack.suits}
        shared = [self.pack.mask(c.index for c in cards if set(c.suits) & set(d.suits)) for d in cards]
        options = self.options
        derived: dict[str, object] = {
            "codes": self.pack.codes,
            "ranks": tuple(RANKS.index(c.rank) if c.rank in RANKS else -1 for c in cards),
            "excuse": self.pack.mask(c.index for c in cards if c.rank == EXCUSE),
            "alike": tuple((mask,) * n for mask in shared),
            "suited": {None: (0,) * n} | {suit: (mask,) * n for suit, mask in suits.items()},
            "ace_suits": {c.index: c.suits[0] for c in cards if c.rank == ACE},
            "high": self.pack.mask(c.index for c in cards if c.rank in (ACE, CROWN)),
            "bidding": bool(options.get("bidding", False)),
            "strict": bool(options.get("called_suit")) or options.get("excuse_led") == "forbidden",
            "nobody": (0,) * n,
            "clockwise": tuple((seat + 1) % n for seat in range(n)),
        }  # fmt: skip
        for name, value in derived.items():
            object.__setattr__(self, name, value)
