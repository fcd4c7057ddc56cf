"""Corrections: events are replaced, deleted or undone, and everything after them is judged again."""

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from referee.engine.adjudication import describe_hand
from referee.engine.adjudication import describe_table as describe_state
from referee.engine.comparison import Changes, Judged, compare
from referee.engine.event_kinds import Event
from referee.engine.records import dump_event, stored_event
from referee.engine.replaying import Entry, Watch, no_watch, rethread
from referee.engine.sheet import DescribedHand
from referee.engine.table import Ruling, TableState
from referee.engine.texts import phrase
from referee.packs import Pack
from scoring.models import DealtHand, Table, TableEvent
from scoring.models.fields import canonical
from scoring.operating.acts.database import past_deadlocks
from scoring.operating.acts.limits import check_amended
from scoring.rulings.acts.dispute_index import check_marks
from scoring.tables.acts import exceptions, turns
from scoring.tables.acts.keys import Caller
from scoring.tables.acts.recording import Recorded, is_own, recorded_before
from scoring.tables.acts.turn import JudgedAgain, Turn
from scoring.tables.reads import log
from scoring.tables.reads.log import LoggedHand, dealt_hands, hand_start, replay_hands
from scoring.tables.reads.results import next_of
from scoring.tables.reads.rules import game_of
from scoring.tables.reads.state import Standing

# --- Reassignment of later plays and seatings after a correction


@dataclass(frozen=True, slots=True)
class MovedEntry:
    """A play or pass reassigned to another seat: its row, position, trick (from 1), and new ``event``."""

    entry: TableEvent
    position: int
    trick: int | None
    event: Mapping[str, Any]


def rethread_rows(
    start: TableState, there: Sequence[TableEvent], news: Sequence[TableEvent], watch: Watch = no_watch
) -> tuple[list[tuple[TableEvent, dict[str, object]]], list[MovedEntry]]:
    """Reassign the seats of a hand's later plays after ``news`` replace, or are added to, the rows ``there``.

    ``start`` is the table with the hand just dealt. Returns the changed rows with their new events, and those that
    moved. Rows that no longer fit are returned with the event that was tried, and move nothing.
    """
    recorded = {entry.place: entry for entry in there}
    meant: Mapping[int, TableEvent] = recorded | {entry.place: entry for entry in news}
    places = sorted(meant)
    entries = [Entry(_event(recorded.get(place)), _event(meant[place])) for place in places]
    found = rethread(start, entries, watch)
    moves = {places[move.place]: move for move in found.moved}
    rows, moved = list[tuple[TableEvent, dict[str, object]]](), list[MovedEntry]()
    for place, entry, event in zip(places, entries, found.events, strict=True):
        if event is None or event is entry.meant:
            continue
        dumped = dump_event(event, start.rules.pack)
        rows.append((meant[place], dumped))
        if place in moves:
            position = sum(earlier < place for earlier in recorded)
            moved.append(MovedEntry(recorded[place], position, moves[place].trick, dumped))
    return rows, moved


def _event(entry: TableEvent | None) -> Event | None:
    return None if entry is None or entry.event is None else stored_event(entry.event)


class Reseated(NamedTuple):
    """A hand (from 0) whose seating would change; seats are listed clockwise."""

    hand: int
    before: tuple[int, ...]
    after: tuple[int, ...]


def reseated(row: Table, hands: Iterable[LoggedHand]) -> list[Reseated]:
    found = []
    for hand in hands:
        before, after = _seating(row, hand.number), hand.start.hand.setup.seating if hand.start.hand else None
        if before and after and before != after:
            found.append(Reseated(hand.number, before, after))
    return found


def seatings_to_keep(row: Table, news: Sequence[TableEvent], watch: Watch = no_watch) -> Iterator[tuple[int, Event]]:
    """Yield hand numbers with the event that, at the end of the hand, keeps the next one's seating unchanged."""
    game = game_of(row)
    first = min(entry.hand for entry in news)
    entries = log.events_after(row, news, hands_from=first)
    start, known = hand_start(row, first), dealt_hands(row)
    for number in range(first, row.hand_number or 0):
        here = [entry for entry in entries if entry.hand == number]
        sat = _seating(row, number + 1)
        event = game.seated_as(sat) if sat else None
        if start is None or sat is None or event is None:
            return
        following = DealtHand(number=number + 1, known={})
        if not _reseat(start, here, following, sat, watch):
            here.append(TableEvent(hand=number, event=dump_event(event)))
            if not _reseat(start, here, following, sat, watch):
                return  # another correction is needed first
            yield number, event
        following = known.get(number + 1, following)
        hands, _ = replay_hands(
            start, here, dealt={following.number: following}, first=number, start=start, watch=watch
        )
        start = hands[-1].start


def _reseat(
    start: TableState, entries: Sequence[TableEvent], following: DealtHand, seating: tuple[int, ...], watch: Watch
) -> bool:
    first, dealt = following.number - 1, {following.number: following}
    hands, stop = replay_hands(start, entries, dealt=dealt, first=first, start=start, watch=watch)
    hand = hands[-1].start.hand
    return stop is None and hand is not None and hand.setup.seating == seating


def _seating(row: Table, hand: int) -> tuple[int, ...] | None:
    if row.hand_number is None or hand > row.hand_number:
        return None
    start = hand_start(row, hand)
    return start.hand.setup.seating if start and start.hand else None


# --- Corrections, and undo and redo of the last act


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    seq: int
    event: Event | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Amendment(Change):
    """A correction, with others made along with it, and a reason.

    ``rethread``: later plays and passes of the hand are reassigned to the seat whose turn it then is. ``keep_seats``:
    players of later hands stay seated, whatever the corrected scores say.
    """

    reason: str = ""
    also: tuple[Change, ...] = ()
    rethread: bool = False
    keep_seats: bool = False

    @property
    def changes(self) -> tuple[Change, ...]:
        return (self, *self.also)


@dataclass(frozen=True, slots=True, kw_only=True)
class Amended:
    """The effects of an amendment.

    ``moved`` are plays and passes reassigned to another seat, ``reseated`` hands with a different seating, ``later``
    the first event or deal that is no longer valid, ``tables`` later tables that change.
    """

    at: Standing
    before: TableState
    version: int
    event: Mapping[str, object] | None
    changes: Changes
    ruling: Ruling | None
    moved: Sequence[MovedEntry] = ()
    reseated: Sequence[Reseated] = ()
    later: log.Stop | None = None
    tables: Sequence[turns.LaterTable] = ()


def preview(code: str, amendment: Amendment, caller: Caller) -> Amended:
    """Preview an amendment. Where ``amend`` raises ``LaterNotTaken``, the result has ``later`` instead."""
    with turns.trial_at(code, caller) as turn:
        amended, judged = _attempt(turn, amendment)
        if judged.stop is not None:
            return replace(amended, later=judged.stop)
        turn.adopt(judged)
        return _with_later_tables(turn, amended)


@past_deadlocks
def amend(code: str, amendment: Amendment, caller: Caller) -> Amended:
    """Replace or delete earlier events by appending rows that amend them.

    Raises ``NotTaken``, ``LaterNotTaken``, ``NoSuchEvent``, ``AlreadyAmended``, ``Refused``, and whatever ``turn_at``
    raises.
    """
    body: list[object] = [amendment.seq, _dumped(amendment), amendment.reason, amendment.rethread, amendment.keep_seats]
    body.append([(change.seq, _dumped(change)) for change in amendment.also])
    with turns.turn_at(code, caller, caller.fingerprint("amend", body)) as turn:
        if turn.repeats:
            return _answered_before(turn, amendment)
        amended, judged = _attempt(turn, amendment)
        if judged.stop is not None:
            raise exceptions.LaterNotTaken(
                later=judged.stop, changes=amended.changes, reseated=bool(amended.reseated), version=turn.found
            )
        turn.adopt(judged)
        return _with_later_tables(turn, replace(amended, at=turn.at, version=turn.version))


def _with_later_tables(turn: Turn, amended: Amended) -> Amended:
    changes = amended.changes
    if changes.winners is not None and next_of(turn.row) is not None:
        changes = changes.without_winners()
    return replace(amended, changes=changes, tables=turns.later_tables(turn))


def _ruling_on(entry: TableEvent, hands: Iterable[log.LoggedHand]) -> Ruling | None:
    pairs = (zip(hand.entries, hand.rulings, strict=True) for hand in hands)
    return next((ruling for hand in pairs for row, ruling in hand if row.seq == entry.seq), None)


def _dumped(change: Change, pack: Pack | None = None) -> dict[str, object] | None:
    return None if change.event is None else dump_event(change.event, pack)


def _attempt(turn: Turn, amendment: Amendment) -> tuple[Amended, JudgedAgain]:
    """Judge an amendment. Raises ``NotTaken`` if one of the new events is refused."""
    at, row, changes = turn.at, turn.row, amendment.changes
    check_marks([change.event for change in changes if change.event is not None])
    olds = _rows_to_amend(row, amendment)
    pack = turn.state.rules.pack
    news = [turn.amend(old, _dumped(c, pack), reason=amendment.reason) for old, c in zip(olds, changes, strict=True)]
    moved = _move(turn, news) if amendment.rethread else ()
    if amendment.keep_seats:
        for hand, event in seatings_to_keep(row, turn.entries, turn.watch):
            turn.add(dump_event(event), hand=hand)
    judged = turn.judge_again()
    if judged.stop is not None and judged.stop.entry is not None:
        refused = judged.stop.entry
        if refused in news:
            raise turn.not_taken(judged.stop.ruling, news.index(refused))
        if refused in turn.entries:  # reassigned to another seat, where it is invalid: report the existing row
            standing = TableEvent.objects.filter(table=row, seq=refused.amends or 0).first()
            judged = replace(judged, stop=replace(judged.stop, entry=standing))
    for played in judged.hands:
        new = [entry for entry in turn.entries if entry.hand == played.number]
        if any(entry.event is not None for entry in new):
            check_amended(row, new, played.state, played.entries, more=sum(old.event is None for old in olds))
    after = judged.hands
    differing = compare(
        _hands_now(at, judged.first),
        described_hands(after, at.names, turn.watch),
        (describe_state(at.state), describe_state(judged.state)),
        stopped=judged.stop is not None,
    )
    amended = Amended(
        at=at,
        before=at.state,
        version=turn.found,
        event=news[0].event,
        changes=differing,
        ruling=_ruling_on(news[0], after),
        moved=moved,
        reseated=reseated(row, after),
    )
    return amended, judged


def _move(turn: Turn, news: Sequence[TableEvent]) -> Sequence[MovedEntry]:
    moved: list[MovedEntry] = []
    for hand in sorted({entry.hand for entry in news}):
        start = log.hand_start(turn.row, hand)
        if start is None or start.hand is None or start.hand.setup.index != hand:
            continue  # the hand isn't dealt once its only event is deleted
        here = [entry for entry in news if entry.hand == hand]
        rows, its_moved = rethread_rows(start, log.standing_events(turn.row, hand=hand), here, turn.watch)
        for entry, event in rows:
            if entry in news:
                entry.event = event
            else:
                turn.amend(entry, event)
        moved += its_moved
    return moved


def _rows_to_amend(row: Table, amendment: Amendment) -> list[TableEvent]:
    """Return the rows to amend, which may include rows that deleted an event."""
    seqs = [change.seq for change in amendment.changes]
    there = {entry.seq: entry for entry in TableEvent.objects.filter(table=row, seq__in=seqs)}
    olds: dict[int, TableEvent] = {}
    for change in amendment.changes:
        seq, old = change.seq, there.get(change.seq)
        if old is None:
            raise exceptions.NoSuchEvent(phrase("The log of this table has no row {seq}.", seq=seq))
        if old.amended_by is not None:
            raise exceptions.AlreadyAmended(seq=seq, amended_by=old.amended_by)
        if old.event is None and (change.event is None or old.amends is None):
            raise exceptions.NoSuchEvent(phrase("Row {seq} holds no event to amend.", seq=seq))
        if seq in olds:
            raise exceptions.NoSuchEvent(phrase("Row {seq} is listed twice.", seq=seq))
        olds[seq] = old
    return list(olds.values())


def _hands_now(at: Standing, first: int) -> list[Judged]:
    sheets = {s.number: s.sheet for s in log.sheets_of(at.row, first=first)}
    if at.hand is not None and at.hand.setup.index >= first:
        sheets[at.hand.setup.index] = _plain(describe_hand(at.hand, at.names))
    places: dict[int, list[int]] = {}
    for entry in log.standing_events(at.row, hands_from=first):
        places.setdefault(entry.hand, []).append(entry.place)
    return [Judged(number, sheet, places.get(number, [])) for number, sheet in sheets.items()]


def described_hands(hands: Iterable[log.LoggedHand], names: list[str], watch: Watch = no_watch) -> list[Judged]:
    described = []
    for hand in hands:
        watch()
        assert hand.state.hand is not None
        sheet = _plain(describe_hand(hand.state.hand, names))
        described.append(Judged(hand.number, sheet, [entry.place for entry in hand.entries]))
    return described


def _plain(described: DescribedHand) -> DescribedHand:
    plain: DescribedHand = json.loads(canonical(described))
    return plain


def _answered_before(turn: Turn, amendment: Amendment) -> Amended:
    row, written = turn.row, turn.logged
    if written is None:
        raise exceptions.KeyReused
    first = written.seq - written.batch + 1
    before, after = log.hands_as_they_were(row, first - 1), log.hands_as_they_were(row, written.seq)
    was = before[-1].state if before else log.opening(row, first - 1)
    state = after[-1].state if after else log.opening(row, written.seq)
    hands = described_hands(before, row.seats), described_hands(after, row.seats)
    changes = compare(*hands, (describe_state(was), describe_state(state)))
    at, new = Standing(row, state), TableEvent.objects.get(table=row, seq=first)
    moved: list[MovedEntry] = []
    if amendment.rethread:
        events = {change.seq: _dumped(change) for change in amendment.changes}
        news = defaultdict[int, list[TableEvent]](list)
        for old in TableEvent.objects.filter(table=row, seq__in=events):
            news[old.hand].append(TableEvent(place=old.place, event=events[old.seq]))
        for hand in before:
            if hand.number in news:
                moved += rethread_rows(hand.start, hand.entries, news[hand.number])[1]
    ruling = _ruling_on(new, after)
    tables = turns.changed_before(row, written.seq) if row.finished else []
    changes = changes.without_winners() if row.finished and next_of(row) is not None else changes
    done = Amended(at=at, before=was, version=written.seq, event=new.event, changes=changes, ruling=ruling)
    return replace(done, moved=moved, tables=tables)


@past_deadlocks
def undo(code: str, caller: Caller) -> Recorded:
    """Undo the last event; a player only their own, and only while it is the latest.

    Raises ``NothingToUndo``, ``NotYourSeat``, ``AlreadyContinued``, and whatever ``turn_at`` raises.
    """
    with turns.turn_at(code, caller, caller.fingerprint("undo", None)) as turn:
        return recorded_before(turn) if turn.repeats else undo_last(turn)


def try_undo(code: str, caller: Caller) -> Recorded:
    with turns.trial_at(code, caller) as turn:
        return replace(undo_last(turn), version=turn.found)


def undo_last(turn: Turn, *, together: bool = False) -> Recorded:
    """Undo the last event; ``together``: with all passes recorded in the same tap."""
    turn.hold()
    following = next_of(turn.row) if turn.row.finished else None
    if following is not None:
        raise exceptions.AlreadyContinued(following=following)
    last = log.standing_rows(turn.row).order_by("-hand", "-place").first()
    if last is None:
        raise exceptions.NothingToUndo
    if turn.caller.seat is not None and not _may_undo(turn.row, last, turn.caller.seat):
        says = phrase("A player’s link undoes only this player’s last entry, and never a secret choice.")
        raise exceptions.NotYourSeat(says)
    # A hand dealt after this event without events of its own is removed along with it.
    dealt = {number: hand for number, hand in log.dealt_hands(turn.row).items() if number <= last.hand}
    for row in log.passed_together(last) if together else [last]:
        turn.amend(row, None)
    judged = turn.judge_again(dealt)
    assert judged.stop is None, judged.stop
    turn.adopt(judged)
    return Recorded(turn.at, turn.before, turn.version, [])


def redo_last(turn: Turn, expected: int | None) -> Recorded:
    """Redo the last undo or correction. Idempotent.

    Raises ``NothingToRedo`` if something else was recorded since, ``NotYourSeat``, and whatever ``amend`` raises.
    """
    turn.hold()
    if expected is not None and expected != turn.found:
        seen = log.last_act(turn.row, version=expected)
        if not seen or seen[-1].amended_by not in {row.seq for row in log.last_act(turn.row)}:
            raise exceptions.NothingToRedo
        return Recorded(turn.at, turn.before, turn.found, [], again=True)
    rows = log.last_act(turn.row)
    if not rows or any(row.amends is None and row.event is None for row in rows) or rows[-1].amends is None:
        raise exceptions.NothingToRedo
    was = {
        old.seq: old.event for old in TableEvent.objects.filter(table=turn.row, seq__in=[row.amends for row in rows])
    }
    changes = [Change(seq=row.seq, event=_stored(was.get(row.amends or 0))) for row in rows]
    seat, events = turn.caller.seat, [change.event for change in changes]
    if seat is not None and not (rows[-1].event is None and all(event and is_own(event, seat) for event in events)):
        raise exceptions.NotYourSeat(phrase("A player’s link corrects only what this player did."))
    first, *also = changes
    _amended, judged = _attempt(turn, Amendment(seq=first.seq, event=first.event, also=tuple(also)))
    if judged.stop is not None:
        raise exceptions.NothingToRedo
    turn.adopt(judged)
    return Recorded(turn.at, turn.before, turn.version, [])


def _stored(event: Any) -> Event | None:
    return None if event is None else stored_event(event)


def can_redo(change: log.LastChange, seat: int | None) -> bool:
    """Return whether a seat, or the scorekeeper (``None``), may redo the last act."""
    if seat is None:
        return change.corrected or bool(change.took_back)
    return bool(change.took_back) and all(is_own(stored_event(row.event), seat) for row in change.took_back)


def can_undo(row: Table, seat: int) -> bool:
    last = TableEvent.objects.filter(table=row, seq=row.version).first()
    return last is not None and last.stands and _may_undo(row, last, seat)


def _may_undo(row: Table, last: TableEvent, seat: int) -> bool:
    shown = last.choosing is not None and "seat" in last.choosing
    return not (row.choosing or shown) and is_own(stored_event(last.event), seat)
