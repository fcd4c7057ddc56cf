"""A hand of Ace Pit at other depths: tricks without their cards, the rest by its result."""

from referee.engine.events import Result, Trick
from referee.engine.phases import FINISHED, PLAY
from referee.engine.rulings import Refusal, impossible
from referee.engine.state import takes
from referee.games.ace_pit.sets import THROW_AWAY, responder_scores
from referee.games.ace_pit.state import TRICKS, PitState, PitTrick
from referee.games.ace_pit.totals import ACES, STEP, Untold, aces_of, can_be_made, fit, switches


class Depths(PitState):
    """Takes tricks by winner and points, and the rest of a hand by its points."""

    @takes(Trick)
    def take_trick(self, event: Trick) -> Refusal | None:
        """Take a trick by its winner and the points, without its cards.

        The responder may have drawn a card, except in the last trick, where one card is left.
        """
        if self.phase is not PLAY or self.laid is not None:
            return self.not_now(event)
        winner = event.winner
        refusal = self.no_such_seat(winner) or self.bad_last(event.last) or self.bad_trump(event.trump)
        if refusal:
            return refusal
        points = event.points or {}
        if list(points) != [str(winner)]:
            return impossible("bad-result", "REC-11", phrase="bad-result-winner")
        worth = points[str(winner)]
        tricks = (*self.untold(), Untold(winner == self.leader, worth, last=len(self.taken) + 1 == TRICKS))
        if not fit(switches(self.rules.options), tricks, self.gone):
            return self.bad_worth(winner, worth)
        self.give_trick(winner, worth)
        return None

    def give_trick(self, winner: int, worth: int) -> None:
        """Give the next trick to the winner who was told, for so many points; the responder may have drawn a card."""
        if len(self.taken) + 1 < TRICKS:
            self.draw(1 - self.leader)
        self.gather(PitTrick(self.leader, None, (), winner, worth, ()))

    def bad_worth(self, winner: int, worth: int) -> Refusal:
        """Refuse the points of a trick that no lay and no response can give."""
        options, last = self.rules.options, len(self.taken) + 1 == TRICKS
        if aces_of(switches(options), Untold(winner == self.leader, worth, last)) <= ACES:
            return impossible("bad-result", "AP-1", "REC-11", phrase="bad-result-cards", number=worth)
        if winner == self.leader:
            return impossible("bad-result", "AP-12", "AP-Q8", "REC-11", phrase="bad-result-leader", number=worth)
        if worth in responder_scores(self.rules.options):
            return impossible("bad-result", "AP-Q11", "REC-11", phrase="bad-result-single", number=worth)
        return impossible("bad-result", "AP-13", "REC-11", phrase="bad-result-responder", number=worth)

    def bad_last(self, last: str | None) -> Refusal | None:
        """Refuse a last card that does not exist or has been played; otherwise it says nothing."""
        if last is None:
            return None
        pack = self.rules.pack
        card = pack.find(last)
        if card is None:
            return impossible("not-in-deck", "REC-5", why=pack.explain(last))
        if self.gone >> card & 1:
            return impossible("already-played", "REC-6", card=pack.cards[card])
        return None

    def bad_trump(self, trump: object) -> Refusal | None:
        """Refuse a trump: there is none in this game."""
        if isinstance(trump, str):
            return impossible("bad-suit", "REC-9", phrase="has-no-trump")
        return None

    @takes(Result)
    def take_result(self, event: Result) -> Refusal | None:
        """Take the rest of the hand by the points that each seat made in all of it."""
        if self.phase is not PLAY or self.laid is not None:
            return self.not_now(event)
        refusal = self.bad_last(event.last)
        if refusal:
            return refusal
        points = event.points
        if points is None or event.tricks is not None or event.cards_left is not None:
            return impossible("bad-result", "REC-11", phrase="bad-result-points-needed")
        if len(points) != self.rules.players:
            return impossible("bad-result", "REC-11", phrase="bad-result-seats")
        rest = tuple(a - b for a, b in zip(points, self.recorded(), strict=True))
        if any(made < 0 or made % STEP for made in points) or min(rest) < 0:
            return impossible("bad-result", "REC-11", phrase="bad-result-points-made")
        refusal = self.bad_rest(*rest)
        if refusal is None:
            self.rest = rest
            self.phase = FINISHED
        return refusal

    def bad_rest(self, first: int, second: int) -> Refusal | None:
        """Refuse points that the tricks left cannot bring to the two players; how many they are may be hidden."""
        tricks = TRICKS - len(self.taken)
        least = THROW_AWAY * tricks
        hidden = self.hides_points()
        if first + second < least:
            facts = {"least": least, "sum": first + second}
            phrase = "bad-result-points-hidden" if hidden else "bad-result-points-few"
            return impossible("bad-result", "AP-12", "REC-11", phrase=phrase, **facts)
        if not can_be_made(
            (first, second), self.rules.options, tricks=tricks,
            leader=self.leader, before=self.untold(), gone=self.gone,
        ):  # fmt: skip
            facts = {"first": first, "second": second, "count": tricks}
            phrase = "bad-result-points-hidden" if hidden else "bad-result-points-never"
            return impossible("bad-result", "AP-13", "AP-Q11", "REC-11", phrase=phrase, **facts)
        return None
