"""Letting somebody in: by code where a table is public, by link where it is private."""

from collections.abc import Mapping

from django.db.models import QuerySet

from scoring.models import Link, Table
from scoring.models.code import normal_code
from scoring.queries.access import find_link
from scoring.services.exceptions import NoSuchTable
from scoring.services.limits import check_address, count_wrong_code


def admit(
    typed: str, token: str, meta: Mapping[str, object], *, rows: QuerySet[Table] | None = None
) -> tuple[Table, Link | None]:
    """Return the table of a code, however it was typed, and the link that this token is to it.

    A private table does not exist for who has no link to it. Raises ``NoSuchTable``, and ``TooMany`` when too
    many wrong codes came from the address in ``meta``; a link opens its table all the same.
    """
    wanted = Table.objects.all() if rows is None else rows
    table = wanted.filter(code=normal_code(typed)).first()
    link = find_link(table, token) if table is not None and token else None
    if table is not None and link is not None:
        return table, link
    check_address(meta)
    if table is None or table.private:
        count_wrong_code(meta)
        raise NoSuchTable
    return table, None
