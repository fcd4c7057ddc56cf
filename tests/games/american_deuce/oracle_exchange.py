"""The second adjudicator: combinations, the exchange, and the evidence about it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence, Set
from dataclasses import dataclass, replace
from functools import cached_property, partial

from tests.games.french.oracle import RANKS, Json
from tests.games.tricks.oracle_plain import UNSEEN

# --- Combinations of American Deuce and what beats what (AD-15..24, AD-28..31)

CIRCLE = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A", "2")
STRAIGHTS = [frozenset(CIRCLE[start : start + 5]) for start in range(11)]
BLACK = {"S", "C"}
FIVE_CARD_KINDS = ("straight", "flush", "full-house", "straight-flush", "five-of-a-kind")


def rank_of(card: str) -> str:
    """`10` of `10S*`."""
    return card.rstrip("*")[:-1]


def suit_of(card: str) -> str:
    """`S` of `10S*`."""
    return card.rstrip("*")[-1]


def height(card: str) -> int:
    """Place of the card's rank: 3 lowest, 2 highest (AD-15)."""
    return RANKS.index(rank_of(card))


def tie_break(card: str, order: Sequence[str]) -> tuple[int, bool]:
    """Suit, then deck: greater is better (AD-16, AD-28)."""
    return (-list(order).index(suit_of(card)), card.endswith("*"))


def card_key(card: str, order: Sequence[str]) -> tuple[int, tuple[int, bool]]:
    return (height(card), tie_break(card, order))


def kind_of(cards: Sequence[str]) -> str | None:
    """The kind of combination these cards are, or None."""
    counts = sorted(Counter(rank_of(card) for card in cards).values())
    if len(counts) == 1 and 1 <= len(cards) <= 5:
        return ("single", "pair", "triple", "riot", "five-of-a-kind")[len(cards) - 1]
    if len(cards) != 5:
        return None
    one_suit = len({suit_of(card) for card in cards}) == 1
    sequence = frozenset(rank_of(card) for card in cards) in STRAIGHTS
    if one_suit:
        return "straight-flush" if sequence else "flush"
    if sequence:
        return "straight"
    return "full-house" if counts == [2, 3] else None


def strength(cards: Sequence[str], order: Sequence[str]) -> tuple[object, ...]:
    """The strength among combinations of the same size, riots apart."""
    kind = kind_of(cards)
    level = FIVE_CARD_KINDS.index(kind) if kind in FIVE_CARD_KINDS else 0
    if kind == "full-house":
        ranks = Counter(rank_of(card) for card in cards)
        cards = [card for card in cards if ranks[rank_of(card)] == 3]
    best = max(cards, key=lambda card: card_key(card, order))
    heights = sorted((height(card) for card in cards), reverse=True)
    return (level, heights, tie_break(best, order))


def one_colour(cards: Sequence[str]) -> bool:
    """All black, or all red."""
    return len({suit_of(card) in BLACK for card in cards}) == 1


def riot_beats(options: Json, order: Sequence[str], on: Sequence[str], play: Sequence[str]) -> bool:
    """Whether one riot beats another (AD-24, AD-31, AD-Q18, AD-Q19)."""
    if height(play[0]) != height(on[0]):
        return height(play[0]) > height(on[0])
    if options["riot_equal"] == "never":
        return False
    if one_colour(play) != one_colour(on):
        return one_colour(play)
    if one_colour(play):
        return (suit_of(play[0]) in BLACK) == (order[0] in BLACK)
    best_play = max(tie_break(card, order) for card in play)
    return best_play > max(tie_break(card, order) for card in on)


def play_beats(options: Json, order: Sequence[str], on: Sequence[str], play: Sequence[str], *, five_lies: bool) -> bool:
    """Whether `play` beats `on`; `on` may be an accepted play that is not a combination."""
    old, new = kind_of(on), kind_of(play)
    if new is None:
        return False
    if new == "riot":
        if (five_lies or old == "five-of-a-kind") and not one_colour(play):
            return False
        return old != "riot" or riot_beats(options, order, on, play)
    if old == "riot" or len(on) != len(play):
        return False
    if old is None:
        return True
    if options["same_type"] and old != new:
        return False
    return strength(play, order) > strength(on, order)


# --- What an American Deuce record shows about hidden hands, world by world
# A *world* is one way in which the exchange of Drop a Deuce may have gone: the card given and the
# card returned, as far as the record leaves them open. A claim about a hand is contradicted when
# it is false in every world that fits the entered hands and the cards played.

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
        return replace(self, shown={**self.shown, **dict.fromkeys(cards, seat)})

    def candidates(self) -> Iterator[World]:
        """Every world that the told exchange and the entered hands allow."""
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
        seats = range(len(self.sizes))
        return tuple(frozenset(card for card, player in self.shown.items() if player == seat) for seat in seats)

    def strangers(self) -> set[str]:
        """Played cards the player was not dealt: an exchange must explain them."""
        return {c for c, seat in self.shown.items() if not self.may_have_been_dealt(c, seat)}

    def worlds(self) -> Iterator[World]:
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

    def moved(self, seat: int, world: World) -> tuple[set[str], set[str]]:
        """The cards this seat gave and got in the exchange; one given straight back was never the elect's."""
        if world is not None and self.exchange is not None:
            given, returned = world
            if seat == self.exchange.king:
                return {given}, {returned}
            if seat == self.exchange.elect and given != returned:
                return {returned}, {given}
        return set(), set()

    def dealt(self, seat: int, world: World) -> frozenset[str]:
        if seat in self.known:
            return frozenset(self.known[seat])
        gave, got = self.moved(seat, world)
        return (self.shown_by[seat] - got) | gave

    def held(self, seat: int, world: World) -> frozenset[str]:
        """Cards this seat certainly held after the exchange."""
        gave, got = self.moved(seat, world)
        return (self.dealt(seat, world) - gave) | got

    def possible(self) -> bool:
        return any(True for _ in self.worlds())


@dataclass(frozen=True)
class RiotLed:
    """A led riot, which claims that the `left` cards remaining after `played` are fours of a kind (AD-Q12)."""

    seat: int
    event: int
    trick: int
    played: frozenset[str]
    left: int

    def contradicted(self, evidence: Evidence) -> bool:
        return not any(self.holds(evidence, world) for world in evidence.worlds())

    def holds(self, evidence: Evidence, world: World) -> bool:
        required = evidence.held(self.seat, world) - self.played
        elsewhere = set(self.played)
        for other in range(len(evidence.sizes)):
            if other != self.seat:
                elsewhere |= evidence.held(other, world)
        free = required if self.seat in evidence.known else set(evidence.deck) - elsewhere
        return riots_fill(required, free, self.left)


def riots_fill(required: Set[str], free: Set[str], left: int) -> bool:
    """Whether `left` cards, including all `required` ones, can be whole riots out of `free`."""
    need = Counter(rank_of(card) for card in required)
    have = Counter(rank_of(card) for card in free)
    least = sum(-(-count // 4) * 4 for count in need.values())
    most = sum(count // 4 * 4 for count in have.values())
    roomy = all(have[rank] // 4 * 4 >= count for rank, count in need.items())
    return roomy and left % 4 == 0 and least <= left <= most


# --- Violations of Drop a Deuce: acts that are lawful in no remaining world
# Everything is tried world by world, and in each world hand by hand with sets of cards: who certainly held what, which
# cards are free, whether the free ones that a hand may hold are enough to fill it.

Faults = list[tuple[str, tuple[int, ...]]]


def deuce(card: str) -> bool:
    """A two of this suit and deck."""
    return rank_of(card) == "2"


class Hearing:
    """The exchange as told, before anything shown later is considered."""

    def __init__(self, evidence: Evidence, elect: int, king_card: str, order: Sequence[str]) -> None:
        self.evidence = evidence
        self.swap = evidence.exchange
        self.elect = elect
        self.king_card = king_card
        self.order = order

    def exists(self, test: Callable[[World], bool]) -> bool:
        return any(test(world) for world in self.evidence.worlds())

    # --- one hand in one world ---------------------------------------------------------------

    def elsewhere(self, seat: int | None, world: World) -> set[str]:
        others = [other for other in range(len(self.evidence.sizes)) if other != seat]
        return set().union(*(self.evidence.dealt(other, world) for other in others))

    def may_have(self, seat: int, cards: set[str], world: World) -> bool:
        own = self.evidence.dealt(seat, world)
        if cards <= own:
            return True
        taken = self.elsewhere(seat, world)
        return cards.isdisjoint(taken) and len(own | cards) <= self.evidence.sizes[seat]

    def may_lack(self, seat: int, banned: Callable[[str], bool], world: World, having: Set[str] = frozenset()) -> bool:
        """Whether the seat may have been dealt none of the banned cards while holding these for certain."""
        own = self.evidence.dealt(seat, world) | having
        if any(banned(card) for card in own):
            return False
        taken = self.elsewhere(seat, world) | own
        spare = [card for card in self.evidence.deck if card not in taken and not banned(card)]
        return len(own) + len(spare) >= self.evidence.sizes[seat]

    def may_lie_aside(self, world: World) -> bool:
        """Whether the King may not have been dealt."""
        over = len(self.evidence.deck) - sum(self.evidence.sizes)
        return over > 0 and self.king_card not in self.elsewhere(None, world)

    # --- the three acts ----------------------------------------------------------------------

    def faults(self, codes: Sequence[str]) -> Faults:
        """Which of these codes no world makes lawful, with the seats that may be at fault."""
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
        """What the exchange itself shows, such as a card given that is not a 2 although one was claimed."""
        found = self.faults(codes)
        swap = self.swap
        if swap is None or swap.constipated or swap.given == UNSEEN or deuce(swap.given) or not self.deuce_owed():
            return found
        return [*found, *([] if "denied-deuce" in dict(found) else [("denied-deuce", (swap.king,))])]

    def deuce_owed(self) -> bool:
        """Whether the named player may have had the King and a 2."""
        return self.exists(lambda world: self.king_well_named(world) and self.may_have_deuce(world, self.king_card))

    def king_well_named(self, world: World) -> bool:
        return self.swap is not None and self.may_have(self.swap.king, {self.king_card}, world)

    def holders(self) -> tuple[int, ...]:
        seats = range(len(self.evidence.sizes))
        return tuple(seat for seat in seats if self.exists(partial(self.may_have, seat, {self.king_card})))

    def may_have_deuce(self, world: World, *more: str) -> bool:
        """Whether the named player may have been dealt a 2 and some other card."""
        king = self.swap.king if self.swap else 0
        return any(self.may_have(king, {two, *more}, world) for two in filter(deuce, self.evidence.deck))

    def deuce_in_order(self, world: World) -> bool:
        """Whether the named player, holding the King, gave a 2 or had none."""
        if self.swap is None or world is None or not self.king_well_named(world):
            return False
        if not self.swap.constipated and deuce(world[0]):
            return True
        return self.may_lack(self.swap.king, deuce, world, {self.king_card})

    def lowest_came_back(self, world: World) -> bool:
        """Whether she may have been dealt no card lower than the one returned, unless no 2 was given for it."""
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
