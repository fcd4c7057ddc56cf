"""What is left of a hand once it is over, for results and statistics."""

from referee.engine.rules import Rules
from referee.engine.rulings import Feat, Undertaken


class HandOutcome:
    """What a finished hand tells of its tricks and bids; games in which there are some tell more."""

    __slots__ = ()

    rules: Rules

    def tricks_won(self) -> tuple[int | None, ...]:
        """Return the tricks of each seat, none in a game without tricks; ``None`` where a result does not tell them."""
        return (0,) * self.rules.players

    def tells_all_tricks(self) -> bool:
        """Return whether the record of a finished hand tells how many tricks each seat won."""
        return True

    def undertaken(self) -> tuple[Undertaken | None, ...]:
        """Return for each seat what it bid and won; ``None`` where nothing is bid."""
        return (None,) * self.rules.players

    def feats(self) -> tuple[Feat, ...]:
        """Return what was done in single tricks that the game counts among the records of a group."""
        return ()
