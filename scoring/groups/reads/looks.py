"""How people are drawn on every page: one or two letters in a circle of their color."""

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from typing import NamedTuple

from scoring.models import Person, Table

COLOURS = ("blue", "orange", "green", "pink", "purple", "yellow", "red", "sky")
"""The colors of seats and people, in order: light and dark alternate, so that neighbors differ."""


class Look(NamedTuple):
    """A person's color, and the one or two letters in the circle."""

    colour: str
    mark: str


def looks_of(people: Sequence[Person]) -> dict[int, Look]:
    """Return looks by person id; merged people share one.

    People without a color, as in old archives, get a rarely used one, always the same.
    """
    counted = {person.counts_as for person in people}
    own = [person for person in people if person.pk in counted]
    worn, colours = [person.colour for person in own if person.colour], list[str]()
    for person in own:
        colours.append(person.colour or least_worn(worn))
        worn += [] if person.colour else colours[-1:]
    lettered = marks([person.name for person in own])
    looks = {person.pk: Look(*look) for person, *look in zip(own, colours, lettered, strict=True)}
    return looks | {person.pk: looks[person.counts_as] for person in people if person.counts_as in looks}


def least_worn(worn: Collection[str]) -> str:
    """Return the least used color, the first one on a tie.

    >>> least_worn(["blue", "green", "orange"]), least_worn([*COLOURS, "blue"])
    ('pink', 'orange')
    """
    number = Counter(worn)
    return min(COLOURS, key=lambda colour: number[colour])


def marks(names: Sequence[str], given: Sequence[str] = ()) -> tuple[str, ...]:
    """Return a letter for each name, or two where first letters clash; ``given`` ones are kept.

    >>> marks(["Anna", "Ben", "Alma", "Annika", "Player 1", "Player 2"])
    ('An', 'B', 'Al', 'Ai', 'P1', 'P2')
    """
    shown = [given[place] if place < len(given) else "" for place in range(len(names))]
    initials = Counter(name[:1].upper() for name in names)
    for place, name in enumerate(names):
        if not shown[place]:
            first = name[:1].upper()
            pairs = [first + letter for letter in _seconds(name)]
            possible = pairs if initials[first] > 1 and pairs else [first, *pairs]
            shown[place] = next((mark for mark in possible if mark not in shown), possible[0])
    return tuple(shown)


def _seconds(name: str) -> Iterator[str]:
    """Yield candidates for a second letter: the initial of the last word, then the letters of the name."""
    words = name.split()
    if len(words) > 1:
        yield words[-1][:1].upper()
    yield from (letter.lower() for letter in name[1:] if letter.isalnum())


def seated_looks(members: Sequence[Person], seated: Sequence[int | None]) -> list[Look | None]:
    """Return the looks to store with a table, ``None`` for guests."""
    looks = looks_of(members)
    return [looks.get(person or 0) for person in seated]


def kept_looks(row: Table) -> tuple[Look | None, ...]:
    """Return the looks stored with a table; empty if it belongs to no group.

    >>> kept_looks(Table(looks=[["blue", "A"], None]))
    (Look(colour='blue', mark='A'), None)
    """
    return tuple(None if each is None else Look(*each) for each in row.looks)
