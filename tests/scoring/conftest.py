"""The cast: the scorekeeper, who opened the table, and a stranger, who only has heard its code."""

from dataclasses import dataclass
from typing import Any

import pytest
from rest_framework.test import APIClient

from referee.records import load_event
from scoring.models import Table
from scoring.services.recording import Recorded, record_events
from scoring.services.tables import create_table
from scoring.services.undoing import undo
from scoring.services.writing import Request

ACE_TRUMP = {"game": "ace-trump", "seats": ["Ann", "Bob", "Cy"], "first_dealer": 2}


def play(seat: int, *cards: str, **more: Any) -> dict[str, Any]:
    """Return the event of a play."""
    return {"type": "play", "seat": seat, "cards": list(cards), **more}


@dataclass
class OpenTable:
    """A table, and whoever holds its token."""

    code: str
    token: str

    @property
    def row(self) -> Table:
        return Table.objects.get(code=self.code)

    def record(self, *events: dict[str, Any], **asked: Any) -> Recorded:
        return record_events(self.code, [load_event(event) for event in events], Request(**asked))

    def undo(self, **asked: Any) -> Recorded:
        return undo(self.code, Request(**asked))


def open_table(**changes: Any) -> OpenTable:
    """Open a table of three at Ace Trump, or as told."""
    opened = create_table(ACE_TRUMP | changes)
    return OpenTable(opened.table.code, opened.token)


@pytest.fixture
def table(db: None) -> OpenTable:
    """A table of Ace Trump at which Ann leads."""
    return open_table()


@pytest.fixture
def scorekeeper(table: OpenTable) -> APIClient:
    """Whoever opened the table."""
    client = APIClient()
    client.credentials(HTTP_AUTHORIZATION=f"Bearer {table.token}")
    return client


@pytest.fixture
def stranger(db: None) -> APIClient:
    """Somebody without a token."""
    return APIClient()
