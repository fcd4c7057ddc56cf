"""Query plans: which indexes a query uses, and what it reads from end to end."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.db import connection
from django.db.models import QuerySet
from django.test.utils import CaptureQueriesContext

SCAN = re.compile(r"SCAN (\w+)\b(?! USING)")
END_TO_END = re.compile(r"SCAN (\w+)")
NAMED = re.compile(r'"(scoring_\w+)" (\w+)\b')
"""A table under an alias."""


def plan_of(rows: QuerySet[Any]) -> str:
    """Return the plan of the embedded database for a query."""
    assert connection.vendor == "sqlite"
    return rows.explain()


def read_whole(plan: str) -> set[str]:
    """Return the tables a plan scans without an index.

    >>> read_whole("2 0 0 SCAN scoring_tableevent\\n3 0 0 SEARCH scoring_table USING INDEX x (id=?)")
    {'scoring_tableevent'}
    """
    return set(SCAN.findall(plan))


@contextmanager
def plans() -> Iterator[list[tuple[str, set[str]]]]:
    """Collect, for each query in a block, its text and the tables it scans, with an index or without."""
    found: list[tuple[str, set[str]]] = []
    with CaptureQueriesContext(connection) as asked:
        yield found
    for query in asked.captured_queries:
        if query["sql"].startswith(("SELECT", "UPDATE", "DELETE")):
            with connection.cursor() as cursor:
                cursor.execute("EXPLAIN QUERY PLAN " + query["sql"].replace("%", "%%"))
                plan = "\n".join(row[3] for row in cursor.fetchall())
            names = {other: name for name, other in NAMED.findall(query["sql"])}
            found.append((query["sql"], {names.get(each, each) for each in END_TO_END.findall(plan)}))
