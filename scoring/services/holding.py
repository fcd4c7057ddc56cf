"""Holding a table or a group: one writer at a time. Whoever adds a row that only names it waits for nobody.

A row is looked up by its code and held by its id. A PostgreSQL that is spread over nodes can hold a row only by what it
is spread by, and finds the node by it. A code never leads to another row, so each process keeps what it has looked up:
whoever was let in by a code has looked for it already.
"""

from collections.abc import Iterator
from typing import TypeVar

from django.db.models import Model

from scoring.models import Group, Table
from scoring.queries.latest import RecentCache
from scoring.queries.state import table_id_cache

Row = TypeVar("Row", bound=Model)
_group_id_cache: RecentCache[str, int] = RecentCache(1000)


def note_table(code: str, pk: int) -> None:
    """Keep in mind where a code leads."""
    table_id_cache.put(code, pk)


def note_group(code: str, pk: int) -> None:
    """Keep in mind where the code of a group leads."""
    _group_id_cache.put(code, pk)


def lock_table(code: str) -> Table | None:
    """Return a table by its code, held until the transaction ends; ``None``: there is none."""
    return _hold(Table, code, table_id_cache)


def lock_group(code: str) -> Group | None:
    """Return a group by its code, held until the transaction ends; ``None``: there is none."""
    return _hold(Group, code, _group_id_cache)


def _hold(model: type[Row], code: str, known: RecentCache[str, int]) -> Row | None:
    for pk in _keys(model, code, known):
        row = model._default_manager.select_for_update(no_key=True).filter(pk=pk, code=code).first()
        if row is not None:
            known.put(code, pk)
            return row
    known.drop(code)
    return None


def _keys(model: type[Model], code: str, known: RecentCache[str, int]) -> Iterator[int]:
    """Yield where a code leads: as it is known, then, where that is not true any more, as it is stored."""
    before = known.get(code)
    if before is not None:
        yield before
    found = model._default_manager.filter(code=code).values_list("pk", flat=True).first()
    if found is not None and found != before:
        yield found
