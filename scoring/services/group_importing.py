"""Importing a group from its archive: all of it or nothing, every table judged again from its log."""

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date, datetime
from typing import Any

from django.db import DataError, IntegrityError, transaction
from django.utils import timezone

from referee.engine.bounds import TooCostly, Watch, no_watch
from referee.engine.options import Problem, Refused
from referee.engine.reader import Reader
from referee.engine.reading import load_event
from referee.engine.records import read_table
from referee.engine.snapshot import dump_table
from referee.engine.table import open_table
from referee.engine.translation import phrase
from scoring.models import (
    Colour,
    DealtHand,
    Group,
    GroupImport,
    HandSheet,
    Person,
    Precedent,
    SeatedPerson,
    Table,
)
from scoring.models.group import LONGEST_NAME
from scoring.queries.archiving import DECIDED, FORMAT, ROW
from scoring.queries.disputes import MAJORITY, NEUTRAL
from scoring.queries.log import hands_as_they_were
from scoring.queries.rules import dump_end
from scoring.queries.verifying import differences
from scoring.services.dispute_index import index_disputes
from scoring.services.groups import NewGroupLink, check_names, first_link, made_before, new_group
from scoring.services.keys import fingerprint_of, oldest_key, stored_key
from scoring.services.precedents import check_precedent
from scoring.services.rewriting import sheet_of
from scoring.services.scores import score_table
from scoring.services.tables import insert_table
from scoring.services.writing import LogRow, add_to_log

MOST = 10**9
LONGEST_BY, LONGEST_REASON = 80, 2000
CHOOSING = {"seat", "chosen", "again", "confirmed"}
NOT_SO = (KeyError, TypeError, ValueError, IndexError, AttributeError, AssertionError, IntegrityError, DataError)
"""What reading something that is no archive ends in."""


class Unfinished(Exception):  # noqa: N818 - nothing failed: there was no more time
    """So many tables of so many are there; the same archive, given again, goes on from them."""

    def __init__(self, done: int, tables: int) -> None:
        super().__init__(done, tables)
        self.done, self.tables = done, tables


def import_group(
    lines: Iterable[str],
    *,
    digest: str,
    key: str | None = None,
    body: str = "",
    watch: Watch = no_watch,
    progress: Callable[[int, int], None] = lambda _done, _all: None,
) -> NewGroupLink:
    """Make a group from its archive, with a member's link; a retry under the same ``key`` brings no other.

    Table by table: an import that was cut goes on where it stopped once the archive of this ``digest`` is given again.
    Before it is whole nobody has a link, so nothing of it is visible. ``progress`` is told how many tables of how many
    are there. Raises ``Unfinished`` where ``watch`` has no more time or somebody else brings it, ``Refused`` with the
    line that is none of an archive, or whose log is not that of a game, and ``KeyReused``; nothing is left of what is
    refused.
    """
    fingerprint = fingerprint_of("archive", body, key)
    before = made_before(key, fingerprint)
    if before is not None:
        return before
    number, coming = 0, None
    try:
        read = (json.loads(line) for line in lines if line.strip())
        head: Any = next(read, None)
        coming = GroupImport.objects.filter(digest=digest).first() or _begin(head, digest)
        people = list(Person.objects.filter(group=coming.group).order_by("pk"))
        tables = list(Table.objects.filter(group=coming.group).order_by("pk"))
        for number, data in enumerate(read, 1):
            if number <= len(tables):
                continue
            watch()
            with transaction.atomic():
                # One at a time: whoever else brings this archive just now is ahead.
                if not GroupImport.objects.filter(pk=coming.pk, done=number - 1).update(done=number, at=timezone.now()):
                    raise Unfinished(number - 1, head["tables"])
                tables.append(load_table_in_full(data, coming.group, people, tables))
            progress(number, head["tables"])
        if len(tables) != head["tables"]:
            raise ValueError("some of it is missing")
        with transaction.atomic():
            for each in head.get("precedents", ()):
                _precedent(each, coming.group, tables)
            return _finish(coming, key, fingerprint)
    except TooCostly:
        assert coming is not None
        raise Unfinished(number - 1, head["tables"]) from None
    except Refused:
        _leave(coming)
        raise
    except NOT_SO as problem:
        _leave(coming)
        detail = phrase("Line {line} is not what an archive of a group has there.", line=number + 1)
        raise Refused([Problem(f"/{number}", "bad-archive", detail)]) from problem


@transaction.atomic
def _begin(head: Any, digest: str) -> GroupImport:
    group, _people = _group(head)
    return GroupImport.objects.create(group=group, digest=digest)


def _leave(coming: GroupImport | None) -> None:
    if coming is not None:
        coming.group.delete()


@transaction.atomic
def _finish(coming: GroupImport, key: str | None, fingerprint: str) -> NewGroupLink:
    """Let the group be seen: make its first link, under the key of the request that ended it."""
    group = Group.objects.get(pk=coming.group_id)
    group.key, group.fingerprint = key and stored_key(key), fingerprint
    group.save(update_fields=["key", "fingerprint"])
    coming.delete()
    return first_link(group, key, fingerprint)


def forget_cut_imports() -> int:
    """Delete groups whose import was cut and never taken up again, and return how many there were."""
    cut = list(GroupImport.objects.filter(at__lt=oldest_key()).select_related("group"))
    for coming in cut:
        coming.group.delete()
    return len(cut)


def digest_of(lines: Iterable[str]) -> str:
    """Return by what an archive is known again."""
    digest = hashlib.sha256()
    for line in lines:
        if line.strip():
            digest.update(line.strip().encode() + b"\n")
    return digest.hexdigest()


def _group(head: Any) -> tuple[Group, list[Person]]:
    if head["format"] != FORMAT:
        raise ValueError(head["format"])
    names = [each["name"] for each in head["people"]]
    check_names(names)
    group = new_group(_text(head["name"], LONGEST_NAME))
    Group.objects.filter(pk=group.pk).update(
        created=_moment(head["created"]),
        counts_revokes=_flag(head["counts_revokes"]),
        shares_rulings=_flag(head.get("shares_rulings", False)),
    )
    people = [_person(group, data) for data in head["people"]]
    for person, data in zip(people, head["people"], strict=True):
        if data["merged_into"] is not None:
            person.merged_into = people[_whole(data["merged_into"])]
            Person.objects.filter(group=group, pk=person.pk).update(merged_into=person.merged_into)
    return group, people


def _person(group: Group, data: Any) -> Person:
    colour = _text(data["colour"], LONGEST_NAME, empty=True)
    if colour not in ("", *Colour.values):
        raise ValueError(colour)
    aliases = [_text(each, LONGEST_NAME) for each in data["aliases"]]
    name = _text(data["name"], LONGEST_NAME)
    person = Person.objects.create(group=group, name=name, aliases=aliases, colour=colour)
    Person.objects.filter(pk=person.pk).update(created=_moment(data["created"]))
    return person


def _precedent(data: Any, group: Group, tables: Sequence[Table]) -> None:
    made = Precedent(group=group, since=_moment(data["since"]), **{name: data[name] for name in DECIDED})
    made.table = None if data["table"] is None else tables[_whole(data["table"])]
    made.dispute = None if data["dispute"] is None else _whole(data["dispute"])
    check_precedent(made)
    made.save(force_insert=True)


def load_table_in_full(
    data: Any, group: Group | None = None, people: Sequence[Person] = (), before: Sequence[Table] = (), **more: Any
) -> Table:
    """Store a table with its whole log, judged again; ``more`` are fields of its own.

    Raises ``Refused``, and what is among ``NOT_SO`` where something is none of what an archive has.
    """
    reader = Reader()
    rules, seats, dealer, carried = read_table(reader, data)
    reader.check()
    assert rules is not None
    extra = {str(name): value for name, value in data["extra"].items() if name.startswith("x_")}
    state = open_table(rules, first_dealer=dealer, carried=carried)
    entries = [_entry(row) for row in data["log"]]
    moments = {name: _moment(data[name]) for name in ("created", "updated")}
    row = insert_table(
        Table(
            group=group,
            game=rules.game.id,
            options=dict(rules.options),
            end=dump_end(rules.end),
            seats=list(seats),
            first_dealer=dealer,
            carried=list(state.carried),
            extra=extra,
            private=_flag(data["private"]),
            previous=None if data["previous"] is None else before[_whole(data["previous"])],
            evening=date.fromisoformat(data["evening"]),
            version=len(entries),
            agreed=_agreed(data["agreed"]),
            ruled_by=_ruled_by(data.get("ruled_by", {})),
            shares_rulings=_flag(data.get("shares_rulings", False)),
            snapshot=dump_table(state),
            **more,
        )
    )
    add_to_log(row.pk, entries)
    DealtHand.objects.bulk_create(_dealt(row, each) for each in data["dealt"])
    SeatedPerson.objects.bulk_create(
        SeatedPerson(table=row, seat=seat, person=people[_whole(person)])
        for seat, person in enumerate(data["people"][: len(seats)])
        if person is not None
    )
    index_disputes(row)
    _judge(row)
    over = None if data["finished_at"] is None else _moment(data["finished_at"])
    # Only in a group it is noted when a game was over that came to its end elsewhere.
    if (over is not None) != row.finished and (over is not None or group is not None):
        raise ValueError("finished_at")
    row.finished_at = over
    Table.objects.filter(pk=row.pk).update(finished_at=over, **moments)
    row.refresh_from_db(fields=["created", "updated"])
    score_table(row)
    return row


def _judge(row: Table) -> None:
    """Work out from the log of a table where it stands; raises ``ValueError`` where that is not the log of a game."""
    hands = hands_as_they_were(row, row.version)
    if hands:
        last = hands[-1]
        row.snapshot, row.hand_start, row.hand_number = dump_table(last.state), dump_table(last.start), last.number
        row.finished = last.state.finished()
        row.save(update_fields=["snapshot", "hand_start", "hand_number", "finished"])
        HandSheet.objects.bulk_create(sheet_of(row, hand) for hand in hands[:-1])
    if wrong := differences(row):
        raise ValueError(wrong[0])


def _entry(data: Any) -> LogRow:
    """Read a row of a log."""
    if len(data) != len(ROW):
        raise ValueError("a row of a log")
    values: dict[str, Any] = dict(zip(ROW, data, strict=True))
    for name in ("seq", "hand", "place", "batch"):
        _whole(values[name])
    for name in ("amends", "amended_by"):
        _whole(0 if values[name] is None else values[name])
    if values["event"] is not None:
        load_event(values["event"])
    values["by"] = _text(values["by"], LONGEST_BY, empty=True)
    values["reason"] = _text(values["reason"], LONGEST_REASON, empty=True)
    values["at"] = _moment(values["at"])
    values["choosing"] = None if values["choosing"] is None else _choosing(values["choosing"])
    return LogRow(**values)


def _choosing(data: Mapping[str, Any]) -> dict[str, Any]:
    if not set(data) <= CHOOSING or ("seat" in data and "confirmed" not in data and "again" not in data):
        raise ValueError("choosing")
    for value in data.values():
        for each in value if isinstance(value, list) else [value]:
            _whole(each)
    return dict(data)


def _agreed(data: Mapping[str, Any]) -> dict[str, Any]:
    for hand, each in data.items():
        _whole(int(hand))
        if set(each) != {"scores", "seats"} or not all(type(score) is int for score in each["scores"]):
            raise ValueError("agreed")
        for seat, seq in each["seats"].items():
            _whole(int(seat))
            _whole(seq)
    return dict(data)


def _ruled_by(data: Mapping[str, Any]) -> dict[str, Any]:
    """Read who decides disputes; a neutral phone stays with the installation that knows its link."""
    if set(data) - {"kind"} or data.get("kind", MAJORITY) not in (MAJORITY, NEUTRAL):
        raise ValueError("ruled_by")
    return dict(data)


def _dealt(row: Table, data: Any) -> DealtHand:
    number, known, extra, retired = data
    if not all(name.startswith("x_") for name in extra) or not isinstance(known, dict):
        raise ValueError("dealt")
    gone = None if retired is None else _whole(retired)
    return DealtHand(table=row, number=_whole(number), known=known, extra=extra, retired=gone)


def _whole(value: Any) -> int:
    if type(value) is not int or not 0 <= value <= MOST:
        raise ValueError(value)
    return value


def _flag(value: Any) -> bool:
    if type(value) is not bool:
        raise ValueError(value)
    return value


def _text(value: Any, longest: int, *, empty: bool = False) -> str:
    if type(value) is not str or len(value) > longest or not (value.strip() or empty) or "\0" in value:
        raise ValueError(value)
    return value


def _moment(value: Any) -> datetime:
    moment = datetime.fromisoformat(value)
    if moment.tzinfo is None:
        raise ValueError(value)
    return moment
