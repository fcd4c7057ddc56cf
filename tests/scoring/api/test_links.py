"""tables/{code}/links/"""

import pytest

from scoring.models import Link
from scoring.queries.access import token_hash
from tests.scoring.conftest import holder, open_table, play


@pytest.fixture
def url(table):
    return f"/api/v1/tables/{table.code}/links/"


def test_it_works(ann, table, url):
    answer = ann.post(url, {"role": "player", "seat": 1})
    assert answer.status_code == 201
    made = answer.json()
    assert (made["role"], made["seat"], made["own"]) == ("player", 1, False)
    assert made["url"] == f"http://testserver/t/{table.code}/join/#{made['token']}"
    assert answer["Cache-Control"] == "no-store"


def test_a_token_is_kept_as_a_hash_and_shown_once(ann, url):
    made = ann.post(url, {"role": "spectator"}).json()
    kept = Link.objects.get(pk=made["id"])
    assert kept.token_hash == token_hash(made["token"])
    told = ann.get(url)
    assert made["token"] not in told.content.decode()
    assert [(link["role"], link["own"]) for link in told.json()["links"]] == [
        ("scorekeeper", True),
        ("spectator", False),
    ]


@pytest.mark.parametrize(
    ("body", "status", "pointer"),
    [
        ({}, 400, "/role"),
        ({"role": 3}, 400, "/role"),
        ({"role": "player", "seat": "1"}, 400, "/seat"),
        ({"role": "spectator", "since": 1}, 400, "/since"),
        ({"role": "dealer"}, 422, "/role"),
        ({"role": "player"}, 422, "/seat"),
        ({"role": "player", "seat": 3}, 422, "/seat"),
        ({"role": "player", "seat": -1}, 422, "/seat"),
        ({"role": "scorekeeper", "seat": 1}, 422, "/seat"),
    ],
)
def test_a_link_that_cannot_be_is_refused(ann, url, body, status, pointer):
    answer = ann.post(url, body)
    assert answer.status_code == status
    assert answer.json()["errors"][0]["pointer"] == pointer


@pytest.mark.parametrize("who", ["bob", "dee"])
def test_only_a_scorekeeper_shares_the_table(request, who, url):
    client = request.getfixturevalue(who)
    assert client.get(url).status_code == 403
    assert client.post(url, {"role": "scorekeeper"}).status_code == 403
    assert client.delete(f"{url}{Link.objects.get(role='scorekeeper').pk}/").status_code == 403


def test_eve_has_no_say(eve, url):
    assert eve.get(url).status_code == 401
    assert eve.post(url, {"role": "scorekeeper"}).status_code == 401


def test_a_revoked_link_stops_working_at_once(ann, table, url):
    made = ann.post(url, {"role": "player", "seat": 0}).json()
    player = holder(made["token"])
    events = f"/api/v1/tables/{table.code}/events/"
    assert player.post(events, play(0, "8MS")).status_code == 201
    assert ann.delete(f"{url}{made['id']}/").status_code == 204
    assert player.post(events, play(0, "9MS")).status_code == 401
    assert ann.delete(f"{url}{made['id']}/").status_code == 404
    assert table.row.version == 1


def test_one_link_goes_and_the_others_stay(ann, dee, table, url):
    made = ann.post(url, {"role": "spectator"}).json()
    ann.delete(f"{url}{made['id']}/")
    assert dee.get(f"/api/v1/tables/{table.code}/").status_code == 200
    assert len(ann.get(url).json()["links"]) == 2


def test_the_last_scorekeeper_cannot_leave_the_table_without_one(ann, url):
    own = ann.get(url).json()["links"][0]["id"]
    answer = ann.delete(f"{url}{own}/")
    assert (answer.status_code, answer.json()["code"]) == (409, "last-scorekeeper")
    other = holder(ann.post(url, {"role": "scorekeeper"}).json()["token"])
    assert ann.delete(f"{url}{own}/").status_code == 204
    assert ann.get(url).status_code == 401
    assert other.get(url).status_code == 200


def test_a_link_opens_its_own_table_only(ann, url):
    other = open_table()
    assert ann.get(f"/api/v1/tables/{other.code}/links/").status_code == 401
    number = Link.objects.get(table=other.row).pk
    assert ann.delete(f"{url}{number}/").status_code == 404
    assert ann.delete(f"{url}{10**30}/").status_code == 404


def test_links_are_many_but_not_without_end(ann, table, url, monkeypatch):
    monkeypatch.setattr("scoring.services.links.MOST_LINKS", 2)
    assert ann.post(url, {"role": "spectator"}).status_code == 201
    answer = ann.post(url, {"role": "spectator"})
    assert (answer.status_code, answer.json()["code"]) == (409, "too-many-links")
