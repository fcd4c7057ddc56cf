"""Readers of the parts of a group's archive; each raises one of ``NOT_SO`` for invalid data."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from django.db import DataError, IntegrityError

from referee.engine.reader import Reader, breaks_lines
from referee.engine.records import MOST_SEATS, load_event
from referee.engine.rules import Problem, Refused
from referee.engine.texts import Listing, phrase
from scoring.groups.acts.evenings import READ_SAID
from scoring.groups.acts.groups import read_time_zone
from scoring.groups.reads.group_export import OPTIONAL, ROW
from scoring.models import DealtHand, Person, Table
from scoring.models.group import LONGEST_NAME
from scoring.rulings.reads.disputes import MAJORITY, NEUTRAL
from scoring.tables.reads.results import LOWEST

MOST = 10**9
LONGEST_BY, LONGEST_REASON = 80, 2000
CHOOSING = {"seat", "chosen", "again", "confirmed", "ruling", "carried", "keeper"}
NOT_SO = (
    KeyError, TypeError, ValueError, IndexError, AttributeError, AssertionError, ArithmeticError, RecursionError,
    IntegrityError, DataError,
)  # fmt: skip
"""The exceptions that an invalid archive can raise while it is read."""


def read_entry(place: int, data: Any) -> dict[str, Any]:
    """Read a row of a log: its values by the names of ``LogRow``. Raises ``Refused``, pointing to the row."""
    try:
        if len(data) != len(ROW):
            raise ValueError("a row of a log")
        values: dict[str, Any] = dict(zip(ROW, data, strict=True))
        for name in ("seq", "hand", "place", "batch"):
            read_whole(values[name])
        for name in ("amends", "amended_by"):
            read_whole(0 if values[name] is None else values[name])
        if values["event"] is not None:
            load_event(values["event"])
        if breaks_lines(read_text(values["by"], LONGEST_BY, empty=True)):
            raise ValueError("by")
        read_text(values["reason"], LONGEST_REASON, empty=True)
        values["at"] = read_moment(values["at"])
        if values["choosing"] is not None:
            _check_choosing(values["choosing"])
        return values
    except Refused as refused:
        first = refused.problems[0]
        unknown = first.code == "unknown-key"
        problem = Problem(f"/log/{place}{first.pointer}", first.code if unknown else "bad-log", first.phrase)
        raise Refused([problem], malformed=unknown) from None
    except NOT_SO:
        detail = phrase("This isn’t what a log has there.")
        raise Refused([Problem(f"/log/{place}", "bad-log", detail)]) from None


def _check_choosing(data: Mapping[str, Any]) -> None:
    if not set(data) <= CHOOSING or ("seat" in data and not {"confirmed", "ruling", "again"} & set(data)):
        raise ValueError("choosing")
    changed = data.get("carried", {"before": [], "after": []})
    if set(changed) != {"before", "after"} or not all(type(each) is int for part in changed.values() for each in part):
        raise ValueError("carried")
    for name, value in data.items():
        if name == "carried":
            continue
        if isinstance(value, list) is not (name in ("chosen", "again")):
            raise ValueError("choosing")
        for each in value if isinstance(value, list) else [value]:
            read_whole(each)


def read_seated(value: Any, seats: int, people: Sequence[Person]) -> list[int | None]:
    """Read a table's people by seat. Raises ``ValueError`` if one person, counting merges, has two seats."""
    seated = [None if person is None else read_whole(person) for person in value]
    known = [people[person].counts_as for person in seated if person is not None]
    if len(seated) not in (0, seats) or len(set(known)) < len(known):
        raise ValueError(value)
    return seated


def read_carried_from(data: Mapping[str, Any]) -> list[Any] | None:
    sources = data.get("carried_from")
    if sources is None:
        return None
    if data["previous"] is None or len(sources) != len(data["seats"]):
        raise ValueError("carried_from")
    for source in sources:
        if source not in (None, LOWEST):
            back, seat = source
            if not (read_whole(back) and read_whole(seat) < MOST_SEATS):
                raise ValueError("carried_from")
    return list(sources)


def read_agreed(data: Mapping[str, Any]) -> dict[str, Any]:
    for hand, each in data.items():
        read_whole(int(hand))
        if set(each) != {"scores", "seats"} or not all(type(score) is int for score in each["scores"]):
            raise ValueError("agreed")
        for seat, seq in each["seats"].items():
            read_whole(int(seat))
            read_whole(seq)
    return dict(data)


def read_ruled_by(data: Mapping[str, Any]) -> dict[str, Any]:
    """Read who decides disputes; a neutral phone's link is dropped, since it belongs to the exporting server."""
    if set(data) - {"kind"} or data.get("kind", MAJORITY) not in (MAJORITY, NEUTRAL):
        raise ValueError("ruled_by")
    return dict(data)


def read_dealt(row: Table, data: Any) -> DealtHand:
    number, known, extra, retired = data
    extra = read_extra(extra, "/dealt")
    if not isinstance(known, dict):
        raise ValueError("dealt")
    gone = None if retired is None else read_whole(retired)
    return DealtHand(table=row, number=read_whole(number), known=known, extra=extra, retired=gone)


def read_optional(data: Mapping[str, Any]) -> dict[str, Any]:
    reader = Reader()
    said = {name: read(reader, data.get(name, OPTIONAL[name]), f"/{name}") for name, read in READ_SAID.items()}
    reader.check()
    plain = {name: data.get(name, usual) for name, usual in OPTIONAL.items() if name not in said}
    for name, value in plain.items():
        if type(value) is not type(OPTIONAL[name]):
            raise ValueError(name)
    return plain | said


def read_whole(value: Any) -> int:
    if type(value) is not int or not 0 <= value <= MOST:
        raise ValueError(value)
    return value


def read_flag(value: Any) -> bool:
    if type(value) is not bool:
        raise ValueError(value)
    return value


def read_text(value: Any, longest: int, *, empty: bool = False) -> str:
    if type(value) is not str or len(value) > longest or not (value.strip() or empty) or "\0" in value:
        raise ValueError(value)
    return value


def read_name(value: Any) -> str:
    reader = Reader()
    reader.name(read_text(value, LONGEST_NAME), "")
    reader.check()
    return str(value)


def read_zone(value: object) -> str:
    reader = Reader()
    zone = read_time_zone(reader, value, "/time_zone")
    reader.check()
    return zone


def read_moment(value: Any) -> datetime:
    moment = datetime.fromisoformat(value)
    if moment.tzinfo is None:
        raise ValueError(value)
    return moment


def read_extra(data: Mapping[str, Any], pointer: str) -> dict[str, Any]:
    """Read extension keys, which begin with ``x_``."""
    only({key: value for key, value in data.items() if not key.startswith("x_")}, ("x_…",), pointer)
    return dict(data)


def only(data: Mapping[str, Any], known: Sequence[str], pointer: str) -> None:
    """Raise ``Refused`` for keys other than ``known``."""
    for key in data:
        if key not in known:
            detail = phrase(
                "There is no key {key} here; there are: {known}.", key=repr(key[:40]), known=Listing(tuple(known))
            )
            raise Refused([Problem(f"{pointer}/{key[:40]}", "unknown-key", detail)], malformed=True)
