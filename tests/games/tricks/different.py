"""Whether several places can hold different cards, found by trying."""

from collections.abc import Sequence, Set
from typing import Any


def can_differ(places: Sequence[Set[Any]]) -> bool:
    """Whether each of these places can hold its own card; the one with the fewest choices is filled first."""
    if not places:
        return True
    first, *rest = sorted(places, key=len)
    if len(first) >= len(places):
        return True  # the others have as many: there is always a card left
    return any(can_differ([place - {card} for place in rest]) for card in first)
