"""Import of a group from its archive, all or nothing; every table is replayed from its log."""

import hashlib
import re
import time
from collections.abc import Callable, Generator, Iterable, Sequence
from contextlib import suppress
from datetime import date
from typing import Any

from django.db import DatabaseError, connection, transaction
from django.utils import timezone

from referee.engine.reader import DEEPEST, Reader, read_json_object
from referee.engine.records import read_bags, read_before, read_table
from referee.engine.replaying import MOST_EXTRA, TooCostly, Watch, extra_size, no_watch, too_much_extra
from referee.engine.rules import Problem, Refused
from referee.engine.snapshot import dump_table
from referee.engine.table import open_table
from referee.engine.texts import Phrase, phrase
from referee.notation.words import BYTE_ORDER_MARK
from scoring.groups.acts import archive_values as values
from scoring.groups.acts.archive_values import NOT_SO, only
from scoring.groups.acts.evenings import MOST_SEASONS, READ_SAID, check_season
from scoring.groups.acts.groups import NewGroupLink, check_names, first_link, made_before, new_group
from scoring.groups.acts.people import check_spellings
from scoring.groups.acts.scores import score_before, score_table
from scoring.groups.reads.group_export import DRAW, FORMAT, HEAD, PERSON, PRECEDENT, SAID, SEASON, TableWithLog
from scoring.groups.reads.groups import seated_looks
from scoring.models import (
    Colour,
    DealtHand,
    Draw,
    EveningNote,
    Group,
    GroupImport,
    HandSheet,
    Person,
    Precedent,
    RankedBy,
    Season,
    SeatedPerson,
    Table,
)
from scoring.models.fields import LONGEST_GAME
from scoring.models.group import LONGEST_NAME
from scoring.operating.reads import differences, numbering
from scoring.rulings.acts.dispute_index import index_disputes
from scoring.rulings.acts.precedents import LONGEST_CODE, MOST_PRECEDENTS, check_precedent, read_facts, read_plain
from scoring.tables.acts.exceptions import NotImported
from scoring.tables.acts.keys import fingerprint_of, oldest_key, stored_key
from scoring.tables.acts.opening import columns_of, insert_table
from scoring.tables.acts.turn import sheet_of
from scoring.tables.acts.writing import LogRow, add_to_log
from scoring.tables.reads.log import hands_again

MOST_EVENINGS = MOST_DRAWS = 10_000
LEVELS = 8
"""How many levels deeper a table is nested in an archive than in a request."""
LOG_ROW = re.compile(r"/log/(\d+)")
TABLE = (
    *(key for key in TableWithLog.__annotations__ if key not in ("format", "id", "rules_version")),
    "carried_from", "previous", "people",
)  # fmt: skip
"""The keys allowed in a table of an archive; any other is refused."""
LISTED = {
    "precedents": (PRECEDENT, MOST_PRECEDENTS),
    "evenings": (("evening", *SAID), MOST_EVENINGS),
    "draws": (DRAW, MOST_DRAWS),
}
"""Lists of the first line that are stored last: the keys of their objects, and how many there may be."""


class Unfinished(Exception):  # noqa: N818 - not an error
    """The import ran out of time; sending the same archive again continues it.

    ``done`` of the archive's ``tables`` tables have been imported.
    """

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
    """Import a group from its archive and make a member link; a retry with the same ``key`` makes no second one.

    Tables are imported one by one: an interrupted import continues when an archive with the same ``digest`` is sent
    again. The group stays invisible until it is complete, since nobody has a link to it. ``progress`` is called with
    (tables done, total). Raises ``Unfinished`` if ``watch`` runs out of time or another request is importing the same
    archive, ``Refused`` naming the invalid line, and ``KeyReused``. An import that is refused or fails leaves nothing
    behind.
    """
    fingerprint = fingerprint_of("archive", body, key)
    before = made_before(key, fingerprint)
    if before is not None:
        return before
    bringing = _bring(_Lines(lines), digest, watch, key, fingerprint)
    try:
        while True:
            progress(*next(bringing))
    except StopIteration as end:
        made: NewGroupLink = end.value
        return made


def _bring(
    read: "_Lines", digest: str, watch: Watch, key: str | None, fingerprint: str
) -> Generator[tuple[int, int], None, NewGroupLink]:
    """Store an archive, yielding progress as (tables done, total); clean up on failure."""
    coming, done, tables = None, 0, list[Table]()
    try:
        head = read.next()
        count = values.read_whole(head["tables"])
        coming = GroupImport.objects.filter(digest=digest).first() or _begin(head, digest)
        people = list(Person.objects.filter(group=coming.group).order_by("pk"))
        tables += Table.objects.filter(group=coming.group).order_by("pk")
        for done in range(count):
            data = read.next()
            if done < len(tables):
                continue
            watch()
            with transaction.atomic():
                began = time.monotonic()
                # Compare and set: only one request at a time imports this archive.
                if not GroupImport.objects.filter(pk=coming.pk, done=done).update(done=done + 1, at=timezone.now()):
                    raise Unfinished(done, count)
                tables.append(load_table_in_full(data, coming.group, people, tables))
            if connection.vendor == "sqlite":
                # SQLite has one unfair write lock: leave it free for as long as it was held, so that others can write.
                time.sleep(time.monotonic() - began)
            yield done + 1, count
        read.end()
        with transaction.atomic():
            read.number = 1
            for place, each in enumerate(head.get("precedents", [])):
                _precedent(each, f"/precedents/{place}", coming.group, tables)
            for place, each in enumerate(head.get("evenings", [])):
                _evening(each, f"/evenings/{place}", coming.group)
            for each in head.get("draws", []):
                _draw(each, coming.group, people, tables)
            group = Group.objects.get(pk=coming.group_id)
            group.key, group.fingerprint = key and stored_key(key), fingerprint
            group.save(update_fields=["key", "fingerprint"])
            coming.delete()
            return first_link(group, key, fingerprint)  # makes the group visible
    except Unfinished:
        raise
    except TooCostly:
        raise Unfinished(done, count) from None
    except Exception as problem:
        if coming is not None:
            with suppress(DatabaseError):  # on a full disk, for example; `forget_keys` deletes it later
                coming.group.delete()
        refused = read.refused(problem)
        if refused is None:
            raise
        raise refused from problem


class _Lines:
    """The lines of an archive, each a JSON object; ``number`` is the last line read, from 1."""

    def __init__(self, lines: Iterable[str]) -> None:
        self._lines = ((number, line) for number, line in enumerate(lines, 1) if line.strip())
        self.number = 1

    def next(self) -> Any:
        """Read the next line. Raises ``Refused`` for malformed JSON, ``ValueError`` at the end of the archive."""
        self.number, line = next(self._lines, (self.number, ""))
        if not line:
            raise ValueError("some of it is missing")
        return read_json_object(line.removeprefix(BYTE_ORDER_MARK), deepest=DEEPEST + LEVELS)

    def end(self) -> None:
        self.number, line = next(self._lines, (self.number, ""))
        if line:
            raise ValueError("there is more of it than it says")

    def refused(self, problem: Exception) -> Refused | None:
        """Convert an exception to a ``Refused`` for the current line; ``None`` if the archive did not cause it."""
        if isinstance(problem, NotImported):
            reason = problem.ruling.reason
            assert reason is not None, "an event is refused with a reason"
            problems: Sequence[Problem] = [Problem(problem.where, "bad-archive", reason.phrase_for(problem.seats))]
        elif isinstance(problem, Refused):
            problems = problem.problems
        elif isinstance(problem, NOT_SO):
            problems = [Problem("", "too-deep" if isinstance(problem, RecursionError) else "bad-archive", "")]
        else:
            return None
        code = "too-deep" if problems[0].code == "too-deep" else "bad-archive"
        malformed = problems[0].code in ("too-deep", "unknown-key")
        return Refused([self._placed(each, code) for each in problems], malformed=malformed)

    def _placed(self, problem: Problem, code: str) -> Problem:
        why = problem.phrase if isinstance(problem.phrase, Phrase) else Phrase(problem.phrase)
        entry = LOG_ROW.match(problem.pointer)
        if entry is not None:
            detail = phrase(
                "Line {line}, entry {entry} of the log: {why}", line=self.number, entry=int(entry[1]) + 1, why=why
            )
        elif problem.phrase:
            detail = phrase("Line {line} isn’t what a group archive has there: {why}", line=self.number, why=why)
        else:
            detail = phrase("Line {line} isn’t what a group archive has there.", line=self.number)
        return Problem(f"/{self.number - 1}{problem.pointer}", code, detail)


def forget_cut_imports() -> int:
    """Delete groups whose import was abandoned; return their number."""
    cut = list(GroupImport.objects.filter(at__lt=oldest_key()).select_related("group"))
    for coming in cut:
        coming.group.delete()
    return len(cut)


def digest_of(lines: Iterable[str]) -> str:
    digest = hashlib.sha256()
    for line in lines:
        if line.strip():
            digest.update(line.strip().encode() + b"\n")
    return digest.hexdigest()


@transaction.atomic
def _begin(head: Any, digest: str) -> GroupImport:
    if head["format"] != FORMAT:
        raise ValueError(head["format"])
    only(head, HEAD, "")
    for name, (keys, most) in LISTED.items():
        found = head.get(name, [])
        if len(found) > most:
            raise ValueError(name)
        for place, each in enumerate(found):
            only(each, keys, f"/{name}/{place}")
    check_names([each["name"] for each in head["people"]])
    group = new_group(values.read_name(head["name"]))
    Group.objects.filter(pk=group.pk).update(
        created=values.read_moment(head["created"]),
        counts_revokes=values.read_flag(head["counts_revokes"]),
        shares_rulings=values.read_flag(head.get("shares_rulings", False)),
        time_zone=values.read_zone(head.get("time_zone")),
        ranked_by=RankedBy(head.get("ranked_by", RankedBy.WINS)),
    )
    if len(head.get("seasons", [])) > MOST_SEASONS:
        raise Refused([Problem("/seasons", "bad-archive", phrase("A group can have up to 100 seasons."))])
    for place, each in enumerate(head.get("seasons", [])):
        only(each, SEASON, f"/seasons/{place}")
        season = Season(group=group, name=values.read_name(each["name"]), ranked_by=RankedBy(each["ranked_by"]))
        season.first, season.last = date.fromisoformat(each["first"]), each["last"] and date.fromisoformat(each["last"])
        season.evenings = None if each["evenings"] is None else values.read_whole(each["evenings"])
        check_season(season)
        season.save()
        Season.objects.filter(pk=season.pk).update(created=values.read_moment(each["created"]))
    people = list[Person]()
    for place, data in enumerate(head["people"]):
        people.append(_person(group, data, f"/people/{place}", people))
    for person, data in zip(people, head["people"], strict=True):
        if data["merged_into"] is not None:
            place = values.read_whole(data["merged_into"])
            if head["people"][place]["merged_into"] is not None:
                detail = phrase("{name} is merged with someone who is merged with someone else.", name=person.name)
                raise Refused([Problem("/people", "bad-archive", detail)])
            person.merged_into = people[place]
        person.distinct_from = [people[values.read_whole(place)].pk for place in data.get("distinct_from") or ()]
        if person.pk in person.distinct_from:
            raise ValueError("distinct_from")
    Person.objects.bulk_update(people, ["merged_into", "distinct_from"], batch_size=200)
    return GroupImport.objects.create(group=group, digest=digest)


def _person(group: Group, data: Any, pointer: str, others: Sequence[Person]) -> Person:
    only(data, PERSON, pointer)
    colour = values.read_text(data["colour"], LONGEST_NAME, empty=True)
    if colour not in ("", *Colour.values):
        raise ValueError(colour)
    name, aliases = values.read_name(data["name"]), [values.read_name(each) for each in data["aliases"]]
    check_spellings([name, *aliases], others)
    person = Person.objects.create(group=group, name=name, aliases=aliases, colour=colour)
    Person.objects.filter(pk=person.pk).update(created=values.read_moment(data["created"]))
    return person


def _evening(data: Any, pointer: str, group: Group) -> None:
    reader = Reader()
    said = {name: read(reader, data[name], f"{pointer}/{name}") for name, read in READ_SAID.items()}
    reader.check()
    EveningNote.objects.create(group=group, evening=date.fromisoformat(data["evening"]), **said)


def _draw(data: Any, group: Group, people: Sequence[Person], tables: Sequence[Table]) -> None:
    """Store the draw of a round; ``data`` refers to people and tables by their positions in the archive."""
    seed = data["seed"]
    if type(seed) is not int or not 0 <= seed < 2**31:
        raise ValueError("seed")
    here, out = ([people[values.read_whole(who)].pk for who in data[name]] for name in ("here", "out"))
    Draw.objects.create(
        group=group,
        evening=date.fromisoformat(data["evening"]),
        number=values.read_whole(data["number"]),
        game=values.read_text(data["game"], LONGEST_GAME, empty=True),
        by_rating=values.read_flag(data["by_rating"]),
        seed=seed,
        here=here,
        tables=[[people[values.read_whole(who)].pk for who in table] for table in data["tables"]],
        out=out,
        codes=["" if each is None else tables[values.read_whole(each)].code for each in data["opened"]],
        started=data["started"] and values.read_moment(data["started"]),
    )


def _precedent(data: Any, pointer: str, group: Group, tables: Sequence[Table]) -> None:
    reader = Reader()
    words = {
        name: reader.text(data[name], f"{pointer}/{name}", LONGEST_CODE)
        for name in ("game", "code", "clause", "option")
    } | {name: reader.text(data[name], f"{pointer}/{name}") for name in ("question", "decision")}
    facts = read_facts(reader, data["facts"], f"{pointer}/facts")
    value = read_plain(reader, data["value"], f"{pointer}/value")
    reader.check()
    made = Precedent(group=group, since=values.read_moment(data["since"]), facts=facts, value=value, **words)
    made.table = None if data["table"] is None else tables[values.read_whole(data["table"])]
    made.dispute = None if data["dispute"] is None else values.read_whole(data["dispute"])
    check_precedent(made)
    made.save(force_insert=True)


def load_table_in_full(
    data: Any, group: Group | None = None, people: Sequence[Person] = (), before: Sequence[Table] = (), **more: Any
) -> Table:
    """Store a table with its log and replay it; ``more`` are extra column values."""
    only(data, TABLE, "")
    reader = Reader()
    rules, seats, dealer, carried = read_table(reader, data)
    hands_before, bags = read_before(reader, data, rules), read_bags(reader, data, rules, seats)
    reader.check()
    assert rules is not None
    extra = values.read_extra(data["extra"], "/extra")
    if extra_size(extra) > MOST_EXTRA:
        raise Refused([too_much_extra("/extra")])
    state = open_table(rules, first_dealer=dealer, carried=carried, before=hands_before, bags=bags)
    entries = [LogRow(**values.read_entry(place, row)) for place, row in enumerate(data["log"])]
    places = values.read_seated(data["people"], len(seats), people)
    seated = [None if place is None else people[place] for place in places]
    moments = {name: values.read_moment(data[name]) for name in ("created", "updated")}
    row = insert_table(
        Table(
            group=group,
            **columns_of(state, group),
            seats=list(seats),
            looks=seated_looks(people, [None if person is None else person.pk for person in seated]),
            carried_from=values.read_carried_from(data),
            extra=extra,
            private=values.read_flag(data["private"]),
            previous=None if data["previous"] is None else before[values.read_whole(data["previous"])],
            evening=date.fromisoformat(data["evening"]),
            time_zone=values.read_zone(data.get("time_zone")),
            version=len(entries),
            agreed=values.read_agreed(data["agreed"]),
            ruled_by=values.read_ruled_by(data.get("ruled_by", {})),
            **values.read_optional(data),
            **more,
        )
    )
    add_to_log(row.pk, entries)
    DealtHand.objects.bulk_create(values.read_dealt(row, each) for each in data["dealt"])
    SeatedPerson.objects.bulk_create(
        SeatedPerson(table=row, seat=seat, person=person) for seat, person in enumerate(seated) if person is not None
    )
    index_disputes(row)
    _judge(row)
    over = None if data["finished_at"] is None else values.read_moment(data["finished_at"])
    # Outside a group, a table that was over when imported has no time of finishing.
    if (over is not None) != row.finished and (over is not None or group is not None):
        raise ValueError("finished_at")
    row.finished_at = over
    Table.objects.filter(pk=row.pk).update(finished_at=over, **moments)
    row.refresh_from_db(fields=["created", "updated"])
    score_table(row)
    score_before(row, end_changed=True)
    return row


def _judge(row: Table) -> None:
    """Replay a table's log and store the resulting state.

    Raises ``NotImported`` at the first event the referee rejects, ``Refused`` if the log is misnumbered, and
    ``ValueError`` if derived data differs.
    """
    if any(numbering(row)):
        detail = phrase("The log’s entries must be numbered in order, each with the entry that corrected it.")
        raise Refused([Problem("/log", "bad-log", detail)])
    hands, stop = hands_again(row, row.version)
    if stop is not None:
        place = "" if stop.entry is None else f"/log/{stop.entry.seq - 1}"
        raise NotImported(seats=row.seats, hand=stop.hand, event=stop.position, ruling=stop.ruling, where=place)
    if hands:
        last = hands[-1]
        row.snapshot, row.hand_start, row.hand_number = dump_table(last.state), dump_table(last.start), last.number
        row.finished = last.state.finished()
        row.save(update_fields=["snapshot", "hand_start", "hand_number", "finished"])
        HandSheet.objects.bulk_create(sheet_of(row, hand) for hand in hands[:-1])
    if wrong := differences(row):
        raise ValueError(wrong[0])
