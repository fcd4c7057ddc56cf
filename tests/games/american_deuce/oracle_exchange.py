"""What a record shows to have been wrong with Drop a Deuce: lawful in no world that it leaves.

Everything is tried world by world, and in each world hand by hand with sets of cards: who certainly held what, which
cards are free, whether the free ones that a hand may hold are enough to fill it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from tests.games.american_deuce.oracle_combinations import card_key, rank_of
from tests.games.american_deuce.oracle_evidence import Evidence, World

Faults = list[tuple[str, int]]


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

    def may_lack(self, seat: int, banned: Callable[[str], bool], world: World) -> bool:
        """Whether the seat may have been dealt none of the banned cards."""
        own = self.evidence.dealt(seat, world)
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
        """What was lawful in no world, of these codes, with the seat it is held against."""
        found: Faults = []
        if "king-elsewhere" in codes and not self.exists(self.king_well_named):
            found.append(("king-elsewhere", self.holder()))
        if self.swap is None:
            return found
        king = self.swap.king
        denied = "denied-deuce" in codes and not self.exists(self.deuce_in_order)
        if denied and self.exists(lambda world: self.may_have_deuce(world, self.king_card)):
            found.append(("denied-deuce", king))
        wrong = "not-lowest" in codes and not self.swap.constipated and not self.exists(self.lowest_came_back)
        if wrong and self.exists(self.may_have_deuce):
            found.append(("not-lowest", self.elect))
        return found

    def king_well_named(self, world: World) -> bool:
        """The named king had the card; where nobody is named, nobody of the cabinet had it."""
        if self.swap is not None:
            return self.may_have(self.swap.king, {self.king_card}, world)
        return self.may_have(self.elect, {self.king_card}, world) or self.may_lie_aside(world)

    def holder(self) -> int:
        """The one seat that can have had the King, or else the one that was said to have it."""
        seats = range(len(self.evidence.sizes))
        able = [seat for seat in seats if self.exists(partial(self.may_have, seat, {self.king_card}))]
        if len(able) == 1 and not self.exists(self.may_lie_aside):
            return able[0]
        return self.elect if self.swap is None else self.swap.king

    def may_have_deuce(self, world: World, *more: str) -> bool:
        """The named king may have been dealt a 2, and some other card besides."""
        king = self.swap.king if self.swap else 0
        return any(self.may_have(king, {two, *more}, world) for two in filter(deuce, self.evidence.deck))

    def deuce_in_order(self, world: World) -> bool:
        """A 2 was given, or the one who denied it may have had none."""
        if self.swap is None or world is None:
            return True
        if self.swap.constipated:
            return self.may_lack(self.swap.king, deuce, world)
        return deuce(world[0])

    def lowest_came_back(self, world: World) -> bool:
        """She may have been dealt no card lower than the one returned; the 2 she got was not hers to return."""
        if world is None:
            return True
        given, returned = world
        if given == returned and deuce(given):
            return False
        low = card_key(returned, self.order)
        return self.may_lack(self.elect, lambda card: card_key(card, self.order) < low, world)
