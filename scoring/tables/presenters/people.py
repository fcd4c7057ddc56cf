"""Presenters of players: a letter in a colored circle, the same everywhere."""

from collections.abc import Sequence
from itertools import chain, cycle
from typing import NamedTuple

from scoring.groups.reads.looks import COLOURS, Look, kept_looks, looks_of, marks
from scoring.models import Person, Table


class Somebody(NamedTuple):
    """A player: name, letters in the circle, and its color."""

    name: str
    mark: str
    colour: str


def people(names: Sequence[str], looks: Sequence[Look | None] = ()) -> tuple[Somebody, ...]:
    """Return the players of a table by seat; ``looks`` are the fixed ones of known people.

    Colors are unique at a table: if two players have the same, the later one gets the first free one.

    >>> [(who.mark, who.colour) for who in people(("Anna", "Ben", "Alma"))]
    [('An', 'blue'), ('B', 'orange'), ('Al', 'green')]
    >>> [(who.mark, who.colour) for who in people(("Anna", "Ben", "Alma"), (Look("red", "A"), None, Look("red", "Al")))]
    [('A', 'red'), ('B', 'blue'), ('Al', 'orange')]
    """
    own = [looks[seat] if seat < len(looks) else None for seat in range(len(names))]
    wanted = [look.colour if look else "" for look in own]
    taken = {colour for colour in wanted if colour}
    free = chain([colour for colour in COLOURS if colour not in taken], cycle(COLOURS))
    colours: list[str] = []
    for colour in wanted:
        colours.append(next(free) if not colour or colour in colours else colour)
    return tuple(map(Somebody, names, marks(names, [look.mark if look else "" for look in own]), colours))


def at_table(row: Table) -> tuple[Somebody, ...]:
    """Return a table's players: people of its group with their own look, others by seat."""
    return people(row.seats, kept_looks(row))


def of_group(members: Sequence[Person]) -> dict[int, Somebody]:
    """Return a group's people by id; a merged person is shown as the one they were merged into."""
    names, looks = {person.pk: person.name for person in members}, looks_of(members)
    own = {person.pk: person.counts_as for person in members}
    return {pk: Somebody(names[own[pk]], look.mark, look.colour) for pk, look in looks.items()}
