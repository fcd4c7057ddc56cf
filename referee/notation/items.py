"""The events of a hand as items of lines, and back: which line an event stands on, and what an item is.

Events are taken as records hold them (``dump_event``); one of a kind that no line knows is written on a line
``Event:``, as it stands.
"""

from collections.abc import Iterator, Mapping, Sequence

from referee.engine.catalogue import event_kinds
from referee.engine.sheet import EventData as Data
from referee.notation import words
from referee.notation.cursor import Cursor
from referee.notation.patterns import Pattern, pattern_for, patterns_of
from referee.notation.words import Names

ANY_EVENT = "Event"
"""The word that begins a line on which an event stands as JSON."""


def write_item(event: Data, names: Names) -> str:
    """Write one event as an item, with the table's consent (``!``) and its ``x_`` keys."""
    pattern = pattern_of(event)
    if pattern is None:
        return words.value(event)
    tail = suffix(event)
    if pattern.line.whole and not tail:
        return words.line_text(event[_only_field(pattern)])
    return pattern.write(event, names) + tail


def pattern_of(event: Data) -> Pattern | None:
    """Return the pattern by which an event is written, if a line knows it."""
    kind = event_kinds().get(event["type"])
    return None if kind is None else pattern_for(kind, event)


def suffix(event: Data) -> str:
    """Return what may end any item: `` !`` for the consent of the table, and the ``x_`` keys as JSON."""
    extra = {key: item for key, item in event.items() if key.startswith("x_")}
    return (" !" if event.get("accepted") else "") + (f" {words.value(extra)}" if extra else "")


def head_of(event: Data) -> str:
    """Return the word that begins the line of an event."""
    pattern = pattern_of(event)
    return ANY_EVENT if pattern is None else pattern.line.head


def is_shared(event: Data) -> bool:
    """Return whether the line of an event takes several events of its kind in a row."""
    pattern = pattern_of(event)
    return pattern is not None and pattern.line.shared


def _only_field(pattern: Pattern) -> str:
    return next(piece.field.name for piece in pattern.item if piece.field)


# -- reading ------------------------------------------------------------------------------------


def heads() -> Mapping[str, Sequence[Pattern]]:
    """Return the patterns of all events by the word that begins their line, in small letters."""
    found: dict[str, list[Pattern]] = {}
    for kind in event_kinds().values():
        for pattern in patterns_of(kind):
            found.setdefault(pattern.line.head.casefold(), []).append(pattern)
    return found


def stands_alone(patterns: Sequence[Pattern]) -> bool:
    """Return whether a line may end after the word that begins it."""
    return all(
        not pattern.clauses and all(piece.field and not piece.field.needed for piece in pattern.item)
        for pattern in patterns
    )


def whole_text(patterns: Sequence[Pattern], text: str) -> dict[str, object] | None:
    """Return the event of a line whose text stands bare up to its end; ``None`` where it is read as an item."""
    pattern = patterns[0]
    if not pattern.line.whole or text[:1] == '"':
        return None
    return {"type": pattern.kind.name, _only_field(pattern): text}


def read_items(patterns: Sequence[Pattern], line: Cursor) -> Iterator[tuple[int, dict[str, object]]]:
    """Read the events of a line, each with its column."""
    while True:
        column = line.column
        telling = next((pattern for pattern in patterns if pattern.begins(line)), None)
        yield column, (telling or patterns[0]).read(line) | line.suffix()
        if line.done():
            return
        if not line.take("mark", ","):
            raise line.wrong("A comma, or the end of the line, is expected.")
