"""Links to a table: creating, claiming and revoking them, and requests for a seat with the table's code alone."""

from datetime import timedelta
from typing import Any, NamedTuple

from django.db import transaction
from django.utils import timezone

from referee.engine.reader import Reader
from referee.engine.texts import phrase
from scoring.models import Device, DeviceReading, Link, Role, SeatRequest, Table
from scoring.operating.acts.database import past_deadlocks
from scoring.tables.acts import exceptions
from scoring.tables.acts.access import give_link, renew_link
from scoring.tables.acts.exceptions import first_of
from scoring.tables.acts.holding import NEXT, announce, announce_revoked, link_cache
from scoring.tables.acts.keys import Caller, keep_receipt, keep_token, kept_token, link_made, new_token
from scoring.tables.acts.turn import Turn
from scoring.tables.acts.turns import turn_at
from scoring.tables.reads.access import (
    KEPT,
    Devices,
    may_answer,
    standing_links,
    standing_rights,
    token_hash,
    waiting_requests,
)

MOST_LINKS = 100  # active links per table


class NewLink(NamedTuple):
    """A new link and its token; the token is empty for a retry that comes too late."""

    link: Link
    token: str


def new_link(table: Table, role: Role, *, token: str = "", **more: Any) -> NewLink:
    """Create a link with a token, by default a new one; ``more`` are other columns."""
    token = token or new_token()
    return NewLink(Link.objects.create(table=table, role=role, token_hash=token_hash(token), **more), token)


@past_deadlocks
def add_link(
    code: str, role: str, seat: int | None, caller: Caller, *, name: str = "", hand: int | None = None
) -> NewLink:
    """Create a link; ``name`` is its holder in the log, ``hand`` limits a read-only link to one hand.

    Raises ``Refused``, ``NoSuchHand``, ``TooManyLinks``, and whatever ``turn_at`` raises.
    """
    fingerprint = caller.fingerprint("link", [role, seat, name, hand])

    with turn_at(code, caller, fingerprint) as turn:
        if turn.repeats:
            link = link_made(turn.done)
            return NewLink(link, "" if link.revoked else kept_token(caller.key, fingerprint))
        reader, seats = Reader(), len(turn.row.seats)
        if role not in Role.values:
            reader.value("/role", phrase("The roles are: {roles}.", roles=", ".join(Role.values)))
        elif role != Role.PLAYER and seat is not None:
            reader.value("/seat", "Only a player’s link has a seat.")
        elif role == Role.PLAYER and (seat is None or not 0 <= seat < seats):
            says = phrase("A player’s link has a seat from 0 to {last}.", last=seats - 1)
            reader.value("/seat", says, "no-such-seat")
        if role != Role.READER and hand is not None:
            reader.value("/hand", "Only a reader’s link has a hand.")
        reader.check()
        if hand is not None and not 0 <= hand <= (turn.row.hand_number or 0):
            raise exceptions.NoSuchHand
        if standing_rights(turn.row).count() >= MOST_LINKS:
            raise exceptions.TooManyLinks
        token = keep_token(caller.key, fingerprint, new_token())
        right = {"seat": seat, "hand": hand, "group_link": brought_by(turn)}
        made = new_link(turn.row, Role(role), label=name, token=token, **right)
        turn.did(link=made.link)
        return made


def brought_by(turn: Turn) -> int | None:
    return Link.objects.filter(table=turn.row, pk=turn.caller.link or 0).values_list("group_link", flat=True).first()


@past_deadlocks
def name_link(code: str, number: int, name: str, caller: Caller) -> Link:
    with turn_at(code, caller, caller.fingerprint("name-link", [number, name])) as turn:
        if turn.repeats:
            return link_made(turn.done)
        link = first_of(standing_rights(turn.row).filter(pk=number), exceptions.NoSuchLink)
        link.label = name
        Link.objects.filter(table=turn.row, pk=link.pk).update(label=name)
        link_cache.drop((turn.row.code, link.token_hash))
        turn.did(link=link)
        return link


@past_deadlocks
def revoke_link(code: str, number: int, caller: Caller) -> None:
    """Revoke a link and end its streams.

    Raises ``NoSuchLink``, ``LastScorekeeper``, and whatever ``turn_at`` raises.
    """
    with turn_at(code, caller, caller.fingerprint("revoke", number)) as turn:
        if turn.repeats:
            return
        link = first_of(standing_rights(turn.row).filter(pk=number), exceptions.NoSuchLink)
        others = standing_links(turn.row).filter(role=Role.SCOREKEEPER).exclude(pk=link.pk)
        if link.role == Role.SCOREKEEPER and not others.exists():
            raise exceptions.LastScorekeeper
        link.revoked = timezone.now()
        Link.objects.filter(table=turn.row, pk=link.pk).update(revoked=link.revoked)
        turn.did()
        announce_revoked(link)
        if link.pk == caller.link:
            keep_receipt(caller.receipt)


def open_reading(number: int, token: str, secret: str) -> bool:
    readers = Link.objects.filter(pk=number, role=Role.READER, revoked__isnull=True)
    link = readers.filter(token_hash=token_hash(token)).first()
    if link is None:
        return False
    device, _ = Device.objects.get_or_create(secret_hash=token_hash(secret))
    DeviceReading.objects.get_or_create(device=device, link=link)
    return True


def forget_reading(devices: Devices, number: int) -> None:
    DeviceReading.objects.filter(device__secret_hash__in=devices, link=number).delete()


# --- Requests for a seat, or to keep the score


MOST_REQUESTS = 8  # pending requests per table
PATIENCE = timedelta(minutes=1)
"""How long other phones can object before a player takes over the score."""


@transaction.atomic
def ask_for_seat(row: Table, seat: int, secret: str = "", *, role: str = Role.PLAYER) -> tuple[SeatRequest, str]:
    """Request a seat, or to keep the score from it; return the request and the token it will activate.

    ``secret`` is the requesting device's. Raises ``NotYourSeat``, ``AskedBefore`` and ``TooManyRequests``.
    """
    if not 0 <= seat < len(row.seats):
        raise exceptions.NotYourSeat
    SeatRequest.objects.filter(table=row, at__lt=timezone.now() - KEPT).delete()
    device = Device.objects.get_or_create(secret_hash=token_hash(secret))[0] if secret else None
    if device is not None and SeatRequest.objects.filter(table=row, device=device, refused__isnull=False).exists():
        raise exceptions.AskedBefore
    waiting = waiting_requests(row)
    if (waiting if device is None else waiting.exclude(device=device)).count() >= MOST_REQUESTS:
        raise exceptions.TooManyRequests
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
            raise exceptions.NotYourSeat
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
            raise exceptions.NotYourSeat
        link = Link.objects.get(table=turn.row, pk=caller.link or 0)
        Link.objects.filter(table=turn.row, pk=link.pk).update(seat=seat)
        renew_link(link)
        turn.did()


def _asked(turn: Turn, number: int) -> SeatRequest:
    found = first_of(waiting_requests(turn.row).filter(pk=number), exceptions.NoSuchRequest)
    own = Link.objects.filter(table=turn.row, pk=turn.caller.link or 0).first()
    if own is None or not may_answer(own, found):
        raise exceptions.NotYourSeat
    return found


def _grant(turn: Turn, asked: SeatRequest) -> Link:
    row = turn.row
    if standing_rights(row).count() >= MOST_LINKS:
        raise exceptions.TooManyLinks
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
