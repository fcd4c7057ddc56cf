"""Programs and phones as members: the rights of their tokens, and requests for a seat."""

from datetime import timedelta
from uuid import uuid4

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from rest_framework.test import APIClient

from scoring.models import Link, Role, SeatRequest, ShortLived
from tests.scoring.conftest import ACE_TRUMP, holder, open_table, play
from tests.scoring.groups import make_group, round_trip

pytestmark = pytest.mark.django_db
ME, TABLES = "/api/v1/me/", "/api/v1/tables/"
NOTE = {"type": "note", "text": "Hm."}


def bot(group, scope, name="Scoreboard"):
    return holder(group.link("bot", name, scope))


def listed(group):
    return group.read("links/")["rights"]


# --- me/


@pytest.mark.parametrize(
    ("role", "scope", "may"),
    [
        ("member", None, ["read", "record", "amend", "open", "manage", "share"]),
        ("viewer", None, ["read"]),
        ("bot", "read", ["read"]),
        ("bot", "record", ["read", "record", "amend", "open"]),
        ("bot", "manage", ["read", "record", "amend", "open", "manage"]),
    ],
)
def test_me_lists_the_rights_of_a_group_token(group, role, scope, may):
    me = holder(group.link(role, "Ours", scope)).get(ME).json()
    assert (me["kind"], me["role"], me["scope"], me["name"], me["may"]) == ("group", role, scope, "Ours", may)
    assert me["opens"] == {"code": group.code, "name": "Thursday", "game": None}
    assert me["links"]["tables"] == f"{group.url}tables/"


@pytest.mark.parametrize(
    ("role", "seat", "may"),
    [
        ("scorekeeper", None, ["read", "record", "amend", "manage"]),
        ("player", 1, ["read", "play"]),
        ("spectator", None, ["read"]),
    ],
)
def test_me_lists_the_rights_of_a_table_token(table, role, seat, may):
    me = holder(table.link(role, seat)).get(ME).json()
    assert (me["kind"], me["role"], me["seat"], me["may"]) == ("table", role, seat, may)
    assert (me["opens"]["code"], me["links"]["self"]) == (table.code, table.url)


def test_a_revoked_token_learns_nothing(group):
    token = group.link("bot", "Scoreboard", "read")
    group.turn_off("Scoreboard")
    for client in (APIClient(), holder("x" * 32), holder(token)):
        refused = client.get(ME)
        assert (refused.status_code, refused["WWW-Authenticate"]) == (401, "Bearer")


# --- Keys of bots


def test_a_key_is_listed_with_scope_and_creator_but_without_a_url(group):
    made = group.member.post(f"{group.url}links/", {"role": "bot", "scope": "record", "name": "Scoreboard"}).json()
    assert made["token"]
    assert made["url"] is None
    ann, key = listed(group)
    assert (key["role"], key["scope"], key["name"], key["made_by"]) == ("bot", "record", "Scoreboard", ann["id"])
    assert "token" not in key
    assert ann["scope"] is ann["made_by"] is None
    renamed = group.member.patch(f"{group.url}links/{key['id']}/", {"name": "Screen"})
    assert renamed.json()["name"] == "Screen"


@pytest.mark.parametrize(
    ("body", "status", "pointer"),
    [
        ({"role": "bot", "name": "X"}, 422, "/scope"),
        ({"role": "bot", "scope": "read"}, 422, "/name"),
        ({"role": "bot", "scope": "all", "name": "X"}, 422, "/scope"),
        ({"role": "member", "scope": "read"}, 422, "/scope"),
        ({"role": "bot", "scope": 1, "name": "X"}, 400, "/scope"),
    ],
)
def test_only_api_keys_have_a_name_and_a_scope(group, body, status, pointer):
    refused = group.member.post(f"{group.url}links/", body)
    assert (refused.status_code, refused.json()["errors"][0]["pointer"]) == (status, pointer)


@pytest.mark.parametrize(("role", "scope"), [("viewer", None), ("bot", "manage")])
def test_viewers_and_bots_see_only_their_own_link(group, role, scope):
    links = holder(group.link(role, "Ours", scope)).get(f"{group.url}links/").json()["rights"]
    assert [link["own"] for link in links] == [True]


def test_the_last_member_cannot_leave_even_if_keys_remain(group):
    bot(group, "manage")
    refused = group.member.delete(f"{group.url}links/{listed(group)[0]['id']}/")
    assert refused.json()["code"] == "last-member"


# --- Bots at the group's tables


def test_a_recording_key_plays_a_whole_table(group):
    recording = bot(group, "record")
    opened = recording.post(TABLES, ACE_TRUMP | {"group": group.code, "private": True})
    assert opened.status_code == 201
    url = f"{TABLES}{opened.json()['code']}/"
    assert recording.get(f"{url}asks/").json()["asks"][0]["yours"]
    assert recording.post(f"{url}events/", play(0, "8MS")).status_code == 201
    assert recording.post(f"{url}undo/").status_code == 201
    assert recording.post(f"{url}events/", play(0, "9MS")).status_code == 201
    amended = {"seq": 3, "event": play(0, "8MS"), "reason": "mistapped"}
    assert recording.post(f"{url}amendments/", amended).status_code == 201
    assert {row["who"]["name"] for row in recording.get(f"{url}events/").json()["events"]} == {"Scoreboard"}
    (own,) = [each for each in Link.objects.filter(table__code=opened.json()["code"]) if each.scope]
    assert (own.role, own.scope) == ("scorekeeper", "record")


@pytest.mark.parametrize(
    ("scope", "path", "body", "advice"),
    [
        ("manage", "links/", {"role": "member"}, "Ask a member"),
        ("record", "people/", {"name": "Dee"}, "one with the scope “manage”"),
    ],
)
def test_a_refused_bot_is_told_who_may(group, scope, path, body, advice):
    refused = bot(group, scope).post(f"{group.url}{path}", body)
    assert (refused.status_code, refused.json()["code"]) == (403, "not-allowed")
    assert advice in refused.json()["detail"]


def test_reading_with_a_recording_token_writes_nothing(group):
    table = group.open_table()
    recording = bot(group, "record")
    with CaptureQueriesContext(connection) as asked:
        for path in ("", "asks/", "events/", "record/"):
            assert recording.get(f"{table.url}{path}").status_code == 200
    assert not [each for each in asked if each["sql"].startswith(("INSERT", "UPDATE"))]


def test_turning_off_a_key_ends_its_rights_and_its_links_at_once(group):
    butler, table = bot(group, "manage", "Butler"), group.open_table()
    url = table.url
    player = holder(butler.post(f"{url}links/", {"role": "player", "seat": 0}).json()["token"])
    assert player.post(f"{url}events/", play(0, "8MS")).status_code == 201
    group.turn_off("Butler")
    assert butler.post(f"{url}events/", NOTE).status_code == 401
    assert butler.get(url).status_code == 401
    assert butler.get(group.url).status_code == 404
    assert butler.post(TABLES, ACE_TRUMP).status_code == 401
    assert player.post(f"{url}undo/").status_code == 401
    assert group.member.post(f"{url}events/", NOTE).status_code == 201


def test_a_tables_scorekeeper_can_turn_off_a_key_there(group):
    table, recording = group.open_table(), bot(group, "record")
    keeper, url = table.keeper, table.url
    assert recording.post(f"{url}events/", NOTE).status_code == 201
    (own,) = [each["id"] for each in keeper.get(f"{url}links/").json()["rights"] if each["name"] == "Scoreboard"]
    assert keeper.delete(f"{url}links/{own}/").status_code == 204
    for _ in range(2):
        assert recording.post(f"{url}events/", NOTE).status_code == 401
    assert recording.get(f"{url}asks/").json()["asks"][0]["yours"] is False
    assert recording.post(f"{group.open_table().url}events/", NOTE).status_code == 201


def test_a_renamed_key_appears_under_its_new_name_in_the_log(group):
    table, recording = group.open_table(), bot(group, "record")
    url = f"{table.url}events/"
    assert [recording.post(url, NOTE).status_code for _ in range(2)] == [201, 201]
    group.member.patch(f"{group.url}links/{listed(group)[1]['id']}/", {"name": "Screen"})
    assert recording.post(url, NOTE).status_code == 201
    names = [row["who"]["name"] for row in recording.get(url).json()["events"]]
    assert names == ["Scoreboard", "Scoreboard", "Screen"]


def test_a_renamed_scorekeeper_link_appears_under_its_new_name(table, ann):
    url = table.url
    assert ann.post(f"{url}events/", NOTE).status_code == 201
    ann.patch(f"{url}links/{ann.get(f'{url}links/').json()['rights'][0]['id']}/", {"name": "Ann’s phone"})
    assert ann.post(f"{url}events/", NOTE).json()["version"] == 2
    assert [row["who"]["name"] for row in ann.get(f"{url}events/").json()["events"]] == ["", "Ann’s phone"]


def test_a_group_token_cannot_choose_for_players_with_phones(group):
    table, recording = group.open_table(game="ransom-trump"), bot(group, "record")
    table.link("player", 1)
    ransom = {"type": "ransom", "cards": ["8MS"], "sealed": True}
    url = f"{table.url}events/"
    assert recording.post(url, ransom | {"seat": 1}).status_code in (403, 422)
    assert recording.post(url, ransom | {"seat": 0}).status_code == 201
    assert "8MS" not in recording.get(url).content.decode()


def test_a_key_of_another_group_reads_nothing(group):
    stranger = bot(make_group(name="Others"), "manage")
    table, private = group.open_table(), group.open_table(private=True)
    assert stranger.post(f"{table.url}events/", NOTE).status_code == 401
    assert stranger.post(f"{private.url}events/", NOTE).status_code == 404
    assert stranger.post(f"{open_table().url}events/", NOTE).status_code == 401
    assert not Link.objects.exclude(scope="").exists()


def test_an_archive_contains_no_keys(group):
    bot(group, "manage", "Backup")
    assert "Backup" not in group.archive()
    assert len(listed(round_trip(group))) == 1


# --- Links that are a person's phone, and requests for a seat, as seen by programs

KEY = "5a9a1bd2-5d77-4ad4-9e7a-4f6d1b3f6b11"


def put_person(group, person, client=None, **more):
    """Say whose phone a client is: the first member's, or another's."""
    return (client or group.member).put(f"{group.url}me/", {"person": person, **more})


def test_a_phone_is_assigned_to_a_person(group):
    bob = group.people()["Bob"]
    answer = put_person(group, bob)
    assert (answer.status_code, answer.json()["person"], answer.json()["name"]) == (200, bob, "Bob")
    assert group.read("me/")["answered"]
    assert [link["person"] for link in listed(group)] == [bob]


def test_the_log_shows_the_phones_person_at_every_table(group):
    put_person(group, group.people()["Ann"])
    table = group.open_table()
    group.member.post(f"{table.url}events/", play(0, "8MS"))
    (row,) = group.member.get(f"{table.url}events/").json()["events"]
    assert (row["who"]["role"], row["who"]["seat"]) == ("scorekeeper", 0)


def test_a_null_person_only_watches_and_delete_asks_again(group):
    told = put_person(group, None).json()
    assert (told["person"], bool(told["answered"])) == (None, True)
    assert group.member.delete(f"{group.url}me/").status_code == 204
    assert group.read("me/")["answered"] is None


def test_claiming_a_person_who_has_a_phone_asks_first(group):
    bob, other = group.people()["Bob"], holder(group.link("member", "new"))
    put_person(group, bob)
    refused = put_person(group, bob, other)
    assert (refused.status_code, refused.json()["code"]) == (409, "has-phone")
    assert put_person(group, bob, other, takes_over=True).json()["person"] == bob
    assert group.read("me/")["person"] is None


def test_people_in_another_group_are_unknown(group):
    others = make_group("Zoe", name="Others")
    assert put_person(group, others.people()["Zoe"]).json()["code"] == "no-such-person"


def test_a_merged_person_counts_as_the_survivor(group):
    people = group.people()
    group.merge("Cy", "Bob")
    assert put_person(group, people["Cy"]).json()["person"] == people["Bob"]


# --- With a table's code alone


def ask(table, seat=1, **more):
    return APIClient().post(f"{table.url}requests/", {"seat": seat}, **more)


def test_a_request_token_opens_its_seat_once_accepted(table, ann):
    asked = ask(table)
    assert asked.status_code == 201
    address = table.url
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
    address = f"{table.url}requests/{asked['id']}/"
    assert ann.delete(address).status_code == 204
    assert ann.post(address).json()["code"] == "no-such-request"
    assert holder(asked["token"]).get(table.url).status_code == 401


def test_accepting_a_new_phone_revokes_older_phones_of_the_seat(table, ann, bob):
    asked = ask(table).json()
    assert [each["id"] for each in bob.get(f"{table.url}requests/").json()["requests"]] == [asked["id"]]
    ann.post(f"{table.url}requests/{asked['id']}/")
    assert Link.objects.filter(role=Role.PLAYER, revoked=None).count() == 1
    assert bob.get(table.url).status_code == 401


def test_a_retried_request_asks_once(table, ann):
    first, again = (ask(table, headers={"Idempotency-Key": KEY}) for _ in range(2))
    assert first.json() == again.json()
    assert again["Idempotent-Replayed"] == "true"
    address = f"{table.url}requests/{first.json()['id']}/"
    one, two = (ann.post(address, headers={"Idempotency-Key": KEY}) for _ in range(2))
    assert one.json()["id"] == two.json()["id"]


@pytest.mark.parametrize("answered", ["let in", "refused"])
def test_a_retry_after_the_answer_makes_no_second_request(table, ann, answered):
    first = ask(table, headers={"Idempotency-Key": KEY})
    address = f"{table.url}requests/"
    own = f"{address}{first.json()['id']}/"
    assert (ann.post(own) if answered == "let in" else ann.delete(own)).status_code in (201, 204)
    again = ask(table, headers={"Idempotency-Key": KEY})
    assert (again.status_code, again.json(), again["Idempotent-Replayed"]) == (201, first.json(), "true")
    assert ann.get(address).json()["requests"] == []
    assert SeatRequest.objects.filter(refused=None).count() == 0
    ShortLived.objects.update(since=timezone.now() - timedelta(minutes=11))
    late = ask(table, headers={"Idempotency-Key": KEY})
    assert (late.status_code, late.json()) == (201, first.json() | {"token": None}), "a retry does not repeat the token"
    assert ann.get(address).json()["requests"] == []
    assert ask(table, headers={"Idempotency-Key": str(uuid4())}).json()["id"] != first.json()["id"]


def test_the_code_allows_twenty_requests_an_hour_per_address(table, ann):
    address = f"{table.url}requests/"
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


def test_a_missing_seat_is_refused(table):
    assert ask(table, seat=7).status_code == 403
