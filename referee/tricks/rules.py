"""Values derived from a trick-taking game's options, and the resolver that decides who wins a trick."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cache, reduce
from operator import or_

from referee.engine.cards import Card, Pack
from referee.engine.rules import Rules


@dataclass(frozen=True)
class TrickRules(Rules):
    """Rules of a table of a trick-taking game.

    Card sets are bit masks over the pack. ``ranks[card]`` is a card's height; ``alike[card]`` the set of cards that
    share a suit with it, repeated per seat; ``suited[suit]`` likewise the set of all cards of a suit. ``free`` cards
    may be played whatever was led, so playing one claims nothing; ``acting`` cards change the rest of the hand when
    played (``TrickHand.act_on``). ``nobody`` is 0 for each seat, ``everybody`` a mask of all seats, ``clockwise`` the
    next seat after each.
    """

    ranks: tuple[int, ...] = field(init=False)
    alike: tuple[tuple[int, ...], ...] = field(init=False)
    suited: dict[str | None, tuple[int, ...]] = field(init=False)
    free: int = field(init=False)
    acting: int = field(init=False)
    bidding: bool = field(init=False)
    nobody: tuple[int, ...] = field(init=False)
    everybody: int = field(init=False)
    clockwise: tuple[int, ...] = field(init=False)

    def __post_init__(self) -> None:
        cards, n = self.pack.cards, self.players
        suits, alike = _masks(self.pack)
        derived: dict[str, object] = {
            "ranks": tuple(self.height(card) for card in cards),
            "alike": tuple((mask,) * n for mask in alike),
            "suited": {None: (0,) * n} | {suit: (mask,) * n for suit, mask in suits.items()},
            "free": self.pack.mask(c.index for c in cards if self.is_free(c)),
            "acting": self.pack.mask(c.index for c in cards if self.acts(c)),
            "bidding": self.has_bids(),
            "nobody": (0,) * n,
            "everybody": (1 << n) - 1,
            "clockwise": tuple((seat + 1) % n for seat in range(n)),
        }  # fmt: skip
        for name, value in derived.items():
            object.__setattr__(self, name, value)

    def height(self, card: Card) -> int:
        """Index of the card's rank in the pack's order; -1 for a card without a rank."""
        order = self.pack.ranks
        return order.index(card.rank) if card.rank in order else -1

    def is_free(self, card: Card) -> bool:
        return False

    def acts(self, card: Card) -> bool:
        """Return whether playing this card changes the rest of the hand."""
        return False

    def has_bids(self) -> bool:
        return bool(self.options.get("bidding"))

    def trump_suits(self) -> tuple[str, ...]:
        """Suits that can be trump for the whole table."""
        return tuple(suit.code for suit in self.pack.suits)

    def bids_together(self) -> int:
        """Number of seats whose bids are scored as one."""
        return 1

    def most_dealt(self) -> int:
        """The most cards that a player can be dealt in one hand."""
        return max(self.game.first(self, 0).sizes or (0,))


@cache
def _masks(pack: Pack) -> tuple[dict[str, int], tuple[int, ...]]:
    """Return the cards of each suit, and for each card those that share a suit with it."""
    suits = {suit.code: pack.mask(card.index for card in pack.cards if suit.code in card.suits) for suit in pack.suits}
    return suits, tuple(reduce(or_, (suits[suit] for suit in card.suits), 0) for card in pack.cards)


def opposite(players: int) -> tuple[tuple[int, ...], ...]:
    """Return each seat's side, with opposite seats as partners (four or six players).

    >>> opposite(4)
    ((0, 2), (1, 3), (0, 2), (1, 3))
    """
    half = players // 2
    return tuple((seat % half, seat % half + half) for seat in range(players))


# --- Who wins a trick: one resolver for every game
# A play is ``(seat, card, event, suit)``. What can win depends on the seat: ``follows[seat]`` is the set of cards that
# follow the lead when this seat plays them, ``trumps[seat]`` the set that is trump. In most games all seats read cards
# alike.

Played = tuple[int, int, int, str | None]
"""A play: seat, card, position of its event, suit named with it."""

UNSEEN = 1000
"""Card index of an unseen card: larger than any pack, so it is in no card set."""
CODE = "?"
"""Code of an unseen card."""

TieRule = Callable[[Sequence[Played]], tuple[Played, str]]
"""Chooses among cards of equal rank; returns the winning play and the code of the reason."""


def resolve(
    plays: Sequence[Played],
    follows: Sequence[int],
    trumps: Sequence[int],
    ranks: Sequence[int],
    tie_rule: Callable[[], TieRule],
) -> tuple[Played, str]:
    """Return the winning play and the code of the reason; ``tie_rule`` is called only for ties.

    The highest trump wins, else the highest card that follows. A discard never wins, whatever its rank.
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
    return (best[0], "earlier-of-equals") if trumped else tie_rule()(best)


def earlier(tied: Sequence[Played]) -> tuple[Played, str]:
    return tied[0], "earlier-of-equals"
