"""Who may do what at a table, and who is told of the tables before and after it."""

import hashlib
from collections.abc import Callable, Iterable, Mapping

from django.db.models import QuerySet

from scoring.models import Link, Table


def token_hash(token: str) -> str:
    """Return what is kept of a token. Tokens are long and random, so a plain hash is enough."""
    return hashlib.sha256(token.encode()).hexdigest()


def find_link(row: Table, token: str) -> Link | None:
    """Return the link that this token opens at this table, unless it was revoked."""
    return Link.objects.filter(table=row, token_hash=token_hash(token), revoked__isnull=True).first()


def standing_links(row: Table) -> QuerySet[Link]:
    """Return the links to a table that were not revoked, in the order in which they were made."""
    return Link.objects.filter(table=row, revoked__isnull=True).order_by("pk")


def open_tables(tokens: Mapping[str, str]) -> list[Table]:
    """Return the tables of these codes that open: by code alone, or by the token beside it. Running ones come first."""
    rows = Table.objects.filter(code__in=tokens).order_by("finished", "-updated")
    opened = _opened(tokens.values())
    return [row for row in rows if not row.private or (row.pk, token_hash(tokens[row.code])) in opened]


def _opened(tokens: Iterable[str]) -> set[tuple[int, str]]:
    hashes = [token_hash(token) for token in tokens if token]
    links = Link.objects.filter(token_hash__in=hashes, revoked__isnull=True)
    return set(links.values_list("table", "token_hash"))


HEAD = ("code", "private")

Tokens = Callable[[str], str | None]
"""Gives the token that somebody holds for a table, by its code."""


def next_code(row: Table, *, keeps: bool, token: Tokens) -> str | None:
    """Return the code of the table at which this one is continued, if it is told; ``keeps``: to who keeps the score."""
    return _code(Table.objects.filter(previous=row).only(*HEAD).first(), keeps=keeps, token=token)


def neighbours(row: Table, *, keeps: bool, token: Tokens) -> Mapping[str, object]:
    """Return the codes of the tables before and after this one, where they are told."""
    before = Table.objects.filter(pk=row.previous_id).only(*HEAD).first() if row.previous_id else None
    return {"previous": _code(before, keeps=keeps, token=token), "next": next_code(row, keeps=keeps, token=token)}


def _code(neighbour: Table | None, *, keeps: bool, token: Tokens) -> str | None:
    """Return a neighbour's code; a private one only for who keeps the score here, and for who can open it anyway."""
    if neighbour is None:
        return None
    if not neighbour.private or keeps:
        return neighbour.code
    held = token(neighbour.code)
    return neighbour.code if held and find_link(neighbour, held) is not None else None
