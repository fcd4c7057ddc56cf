"""Links that are a person's phone, and requests for a seat, as seen by programs."""

from datetime import timedelta
from uuid import uuid4

import pytest
from django.utils import timezone
from rest_framework.test import APIClient

from scoring.models import Link, Role, SeatRequest, ShortLived
from tests.scoring.conftest import holder, play
from tests.scoring.groups import make_group

KEY = "5a9a1bd2-5d77-4ad4-9e7a-4f6d1b3f6b11"


@pytest.fixture
def thursday(db):
    return make_group()


def me(thursday, token=None):
    return holder(token or thursday.token), f"{thursday.url}me/"


def test_a_phone_is_assigned_to_a_person(thursday):
    client, address = me(thursday)
    bob = thursday.people()["Bob"]
    answer = client.put(address, {"person": bob})
    assert (answer.status_code, answer.json()["person"], answer.json()["name"]) == (200, bob, "Bob")
    assert client.get(address).json()["answered"]
    assert [link["person"] for link in client.get(f"{thursday.url}links/").json()["rights"]] == [bob]


def test_the_log_shows_the_phones_person_at_every_table(thursday):
    client, address = me(thursday)
    client.put(address, {"person": thursday.people()["Ann"]})
    table = thursday.open_table()
    client.post(f"/api/v1/tables/{table.code}/events/", play(0, "8MS"))
    (row,) = client.get(f"/api/v1/tables/{table.code}/events/").json()["events"]
    assert row["who"]["role"] == "scorekeeper"
    assert row["who"]["seat"] == 0


def test_a_null_person_only_watches_and_delete_asks_again(thursday):
    client, address = me(thursday)
    told = client.put(address, {"person": None}).json()
    assert (told["person"], bool(told["answered"])) == (None, True)
    assert client.delete(address).status_code == 204
    assert client.get(address).json()["answered"] is None


def test_claiming_a_person_who_has_a_phone_asks_first(thursday):
    bob = thursday.people()["Bob"]
    client, address = me(thursday)
    client.put(address, {"person": bob})
    other, _ = me(thursday, thursday.link("member", "new"))
    refused = other.put(address, {"person": bob})
    assert (refused.status_code, refused.json()["code"]) == (409, "has-phone")
    assert other.put(address, {"person": bob, "takes_over": True}).json()["person"] == bob
    assert client.get(address).json()["person"] is None


def test_people_in_another_group_are_unknown(thursday):
    client, address = me(thursday)
    others = make_group("Zoe", name="Others")
    assert client.put(address, {"person": others.people()["Zoe"]}).json()["code"] == "no-such-person"


@pytest.mark.parametrize(("role", "scope"), [("viewer", None), ("bot", "manage")])
def test_viewers_and_programs_have_no_seat(thursday, role, scope):
    client, address = me(thursday, thursday.link(role, "Scoreboard", scope))
    assert client.put(address, {"person": thursday.people()["Bob"]}).status_code == 403


def test_a_merged_person_counts_as_the_survivor(thursday):
    client, address = me(thursday)
    people = thursday.people()
    client.post(f"{thursday.url}people/{people['Cy']}/merge/", {"into": people["Bob"]})
    assert client.put(address, {"person": people["Cy"]}).json()["person"] == people["Bob"]


# --- With a table's code alone


def ask(table, seat=1, **more):
    return APIClient().post(f"/api/v1/tables/{table.code}/requests/", {"seat": seat}, **more)


def test_a_request_token_opens_its_seat_once_accepted(table, ann):
    asked = ask(table)
    assert asked.status_code == 201
    address = f"/api/v1/tables/{table.code}/"
    bob = holder(asked.json()["token"])
    assert bob.post(f"{address}events/", play(1, "2WL", accepted=True)).status_code == 401
    (waiting,) = ann.get(f"{address}requests/").json()["requests"]
    assert waiting == {key: asked.json()[key] for key in ("id", "role", "seat", "at")}
    assert ann.post(f"{address}requests/{waiting['id']}/").json()["seat"] == 1
    assert ann.get(f"{address}requests/").json()["requests"] == []
    assert bob.post(f"{address}events/", play(1, "2WL", accepted=True)).status_code == 201
    assert bob.post(f"{address}events/", play(0, "8MS")).status_code == 403


def test_a_refused_client_learns_nothing(table, ann):
    asked = ask(table).json()
    address = f"/api/v1/tables/{table.code}/requests/{asked['id']}/"
    assert ann.delete(address).status_code == 204
    assert ann.post(address).json()["code"] == "no-such-request"
    assert holder(asked["token"]).get(f"/api/v1/tables/{table.code}/").status_code == 401


def test_accepting_a_new_phone_revokes_older_phones_of_the_seat(table, ann, bob):
    asked = ask(table).json()
    assert [each["id"] for each in bob.get(f"/api/v1/tables/{table.code}/requests/").json()["requests"]] == [
        asked["id"]
    ]
    ann.post(f"/api/v1/tables/{table.code}/requests/{asked['id']}/")
    assert Link.objects.filter(role=Role.PLAYER, revoked=None).count() == 1
    assert bob.get(f"/api/v1/tables/{table.code}/").status_code == 401


def test_a_retried_request_asks_once(table, ann):
    first, again = (ask(table, headers={"Idempotency-Key": KEY}) for _ in range(2))
    assert first.json() == again.json()
    assert again["Idempotent-Replayed"] == "true"
    address = f"/api/v1/tables/{table.code}/requests/{first.json()['id']}/"
    one, two = (ann.post(address, headers={"Idempotency-Key": KEY}) for _ in range(2))
    assert one.json()["id"] == two.json()["id"]


@pytest.mark.parametrize("answered", ["let in", "refused"])
def test_a_retry_after_the_answer_makes_no_second_request(table, ann, answered):
    first = ask(table, headers={"Idempotency-Key": KEY})
    address = f"/api/v1/tables/{table.code}/requests/"
    own = f"{address}{first.json()['id']}/"
    assert (ann.post(own) if answered == "let in" else ann.delete(own)).status_code in (201, 204)
    again = ask(table, headers={"Idempotency-Key": KEY})
    assert (again.status_code, again.json(), again["Idempotent-Replayed"]) == (201, first.json(), "true")
    assert ann.get(address).json()["requests"] == []
    assert SeatRequest.objects.filter(refused=None).count() == 0
    ShortLived.objects.update(since=timezone.now() - timedelta(minutes=11))
    late = ask(table, headers={"Idempotency-Key": KEY})
    assert (late.status_code, late.json()) == (201, first.json() | {"token": None}), "the token is told no more"
    assert ann.get(address).json()["requests"] == []
    assert ask(table, headers={"Idempotency-Key": str(uuid4())}).json()["id"] != first.json()["id"]


def test_the_code_allows_twenty_requests_an_hour_per_address(table, ann):
    address = f"/api/v1/tables/{table.code}/requests/"
    for number in range(20):
        asked = ask(table, REMOTE_ADDR="203.0.113.9")
        assert asked.status_code == 201, number
        ann.delete(f"{address}{asked.json()['id']}/")
    refused = ask(table, REMOTE_ADDR="203.0.113.9")
    assert (refused.status_code, refused.json()["code"]) == (429, "throttled")
    assert int(refused["Retry-After"]) > 3000
    page = APIClient().post(f"/t/{table.code}/who/", {"seat": 1, "instead": 1}, REMOTE_ADDR="203.0.113.9")
    assert page.status_code != 302
    assert ask(table, REMOTE_ADDR="203.0.113.10").status_code == 201
    assert ann.get(address).json()["requests"]


def test_a_private_table_takes_no_request_by_its_code(table, ann):
    ann.patch(f"/api/v1/tables/{table.code}/", {"private": True})
    assert ask(table).status_code == 404


def test_a_missing_seat_is_refused(table):
    assert ask(table, seat=7).status_code == 403
