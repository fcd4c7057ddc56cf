"""Who wins a trick: one resolver for all three games.

A play is ``(seat, card, event, suit)``. What may win depends on the seat that played the card:
``follows[seat]`` is the set of cards that follow the lead when this seat plays them,
``trumps[seat]`` the set that is trump. In Ace Trump and Ransom Trump all seats read alike; in
Wildcat Chicane each reads by its own ruling card.
"""

from collections.abc import Callable, Sequence

from referee.packs import Pack

Played = tuple[int, int, int, str | None]
"""One play in a trick: seat, card, position of its event, suit named with it."""

TieRule = Callable[[Sequence[Played]], tuple[Played, str]]
"""Chooses among equal cards: the winning play and the code of the reason."""


def resolve(
    plays: Sequence[Played],
    follows: Sequence[int],
    trumps: Sequence[int],
    ranks: Sequence[int],
    tie: TieRule,
) -> tuple[Played, str]:
    """Return the winning play and the code of the reason (AT-9, AT-10, WC-13).

    If any card is trump the highest trump wins, else the highest card that follows. A discard
    can never win, whatever its rank (TT-4).
    """
    best: list[Played] = []
    highest = -1
    trumped = False
    for play in plays:
        seat, card = play[0], play[1]
        if trumps[seat] >> card & 1:
            if not trumped:
                trumped = True
                highest = -1
        elif trumped or not follows[seat] >> card & 1:
            continue
        rank = ranks[card]
        if rank > highest:
            highest = rank
            best = [play]
        elif rank == highest:
            best.append(play)
    if len(best) == 1:
        return best[0], "highest-trump" if trumped else "highest-follower"
    return (best[0], "earlier-of-equals") if trumped else tie(best)


def earlier(tied: Sequence[Played]) -> tuple[Played, str]:
    """Let the earlier of equal cards win (AT-17, AT-V2, WC-14)."""
    return tied[0], "earlier-of-equals"


def symbol_rule(pack: Pack, lead: int, mode: str) -> TieRule:
    """Return how equal cards that follow ``lead`` are told apart (AT-12, AT-V2, AT-V8).

    Pawns and Courts always go to the earlier card. Otherwise, by ``mode``: the card that
    matches the higher symbol on the card led, the earlier, or the later one.
    """

    def tie(tied: Sequence[Played]) -> tuple[Played, str]:
        if mode == "early" or pack.cards[tied[0][1]].rank in ("P", "C"):
            return tied[0], "earlier-of-equals"
        if mode == "late":
            return tied[-1], "later-of-equals"
        symbols = pack.cards[lead].suits

        def height(play: Played) -> int:
            suits = pack.cards[play[1]].suits
            return min(i for i, suit in enumerate(symbols) if suit in suits)

        return min(tied, key=height), "higher-symbol"

    return tie
