"""The state of a hand of Ace Pit: what every part of it reads, and how it is copied."""

from typing import NamedTuple

from referee.engine.hand import Hand
from referee.engine.phases import FINISHED, PLAY
from referee.engine.rulings import Feat, Reason
from referee.engine.state import added, kept, per_seat
from referee.games.ace_pit.sets import Item
from referee.games.ace_pit.totals import Untold, fit, switches, worths
from referee.packs import Card

TRICKS = 7
"""Tricks of a hand, and cards each player is dealt (AP-2, AP-17)."""
LONGEST_RESPONSE = 2


class PitTrick(NamedTuple):
    """A finished trick; ``laid`` is ``None`` where only winner and points were recorded."""

    leader: int
    laid: int | None
    response: tuple[int, ...]
    winner: int
    points: int
    items: tuple[Item, ...]


class PitState(Hand):
    """One hand of Ace Pit.

    Card sets are bit masks. ``laid`` is the card that waits for its response, ``gone`` what left
    the hands. Per seat, ``drawn`` counts the cards drawn (AP-14), ``foreign`` those played from
    outside an entered hand, ``rest`` is what a result added to the recorded tricks.
    """

    drawn: tuple[int, ...] = per_seat(0)
    foreign: tuple[int, ...] = per_seat(0)
    gone: int = kept(0)
    laid: int | None = kept(None)
    leader: int = kept(0)
    rest: tuple[int, ...] | None = kept(None)
    taken: tuple[PitTrick, ...] = kept(())

    def begin(self) -> None:
        """Let the player who did not deal lay the first card (AP-3)."""
        self.leader = 1 - self.setup.dealer

    def draw(self, seat: int) -> None:
        """Count one more card that a seat drew without showing it (AP-14)."""
        self.drawn = added(self.drawn, seat, 1)

    def gather(self, trick: PitTrick) -> None:
        """Clear the table; the winner leads next (AP-15)."""
        self.taken += (trick,)
        self.laid = None
        self.leader = trick.winner
        if len(self.taken) == TRICKS:
            self.phase = FINISHED

    def instructions(self) -> tuple[Reason, ...]:
        """Return who has to draw a card, after a response of two (AP-14)."""
        last = self.taken[-1] if self.taken else None
        if last is None or self.laid is not None or self.phase is not PLAY or len(last.response) < LONGEST_RESPONSE:
            return ()
        return (Reason("draws", ("AP-14",), {"seat": 1 - last.leader}),)

    def hides_points(self) -> bool:
        """Return whether players are to see no points while the game runs (AP-18)."""
        return self.rules.game.hides_points(self.rules.options)

    def recorded(self) -> tuple[int, ...]:
        """Return the points of the tricks recorded, per seat."""
        sums = [0, 0]
        for trick in self.taken:
            sums[trick.winner] += trick.points
        return tuple(sums)

    def tricks_won(self) -> tuple[int | None, ...]:
        """Return the tricks of each seat; a result tells the points, not who won the tricks."""
        if self.rest is not None:
            return (None, None)
        won = [trick.winner for trick in self.taken]
        return (won.count(0), won.count(1))

    def tells_all_tricks(self) -> bool:
        """Return whether every trick was recorded, and none came with the rest of the hand."""
        return self.rest is None

    def feats(self) -> tuple[Feat, ...]:
        """Return the answers that won, with the card each of them was given on."""
        return tuple(
            Feat(
                trick.winner, trick.points, number, self.card(trick.laid).code,
                tuple(self.card(card).code for card in trick.response),
            )
            for number, trick in enumerate(self.taken, 1)
            if trick.laid is not None and trick.winner != trick.leader
        )  # fmt: skip

    def possible(self, winner: int) -> frozenset[int]:
        """Return the points a seat can make in the next trick, if it wins it; the last is a card each (AP-Q11)."""
        rules, led, last = switches(self.rules.options), winner == self.leader, len(self.taken) + 1 == TRICKS
        tricks = (Untold(led, points, last) for won, points, _ in worths(rules, single=last) if won == led)
        return frozenset(trick.points for trick in tricks if fit(rules, (*self.untold(), trick), self.gone))

    def untold(self) -> tuple[Untold, ...]:
        """Return the tricks whose cards were not recorded."""
        return tuple(
            Untold(trick.winner == trick.leader, trick.points, number == TRICKS)
            for number, trick in enumerate(self.taken, 1)
            if trick.laid is None
        )

    def trick_number(self) -> int | None:
        """Return the number of the trick in progress."""
        return len(self.taken) + 1 if self.phase is PLAY else None

    def to_act(self) -> tuple[int, ...]:
        """Return who lays or responds now."""
        if self.phase is not PLAY:
            return ()
        return (self.leader if self.laid is None else 1 - self.leader,)

    def cards_left(self) -> tuple[int, ...]:
        """Return the cards each seat holds: the draw keeps both hands level (AP-14)."""
        if self.rest is not None:
            return (0, 0)
        left = TRICKS - len(self.taken)
        return tuple(left - (self.laid is not None and seat == self.leader) for seat in range(2))

    def card(self, index: int) -> Card:
        """Return the card of this index."""
        return self.rules.pack.cards[index]
