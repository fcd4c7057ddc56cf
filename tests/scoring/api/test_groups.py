"""groups/, and what members and viewers of one may do."""

from uuid import uuid4

import pytest
from rest_framework.test import APIClient

from scoring.models import Group, GroupLink, Table
from scoring.queries.access import token_hash
from scoring.services.operating import close
from tests.scoring.api.test_readings import opens
from tests.scoring.conftest import ACE_TRUMP, AS_ONE, holder, open_table, play
from tests.scoring.groups import make_group

pytestmark = pytest.mark.django_db


@pytest.fixture
def group():
    return make_group()


def test_it_works():
    answer = APIClient().post("/api/v1/groups/", {"name": "Thursday", "people": ["Ann", "Bob"]})
    assert answer.status_code == 201
    made = answer.json()
    assert (made["name"], made["role"], made["version"]) == ("Thursday", "member", 0)
    assert [person["name"] for person in made["people"]] == ["Ann", "Bob"]
    read = holder(made["token"]).get(made["links"]["self"])
    assert read.json() == {key: value for key, value in made.items() if key != "token"}
    assert GroupLink.objects.get().token_hash == token_hash(made["token"])


@pytest.mark.parametrize(
    ("body", "status", "pointer"),
    [
        ({}, 400, "/name"),
        ({"name": "  "}, 422, "/name"),
        ({"name": 3}, 400, "/name"),
        ({"name": "T", "people": "Ann"}, 400, "/people"),
        ({"name": "T", "people": ["Ann", "ann "]}, 422, "/people/1"),
        ({"name": "T", "people": [""]}, 422, "/people/0"),
        ({"name": "T", "colour": "red"}, 400, "/colour"),
    ],
)
def test_what_cannot_be_a_group_is_refused_with_its_place(body, status, pointer):
    answer = APIClient().post("/api/v1/groups/", body)
    assert answer.status_code == status
    assert [problem["pointer"] for problem in answer.json()["errors"]] == [pointer]
    assert not Group.objects.exists()


def test_a_request_sent_twice_makes_one_group():
    stranger = APIClient()
    stranger.credentials(HTTP_IDEMPOTENCY_KEY=str(uuid4()))
    first = stranger.post("/api/v1/groups/", {"name": "Thursday"}).json()
    assert stranger.post("/api/v1/groups/", {"name": "Thursday"}).json() == first
    assert stranger.post("/api/v1/groups/", {"name": "Friday"}).json()["code"] == "key-reused"
    assert Group.objects.count() == 1


def test_the_code_alone_opens_nothing_and_tells_nothing(group):
    assert APIClient().get(group.url).status_code == 401
    wrong, nobody = (holder("x").get(url, headers=AS_ONE) for url in (group.url, "/api/v1/groups/ABCDEFGH/"))
    assert (wrong.status_code, nobody.status_code) == (404, 404)
    assert wrong.json() == nobody.json()


def test_a_viewer_reads_and_changes_nothing(group):
    viewer = holder(group.link("viewer"))
    assert viewer.get(group.url).json()["role"] == "viewer"
    assert len(viewer.get(f"{group.url}links/").json()["links"]) == 1
    person = group.people()["Ann"]
    for method, path, body in [
        ("patch", "", {"name": "Friday"}),
        ("delete", "", None),
        ("post", "links/", {"role": "member"}),
        ("post", "people/", {"name": "Dee"}),
        ("patch", f"people/{person}/", {"name": "Anna"}),
        ("post", f"people/{person}/merge/", {"into": None}),
    ]:
        answer = getattr(viewer, method)(group.url + path, body)
        assert (answer.status_code, answer.json()["code"]) == (403, "not-allowed"), path
    assert viewer.post("/api/v1/tables/", ACE_TRUMP).status_code == 403


def test_a_link_has_a_name_and_is_cancelled_by_itself(group):
    made = group.member.post(f"{group.url}links/", {"role": "member", "name": "Bob’s phone"}).json()
    assert made["url"] == f"http://testserver/g/{group.code}/#{made['token']}"
    bob = holder(made["token"])
    assert bob.get(group.url).status_code == 200
    assert group.member.patch(f"{group.url}links/{made['id']}/", {"name": "Bob"}).json()["name"] == "Bob"
    assert group.member.delete(f"{group.url}links/{made['id']}/").status_code == 204
    assert bob.get(group.url).status_code == 404
    own = group.member.get(f"{group.url}links/").json()["links"][0]
    assert group.member.delete(f"{group.url}links/{own['id']}/").json()["code"] == "last-member"


def test_a_link_asked_for_twice_is_one_link(group):
    member, headers = group.member, {"Idempotency-Key": str(uuid4())}
    first = member.post(f"{group.url}links/", {"role": "viewer"}, headers=headers).json()
    assert member.post(f"{group.url}links/", {"role": "viewer"}, headers=headers).json() == first


def test_who_has_not_seen_the_last_change_changes_nothing(group):
    seen = {"If-Match": '"0"'}
    assert group.member.patch(group.url, {"name": "Friday"}, headers=seen).status_code == 200
    late = group.member.patch(group.url, {"name": "Monday"}, headers=seen)
    assert (late.status_code, group.row.name) == (412, "Friday")


def test_a_table_of_the_group_knows_who_sits_where(group):
    people = group.people()
    table = group.open_table(people=[people["Cy"], None, people["Ann"]])
    told = group.member.get(f"/api/v1/tables/{table.code}/").json()
    assert (told["group"], told["people"]) == (group.code, [people["Cy"], None, people["Ann"]])
    by_name = group.open_table(seats=["bob", "Zoe", "Ann"])
    assert group.member.get(f"/api/v1/tables/{by_name.code}/").json()["people"] == [people["Bob"], None, people["Ann"]]


@pytest.mark.parametrize(
    ("changes", "pointer"),
    [
        ({"people": [1]}, "/people"),
        ({"people": [0, None, None]}, "/people/0"),
        ({"group": "ABCDEFGH"}, "/group"),
    ],
)
def test_a_table_with_people_that_the_group_has_not_is_refused(group, changes, pointer):
    answer = group.member.post("/api/v1/tables/", ACE_TRUMP | changes)
    assert answer.status_code == 422
    assert answer.json()["errors"][0]["pointer"] == pointer
    assert not Table.objects.exists()


def test_nobody_sits_on_two_seats(group):
    ann = group.people()["Ann"]
    answer = group.member.post("/api/v1/tables/", ACE_TRUMP | {"people": [ann, ann, None]})
    assert answer.json()["errors"][0]["pointer"] == "/people"


def test_people_need_a_group():
    assert APIClient().post("/api/v1/tables/", ACE_TRUMP | {"people": [1, 2, 3]}).status_code == 422


def test_a_lost_phone_loses_nothing(group):
    table = group.open_table(private=True)
    bob = holder(group.link("member", "Bob’s phone"))
    assert bob.get(f"/api/v1/tables/{table.code}/").status_code == 200
    assert bob.post(f"/api/v1/tables/{table.code}/events/", play(0, "AM")).status_code == 403
    made = bob.post(f"{group.url}tables/{table.code}/links/").json()
    recorded = holder(made["token"]).post(f"/api/v1/tables/{table.code}/events/", play(0, "AM"))
    assert recorded.status_code == 201
    other = make_group(name="Others")
    assert other.member.get(f"/api/v1/tables/{table.code}/").status_code == 404
    assert other.member.post(f"{other.url}tables/{table.code}/links/").status_code == 404


def test_a_viewer_looks_on_at_private_tables_of_the_group_until_the_link_is_cancelled(group):
    table, token = group.open_table(private=True), group.link("viewer")
    viewer = holder(token)
    assert viewer.get(f"/api/v1/tables/{table.code}/").status_code == 200
    number = group.member.get(f"{group.url}links/").json()["links"][1]["id"]
    group.member.delete(f"{group.url}links/{number}/")
    assert viewer.get(f"/api/v1/tables/{table.code}/").status_code == 404


def rights_of(group, phone):
    """Let a phone of the group have every right at tables that a member's link brings; return tokens and tables."""
    taken, opened, adopted = group.open_table(), phone.post("/api/v1/tables/", ACE_TRUMP).json(), open_table()
    keeper = holder(opened["token"])
    going_on = {"seats": ["Bob", "Ann", "Cy"]}
    later = keeper.post(f"/api/v1/tables/{opened['code']}/continue/", going_on).json()
    given = {"token": adopted.token, "people": None}
    assert phone.post(f"{group.url}tables/{adopted.code}/adopt/", given).status_code == 200
    made = phone.post(f"{group.url}tables/{taken.code}/links/").json()
    return [
        (taken.code, made["token"]),
        (opened["code"], opened["token"]),
        (later["code"], later["token"]),
        (adopted.code, adopted.token),
    ]


def note_at(code, token):
    return holder(token).post(f"/api/v1/tables/{code}/events/", {"type": "note", "text": "Still here."}).status_code


def call_at(code, token):
    return holder(token).post(f"/api/v1/tables/{code}/disputes/", {"claim": "Ann looked!"}).status_code


@pytest.mark.parametrize("way", ["cancel", "recover", "close"])
def test_cancelling_a_phone_ends_what_it_may_at_the_tables_of_the_group(group, way):
    token = group.link("member", "Bob’s phone")
    rights = rights_of(group, holder(token))
    own, elsewhere = group.open_table(), open_table()
    players, readers = [], []
    for code, lost in list(rights):
        table = f"/api/v1/tables/{code}/"
        keeper = holder(lost).post(f"{table}links/", {"role": "scorekeeper"}).json()["token"]
        rights.append((code, keeper))
        for maker in (lost, keeper):
            body = {"role": "player", "seat": 1}
            players.append((code, holder(maker).post(f"{table}links/", body).json()["token"]))
            readers.append(holder(maker).post(f"{table}readings/", {}).json())
    assert [note_at(*right) for right in rights] == [201] * len(rights)
    assert [call_at(*right) for right in players] == [201] * len(players)
    assert all(map(opens, readers))
    if way == "cancel":
        number = group.member.get(f"{group.url}links/").json()["links"][1]["id"]
        assert group.member.delete(f"{group.url}links/{number}/").status_code == 204
        assert note_at(own.code, own.token) == 201, "Another phone's rights stand."
    elif way == "recover":
        written = group.member.post(f"{group.url}recovery/").json()["recovery_code"]
        body = {"recovery_code": written, "cancel_older": True}
        assert APIClient().post("/api/v1/groups/recover/", body, format="json").status_code == 201
        assert note_at(own.code, own.token) == 401
    else:
        close(group.row)
        assert note_at(own.code, own.token) == 401
    assert [note_at(*right) for right in rights] == [401] * len(rights)
    for code, lost in rights:
        assert holder(lost).post(f"/api/v1/tables/{code}/undo/").status_code == 401
    assert note_at(elsewhere.code, elsewhere.token) == 201
    assert [call_at(*right) for right in players] == [401] * len(players)
    assert not any(map(opens, readers))


def test_who_was_cancelled_can_be_followed_by_another_phone(group):
    table = group.open_table()
    bob = holder(group.link("member"))
    number = group.member.get(f"{group.url}links/").json()["links"][0]["id"]
    assert bob.delete(f"{group.url}links/{number}/").status_code == 204
    assert note_at(table.code, table.token) == 401, "Nobody keeps this score now."
    made = bob.post(f"{group.url}tables/{table.code}/links/").json()
    assert note_at(table.code, made["token"]) == 201


def test_a_table_that_goes_on_stays_in_the_group_with_its_people(group):
    people, table = group.people(), group.open_table()
    keeper = holder(table.token)
    following = keeper.post(f"/api/v1/tables/{table.code}/continue/", {"seats": ["Bob", "Ann", "Dee"]}).json()
    assert (following["group"], following["people"]) == (group.code, [people["Bob"], people["Ann"], None])


def test_a_deleted_group_takes_its_tables_with_it(group):
    table = group.open_table()
    assert group.member.delete(group.url).status_code == 204
    assert group.member.get(group.url).status_code == 404
    assert holder(table.token).get(f"/api/v1/tables/{table.code}/").status_code == 404
    assert not Group.objects.exists()
    assert not Table.objects.exists()
