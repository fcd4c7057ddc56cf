"""Who wins a trick: one resolver for every game.

A play is ``(seat, card, event, suit)``. What may win depends on the seat that played the card:
``follows[seat]`` is the set of cards that follow the lead when this seat plays them,
``trumps[seat]`` the set that is trump. In most games all seats read the cards alike.
"""

from collections.abc import Callable, Sequence

Played = tuple[int, int, int, str | None]
"""One play in a trick: seat, card, position of its event, suit named with it."""

UNSEEN = 1000
"""Stands for a card that nobody saw, in a play: no pack has so many cards, so it is in no set of them."""
CODE = "?"
"""How such a card is written."""

TieRule = Callable[[Sequence[Played]], tuple[Played, str]]
"""Chooses among equal cards: the winning play and the code of the reason."""


def resolve(
    plays: Sequence[Played],
    follows: Sequence[int],
    trumps: Sequence[int],
    ranks: Sequence[int],
    tie: TieRule,
) -> tuple[Played, str]:
    """Return the winning play and the code of the reason.

    If any card is trump the highest trump wins, else the highest card that follows. A discard
    can never win, whatever its rank.
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
    """Let the earlier of equal cards win."""
    return tied[0], "earlier-of-equals"
