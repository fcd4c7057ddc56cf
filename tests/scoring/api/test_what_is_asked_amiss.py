"""A right that is none, a filter that means nothing, a value that does nothing: each is told, and nothing is done."""

from uuid import uuid4

import pytest

from scoring.models import Group, Table
from tests.scoring.conftest import ACE_TRUMP, holder, open_table, play
from tests.scoring.groups import make_group

pytestmark = pytest.mark.django_db
TABLES = "/api/v1/tables/"


@pytest.fixture
def group(db):
    return make_group()


def key():
    return {"HTTP_IDEMPOTENCY_KEY": str(uuid4())}


# -- rights ---------------------------------------------------------------------------------


def test_a_table_of_a_group_takes_a_token_of_that_group(group, stranger):
    other, body = make_group(name="Others"), ACE_TRUMP | {"group": group.code}
    loose = open_table()
    before = Table.objects.count()
    for client, status in (
        (stranger, 401), (holder("x" * 32), 401), (holder(loose.token), 401), (other.member, 422),
        (holder(group.link("viewer")), 403),
    ):  # fmt: skip
        assert client.post(TABLES, body).status_code == status
    assert stranger.post(TABLES, ACE_TRUMP | {"group": "Thursday"}).status_code == 401
    assert stranger.post(TABLES, ACE_TRUMP | {"group": "nobody’s"})["WWW-Authenticate"] == "Bearer"
    assert Table.objects.count() == before
    assert group.member.post(TABLES, body).json()["group"] == group.code
    assert stranger.post(TABLES, ACE_TRUMP | {"group": None}).json()["group"] is None


def test_a_member_is_told_how_to_write_at_a_table_of_the_group(group):
    table = group.open_table()
    for path, body in (("events/", play(0, "8MS")), ("undo/", {}), ("disputes/", {"claim": "x"}), ("links/", {})):
        refused = group.member.post(f"{TABLES}{table.code}/{path}", body)
        assert (refused.status_code, refused.json()["code"]) == (403, "permission-denied")
    way = f"/api/v1/groups/{group.code}/tables/{table.code}/links/"
    assert way in refused.json()["detail"]
    made = group.member.post(way).json()
    assert holder(made["token"]).post(f"{TABLES}{table.code}/events/", play(0, "8MS")).status_code == 201
    viewer = holder(group.link("viewer")).post(f"{TABLES}{table.code}/events/", play(0, "8MS"))
    assert viewer.status_code == 403
    assert "links/" not in viewer.json()["detail"]


@pytest.mark.parametrize("path", ["", "asks/", "events/", "record/", "disputes/", "guides/"])
def test_a_token_that_opens_nothing_is_told_so_where_anybody_may_read(table, ann, stranger, path):
    url = f"{TABLES}{table.code}/"
    ann.post(f"{url}links/", {"role": "scorekeeper"})
    made = ann.post(f"{url}links/", {"role": "spectator"}).json()
    revoked = holder(made["token"])
    assert revoked.get(f"{url}{path}").status_code == 200
    ann.delete(f"{url}links/{made['id']}/")
    for client in (revoked, holder("x" * 32), holder(open_table().token)):
        refused = client.get(f"{url}{path}")
        assert (refused.status_code, refused.json()["code"]) == (401, "authentication-failed")
    assert stranger.get(f"{url}{path}").status_code == 200


# -- filters --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "path",
    ["tables/", "statistics/", "statistics/ratings/", "statistics/hands/", "season/", "files/history/", "rulings/"],
)
def test_a_game_that_is_none_is_refused(group, path):
    told = group.member.get(f"/api/v1/groups/{group.code}/{path}?game=nope")
    assert (told.status_code, told.json()["code"]) == (400, "unknown-game")
    assert told.json()["errors"][0]["parameter"] == "game"
    assert "oh-hell" in told.json()["detail"]
    assert group.member.get(f"/api/v1/groups/{group.code}/{path}?game=oh-hell").status_code == 200


@pytest.mark.parametrize("path", ["tables/", "statistics/", "statistics/ratings/", "statistics/hands/"])
def test_somebody_who_is_not_of_the_group_is_refused(group, path):
    stranger = min(make_group(name="Others").people().values())
    for number in (77777, stranger):
        told = group.member.get(f"/api/v1/groups/{group.code}/{path}?person={number}")
        assert (told.status_code, told.json()["code"]) == (400, "no-such-person")
        assert told.json()["errors"][0]["parameter"] == "person"
    assert group.member.get(f"/api/v1/groups/{group.code}/{path}?person={group.people()['Ann']}").status_code == 200


def test_days_that_end_before_they_begin_and_clauses_that_nobody_has_are_refused(group):
    url = f"/api/v1/groups/{group.code}/"
    told = group.member.get(f"{url}statistics/?from=2026-02-02&to=2026-02-01")
    assert (told.status_code, told.json()["errors"][0]["parameter"]) == (400, "to")
    told = group.member.get(f"{url}rulings/?clause=XX-99")
    assert (told.status_code, told.json()["code"]) == (400, "no-such-clause")


def test_a_situation_that_is_none_is_refused_with_those_there_are(group):
    url = f"/api/v1/groups/{group.code}/rulings/"
    told = group.member.get(f"{url}?situation=nope")
    assert (told.status_code, told.json()["code"]) == (400, "unknown-situation")
    assert told.json()["errors"][0]["parameter"] == "situation"
    for known in ("revoke", "joint-revoke", "king-elsewhere", "card", "words"):
        assert known in told.json()["detail"]
        assert group.member.get(f"{url}?situation={known}").status_code == 200


CHOICES = {
    "tables/": ("state", "game", "person", "cursor", "from", "to"),
    "evenings/": ("cursor", "from", "to"),
    "season/": ("game", "from", "to"),
    "what-if/": ("game", "from", "to", "cursor"),
    "statistics/": ("game", "person", "from", "to"),
    "statistics/ratings/": ("game", "person", "points", "from", "to"),
    "statistics/hands/": ("game", "person", "from", "to"),
    "rulings/": ("game", "clause", "situation", "cursor"),
    "files/history/": ("game", "from", "to"),
}


@pytest.mark.parametrize(("path", "name"), [(path, name) for path, names in CHOICES.items() for name in names])
def test_every_filter_refuses_what_it_does_not_know(group, path, name):
    told = group.member.get(f"/api/v1/groups/{group.code}/{path}?{name}=nope")
    assert told.status_code == 400
    assert told.json()["errors"][0]["parameter"] == name


# -- values ---------------------------------------------------------------------------------


def test_a_colour_is_taken_away_by_null_as_it_is_told(group):
    url = f"/api/v1/groups/{group.code}/people/"
    made = group.member.post(url, {"name": "Zoe", "colour": "red"}).json()
    assert made["colour"] == "red"
    assert group.member.patch(f"{url}{made['id']}/", {"name": "Zoë"}).json()["colour"] == "red"
    assert group.member.patch(f"{url}{made['id']}/", {"colour": None}).json()["colour"] is None
    assert group.member.post(url, {"name": "Yan", "colour": None}).json()["colour"] is None
    assert group.member.post(url, {"name": "Xia"}).json()["colour"] is None
    assert group.member.post(url, {"name": "Wim", "colour": ""}).status_code == 422


@pytest.mark.parametrize("changes", [{"name": None}, {"aliases": None}, {"colour": 7}])
def test_what_somebody_cannot_be_is_refused_and_not_overlooked(group, changes):
    path = f"/api/v1/groups/{group.code}/people/{group.people()['Ann']}/"
    assert group.member.patch(path, changes).status_code == 400
    path = f"/api/v1/groups/{group.code}/"
    for name in ("name", "counts_revokes", "shares_rulings"):
        assert group.member.patch(path, {name: None}).status_code == 400


@pytest.mark.parametrize(
    ("path", "body", "detail"),
    [
        ("disputes/", {"claim": ""}, "words"),
        ("events/", {}, "type"),
        ("events/", {"sealed": True}, "type"),
        ("events/", {"type": "note", "text": "x", "seat": 10**10}, "1,000,000,000"),
    ],
)
def test_a_problem_says_what_is_wrong(table, ann, path, body, detail):
    told = ann.post(f"{TABLES}{table.code}/{path}", body).json()
    assert detail in told["detail"], told["detail"]
    assert "name" not in told["detail"]
    assert told["code"] != "unknown-event"


def test_who_accepts_problems_alone_is_answered(table, stranger):
    for path in (f"{TABLES}{table.code}/", "/api/v1/games/", f"{TABLES}{table.code}/record/"):
        answer = stranger.get(path, headers={"Accept": "application/problem+json"})
        assert (answer.status_code, answer["Content-Type"]) == (200, "application/json")
    refused = stranger.get("/api/v1/games/nope/", headers={"Accept": "application/problem+json"})
    assert (refused.status_code, refused["Content-Type"]) == (404, "application/problem+json")
    assert stranger.get("/api/v1/games/", headers={"Accept": "image/png"}).status_code == 406


# -- retries --------------------------------------------------------------------------------


def test_a_table_is_opened_once_whatever_the_order_of_its_keys(stranger):
    same = key()
    first = stranger.post(TABLES, ACE_TRUMP, **same)
    again = stranger.post(TABLES, dict(reversed(ACE_TRUMP.items())), **same)
    assert (first.status_code, again.status_code) == (201, 201)
    assert again.json() == first.json()


def test_a_table_and_a_group_are_deleted_once_and_told_twice(group, table, ann):
    for client, path in ((ann, f"{TABLES}{table.code}/"), (group.member, f"/api/v1/groups/{group.code}/")):
        same = key()
        assert client.delete(path, **same).status_code == 204
        again = client.delete(path, **same)
        assert (again.status_code, again["Idempotent-Replayed"], again.content) == (204, "true", b"")
        assert client.delete(path).status_code == 404
        assert client.delete(path, **key()).status_code == 404
        assert holder("x" * 32).delete(path, **same).status_code == 404
        assert client.get(path).status_code == 404
    assert not Table.objects.exists()
    assert not Group.objects.exists()


def test_whoever_revokes_the_own_link_is_told_twice(group, table, ann):
    other = group.link("member")
    for client, path, own in (
        (ann, f"{TABLES}{table.code}/links/", table.link("scorekeeper")),
        (group.member, f"/api/v1/groups/{group.code}/links/", other),
    ):
        same, leaving = key(), holder(own)
        number = next(each["id"] for each in leaving.get(path).json()["links"] if each["own"])
        assert leaving.delete(f"{path}{number}/", **same).status_code == 204
        assert leaving.delete(f"{path}{number}/", **same).status_code == 204
        assert leaving.delete(f"{path}{number}/", **key()).status_code in (401, 404)
        assert client.get(path).status_code == 200


def test_a_group_that_has_changed_says_so_of_itself(group):
    refused = group.member.patch(f"/api/v1/groups/{group.code}/", {"name": "Us"}, headers={"If-Match": '"7"'})
    told = refused.json()
    assert (refused.status_code, refused["ETag"]) == (412, '"0"')
    assert "table" not in told["title"]
