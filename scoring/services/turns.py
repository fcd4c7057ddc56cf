"""What every act on a table shares: the lock, the caller's version, and the retried request."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import transaction
from django.utils import timezone

from referee.engine.snapshot import dump_table
from referee.engine.table import TableState
from scoring.models import DoneRequest, Link, SealedChoice, Table, TableEvent
from scoring.models.fields import canonical
from scoring.services.exceptions import KeyReused, LinkRevoked, MovedOn
from scoring.services.notifications import announce

CHANGING = ("version", "snapshot", "hand_start", "hand_number", "finished", "hidden", "writes", "updated")
"""The fields of a table that change with an act."""
KEYS_ARE_KEPT = timedelta(days=7)
"""How long a request may be retried under its idempotency key."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """How an act was asked for: by whom, against which version, and under which idempotency key.

    ``link`` is the id of the caller's link; ``seat`` is given where it is a player's, who acts for that seat only.
    """

    by: str = ""
    link: int | None = None
    seat: int | None = None
    expected: int | None = None
    key: str | None = None


def fingerprint(act: str, body: object) -> str:
    """Return what tells one request from another under the same key."""
    return hashlib.sha256(canonical([act, body]).encode()).hexdigest()


def locked(code: str, request: Request) -> Table:
    """Return a table with its row locked: one writer at a time.

    SQLite has no row locks; there the transaction itself began as the only writer. Raises ``LinkRevoked``,
    ``Table.DoesNotExist``, and refuses to run outside a transaction.
    """
    if not transaction.get_connection().in_atomic_block:
        raise transaction.TransactionManagementError("A table is locked inside a transaction.")
    row = Table.objects.select_for_update().get(code=code)
    # Asked again: a request can hang between its head and its body for as long as its sender likes.
    if request.link is not None and not Link.objects.filter(pk=request.link, revoked__isnull=True).exists():
        raise LinkRevoked
    return row


def answered(row: Table, request: Request, mark: str) -> TableEvent | None:
    """Return the row that this very request wrote before, if it is a retry.

    A key that is older than ``KEYS_ARE_KEPT`` is forgotten. Raises ``KeyReused`` when the key belongs to
    another request, or to another's hidden choice: whether a guess at it is right, nobody is told.
    """
    if request.key is None:
        return None
    entry = TableEvent.objects.filter(table=row, key=request.key).first()
    if entry is None:
        return None
    if entry.at < oldest_key():
        TableEvent.objects.filter(pk=entry.pk).update(key=None, fingerprint="")
        return None
    hidden = entry.hidden is not None and entry.event is None
    if entry.fingerprint != mark or (hidden and entry.by != request.by):
        raise KeyReused
    return entry


def done_before(row: Table, request: Request, mark: str) -> DoneRequest | None:
    """Return what this very request did before where it left no row in the log, if it is a retry.

    Raises ``KeyReused`` when its key belongs to another request.
    """
    if request.key is None:
        return None
    if answered(row, request, mark) is not None:
        raise KeyReused
    DoneRequest.objects.filter(table=row, key=request.key, at__lt=oldest_key()).delete()
    done = DoneRequest.objects.filter(table=row, key=request.key).select_related("link").first()
    if done is not None and done.fingerprint != mark:
        raise KeyReused
    return done


def remember(row: Table, request: Request, mark: str, *, link: Link | None = None) -> None:
    """Remember a request that leaves no row in the log, for its retries."""
    if request.key is not None:
        DoneRequest.objects.create(table=row, key=request.key, fingerprint=mark, link=link)


def oldest_key() -> datetime:
    """Return since when keys are remembered."""
    return timezone.now() - KEYS_ARE_KEPT


def forget_old_keys() -> int:
    """Forget the keys of all requests that nobody will retry any more, and return how many there were."""
    forgotten = {"key": None, "fingerprint": ""}
    acts, _ = DoneRequest.objects.filter(at__lt=oldest_key()).delete()
    events = TableEvent.objects.filter(key__isnull=False, at__lt=oldest_key()).update(**forgotten)
    return acts + events + Table.objects.filter(key__isnull=False, created__lt=oldest_key()).update(**forgotten)


def check_version(row: Table, request: Request) -> None:
    """Raise ``MovedOn`` when the caller has not seen the table as it is."""
    if request.expected is not None and request.expected != row.version:
        raise MovedOn(version=row.version)


def keep(row: Table, state: TableState, *, hidden: Mapping[str, object] | None = None) -> None:
    """Write the snapshot of a new state, and what else of the table changes with every act.

    Hidden choices are taken back by whatever happens, unless ``hidden`` says whose still lie there.
    """
    if row.hidden and not hidden:
        SealedChoice.objects.filter(table=row).delete()
    row.hidden = dict(hidden or {})
    row.snapshot = dump_table(state)
    row.finished = state.finished()
    row.save(update_fields=CHANGING)
    announce(row)
