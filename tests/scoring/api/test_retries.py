"""The Idempotency-Key on the writes that leave no event: sent again, they are done once and answered as before."""

from uuid import uuid4

import pytest

from scoring.models import Link, Table
from tests.scoring.conftest import ACE_TRUMP, holder, play

RECORD = ACE_TRUMP | {"format": "table-record/1", "hands": [{"events": [play(0, "8MS"), play(1, "XS")]}]}


@pytest.fixture
def key():
    return {"HTTP_IDEMPOTENCY_KEY": str(uuid4())}


@pytest.fixture
def url(table):
    return f"/api/v1/tables/{table.code}/"


def test_it_works(ann, url, key):
    first = ann.post(f"{url}links/", {"role": "player", "seat": 1}, **key)
    again = ann.post(f"{url}links/", {"role": "player", "seat": 1}, **key)
    assert (first.status_code, again.status_code) == (201, 201)
    assert again.json() == first.json()
    assert Link.objects.filter(role="player").count() == 1


def test_a_link_made_under_a_key_opens_the_table(ann, client, url, key):
    ann.patch(url, {"private": True})
    token = ann.post(f"{url}links/", {"role": "spectator"}, **key).json()["token"]
    assert client.get(url).status_code == 404
    assert client.get(url, headers={"Authorization": f"Bearer {token}"}).status_code == 200


def test_another_link_under_the_same_key_is_refused(ann, url, key):
    ann.post(f"{url}links/", {"role": "spectator"}, **key)
    answer = ann.post(f"{url}links/", {"role": "scorekeeper"}, **key)
    assert (answer.status_code, answer.json()["code"]) == (422, "key-reused")
    assert Link.objects.filter(role="scorekeeper").count() == 1


def test_a_key_of_an_event_belongs_to_that_event(ann, url, key):
    assert ann.post(f"{url}events/", play(0, "8MS"), **key).status_code == 201
    answer = ann.post(f"{url}links/", {"role": "spectator"}, **key)
    assert (answer.status_code, answer.json()["code"]) == (422, "key-reused")


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("links/", {"role": "player", "seat": 1}),
        ("continue/", {"seats": ["Ann", "Bob", "Dee"]}),
        ("events/", {"type": "note", "text": "Hm."}),
    ],
)
def test_another_scorekeeper_under_the_same_key_is_answered_nothing_of_it(ann, table, url, key, path, body):
    """A token is shown once, to whoever made it; what somebody else repeats word for word is another request."""
    assert ann.post(f"{url}{path}", body, **key).status_code == 201
    second = holder(table.link("scorekeeper")).post(f"{url}{path}", body, **key)
    assert (second.status_code, second.json()["code"]) == (422, "key-reused")
    assert "token" not in second.json()


def test_a_link_is_revoked_once(ann, url, key):
    number = ann.post(f"{url}links/", {"role": "spectator"}).json()["id"]
    assert ann.delete(f"{url}links/{number}/", **key).status_code == 204
    assert ann.delete(f"{url}links/{number}/", **key).status_code == 204
    assert ann.delete(f"{url}links/{number}/").status_code == 404


def test_privacy_is_changed_once(ann, url, key):
    assert ann.patch(url, {"private": True}, **key).status_code == 200
    assert ann.patch(url, {"private": False}).status_code == 200
    ann.patch(url, {"private": True}, **key)
    assert not Table.objects.get().private
    answer = ann.patch(url, {"private": False}, **key)
    assert (answer.status_code, answer.json()["code"]) == (422, "key-reused")


def test_a_table_is_continued_once(ann, url, key):
    company = {"seats": ["Ann", "Cy", "Dee"]}
    first = ann.post(f"{url}continue/", company, **key)
    again = ann.post(f"{url}continue/", company, **key)
    assert (first.status_code, again.status_code) == (201, 201)
    assert (again.json()["code"], again.json()["token"]) == (first.json()["code"], first.json()["token"])
    other = ann.post(f"{url}continue/", {"seats": ["Ann", "Cy"]}, **key)
    assert (other.status_code, other.json()["code"]) == (422, "key-reused")
    assert Table.objects.count() == 2


@pytest.mark.django_db
@pytest.mark.parametrize("text", [False, True])
def test_a_record_is_brought_once(client, key, text):
    body = {"text": "Game: ace-trump\nSeats: Ann, Bob, Cy\nFirst dealer: Cy\n"} if text else RECORD
    first = client.post("/api/v1/tables/import/", body, content_type="application/json", **key)
    again = client.post("/api/v1/tables/import/", body, content_type="application/json", **key)
    assert (first.status_code, again.status_code) == (201, 201), first.json()
    assert again.json() == first.json()
    other = client.post("/api/v1/tables/import/", RECORD | {"first_dealer": 0}, content_type="application/json", **key)
    assert (other.status_code, other.json()["code"]) == (422, "key-reused")
    assert Table.objects.count() == 1
