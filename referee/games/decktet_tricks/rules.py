"""What the extra cards and house rules mean for following suit in Ace Trump and Ransom Trump."""

from dataclasses import dataclass, field

from referee.engine.cards import Card
from referee.packs.decktet import EXCUSE
from referee.tricks.rules import TrickRules


@dataclass(frozen=True)
class SuitedRules(TrickRules):
    """Rules of a table at which every player reads both suits of a card alike; ``excuse`` is the Excuse as a set."""

    excuse: int = field(init=False)

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "excuse", self.free)

    def is_free(self, card: Card) -> bool:
        """Let the Excuse be played at any time (AT-16)."""
        return card.rank == EXCUSE

    def bids_together(self) -> int:
        """Return how many seats' bids are scored as one: two where partners bid jointly (AT-Q16)."""
        return 2 if self.options["partner_bid"] == "joint" else 1

    def is_strict(self) -> bool:
        """Look closely where a lead can lack its suit, or be a forbidden Excuse (AT-V7, AT-Q9)."""
        return bool(self.options["called_suit"]) or self.options["excuse_led"] == "forbidden"
