"""How equal cards that follow are told apart in Ace Trump and Ransom Trump."""

from collections.abc import Sequence

from referee.engine.cards import Pack
from referee.packs.decktet import COURT, PAWN
from referee.tricks.resolve import Played, TieRule


def symbol_rule(pack: Pack, lead: int, mode: str) -> TieRule:
    """Return how equal cards that follow ``lead`` are told apart (AT-12, AT-V2, AT-V8).

    Pawns and Courts always go to the earlier card. Otherwise, by ``mode``: the card that
    matches the higher symbol on the card led, the earlier, or the later one.
    """

    def tie(tied: Sequence[Played]) -> tuple[Played, str]:
        if mode == "early" or pack.cards[tied[0][1]].rank in (PAWN, COURT):
            return tied[0], "earlier-of-equals"
        if mode == "late":
            return tied[-1], "later-of-equals"
        symbols = pack.cards[lead].suits

        def height(play: Played) -> int:
            suits = pack.cards[play[1]].suits
            return min(i for i, suit in enumerate(symbols) if suit in suits)

        return min(tied, key=height), "higher-symbol"

    return tie
