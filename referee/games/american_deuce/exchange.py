"""Drop a Deuce: acts of the exchange proved unlawful (AD-7, AD-8), and how they are reported."""

from collections.abc import Iterator
from itertools import chain
from typing import NamedTuple

from referee.engine.rulings import Certainty, Irregularity, Reason, Withdrawn
from referee.games.american_deuce.combinations import name_play
from referee.games.american_deuce.rules import ClimbingRules
from referee.games.american_deuce.state import Laid
from referee.games.american_deuce.worlds import Evidence, Exchange, World, lowest_two, one_of_each, worlds

# --- Drop a Deuce: acts of an exchange proved unlawful (AD-7, AD-8)
# The referee sees neither hand. "I hold the King", "I have no deuce" and "this is my lowest card" are each judged over
# all worlds: all ways the cards may be, given everything shown so far. The named seat is taken to hold the King as long
# as some world allows it; if none does, nothing was owed. An act is unlawful once no world makes it lawful. It is
# judged again with every card, because a card can also clear a player. The cards, not the flag, decide whether a 2 was
# given; only "no 2" is a claim.

KING, DEUCE, LOWEST = "king-elsewhere", "denied-deuce", "not-lowest"
CODES = (KING, DEUCE, LOWEST)
"""Infractions of an exchange, in the order they are reported."""


class Wrong(NamedTuple):
    """An act of the exchange that cannot have been lawful.

    ``other`` is the seat named as the King's holder, ``None`` if none was. ``named``: the act was wrong only if that
    seat really held the King.
    """

    code: str
    suspects: tuple[int, ...]
    phrase: str
    other: int | None = None
    named: bool = False


class Hearing(NamedTuple):
    """An exchange judged against everything shown so far."""

    evidence: Evidence
    exchange: Exchange
    rules: ClimbingRules
    suits: tuple[str, ...]

    def wrong(self, among: tuple[str, ...] = CODES) -> Iterator[Wrong]:
        """Yield unlawful acts with codes in ``among``, in the order they are reported.

        If no one was named, all who may have held the King are suspects, unless the President-Elect is among them, who
        was not asked. If someone was named who cannot have held it, the suspect is its only possible holder, else the
        named seat.
        """
        king, president = self.exchange.king, self.evidence.president
        if king is None or not self.naming_stands():
            holders, aside = self.holders() if KING in among else ((), True)
            if king is None and not aside and president not in holders:
                yield Wrong(KING, holders, "king-in-cabinet" if len(holders) == 1 else "king-not-named")
            elif king is not None and KING in among:
                alone = len(holders) == 1 and not aside
                yield Wrong(KING, holders if alone else (king,), "king-elsewhere" if alone else "king-not-held", king)
            return
        if DEUCE in among and not any(self.deuce_in_order(world, king) for world in self.as_named()):
            phrase = "denied-deuce-held" if self.exchange.constipated else "denied-deuce"
            yield Wrong(DEUCE, (king,), phrase, king, self.rests_on_naming(king))
        if LOWEST in among and not self.exchange.constipated and not self.lowest_came_back(king):
            yield Wrong(LOWEST, (president,), "not-lowest", king, self.rests_on_naming(king))

    def odd(self) -> Iterator[Wrong]:
        """Yield what is wrong once the exchange is recorded, including a given card that contradicts a statement."""
        given, king = self.exchange.given, self.exchange.king
        two = given is not None and bool(self.rules.twos >> given & 1)
        for wrong in self.wrong():
            belied = wrong.code == DEUCE and self.exchange.constipated and two
            yield wrong._replace(phrase="denied-deuce-given") if belied else wrong
        if king is None or given is None or self.exchange.constipated or two:
            return
        if self.may_be_denied() and any(self.deuce_in_order(world, king) for world in self.as_named()):
            yield Wrong(DEUCE, (king,), "denied-deuce-open", king, self.rests_on_naming(king))

    def ways(self) -> Iterator[World]:
        """Yield worlds that differ in where the King and the twos may be."""
        return worlds(self.evidence, one_of_each(self.rules.twos, self.rules.king))

    def as_named(self) -> Iterator[World]:
        """Yield the worlds in which the named seat held the King."""
        king, card = self.exchange.king, self.rules.king
        assert king is not None
        return (world.having(king, card) for world in self.ways() if world.allows(king, holding=card))

    def rests_on_naming(self, king: int) -> bool:
        """Return whether the seat is known to have held the King only because it was named."""
        return any(world.allows(king, lacking=self.rules.king) for world in self.ways())

    def naming_stands(self) -> bool:
        """Return whether the named seat may have held the King."""
        return next(self.as_named(), None) is not None

    def holders(self) -> tuple[tuple[int, ...], bool]:
        """Seats that may have held the King, and whether the King may have been left undealt."""
        ways, king = tuple(self.ways()), self.rules.king
        seats = range(self.rules.players)
        found = tuple(seat for seat in seats if any(world.allows(seat, holding=king) for world in ways))
        return found, any(world.may_lie_aside(king) for world in ways)

    def deuce_in_order(self, world: World, king: int) -> bool:
        """Return whether the King's holder may have given a 2, or had none."""
        if not self.exchange.constipated and world.given & self.rules.twos:
            return True
        return world.allows(king, lacking=self.rules.twos)

    def may_be_denied(self) -> bool:
        """Return whether the King's holder may have been dealt a 2 in any world."""
        return any(self.may_hold_two(world) for world in self.as_named())

    def may_hold_two(self, world: World) -> bool:
        """Return whether the King's holder may have been dealt a 2 in this world."""
        king, twos = self.exchange.king, self.rules.twos
        assert king is not None
        must, may = world.dealt(king)
        likely = must & twos or may & twos
        return bool(likely) and world.allows(king, holding=likely & -likely)

    def lowest_came_back(self, king: int) -> bool:
        """Return whether the lowest card may have come back, as is due for a 2 only (AD-7, AD-8, AD-Q8)."""
        below, lowest = self.rules.below(self.suits), lowest_two(self.rules.ladder(self.suits))
        distinct = one_of_each(self.rules.twos, self.rules.king)
        for world in worlds(self.evidence, lambda cards: chain(distinct(cards), lowest(cards))):
            if not world.allows(king, holding=self.rules.king):
                continue
            if not world.given & self.rules.twos:
                return True
            lower = below[world.returned.bit_length() - 1]
            held = world.having(king, self.rules.king)
            if world.given != world.returned and held.allows(self.evidence.president, lacking=lower):
                return True
        return False


# --- Findings about an exchange: evident at once, proved by a later card, or withdrawn

DIRECT = {
    "king-elsewhere": "proved-king-elsewhere",
    "king-in-cabinet": "proved-king-cabinet",
    "denied-deuce-held": "proved-denied-deuce",
    "not-lowest": "proved-not-lowest",
}
"""Sentence keys of acts contradicted by a card that the same player shows."""
NAMED = "named-"
"""Prefix of sentence keys for findings that depend on who was named."""


def finding(wrong: Wrong, hearing: Hearing, shown: Laid | None = None) -> Irregularity:
    """The finding for an unlawful act: evident at once, proved by a play (REC-17), or joint (REC-18)."""
    exchange, rules = hearing.exchange, hearing.rules
    event, (first, *others), cards = exchange.event, wrong.suspects, rules.pack.cards
    king = cards[rules.king.bit_length() - 1]
    facts: dict[str, object] = {"seat": first, "other": wrong.other, "card": king, "king": king}
    if exchange.given is not None:
        facts["given"] = cards[exchange.given]
    code, phrase, certainty = wrong.code, wrong.phrase, Certainty.SEEN
    more: tuple[str, ...] = ()
    proved_by: tuple[int, ...] = ()
    if shown is not None:
        code, certainty, more, proved_by = f"proved-{code}", Certainty.PROVED, ("REC-17",), (shown.event,)
        card = contradicting(wrong, shown, hearing)
        if card is None:
            facts["act"], phrase = name_play([cards[index] for index in shown.cards]), f"since-{phrase}"
        else:
            facts["card"], phrase = cards[card], DIRECT[phrase]
    if others:
        certainty, more, proved_by = Certainty.JOINT, ("REC-18",), proved_by or (event,)
        facts["seats"] = wrong.suspects
    if wrong.code == KING:
        nobody = ("AD-Q6",) if exchange.king is None else ()
        cites: tuple[str, ...] = ("AD-7", *nobody, *(("AD-Q16",) if rules.two_decks else ()))
    elif wrong.code == DEUCE:
        cites = ("AD-8", "AD-7") if exchange.constipated else ("AD-7", "AD-8")
    else:
        cites = ("AD-7", "AD-Q8")
    reason = Reason(code, (*cites, *more), facts, NAMED + phrase if wrong.named else phrase)
    seat, claims = (None, (event,)) if others else (first, ())
    return Irregularity(wrong.code, certainty, seat, wrong.suspects, event, None, reason, proved_by, claims)


def contradicting(wrong: Wrong, shown: Laid, hearing: Hearing) -> int | None:
    """The shown card that by itself contradicts the player's statement, if there is one."""
    exchange, rules = hearing.exchange, hearing.rules
    if wrong.suspects != (shown.seat,) or wrong.phrase not in DIRECT:
        return None
    if wrong.code == KING:
        telling = rules.king
    elif wrong.code == DEUCE:
        telling = rules.twos
    else:
        telling = 0 if exchange.returned is None else rules.below(hearing.suits)[exchange.returned]
    traded = (exchange.given, exchange.returned) if wrong.code != KING else ()
    return next((card for card in shown.cards if telling >> card & 1 and card not in traded), None)


def withdrawn(found: Irregularity, event: int, hearing: Hearing) -> Withdrawn:
    """A finding that a later card has disproved, with the reason."""
    king = hearing.rules.pack.cards[hearing.rules.king.bit_length() - 1]
    facts: dict[str, object] = {"seat": hearing.exchange.king, "card": king}
    phrase = "withdrawn-no-two" if hearing.naming_stands() else ""
    return Withdrawn(found, event, Reason("withdrawn", ("AD-7", "AD-8", "REC-17"), facts, phrase))
