"""A hand judged as it lay, by other house rules than those it was played by: what a game may answer to (REC-22)."""

from collections.abc import Iterable
from typing import Self

from referee.engine.event_kinds import Event
from referee.engine.rules import Setup
from referee.engine.rulings import Reason


class AsItLay:
    """What a hand does where a record is judged by other rules; a game says what is different with it."""

    __slots__ = ()

    setup: Setup

    def make_way(self, event: Event, then: Self) -> None:
        """Go past what these rules wait for and the record does not hold; ``then`` is the hand as it was played."""
        return

    def as_it_lay(self, event: Event, then: Self) -> Iterable[Event]:
        """Return an event as these rules may take it, the closest to what was recorded first.

        Nothing, where what it told follows from the cards by these rules. Of an event that tells several cards at once
        the part that was not seen goes where it went.
        """
        return (event,)

    def stands(self, event: Event, then: Self) -> bool:
        """Let what was told stand although these rules would not have taken it; return whether it does."""
        return False

    def follow(self, then: Self) -> None:
        """Take over from the hand as it was played what these rules leave open, once both took an event."""
        return

    def hands_shown(self) -> tuple[int | None, ...]:
        """Return what each seat was dealt, as bit masks, where that was entered or all its cards were seen."""
        return self.setup.known

    def unscored(self) -> Reason | None:
        """Return why these rules cannot score this hand, where what they score was not recorded."""
        return None
