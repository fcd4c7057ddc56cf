"""Ranking over several games: by wins or by places, since points of different games are never added."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Generic, NamedTuple, TypeVar

from scoring.models import RankedBy

Key = TypeVar("Key")
WHOLE_PLACE = 100
"""What a game brings whoever finishes ahead of every opponent."""


@dataclass(frozen=True, slots=True)
class Finish(Generic[Key]):
    """Where someone finished in a game: with whom (``side``), and at which place of the sides, from 1."""

    who: Key
    side: int
    rank: int


def place_points(game: Sequence[Finish[Key]]) -> list[Fraction]:
    """Return what a game brings each player by the place: the share of opponents who finished behind, of 100.

    An opponent at the same place counts half; partners are no opponents. So four players get 100, 67, 33 and 0, two
    get 100 and 0, and two who share the first of four places get 83 each.

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
    """What someone's games add up to; a shared win is a part of one for each who shares it."""

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
    """Return everyone's rank, from 1; the other of wins and places breaks a tie, and who is equal in both shares."""
    order = {who: (own.places, own.wins) if by == RankedBy.PLACES else own[1:] for who, own in made.items()}
    return {who: 1 + sum(other > own for other in order.values()) for who, own in order.items()}
