"""Index of a table's disputes, and the checks on events that dispute marks require."""

from collections.abc import Iterable, Sequence

from django.db import transaction

from referee.engine.event_kinds import DISPUTES, Event
from referee.engine.rules import Problem, Refused
from scoring.models import Dispute, Table, TableEvent
from scoring.rulings.reads.disputes import DisputeNow, fold, has_mark, marked_rows, pausing_numbers, summary
from scoring.tables.acts.exceptions import TablePaused

# --- Denormalized disputes: which are open, on the table's row, and a row for each, for lists
# Everything here is derived from the log and can be rebuilt (``rebuild_disputes``).

FIELDS = ("number", "state", "situation", "claim", "ruling", "clauses", "raised", "decided")


def after_turn(row: Table, entries: Sequence[TableEvent]) -> list[DisputeNow] | None:
    """Return a table's disputes after new log rows; ``None`` if none changed."""
    amends = {entry.amends for entry in entries if entry.amends is not None}
    if not any(has_mark(entry.event) for entry in entries) and not (amends and row.disputes):
        return None
    stay = [entry for entry in marked_rows(row) if entry.seq not in amends]
    new = [entry for entry in entries if has_mark(entry.event)]
    return fold(sorted([*stay, *new], key=lambda entry: (entry.hand, entry.place)))


def write_index(row: Table, found: Sequence[DisputeNow]) -> None:
    Dispute.objects.filter(table=row).delete()
    Dispute.objects.bulk_create(indexed(row, found))


def indexed(row: Table, found: Iterable[DisputeNow]) -> list[Dispute]:
    return [
        Dispute(
            table=row,
            number=each.number,
            state=each.state,
            situation=(each.ruling and each.ruling.tree) or each.situation,
            claim=each.claim.text,
            ruling="" if each.ruling is None else each.ruling.text,
            clauses=[] if each.ruling is None else list(each.ruling.clauses),
            raised=each.claim.row.at,
            decided=None if each.ruling is None else each.ruling.row.at,
        )
        for each in found
    ]


def index_disputes(row: Table) -> None:
    found = fold(marked_rows(row))
    if found:
        _store(row, found)


def _store(row: Table, found: Sequence[DisputeNow]) -> None:
    row.disputes = summary(found)
    Table.objects.filter(pk=row.pk).update(disputes=row.disputes)
    write_index(row, found)


def rebuild_disputes(row: Table, *, write: bool = False) -> list[str]:
    """Return a sentence for each stored dispute that differs from the log; ``write`` repairs them."""
    with transaction.atomic():
        found = fold(marked_rows(row))
        wrong = []
        if row.disputes != summary(found):
            wrong.append(f"{row}: The table says {row.disputes} of its disputes, not {summary(found)}.")
        right = [[getattr(each, name) for name in FIELDS] for each in indexed(row, found)]
        there = [[getattr(each, name) for name in FIELDS] for each in Dispute.objects.filter(table=row)]
        if there != right:
            wrong.append(f"{row}: The disputes that lists know are not those of the log.")
        if wrong and write:
            _store(row, found)
        return wrong


def check_marks(events: Sequence[Event]) -> None:
    """Raise ``Refused`` for dispute marks in ordinary events, which would let anyone who records make a ruling."""
    for position, event in enumerate(events):
        if event.extra and DISPUTES in event.extra:
            pointer = f"/{DISPUTES}" if len(events) == 1 else f"/events/{position}/{DISPUTES}"
            raise Refused([Problem(pointer, "bad-value", "Disputes are raised and decided at their own address.")])


def check_pause(row: Table, events: Sequence[Event]) -> None:
    """Raise ``TablePaused`` for a play while a dispute pauses the table; other events are allowed."""
    if pausing_numbers(row) and any(not (event.kind.stays or event.kind.aside) for event in events):
        raise TablePaused
