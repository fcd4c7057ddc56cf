"""Drop a Deuce: which acts of an exchange cannot have been lawful (AD-7, AD-8).

The referee sees neither hand. "That one holds the King", "I have no deuce" and "this is my lowest
card" are each judged over all worlds: every way the cards may lie after what has been shown by
anybody. An act is wrong as soon as no world is left in which it was lawful. Who turns out not to
hold the King, or has no 2, owes none, whatever was said.
"""

from collections.abc import Iterator
from typing import NamedTuple

from referee.games.american_deuce.rules import ClimbingRules
from referee.games.american_deuce.worlds import Evidence, World, lowest_two, one_of_each, worlds

KING, DEUCE, LOWEST = "king-elsewhere", "denied-deuce", "not-lowest"
CODES = (KING, DEUCE, LOWEST)
"""What can be wrong with an exchange, in the order in which it is answered."""


class Wrong(NamedTuple):
    """An act of the exchange that cannot have been lawful: its code, whose it is, and what is said of it.

    ``other`` is who was said to hold the King, ``None`` where nobody of the cabinet was.
    """

    code: str
    seat: int
    phrase: str
    other: int | None = None


def find_wrong(
    evidence: Evidence, rules: ClimbingRules, suits: tuple[str, ...], *, among: tuple[str, ...] = CODES
) -> Iterator[Wrong]:
    """Yield what cannot have been lawful, in the order it is answered; ``among`` are the codes looked at."""
    exchange = evidence.exchange
    if exchange is None:
        return
    if KING in among and not any(named_rightly(world, rules) for world in king_worlds(evidence, rules)):
        yield misnamed(evidence, rules)
    if exchange.king is None:
        return
    if DEUCE in among and deuce_denied(evidence, rules):
        yield Wrong(DEUCE, exchange.king, "denied-deuce-held" if exchange.constipated else "denied-deuce")
    if LOWEST in among and not exchange.constipated and not_lowest(evidence, rules, suits):
        yield Wrong(LOWEST, evidence.president, "not-lowest")


# -- the King of diamonds ---------------------------------------------------------------------


def king_worlds(evidence: Evidence, rules: ClimbingRules) -> Iterator[World]:
    """Yield the worlds that differ in where the King and the twos may lie."""
    return worlds(evidence, one_of_each(rules.twos, rules.king))


def named_rightly(world: World, rules: ClimbingRules) -> bool:
    """Return whether the King may have been where it was said to be; where nobody was named, outside the cabinet."""
    exchange, president = world.evidence.exchange, world.evidence.president
    if exchange is not None and exchange.king is not None:
        return world.allows(exchange.king, holding=rules.king)
    return world.allows(president, holding=rules.king) or world.may_lie_aside(rules.king)


def misnamed(evidence: Evidence, rules: ClimbingRules) -> Wrong:
    """Say who held the King where one seat alone can have; else that it was not where it was said to be."""
    named = None if evidence.exchange is None else evidence.exchange.king
    may_hold = {
        seat
        for world in king_worlds(evidence, rules)
        for seat in range(rules.players)
        if world.allows(seat, holding=rules.king)
    }
    aside = any(world.may_lie_aside(rules.king) for world in king_worlds(evidence, rules))
    if len(may_hold) == 1 and not aside:
        return Wrong(KING, may_hold.pop(), "king-elsewhere" if named is not None else "king-in-cabinet", named)
    if named is None:
        return Wrong(KING, evidence.president, "king-not-named")
    return Wrong(KING, named, "king-not-held")


# -- the deuce --------------------------------------------------------------------------------


def deuce_denied(evidence: Evidence, rules: ClimbingRules) -> bool:
    """Return whether the named King owed a 2 and cannot have given one, or denied one and must have had it.

    It is taken at its word that this player holds the King and, unless it was denied, a 2, until that cannot be.
    """
    exchange = evidence.exchange
    if exchange is None or exchange.king is None:
        return False
    king = exchange.king
    ways = tuple(king_worlds(evidence, rules))
    if exchange.constipated:
        lawful = any(world.allows(king, lacking=rules.twos) for world in ways)
    else:
        lawful = any(world.given & rules.twos for world in ways)
    return not lawful and any(may_hold_two(world, king, rules, also=rules.king) for world in ways)


def may_hold_two(world: World, king: int, rules: ClimbingRules, *, also: int = 0) -> bool:
    """Return whether the named King may have been dealt a 2, and some other card as well."""
    must, may = world.dealt(king)
    twos = must & rules.twos or may & rules.twos
    return bool(twos) and world.allows(king, holding=twos & -twos | also)


# -- the lowest card --------------------------------------------------------------------------


def not_lowest(evidence: Evidence, rules: ClimbingRules, suits: tuple[str, ...]) -> bool:
    """Return whether what came back cannot have been the lowest card, though it was owed for a 2.

    A King without a 2 has drawn it blindly, whatever was said (AD-8).
    """
    exchange = evidence.exchange
    if exchange is None or exchange.king is None:
        return False
    king, below = exchange.king, rules.below(suits)
    if any(gave_lowest(world, rules, below) for world in worlds(evidence, lowest_two(rules.ladder(suits)))):
        return False
    return any(may_hold_two(world, king, rules) for world in king_worlds(evidence, rules))


def gave_lowest(world: World, rules: ClimbingRules, below: tuple[int, ...]) -> bool:
    """Return whether the card that came back may have been the lowest of her own.

    The card just received is not held against her; it may itself be the lowest, if it is no 2 (AD-Q8).
    """
    if world.given == world.returned and world.given & rules.twos:
        return False
    return world.allows(world.evidence.president, lacking=below[world.returned.bit_length() - 1])
