"""The log of a table, links between its events, and the state rebuilt from it."""

from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import nullcontext, suppress
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple

from django.db import InternalError, OperationalError, connection
from django.db.models import Q, QuerySet

from referee.engine.adjudication import describe_hand
from referee.engine.event_kinds import DISPUTES, SETTLES, Event
from referee.engine.events import Pass
from referee.engine.records import FORMAT, dump_event, stored_event
from referee.engine.replaying import Entry, PlayedHand, RecordedHand, Watch, follow, no_watch, play_hands
from referee.engine.sheet import DescribedWithdrawn
from referee.engine.snapshot import OldSnapshot, load_table
from referee.engine.table import Ruling, TableState, open_table
from scoring.models import DealtHand, HandSheet, Table, TableEvent
from scoring.tables.reads.rules import game_and_title, rules_of


@dataclass(frozen=True, slots=True)
class LoggedHand(PlayedHand):
    """A rejudged hand of the log, with the row of each ruling."""

    entries: tuple[TableEvent, ...] = ()


@dataclass(frozen=True, slots=True)
class Stop:
    """The first row that is no longer valid, its position, and why; without a row, the deal of an empty hand."""

    entry: TableEvent | None
    hand: int
    position: int
    ruling: Ruling


def replay_hands(
    state: TableState,
    entries: Sequence[TableEvent],
    *,
    dealt: Mapping[int, DealtHand],
    first: int = 0,
    start: TableState | None = None,
    watch: Watch = no_watch,
) -> tuple[list[LoggedHand], Stop | None]:
    """Rejudge rows in the order of the record, from the hand ``first`` on; each stays in its hand.

    ``state`` is the table before that hand is dealt, ``start`` with it dealt, if known. Stops at a recorded deal that
    is no longer valid. Raises whatever ``watch`` raises.
    """
    by_hand: dict[int, list[TableEvent]] = {}
    for entry in entries:
        by_hand.setdefault(entry.hand, []).append(entry)
    last = max((number for number in (*by_hand, *dealt) if number >= first), default=first - 1)
    recorded = _recorded(range(first, last + 1), by_hand, dealt)
    played, stop = play_hands(state, recorded, dealt=start, rulings=True, watch=watch)
    hands = [
        LoggedHand(
            hand.number, hand.start, hand.state, hand.rulings, tuple(by_hand.get(hand.number, ())[: len(hand.rulings)])
        )
        for hand in played
    ]
    if stop is None:
        return hands, None
    rest = (entry for number in range(stop.hand, last + 1) for entry in by_hand.get(number, ()))
    refused = next((entry for place, entry in enumerate(rest) if place == stop.event), None)
    where = stop.hand if refused is None else refused.hand
    return hands, Stop(refused, where, stop.event, stop.ruling)


def _recorded(
    numbers: range, by_hand: Mapping[int, Sequence[TableEvent]], dealt: Mapping[int, DealtHand]
) -> Iterator[RecordedHand]:
    for number in numbers:
        events = [stored_event(entry.event) for entry in by_hand.get(number, ())]
        known = dealt[number].known if number in dealt else {}
        yield RecordedHand(number, events, {int(seat): codes for seat, codes in known.items()})


# --- References between events: what remedies settled, what disputes are about
# References are positions as of the time they were recorded; amendments move positions.


class Reference(NamedTuple):
    """The row of a remedy or dispute, and the hand and place of the act that it settled or is about."""

    row: TableEvent
    hand: int
    place: int


def rested_on(found: DescribedWithdrawn, remedies: Sequence[TableEvent], seqs: Sequence[int]) -> list[TableEvent]:
    """Return the remedies taken on a finding before a later event of its hand disproved it."""
    known, gone = (found["proved_by"] or [found["event"]])[-1][1], found["withdrawn_by"][1]
    return [row for row in remedies if row.seq in seqs and known < seqs.index(row.seq) < gone]


def references(row: Table, hands: Collection[int], key: str) -> list[Reference]:
    """Return active references of a kind (``SETTLES``, ``DISPUTES``) to acts in these hands, also from later ones."""
    if not hands:
        return []
    found: list[Reference] = []
    places: defaultdict[int, list[int]] = defaultdict(list)
    here_or_later = Q(hand__in=hands) | Q(hand__gt=min(hands), event__contains=key)
    for entry in TableEvent.objects.filter(here_or_later, table=row).order_by("seq"):
        named = _named(entry, places, key)
        if named is not None and entry.amended_by is None:
            found.append(Reference(entry, *named))
        if entry.hand in hands:  # an amendment takes the place of the row it amends, or vacates it
            taken = places[entry.hand]
            at = bisect_left(taken, entry.place)
            there = at < len(taken) and taken[at] == entry.place
            if entry.event is None and there:
                del taken[at]
            elif entry.event is not None and not there:
                taken.insert(at, entry.place)
    return found


def _named(remedy: TableEvent, places: Mapping[int, Sequence[int]], key: str) -> tuple[int, int] | None:
    match _position(remedy.event or {}, key):
        case [int(hand), int(position)] if hand in places and 0 <= position < len(places[hand]):
            place = places[hand][position]
            return (hand, place) if (hand, place) < (remedy.hand, remedy.place) else None
    return None


def _position(event: Mapping[str, Any], key: str) -> object:
    """Return the position that an event settles or disputes."""
    if key == SETTLES:
        return event.get(SETTLES)
    match event.get(DISPUTES):
        case {"about": {"hand": hand, "event": position}}:
            return [hand, position]
    return None


def with_positions_now(row: Table, entries: Sequence[TableEvent]) -> list[Mapping[str, object]]:
    """Update references to settled or disputed entries to their current positions; dropped for deleted ones."""
    events: list[Mapping[str, Any]] = [entry.event or {} for entry in entries]
    in_hand = Counter[int]()
    positions: dict[tuple[int, int], list[int]] = {}
    for entry in entries:
        positions[entry.hand, entry.place] = [entry.hand, in_hand[entry.hand]]
        in_hand[entry.hand] += 1
    for key in (SETTLES, DISPUTES):
        hands = set()
        for entry in entries:
            match _position(entry.event or {}, key):
                case [int(hand), int(_)] if hand <= entry.hand:
                    hands.add(hand)
        if not hands:
            continue
        found = {each.row.seq: (each.hand, each.place) for each in references(row, hands, key)}
        for number, entry in enumerate(entries):
            if entry.seq in found:
                events[number] = _renamed(events[number], key, positions.get(found[entry.seq]))
    return events


def _renamed(event: Mapping[str, Any], key: str, position: list[int] | None) -> Mapping[str, Any]:
    if key == SETTLES:
        rest = {name: value for name, value in event.items() if name != SETTLES}
        return rest if position is None else rest | {SETTLES: position}
    about = {name: value for name, value in event[DISPUTES]["about"].items() if name != "event" or position is not None}
    if position is not None:
        about["event"] = position[1]
    return {**event, DISPUTES: {**event[DISPUTES], "about": about}}


MOST_ROWS = 1000  # log rows per query


def log(row: Table, *, after: int = 0, most: int = MOST_ROWS) -> list[TableEvent]:
    return list(TableEvent.objects.filter(table=row, seq__gt=after, seq__lte=after + most).order_by("seq"))


def last_rows(row: Table, *, most: int, before: int | None = None) -> list[TableEvent]:
    end = row.version if before is None else min(before - 1, row.version)
    first = max(0, end - most)
    return log(row, after=first, most=end - first)


def rows_amended(row: Table, entries: Sequence[TableEvent]) -> dict[int, TableEvent]:
    here = {entry.seq: entry for entry in entries}
    wanted = {entry.amends for entry in entries if entry.amends is not None}
    elsewhere = wanted - here.keys()
    found = TableEvent.objects.filter(table=row, seq__in=elsewhere) if elsewhere else ()
    return {seq: here[seq] for seq in wanted & here.keys()} | {entry.seq: entry for entry in found}


class LastChange(NamedTuple):
    """The last act, if it changed earlier entries, and what an undo would take back now.

    ``took_back`` are the events just undone; ``corrected``: an earlier entry was corrected.
    """

    took_back: tuple[TableEvent, ...]
    corrected: bool
    undone_next: dict[str, Any] | None
    at: datetime


def last_change(row: Table) -> LastChange | None:
    """Return the last act if it was an undo, a redo or a correction; else ``None``."""
    latest = TableEvent.objects.filter(table=row, seq=row.version).first()
    if latest is None or (latest.amends is None and (latest.event is None or latest.hand == row.hand_number)):
        return None
    last = standing_rows(row).order_by("-hand", "-place").first()
    earlier = last is not None and (latest.hand, latest.place) < (last.hand, last.place)
    if latest.amends is None:
        return LastChange((), True, last.event, latest.at) if last is not None and earlier else None
    seqs = [each.amends for each in last_act(row)] if latest.batch > 1 else [latest.amends]
    amended = list(TableEvent.objects.filter(table=row, seq__in=seqs).order_by("hand", "place"))
    undone = latest.event is None and not earlier
    return LastChange(
        tuple(amended) if undone else (),
        corrected=not undone and (earlier or any(each.event is not None for each in amended)),
        undone_next=None if last is None else last.event,
        at=latest.at,
    )


def passed_together(last: TableEvent) -> list[TableEvent]:
    """Return the standing rows of an act in which everyone passed, by its last row; for other acts, only that row."""
    if last.batch == 1 or last.event is None or last.event["type"] != Pass.type:
        return [last]
    first = last.seq - last.batch
    rows = standing_rows(last.table).filter(seq__gt=first, seq__lte=last.seq).order_by("seq")
    return [row for row in rows if row.event is not None and row.event["type"] == Pass.type]


def last_act(row: Table, *, version: int | None = None) -> list[TableEvent]:
    """Return the rows of the last act, up to a version."""
    version = row.version if version is None else version
    last = TableEvent.objects.filter(table=row, seq=version).first()
    if last is None:
        return []
    return list(TableEvent.objects.filter(table=row, seq__gt=version - last.batch, seq__lte=version).order_by("seq"))


def standing_rows(row: Table) -> QuerySet[TableEvent]:
    return TableEvent.objects.filter(table=row, event__isnull=False, amended_by__isnull=True)


def standing_events(row: Table, *, hand: int | None = None, hands_from: int = 0) -> list[TableEvent]:
    rows = standing_rows(row)
    if hand is not None:
        rows = rows.filter(hand=hand)
    elif hands_from:
        rows = rows.filter(hand__gte=hands_from)
    return list(rows.order_by("hand", "place"))


def events_after(row: Table, new: Sequence[TableEvent], *, hands_from: int) -> list[TableEvent]:
    """Return the standing events after ``new`` rows replace those they amend."""
    gone = {entry.amends for entry in new}
    stay = [entry for entry in standing_events(row, hands_from=hands_from) if entry.seq not in gone]
    return sorted(stay + [e for e in new if e.event is not None], key=lambda entry: (entry.hand, entry.place))


def dealt_hands(row: Table) -> dict[int, DealtHand]:
    return {dealt.number: dealt for dealt in DealtHand.objects.filter(table=row, retired__isnull=True)}


def record(row: Table) -> dict[str, Any]:
    dealt, entries = dealt_hands(row), standing_events(row)
    count = max([number + 1 for number in dealt] + [entry.hand + 1 for entry in entries[-1:]], default=0)
    hands: list[dict[str, Any]] = [{"events": []} for _ in range(count)]
    for entry, event in zip(entries, with_positions_now(row, entries), strict=True):
        hands[entry.hand]["events"].append(event)
    for number, hand in dealt.items():
        hands[number] |= ({"known": hand.known} if hand.known else {}) | hand.extra
    data: dict[str, object] = {
        "format": FORMAT,
        **game_and_title(row),
        "options": dict(row.options),
        "end": dict(row.end),
        "seats": list(row.seats),
        "first_dealer": row.first_dealer,
    }
    if any(row.carried):
        data["carried"] = list(row.carried)
    if any(row.carried_bags):
        data["carried_bags"] = list(row.carried_bags)
    if row.hands_before:
        data["hands_before"] = row.hands_before
    return data | {"hands": hands} | dict(row.extra)


def as_it_was(row: Table, version: int) -> TableState:
    hands = hands_as_they_were(row, version)
    return hands[-1].state if hands else opening(row, version)


def hands_as_they_were(row: Table, version: int) -> list[LoggedHand]:
    hands, stop = hands_again(row, version)
    assert stop is None, stop
    return hands


def hands_again(row: Table, version: int) -> tuple[list[LoggedHand], Stop | None]:
    rows = TableEvent.objects.filter(table=row, seq__lte=version, event__isnull=False).order_by("hand", "place", "seq")
    stood = [e for e in rows if e.amended_by is None or e.amended_by > version]
    every = DealtHand.objects.filter(table=row)
    dealt = {d.number: d for d in every if d.retired is None or d.retired > version}
    return replay_hands(opening(row, version), stood, dealt=dealt)


def opening(row: Table, version: int | None = None) -> TableState:
    """Return the state of a table before its first deal, as of a version."""
    carried = row.carried
    if version is not None and version < row.version and (row.carried_from is not None or any(row.carried)):
        # Carried points change when an earlier table, or a past game's final scores, are corrected.
        later = TableEvent.objects.filter(table=row, seq__gt=version, event__isnull=True, choosing__isnull=False)
        changes = (entry.choosing["carried"] for entry in later.order_by("seq") if "carried" in entry.choosing)
        carried = next(changes, {"before": carried})["before"]
    return opening_with(row, carried)


def opening_with(row: Table, carried: Sequence[int]) -> TableState:
    more = {"carried": carried, "bags": row.carried_bags}
    return open_table(rules_of(row), first_dealer=row.first_dealer, before=row.hands_before, **more)


def hand_start(row: Table, hand: int) -> TableState | None:
    if row.hand_number is None:
        return None
    saved = row.hand_start if hand == row.hand_number else HandSheet.objects.get(table=row, number=hand).start
    try:
        return load_table(rules_of(row), saved)
    except OldSnapshot:
        return hands_again(row, row.version)[0][hand].start


def state_now(row: Table) -> TableState:
    """Return the current state of a table, from its snapshot or, if that is outdated, replayed from the log."""
    try:
        return load_table(rules_of(row), row.snapshot)
    except OldSnapshot:
        hands, _ = hands_again(row, row.version)  # as far as the log is valid under the current rules
        return hands[-1].state if hands else opening(row)


def state_before(row: Table, entry: TableEvent, changes: Mapping[int, Event | None] | None = None) -> TableState:
    """Return the state before a row's event, given ``changes`` of earlier rows."""
    changes = changes or {}
    hands = TableEvent.objects.filter(table=row, seq__in=changes, hand__lt=entry.hand).values_list("hand", flat=True)
    start = _start_with(row, entry.hand, min(hands, default=entry.hand), changes)
    entries = []
    for earlier in standing_events(row, hand=entry.hand):
        if earlier.place < entry.place:
            recorded = stored_event(earlier.event)
            entries.append(Entry(recorded, changes.get(earlier.seq, recorded)))
    return follow(start, entries)


def _start_with(row: Table, hand: int, first: int, changes: Mapping[int, Event | None]) -> TableState:
    start = hand_start(row, first)
    assert start is not None
    if first < hand:
        dealt = {hand: DealtHand(number=hand, known={}), **dealt_hands(row)}
        dealt = {number: each for number, each in dealt.items() if number <= hand}
        entries = [entry for entry in standing_events(row, hands_from=first) if entry.hand < hand]
        for entry in entries:
            if entry.seq in changes:
                event = changes[entry.seq]
                entry.event = None if event is None else dump_event(event)
        left = [entry for entry in entries if entry.event is not None]
        hands, stop = replay_hands(start, left, dealt=dealt, first=first, start=start)
        start = hands[-1].start if stop is None else hand_start(row, hand)
        assert start is not None
    return start


def sheets_of(row: Table, *, first: int = 0, last: int | None = None) -> list[HandSheet]:
    wanted = HandSheet.objects.filter(table=row, number__gte=first)
    if last is not None:
        wanted = wanted.filter(number__lte=last)
    sheets = list(wanted.defer("start").order_by("number"))
    empty = {sheet.number: sheet for sheet in sheets if sheet.sheet is None}
    if empty:
        for hand in hands_as_they_were(row, row.version):
            if hand.number in empty and hand.state.hand is not None:
                empty[hand.number].sheet = describe_hand(hand.state.hand, row.seats)
        # On a full or read-only disk, reads still succeed; writes fail with an error.
        with nullcontext() if connection.in_atomic_block else suppress(OperationalError, InternalError):
            HandSheet.objects.bulk_update(empty.values(), ["sheet"])
    return sheets
