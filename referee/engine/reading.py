"""Reading and writing the events of a record, each by its kind; whether one may stand is left to the referee."""

from collections.abc import Callable, Mapping
from typing import Any

from referee.engine.cards import Pack
from referee.engine.catalogue import event_kinds
from referee.engine.event_kinds import SETTLES, UNSAID, Event
from referee.engine.reader import Reader
from referee.engine.translation import Listing, phrase


def read_event(reader: Reader, data: object, pointer: str) -> Event | None:
    """Read one event; ``None`` where something is wrong, which the reader notes."""
    if not isinstance(data, (dict, Mapping)):
        reader.mapping(data, pointer)
        return None
    kind_name = data.get("type")
    kind = event_kinds().get(kind_name) if isinstance(kind_name, str) else None
    if kind is None:
        detail = phrase("An event’s type is one of: {types}.", types=Listing(tuple(event_kinds())))
        reader.shape(f"{pointer}/type", detail, "unknown-event" if "type" in data else "missing-key")
        return None
    before = len(reader.malformed)
    extra = None
    if not data.keys() <= kind.keys:
        extra = reader.keys(data, ("type", *(field.name for field in kind.fields), "accepted"), pointer)
    values: dict[str, Any] = {}
    for field in kind.fields:
        name = field.name
        value = data.get(name)
        if value is not None or (name in data and (field.needed or field.type.null)):
            values[name] = field.type.read(reader, value, f"{pointer}/{name}")
        elif field.needed:
            detail = phrase("An event of the type {event} needs the key {key}.", event=kind.name, key=repr(name))
            reader.shape(f"{pointer}/{name}", detail, "missing-key")
    accepted = data.get("accepted")
    if accepted is not None:
        reader.flag(accepted, f"{pointer}/accepted")
    if len(reader.malformed) > before:
        return None
    if accepted or extra:
        values |= {"accepted": bool(accepted), "extra": extra or None}
    event = kind.event(**values)
    problem = event.problem()
    if problem is not None:
        reader.value(pointer, problem)
    return event


def read_new_event(reader: Reader, data: object, pointer: str) -> Event | None:
    """Read one event that somebody sends: only what the table decides or remarks can settle a finding."""
    event = read_event(reader, data, pointer)
    if event is not None and event.extra and SETTLES in event.extra and not event.kind.settles:
        reader.value(f"{pointer}/{SETTLES}", "Only what the table decides or remarks can settle a finding.")
    return event


def load_event(data: object) -> Event:
    """Read one event that somebody sends; raises ``Refused`` with every problem."""
    return _load(data, read_new_event)


def stored_event(data: object) -> Event:
    """Read one event of a log, which was read when it came; what was refused later than that still stands."""
    return _load(data, read_event)


def _load(data: object, read: Callable[[Reader, object, str], Event | None]) -> Event:
    reader = Reader()
    event = read(reader, data, "")
    reader.check()
    assert event is not None
    return event


def dump_event(event: Event, pack: Pack | None = None) -> dict[str, object]:
    """Write an event as JSON-like data; with the pack in use, cards and suits by their canonical code."""
    data: dict[str, object] = {"type": event.type}
    for field in event.kind.fields:
        value = getattr(event, field.name)
        if value is UNSAID or (value is None and not field.needed and not field.type.null):
            continue
        if pack is not None:
            value = field.type.canonical(value, pack)
        if isinstance(value, tuple):
            value = list(value)
        elif isinstance(value, Mapping):
            value = dict(value)
        data[field.name] = value
    if event.accepted:
        data["accepted"] = True
    return data | dict(event.extra or {})
