"""A hand threaded anew: after a correction the cards keep their order, and whose they are follows from the turn.

A card that was mistaken for another one can give a trick to the wrong player. Who records by tapping cards then books
every later card on the wrong people, though the cards fell as they were tapped. Threading them anew gives each to the
player whose turn it is once the correction is made.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from referee.engine.bounds import STEP, Watch, no_watch
from referee.engine.event_kinds import Event
from referee.engine.hand import Hand
from referee.engine.rulings import Refusal, Verdict
from referee.engine.table import TableState


class Entry(NamedTuple):
    """An event as it was ``recorded`` and as it was ``meant``.

    One that was not meant is struck, one that was not recorded is put in.
    """

    recorded: Event | None
    meant: Event | None


@dataclass(frozen=True, slots=True)
class Moved:
    """A play or pass that moves to another player: its place among the entries, and its trick, counted from 1."""

    place: int
    trick: int | None
    event: Event
    from_seat: int
    to_seat: int


@dataclass(frozen=True, slots=True)
class Stuck:
    """The first event that does not fit any more: its place among the entries, and why."""

    place: int
    event: Event
    refusal: Refusal


@dataclass(frozen=True, slots=True)
class Rethreaded:
    """A hand threaded anew: an event for each entry (``None`` is a struck one), and what moves.

    ``before`` and ``after`` are the hand as it was recorded and as it then is; winners, scores and findings are theirs.
    What is ``stuck`` has the seat with which it was tried; after it the events are as they were meant, and ``after``
    ends before it.
    """

    events: tuple[Event | None, ...]
    moved: tuple[Moved, ...]
    before: Hand
    after: Hand
    stuck: Stuck | None = None


def rethread(table: TableState, entries: Sequence[Entry], watch: Watch = no_watch) -> Rethreaded:
    """Thread the hand that is dealt at a table anew; raises what ``watch`` raises.

    Plays and passes take the seat whose turn it then is. One that was out of turn as it was recorded, and one whose
    seat the correction itself changes, keep theirs, as does everything that is no play of cards one by one.
    """
    assert table.hand is not None
    before, after = table.hand.copy(), table.hand.copy()
    events: list[Event | None] = []
    moved: list[Moved] = []
    stuck: Stuck | None = None
    for place, (recorded, meant) in enumerate(entries):
        if place % STEP == 0:
            watch()
        event = meant
        if meant is not None and stuck is None:
            event = _in_turn(recorded, meant, before, after)
            trick, refusal = after.trick_number(), after.take(event)
            if refusal is not None:
                stuck = Stuck(place, event, refusal)
            elif recorded is not None and event is not meant:
                moved.append(Moved(place, trick, event, seat_of(meant), seat_of(event)))
        events.append(event)
        if recorded is not None:
            before.take(recorded)
    return Rethreaded(tuple(events), tuple(moved), before, after, stuck)


def follow(table: TableState, entries: Sequence[Entry]) -> TableState:
    """Return a table after the entries of its dealt hand, as they were meant: each play goes to whose turn it then is.

    What the rules then forbid counts as accepted by the table, and what cannot have happened is left out.
    """
    assert table.hand is not None
    before, after = table.hand.copy(), table.hand.copy()
    for recorded, meant in entries:
        event = None if meant is None else _in_turn(recorded, meant, before, after)
        tried = after.copy()
        refusal = None if event is None else tried.take(event)
        if event is not None and refusal is not None and refusal.verdict is Verdict.IRREGULAR:
            tried = after.copy()
            refusal = tried.take(replace(event, accepted=True))
        if event is not None and refusal is None:
            after = tried
        if recorded is not None:
            before.take(recorded)
    return table.with_hand(after)


def is_threaded(event: Event) -> bool:
    """Return whether whose doing an event is follows from the turn: a play of cards, or a pass."""
    kind = event.kind
    return kind.in_trick and kind.by_player and kind.field("seat") is not None


def seat_of(event: Event) -> int:
    """Return whose doing a play or pass is."""
    seat: int = event.seat  # type: ignore[attr-defined] # whatever is threaded has one
    return seat


def _in_turn(recorded: Event | None, meant: Event, before: Hand, after: Hand) -> Event:
    """Return an event with the seat whose turn it now is, where its seat follows from the turn."""
    if recorded is None or not is_threaded(recorded) or not is_threaded(meant):
        return meant
    seat, turn = seat_of(recorded), after.to_act()
    kept = seat_of(meant) != seat or before.to_act() != (seat,)
    if kept or len(turn) != 1 or turn[0] == seat:
        return meant
    change: dict[str, Any] = {"seat": turn[0]}
    return replace(meant, **change)
