"""Someone at a table as pages show them: a letter in a circle of their colour, the same everywhere."""

from collections.abc import Sequence
from itertools import chain, cycle
from typing import NamedTuple

from scoring.groups.reads.looks import COLOURS, Look, kept_looks, looks_of, marks
from scoring.models import Person, Table


class Somebody(NamedTuple):
    """A name, what stands in the circle, and the circle's colour."""

    name: str
    mark: str
    colour: str


def people(names: Sequence[str], looks: Sequence[Look | None] = ()) -> tuple[Somebody, ...]:
    """Return the people of a table, seat by seat; ``looks`` are those that some have for good.

    Two of one colour do not sit at a table: the later one gets the first that is free.

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
    """Return the people of a table: those of its group as they are drawn everywhere, others by their seats."""
    return people(row.seats, kept_looks(row))


def of_group(members: Sequence[Person]) -> dict[int, Somebody]:
    """Return everyone of a group by id; who is merged into another stands as that one."""
    names, looks = {person.pk: person.name for person in members}, looks_of(members)
    own = {person.pk: person.counts_as for person in members}
    return {pk: Somebody(names[own[pk]], look.mark, look.colour) for pk, look in looks.items()}
