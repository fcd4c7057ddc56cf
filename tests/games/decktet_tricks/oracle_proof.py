"""Claims about hidden hands, and whether all cards can still be placed: by matching, not counting.

A claim says that from its event on the cards in its seat's hand avoid a forbidden set. Claims
contradict one another when no assignment of the unseen cards to hands and pile respects them.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations


@dataclass
class Claim:
    """One act that asserts something about the hand that remained."""

    code: str
    seat: int
    event: int
    trick: int
    forbidden: frozenset[str]
    proved: bool = False


@dataclass
class Situation:
    """What is open after one event.

    `unseen` are the cards nobody showed and no entered hand places; `room` maps a place
    (seat, or -1 for the pile) to how many of them it holds.
    """

    unseen: list[str]
    room: dict[int, int]


def can_be_placed(situation: Situation, claims: list[Claim]) -> bool:
    """Whether every unseen card finds a place: maximum bipartite matching with capacities."""
    if sum(situation.room.values()) != len(situation.unseen):
        return False
    banned: dict[int, set[str]] = {place: set() for place in situation.room}
    for claim in claims:
        banned[claim.seat].update(claim.forbidden)
    holds: dict[int, list[str]] = {place: [] for place in situation.room}
    return all(_augment(card, situation.room, banned, holds, set()) for card in situation.unseen)


def _augment(
    card: str,
    room: dict[int, int],
    banned: dict[int, set[str]],
    holds: dict[int, list[str]],
    tried: set[int],
) -> bool:
    """Find this card a place, moving earlier cards along if need be (Kuhn's algorithm)."""
    places = [place for place in room if card not in banned[place] and place not in tried]
    for place in places:
        if len(holds[place]) < room[place]:
            holds[place].append(card)
            return True
    for place in places:
        tried.add(place)
        for other in list(holds[place]):
            if _augment(other, room, banned, holds, tried):
                holds[place].remove(other)
                holds[place].append(card)
                return True
    return False


def contradict(situations: list[Situation], claims: list[Claim]) -> bool:
    """Whether some separate deal (Wildcat Chicane has two) cannot be placed under the claims."""
    return not all(can_be_placed(situation, claims) for situation in situations)


def minimal_claims(situations: list[Situation], claims: list[Claim]) -> list[Claim] | None:
    """The smallest contradictory set, earliest positions first among equals; None when none."""
    if not contradict(situations, claims):
        return None
    useful = _useful(situations, claims)
    for size in range(1, len(useful) + 1):
        for chosen in combinations(useful, size):
            if contradict(situations, list(chosen)):
                return list(chosen)
    raise AssertionError("the whole set contradicts")


def _useful(situations: list[Situation], claims: list[Claim]) -> list[Claim]:
    """Leave out a claim that says nothing more than an earlier one of the same seat.

    Such a claim can be exchanged for the earlier one, so it is never in the first smallest set.
    """
    unseen = {card for situation in situations for card in situation.unseen}
    kept: list[Claim] = []
    for claim in sorted(claims, key=lambda each: each.event):
        says = claim.forbidden & unseen
        if says and not any(says <= old.forbidden for old in kept if old.seat == claim.seat):
            kept.append(claim)
    return kept
