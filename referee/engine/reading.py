"""Reading what people and programs send: shapes and types, and the events of a record.

A ``Reader`` notes every mistake with a JSON pointer to it; whether an event may stand is left to
the referee.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields
from typing import Any

from referee.engine.events import EVENTS, DropDeuce, Event
from referee.engine.language import Listing, Phrase, say
from referee.engine.options import Problem, Refused

LARGEST = 1_000_000_000
LONGEST_TEXT = 2_000


class Reader:
    """Collects what is wrong while a record is read, with a JSON pointer for each."""

    def __init__(self) -> None:
        self.malformed: list[Problem] = []
        self.wrong: list[Problem] = []

    def shape(self, pointer: str, detail: Phrase | str, code: str = "wrong-type") -> None:
        """Note a wrong shape or type (400); after so many, nobody reads on."""
        self.malformed.append(Problem(pointer, code, detail))
        if len(self.malformed) >= MOST_PROBLEMS:
            self.check()

    def value(self, pointer: str, detail: Phrase | str, code: str = "bad-value") -> None:
        """Note a value that cannot be (422), as long as somebody reads on."""
        if len(self.wrong) < MOST_PROBLEMS:
            self.wrong.append(Problem(pointer, code, detail))

    def check(self) -> None:
        """Raise ``Refused`` when something was wrong; shapes come first."""
        if self.malformed:
            raise Refused(self.malformed[:MOST_PROBLEMS], malformed=True)
        if self.wrong:
            raise Refused(self.wrong[:MOST_PROBLEMS])

    def integer(self, value: object, pointer: str) -> int | None:
        """Read a whole number of sensible size."""
        if type(value) is int and -LARGEST <= value <= LARGEST:
            return value
        self.shape(pointer, "A whole number is needed here.")
        return None

    def text(self, value: object, pointer: str, longest: int = LONGEST_TEXT) -> str | None:
        """Read a text of sensible length."""
        if isinstance(value, str) and len(value) <= longest:
            return value
        self.shape(pointer, say("A text of at most {most} characters is needed here.", most=longest))
        return None

    def array(self, value: object, pointer: str) -> Sequence[object]:
        """Read a list."""
        if isinstance(value, list | tuple):
            return value
        self.shape(pointer, "A list is needed here.")
        return ()

    def mapping(self, value: object, pointer: str) -> Mapping[str, Any]:
        """Read an object."""
        if isinstance(value, Mapping):
            return value
        self.shape(pointer, "An object is needed here.")
        return {}

    def keys(self, value: Mapping[str, object], known: Sequence[str], pointer: str) -> dict[str, object]:
        """Refuse unknown keys, and return those that start with ``x_`` to be kept."""
        extra = {}
        for key, kept in value.items():
            if key.startswith("x_"):
                extra[key] = kept
            elif key not in known:
                detail = say(
                    "There is no key {key} here; there are: {known}.", key=repr(key[:40]), known=Listing(tuple(known))
                )
                self.shape(f"{pointer}/{key[:40]}", detail, "unknown-key")
        return extra


MOST_PROBLEMS = 20
"""How many problems one answer lists."""

Read = Callable[[Reader, object, str], object]


def read_integers(reader: Reader, value: object, pointer: str) -> object:
    items = reader.array(value, pointer)
    return tuple(reader.integer(item, f"{pointer}/{i}") for i, item in enumerate(items))


def read_cards(reader: Reader, value: object, pointer: str) -> object:
    items = reader.array(value, pointer)
    return tuple(reader.text(item, f"{pointer}/{i}") for i, item in enumerate(items))


def _flag(reader: Reader, value: object, pointer: str) -> object:
    if not isinstance(value, bool):
        reader.shape(pointer, "true or false is needed here.")
    return value


def _points(reader: Reader, value: object, pointer: str) -> object:
    items = reader.mapping(value, pointer)
    return {str(key): reader.integer(item, f"{pointer}/{key[:20]}") for key, item in items.items()}


READERS: dict[str, Read] = {
    "seat": lambda r, v, p: r.integer(v, p),
    "king": lambda r, v, p: None if v is None else r.integer(v, p),
    "winner": lambda r, v, p: r.integer(v, p),
    "from_seat": lambda r, v, p: r.integer(v, p),
    "to_seat": lambda r, v, p: r.integer(v, p),
    "suit": lambda r, v, p: r.text(v, p),
    "last": lambda r, v, p: r.text(v, p),
    "text": lambda r, v, p: r.text(v, p),
    "reason": lambda r, v, p: r.text(v, p),
    "trump": lambda r, v, p: None if v is None else r.text(v, p),
    "given": lambda r, v, p: None if v is None else r.text(v, p),
    "returned": lambda r, v, p: None if v is None else r.text(v, p),
    "cards": read_cards,
    "cards_left": read_integers,
    "accepted": _flag,
    "constipated": _flag,
}
"""How each field of an event is read; ``tricks`` and ``points`` depend on the event."""

BY_EVENT: dict[tuple[str, str], Read] = {
    ("bid", "tricks"): lambda r, v, p: r.integer(v, p),
    ("transfer", "tricks"): lambda r, v, p: r.integer(v, p),
    ("result", "tricks"): read_integers,
    ("result", "points"): read_integers,
    ("penalty", "points"): lambda r, v, p: r.integer(v, p),
    ("trick", "points"): _points,
}
NEEDED = {
    "play": ("seat", "cards"), "bid": ("seat", "tricks"), "ransom": ("seat", "cards"),
    "trump": ("seat", "suit"), "ruling-card": ("seat", "cards"), "suit": ("seat", "suit"),
    "drop-deuce": ("king",), "pass": ("seat",), "trick": ("winner",), "result": (),
    "note": ("text",), "penalty": ("seat", "points"),
    "transfer": ("from_seat", "to_seat", "tricks"), "redeal": (), "end": (),
}  # fmt: skip
SAYS_NULL = {("trick", "trump"), ("drop-deuce", "given"), ("drop-deuce", "returned")}
"""Fields whose ``null`` says something; any other optional field may be ``null`` for left out."""
KEYS = {name: tuple(f.name for f in fields(kind) if f.name != "extra") for name, kind in EVENTS.items()}


def read_event(reader: Reader, data: object, pointer: str) -> Event | None:
    """Read one event; ``None`` where something is wrong, which the reader notes."""
    given = reader.mapping(data, pointer)
    if not isinstance(data, Mapping):
        return None
    name = given.get("type")
    kind = EVENTS.get(name) if isinstance(name, str) else None
    if kind is None:
        reader.shape(
            f"{pointer}/type", say("An event’s type is one of: {types}.", types=Listing(tuple(EVENTS))), "unknown-event"
        )
        return None
    before = len(reader.malformed)
    extra = reader.keys(given, ("type", *KEYS[kind.type]), pointer)
    values: dict[str, Any] = {}
    for key in KEYS[kind.type]:
        if key in given and (given[key] is not None or key in NEEDED[kind.type] or (kind.type, key) in SAYS_NULL):
            read = BY_EVENT.get((kind.type, key)) or READERS[key]
            values[key] = read(reader, given[key], f"{pointer}/{key}")
        elif key in NEEDED[kind.type]:
            reader.shape(
                f"{pointer}/{key}",
                say("An event of the type {event} needs the key {key}.", event=kind.type, key=repr(key)),
                "missing-key",
            )
    if len(reader.malformed) > before:
        return None
    event = kind(**values, extra=extra or None)
    if isinstance(event, DropDeuce) and event.king is None and _exchanged(values):
        detail = "Without a king nothing is exchanged: no cards, and nobody is constipated."
        reader.value(pointer, detail)
    return event


def _exchanged(values: Mapping[str, Any]) -> bool:
    cards = values.get("given") is not None or values.get("returned") is not None
    return cards or bool(values.get("constipated"))


def load_event(data: object) -> Event:
    """Read one event by itself; raises ``Refused`` with every problem."""
    reader = Reader()
    event = read_event(reader, data, "")
    reader.check()
    assert event is not None
    return event
