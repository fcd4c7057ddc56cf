"""Recording what happened: events, one or several, all or none."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from django.db import transaction

import referee.table as game_table
from referee.adjudication import describe_hand
from referee.events import End, Event, Note, Penalty, Redeal, Transfer
from referee.hand import FINISHED, VOID
from referee.records import dump_event
from referee.rulings import Refusal, Ruling, Verdict
from referee.snapshot import dump_table
from scoring.models import HandSheet, Table, TableEvent
from scoring.queries.log import as_it_was
from scoring.queries.state import Standing, standing
from scoring.services.outcomes import NotTaken
from scoring.services.writing import Request, answered, check_version, fingerprint, keep, locked

STAYING = (Note, Penalty, Transfer, Redeal, End)
"""The events that still belong to a hand that is over."""


@dataclass(frozen=True, slots=True)
class Recorded:
    """The state after an act, the version it has, and the rulings on the events it brought."""

    at: Standing
    version: int
    rulings: list[Ruling]
    again: bool = False


def record_events(code: str, events: Sequence[Event], request: Request) -> Recorded:
    """Record events at a table, all of them or none.

    A hand that is over is left, and the next one begun, by the first event that cannot belong to it.
    Raises ``NotTaken`` with the ruling on the event that stopped it, ``MovedOn``, ``KeyReused``, and
    ``Table.DoesNotExist``.
    """
    with transaction.atomic():
        row = locked(code)
        told = [dump_event(event) for event in events]
        mark = fingerprint("events", told) if request.key else ""
        written = answered(row, request, mark)
        if written is not None:
            return first_answer(row, written)
        check_version(row, request)
        at = standing(row)
        taking = _Taking(row, at.names, at.state)
        for position, event in enumerate(events):
            ruling = taking.take(event)
            if ruling.verdict is not Verdict.ACCEPTED:
                raise NotTaken(ruling, position=position, version=row.version)
        return _write(row, at, taking, request, mark)


@dataclass(slots=True)
class _Taking:
    """Events being taken, and the hands left on the way; nothing is written yet."""

    row: Table
    names: list[str]
    state: game_table.Table
    rulings: list[Ruling] = field(default_factory=list)
    entries: list[TableEvent] = field(default_factory=list)
    sheets: list[HandSheet] = field(default_factory=list)

    def take(self, event: Event) -> Ruling:
        """Judge one event, dealing the hand that it begins."""
        dealt = begin(self.state, event)
        if isinstance(dealt, Refusal):
            return Ruling(dealt.verdict, self.state, dealt.reason)
        ruling = game_table.judge(dealt, event)
        if ruling.verdict is Verdict.ACCEPTED:
            if dealt is not self.state:
                self._leave_hand(dealt)
            self._add(event, ruling)
        return ruling

    def _leave_hand(self, dealt: game_table.Table) -> None:
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
                event=dump_event(event, self.state.rules),
            )
        )


def begin(state: game_table.Table, event: Event) -> game_table.Table | Refusal:
    """Return the table with the hand dealt to which this event belongs."""
    hand = state.hand
    if hand is not None and (hand.phase not in (FINISHED, VOID) or isinstance(event, STAYING)):
        return state
    return game_table.deal(state)


def _write(row: Table, at: Standing, taking: _Taking, request: Request, mark: str) -> Recorded:
    if taking.entries:
        for entry in taking.entries:
            entry.by = request.by
        last = taking.entries[-1]
        last.key, last.fingerprint, last.batch = request.key, mark, len(taking.entries)
        TableEvent.objects.bulk_create(taking.entries)
        HandSheet.objects.bulk_create(taking.sheets)
        row.version += len(taking.entries)
        keep(row, taking.state)
    return Recorded(Standing(row, at.rules, taking.state), row.version, taking.rulings)


def first_answer(row: Table, written: TableEvent) -> Recorded:
    """Return again what was answered when this row was written, rebuilt from the log."""
    state, rulings = as_it_was(row, written.seq)
    own = rulings[-written.batch :] if written.event is not None else []
    return Recorded(Standing(row, state.rules, state), written.seq, own, again=True)
