"""Drop a Deuce with a handful of cards, judged by listing every possible world.

A world is a whole deal with one exchange. The list starts with all of them; whatever is shown removes those it
contradicts. With nine or ten cards and three players the list is short enough for brute force.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from itertools import combinations

RANKS = ("3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A", "2")
ORDER = "SHCD"
"""Suits from the highest down, as the tests name them."""
Hands = tuple[frozenset[str], ...]


@dataclass(frozen=True)
class Deal:
    """One deal and exchange: the hands as dealt, the King holder's card, the card returned, and both again if late."""

    hands: Hands
    given: str = ""
    returned: str = ""
    late: tuple[str, str] | None = None

    def after(self, seat: int, president: int, king: int | None) -> frozenset[str]:
        hand = self.hands[seat]
        if king is None or seat not in (president, king):
            return hand
        for given, returned in ((self.given, self.returned), *([self.late] if self.late else [])):
            got, gave = (given, returned) if seat == president else (returned, given)
            hand = hand if got == gave else (hand | {got}) - {gave}
        return hand


@cache
def deals(cards: tuple[str, ...], sizes: tuple[int, ...]) -> tuple[Hands, ...]:
    """Every way to deal hands of these sizes; the rest is set aside."""
    if not sizes:
        return ((),)
    found = []
    for hand in combinations(cards, sizes[0]):
        rest = tuple(card for card in cards if card not in hand)
        found += [(frozenset(hand), *others) for others in deals(rest, sizes[1:])]
    return tuple(found)


def is_two(card: str) -> bool:
    """Whether the card is a 2."""
    return card.startswith("2")


def height(card: str) -> tuple[int, int, bool]:
    """Rank, suit, deck: a lower card has a lower height."""
    bare = card.rstrip("*")
    return (RANKS.index(bare[:-1]), -ORDER.index(bare[-1]), card.endswith("*"))


@dataclass
class Listing:
    """The worlds the record so far allows, and what was said in the exchange."""

    worlds: list[Deal]
    president: int
    king: int | None = None
    constipated: bool = False
    the_king: str = "KD"
    gone: frozenset[str] = frozenset()

    def exchange(self, king: int | None, constipated: bool, given: str | None, returned: str | None) -> "Listing":
        """The worlds with the exchange as recorded."""
        named = None if king == self.president else king
        kept = [
            world
            for world in (self.worlds if named is None else self._exchanged(named))
            if given in ("?", world.given, None) and returned in ("?", world.returned, None)
        ]
        return Listing(kept, self.president, named, constipated, self.the_king)

    def _exchanged(self, king: int) -> Iterator[Deal]:
        for world in self.worlds:
            for given in world.hands[king]:
                for returned in world.hands[self.president] | {given}:
                    yield Deal(world.hands, given, returned)

    def played(self, seat: int, cards: list[str]) -> "Listing":
        kept = [world for world in self.worlds if world.after(seat, self.president, self.king).issuperset(cards)]
        return replace(self, worlds=kept, gone=self.gone | set(cards))

    def put_right(self, given: str, returned: str, *, denied: bool) -> "Listing":
        """The worlds in which a 2, or the returned card, was exchanged late for another of her cards."""
        kept, king = [], self.king
        assert king is not None
        for world in self.worlds:
            his, hers = (world.after(seat, self.president, king) - self.gone for seat in (king, self.president))
            for one in his:
                fits = given != "?" or is_two(one) if denied else one == world.returned
                if fits and given in ("?", one):
                    kept += [replace(world, late=(one, other)) for other in hers if returned in ("?", other)]
        return replace(self, worlds=kept)

    # -- what is lawful -------------------------------------------------------------------

    def wrong(self) -> dict[str, tuple[int, ...]]:
        if self.king is None:
            holders = {self.holder(world) for world in self.worlds}
            asked = holders.isdisjoint({None, self.president})
            return {"king-elsewhere": tuple(sorted(seat for seat in holders if seat is not None))} if asked else {}
        if not self.as_named():
            holders = {self.holder(world) for world in self.worlds}
            only = holders.pop()
            return {"king-elsewhere": (self.king if only is None or holders else only,)}
        found: dict[str, tuple[int, ...]] = {}
        if all(self.denied(world) for world in self.as_named()):
            found["denied-deuce"] = (self.king,)
        if not self.constipated and all(
            is_two(world.given) and not self.lowest_returned(world) for world in self.as_named()
        ):
            found["not-lowest"] = (self.president,)
        return found

    def as_named(self) -> list[Deal]:
        """The worlds in which the King was where it was said to be."""
        return [world for world in self.worlds if self.holder(world) == self.king]

    def holder(self, world: Deal) -> int | None:
        """Who held the King, if it was dealt."""
        return next((seat for seat, hand in enumerate(world.hands) if self.the_king in hand), None)

    def denied(self, world: Deal) -> bool:
        """Whether a 2 was owed but not given or said to be missing."""
        owed = self.king is not None and any(map(is_two, world.hands[self.king]))
        return owed and (self.constipated or not is_two(world.given))

    def may_owe(self) -> bool:
        """Whether the named player may have held the King and a 2."""
        return any(map(is_two, (card for world in self.as_named() for card in world.hands[self.king or 0])))

    def lowest_returned(self, world: Deal) -> bool:
        """Whether she was dealt no card lower than the one she returned, apart from a 2 she received."""
        if world.given == world.returned and is_two(world.given):
            return False
        return all(height(card) >= height(world.returned) for card in world.hands[self.president])
