"""What follows from a trick-taking game's options, and who wins a trick: one resolver for every game."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cache, reduce
from operator import or_

from referee.engine.cards import Card, Pack
from referee.engine.rules import Rules


@dataclass(frozen=True)
class TrickRules(Rules):
    """Rules of a table of a trick-taking game.

    Card sets are bit masks over the pack. ``ranks[card]`` is how high a card is among all ranks; ``alike[card]`` the
    set of cards that share a suit with a card, repeated per seat; ``suited[suit]`` likewise all cards of a suit.
    ``free`` are the cards that may be played whatever is led, so that playing one claims nothing; ``acting`` those that
    change something for the rest of the hand when they fall (``TrickHand.act_on``). ``no one`` is 0 for each seat,
    ``everyone`` the set of all seats, ``clockwise`` the next seat after each. Where the rules are ``strict`` every play
    is looked at closely, not only those that look odd.
    """

    codes: dict[str, int] = field(init=False)
    ranks: tuple[int, ...] = field(init=False)
    alike: tuple[tuple[int, ...], ...] = field(init=False)
    suited: dict[str | None, tuple[int, ...]] = field(init=False)
    free: int = field(init=False)
    acting: int = field(init=False)
    bidding: bool = field(init=False)
    strict: bool = field(init=False)
    nobody: tuple[int, ...] = field(init=False)
    everybody: int = field(init=False)
    clockwise: tuple[int, ...] = field(init=False)

    def __post_init__(self) -> None:
        cards, n = self.pack.cards, self.players
        suits, alike = _masks(self.pack)
        derived: dict[str, object] = {
            "codes": self.pack.codes,
            "ranks": tuple(self.height(card) for card in cards),
            "alike": tuple((mask,) * n for mask in alike),
            "suited": {None: (0,) * n} | {suit: (mask,) * n for suit, mask in suits.items()},
            "free": self.pack.mask(c.index for c in cards if self.is_free(c)),
            "acting": self.pack.mask(c.index for c in cards if self.acts(c)),
            "bidding": self.has_bids(),
            "strict": self.is_strict(),
            "nobody": (0,) * n,
            "everybody": (1 << n) - 1,
            "clockwise": tuple((seat + 1) % n for seat in range(n)),
        }  # fmt: skip
        for name, value in derived.items():
            object.__setattr__(self, name, value)

    def height(self, card: Card) -> int:
        """Return how high a card is: the place of its rank in the pack, below all others where it has none."""
        order = self.pack.ranks
        return order.index(card.rank) if card.rank in order else -1

    def is_free(self, card: Card) -> bool:
        return False

    def acts(self, card: Card) -> bool:
        """Return whether the fall of this card changes something for the rest of the hand."""
        return False

    def has_bids(self) -> bool:
        """Return whether tricks are bid before play."""
        return bool(self.options.get("bidding"))

    def trump_suits(self) -> tuple[str, ...]:
        """Return the suits that can be trump at this table, where trump is the same for everyone."""
        return tuple(suit.code for suit in self.pack.suits)

    def bids_together(self) -> int:
        """Return how many seats' bids are scored as one."""
        return 1

    def most_dealt(self) -> int:
        """Return the most cards that a player is ever dealt."""
        return max(self.game.first(self, 0).sizes or (0,))

    def is_strict(self) -> bool:
        return False


@cache
def _masks(pack: Pack) -> tuple[dict[str, int], tuple[int, ...]]:
    """Return the cards of each suit, and for each card those that share a suit with it."""
    suits = {suit.code: pack.mask(card.index for card in pack.cards if suit.code in card.suits) for suit in pack.suits}
    return suits, tuple(reduce(or_, (suits[suit] for suit in card.suits), 0) for card in pack.cards)


def opposite(players: int) -> tuple[tuple[int, ...], ...]:
    """Return each seat's side where opposite seats are partners: those of four or six players.

    >>> opposite(4)
    ((0, 2), (1, 3), (0, 2), (1, 3))
    """
    half = players // 2
    return tuple((seat % half, seat % half + half) for seat in range(players))


# --- Who wins a trick: one resolver for every game
# A play is ``(seat, card, event, suit)``. What may win depends on the seat that played the card:
# ``follows[seat]`` is the set of cards that follow the lead when this seat plays them,
# ``trumps[seat]`` the set that is trump. In most games all seats read the cards alike.

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
    tie_rule: Callable[[], TieRule],
) -> tuple[Played, str]:
    """Return the winning play and the code of the reason; the rule for ties is made only where there is one.

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
    return (best[0], "earlier-of-equals") if trumped else tie_rule()(best)


def earlier(tied: Sequence[Played]) -> tuple[Played, str]:
    return tied[0], "earlier-of-equals"
