"""Verification that everything derived from a log matches it byte for byte."""

from collections.abc import Iterator, Sequence

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
    """Rebuild a table from its log; return a sentence for each difference from what is stored."""
    found = [*numbering(row)]
    try:
        hands = hands_as_they_were(row, row.version)
    except (AssertionError, Refused, KeyError, ValueError) as problem:
        return [*found, f"The log can’t be replayed: {problem}"]
    return [*found, *_snapshot(row, hands), *_sheets(row, hands), *_beside(row)]


def numbering(row: Table) -> Iterator[str]:
    """Yield a sentence for each gap in the numbering of log rows, and each amendment without its counterpart."""
    entries = {entry.seq: entry for entry in TableEvent.objects.filter(table=row).order_by("seq")}
    numbers = [*entries]
    if numbers != [*range(1, row.version + 1)]:
        shown = ", ".join(map(str, numbers[:5])) or "none"
        more = f" ... {numbers[-1]} ({len(numbers)})" if len(numbers) > 5 else ""
        yield f"The table is at version {row.version}, but its log has the rows {shown}{more}."
    for entry in entries.values():
        if entry.amends is not None:
            amended = entries.get(entry.amends)
            if amended is None or amended.amended_by != entry.seq:
                yield f"Row {entry.seq} amends row {entry.amends}, which isn’t marked as amended."
        if entry.amended_by is not None and entry.amended_by not in entries:
            yield f"Row {entry.seq} was amended by row {entry.amended_by}, which doesn’t exist."


def _beside(row: Table) -> Iterator[str]:
    """Compare the table's disputes with the log, and carried points with the earlier tables' totals."""
    if row.disputes != summary(fold(marked_rows(row))):
        yield "The stored summary of the disputes differs from the log."
    if row.carried_from is not None:
        totals = {back: standing(earlier).state.totals() for back, earlier in enumerate(tables_before(row), 1)}
        carried = list(carried_now(row, totals))
        if carried != list(row.carried):
            yield f"It carries {row.carried}, but the tables before it add up to {carried}."


def _snapshot(row: Table, hands: Sequence[LoggedHand]) -> Iterator[str]:
    stored = Table.objects.filter(pk=row.pk).values_list(Cast("snapshot", TextField()), Cast("hand_start", TextField()))
    snapshot, hand_start = stored[0]
    state = hands[-1].state if hands else opening(row)
    if snapshot != canonical(dump_table(state)):
        yield "The stored snapshot differs from the log."
    if hand_start != (canonical(dump_table(hands[-1].start)) if hands else None):
        yield "The stored state at the start of the last hand differs from the log."
    if row.hand_number != (hands[-1].number if hands else None):
        yield f"The last hand is stored as number {row.hand_number}."
    if row.finished != state.finished():
        yield f"The table is stored as {'finished' if row.finished else 'not finished'}."


def _sheets(row: Table, hands: Sequence[LoggedHand]) -> Iterator[str]:
    sheets_of(row)
    sheets = HandSheet.objects.filter(table=row).order_by("number")
    texts = sheets.values_list("number", Cast("sheet", TextField()), Cast("start", TextField()))
    stored = {number: (sheet, start) for number, sheet, start in texts}
    for hand in hands[:-1]:
        assert hand.state.hand is not None
        if hand.number not in stored:
            yield f"Hand {hand.number} has no sheet."
            continue
        sheet, start = stored.pop(hand.number)
        if unpacked(sheet) != canonical(describe_hand(hand.state.hand, row.seats)):
            yield f"The stored sheet of hand {hand.number} differs from the log."
        if unpacked(start) != canonical(dump_table(hand.start)):
            yield f"The stored state at the start of hand {hand.number} differs from the log."
    for number in stored:
        yield f"There is a sheet of hand {number}, which isn’t in the log."
