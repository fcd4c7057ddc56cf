"""A trick-taking hand as it lay, judged by other house rules than those it was played by."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Self

from referee.engine.event_kinds import UNSAID, Event
from referee.engine.events import Play, Result, Trick
from referee.engine.phases import BIDDING, FINISHED, PLAY
from referee.engine.rulings import Reason
from referee.tricks.depths import Depths
from referee.tricks.resolve import UNSEEN


class AsItLay(Depths):
    """Lets every trick keep its cards, whoever should have led to it, and what was told without cards stand."""

    def make_way(self, event: Event, then: Self) -> None:
        """Go past bids that nobody made; a trick told without its cards keeps its leader."""
        if isinstance(event, Play | Trick | Result) and self.phase is BIDDING:
            self.phase = PLAY
        if isinstance(event, Trick) and not self.plays and self.turn >= 0:
            self.leader = self.turn = then.leader

    def as_it_lay(self, event: Event, then: Self) -> Iterator[Event]:
        """Yield an event as these rules may take it, the closest to what was recorded first."""
        match event:
            case Play():
                yield event
                if event.suit is not None:
                    yield replace(event, suit=None)
            case Trick():
                if then.plays and not self.plays:
                    return  # the cards themselves say by these rules who won
                if self.rules.options.get("trump") == then.rules.options.get("trump"):
                    yield event
                yield replace(event, trump=UNSAID)
            case Result(tricks=tuple() as tricks):
                yield replace(event, tricks=self.rest_of(tricks, then))
            case _:
                yield event

    def stands(self, event: Event, then: Self) -> bool:
        """Let what was told stand although these rules would not have taken it; return whether it does."""
        match event:
            case Trick() if len(self.taken) == len(then.taken):
                self.give_trick(event, UNSAID)
            case Result(tricks=tuple() as tricks):
                self.give_rest(event, self.rest_of(tricks, then))
            case _:
                return len(self.taken) > len(then.taken) and isinstance(event, Trick)
        return True

    def follow(self, then: Self) -> None:
        """Give a trick to who won it then, where by these rules a card that nobody saw leaves its winner open."""
        if self.waits_for_winner() and len(then.taken) > len(self.taken):
            self.gather(self.unseen_trick(then.taken[len(self.taken)].winner))

    def rest_of(self, tricks: tuple[int, ...], then: Self) -> tuple[int, ...]:
        """Return what each seat wins in all, if the tricks without cards go where they went then."""
        rest = [total - won for total, won in zip(tricks, then.won, strict=True)]
        if len(self.taken) > len(then.taken):  # the trick on the table has a winner by these rules alone
            able = [self.taken[-1].winner, *then.possible_winners()]
            rest[next(seat for seat in able if rest[seat] > 0)] -= 1
        return tuple(won + more for won, more in zip(self.won, rest, strict=True))

    def hands_shown(self) -> tuple[int | None, ...]:
        """Return what each seat was dealt: as it was entered, or as the cards show that it played and put aside."""
        shown = [0 if card is None else 1 << card for card in self.aside() or (None,) * self.rules.players]
        for plays in (*(trick.plays for trick in self.taken), self.plays):
            for seat, card, *_ in plays:
                shown[seat] |= 0 if card == UNSEEN else 1 << card
        sizes = self.setup.sizes or (0,) * self.rules.players
        entered = self.setup.known or (None,) * self.rules.players
        return tuple(
            cards if known is None and cards.bit_count() == size else known
            for cards, known, size in zip(shown, entered, sizes, strict=True)
        )

    def unscored(self) -> Reason | None:
        """Return why tricks cannot be scored: nobody bid, and these rules score bids."""
        if not self.rules.bidding or None not in self.bids or self.phase not in (PLAY, FINISHED):
            return None
        return Reason("bids-missing", (*self.CITES.get("bid", self.CITES["tricks"])[-1:], "REC-22"))
