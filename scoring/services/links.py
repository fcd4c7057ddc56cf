"""Links to a table: making them, revoking them one by one, and closing the table to all others."""

import secrets
from base64 import urlsafe_b64encode
from dataclasses import dataclass

from django.db import transaction
from django.utils import timezone
from django.utils.crypto import salted_hmac

from referee.engine.options import Problem, Refused
from referee.engine.translation import phrase
from scoring.models import Link, Role, Table
from scoring.queries.access import standing_links, token_hash
from scoring.services.exceptions import LastScorekeeper, NoSuchLink, TooManyLinks
from scoring.services.limits import count_write
from scoring.services.notifications import announce_private, announce_revoked
from scoring.services.turns import Request, done_before, fingerprint, locked, remember

TOKEN_BYTES = 24
MOST_LINKS = 100
"""Links that stand at one table."""


@dataclass(frozen=True, slots=True)
class NewLink:
    """A link just made, and its token, which is not kept."""

    link: Link
    token: str


def new_token() -> str:
    """Make a token up."""
    return secrets.token_urlsafe(TOKEN_BYTES)


def derived_token(told: str) -> str:
    """Return a token that follows from a request and this installation's secret.

    It is not kept, yet a request that is retried gets its first answer.
    """
    digest = salted_hmac("scoring.token", told, algorithm="sha256").digest()
    return urlsafe_b64encode(digest[:TOKEN_BYTES]).decode()


def new_link(table: Table, role: Role, *, seat: int | None = None, token: str = "") -> NewLink:
    """Make a link to a table, with a new token where none is given."""
    token = token or new_token()
    return NewLink(Link.objects.create(table=table, role=role, seat=seat, token_hash=token_hash(token)), token)


def add_link(code: str, role: str, seat: int | None, request: Request) -> NewLink:
    """Make a link on request; a player's is that of a seat.

    Raises ``Refused``, ``TooManyLinks``, ``KeyReused``, ``TooMany``, ``LinkRevoked`` and ``Table.DoesNotExist``.
    """
    with transaction.atomic():
        row = locked(code, request)
        _check(role, seat, len(row.seats))
        mark = fingerprint("link", [role, seat])
        token = new_token() if request.key is None else derived_token(f"{row.code} {request.key} {mark}")
        done = done_before(row, request, mark)
        if done is not None and done.link is not None:
            return NewLink(done.link, token)
        if standing_links(row).count() >= MOST_LINKS:
            raise TooManyLinks
        _count(row, request)
        made = new_link(row, Role(role), seat=seat, token=token)
        remember(row, request, mark, link=made.link)
        return made


def _check(role: str, seat: int | None, seats: int) -> None:
    if role not in Role.values:
        raise Refused([Problem("/role", "bad-value", phrase("The roles are: {roles}.", roles=", ".join(Role.values)))])
    if role != Role.PLAYER and seat is not None:
        raise Refused([Problem("/seat", "bad-value", "Only a player’s link has a seat.")])
    if role == Role.PLAYER and (seat is None or not 0 <= seat < seats):
        raise Refused(
            [Problem("/seat", "no-such-seat", phrase("A player’s link has a seat from 0 to {last}.", last=seats - 1))]
        )


def revoke_link(code: str, number: int, request: Request) -> None:
    """Revoke a link: from now on it opens nothing, and streams opened with it end.

    Raises ``NoSuchLink``, ``LastScorekeeper``, ``KeyReused``, ``TooMany``, ``LinkRevoked`` and ``Table.DoesNotExist``.
    """
    with transaction.atomic():
        row = locked(code, request)
        mark = fingerprint("revoke", number)
        if done_before(row, request, mark) is not None:
            return
        link = standing_links(row).filter(pk=number).first()
        if link is None:
            raise NoSuchLink
        others = standing_links(row).filter(role=Role.SCOREKEEPER).exclude(pk=link.pk)
        if link.role == Role.SCOREKEEPER and not others.exists():
            raise LastScorekeeper
        _count(row, request)
        link.revoked = timezone.now()
        link.save(update_fields=["revoked"])
        remember(row, request, mark)
        announce_revoked(link)


def set_private(code: str, request: Request, *, private: bool) -> Table:
    """Close a table to everybody without a link, or open it to whoever has its code; return it.

    Raises ``KeyReused``, ``TooMany``, ``LinkRevoked`` and ``Table.DoesNotExist``.
    """
    with transaction.atomic():
        row = locked(code, request)
        mark = fingerprint("private", private)
        if done_before(row, request, mark) is not None:
            return row
        count_write(row, request)
        remember(row, request, mark)
        row.private = private
        row.save(update_fields=["private", "writes"])
        if private:
            announce_private(row)
        return row


def _count(row: Table, request: Request) -> None:
    count_write(row, request)
    row.save(update_fields=["writes"])
