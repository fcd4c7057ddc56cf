"""Entering events: openly, or sealed where a choice is hidden."""

from collections.abc import Sequence

from django.db import transaction

from referee.engine.event_kinds import Event
from referee.engine.reading import dump_event
from referee.engine.rulings import Verdict
from scoring.models import Role, Table, TableEvent
from scoring.queries.access import standing_links
from scoring.queries.hidden import is_hidden, with_hand
from scoring.queries.state import Standing, standing
from scoring.services.exceptions import HiddenChoice, NotHidden, NotTaken, NotYourSeat
from scoring.services.hidden import put_down, show
from scoring.services.limits import count_write
from scoring.services.recording import Recorded, Taking, check_seat, first_answer, record_events, write
from scoring.services.turns import Request, answered, check_version, fingerprint, keep, locked


def enter(code: str, events: Sequence[Event], request: Request, *, sealed: bool | None = None) -> Recorded:
    """Record events, or seal the only one.

    What a player's own link sends as a hidden choice is sealed unless ``sealed`` is false; what others send is
    open unless it is true. Raises what ``record_events`` and ``seal`` raise.
    """
    if sealed:
        return seal(code, events[0], request)
    try:
        return record_events(code, events, request, openly=sealed is False)
    except HiddenChoice:
        if len(events) > 1:
            raise
        return seal(code, events[0], request, act="events")


def seal(code: str, event: Event, request: Request, *, act: str = "seal") -> Recorded:
    """Put a hidden choice face down, or another one in its place; the last one in shows them all.

    It is judged at once by what everybody knows, never by what others have chosen. ``act`` is what a retry would
    be sent as. Raises ``NotTaken``,
    ``NotHidden``, ``NotYourSeat``, ``MovedOn``, ``KeyReused``, ``TooMany``, ``LinkRevoked`` and ``Table.DoesNotExist``.
    """
    with transaction.atomic():
        row = locked(code, request)
        mark = fingerprint(act, [dump_event(event)]) if request.key else ""
        written = answered(row, request, mark)
        if written is not None:
            return first_answer(row, written)
        check_version(row, request)
        count_write(row, request)
        check_seat([event], request)
        at = standing(row)
        trial = Taking(row, at.names, at.state)
        ruling = trial.judge(event)
        if ruling.verdict is not Verdict.ACCEPTED:
            raise NotTaken(ruling, position=0, version=row.version)
        if not is_hidden(at.state, event):
            raise NotHidden
        check_own_phone(row, event, request)
        return _put_down(row, at, event, request, mark)


def check_own_phone(row: Table, event: Event, request: Request) -> None:
    """Raise ``NotYourSeat`` where somebody else seals for a seat that has a phone of its own."""
    seat = getattr(event, "seat", None)
    if request.seat is None and standing_links(row).filter(role=Role.PLAYER, seat=seat).exists():
        raise NotYourSeat("This seat has a phone of its own, which alone chooses for it in secret.")


def _put_down(row: Table, at: Standing, event: Event, request: Request, mark: str) -> Recorded:
    seat = getattr(event, "seat", 0)
    taking = Taking(row, at.names, at.state)
    left = put_down(row, at.state, event, request)
    left = show(row, at.state, left, taking.take_shown)
    if taking.entries:
        return write(row, at, taking, request, mark, left)
    row.version += 1
    said = {"seat": seat, "chosen": [], "again": [], **left}
    dealt = with_hand(at.state).hand
    assert dealt is not None
    TableEvent.objects.create(
        table=row,
        seq=row.version,
        hand=dealt.setup.index,
        place=row.version,
        by=request.by,
        key=request.key,
        fingerprint=mark,
        hidden=said,
    )
    keep(row, at.state, hidden=left)
    return Recorded(at, row.version, [], hidden=said)
