"""Replaying and rethreading recorded hands, and limits on what one record may hold and cost."""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from referee.engine.cards import Pack
from referee.engine.event_kinds import Event
from referee.engine.events import HouseRules
from referee.engine.hand import Hand
from referee.engine.rules import MOST_PROBLEMS, Problem, Refused
from referee.engine.rulings import Refusal, Verdict
from referee.engine.table import Ruling, TableState, deal, judge, too_late
from referee.engine.texts import phrase

# Limits of one record or table. Real evenings stay far below: a hand has some hundred events, an evening two thousand.
# They keep hostile input from using up the processor.

MOST_EVENTS = 20_000
"""Events of a record or table."""
MOST_HANDS = 2_000
MOST_EVENTS_OF_HAND = 2_000
MOST_SETTLEMENTS = 300
"""Penalties and transfers of a hand, together."""
MOST_NOTES = 200
"""Notes of a hand."""
MOST_EXTRA = 64_000
"""Bytes of all ``x_`` keys of a record or table with their values, as JSON."""
STATED = ("x_scores", "x_totals", "x_rules_version")
"""Keys that restate what follows from the events: they are compared, but neither kept nor counted."""

Watch = Callable[[], None]
"""Called periodically while judging; raises ``TooCostly`` when that has taken too long."""
STEP = 50
"""Events between two checks of the clock."""


class TooCostly(Refused):
    """Judging exceeded the caller's deadline."""

    def __init__(self) -> None:
        super().__init__([Problem("", "too-costly", "Judging this takes longer than there is time for.")])


def no_watch() -> None:
    """A watch without a limit."""


def deadline(clock: Callable[[], float], seconds: float) -> Watch:
    """Return a watch that raises once the clock has advanced by ``seconds``; 0 means no limit."""
    if not seconds:
        return no_watch
    end = clock() + seconds

    def look() -> None:
        if clock() > end:
            raise TooCostly

    return look


def too_many_events(pointer: str) -> Problem:
    return Problem(pointer, "too-many-events", phrase("A record holds at most {most} events.", most=MOST_EVENTS))


def too_many_hands(pointer: str) -> Problem:
    return Problem(pointer, "too-many-hands", phrase("A record holds at most {most} hands.", most=MOST_HANDS))


def too_much_extra(pointer: str) -> Problem:
    detail = phrase("The x_ keys of a record hold at most {most} bytes together.", most=MOST_EXTRA)
    return Problem(pointer, "too-much-extra", detail)


def overfull(events: int, settlements: int, notes: int, pointer: str) -> Problem | None:
    """Return which limit a hand exceeds; ``settlements`` and ``notes`` are among its ``events``."""
    if events > MOST_EVENTS_OF_HAND:
        detail = phrase("A hand holds at most {most} events.", most=MOST_EVENTS_OF_HAND)
        return Problem(pointer, "too-many-events", detail)
    if settlements > MOST_SETTLEMENTS:
        detail = phrase("A hand holds at most {most} penalties and transfers.", most=MOST_SETTLEMENTS)
        return Problem(pointer, "too-many-settlements", detail)
    if notes > MOST_NOTES:
        return Problem(pointer, "too-many-notes", phrase("A hand holds at most {most} notes.", most=MOST_NOTES))
    return None


def extra_size(extra: Mapping[str, object] | None) -> int:
    kept = {key: value for key, value in (extra or {}).items() if key not in STATED}
    return len(json.dumps(kept, ensure_ascii=False, separators=(",", ":")).encode(errors="replace")) - 2 if kept else 0


# --- Replaying hands, event by event


@dataclass(frozen=True, slots=True)
class HandRecord:
    """One hand of a record: its events, and the hands that were entered, by seat."""

    events: tuple[Event, ...] = ()
    known: Mapping[int, Sequence[str]] = field(default_factory=dict)
    extra: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class PlayedHand:
    """A replayed hand: its index, the table when it was dealt and now, and every ruling if requested."""

    number: int
    start: TableState
    state: TableState
    rulings: tuple[Ruling, ...] = ()


@dataclass(frozen=True, slots=True)
class Stop:
    """The refused event, by position (0 for the deal of its hand), and the ruling on it."""

    hand: int
    event: int
    ruling: Ruling


def play_hands(
    table: TableState,
    recorded: Iterable[HandRecord],
    *,
    first: int = 0,
    dealt: TableState | None = None,
    rulings: bool = False,
    empty_too: bool = True,
    watch: Watch = no_watch,
) -> tuple[list[PlayedHand], Stop | None]:
    """Replay hands on a table; return them, and what stopped the replay.

    ``first`` is the index of the first of them, ``dealt`` the table with it dealt, if known. With ``rulings`` each
    event is judged by itself, which takes longer. Unless ``empty_too``, a hand that cannot begin and has no events is
    skipped. Raises ``Refused`` for entered hands that cannot have been dealt, and what ``watch`` raises.
    """
    hands: list[PlayedHand] = []
    for number, hand in enumerate(recorded, first):
        known = known_masks(table.rules.pack, hand.known, f"/hands/{number}/known") if hand.known else {}
        opened = dealt or deal(table, known)
        dealt = None
        if isinstance(opened, Refusal):
            if hand.events or empty_too:
                return hands, Stop(number, 0, Ruling(opened.verdict, table, opened.reason))
            continue
        made: list[Ruling] = []
        position, stopped = len(hand.events), None
        if rulings:
            table = opened
            for position, event in enumerate(hand.events):
                if position % STEP == 0:
                    watch()
                ruling = judge(table, event)
                if ruling.verdict is not Verdict.ACCEPTED:
                    stopped = ruling
                    break
                table = ruling.table
                made.append(ruling)
        else:
            # A hand that is played to its last card and contradicts no claim is itself a way to place the cards. So
            # proofs by counting are left out at first, and made up for only if they are needed.
            assert opened.hand is not None
            taken = opened.hand.copy()
            taken.count_later()
            refusal = _take_into(opened, taken, hand.events, watch)
            if taken.needs_counting():
                taken = opened.hand.copy()
                refusal = _take_into(opened, taken, hand.events, watch)
            table = opened.with_hand(taken)
            if refusal is not None:
                position, stopped = taken.events, Ruling(refusal.verdict, table, refusal.reason)
        hands.append(PlayedHand(number, opened, table, tuple(made)))
        if stopped is not None:
            return hands, Stop(number, position, stopped)
    return hands, None


def _take_into(table: TableState, hand: Hand, events: Sequence[Event], watch: Watch) -> Refusal | None:
    take = hand.take
    for start in range(0, len(events), STEP):
        watch()
        for event in events[start : start + STEP]:
            if event.__class__ is HouseRules:
                refusal = too_late(table.with_hand(hand), event) or take(event)
            else:
                refusal = take(event)
            if refusal is not None:
                return refusal
    return None


def known_masks(pack: Pack, known: Mapping[int, Sequence[str]], pointer: str = "") -> dict[int, int]:
    """Return entered hands as bit masks, by seat; raises ``Refused`` for unknown and repeated cards."""
    masks: dict[int, int] = {}
    problems: list[Problem] = []
    for seat, codes in known.items():
        mask = 0
        for position, code in enumerate(codes):
            if len(problems) == MOST_PROBLEMS:
                raise Refused(problems)
            where = f"{pointer}/{seat}/{position}"
            card = pack.find(code)
            if card is None:
                problems.append(Problem(where, "not-in-deck", pack.explain(code)))
            elif mask >> card & 1:
                problems.append(Problem(where, "bad-known", "This card is listed twice."))
            else:
                mask |= 1 << card
        masks[seat] = mask
    if problems:
        raise Refused(problems)
    return masks


# --- Rethreading: after a correction the cards keep their order, and the turn decides whose they are
# One misread card can give a trick to the wrong player. A scorekeeper who only taps cards then books every later card
# to the wrong players, although the order is right. Rethreading gives each card to the player whose turn it is after
# the correction.


class Entry(NamedTuple):
    """An event as it was ``recorded`` and as it was ``meant``: struck if not meant, inserted if not recorded."""

    recorded: Event | None
    meant: Event | None


@dataclass(frozen=True, slots=True)
class Moved:
    """A play or pass that moves to another seat: its place among the entries, and its trick, from 1."""

    place: int
    trick: int | None
    event: Event
    from_seat: int
    to_seat: int


@dataclass(frozen=True, slots=True)
class Stuck:
    """The first event that no longer fits: its place among the entries, and why."""

    place: int
    event: Event
    refusal: Refusal


@dataclass(frozen=True, slots=True)
class Rethreaded:
    """A rethreaded hand: an event for each entry (``None`` if struck), and the plays that moved.

    ``before`` and ``after`` are the hand as recorded and as it is then. The ``stuck`` event has the seat with which it
    was tried; later events are as they were meant, and ``after`` ends before it.
    """

    events: tuple[Event | None, ...]
    moved: tuple[Moved, ...]
    before: Hand
    after: Hand
    stuck: Stuck | None = None


def rethread(table: TableState, entries: Sequence[Entry], watch: Watch = no_watch) -> Rethreaded:
    """Rethread the hand dealt at a table; raises what ``watch`` raises.

    Each play or pass goes to the seat whose turn it is. One that was recorded out of turn, and one whose seat the
    correction itself changes, keep theirs, as do all other events.
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
    """Return a table after its hand's entries, rethreaded; irregular events are accepted, impossible ones skipped."""
    assert table.hand is not None
    before, after = table.hand.copy(), table.hand.copy()
    for recorded, meant in entries:
        if meant is not None:
            event = _in_turn(recorded, meant, before, after)
            refusal = after.take(event)
            if refusal is not None and refusal.verdict is Verdict.IRREGULAR:
                after.take(replace(event, accepted=True))
        if recorded is not None:
            before.take(recorded)
    return table.with_hand(after)


def is_threaded(event: Event) -> bool:
    """Return whether an event's seat follows from the turn: a play of cards, or a pass."""
    kind = event.kind
    return kind.in_trick and kind.by_player and kind.field("seat") is not None


def seat_of(event: Event) -> int:
    seat: int = event.seat  # type: ignore[attr-defined] # every threaded event has one
    return seat


def _in_turn(recorded: Event | None, meant: Event, before: Hand, after: Hand) -> Event:
    if recorded is None or not is_threaded(recorded) or not is_threaded(meant):
        return meant
    seat, turn = seat_of(recorded), after.to_act()
    kept = seat_of(meant) != seat or before.to_act() != (seat,)
    if kept or len(turn) != 1 or turn[0] == seat:
        return meant
    change: dict[str, Any] = {"seat": turn[0]}
    return replace(meant, **change)
