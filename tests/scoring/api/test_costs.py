"""Limits per address: tables, which are kept forever, and time for judging."""

from uuid import uuid4

import pytest
from django.core.management import call_command
from django.test import Client, override_settings

from scoring.operating.api import throttling
from scoring.tables.reads.state import RecentCache
from tests.scoring.conftest import open_table, play

TABLE = {"game": "ace-trump", "seats": ["Ann", "Bob", "Cy"], "first_dealer": 0}
RECORD = {**TABLE, "format": "table-record/1", "hands": []}


@pytest.fixture
def far(db: None):
    """A client elsewhere; clients on the machine itself have no limit."""
    with override_settings(OPENINGS_PER_HOUR=2, COSTLY_SECONDS_PER_MINUTE=1):
        yield Client(REMOTE_ADDR="192.0.2.7")


@pytest.fixture(autouse=True)
def _nothing_was_judged_before(monkeypatch):
    monkeypatch.setattr(throttling, "_seconds_cache", RecentCache(100))


def opening(client, address="tables/", body=TABLE, **headers):
    return client.post(f"/api/v1/{address}", body, content_type="application/json", headers=headers)


def test_one_address_opens_a_limited_number_of_tables_per_hour(far):
    answers = [opening(far) for _ in range(3)]
    assert [answer.status_code for answer in answers] == [201, 201, 429]
    assert [answer["RateLimit"].split(";")[1] for answer in answers] == ["r=1", "r=0", "r=0"]
    assert answers[0]["RateLimit-Policy"] == '"openings";q=2;w=3600'
    assert (answers[2].json()["code"], 3590 < int(answers[2]["Retry-After"]) <= 3600) == ("throttled", True)


def test_every_way_of_opening_a_table_counts(far):
    assert opening(far, "tables/import/", RECORD).status_code == 201
    assert opening(far, "groups/", {"name": "Club", "people": []}).status_code == 201
    assert opening(far, "groups/import/", {"text": "{}"}).status_code == 429
    form = {"name": ["Ann", "Bob", "Cy"], "dealer": "0", "end": "open", "rule-ties": "late"}
    assert far.post("/new/ace-trump/", form).status_code == 429
    assert far.post("/g/new/", {"name": "Club", "people": "Ann"}).status_code == 429
    assert far.post("/import/", {"text": "{}"}).status_code == 429


def test_refused_and_repeated_requests_are_not_counted(far):
    again = {"Idempotency-Key": str(uuid4())}
    tries = [opening(far, body=TABLE | {"game": "poker"}), *(opening(far, **again) for _ in range(3)), opening(far)]
    assert [answer.status_code for answer in tries] == [422, 201, 201, 201, 201]


def test_other_addresses_and_localhost_still_open_tables(far, client):
    for _ in range(3):
        opening(far)
    assert opening(Client(REMOTE_ADDR="192.0.2.8")).status_code == 201
    assert "RateLimit" not in opening(client)


def test_continuing_a_table_does_not_count_as_opening_one(far):
    table = open_table()
    table.record({"type": "end", "reason": ""})
    for _ in range(3):
        opening(far)
    token = {"Authorization": f"Bearer {table.token}"}
    played_on = opening(far, f"tables/{table.code}/continue/", {"seats": ["Ann", "Bob", "Cy"]}, **token)
    assert played_on.status_code == 201, played_on.json()


def test_the_operator_can_see_and_lift_the_limit(far, capsys):
    for _ in range(3):
        opening(far)
    call_command("limits", "--address", "192.0.2.7", "--lift")
    assert "2 of 2 opened, closed, until" in capsys.readouterr().out
    assert opening(far).status_code == 201


def test_slow_judging_is_charged_by_time(far, monkeypatch):
    monkeypatch.setattr(throttling, "LEAST_SECONDS", 0)
    first = opening(far, "referee/judge/", RECORD)
    assert first["RateLimit-Policy"] == '"costly-seconds";q=1;w=60'
    throttling._seconds_cache.put("192.0.2.7", (throttling._standing("192.0.2.7")[0], 1.0))
    beyond = opening(far, "referee/judge/", RECORD)
    assert (first.status_code, beyond.status_code, beyond["RateLimit"][:20]) == (200, 429, '"costly-seconds";r=0')
    assert far.get("/api/v1/games/").status_code == 200, "what costs nothing is answered all the same"


def test_normal_judging_is_never_limited(far):
    for _ in range(5):
        assert opening(far, "referee/judge/", RECORD)["RateLimit"].startswith('"costly-seconds";r=1')


def test_a_write_reports_the_remaining_limit(ann, table):
    answer = ann.post(f"/api/v1/tables/{table.code}/events/", play(0, "8MS"))
    assert answer["RateLimit-Policy"] == '"writes";q=600;w=60'
    assert answer["RateLimit"].startswith('"writes";r=599;t=')
