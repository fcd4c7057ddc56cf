"""An answer that is given again says so."""

from uuid import uuid4

import pytest

from tests.scoring.conftest import ACE_TRUMP, play

MARK = "Idempotent-Replayed"
pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("address", "body"),
    [
        ("events/", play(0, "8MS")),
        ("undo/", {}),
        ("links/", {"role": "player", "seat": 1}),
        ("amendments/", {"seq": 1, "event": None}),
    ],
)
def test_acts_at_a_table(table, scorekeeper, address, body):
    table.record(play(0, "9WY") if address != "events/" else {"type": "note", "text": "Hm."})
    key = {"Idempotency-Key": str(uuid4())}
    first, again, other = (
        scorekeeper.post(f"/api/v1/tables/{table.code}/{address}", body, headers=headers)
        for headers in (key, key, {"Idempotency-Key": str(uuid4())})
    )
    assert (first.status_code, again.status_code) == (201, 201)
    assert (MARK in first, again[MARK], MARK in other) == (False, "true", False)
    assert first.json() == again.json()


@pytest.mark.parametrize(("address", "body"), [("tables/", ACE_TRUMP), ("groups/", {"name": "Us"})])
def test_what_is_opened(stranger, address, body):
    key = {"Idempotency-Key": str(uuid4())}
    first, again = (stranger.post(f"/api/v1/{address}", body, headers=key) for _ in range(2))
    assert (MARK in first, again[MARK]) == (False, "true")
    assert MARK not in stranger.get("/api/v1/games/")
