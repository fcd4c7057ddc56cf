"""What is kept for minutes or days under the hash of a secret that only the caller has.

The token that a request has made is told once more to whoever sends the request again: sealed with the request’s own
idempotency key, of which the database keeps a hash, so a copy of the database opens none of it, whoever has the
installation’s ``SECRET_KEY`` besides.
"""

from datetime import timedelta

from django.db import transaction
from django.utils import timezone
from django.utils.crypto import salted_hmac

from scoring.models import ShortLived

RECEIPTS_ARE_KEPT = timedelta(days=7)
TOKENS_ARE_TOLD = timedelta(minutes=10)
"""How long a request that is sent again is answered with the token that it has made."""


def hashed(purpose: str, *secrets: str) -> str:
    """Return by what a secret is known again for one purpose; neither it nor what it opens follows from that."""
    return salted_hmac(f"scoring.{purpose}", "\0".join(secrets), algorithm="sha256").hexdigest()


def keep(digest: str, time: timedelta, text: str = "") -> None:
    """Keep a text under a hash for a time; what has run out is cleared away afterwards, while nothing else is held."""
    transaction.on_commit(forget_expired, robust=True)
    now = timezone.now()
    ShortLived.objects.update_or_create(digest=digest, defaults={"text": text, "since": now, "until": now + time})


def kept(digest: str, time: timedelta) -> str | None:
    """Return what was put under a hash within a time."""
    found = ShortLived.objects.filter(digest=digest, since__gt=timezone.now() - time)
    return found.values_list("text", flat=True).first()


def forget_expired() -> None:
    """Clear away what has run out."""
    ShortLived.objects.filter(until__lte=timezone.now()).delete()


def keep_receipt(receipt: str) -> None:
    """Keep that a request was done which has taken away the right to send it again."""
    if receipt:
        keep(receipt, RECEIPTS_ARE_KEPT)


def has_receipt(receipt: str) -> bool:
    """Return whether this very request was done."""
    return bool(receipt) and kept(receipt, RECEIPTS_ARE_KEPT) is not None


def keep_token(key: str | None, fingerprint: str, token: str) -> str:
    """Return the token that a request has made; it is kept, sealed, for the same request under the same key."""
    if key is not None:
        sealed = _sealed(key, fingerprint, token.encode()).hex()
        keep(hashed("token", key, fingerprint), TOKENS_ARE_TOLD, sealed)
    return token


def kept_token(key: str | None, fingerprint: str) -> str:
    """Return the token that a request has made some minutes ago; empty where nobody is told it any more."""
    sealed = None if key is None else kept(hashed("token", key, fingerprint), TOKENS_ARE_TOLD)
    return "" if key is None or sealed is None else _sealed(key, fingerprint, bytes.fromhex(sealed)).decode()


def _sealed(key: str, fingerprint: str, text: bytes) -> bytes:
    """Seal a text, or open a sealed one: a pad that is as long, follows from the key, and is used for this alone."""
    pad = salted_hmac("scoring.sealing", f"{key}\0{fingerprint}", algorithm="sha512").digest()
    assert len(text) <= len(pad)
    return bytes(letter ^ mask for letter, mask in zip(text, pad, strict=False))
