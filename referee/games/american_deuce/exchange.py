"""Drop a Deuce: which acts of an exchange cannot have been lawful (AD-7, AD-8).

The referee sees neither hand. "I hold the King", "I have no deuce" and "this is my lowest card" are each judged over
all worlds: every way the cards may lie after what has been shown by anybody. Who was named holds the King in all
worlds that are looked at, until no such world is left: then nothing was owed, whatever was said. An act is wrong as
soon as it was lawful in no world; it is looked at again with every card, because a card can also clear a player.
Whether a 2 was given, or there was none to give, the cards decide and not the flag: only "no 2" claims something.
"""

from collections.abc import Iterator
from itertools import chain
from typing import NamedTuple

from referee.games.american_deuce.rules import ClimbingRules
from referee.games.american_deuce.worlds import Evidence, Exchange, World, lowest_two, one_of_each, worlds

KING, DEUCE, LOWEST = "king-elsewhere", "denied-deuce", "not-lowest"
CODES = (KING, DEUCE, LOWEST)
"""What can be wrong with an exchange, in the order in which it is answered."""


class Wrong(NamedTuple):
    """An act of the exchange that cannot have been lawful: its code, who may have done it, and what is said of it.

    ``other`` is who was said to hold the King, ``None`` where nobody of the cabinet was. ``named``: it is wrong only as
    far as the King was where it was said to be.
    """

    code: str
    suspects: tuple[int, ...]
    phrase: str
    other: int | None = None
    named: bool = False


class Hearing(NamedTuple):
    """An exchange before all that has been shown by now."""

    evidence: Evidence
    exchange: Exchange
    rules: ClimbingRules
    suits: tuple[str, ...]

    def wrong(self, among: tuple[str, ...] = CODES) -> Iterator[Wrong]:
        """Yield what cannot have been lawful, in the order it is answered; ``among`` are the codes looked at."""
        king = self.exchange.king
        if king is None:
            if KING in among:
                yield from self.silent()
            return
        if not self.naming_stands():
            if KING in among:
                yield self.misnamed(king)
            return
        if DEUCE in among and not any(self.deuce_in_order(world, king) for world in self.as_named()):
            phrase = "denied-deuce-held" if self.exchange.constipated else "denied-deuce"
            yield Wrong(DEUCE, (king,), phrase, king, self.rests_on_naming(king))
        if LOWEST in among and not self.exchange.constipated and not self.lowest_came_back(king):
            yield Wrong(LOWEST, (self.evidence.president,), "not-lowest", king, self.rests_on_naming(king))

    def odd(self) -> Iterator[Wrong]:
        """Yield what an exchange shows at once: what is wrong, and a card given that belies what was said of it."""
        given, king = self.exchange.given, self.exchange.king
        for wrong in self.wrong():
            belied = wrong.code == DEUCE and self.exchange.constipated and self.is_two(given)
            yield wrong._replace(phrase="denied-deuce-given") if belied else wrong
        if king is None or given is None or self.exchange.constipated or self.is_two(given):
            return
        if self.may_be_denied() and any(self.deuce_in_order(world, king) for world in self.as_named()):
            yield Wrong(DEUCE, (king,), "denied-deuce-open", king, self.rests_on_naming(king))

    def is_two(self, card: int | None) -> bool:
        """Return whether a card was seen to be a 2."""
        return card is not None and bool(self.rules.twos >> card & 1)

    # -- the King of diamonds -------------------------------------------------------------

    def ways(self) -> Iterator[World]:
        """Yield the worlds that differ in where the King and the twos may lie."""
        return worlds(self.evidence, one_of_each(self.rules.twos, self.rules.king))

    def as_named(self) -> Iterator[World]:
        """Yield those in which the King was where it was said to be."""
        king, card = self.exchange.king, self.rules.king
        assert king is not None
        return (world.having(king, card) for world in self.ways() if world.allows(king, holding=card))

    def rests_on_naming(self, king: int) -> bool:
        """Return whether only the naming says that this seat held the King."""
        return any(world.allows(king, lacking=self.rules.king) for world in self.ways())

    def naming_stands(self) -> bool:
        """Return whether the King may have been where it was said to be."""
        return next(self.as_named(), None) is not None

    def holders(self) -> tuple[tuple[int, ...], bool]:
        """Return the seats that may have held the King, and whether it may not have been dealt."""
        ways, king = tuple(self.ways()), self.rules.king
        seats = range(self.rules.players)
        found = tuple(seat for seat in seats if any(world.allows(seat, holding=king) for world in ways))
        return found, any(world.may_lie_aside(king) for world in ways)

    def misnamed(self, named: int) -> Wrong:
        """Say who held the King where one seat alone can have; else that it was not where it was said to be."""
        holders, aside = self.holders()
        if len(holders) == 1 and not aside:
            return Wrong(KING, holders, "king-elsewhere", named)
        return Wrong(KING, (named,), "king-not-held", named)

    def silent(self) -> Iterator[Wrong]:
        """Yield who may have kept silent, once it was not the President-Elect who held the King.

        Silence is what everybody said but her, whom nobody asked.
        """
        holders, aside = self.holders()
        if not aside and self.evidence.president not in holders:
            yield Wrong(KING, holders, "king-in-cabinet" if len(holders) == 1 else "king-not-named")

    # -- the deuce ------------------------------------------------------------------------

    def deuce_in_order(self, world: World, king: int) -> bool:
        """Return whether the named King may have given a 2, or have had none to give."""
        if not self.exchange.constipated and world.given & self.rules.twos:
            return True
        return world.allows(king, lacking=self.rules.twos)

    def may_be_denied(self) -> bool:
        """Return whether the named King may have had a 2 beside that card."""
        return any(self.may_hold_two(world) for world in self.as_named())

    def may_hold_two(self, world: World) -> bool:
        """Return whether the named King may have been dealt a 2 in this world."""
        king, twos = self.exchange.king, self.rules.twos
        assert king is not None
        must, may = world.dealt(king)
        likely = must & twos or may & twos
        return bool(likely) and world.allows(king, holding=likely & -likely)

    # -- the lowest card ------------------------------------------------------------------

    def lowest_came_back(self, king: int) -> bool:
        """Return whether what came back may have been the lowest card; it had to be for a 2 alone (AD-7, AD-8)."""
        below, lowest = self.rules.below(self.suits), lowest_two(self.rules.ladder(self.suits))
        distinct = one_of_each(self.rules.twos, self.rules.king)
        ways = worlds(self.evidence, lambda cards: chain(distinct(cards), lowest(cards)))
        return any(
            not world.given & self.rules.twos or gave_lowest(world.having(king, self.rules.king), below)
            for world in ways
            if world.allows(king, holding=self.rules.king)
        )


def gave_lowest(world: World, below: tuple[int, ...]) -> bool:
    """Return whether the card that came back for a 2 may have been the lowest of her own (AD-Q8)."""
    if world.given == world.returned:
        return False
    return world.allows(world.evidence.president, lacking=below[world.returned.bit_length() - 1])
