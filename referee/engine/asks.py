"""What the record can take next, described so that any page or client can offer it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Literal

from referee.engine.event_kinds import Event, EventKind
from referee.engine.events import SHARED_EVENTS
from referee.engine.rulings import Reason

FieldKind = Literal["cards", "card", "suit", "number", "numbers", "points", "seat", "flag", "text", "options"]


@dataclass(frozen=True, slots=True)
class Field:
    """One field of an event that somebody has to fill in.

    ``cards`` and ``card`` take codes out of ``choices`` (all cards of the pack where it is
    empty), ``suit`` one of ``choices``, ``number`` and ``numbers`` (one per seat) lie between
    ``least`` and ``most``; ``points`` is a number too, sent as ``{winner's seat: number}``, and its
    ``choices`` are the numbers there are; ``count`` is how many cards one play may have.
    ``taken`` are cards that were among the choices until somebody took them. ``none`` says
    what leaving an optional field out means, ``after`` names the field without which this one
    says nothing, ``goes_with`` what a flag says where this is the choice, ``floors`` and ``ceilings`` bound each
    seat's number by itself and ``step`` is what they go up by,
    ``total`` is what ``numbers`` add up to, ``rest`` what the only one left out is
    where no sum tells it. ``marks`` says of some choices what
    choosing them would claim, by what everybody at the table can see; they may be chosen all
    the same. ``order`` lists all cards of the pack as the game ranks them, where that is not as the pack has them;
    ``usual`` is how many cards a play of these has as a rule now (0: that is open). ``warnings`` are worth
    knowing before anything is chosen.
    """

    name: str
    kind: FieldKind
    label: str
    choices: tuple[str, ...] = ()
    taken: tuple[str, ...] = ()
    least: int = 0
    most: int = 0
    count: tuple[int, int] = (1, 1)
    optional: bool = False
    struck: tuple[int, ...] = ()
    none: str = ""
    after: str = ""
    goes_with: Mapping[str, bool] = field(default_factory=dict)
    total: int | None = None
    rest: int | None = None
    floors: tuple[int, ...] = ()
    ceilings: tuple[int, ...] = ()
    step: int = 1
    marks: Mapping[str, Reason] = field(default_factory=dict)
    order: tuple[str, ...] = ()
    usual: int = 0
    warnings: tuple[Reason, ...] = ()


@dataclass(frozen=True, slots=True)
class Ask:
    """One kind of event that may come now, for each of ``seats`` (empty: the table's own).

    ``secret`` says that all choose before anybody sees what the others chose. ``preview`` says that ``Hand.preview``
    has something to say about it before it is recorded. ``fixed`` are fields that nobody fills in because they can
    only be this. ``telling``: which of its values fit would tell what the players are not to know yet.
    """

    event: str
    label: str
    seats: tuple[int, ...] = ()
    fields: tuple[Field, ...] = ()
    secret: bool = False
    preview: bool = False
    fixed: Mapping[str, str] = field(default_factory=dict)
    telling: bool = False


@dataclass(frozen=True, slots=True)
class FaceUp:
    """Cards, or a suit alone, that lie open on the table for the whole hand, and what they are called."""

    label: str
    cards: tuple[str, ...] = ()
    suit: str | None = None


@dataclass(frozen=True, slots=True)
class Preview:
    """What an event that is being put together would be; ``fits`` is ``None`` where nothing is decided by it."""

    fits: bool | None
    reasons: tuple[Reason, ...]


ASKED_AS: Mapping[str, FieldKind] = {"seat": "seat", "number": "number", "options": "options"}
"""How a field is filled in that a table may record at any time; any other is a text."""


@cache
def asks_of_the_table(taken: tuple[type[Event], ...], players: int) -> tuple[Ask, ...]:
    """Return what can be recorded in every phase, among the kinds of events that a game's hands take."""
    kinds = [event.kind for event in SHARED_EVENTS if event in taken and event.kind.stays]
    return tuple(Ask(kind.name, kind.label, (), _fields_of(kind, players)) for kind in kinds)


def _fields_of(kind: EventKind, players: int) -> tuple[Field, ...]:
    seats = tuple(map(str, range(players)))
    return tuple(
        Field(
            field.name,
            ASKED_AS.get(field.type.name, "text"),
            field.shown.label,
            choices=seats if field.type.name == "seat" else (),
            least=field.shown.least,
            most=field.shown.most,
            optional=not field.needed,
        )
        for field in kind.fields
        if field.shown is not None
    )
