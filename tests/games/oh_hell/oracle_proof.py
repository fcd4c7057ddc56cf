"""Claims about hidden hands in Oh Hell, and whether every card can still lie somewhere.

Who does not follow claims to hold no card of the suit led. Within a suit all cards are alike, so it is enough to
count suits: the unseen cards of any suits must fit into the places that may hold one of them (Hall's condition).
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

from tests.games.oh_hell.oracle_rules import SUITS

REST = "rest"
TURNED = "turned"
Place = int | str  # a seat, the undealt rest, or the turned card that was seen by its suit only


@dataclass
class Claim:
    """One card that did not follow: from this event on the seat holds nothing of the suit."""

    seat: int
    event: int
    trick: int
    suit: str
    proved: bool = False


@dataclass
class Situation:
    """What is open after one event: unseen cards by suit, and how many each place holds.

    ``turned`` is the suit of a turned card nobody named; it lies in its own place, with room for one.
    """

    unseen: dict[str, int]
    room: dict[Place, int]
    turned: str | None = None

    def allowed(self, claims: list[Claim]) -> dict[Place, set[str]]:
        """The suits each place may hold if the claims are true."""
        suits: dict[Place, set[str]] = {place: set(SUITS) for place in self.room}
        if TURNED in suits and self.turned:
            suits[TURNED] = {self.turned}
        for claim in claims:
            suits[claim.seat].discard(claim.suit)
        return suits


SUIT_SETS = [set(chosen) for size in range(1, 5) for chosen in combinations(SUITS, size)]


def contradict(situation: Situation, claims: list[Claim]) -> bool:
    """Whether the claims leave no way to place the unseen cards."""
    allowed = situation.allowed(claims)
    return any(crowded(situation, suits, allowed) for suits in SUIT_SETS)


def crowded(situation: Situation, suits: set[str], allowed: dict[Place, set[str]]) -> bool:
    """Whether there are more unseen cards of these suits than room for any of them."""
    cards = sum(situation.unseen[suit] for suit in suits)
    return cards > sum(room for place, room in situation.room.items() if not suits.isdisjoint(allowed[place]))


def minimal_claims(situation: Situation, claims: list[Claim]) -> list[Claim] | None:
    """The smallest contradictory set, of several the one with the earliest acts; None when there is none.

    Claims contradict one another when some suits find no room because some seats deny all of these suits. So a
    smallest set is just what those seats deny of those suits, each by its earliest claim.
    """
    if not contradict(situation, claims):
        return None
    seats = sorted({claim.seat for claim in claims})
    cores = [
        core
        for suits in SUIT_SETS
        for number in range(1, len(seats) + 1)
        for deniers in combinations(seats, number)
        if (core := denials(claims, set(deniers), suits)) and crowded(situation, suits, situation.allowed(core))
    ]
    return min(cores, key=lambda core: (len(core), [claim.event for claim in core]))


def denials(claims: list[Claim], seats: set[int], suits: set[str]) -> list[Claim] | None:
    """The earliest claims by which each of these seats denies each of these suits, in order; None if one does not."""
    core: list[Claim] = []
    for seat in seats:
        for suit in suits:
            own = [claim for claim in claims if claim.seat == seat and claim.suit == suit]
            if not own:
                return None
            core.append(min(own, key=lambda claim: claim.event))
    return sorted(core, key=lambda claim: claim.event)
