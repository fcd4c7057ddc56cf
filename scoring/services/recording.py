"""Recording what happened: events, one or several, all or none; openly, or face down where a choice is hidden."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from referee.engine.event_kinds import Event
from referee.engine.reading import dump_event
from referee.engine.rulings import Verdict
from referee.engine.table import Ruling
from scoring.models import Role, Table
from scoring.queries.access import standing_links
from scoring.queries.hidden import Hidden, is_hidden, with_hand
from scoring.queries.log import as_it_was
from scoring.queries.state import Standing
from scoring.services.exceptions import HiddenChoice, NotHidden, NotTaken, NotYourSeat
from scoring.services.hidden import left_after, put_down, show
from scoring.services.keys import Request, logged_before
from scoring.services.turns import Turn, take_turn

EVENTS_TO_AN_ACT = 10
"""So many events of one request count as one act."""


@dataclass(frozen=True, slots=True)
class Recorded:
    """The state after an act, its version, the rulings on the events it brought, and who has chosen in secret."""

    at: Standing
    version: int
    rulings: list[Ruling]
    again: bool = False
    hidden: Hidden = field(default_factory=dict)


def record_events(code: str, events: Sequence[Event], request: Request, *, sealed: bool | None = False) -> Recorded:
    """Record events at a table, all of them or none; ``sealed``, put the only one face down until all have chosen.

    Where ``sealed`` is not said, what a player's own link sends as a hidden choice is sealed, all else is open.
    A hand that is over is left, and the next one begun, by the first event that cannot belong to it.
    Raises ``NotTaken`` with the ruling on the event that stopped it, ``NotYourSeat``, ``HiddenChoice``, ``NotHidden``,
    ``Refused`` where the table has no room for them, and what ``take_turn`` raises.
    """
    dumped = [dump_event(event) for event in events] if request.key else []
    mark = request.mark("seal" if sealed else "events", dumped)

    def act(turn: Turn) -> Recorded:
        return record(turn, events, sealed=sealed)

    return take_turn(code, request, mark, act, before=recorded_before, acts=1 + (len(events) - 1) // EVENTS_TO_AN_ACT)


def record(turn: Turn, events: Sequence[Event], *, sealed: bool | None = False) -> Recorded:
    """Do in a turn what ``record_events`` says."""
    check_seat(events, turn.request)
    if sealed:
        return seal(turn, events[0])
    before = turn.state
    for position, event in enumerate(events):
        if sealed is None and turn.request.seat is not None and is_hidden(turn.state, event):
            if len(events) > 1:
                raise HiddenChoice
            return seal(turn, event)
        ruling = turn.take(event)
        if ruling.verdict is not Verdict.ACCEPTED:
            raise NotTaken(ruling, turn.row.seats, position=position, version=turn.found)
    if turn.row.hidden:
        turn.hidden = show(turn, left_after(turn, before, events))
    return recorded(turn)


def seal(turn: Turn, event: Event) -> Recorded:
    """Put a hidden choice face down, or another one in its place; the last one in shows them all.

    It is judged at once by what everybody knows, never by what others have chosen.
    """
    turn.hold()
    ruling = turn.judge(event)
    if ruling.verdict is not Verdict.ACCEPTED:
        raise NotTaken(ruling, turn.row.seats, position=0, version=turn.found)
    if not is_hidden(turn.state, event):
        raise NotHidden
    check_own_phone(turn.row, event, turn.request)
    dealt = with_hand(turn.state).hand
    assert dealt is not None
    turn.hidden = show(turn, put_down(turn, event))
    if turn.entries:
        return recorded(turn)
    said = {"seat": getattr(event, "seat", 0), "chosen": [], "again": [], **turn.hidden}
    turn.add(None, hand=dealt.setup.index, hidden=said)
    return Recorded(turn.at, turn.version, [], hidden=said)


def recorded(turn: Turn) -> Recorded:
    """Return what a turn has recorded."""
    return Recorded(turn.at, turn.version, turn.rulings, hidden=turn.hidden)


def recorded_before(turn: Turn) -> Recorded | None:
    """Return what was answered when this very request was recorded, rebuilt from the log."""
    written = logged_before(turn.row, turn.request, turn.mark)
    if written is None:
        return None
    state, rulings = as_it_was(turn.row, written.seq)
    own = rulings[-written.batch :] if written.event is not None else []
    return Recorded(Standing(turn.row, state.rules, state), written.seq, own, again=True, hidden=written.hidden or {})


def check_seat(events: Sequence[Event], request: Request) -> None:
    """Raise ``NotYourSeat`` for what a player's link may not record."""
    if request.seat is not None and not all(is_own(event, request.seat) for event in events):
        raise NotYourSeat


def is_own(event: Event, seat: int) -> bool:
    """Return whether an event says what the player of a seat does."""
    return event.kind.by_player and getattr(event, "seat", None) == seat


def check_own_phone(row: Table, event: Event, request: Request) -> None:
    """Raise ``NotYourSeat`` where somebody else seals for a seat that has a phone of its own."""
    seat = getattr(event, "seat", None)
    if request.seat is None and standing_links(row).filter(role=Role.PLAYER, seat=seat).exists():
        raise NotYourSeat("This seat has a phone of its own, which alone chooses for it in secret.")
