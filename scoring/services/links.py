"""Links to a table: making them, and revoking them one by one."""

import secrets
from dataclasses import dataclass

from django.utils import timezone

from referee.engine.options import Problem, Refused
from referee.engine.translation import phrase
from scoring.models import Link, Role, Table
from scoring.queries.access import standing_links, token_hash
from scoring.services.deadlocks import past_deadlocks
from scoring.services.exceptions import LastScorekeeper, NoSuchLink, TooManyLinks
from scoring.services.keys import Caller, link_made
from scoring.services.notifications import announce_revoked
from scoring.services.short_lived import keep_receipt, keep_token, kept_token
from scoring.services.turn import Turn
from scoring.services.turns import turn_at

TOKEN_BYTES = 24
MOST_LINKS = 100
"""Links that stand at one table."""


@dataclass(frozen=True, slots=True)
class NewLink:
    """A link just made, and its token; empty where a retry comes too late to be told it."""

    link: Link
    token: str


def new_token() -> str:
    """Make a token up."""
    return secrets.token_urlsafe(TOKEN_BYTES)


def new_link(
    table: Table,
    role: Role,
    *,
    seat: int | None = None,
    label: str = "",
    token: str = "",
    group_link: int | None = None,
) -> NewLink:
    """Make a link to a table, with a new token where none is given; ``group_link`` is the link that brings it."""
    token = token or new_token()
    made = Link.objects.create(
        table=table, role=role, seat=seat, label=label, token_hash=token_hash(token), group_link=group_link
    )
    return NewLink(made, token)


@past_deadlocks
def add_link(code: str, role: str, seat: int | None, caller: Caller, *, name: str = "") -> NewLink:
    """Make a link on request; a player's is that of a seat, and the log calls its holder by its ``name``.

    Raises ``Refused``, ``TooManyLinks``, and what ``turn_at`` raises.
    """
    fingerprint = caller.fingerprint("link", [role, seat, name] if name else [role, seat])

    with turn_at(code, caller, fingerprint) as turn:
        if turn.repeats:
            link = link_made(turn.done)
            return NewLink(link, "" if link.revoked else kept_token(caller.key, fingerprint))
        _check(role, seat, len(turn.row.seats))
        if standing_links(turn.row).count() >= MOST_LINKS:
            raise TooManyLinks
        token = keep_token(caller.key, fingerprint, new_token())
        made = new_link(turn.row, Role(role), seat=seat, label=name, token=token, group_link=brought_by(turn))
        turn.did(link=made.link)
        return made


def brought_by(turn: Turn) -> int | None:
    """Return the link to the group that brought the caller's right; links made with that right are revoked with it."""
    return Link.objects.filter(table=turn.row, pk=turn.caller.link or 0).values_list("group_link", flat=True).first()


def _check(role: str, seat: int | None, seats: int) -> None:
    if role not in Role.values:
        raise Refused([Problem("/role", "bad-value", phrase("The roles are: {roles}.", roles=", ".join(Role.values)))])
    if role != Role.PLAYER and seat is not None:
        raise Refused([Problem("/seat", "bad-value", "Only a player’s link has a seat.")])
    if role == Role.PLAYER and (seat is None or not 0 <= seat < seats):
        raise Refused(
            [Problem("/seat", "no-such-seat", phrase("A player’s link has a seat from 0 to {last}.", last=seats - 1))]
        )


@past_deadlocks
def name_link(code: str, number: int, name: str, caller: Caller) -> Link:
    """Name a link, or take its name away; what it did before stays in the log under the name of then.

    Raises ``NoSuchLink``, and what ``turn_at`` raises.
    """
    with turn_at(code, caller, caller.fingerprint("name-link", [number, name])) as turn:
        if turn.repeats:
            return link_made(turn.done)
        link = standing_links(turn.row).filter(pk=number).first()
        if link is None:
            raise NoSuchLink
        link.label = name
        Link.objects.filter(table=turn.row, pk=link.pk).update(label=name)
        turn.did(link=link)
        return link


@past_deadlocks
def revoke_link(code: str, number: int, caller: Caller) -> None:
    """Revoke a link: from now on it opens nothing, and streams opened with it end.

    Raises ``NoSuchLink``, ``LastScorekeeper``, and what ``turn_at`` raises.
    """
    with turn_at(code, caller, caller.fingerprint("revoke", number)) as turn:
        if turn.repeats:
            return
        link = standing_links(turn.row).filter(pk=number).first()
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
