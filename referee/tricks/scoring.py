"""Scores of trick-taking games; lines, never a bare number."""

from referee.engine.phases import FINISHED
from referee.engine.rulings import Reason, ScoreLine, by_seat
from referee.tricks.state import ASKER, Taken, TrickState


class Scoring(TrickState):
    """Scores a hand by its tricks, seat by seat; as it stands, one point each.

    A game that scores otherwise says so in ``score_line``; one whose tricks are worth what is in
    them in ``points_of``, ``points`` and ``point_lines``, and in ``reported_points`` what a trick
    recorded without its cards may report.
    """

    def points_of(self, trick: Taken) -> dict[str, int]:
        """Return what a finished trick is itself worth, by seat; nothing where bids decide."""
        return {} if self.rules.bidding else {str(trick.winner): 1}

    def score_line(self, seat: int, tricks: int, bid: int) -> ScoreLine:
        """Return what a seat scores for its tricks; ``bid`` is 0 where nothing is bid."""
        return trick_line(seat, tricks, *self.CITES["tricks"])

    def line_for(self, tricks: int, bid: int) -> ScoreLine:
        """Return what the player who asks would score with so many tricks in a hand."""
        return self.score_line(ASKER, tricks, bid)

    def points(self) -> tuple[int, ...] | None:
        """Return the points so far; with bidding only once the hand is over."""
        if self.rules.bidding and self.phase is not FINISHED:
            return None
        return by_seat(self.point_lines(), self.rules.players)

    def point_lines(self) -> list[ScoreLine]:
        """Return a line for every seat that bid, and without bids for every seat that won tricks."""
        pairs = enumerate(zip(self.tricks_won(), self.bids, strict=True))
        shown = self.rules.bidding
        return [self.score_line(seat, tricks, bid or 0) for seat, (tricks, bid) in pairs if tricks or shown]


def trick_line(seat: int, tricks: int, *clauses: str) -> ScoreLine:
    """One point for each trick."""
    return ScoreLine(seat, tricks, Reason("tricks", clauses, {"seat": seat, "tricks": tricks}))
