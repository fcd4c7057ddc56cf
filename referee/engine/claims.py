"""Claims about hidden hands, and how the record contradicts them.

Some acts imply that the rest of the hand holds *none of these cards*. If the same player later shows one of them, that
is a direct proof (REC-17). If several claims together leave no place for the unseen cards, that is a joint proof by
counting (REC-18), exact by Hall's condition.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import combinations
from operator import and_, or_
from typing import NamedTuple

from referee.engine.cards import Pack
from referee.engine.rulings import Argument, Certainty, Irregularity, Reason
from referee.engine.texts import AND, Listing, Phrase


class Claim(NamedTuple):
    """The claim of one act that ``seat`` held none of ``cards``; ``code`` is the infraction if that was false."""

    seat: int
    event: int
    trick: int | None
    cards: int
    code: str
    clause: str


@dataclass(frozen=True, slots=True)
class Places:
    """Where the unseen cards can be, for one separately dealt class of cards.

    ``room`` is how many of the ``unseen`` cards each seat holds (0 for a known hand); the rest lie in the pile set
    aside. ``apart`` names the class in a sentence, if there are several. ``kept`` are parts of the pile that take only
    some cards, such as a turned-up card of which only the suit was seen: the cards that cannot lie there, and the room.
    """

    unseen: int
    room: tuple[int, ...]
    apart: Phrase | str = ""
    kept: tuple[tuple[int, int], ...] = ()

    @property
    def aside(self) -> int:
        return self.unseen.bit_count() - sum(self.room)

    def without_kept(self) -> list[tuple[int, int]]:
        """Return every combination of kept parts: the cards that can lie in none of them, and their total room."""
        chosen = [(self.unseen, 0)]
        for excluded, room in self.kept:
            chosen += [(cards & excluded, left + room) for cards, left in chosen]
        return chosen


def proved(
    claim: Claim, *, event: int, card: object, first: object = "", clauses: tuple[str, ...] = (), phrase: str = "",
    **more: object,
) -> Irregularity:  # fmt: skip
    """Return the finding that a later card contradicts a claim.

    For the sentence, ``card`` is what was shown and ``first`` what was played when the claim arose; a game may add
    clauses, and a ``phrase`` with more facts.
    """
    facts = {"seat": claim.seat, "card": card, "act": first, **more}
    reason = Reason(f"proved-{claim.code}", (claim.clause, *clauses, "REC-17"), facts, phrase)
    return Irregularity(
        claim.code, Certainty.PROVED, claim.seat, (claim.seat,), claim.event, claim.trick,
        reason, (event,),
    )  # fmt: skip


def contradictory(claims: Iterable[Claim], places: Sequence[Places]) -> bool:
    """Return whether the claims leave no way to place the unseen cards.

    Exact by Hall's condition: for every set of seats, the unseen cards that all of them deny holding must fit into the
    other places. Hands never grow, so an earlier claim still holds.
    """
    denied: dict[int, int] = {}
    for claim in claims:
        denied[claim.seat] = denied.get(claim.seat, 0) | claim.cards
    return any(spare_room(denied, place) < 0 for place in places)


def spare_room(denied: dict[int, int], places: Places) -> int:
    """Return the least room left elsewhere for the unseen cards that a set of seats denies.

    Negative if some cards do not fit. A play takes at most one place elsewhere, so the same claims cannot become
    contradictory within that many plays.
    """
    unseen = places.unseen
    spare = count = unseen.bit_count()
    sets = [(unseen, count)]
    if places.kept:
        sets = [(cards, count - room) for cards, room in places.without_kept()]
        spare = min([elsewhere - cards.bit_count() for cards, elsewhere in sets])
    for seat, cards in denied.items():
        room = places.room[seat]
        for everywhere, elsewhere in sets.copy():
            homeless = everywhere & cards
            if homeless:
                left = elsewhere - room
                if left - homeless.bit_count() < spare:
                    spare = left - homeless.bit_count()
                    if spare < 0:
                        return spare
                sets.append((homeless, left))
    return spare


def minimal(claims: Sequence[Claim], places: Sequence[Places]) -> tuple[Claim, ...]:
    """Return the smallest subset of the claims that is contradictory; of several, the one with the earliest acts."""
    unseen = reduce(or_, (place.unseen for place in places), 0)
    telling: list[Claim] = []
    for claim in claims:
        # An earlier claim of the same seat that denies as much can replace this one in every set.
        denied = claim.cards & unseen
        if denied and not any(old.seat == claim.seat and not denied & ~old.cards for old in telling):
            telling.append(claim)
    every = sorted({claim.seat for claim in telling})
    sets = [seats for size in range(1, len(every) + 1) for seats in combinations(every, size)]
    tight = [_Tight(telling, place, seats, kept) for place in places for kept in place.without_kept() for seats in sets]
    tight = [each for each in tight if each.overfull(each.rest[0])]
    for size in range(1, len(telling)):
        cores = [core for each in tight if (core := each.choose(size))]
        if cores:
            return tuple(telling[number] for number in min(cores))
    return tuple(telling)


class _Tight:
    """A set of seats that may deny more cards than fit elsewhere.

    A minimal contradictory set of claims is overfull for some set of seats, and consists of claims by exactly these.
    """

    def __init__(self, claims: Sequence[Claim], places: Places, seats: tuple[int, ...], kept: tuple[int, int]) -> None:
        self.unseen, taken = kept
        self.elsewhere = places.unseen.bit_count() - taken - sum(places.room[seat] for seat in seats)
        own = [(number, claim) for number, claim in enumerate(claims) if claim.seat in seats]
        self.own = [(number, seats.index(claim.seat), claim.cards) for number, claim in own]
        self.nothing = (0,) * len(seats)
        rest = [self.nothing]
        for _, place, cards in reversed(self.own):
            rest.append(_with(rest[-1], place, cards))
        self.rest = rest[::-1]
        """What the claims from each index on deny, by seat."""

    def overfull(self, denied: Iterable[int]) -> bool:
        return reduce(and_, denied, self.unseen).bit_count() > self.elsewhere

    def choose(self, size: int, start: int = 0, denied: tuple[int, ...] | None = None) -> tuple[int, ...] | None:
        """Return the numbers of the first ``size`` claims from ``start`` on that contradict one another, if any."""
        denied = denied or self.nothing
        if size == 0:
            return () if self.overfull(denied) else None
        if denied.count(0) > size:
            return None
        for first in range(start, len(self.own) - size + 1):
            if not self.overfull(map(or_, denied, self.rest[first])):
                return None
            number, place, cards = self.own[first]
            others = self.choose(size - 1, first + 1, _with(denied, place, cards))
            if others is not None:
                return (number, *others)
        return None


def _with(denied: tuple[int, ...], place: int, cards: int) -> tuple[int, ...]:
    return (*denied[:place], denied[place] | cards, *denied[place + 1 :])


def argue(core: Sequence[Claim], places: Places) -> Argument | None:
    """Return the unseen cards that all these claims deny, and the room elsewhere; ``None`` if that is enough."""
    seats = {claim.seat for claim in core}
    excluded = places.unseen
    for seat in seats:
        excluded &= reduce(or_, (claim.cards for claim in core if claim.seat == seat))
    acts = sorted((claim.event, claim.seat) for claim in core)
    for cards, taken in places.without_kept():
        homeless = excluded & cards
        room: list[tuple[int | None, int]] = [
            (seat, left) for seat, left in enumerate(places.room) if left and seat not in seats
        ]
        if places.aside != taken:
            room.append((None, places.aside - taken))
        if homeless.bit_count() > sum(left for _, left in room):
            return Argument(homeless, tuple((seat, event) for event, seat in acts), tuple(room))
    return None


JOINT_REVOKE = "joint-revoke"
"""The code of every joint finding."""

PHRASES = {
    (False, True): "joint-revoke-room",
    (False, False): "joint-revoke-nowhere",
    (True, True): "joint-revoke-one-room",
    (True, False): "joint-revoke-one-nowhere",
}
"""The sentence of a joint finding, by whether there is one suspect and whether there is room elsewhere."""


def joint_finding(
    core: Sequence[Claim], places: Sequence[Places], *, pack: Pack, event: int, more: Iterable[str] = ()
) -> Irregularity:
    """Return the finding that these claims, a minimal set, cannot all be true since ``event``."""
    seats = tuple(sorted({claim.seat for claim in core}))
    last = max(core, key=lambda claim: claim.event)
    argument, apart = next((found, place.apart) for place in places if (found := argue(core, place)))
    clauses = tuple(dict.fromkeys([*(claim.clause for claim in core), *more]))
    facts: dict[str, object] = {
        "cards": Listing(tuple(pack.cards[card].code for card in pack.members(argument.cards)), last=AND),
        "number": sum(left for _, left in argument.room),
        "places": tuple(place for place, _ in argument.room),
        "apart": apart,
        **({"seat": seats[0]} if len(seats) == 1 else {"seats": seats}),
    }
    reason = Reason(JOINT_REVOKE, (*clauses, "REC-18"), facts, PHRASES[len(seats) == 1, bool(argument.room)])
    acts = tuple(sorted({claim.event for claim in core}))
    return Irregularity(
        JOINT_REVOKE, Certainty.JOINT, None, seats, last.event, last.trick, reason,
        (event,), acts, argument,
    )  # fmt: skip
