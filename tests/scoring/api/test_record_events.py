"""POST tables/{code}/events/"""

import pytest

from tests.scoring.conftest import open_table, play

KEY = "5f0c7f5e-7a0b-4a55-9d59-3f0a3a5c1c13"


@pytest.fixture
def url(table):
    return f"/api/v1/tables/{table.code}/events/"


def test_it_works(scorekeeper, url):
    answer = scorekeeper.post(url, play(0, "8MS"), format="json")
    assert answer.status_code == 201
    told = answer.json()
    assert told["version"] == 1
    assert told["ruling"] == {"verdict": "accepted", "reason": None, "irregularities": []}
    assert told["state"]["hand"]["to_act"] == [1]
    assert answer["ETag"] == '"1"'


def test_several_events_are_taken_together(scorekeeper, url):
    answer = scorekeeper.post(url, {"events": [play(0, "8MS"), play(1, "XS")]}, format="json")
    assert answer.json()["version"] == 2
    assert len(answer.json()["rulings"]) == 2


def test_what_stopped_a_batch_is_named(scorekeeper, url, table):
    answer = scorekeeper.post(url, {"events": [play(0, "8MS"), play(1, "8MS")]}, format="json")
    assert answer.status_code == 422
    told = answer.json()
    assert (told["code"], told["position"]) == ("already-played", 1)
    assert told["errors"][0]["pointer"] == "/events/1"
    assert table.row.version == 0


def test_an_irregular_event_is_a_conflict_with_its_ruling(scorekeeper, url, table):
    answer = scorekeeper.post(url, play(1, "8MS"), format="json")
    assert answer.status_code == 409
    assert answer["Content-Type"] == "application/problem+json"
    told = answer.json()
    assert told["code"] == "out-of-turn"
    assert told["ruling"]["verdict"] == "irregular"
    assert told["ruling"]["reason"]["clauses"]
    assert "Bob" in told["detail"]
    assert table.row.version == 0


def test_what_the_table_accepts_is_recorded(scorekeeper, url):
    answer = scorekeeper.post(url, play(1, "8MS", accepted=True), format="json")
    assert answer.status_code == 201
    assert [i["code"] for i in answer.json()["ruling"]["irregularities"]] == ["out-of-turn"]


def test_an_impossible_event_cannot_be(scorekeeper, url):
    answer = scorekeeper.post(url, play(0, "9SK"), format="json")
    assert answer.status_code == 422
    assert answer.json()["ruling"]["verdict"] == "impossible"


def test_a_malformed_event_is_refused(scorekeeper, url):
    answer = scorekeeper.post(url, {"type": "play", "seat": "0", "cards": ["8MS"]}, format="json")
    assert answer.status_code == 400
    assert answer.json()["errors"][0]["pointer"] == "/seat"


@pytest.mark.parametrize("body", [{"events": []}, {"events": {}}, {"events": [play(0, "8MS")], "type": "play"}, {}])
def test_a_malformed_body_is_refused(scorekeeper, url, body):
    assert scorekeeper.post(url, body, format="json").status_code == 400


def test_too_many_events_at_once_are_refused(scorekeeper, url):
    events = [{"type": "note", "text": "x"}] * 1001
    answer = scorekeeper.post(url, {"events": events}, format="json")
    assert answer.status_code == 422
    assert answer.json()["code"] == "too-many-events"


def test_a_stranger_may_not(stranger, url):
    answer = stranger.post(url, play(0, "8MS"), format="json")
    assert answer.status_code == 401
    assert answer["WWW-Authenticate"].startswith("Bearer")


def test_the_token_of_another_table_opens_nothing(stranger, url):
    stranger.credentials(HTTP_AUTHORIZATION=f"Bearer {open_table().token}")
    assert stranger.post(url, play(0, "8MS"), format="json").status_code == 401


def test_a_revoked_token_opens_nothing(scorekeeper, url, table):
    from django.utils import timezone

    table.row.links.update(revoked=timezone.now())
    assert scorekeeper.post(url, play(0, "8MS"), format="json").status_code == 401


def test_a_spectator_may_only_look(stranger, url, table):
    from scoring.models import Role
    from scoring.services.tables import make_link

    stranger.credentials(HTTP_AUTHORIZATION=f"Bearer {make_link(table.row, Role.SPECTATOR)}")
    assert stranger.post(url, play(0, "8MS"), format="json").status_code == 403


def test_a_retry_is_answered_again(scorekeeper, url, table):
    first = scorekeeper.post(url, play(0, "8MS"), format="json", HTTP_IDEMPOTENCY_KEY=KEY)
    scorekeeper.post(url, play(1, "XS"), format="json")
    again = scorekeeper.post(url, play(0, "8MS"), format="json", HTTP_IDEMPOTENCY_KEY=KEY)
    assert again.status_code == 201
    assert again.json() == first.json()
    assert table.row.version == 2


def test_a_key_belongs_to_one_body(scorekeeper, url):
    scorekeeper.post(url, play(0, "8MS"), format="json", HTTP_IDEMPOTENCY_KEY=KEY)
    answer = scorekeeper.post(url, play(0, "9MS"), format="json", HTTP_IDEMPOTENCY_KEY=KEY)
    assert answer.status_code == 422
    assert answer.json()["code"] == "key-reused"


def test_a_key_is_a_uuid(scorekeeper, url):
    answer = scorekeeper.post(url, play(0, "8MS"), format="json", HTTP_IDEMPOTENCY_KEY="again")
    assert answer.status_code == 400


def test_two_phones_cannot_both_take_the_same_turn(scorekeeper, url):
    assert scorekeeper.post(url, play(0, "8MS"), format="json", HTTP_IF_MATCH='"0"').status_code == 201
    answer = scorekeeper.post(url, play(0, "9MS"), format="json", HTTP_IF_MATCH='"0"')
    assert answer.status_code == 412
    assert answer.json()["version"] == 1
    assert answer.json()["state"]["hands"][0]["to_act"] == [1]
    assert answer["ETag"] == '"1"'


@pytest.mark.parametrize("tags", ["soon", "", '"soon"', '"0", "1"', '"-1"', '"0000000000"'])
def test_a_version_that_is_none_is_malformed(scorekeeper, url, tags):
    assert scorekeeper.post(url, play(0, "8MS"), format="json", HTTP_IF_MATCH=tags).status_code == 400


@pytest.mark.parametrize("tags", ["*", 'W/"0"', ' "0" '])
def test_a_version_seen_through_a_cache_counts(scorekeeper, url, tags):
    assert scorekeeper.post(url, play(0, "8MS"), format="json", HTTP_IF_MATCH=tags).status_code == 201
