"""A trump that is named for the whole hand, by the winner of a ransom or by the table before the deal."""

from referee.engine.events import Trick
from referee.engine.phases import BIDDING, PLAY, Phase
from referee.engine.rulings import Reason, Refusal
from referee.engine.state import kept
from referee.games.decktet_tricks.suited import SuitedHand
from referee.tricks.state import Taken

TRUMP = Phase("trump")


def won_by_record(trick: Taken) -> bool:
    """Return whether the winner of a trick was told, so that no trump was needed to find it."""
    return trick.reason.code == "recorded-winner"


class NamedTrump(SuitedHand):
    """A hand whose trump may have to be named; ``named`` says that it is known."""

    named: bool = kept(False)

    def settle_trump(self, suit: str | None) -> None:
        """Fix trump for the hand, tricks recorded before without their cards included."""
        self.trump, self.ways, self.filled = suit, (), None
        if not self.named and self.taken:
            self.taken = tuple(trick._replace(trump=suit) if won_by_record(trick) else trick for trick in self.taken)
        self.named = True

    def is_to_be_named(self) -> bool:
        """Return whether somebody still has to say what is trump, before any card is played."""
        return False

    def after_naming(self) -> Phase:
        """Return the phase that follows when trump is known."""
        return BIDDING if self.rules.bidding else PLAY

    def skip_setup(self, *, by_bid: bool = False) -> None:
        """Go past what comes before play and nobody recorded; after a bid no card can be judged any more."""
        if self.phase not in (BIDDING, PLAY):
            self.skipped = by_bid

    def take_trick(self, event: Trick) -> Refusal | None:
        """Take a trick by its winner; a trump that nobody told is still to be named."""
        refusal = super().take_trick(event)
        if refusal is None and self.phase is PLAY and not self.skipped and self.is_to_be_named():
            self.phase = TRUMP
        return refusal

    def trump_not_recorded(self, *clauses: str) -> Reason:
        """Say that the trump of this hand was not recorded."""
        return Reason("trump-unknown", (*clauses, "REC-19"), phrase="trump-not-recorded")
