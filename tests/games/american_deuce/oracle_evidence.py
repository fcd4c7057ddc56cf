"""What a record of American Deuce shows about hidden hands, world by world.

A *world* is one way in which the exchange of Drop a Deuce may have gone: the card given and the
card returned, as far as the record leaves them open. A claim about a hand is contradicted when
it is false in every world that fits the entered hands and the cards played.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence, Set
from dataclasses import dataclass, replace
from functools import cached_property

from tests.games.american_deuce.oracle_combinations import rank_of
from tests.games.french.oracle_common import UNSEEN

World = tuple[str, str] | None


@dataclass(frozen=True)
class Exchange:
    """A card from the named king to the President-Elect and one back."""

    king: int
    elect: int
    constipated: bool
    given: str
    returned: str


@dataclass(frozen=True)
class Evidence:
    """Everything shown so far. `shown` maps each played card to the seat that played it."""

    deck: tuple[str, ...]
    sizes: tuple[int, ...]
    known: dict[int, set[str]]
    shown: dict[str, int]
    exchange: Exchange | None = None

    def with_play(self, seat: int, cards: Sequence[str]) -> Evidence:
        """The same after one more play."""
        return replace(self, shown={**self.shown, **dict.fromkeys(cards, seat)})

    def candidates(self) -> Iterator[World]:
        """Every world the words of the exchange and the entered hands allow."""
        swap = self.exchange
        if swap is None:
            yield None
            return
        givens = self.deck if swap.given == UNSEEN else (swap.given,)
        returns = self.deck if swap.returned == UNSEEN else (swap.returned,)
        from_elect = {card for card in returns if self.may_have_been_dealt(card, swap.elect)}
        for given in givens:
            if self.may_have_been_dealt(given, swap.king):
                yield from ((given, returned) for returned in returns if returned in from_elect or returned == given)

    def may_have_been_dealt(self, card: str, seat: int) -> bool:
        """Whether the entered hands leave room for this card in that seat's deal."""
        if seat in self.known:
            return card in self.known[seat]
        return all(card not in cards for cards in self.known.values())

    @cached_property
    def shown_by(self) -> tuple[frozenset[str], ...]:
        """The cards that each seat has played."""
        seats = range(len(self.sizes))
        return tuple(frozenset(card for card, player in self.shown.items() if player == seat) for seat in seats)

    def strangers(self) -> set[str]:
        """Played cards that the player was not dealt: an exchange must explain them."""
        return {c for c, seat in self.shown.items() if not self.may_have_been_dealt(c, seat)}

    def worlds(self) -> Iterator[World]:
        """The worlds that fit all that was shown."""
        strangers = self.strangers()
        for world in self.candidates():
            if self.fits(world, strangers):
                yield world

    def fits(self, world: World, strangers: set[str]) -> bool:
        """Whether one world fits: every card has one place and no hand is too small."""
        if world is None or self.exchange is None:
            return not strangers
        given, returned = world
        king, elect = self.exchange.king, self.exchange.elect
        went_to = {returned: king} if given == returned else {given: elect, returned: king}
        if any(self.shown.get(card, seat) != seat for card, seat in went_to.items()):
            return False
        if not strangers <= went_to.keys():
            return False
        return all(len(self.dealt(seat, world)) <= self.sizes[seat] for seat in (king, elect))

    def dealt(self, seat: int, world: World) -> frozenset[str]:
        """Cards that this seat was certainly dealt in this world."""
        if seat in self.known:
            return frozenset(self.known[seat])
        cards = self.shown_by[seat]
        if world is None or self.exchange is None:
            return cards
        given, returned = world
        if seat == self.exchange.elect and given != returned:
            return (cards - {given}) | {returned}
        if seat == self.exchange.king:
            return (cards - {returned}) | {given}
        return cards

    def held(self, seat: int, world: World) -> frozenset[str]:
        """Cards that this seat certainly held once the exchange was done."""
        cards = self.dealt(seat, world)
        if world is None or self.exchange is None or world[0] == world[1]:
            return cards
        given, returned = world
        if seat == self.exchange.elect:
            return (cards - {returned}) | {given}
        if seat == self.exchange.king:
            return (cards - {given}) | {returned}
        return cards

    def possible(self) -> bool:
        """Whether anything at all fits."""
        return any(True for _ in self.worlds())


Test = Callable[[Evidence, World], bool]


@dataclass(frozen=True)
class Claim:
    """An act that says something about a hand; `holds` tells whether it is true in a world."""

    code: str
    seat: int
    event: int
    trick: int | None
    holds: Test

    def contradicted(self, evidence: Evidence) -> bool:
        """Whether the claim is false in every world that fits."""
        return not any(self.holds(evidence, world) for world in evidence.worlds())


def only_riots_left(seat: int, played: frozenset[str], left: int) -> Test:
    """The `left` cards that remained after `played` were four-of-a-kinds only (AD-Q12)."""

    def holds(evidence: Evidence, world: World) -> bool:
        required = evidence.held(seat, world) - played
        elsewhere = set(played)
        for other in range(len(evidence.sizes)):
            if other != seat:
                elsewhere |= evidence.held(other, world)
        free = required if seat in evidence.known else set(evidence.deck) - elsewhere
        return riots_fill(required, free, left)

    return holds


def riots_fill(required: Set[str], free: Set[str], left: int) -> bool:
    """Whether `left` cards, all `required` ones among them, can be whole riots out of `free`."""
    need = Counter(rank_of(card) for card in required)
    have = Counter(rank_of(card) for card in free)
    least = sum(-(-count // 4) * 4 for count in need.values())
    most = sum(count // 4 * 4 for count in have.values())
    roomy = all(have[rank] // 4 * 4 >= count for rank, count in need.items())
    return roomy and left % 4 == 0 and least <= left <= most
