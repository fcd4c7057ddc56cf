"""Links to a table: creating, claiming and revoking them."""

import secrets
from typing import NamedTuple

from django.utils import timezone

from referee.engine.reader import Reader
from referee.engine.texts import phrase
from scoring.models import Device, DeviceReading, Link, Role, Table
from scoring.operating.acts.database import past_deadlocks
from scoring.tables.acts.exceptions import LastScorekeeper, NoSuchHand, NoSuchLink, TooManyLinks
from scoring.tables.acts.holding import link_cache
from scoring.tables.acts.keys import Caller, keep_receipt, keep_token, kept_token, link_made
from scoring.tables.acts.notifications import announce_revoked
from scoring.tables.acts.turn import Turn
from scoring.tables.acts.turns import turn_at
from scoring.tables.reads.access import Devices, standing_links, standing_rights, token_hash

TOKEN_BYTES = 24
MOST_LINKS = 100  # active links per table


class NewLink(NamedTuple):
    """A new link and its token; the token is empty for a retry that comes too late."""

    link: Link
    token: str


def new_token() -> str:
    return secrets.token_urlsafe(TOKEN_BYTES)


def new_link(
    table: Table,
    role: Role,
    *,
    seat: int | None = None,
    label: str = "",
    token: str = "",
    group_link: int | None = None,
    hand: int | None = None,
) -> NewLink:
    token = token or new_token()
    made = Link.objects.create(
        table=table, role=role, seat=seat, hand=hand, label=label, token_hash=token_hash(token), group_link=group_link
    )
    return NewLink(made, token)


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
            raise NoSuchHand
        if standing_rights(turn.row).count() >= MOST_LINKS:
            raise TooManyLinks
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
        link = standing_rights(turn.row).filter(pk=number).first()
        if link is None:
            raise NoSuchLink
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
        link = standing_rights(turn.row).filter(pk=number).first()
        if link is None:
            raise NoSuchLink
        others = standing_links(turn.row).filter(role=Role.SCOREKEEPER).exclude(pk=link.pk)
        if link.role == Role.SCOREKEEPER and not others.exists():
            raise LastScorekeeper
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
