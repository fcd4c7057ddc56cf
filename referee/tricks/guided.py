"""What a hand of tricks answers and does while somebody is led through what went wrong."""

from collections.abc import Sequence
from typing import ClassVar

from referee.engine.event_kinds import Event
from referee.engine.events import Result
from referee.engine.guided import Owed
from referee.engine.phases import PLAY
from referee.engine.rules import Rules
from referee.engine.rulings import Irregularity, Reason
from referee.tricks.equity import equity, made_good
from referee.tricks.rules import TrickRules
from referee.tricks.state import TrickState


class TrickGuided(TrickState):
    """Claims of the rest, and guides that only games of tricks have."""

    GUIDES: ClassVar[tuple[str, ...]] = ("tricks",)

    @classmethod
    def guide_applies(cls, needs: str, rules: Rules) -> bool:
        """Return whether the house rules have what a guide needs: bids."""
        return needs == "bidding" and isinstance(rules, TrickRules) and rules.bidding

    def rest_goes_to(self, seat: int) -> Event | Reason:
        """Return the result in which a seat wins all tricks that are left (IR-14)."""
        if self.phase is not PLAY:
            return Reason("nothing-to-claim", ("IR-14",))
        rest = self.total - sum(self.won)
        return Result(tricks=tuple(won + (rest if other == seat else 0) for other, won in enumerate(self.won)))

    def owed(self, found: Irregularity, events: Sequence[Event]) -> Owed | Reason | None:
        """Return what others lost by a revoke, as the cards lay (IR-6)."""
        return equity(self, found, events) if found.code in self.AS_PROVED or found.claims else None

    def make_good(self, found: Irregularity, events: Sequence[Event], why: str) -> tuple[Event, ...] | Reason:
        """Return the penalties that give the others what they would have had, as the cards lay (IR-6)."""
        return made_good(self, found, events, why)
