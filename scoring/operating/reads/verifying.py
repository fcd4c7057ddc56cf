"""Whether what stands beside a log is what the log amounts to, byte for byte."""

from collections.abc import Iterator, Sequence
from typing import Any

from django.db.models import TextField
from django.db.models.functions import Cast

from referee.engine.adjudication import describe_hand
from referee.engine.rules import Refused
from referee.engine.snapshot import dump_table
from scoring.models import HandSheet, Table, TableEvent
from scoring.models.fields import canonical, unpacked
from scoring.rulings.reads.disputes import fold, marked_rows, summary
from scoring.tables.reads.log import LoggedHand, hands_as_they_were, opening, sheets_of
from scoring.tables.reads.results import carried_now, tables_before
from scoring.tables.reads.state import standing


def differences(row: Table) -> list[str]:
    """Rebuild a table from its log, and say in a sentence each what is stored otherwise."""
    found = numbering(row)
    try:
        hands = hands_as_they_were(row, row.version)
    except (AssertionError, Refused, KeyError, ValueError) as problem:
        return [*found, f"The log cannot be played again: {problem}"]
    return [*found, *_snapshot(row, hands), *_sheets(row, hands), *_disputes(row), *_carried(row)]


def _carried(row: Table) -> Iterator[str]:
    """Compare what the table carries with where the game stood at the tables before it."""
    if row.carried_from is None:
        return
    totals = {back: standing(earlier).state.totals() for back, earlier in enumerate(tables_before(row), 1)}
    carried = list(carried_now(row, totals))
    if carried != list(row.carried):
        yield f"It carries {row.carried}; the tables before it amount to {carried}."


def _disputes(row: Table) -> Iterator[str]:
    if row.disputes != summary(fold(marked_rows(row))):
        yield "What the table says of its disputes is not what the log amounts to."


def numbering(row: Table) -> list[str]:
    """Check that the rows are numbered without a gap, and that what was amended says by whom."""
    return [*_numbering(row)]


def _numbering(row: Table) -> Iterator[str]:
    entries = {entry.seq: entry for entry in TableEvent.objects.filter(table=row).order_by("seq")}
    if [*entries] != [*range(1, row.version + 1)]:
        yield f"The table is at version {row.version}; its log has the rows {_shortened([*entries])}."
    for entry in entries.values():
        if entry.amends is not None:
            amended = entries.get(entry.amends)
            if amended is None or amended.amended_by != entry.seq:
                yield f"Row {entry.seq} amends row {entry.amends}, which does not say so."
        if entry.amended_by is not None and entry.amended_by not in entries:
            yield f"Row {entry.seq} was amended by row {entry.amended_by}, which is not there."


def _shortened(numbers: Sequence[int]) -> str:
    shown = ", ".join(map(str, numbers[:5]))
    return f"{shown} ... {numbers[-1]} ({len(numbers)})" if len(numbers) > 5 else shown or "none"


def _snapshot(row: Table, hands: Sequence[LoggedHand]) -> Iterator[str]:
    stored = _texts(Table.objects.filter(pk=row.pk), "snapshot", "hand_start")[0]
    state = hands[-1].state if hands else opening(row)
    if stored["snapshot"] != canonical(dump_table(state)):
        yield "The snapshot is not what the log amounts to."
    if stored["hand_start"] != (canonical(dump_table(hands[-1].start)) if hands else None):
        yield "The state in which the last hand began is not what the log amounts to."
    if row.hand_number != (hands[-1].number if hands else None):
        yield f"The last hand is stored as number {row.hand_number}."
    if row.finished != state.finished():
        yield f"The table is stored as {'finished' if row.finished else 'not finished'}."


def _sheets(row: Table, hands: Sequence[LoggedHand]) -> Iterator[str]:
    sheets_of(row)
    sheets = _texts(HandSheet.objects.filter(table=row).order_by("number"), "sheet", "start", "number")
    stored = {sheet["number"]: sheet for sheet in sheets}
    for hand in hands[:-1]:
        assert hand.state.hand is not None
        sheet = stored.pop(hand.number, None)
        if sheet is None:
            yield f"Hand {hand.number} has no sheet."
            continue
        if unpacked(sheet["sheet"]) != canonical(describe_hand(hand.state.hand, row.seats)):
            yield f"The sheet of hand {hand.number} is not what the log amounts to."
        if unpacked(sheet["start"]) != canonical(dump_table(hand.start)):
            yield f"The state in which hand {hand.number} began is not what the log amounts to."
    for number in stored:
        yield f"There is a sheet of hand {number}, which the log does not have."


def _texts(rows: Any, *names: str) -> list[dict[str, Any]]:
    """Return columns as they are stored, JSON as its text."""
    raw = {f"raw_{name}": Cast(name, TextField()) for name in names if name != "number"}
    plain = [name for name in names if name == "number"]
    return [{key.removeprefix("raw_"): value for key, value in row.items()} for row in rows.values(*plain, **raw)]
