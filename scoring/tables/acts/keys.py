"""Idempotency keys of retried requests, and short-lived secrets stored under a hash."""

import json
from contextvars import ContextVar
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import TypeVar

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.crypto import salted_hmac

from scoring.models import DoneRequest, Group, Link, ShortLived, Table, TableEvent
from scoring.tables.acts.exceptions import KeyReused, NoSuchLink

# --- What is kept for minutes or days under the hash of a secret that only the caller has
# The token that a request has made is told once more to whoever sends the request again: sealed with the request’s own
# idempotency key, of which the database keeps a hash, so a copy of the database opens none of it, whoever has the
# installation’s ``SECRET_KEY`` besides.

RECEIPTS_ARE_KEPT = timedelta(days=7)
TOKENS_ARE_TOLD = timedelta(minutes=10)  # how long a request that comes again is answered with the token it has made


def hashed(purpose: str, *secrets: str) -> str:
    """Return the hash of a secret for one purpose."""
    return salted_hmac(f"scoring.{purpose}", "\0".join(secrets), algorithm="sha256").hexdigest()


def keep(digest: str, time: timedelta, text: str = "") -> None:
    """Store a text under a hash for a limited time; expired ones are deleted afterwards, without locks held."""
    transaction.on_commit(forget_expired, robust=True)
    now = timezone.now()
    ShortLived.objects.update_or_create(digest=digest, defaults={"text": text, "since": now, "until": now + time})


def kept(digest: str, time: timedelta) -> str | None:
    found = ShortLived.objects.filter(digest=digest, since__gt=timezone.now() - time)
    return found.values_list("text", flat=True).first()


def forget_expired() -> None:
    ShortLived.objects.filter(until__lte=timezone.now()).delete()


def keep_receipt(receipt: str) -> None:
    if receipt:
        keep(receipt, RECEIPTS_ARE_KEPT)


def has_receipt(receipt: str) -> bool:
    return bool(receipt) and kept(receipt, RECEIPTS_ARE_KEPT) is not None


def keep_token(key: str | None, fingerprint: str, token: str) -> str:
    if key is not None:
        sealed = _sealed(key, fingerprint, token.encode()).hex()
        keep(hashed("token", key, fingerprint), TOKENS_ARE_TOLD, sealed)
    return token


def kept_token(key: str | None, fingerprint: str) -> str:
    sealed = None if key is None else kept(hashed("token", key, fingerprint), TOKENS_ARE_TOLD)
    return "" if key is None or sealed is None else _sealed(key, fingerprint, bytes.fromhex(sealed)).decode()


def _sealed(key: str, fingerprint: str, text: bytes) -> bytes:
    """Seal a text, or open a sealed one: a pad that is as long, follows from the key, and is used for this alone."""
    pad = salted_hmac("scoring.sealing", f"{key}\0{fingerprint}", algorithm="sha512").digest()
    assert len(text) <= len(pad)
    return bytes(letter ^ mask for letter, mask in zip(text, pad, strict=False))


replayed: ContextVar[bool] = ContextVar("replayed", default=False)  # whether the first answer is given again
KEYS_ARE_KEPT = timedelta(days=7)  # how long a request may be retried under its idempotency key
Keyed = TypeVar("Keyed", bound=TableEvent | Table | Group)  # what carries the key of the request that wrote it


@dataclass(frozen=True, slots=True, kw_only=True)
class Caller:
    """The caller of an act: link, expected version, idempotency key.

    ``device_table`` is the device's row for the ``link``; ``seat`` is a player's, ``sits`` also a scorekeeper's.
    ``receipt`` is the hash of the request, if the right to repeat it may end with the act.
    """

    by: str = ""
    link: int | None = None
    device_table: int | None = None
    seat: int | None = None
    sits: int | None = None
    expected: int | None = None
    key: str | None = None
    receipt: str = ""
    asks_first: bool = False  # whether who acts is to see what changes at later tables before it is done

    @property
    def known_by(self) -> str | None:
        return None if self.key is None else stored_key(self.key)

    @property
    def right(self) -> tuple[int, ...]:
        """The right that must be valid at commit: none, a link, or a link and its device row."""
        held = (self.link, self.device_table)
        return tuple(pk for pk in held if pk is not None)

    def without_key(self) -> "Caller":
        return replace(self, key=None, expected=None)

    def fingerprint(self, act: str, body: object) -> str:
        """Return the fingerprint of an act: the same words from another link ask for something else."""
        return fingerprint_of(act, [body, self.link], self.key)


def stored_key(key: str) -> str:
    return hashed("key", key)


def fingerprint_of(act: str, body: object, key: str | None) -> str:
    """Return the fingerprint of a request, independent of key order; empty without an idempotency key."""
    return "" if key is None else hashed("request", key, json.dumps([act, body], sort_keys=True))


def before(row: Table, caller: Caller, fingerprint: str) -> tuple[TableEvent | None, DoneRequest | None]:
    if caller.key is None:
        return None, None
    logged = retried(TableEvent.objects.filter(table=row, key=caller.known_by).first(), fingerprint)
    if logged is not None:
        return logged, None
    done = DoneRequest.objects.filter(table=row, key=caller.known_by).first()
    if done is not None and done.at < oldest_key():
        done.delete()
        done = None
    if done is not None and done.fingerprint != fingerprint:
        raise KeyReused
    replayed.set(done is not None)
    return None, done


def retried(found: Keyed | None, fingerprint: str) -> Keyed | None:
    """Return the row found by a key if this very request wrote it, and the key is not too old; else ``KeyReused``."""
    if found is None:
        return None
    if (found.at if isinstance(found, TableEvent) else found.created) < oldest_key():
        type(found)._default_manager.filter(pk=found.pk).update(key=None, fingerprint="")
        return None
    if found.fingerprint != fingerprint:
        raise KeyReused
    replayed.set(True)
    return found


def link_made(done: DoneRequest | None) -> Link:
    link = None if done is None else Link.objects.filter(table=done.table_id, pk=done.link_id or 0).first()
    if link is None:
        raise NoSuchLink
    return link


def oldest_key() -> datetime:
    return timezone.now() - KEYS_ARE_KEPT


def forget_old_keys() -> int:
    forget_expired()
    forgotten = {"key": None, "fingerprint": ""}
    acts, _ = DoneRequest.objects.filter(at__lt=oldest_key()).delete()
    events = rows_with_old_keys().update(**forgotten)
    return acts + events + Table.objects.filter(key__isnull=False, created__lt=oldest_key()).update(**forgotten)


def rows_with_old_keys() -> QuerySet[TableEvent]:
    return TableEvent.objects.filter(key__gt="", at__lt=oldest_key()).order_by()
