"""What the record can take next, described so that any page or client can offer it."""

from dataclasses import dataclass
from typing import Literal

FieldKind = Literal["cards", "card", "suit", "number", "numbers", "points", "seat", "flag"]


@dataclass(frozen=True, slots=True)
class Field:
    """One field of an event that somebody has to fill in.

    ``cards`` and ``card`` take codes out of ``choices`` (all cards of the pack where it is
    empty), ``suit`` one of ``choices``, ``number`` and ``numbers`` (one per seat) lie between
    ``least`` and ``most``; ``points`` is a number too, sent as ``{winner's seat: number}``, and its
    ``choices`` are the numbers there are; ``count`` is how many cards one play may have.
    """

    name: str
    kind: FieldKind
    label: str
    choices: tuple[str, ...] = ()
    least: int = 0
    most: int = 0
    count: tuple[int, int] = (1, 1)
    optional: bool = False
    struck: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Ask:
    """One kind of event that may come now, for each of ``seats`` (empty: the table's own)."""

    event: str
    label: str
    seats: tuple[int, ...] = ()
    fields: tuple[Field, ...] = ()
    hidden: bool = False
