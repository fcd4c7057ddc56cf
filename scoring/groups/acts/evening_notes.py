"""Validating places, notes and tags, and changing those of an evening."""

from collections.abc import Callable, Mapping, Sequence
from datetime import date
from typing import Any

from referee.engine.reader import Reader, as_seen
from referee.engine.texts import phrase
from scoring.groups.acts.groups import first_of, group_turn
from scoring.models import EveningNote, Table
from scoring.models.table import LONGEST_PLACE
from scoring.operating.acts.database import past_deadlocks
from scoring.tables.acts.exceptions import NoSuchEvening
from scoring.tables.acts.keys import Caller

LONGEST_NOTE, LONGEST_TAG, MOST_TAGS = 2000, 30, 10


def read_place(reader: Reader, value: object, pointer: str) -> str:
    """Read a place, which must be a single line."""
    return reader.label(value, pointer, LONGEST_PLACE)


def read_note(reader: Reader, value: object, pointer: str) -> str:
    note = (reader.text(value, pointer, LONGEST_NOTE) or "").strip()
    if note:
        reader.words(note, pointer)
    return note


def read_tags(reader: Reader, value: object, pointer: str) -> list[str]:
    """Read tags without a leading ``#``; duplicates that differ only in case are dropped."""
    read = dict[str, str]()
    for place, each in enumerate(reader.array(value, pointer)):
        tag = reader.label(each, f"{pointer}/{place}", LONGEST_TAG).removeprefix("#").strip()
        if tag:
            read.setdefault(as_seen(tag), tag.replace(",", " "))
    if len(read) > MOST_TAGS:
        reader.value(pointer, phrase("Use up to {most} tags.", most=MOST_TAGS))
    return [*read.values()]


READ_SAID: Mapping[str, Callable[[Reader, object, str], Any]] = {
    "place": read_place, "note": read_note, "tags": read_tags,
}  # fmt: skip


@past_deadlocks
def note_evening(
    code: str,
    evening: date,
    caller: Caller,
    *,
    place: object = None,
    note: object = None,
    tags: Sequence[object] | None = None,
) -> EveningNote:
    """Change the place, note and tags of an evening; ``None`` leaves a field as it is.

    Raises ``Refused`` and ``NoSuchEvening``.
    """
    reader = Reader()
    changes = {
        name: READ_SAID[name](reader, value, f"/{name}")
        for name, value in (("place", place), ("note", note), ("tags", tags))
        if value is not None
    }
    reader.check()
    with group_turn(code, caller, caller.fingerprint("note-evening", [evening.isoformat(), changes])) as turn:
        first_of(Table.objects.filter(group=turn.group, evening=evening), NoSuchEvening)
        said, _new = EveningNote.objects.update_or_create(group=turn.group, evening=evening, defaults=changes)
        return said
