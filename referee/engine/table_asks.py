"""What a table may record beside the play at any time, as forms and clients ask for it."""

from collections.abc import Mapping
from functools import cache

from referee.engine.asks import Ask, Field, FieldKind
from referee.engine.event_kinds import Event, EventKind
from referee.engine.events import SHARED_EVENTS

ASKED_AS: Mapping[str, FieldKind] = {"seat": "seat", "number": "number", "options": "options"}
"""How a field is filled in that a table may record at any time; any other is a text."""


@cache
def asks_of_the_table(taken: tuple[type[Event], ...], players: int) -> tuple[Ask, ...]:
    """Return what can be recorded in every phase, among the kinds of events that a game's hands take."""
    kinds = [event.kind for event in SHARED_EVENTS if event in taken and event.kind.stays]
    return tuple(Ask(kind.name, kind.label, (), _asked_fields(kind, players)) for kind in kinds)


def _asked_fields(kind: EventKind, players: int) -> tuple[Field, ...]:
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
