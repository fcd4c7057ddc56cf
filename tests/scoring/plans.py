"""How the database goes about a query: which indexes it takes, and what it reads from end to end."""

import re
from typing import Any

from django.db import connection
from django.db.models import QuerySet

SCAN = re.compile(r"SCAN (\w+)(?! USING)")


def plan_of(rows: QuerySet[Any]) -> str:
    """Return the plan of the embedded database for a query."""
    assert connection.vendor == "sqlite"
    return rows.explain()


def read_whole(plan: str) -> set[str]:
    """Return the tables that a plan reads row by row, without an index.

    >>> read_whole("2 0 0 SCAN scoring_tableevent\\n3 0 0 SEARCH scoring_table USING INDEX x (id=?)")
    {'scoring_tableevent'}
    """
    return set(SCAN.findall(plan))
