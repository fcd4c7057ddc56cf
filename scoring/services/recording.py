"""Recording what happened: events, one or several, all or none; openly, or face down where a choice is secret."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from referee.engine.asks import Preview
from referee.engine.event_kinds import Event
from referee.engine.reading import dump_event
from referee.engine.rulings import Verdict
from referee.engine.table import Ruling
from referee.engine.translation import phrase
from scoring.models import Role, Table
from scoring.queries.access import standing_links
from scoring.queries.log import as_it_was
from scoring.queries.secret_choices import Choosing, is_secret, with_hand
from scoring.queries.state import Standing
from scoring.services.chains import LaterTable, changed_before, later_tables
from scoring.services.choosing import left_after, put_down, show, with_choice
from scoring.services.deadlocks import past_deadlocks
from scoring.services.dispute_guard import check_marks, check_pause
from scoring.services.exceptions import KeyReused, NotSecret, NotTaken, NotYourSeat, SecretAmongOthers
from scoring.services.keys import Caller
from scoring.services.turn import Turn
from scoring.services.turns import at_once, trial_at, turn_at

EVENTS_TO_AN_ACT = 10
"""So many events of one request count as one act."""


@dataclass(frozen=True, slots=True)
class Recorded:
    """The state after an act, its version, the rulings on the events it brought, and who has chosen in secret.

    ``seen`` is what an event that is only tried would be called, in games that have a name for it; ``later`` are the
    tables after this one that change.
    """

    at: Standing
    version: int
    rulings: list[Ruling]
    again: bool = False
    choosing: Choosing = field(default_factory=dict)
    seen: Preview | None = None
    later: Sequence[LaterTable] = ()


def record_events(code: str, events: Sequence[Event], caller: Caller, *, secret: bool | None = False) -> Recorded:
    """Record events at a table, all of them or none; ``secret``, put the only one face down until all have chosen.

    Where ``secret`` is not said, a secret choice by a player's own link is, all else is open.
    A hand that is over is left, and the next one begun, by the first event that cannot belong to it.
    Raises ``NotTaken`` with the ruling on the event that stopped it, ``NotYourSeat``, ``SecretAmongOthers``,
    ``NotSecret``, ``Refused`` where the table has no room for them, and what ``turn_at`` raises.
    """
    dumped = [dump_event(event) for event in events] if caller.key else []
    fingerprint = caller.fingerprint("seal" if secret else "events", dumped)
    acts = 1 + (len(events) - 1) // EVENTS_TO_AN_ACT
    return record_once(code, caller, fingerprint, lambda turn: record(turn, events, secret=secret), acts=acts)


@past_deadlocks
def record_once(
    code: str, caller: Caller, fingerprint: str, act: Callable[[Turn], Recorded], *, acts: int = 1
) -> Recorded:
    """Record what an act takes, or answer a retry.

    The act may run twice: by what this process knows of the table, and, where that was not enough or not true any more,
    with the table held. So what it does it does through its turn.
    """
    done = at_once(code, caller, fingerprint, act, acts)
    if done is not None:
        return done
    with turn_at(code, caller, fingerprint, acts=acts) as turn:
        return recorded_before(turn) if turn.repeats else act(turn)


def try_events(code: str, events: Sequence[Event], caller: Caller, *, secret: bool | None = False) -> Recorded:
    """Say what recording events would be answered; nothing is written but that it was asked.

    What lies face down stays there, also where the last choice is tried. Raises what ``record_events`` raises.
    """
    with trial_at(code, caller, acts=1 + (len(events) - 1) // EVENTS_TO_AN_ACT) as turn:
        before = with_hand(turn.state).hand
        tried = record(turn, events, secret=secret)
        seen = before.preview(events[0]) if before is not None and len(events) == 1 else None
        return replace(tried, version=turn.found, seen=seen)


def record(turn: Turn, events: Sequence[Event], *, secret: bool | None = False) -> Recorded:
    """Do in a turn what ``record_events`` says."""
    check_seat(events, turn.caller)
    if any(event.extra for event in events):
        check_marks(events)
    if turn.row.disputes:
        check_pause(turn.row, events)
    if secret:
        return choose(turn, events[0])
    before = turn.state
    for position, event in enumerate(events):
        if secret is None and turn.caller.seat is not None and is_secret(turn.state, event):
            if len(events) > 1:
                raise SecretAmongOthers
            return choose(turn, event)
        ruling = turn.take(event)
        if ruling.verdict is not Verdict.ACCEPTED:
            raise NotTaken(ruling, turn.row.seats, position=position, version=turn.found)
    if turn.row.choosing:
        left = left_after(turn, before, events)
        turn.choosing = left if turn.trial else show(turn, left)
    return recorded(turn)


def choose(turn: Turn, event: Event) -> Recorded:
    """Put a secret choice face down, or another one in its place; the last one in shows them all.

    It is judged at once by what everybody knows, never by what others have chosen.
    """
    turn.hold()
    ruling = turn.judge(event)
    if ruling.verdict is not Verdict.ACCEPTED:
        raise NotTaken(ruling, turn.row.seats, position=0, version=turn.found)
    if not is_secret(turn.state, event):
        raise NotSecret
    check_own_phone(turn.row, event, turn.caller)
    dealt = with_hand(turn.state).hand
    assert dealt is not None
    if turn.trial:
        return Recorded(turn.at, turn.found, [], choosing=with_choice(turn.row.choosing, event))
    turn.choosing = show(turn, put_down(turn, event))
    if turn.entries:
        return recorded(turn)
    choosing = {"seat": getattr(event, "seat", 0), "chosen": [], "again": [], **turn.choosing}
    turn.add(None, hand=dealt.setup.index, choosing=choosing)
    return Recorded(turn.at, turn.version, [], choosing=choosing)


def recorded(turn: Turn) -> Recorded:
    """Return the answer to an act: the state after it, its version, and a ruling for each event it brought."""
    return Recorded(turn.at, turn.version, turn.rulings, choosing=turn.choosing, later=later_tables(turn))


def recorded_before(turn: Turn) -> Recorded:
    """Return what was answered when this very request was recorded, rebuilt from the log."""
    written = turn.logged
    if written is None:  # its key is that of something else, which left no row in the log
        raise KeyReused
    state, rulings = as_it_was(turn.row, written.seq)
    own = rulings[-written.batch :] if written.event is not None else []
    later = changed_before(turn.row, written.seq) if turn.row.finished else ()
    at = Standing(turn.row, state.rules, state)
    return Recorded(at, written.seq, own, again=True, choosing=written.choosing or {}, later=later)


def check_seat(events: Sequence[Event], caller: Caller) -> None:
    """Raise ``NotYourSeat`` for what a player's link may not record."""
    if caller.seat is not None and not all(is_own(event, caller.seat) for event in events):
        raise NotYourSeat


def is_own(event: Event, seat: int) -> bool:
    """Return whether an event says what the player of a seat does."""
    return event.kind.by_player and getattr(event, "seat", None) == seat


def check_own_phone(row: Table, event: Event, caller: Caller) -> None:
    """Raise ``NotYourSeat`` where somebody else chooses for a seat that has a phone of its own."""
    seat = getattr(event, "seat", None)
    if caller.seat is None and standing_links(row).filter(role=Role.PLAYER, seat=seat).exists():
        raise NotYourSeat(phrase("This seat has a phone of its own, which alone chooses for it in secret."))
