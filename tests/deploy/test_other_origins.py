"""Other origins may use the API with a token or read public data; our pages never answer them."""

import pytest

from scoring.models import Group, Table
from tests.scoring.conftest import ACE_TRUMP, holder, open_table, play

ORIGIN = {"Origin": "https://app.example", "Sec-Fetch-Site": "cross-site"}
OPEN, EXPOSED, NEEDED = "Access-Control-Allow-Origin", "Access-Control-Expose-Headers", "Access-Control-Allow-Headers"
WRITING = (
    "authorization, content-type, idempotency-key, if-match, if-none-match, accept-language, x-request-id,"
    " last-event-id, cache-control"
)
pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("address", ["games/", "decks/decktet/", "games/ace-trump/rulebook/", "schema/", "nowhere/"])
def test_any_origin_may_read_public_data(client, address):
    answer = client.get(f"/api/v1/{address}", headers=ORIGIN)
    assert answer[OPEN] == "*"
    assert "Access-Control-Allow-Credentials" not in answer
    assert {"ETag", "Location", "Retry-After", "Idempotent-Replayed", "X-Request-Id"} <= set(
        answer[EXPOSED].split(", ")
    )


@pytest.mark.parametrize("address", ["/", "/new/", "/rules/", "/api/v1/docs/"])
def test_our_pages_allow_no_other_origin(client, address):
    assert OPEN not in client.get(address, headers=ORIGIN)


def test_a_cors_preflight_lists_what_may_be_sent(client):
    asked = {"Access-Control-Request-Method": "POST", "Access-Control-Request-Headers": WRITING}
    answer = client.options("/api/v1/tables/AAAAAAAA/events/", headers=ORIGIN | asked)
    assert (answer.status_code, answer[OPEN]) == (200, "*")
    assert set(WRITING.split(", ")) <= set(answer[NEEDED].split(", "))


def test_another_origin_needs_a_token_only_to_record(client):
    table = open_table()
    address = f"/api/v1/tables/{table.code}/"
    assert holder(table.token).post(f"{address}events/", play(0, "8MS"), headers=ORIGIN).status_code == 201
    assert client.get(address, headers=ORIGIN).json()["version"] == 1
    assert client.post(f"{address}events/", play(1, "XS"), "application/json", headers=ORIGIN).status_code == 401


def test_other_origins_store_nothing_without_a_token(client):
    for address, body in (("tables/", ACE_TRUMP), ("tables/import/", ACE_TRUMP), ("groups/", {"name": "Us"})):
        answer = client.post(f"/api/v1/{address}", body, "application/json", headers=ORIGIN)
        assert (answer.status_code, answer.json()["code"]) == (403, "other-site")
    assert not Table.objects.exists()
    assert not Group.objects.exists()


def test_another_origin_opens_tables_with_a_group_token(client):
    made = client.post("/api/v1/groups/", {"name": "Us", "people": ["Ann", "Bob", "Cy"]}, "application/json").json()
    answer = holder(made["token"]).post("/api/v1/tables/", ACE_TRUMP, headers=ORIGIN)
    assert answer.status_code == 201, answer.json()
