"""A hand of Ace Pit as it lay, judged by other house rules than those it was played by."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Self

from referee.engine.event_kinds import Event
from referee.engine.events import Result, Trick
from referee.engine.phases import FINISHED
from referee.games.ace_pit.depths import Depths


class AsItLay(Depths):
    """Lets tricks and results that were told without cards keep their points."""

    def make_way(self, event: Event, then: Self) -> None:
        """Let a trick without its cards keep its leader."""
        if isinstance(event, Trick):
            self.leader = then.leader

    def as_it_lay(self, event: Event, then: Self) -> Iterator[Event]:
        """Yield an event as these rules may take it: of a result, what it added to the tricks before."""
        if isinstance(event, Result) and event.points is not None:
            rest = zip(event.points, then.recorded(), self.recorded(), strict=True)
            yield replace(event, points=tuple(total - before + now for total, before, now in rest))
        else:
            yield event

    def stands(self, event: Event, then: Self) -> bool:
        """Let points that were told stand, although lays and responses could not bring them by these rules."""
        if isinstance(event, Trick) and event.points:
            self.give_trick(event.winner, event.points[str(event.winner)])
        elif isinstance(event, Result) and event.points is not None:
            self.rest = tuple(total - before for total, before in zip(event.points, then.recorded(), strict=True))
            self.phase = FINISHED
        else:
            return False
        return True
