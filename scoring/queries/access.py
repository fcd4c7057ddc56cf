"""Who may do what at a table."""

import hashlib

from scoring.models import Link, Table


def token_hash(token: str) -> str:
    """Return what is kept of a token. Tokens are long and random, so a plain hash is enough."""
    return hashlib.sha256(token.encode()).hexdigest()


def find_link(row: Table, token: str) -> Link | None:
    """Return the link that this token opens at this table, unless it was revoked."""
    return Link.objects.filter(table=row, token_hash=token_hash(token), revoked__isnull=True).first()
