"""Opening a table."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.db import IntegrityError, transaction

from referee.records import Reader, read_table
from referee.snapshot import dump_table
from referee.table import open_table
from scoring.models import Role, Table
from scoring.models.code import new_code
from scoring.queries.rules import dump_end
from scoring.services.links import new_link

KEYS = ("game", "options", "end", "seats", "first_dealer", "carried", "group", "private")
LONGEST_GROUP = 40
TRIES = 5


@dataclass(frozen=True, slots=True)
class Opened:
    """A table just opened, and the scorekeeper's token, which is shown this once."""

    table: Table
    token: str


def create_table(data: object, *, previous: Table | None = None) -> Opened:
    """Open a table from what a request or a form gives; ``previous`` is the one that it continues.

    Raises ``Refused`` with every problem and where it is.
    """
    reader = Reader()
    given = reader.mapping(data, "")
    extra = reader.keys(given, KEYS, "")
    group = _group(reader, given)
    private = _private(reader, given)
    rules, seats, dealer, carried = read_table(reader, given)
    reader.check()
    assert rules is not None
    state = open_table(rules, first_dealer=dealer, carried=carried)
    with transaction.atomic():
        table = insert_table(
            Table(
                group=group,
                private=private,
                previous=previous,
                game=rules.game.id,
                options=dict(rules.options),
                end=dump_end(rules.end),
                seats=[name.strip() for name in seats],
                first_dealer=dealer,
                carried=list(state.carried),
                extra=extra,
                snapshot=dump_table(state),
            )
        )
        return Opened(table, make_link(table, Role.SCOREKEEPER))


def _group(reader: Reader, given: Mapping[str, Any]) -> str:
    if given.get("group") is None:
        return ""
    return reader.text(given["group"], "/group", LONGEST_GROUP) or ""


def _private(reader: Reader, given: Mapping[str, Any]) -> bool:
    value = given.get("private", False)
    if not isinstance(value, bool):
        reader.shape("/private", "true or false is needed here.")
    return value is True


def insert_table(table: Table) -> Table:
    """Store a new table under a code that no other has."""
    for _ in range(TRIES):
        try:
            with transaction.atomic():
                table.save(force_insert=True)
        except IntegrityError:
            table.code = new_code()
        else:
            return table
    raise RuntimeError("No free code was found for a new table.")


def make_link(table: Table, role: Role, *, seat: int | None = None) -> str:
    """Make a link to a table and return its token, which is not kept."""
    return new_link(table, role, seat=seat).token
