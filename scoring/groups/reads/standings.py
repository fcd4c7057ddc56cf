"""Ranking over several games, by wins or by places: points of different games are never added."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Generic, NamedTuple, TypeVar

from scoring.models import RankedBy

Key = TypeVar("Key")
WHOLE_PLACE = 100
"""Place points for finishing ahead of every opponent."""


@dataclass(frozen=True, slots=True)
class Finish(Generic[Key]):
    """A player's finish: ``side`` identifies the partnership, ``rank`` its place, from 1."""

    who: Key
    side: int
    rank: int


def place_points(game: Sequence[Finish[Key]]) -> list[Fraction]:
    """Return each player's place points: the percentage of opponents who finished behind.

    An opponent at the same place counts half; partners are not opponents. Four players get 100, 67, 33 and 0; two get
    100 and 0; two who share first place among four get 83 each.

    >>> [str(each) for each in place_points([Finish("a", 0, 1), Finish("b", 1, 2), Finish("c", 2, 2)])]
    ['100', '25', '25']
    """
    points = []
    for own in game:
        others = [other.rank for other in game if other.side != own.side]
        behind = sum((Fraction(2 * (rank > own.rank) + (rank == own.rank), 2) for rank in others), Fraction())
        points.append(WHOLE_PLACE * behind / len(others) if others else Fraction())
    return points


class Tally(NamedTuple):
    """A player's totals over several games; a shared win counts as a fraction."""

    games: int = 0
    wins: Fraction = Fraction()
    places: Fraction = Fraction()


def tallies(games: Iterable[Sequence[Finish[Key]]]) -> defaultdict[Key, Tally]:
    made: defaultdict[Key, Tally] = defaultdict(Tally)
    for game in games:
        first = sum(each.rank == 1 for each in game)
        for each, places in zip(game, place_points(game), strict=True):
            own = made[each.who]
            won = Fraction(each.rank == 1, first)
            made[each.who] = Tally(own.games + 1, own.wins + won, own.places + places)
    return made


def ranks(made: Mapping[Key, Tally], by: str) -> dict[Key, int]:
    """Return everyone's rank, from 1. Wins break ties in places, and vice versa; equals share a rank."""
    order = {who: (own.places, own.wins) if by == RankedBy.PLACES else own[1:] for who, own in made.items()}
    return {who: 1 + sum(other > own for other in order.values()) for who, own in order.items()}
