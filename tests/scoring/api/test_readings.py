"""tables/{code}/readings/"""

from uuid import uuid4

import pytest
from django.test import Client

from scoring.models import Reading
from scoring.queries.access import token_hash
from tests.scoring.conftest import play


@pytest.fixture
def url(table):
    table.record(play(0, "8MS"))
    return f"/api/v1/tables/{table.code}/readings/"


def opens(made):
    """Return whether the page of a link for reading opens with its token on a device that never was here."""
    path, token = made["url"].removeprefix("http://testserver").split("#")
    return Client().post(path, {"token": token}).status_code == 302


def test_it_works(ann, url):
    answer = ann.post(url, {})
    assert answer.status_code == 201
    made = answer.json()
    assert made["hand"] is None
    assert made["url"] == f"http://testserver/read/{made['id']}/#{made['token']}"
    assert answer["Cache-Control"] == "no-store"
    assert opens(made)


def test_a_token_is_kept_as_a_hash_and_shown_once(ann, url):
    made = ann.post(url, {"hand": 1}).json()
    assert Reading.objects.get(pk=made["id"]).token_hash == token_hash(made["token"])
    told = ann.get(url)
    assert made["token"] not in told.content.decode()
    assert [(each["id"], each["hand"]) for each in told.json()["readings"]] == [(made["id"], 1)]


def test_it_is_revoked_on_every_device(ann, url):
    made = ann.post(url, {}).json()
    assert ann.delete(f"{url}{made['id']}/").status_code == 204
    assert not opens(made)
    assert ann.get(url).json() == {"readings": [], "next": None}
    assert ann.delete(f"{url}{made['id']}/").json()["code"] == "no-such-link"


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        ({"hand": 2}, 404, "no-such-hand"),
        ({"hand": 10**9}, 404, "no-such-hand"),
        ({"hand": 0}, 404, "no-such-hand"),
        ({"hand": "1"}, 400, "wrong-type"),
        ({"trick": 1}, 400, "unknown-key"),
    ],
)
def test_what_is_not_there_gets_no_link(ann, url, body, status, code):
    answer = ann.post(url, body)
    assert answer.status_code == status
    assert code in (answer.json()["code"], *(each["code"] for each in answer.json().get("errors", ())))
    assert not Reading.objects.exists()


def test_a_retry_makes_the_same_link(ann, url):
    key = str(uuid4())
    first, second = (ann.post(url, {"hand": 1}, headers={"Idempotency-Key": key}) for _ in range(2))
    assert first.json() == second.json()
    assert second["Idempotent-Replayed"] == "true"
    assert Reading.objects.count() == 1


@pytest.mark.parametrize("who", ["bob", "dee"])
def test_only_a_scorekeeper_makes_one(request, who, url):
    client = request.getfixturevalue(who)
    assert client.get(url).status_code == 403
    assert client.post(url, {}).status_code == 403
