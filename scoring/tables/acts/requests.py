"""Requests for a seat with the table's code alone, or to keep the score; another phone answers them."""

from datetime import timedelta

from django.db import transaction
from django.utils import timezone

from scoring.models import Device, DeviceTable, Link, Role, SeatRequest, Table
from scoring.operating.acts.database import past_deadlocks
from scoring.tables.acts.access import give_link
from scoring.tables.acts.exceptions import AskedBefore, NoSuchRequest, NotYourSeat, TooManyLinks, TooManyRequests
from scoring.tables.acts.keys import Caller
from scoring.tables.acts.links import MOST_LINKS, new_token
from scoring.tables.acts.notifications import NEXT, announce, announce_revoked
from scoring.tables.acts.turn import Turn
from scoring.tables.acts.turns import turn_at
from scoring.tables.reads.access import standing_links, standing_rights, token_hash
from scoring.tables.reads.requests import KEPT, may_answer, waiting_requests

MOST_REQUESTS = 8  # pending requests per table
PATIENCE = timedelta(minutes=1)
"""How long other phones can object before a player takes over the score."""


@transaction.atomic
def ask_for_seat(row: Table, seat: int, secret: str = "", *, role: str = Role.PLAYER) -> tuple[SeatRequest, str]:
    """Request a seat, or to keep the score from it; return the request and the token it will activate.

    ``secret`` is the requesting device's. Raises ``NotYourSeat``, ``AskedBefore`` and ``TooManyRequests``.
    """
    if not 0 <= seat < len(row.seats):
        raise NotYourSeat
    SeatRequest.objects.filter(table=row, at__lt=timezone.now() - KEPT).delete()
    device = Device.objects.get_or_create(secret_hash=token_hash(secret))[0] if secret else None
    if device is not None and SeatRequest.objects.filter(table=row, device=device, refused__isnull=False).exists():
        raise AskedBefore
    waiting = waiting_requests(row)
    if (waiting if device is None else waiting.exclude(device=device)).count() >= MOST_REQUESTS:
        raise TooManyRequests
    token = new_token()
    asked = {"role": role, "seat": seat, "token_hash": token_hash(token), "at": timezone.now()}
    if device is None:
        made = SeatRequest.objects.create(table=row, **asked)
    else:  # a concurrent duplicate becomes one request
        made, _ = SeatRequest.objects.update_or_create(table=row, device=device, defaults=asked)
    # Invalidate cached copies of the table: an act based on one writes nothing.
    Table.objects.filter(pk=row.pk).update(asked=_count(row), updated=timezone.now())
    announce(NEXT, row.pk)
    return made, token


def _count(row: Table) -> int:
    relieved = standing_links(row).filter(role=Role.SCOREKEEPER, relieved__isnull=False)
    return SeatRequest.objects.filter(table=row).count() + relieved.count()


@past_deadlocks
def let_in(code: str, number: int, caller: Caller) -> Link:
    """Accept a request, and revoke older links to its seat.

    Raises ``NoSuchRequest``, ``NotYourSeat`` and ``TooManyLinks``.
    """
    with turn_at(code, caller, caller.fingerprint("let-in", number)) as turn:
        if turn.repeats and turn.done is not None and turn.done.link is not None:
            return turn.done.link
        return _grant(turn, _asked(turn, number))


@past_deadlocks
def refuse(code: str, number: int, caller: Caller) -> None:
    """Refuse a request; the device can't ask again for a while. Raises ``NoSuchRequest`` and ``NotYourSeat``."""
    with turn_at(code, caller, caller.fingerprint("refuse-request", number)) as turn:
        if turn.repeats:
            return
        _asked(turn, number)
        SeatRequest.objects.filter(table=turn.row, pk=number).update(refused=timezone.now())
        _did(turn)
        announce(NEXT, turn.row.pk)


@past_deadlocks
def take_score(code: str, caller: Caller, secret: str) -> Link | None:
    """Request to keep the score as a player, or take it over once no one has objected for a minute.

    Returns ``None`` while the request is pending. Raises whatever ``ask_for_seat`` and ``turn_at`` raise.
    """
    with turn_at(code, caller, caller.fingerprint("take-score", None)) as turn:
        if turn.repeats:
            return turn.done.link if turn.done else None
        if caller.seat is None:
            raise NotYourSeat
        mine = waiting_requests(turn.row).filter(device__secret_hash=token_hash(secret), role=Role.SCOREKEEPER)
        found = mine.first()
        if found is not None and timezone.now() - found.at >= PATIENCE:
            return _grant(turn, found)
        row = turn.row if found is None else None
    if row is not None and caller.seat is not None:
        ask_for_seat(row, caller.seat, secret, role=Role.SCOREKEEPER)
    return None


@past_deadlocks
def note_keeper(code: str, link: Link) -> None:
    """Log that another phone keeps the score from here on, and show a notice on the previous scorekeepers' phones."""
    with turn_at(code, Caller(by=link.name, link=link.pk), "") as turn:
        _note(turn, link)


@past_deadlocks
def read_relief(code: str, caller: Caller) -> None:
    """Dismiss the notice that another phone took over the score."""
    with turn_at(code, caller, "") as turn:
        Link.objects.filter(table=turn.row, pk=caller.link or 0).update(relieved=None)
        _did(turn)


def sit_keeper(code: str, seat: int, caller: Caller) -> None:
    """Assign the scorekeeper's phone to a player, who is then named in the log and agrees and disputes on it.

    Raises ``NotYourSeat`` if the player has another phone.
    """
    with turn_at(code, caller, "") as turn:
        if not 0 <= seat < len(turn.row.seats) or standing_links(turn.row).filter(role=Role.PLAYER, seat=seat).exists():
            raise NotYourSeat
        link = Link.objects.get(table=turn.row, pk=caller.link or 0)
        Link.objects.filter(table=turn.row, pk=link.pk).update(seat=seat)
        # Recreate the device's rows, so that other processes' cached rights become invalid.
        rows = list(DeviceTable.objects.filter(table=turn.row, link=link).select_related("device"))
        DeviceTable.objects.filter(pk__in=[each.pk for each in rows]).delete()
        DeviceTable.objects.bulk_create(DeviceTable(device=each.device, table=turn.row, link=link) for each in rows)
        turn.did()


def _asked(turn: Turn, number: int) -> SeatRequest:
    found = waiting_requests(turn.row).filter(pk=number).first()
    if found is None:
        raise NoSuchRequest
    own = Link.objects.filter(table=turn.row, pk=turn.caller.link or 0).first()
    if own is None or not may_answer(own, found):
        raise NotYourSeat
    return found


def _grant(turn: Turn, asked: SeatRequest) -> Link:
    row = turn.row
    if standing_rights(row).count() >= MOST_LINKS:
        raise TooManyLinks
    older = standing_links(row).filter(role=Role.PLAYER, seat=asked.seat)
    if asked.role == Role.PLAYER:
        for each in list(older):
            Link.objects.filter(table=row, pk=each.pk).update(revoked=timezone.now())
            announce_revoked(each)
    group_link = older.filter(devices__device=asked.device).values_list("group_link", flat=True).first()
    made = Link.objects.create(
        table=row,
        role=asked.role,
        seat=asked.seat,
        token_hash=asked.token_hash,
        taken=timezone.now() if asked.device else None,
        group_link=group_link if asked.role == Role.SCOREKEEPER else None,
    )
    if asked.device is not None:
        give_link(asked.device, row, made)
    asked_role = asked.role
    asked.delete()
    if asked_role == Role.SCOREKEEPER:
        _note(turn, made)
    _did(turn, made)
    announce(NEXT, row.pk)
    return made


def _note(turn: Turn, keeper: Link) -> None:
    turn.hold()
    turn.choosing = dict(turn.row.choosing)  # keeps sealed choices
    hand = 0 if turn.state.hand is None else turn.state.hand.setup.index
    turn.add(None, hand=hand, by=keeper.name, choosing={"keeper": keeper.pk})
    others = standing_links(turn.row).filter(role=Role.SCOREKEEPER).exclude(pk=keeper.pk)
    others.update(relieved=timezone.now())
    turn.change(asked=_count(turn.row))


def _did(turn: Turn, link: Link | None = None) -> None:
    turn.did(link=link)
    turn.change(asked=_count(turn.row))
