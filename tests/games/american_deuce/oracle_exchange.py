"""What a record shows to have been wrong with Drop a Deuce: lawful in no world that it leaves.

Everything is tried world by world, and in each world hand by hand with sets of cards: who certainly held what, which
cards are free, whether the free ones that a hand may hold are enough to fill it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence, Set
from functools import partial

from tests.games.american_deuce.oracle_combinations import card_key, rank_of
from tests.games.american_deuce.oracle_evidence import Evidence, World
from tests.games.french.oracle_common import UNSEEN

Faults = list[tuple[str, tuple[int, ...]]]


def deuce(card: str) -> bool:
    """A 2."""
    return rank_of(card) == "2"


class Hearing:
    """The exchange as it was told, before all that has been shown by now."""

    def __init__(self, evidence: Evidence, elect: int, king_card: str, order: Sequence[str]) -> None:
        self.evidence = evidence
        self.swap = evidence.exchange
        self.elect = elect
        self.king_card = king_card
        self.order = order

    def exists(self, test: Callable[[World], bool]) -> bool:
        """Whether there is a world of this kind."""
        return any(test(world) for world in self.evidence.worlds())

    # --- one hand in one world ---------------------------------------------------------------

    def elsewhere(self, seat: int | None, world: World) -> set[str]:
        """The cards that lie in other hands for certain."""
        others = [other for other in range(len(self.evidence.sizes)) if other != seat]
        return set().union(*(self.evidence.dealt(other, world) for other in others))

    def may_have(self, seat: int, cards: set[str], world: World) -> bool:
        """Whether the seat may have been dealt all of these."""
        own = self.evidence.dealt(seat, world)
        if cards <= own:
            return True
        taken = self.elsewhere(seat, world)
        return cards.isdisjoint(taken) and len(own | cards) <= self.evidence.sizes[seat]

    def may_lack(self, seat: int, banned: Callable[[str], bool], world: World, having: Set[str] = frozenset()) -> bool:
        """Whether the seat may have been dealt none of the banned cards, and these for certain."""
        own = self.evidence.dealt(seat, world) | having
        if any(banned(card) for card in own):
            return False
        taken = self.elsewhere(seat, world) | own
        spare = [card for card in self.evidence.deck if card not in taken and not banned(card)]
        return len(own) + len(spare) >= self.evidence.sizes[seat]

    def may_lie_aside(self, world: World) -> bool:
        """Whether the King may not have been dealt at all."""
        over = len(self.evidence.deck) - sum(self.evidence.sizes)
        return over > 0 and self.king_card not in self.elsewhere(None, world)

    # --- the three acts ----------------------------------------------------------------------

    def faults(self, codes: Sequence[str]) -> Faults:
        """What was lawful in no world, of these codes, with the seats that may have done it."""
        if self.swap is None:
            seats = self.holders()
            asked = seats and self.elect not in seats and not self.exists(self.may_lie_aside)
            return [("king-elsewhere", seats)] if asked and "king-elsewhere" in codes else []
        if not self.exists(self.king_well_named):
            seats = self.holders()
            alone = len(seats) == 1 and not self.exists(self.may_lie_aside)
            return [("king-elsewhere", seats if alone else (self.swap.king,))] if "king-elsewhere" in codes else []
        found: Faults = []
        if "denied-deuce" in codes and not self.exists(self.deuce_in_order):
            found.append(("denied-deuce", (self.swap.king,)))
        if "not-lowest" in codes and not self.swap.constipated and not self.exists(self.lowest_came_back):
            found.append(("not-lowest", (self.elect,)))
        return found

    def at_once(self, codes: Sequence[str]) -> Faults:
        """What shows with the exchange itself, a card given that is no 2 although one was said to be there included."""
        found = self.faults(codes)
        swap = self.swap
        if swap is None or swap.constipated or swap.given == UNSEEN or deuce(swap.given) or not self.deuce_owed():
            return found
        return [*found, *([] if "denied-deuce" in dict(found) else [("denied-deuce", (swap.king,))])]

    def deuce_owed(self) -> bool:
        """Whether the named king may have had the King and a 2."""
        return self.exists(lambda world: self.king_well_named(world) and self.may_have_deuce(world, self.king_card))

    def king_well_named(self, world: World) -> bool:
        """The named king may have had the card."""
        return self.swap is not None and self.may_have(self.swap.king, {self.king_card}, world)

    def holders(self) -> tuple[int, ...]:
        """The seats that may have had the King."""
        seats = range(len(self.evidence.sizes))
        return tuple(seat for seat in seats if self.exists(partial(self.may_have, seat, {self.king_card})))

    def may_have_deuce(self, world: World, *more: str) -> bool:
        """The named king may have been dealt a 2, and some other card besides."""
        king = self.swap.king if self.swap else 0
        return any(self.may_have(king, {two, *more}, world) for two in filter(deuce, self.evidence.deck))

    def deuce_in_order(self, world: World) -> bool:
        """The named king, holding the King, gave a 2 or had none."""
        if self.swap is None or world is None or not self.king_well_named(world):
            return False
        if not self.swap.constipated and deuce(world[0]):
            return True
        return self.may_lack(self.swap.king, deuce, world, {self.king_card})

    def lowest_came_back(self, world: World) -> bool:
        """She may have been dealt no card lower than the one returned, unless no 2 was given for it."""
        if world is None or not self.king_well_named(world):
            return False
        given, returned = world
        if not deuce(given):
            return True
        if given == returned:
            return False
        low = card_key(returned, self.order)
        banned = {self.king_card, *(card for card in self.evidence.deck if card_key(card, self.order) < low)}
        return self.may_lack(self.elect, banned.__contains__, world)
