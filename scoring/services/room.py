"""Whether a table has room for one more event: as much as a record may hold, so that every table can be taken away.

What the state of a hand tells is looked at for every event; the log is counted only where that may matter.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from django.db.models import TextField
from django.db.models.functions import Cast

from referee.engine import bounds
from referee.engine.event_kinds import Event
from referee.engine.events import Note
from referee.engine.hand import Hand
from referee.engine.options import Problem, Refused
from referee.engine.table import TableState
from scoring.models import DealtHand, Table, TableEvent
from scoring.queries.log import standing_rows


def within_limits(version: int, event: Event, after: TableState) -> bool:
    """Return whether a table of this version surely has room for an event; ``after`` is the state with it."""
    hand = after.hand
    assert hand is not None
    notes = hand.events if isinstance(event, Note) else 0
    if event.extra or version >= bounds.MOST_EVENTS or hand.setup.index >= bounds.MOST_HANDS:
        return False
    return bounds.overfull(hand.events, hand.settlements(), notes, "") is None


@dataclass(slots=True)
class RecordLimits:
    """The room that a table has left while events are taken: each finds less of it than the one before.

    ``notes`` are those counted so far by the index of their hand, ``own`` the bytes of ``x_`` keys in the whole log;
    what stands in the log is counted once, and not before it matters.
    """

    row: Table
    taken: int = 0
    notes: Counter[int] = field(default_factory=Counter)
    own: int = 0
    notes_counted: set[int] = field(default_factory=set)
    own_counted: bool = False

    def take(self, event: Event, after: TableState) -> None:
        """Take the room for an event; raises ``Refused`` where there is none. ``after`` is the state with it."""
        hand = after.hand
        assert hand is not None
        self.taken += 1
        self.notes[hand.setup.index] += isinstance(event, Note)
        self.own += bounds.extra_size(event.extra)
        if not within_limits(self.row.version + self.taken - 1, event, after):
            notes = self._notes(hand.setup.index) if isinstance(event, Note) else 0
            refuse(full_hand(hand, notes), too_many(self.row, self.taken), too_much(self._own() if event.extra else 0))

    def _notes(self, hand: int) -> int:
        if hand not in self.notes_counted:
            self.notes_counted.add(hand)
            self.notes[hand] += count_notes(entry.event for entry in standing_rows(self.row).filter(hand=hand))
        return self.notes[hand]

    def _own(self) -> int:
        if not self.own_counted:
            self.own_counted = True
            self.own += own_keys(self.row)
        return self.own


def check_amended(
    row: Table, new: Sequence[TableEvent], after: TableState, hand: Iterable[TableEvent], *, more: int
) -> None:
    """Raise ``Refused`` where a table has no room for new events in the place of others, ``more`` of them of none.

    ``hand`` are the rows of a hand as they are with them, ``after`` is the state at the end of that hand.
    """
    assert after.hand is not None
    events = [entry.event for entry in new if entry.event is not None]
    notes = count_notes(entry.event for entry in hand) if count_notes(events) else 0
    own = sum(map(own_size, events))
    refuse(full_hand(after.hand, notes), too_many(row, more) if more else None, too_much(own and own + own_keys(row)))


# -- what there is --------------------------------------------------------------------------


def count_notes(events: Iterable[Mapping[str, object]]) -> int:
    """Return how many of these events of a log are notes."""
    return sum(event["type"] == Note.type for event in events)


def own_keys(row: Table) -> int:
    """Return how many bytes the ``x_`` keys of a table and of its whole log take, corrected entries included."""
    dealt = sum(bounds.extra_size(hand.extra) for hand in DealtHand.objects.filter(table=row))
    texts = TableEvent.objects.filter(table=row).annotate(text=Cast("event", TextField()))
    events = (entry.event for entry in texts.filter(text__contains='"x_'))
    return bounds.extra_size(row.extra) + dealt + sum(map(own_size, events))


def own_size(event: Mapping[str, object]) -> int:
    """Return how many bytes the ``x_`` keys of an event take."""
    return bounds.extra_size({key: value for key, value in event.items() if key.startswith("x_")})


# -- what is too much -----------------------------------------------------------------------


def full_hand(hand: Hand, notes: int) -> Problem | None:
    """Return what a hand has too many of."""
    if hand.setup.index >= bounds.MOST_HANDS:
        return bounds.too_many_hands("")
    return bounds.overfull(hand.events, hand.settlements(), notes, "")


def too_many(row: Table, more: int) -> Problem | None:
    """Return the problem of a table that would have too many events; its log is counted where that may matter."""
    if row.version + more <= bounds.MOST_EVENTS or standing_rows(row).count() + more <= bounds.MOST_EVENTS:
        return None
    return bounds.too_many_events("")


def too_much(own: int) -> Problem | None:
    """Return the problem of a table with so many bytes of ``x_`` keys."""
    return bounds.too_much_extra("") if own > bounds.MOST_EXTRA else None


def refuse(*problems: Problem | None) -> None:
    """Raise ``Refused`` with the problems there are."""
    found = [problem for problem in problems if problem is not None]
    if found:
        raise Refused(found)
