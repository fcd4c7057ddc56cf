"""Recording what happened: events, one or several, all or none."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from django.db import transaction

from referee.engine.adjudication import describe_hand
from referee.engine.bounds import Watch, no_watch
from referee.engine.event_kinds import Event
from referee.engine.reading import dump_event
from referee.engine.rulings import Refusal, Verdict
from referee.engine.snapshot import dump_table
from referee.engine.table import Ruling, TableState, hand_for, judge
from scoring.models import HandSheet, Table, TableEvent
from scoring.queries.clock import by_now
from scoring.queries.deadline import judging_watch
from scoring.queries.hidden import is_hidden
from scoring.queries.log import as_it_was
from scoring.queries.state import Standing, standing
from scoring.services.exceptions import HiddenChoice, NotTaken, NotYourSeat
from scoring.services.hidden import Hidden, left_after, show
from scoring.services.limits import count_write
from scoring.services.room import Room
from scoring.services.turns import Request, answered, check_version, fingerprint, keep, locked


@dataclass(frozen=True, slots=True)
class Recorded:
    """The state after an act, its version, the rulings on the events it brought, and who has chosen in secret."""

    at: Standing
    version: int
    rulings: list[Ruling]
    again: bool = False
    hidden: Hidden = field(default_factory=dict)


def record_events(code: str, events: Sequence[Event], request: Request, *, openly: bool = True) -> Recorded:
    """Record events at a table, all of them or none.

    A hand that is over is left, and the next one begun, by the first event that cannot belong to it.
    Raises ``NotTaken`` with the ruling on the event that stopped it, ``MovedOn``, ``KeyReused``, ``NotYourSeat``,
    ``TooMany``, ``LinkRevoked``, ``Table.DoesNotExist``, ``Refused`` where the table has no room for them, and, unless
    ``openly``, ``HiddenChoice`` for what a player may choose in secret.
    """
    with transaction.atomic():
        row = locked(code, request)
        told = [dump_event(event) for event in events]
        mark = fingerprint("events", told) if request.key else ""
        written = answered(row, request, mark)
        if written is not None:
            return first_answer(row, written)
        check_version(row, request)
        count_write(row, request)
        check_seat(events, request)
        at = standing(row)
        taking = Taking(row, at.names, at.state, judging_watch())
        for position, event in enumerate(events):
            if request.seat is not None and not openly and is_hidden(taking.state, event):
                raise HiddenChoice
            ruling = taking.take(event)
            if ruling.verdict is not Verdict.ACCEPTED:
                raise NotTaken(ruling, position=position, version=row.version)
        left: Hidden = {}
        if row.hidden:
            left = left_after(row, at.state, events, taking.state)
            left = show(row, taking.state, left, taking.take_shown)
        return write(row, at, taking, request, mark, left)


def check_seat(events: Sequence[Event], request: Request) -> None:
    """Raise ``NotYourSeat`` for what a player's link may not record."""
    if request.seat is not None and not all(is_own(event, request.seat) for event in events):
        raise NotYourSeat


def is_own(event: Event, seat: int) -> bool:
    """Return whether an event says what the player of a seat does."""
    return event.kind.by_player and getattr(event, "seat", None) == seat


@dataclass(slots=True)
class Taking:
    """Events being taken, and the hands left on the way; nothing is written yet.

    Taking raises ``Refused`` where the table has no room for an event, and what ``watch`` raises.
    """

    row: Table
    names: list[str]
    state: TableState
    watch: Watch = no_watch
    rulings: list[Ruling] = field(default_factory=list)
    entries: list[TableEvent] = field(default_factory=list)
    sheets: list[HandSheet] = field(default_factory=list)
    room: Room = field(init=False)

    def __post_init__(self) -> None:
        self.room = Room(self.row)

    def take(self, event: Event) -> Ruling:
        """Judge one event, dealing the hand that it begins."""
        self.watch()
        dealt = self._begin(event)
        if isinstance(dealt, Refusal):
            return Ruling(dealt.verdict, self.state, dealt.reason)
        ruling = judge(dealt, event)
        if ruling.verdict is Verdict.ACCEPTED:
            self.room.take(event, ruling.table)
            if dealt is not self.state:
                self._leave_hand(dealt)
            self._add(event, ruling)
        return ruling

    def judge(self, event: Event) -> Ruling:
        """Judge one event and do nothing else."""
        dealt = self._begin(event)
        if isinstance(dealt, Refusal):
            return Ruling(dealt.verdict, self.state, dealt.reason)
        return judge(dealt, event)

    def take_shown(self, event: Event, by: str) -> Ruling:
        """Take a choice that was hidden until now; the log says whose doing it was."""
        ruling = self.take(event)
        self.entries[-1].by = by
        self.entries[-1].hidden = {"seat": getattr(event, "seat", None), "chosen": [], "again": []}
        return ruling

    def _begin(self, event: Event) -> TableState | Refusal:
        """Return the table with the hand of this event; after the agreed time no further one begins."""
        dealt = hand_for(self.state, event)
        late = self.state if dealt is self.state else by_now(self.row, self.state)
        return dealt if late is self.state else hand_for(late, event)

    def _leave_hand(self, dealt: TableState) -> None:
        left = self.state.hand
        if left is not None:
            sheet = describe_hand(left, self.names)
            start = self.row.hand_start
            self.sheets.append(HandSheet(table=self.row, number=left.setup.index, sheet=sheet, start=start))
        assert dealt.hand is not None
        self.row.hand_start = dump_table(dealt)
        self.row.hand_number = dealt.hand.setup.index

    def _add(self, event: Event, ruling: Ruling) -> None:
        assert self.row.hand_number is not None
        self.state = ruling.table
        self.rulings.append(ruling)
        seq = self.row.version + len(self.rulings)
        self.entries.append(
            TableEvent(
                table=self.row,
                seq=seq,
                place=seq,
                hand=self.row.hand_number,
                event=dump_event(event, self.state.rules.pack),
            )
        )


def write(row: Table, at: Standing, taking: Taking, request: Request, mark: str, left: Hidden) -> Recorded:
    """Write what was taken, and whose hidden choices are left; ``mark`` tells a retry."""
    if taking.entries:
        for entry in taking.entries:
            entry.by = entry.by or request.by
        last = taking.entries[-1]
        if left:
            last.hidden = {**(last.hidden or {}), **left}
        last.key, last.fingerprint, last.batch = request.key, mark, len(taking.entries)
        TableEvent.objects.bulk_create(taking.entries)
        HandSheet.objects.bulk_create(taking.sheets)
        row.version += len(taking.entries)
        keep(row, taking.state, hidden=left)
    return Recorded(Standing(row, at.rules, taking.state), row.version, taking.rulings, hidden=left)


def first_answer(row: Table, written: TableEvent) -> Recorded:
    """Return again what was answered when this row was written, rebuilt from the log."""
    state, rulings = as_it_was(row, written.seq)
    own = rulings[-written.batch :] if written.event is not None else []
    said: dict[str, object] = written.hidden or {}
    return Recorded(Standing(row, state.rules, state), written.seq, own, again=True, hidden=said)
