"""Idempotency keys of retried requests, and short-lived secrets stored under a hash."""

import json
import secrets
from contextvars import ContextVar
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import TypeVar

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.crypto import salted_hmac

from scoring.models import DoneRequest, Group, GroupRequest, Link, ShortLived, Table, TableEvent
from scoring.tables.acts.exceptions import KeyReused, NoSuchLink, first_of

# --- Data stored for minutes or days under the hash of a secret that only the caller has
# A retried request gets the token of the first attempt again. It is encrypted with the request's idempotency key, of
# which the database stores only a hash: neither a copy of the database nor the ``SECRET_KEY`` decrypts it.

RECEIPTS_ARE_KEPT = timedelta(days=7)
TOKEN_BYTES = 24
TOKENS_ARE_TOLD = timedelta(minutes=10)  # how long a retry is answered with the first attempt's token


def hashed(purpose: str, *secrets: str) -> str:
    """Return the keyed hash of secrets; the purpose is part of it."""
    return salted_hmac(f"scoring.{purpose}", "\0".join(secrets), algorithm="sha256").hexdigest()


def keep(digest: str, time: timedelta, text: str = "") -> None:
    """Store a text under a hash for a limited time, and delete expired ones after the commit."""
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


def new_token() -> str:
    return secrets.token_urlsafe(TOKEN_BYTES)


def keep_token(key: str | None, fingerprint: str, token: str) -> str:
    if key is not None:
        sealed = _sealed(key, fingerprint, token.encode()).hex()
        keep(hashed("token", key, fingerprint), TOKENS_ARE_TOLD, sealed)
    return token


def kept_token(key: str | None, fingerprint: str) -> str:
    sealed = None if key is None else kept(hashed("token", key, fingerprint), TOKENS_ARE_TOLD)
    return "" if key is None or sealed is None else _sealed(key, fingerprint, bytes.fromhex(sealed)).decode()


def _sealed(key: str, fingerprint: str, text: bytes) -> bytes:
    """Encrypt or decrypt a text with a one-time pad of the same length, derived from the key."""
    pad = salted_hmac("scoring.sealing", f"{key}\0{fingerprint}", algorithm="sha512").digest()
    assert len(text) <= len(pad)
    return bytes(letter ^ mask for letter, mask in zip(text, pad, strict=False))


replayed: ContextVar[bool] = ContextVar("replayed", default=False)  # whether the response repeats the first one
KEYS_ARE_KEPT = timedelta(days=7)  # how long a request may be retried under its idempotency key
Keyed = TypeVar("Keyed", bound=TableEvent | Table | Group)  # rows that store the key of the request that wrote them
Request = TypeVar("Request", DoneRequest, GroupRequest)  # requests that wrote no such row


@dataclass(frozen=True, slots=True, kw_only=True)
class Caller:
    """The caller of an act: link, expected version, idempotency key.

    ``device_table`` is the device's row for the ``link``; ``seat`` is a player's, ``sits`` a scorekeeper's, too.
    ``receipt`` is the request's hash, for acts that may end the caller's right to repeat them.
    """

    by: str = ""
    link: int | None = None
    device_table: int | None = None
    seat: int | None = None
    sits: int | None = None
    expected: int | None = None
    key: str | None = None
    receipt: str = ""
    asks_first: bool = False  # whether changes at later tables must be confirmed first

    @property
    def known_by(self) -> str | None:
        return None if self.key is None else stored_key(self.key)

    @property
    def right(self) -> tuple[int, ...]:
        """The ids that must still be valid at commit: none, a link, or a link and its device row."""
        held = (self.link, self.device_table)
        return tuple(pk for pk in held if pk is not None)

    def without_key(self) -> "Caller":
        return replace(self, key=None, expected=None)

    def fingerprint(self, act: str, body: object) -> str:
        """Return the fingerprint of an act, which includes the link."""
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
    return None, done_before(DoneRequest.objects.filter(table=row, key=caller.known_by), fingerprint)


def done_before(requests: QuerySet[Request], fingerprint: str) -> Request | None:
    """Return the request with this key, unless it has expired. Raises ``KeyReused`` if it was another one."""
    done = requests.first()
    if done is not None and done.at < oldest_key():
        done.delete()
        done = None
    if done is not None and done.fingerprint != fingerprint:
        raise KeyReused
    replayed.set(done is not None)
    return done


def retried(found: Keyed | None, fingerprint: str) -> Keyed | None:
    """Return the row found by an idempotency key; ``None`` if the key has expired.

    Raises ``KeyReused`` if another request wrote it.
    """
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
    if done is None:
        raise NoSuchLink
    return first_of(Link.objects.filter(table=done.table_id, pk=done.link_id or 0), NoSuchLink)


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
