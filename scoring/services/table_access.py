"""Letting somebody in: by code where a table is public, by link where it is private."""

from collections.abc import Mapping

from scoring.models import Link, Table
from scoring.models.table import normal_code
from scoring.queries.access import token_hash
from scoring.services import seen
from scoring.services.exceptions import NoSuchTable
from scoring.services.limits import check_address, count_wrong_code

HEAVY = ("snapshot", "hand_start")
"""What a table holds that only the referee reads."""


def admit(
    typed: str, token: str, meta: Mapping[str, object], *, known: bool = False, head_only: bool = False
) -> tuple[Table, Link | None]:
    """Return the table of a code, however it was typed, and the link that this token is to it.

    A private table does not exist for who has no link to it. ``known``: this device was let in before, so it guesses
    nothing. ``head_only`` leaves out what the referee keeps of it. Raises ``NoSuchTable``, and ``TooMany`` when too
    many wrong codes came from the address in ``meta``; a link opens its table all the same.
    """
    code, heavy = normal_code(typed), HEAVY if head_only else ()
    if token:
        opened = Link.objects.select_related("table").defer(*(f"table__{name}" for name in heavy))
        link = opened.filter(table__code=code, token_hash=token_hash(token), revoked__isnull=True).first()
        if link is not None:
            seen.links.keep((code, link.token_hash), _bare(link))
            return link.table, link
    if not known:
        check_address(meta)
    table = Table.objects.defer(*heavy).filter(code=code).first()
    if table is None or table.private:
        if not known:
            count_wrong_code(meta)
        raise NoSuchTable
    return table, None


def admit_writer(typed: str, token: str, meta: Mapping[str, object], *, known: bool = False) -> tuple[str, Link | None]:
    """Return the code of a table as it is stored, and the link that this token is to it, as far as is known.

    A link that has opened the table before is not looked for again: whether it still does, every turn asks by itself.
    Raises what ``admit`` raises.
    """
    code = normal_code(typed)
    link = seen.links.get((code, token_hash(token))) if token else None
    if link is not None:
        return code, link
    return code, admit(typed, token, meta, known=known, head_only=True)[1]


def _bare(link: Link) -> Link:
    """Return a link without its table."""
    return Link(**{field.attname: getattr(link, field.attname) for field in Link._meta.concrete_fields})
