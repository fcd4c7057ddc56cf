"""The cast: Ann keeps the score, Bob plays, Dee watches, and Eve, a stranger, knows only the code."""

import contextlib
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from django.db import connection
from django.utils import translation
from rest_framework.test import APIClient

from referee.engine.records import load_event
from scoring.models import Role, Table
from scoring.tables.acts.amending import undo
from scoring.tables.acts.keys import Caller
from scoring.tables.acts.opening import create_table, make_link
from scoring.tables.acts.recording import Recorded, record_events
from tests.scoring.doors import guarded
from tests.scoring.live.driving import Server, serving

AS_ONE = {"X-Request-Id": "one-request"}
"""Makes problems comparable although each names its request."""
ACE_TRUMP = {"game": "ace-trump", "seats": ["Ann", "Bob", "Cy"], "first_dealer": 2}


def play(seat: int, *cards: str, **more: Any) -> dict[str, Any]:
    return {"type": "play", "seat": seat, "cards": list(cards), **more}


@dataclass
class OpenTable:
    """A table, and the token of its creator."""

    code: str
    token: str

    @property
    def url(self) -> str:
        return f"/api/v1/tables/{self.code}/"

    @property
    def row(self) -> Table:
        return Table.objects.get(code=self.code)

    @property
    def keeper(self) -> APIClient:
        return holder(self.token)

    def record(self, *events: dict[str, Any], **asked: Any) -> Recorded:
        return record_events(self.code, [load_event(event) for event in events], Caller(**asked))

    def undo(self, **asked: Any) -> Recorded:
        return undo(self.code, Caller(**asked))

    def go_on(self, *seats: str, **more: Any) -> "OpenTable":
        """Continue at another table with these people."""
        answer = self.keeper.post(f"{self.url}continue/", {"seats": [*seats], **more})
        assert answer.status_code == 201, answer.json()
        return OpenTable(answer.json()["code"], answer.json()["token"])

    def link(self, role: str, seat: int | None = None) -> str:
        return make_link(self.row, Role(role), seat=seat)


def holder(token: str) -> APIClient:
    client = APIClient()
    client.credentials(HTTP_AUTHORIZATION=f"Bearer {token}")
    return client


def refusal(answer: Any) -> tuple[int, str]:
    """Return the status and the code of a refused request."""
    return answer.status_code, answer.json()["code"]


def open_table(**changes: Any) -> OpenTable:
    """Open a table of three at Ace Trump, or with these changes."""
    opened = create_table(ACE_TRUMP | changes)
    return OpenTable(opened.table.code, opened.token)


@pytest.fixture
def table(db: None) -> OpenTable:
    """A table of Ace Trump at which Ann leads."""
    return open_table()


@pytest.fixture
def scorekeeper(table: OpenTable) -> APIClient:
    return holder(table.token)


@pytest.fixture
def ann(scorekeeper: APIClient) -> APIClient:
    """Ann, who opened the table and keeps the score."""
    return scorekeeper


@pytest.fixture
def bob(table: OpenTable) -> APIClient:
    """Bob, who plays on seat 1 and has his own link."""
    return holder(table.link("player", 1))


@pytest.fixture
def dee(table: OpenTable) -> APIClient:
    """Dee, who has a spectator's link."""
    return holder(table.link("spectator"))


@pytest.fixture
def eve(stranger: APIClient) -> APIClient:
    """Eve, who knows the code and has no link."""
    return stranger


@pytest.fixture
def stranger(db: None) -> APIClient:
    return APIClient()


class Pair(NamedTuple):
    """Two servers on one database; usually one is read from and one written to."""

    streams: Server
    writes: Server
    var: Path
    database: str


@contextlib.contextmanager
def two_servers(request: pytest.FixtureRequest, var: Path, **more: Any) -> Iterator[Pair]:
    """Start two servers on the kind of database named by the fixture's parameter."""
    database = ""
    if request.param == "postgresql":
        postgres = request.getfixturevalue("postgres")
        database = postgres.url(postgres.create_migrated_database())
    with serving(var, database, **more) as first, serving(var, database, **more) as second:
        yield Pair(first, second, var, database)


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def pair(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Pair]:
    """Two servers on one database, of each kind."""
    with two_servers(request, tmp_path_factory.mktemp(request.param)) as servers:
        yield servers


@pytest.fixture(autouse=True)
def _the_database_is_the_one_asked_for() -> None:
    """A run meant for PostgreSQL must not run on anything else."""
    asked = os.environ.get("TESTED_DATABASE")
    assert asked in (None, connection.vendor)


@pytest.fixture(autouse=True)
def _only_who_may_writes_at_tables() -> Iterator[None]:
    with guarded():
        yield


@pytest.fixture(autouse=True)
def _every_test_begins_in_english() -> Iterator[None]:
    """A request's language stays with its thread until the next request."""
    yield
    translation.deactivate()
