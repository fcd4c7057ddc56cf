"""The tables before and after one, between which the same people went on, and who is told of them."""

from collections.abc import Callable, Mapping

from scoring.models import Table
from scoring.queries.access import find_link

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
