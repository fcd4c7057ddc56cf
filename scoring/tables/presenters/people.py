"""Somebody at a table as pages show them: a letter in a circle of their colour, the same everywhere."""

from collections.abc import Sequence
from typing import NamedTuple

COLOURS = ("blue", "orange", "green", "pink", "purple", "yellow", "red", "sky")
"""The colours of the seats in their order: light and dark ones alternate, so that neighbours differ in lightness."""


class Somebody(NamedTuple):
    """A name, what stands in the circle, and the circle's colour."""

    name: str
    mark: str
    colour: str


def people(names: Sequence[str], chosen: Sequence[str] = ()) -> tuple[Somebody, ...]:
    """Return the people of a table, seat by seat; ``chosen`` are the colours that some have for good.

    Two of one colour do not sit at a table: the later one gets the first that is free.

    >>> [(who.mark, who.colour) for who in people(("Anna", "Ben", "Alma"))]
    [('An', 'blue'), ('B', 'orange'), ('Al', 'green')]
    """
    wanted = [chosen[seat] if seat < len(chosen) else "" for seat in range(len(names))]
    taken = {colour for colour in wanted if colour}
    free = iter([colour for colour in COLOURS if colour not in taken] + list(COLOURS))
    colours: list[str] = []
    for colour in wanted:
        colours.append(next(free) if not colour or colour in colours else colour)
    return tuple(map(Somebody, names, marks(names), colours))


def marks(names: Sequence[str]) -> tuple[str, ...]:
    """Return a letter for each name, two where the first is somebody else's as well."""
    shown = [name[:1].upper() for name in names]
    for seat, name in enumerate(names):
        if sum(other[:1].upper() == name[:1].upper() for other in names) > 1:
            rest = [other[:2].casefold() for place, other in enumerate(names) if place != seat]
            second = name[-1:] if name[:2].casefold() in rest else name[1:2]
            shown[seat] += second.lower()
    return tuple(shown)
