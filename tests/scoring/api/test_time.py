"""Tables with a time limit: no hand begins after it (REC-16)."""

from datetime import timedelta

import pytest
from django.utils import timezone

from scoring.models import TableEvent
from tests.scoring.conftest import holder, open_table, play

RESULT = {"type": "result", "tricks": [4, 5, 3]}


@pytest.fixture
def table(db):
    """A table limited to half an hour."""
    return open_table(end={"kind": "time", "value": 30})


def pass_minutes(minutes):
    """Let time pass by moving everything recorded into the past."""
    TableEvent.objects.update(at=timezone.now() - timedelta(minutes=minutes))


def test_no_hand_begins_after_time_is_up(ann, eve, table):
    url = f"/api/v1/tables/{table.code}/"
    table.record(RESULT)
    assert eve.get(url).json()["state"]["finished"] is False
    pass_minutes(30)
    state = eve.get(url).json()["state"]
    assert (state["finished"], state["winners"], state["next"]) == (True, [1], None)
    answer = ann.post(f"{url}events/", play(0, "8MS"))
    assert (answer.status_code, answer.json()["code"]) == (422, "hand-finished")
    assert "REC-16" in answer.json()["ruling"]["reason"]["clauses"]
    assert table.row.version == 1


def test_a_running_hand_is_played_to_its_end(ann, table):
    url = f"/api/v1/tables/{table.code}/events/"
    table.record(play(0, "8MS"))
    pass_minutes(31)
    assert ann.post(url, play(1, "XS")).json()["state"]["finished"] is False
    ann.post(url, play(2, "XM"))
    last = ann.post(url, RESULT).json()
    assert last["state"]["finished"] is True
    assert last["state"]["winners"] == [1]


def test_a_penalty_still_counts_after_time_is_up(ann, table):
    table.record(RESULT)
    pass_minutes(31)
    answer = ann.post(f"/api/v1/tables/{table.code}/events/", {"type": "penalty", "seat": 1, "points": -3})
    assert answer.json()["state"]["winners"] == [0]
    assert "ended" not in str(table.row.log.last().event)


def test_the_snapshot_does_not_depend_on_the_clock(ann, table):
    table.record(RESULT)
    pass_minutes(31)
    ann.post(f"/api/v1/tables/{table.code}/events/", {"type": "note", "text": "Late."})
    assert table.row.snapshot["hand"]["values"]["ended"] is False


def test_the_time_limit_starts_with_the_first_event(ann, table):
    table.row.created = timezone.now() - timedelta(hours=2)
    assert ann.post(f"/api/v1/tables/{table.code}/events/", play(0, "8MS")).status_code == 201


def test_running_out_of_time_changes_the_etag(eve, table):
    url = f"/api/v1/tables/{table.code}/"
    table.record(RESULT)
    tag = eve.get(url)["ETag"]
    pass_minutes(31)
    assert eve.get(url, HTTP_IF_NONE_MATCH=tag).status_code == 200


def test_a_secret_choice_begins_no_hand_after_time_is_up(db):
    table = open_table(game="ransom-trump", end={"kind": "time", "value": 30})
    table.record({"type": "result", "tricks": [3, 3, 3]})
    pass_minutes(31)
    bob = holder(table.link("player", 1))
    answer = bob.post(f"/api/v1/tables/{table.code}/events/", {"type": "ransom", "seat": 1, "cards": ["XM"]})
    assert answer.json()["code"] == "hand-finished"
