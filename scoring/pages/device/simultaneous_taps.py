"""Two devices that record the same thing at the same moment: both mean the one card that lies on the table."""

from django.http import QueryDict

from scoring.models import Table, TableEvent

ASIDE = {"csrfmiddlewaretoken", "version"}
NAMED = {"event": "type"}
"""What a form calls otherwise than a record."""


def recorded_by_another(row: Table, expected: int | None, posted: QueryDict) -> int | None:
    """Return the version with which somebody else recorded what this form says, in the state in which it was made."""
    if expected is None:
        return None
    entry = TableEvent.objects.filter(table=row, seq=expected + 1, amends=None, amended_by=None).first()
    if entry is None or entry.event is None:
        return None
    sent = {NAMED.get(name, name): list(filter(None, posted.getlist(name))) for name in posted if name not in ASIDE}
    filled = {name: values for name, values in sent.items() if values}
    there = {name: _texts(value) for name, value in entry.event.items() if value is not None}
    # A form without a seat means whoever's turn it was.
    return entry.seq if {"seat": there.get("seat")} | filled == {"seat": None} | there else None


def _texts(value: object) -> list[str]:
    return [str(one) for one in value] if isinstance(value, list) else [str(value)]
