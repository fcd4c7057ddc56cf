"""Reassignment of later plays and seatings after a correction."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from referee.engine.event_kinds import Event
from referee.engine.records import dump_event, stored_event
from referee.engine.replaying import Entry, Watch, no_watch, rethread
from referee.engine.table import TableState
from scoring.models import DealtHand, Table, TableEvent
from scoring.tables.reads.log import LoggedHand, dealt_hands, hand_start, replay_hands, standing_events
from scoring.tables.reads.rules import game_of


@dataclass(frozen=True, slots=True)
class MovedEntry:
    """A play or pass reassigned to another seat: its row, position, trick (from 1), and new ``event``."""

    entry: TableEvent
    position: int
    trick: int | None
    event: Mapping[str, Any]


def thread_anew(
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
    gone = {entry.amends for entry in news}
    entries = [entry for entry in standing_events(row, hands_from=first) if entry.seq not in gone]
    entries = sorted((*entries, *(e for e in news if e.event is not None)), key=lambda entry: (entry.hand, entry.place))
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
