"""Programs as members: the rights of their tokens, and what bots of each scope do at a group's tables."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from rest_framework.test import APIClient

from scoring.models import Link, Table
from tests.scoring.conftest import ACE_TRUMP, holder, open_table, play
from tests.scoring.groups import make_group

pytestmark = pytest.mark.django_db
ME, TABLES = "/api/v1/me/", "/api/v1/tables/"
NOTE = {"type": "note", "text": "Hm."}


@pytest.fixture
def group():
    return make_group()


def bot(group, scope, name="Scoreboard"):
    return holder(group.link("bot", name, scope))


def listed(group):
    return group.member.get(f"{group.url}links/").json()["rights"]


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
    table = group.open_table()
    tables = holder(group.token).get(me["links"]["tables"]).json()["tables"]
    assert [each["code"] for each in tables] == [table.code]


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
    assert (me["opens"]["code"], me["links"]["self"]) == (table.code, f"{TABLES}{table.code}/")


def test_a_revoked_token_learns_nothing(group):
    token = group.link("bot", "Scoreboard", "read")
    group.member.delete(f"{group.url}links/{listed(group)[1]['id']}/")
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


def test_a_bot_cannot_create_keys_or_delete_the_group(group):
    managing = bot(group, "manage")
    for refused in (
        managing.post(f"{group.url}links/", {"role": "member"}),
        managing.patch(f"{group.url}links/{listed(group)[0]['id']}/", {"name": "Mine"}),
        managing.delete(group.url),
    ):
        assert (refused.status_code, refused.json()["code"]) == (403, "not-allowed")
        assert "Ask a member" in refused.json()["detail"]
    assert [link["own"] for link in managing.get(f"{group.url}links/").json()["rights"]] == [True]


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


def test_only_a_managing_key_changes_settings(group):
    table, ann = group.open_table(), group.people()["Ann"]
    recording, managing = bot(group, "record"), bot(group, "manage", "Butler")
    asked = [
        ("patch", f"{TABLES}{table.code}/", {"private": True}),
        ("post", f"{TABLES}{table.code}/links/", {"role": "spectator"}),
        ("patch", group.url, {"name": "Friday"}),
        ("post", f"{group.url}people/", {"name": "Dee"}),
        ("patch", f"{group.url}people/{ann}/", {"colour": "red"}),
        ("post", f"{group.url}precedents/", {"question": "Who deals?", "decision": "Ann."}),
    ]
    for method, path, body in asked:
        refused = getattr(recording, method)(path, body)
        assert (refused.status_code, refused.json()["code"]) == (403, "not-allowed")
        assert "one with the scope “manage”" in refused.json()["detail"]
        assert getattr(managing, method)(path, body).status_code in (200, 201)
    assert managing.get(f"{group.url}archive/").status_code == 200


def test_reading_with_a_recording_token_writes_nothing(group):
    table = group.open_table()
    recording = bot(group, "record")
    with CaptureQueriesContext(
        connection,
    ) as asked:
        for path in ("", "asks/", "events/", "record/"):
            assert recording.get(f"{TABLES}{table.code}/{path}").status_code == 200
    assert not [each for each in asked if each["sql"].startswith(("INSERT", "UPDATE"))]


def test_turning_off_a_key_ends_its_rights_and_its_links_at_once(group):
    token = group.link("bot", "Butler", "manage")
    butler, table = holder(token), group.open_table()
    url = f"{TABLES}{table.code}/"
    player = holder(butler.post(f"{url}links/", {"role": "player", "seat": 0}).json()["token"])
    assert player.post(f"{url}events/", play(0, "8MS")).status_code == 201
    key = listed(group)[1]["id"]
    assert group.member.delete(f"{group.url}links/{key}/").status_code == 204
    assert butler.post(f"{url}events/", NOTE).status_code == 401
    assert butler.get(url).status_code == 401
    assert butler.get(group.url).status_code == 404
    assert butler.post(TABLES, ACE_TRUMP).status_code == 401
    assert player.post(f"{url}undo/").status_code == 401
    assert group.member.post(f"{url}events/", NOTE).status_code == 201


def test_a_tables_scorekeeper_can_turn_off_a_key_there(group):
    table, recording = group.open_table(), bot(group, "record")
    keeper, url = holder(table.token), f"{TABLES}{table.code}/"
    assert recording.post(f"{url}events/", NOTE).status_code == 201
    (own,) = [each["id"] for each in keeper.get(f"{url}links/").json()["rights"] if each["name"] == "Scoreboard"]
    assert keeper.delete(f"{url}links/{own}/").status_code == 204
    for _ in range(2):
        assert recording.post(f"{url}events/", NOTE).status_code == 401
    assert recording.get(f"{url}asks/").json()["asks"][0]["yours"] is False
    assert recording.post(f"{TABLES}{group.open_table().code}/events/", NOTE).status_code == 201


def test_a_renamed_key_appears_under_its_new_name_in_the_log(group):
    table, recording = group.open_table(), bot(group, "record")
    url = f"{TABLES}{table.code}/events/"
    assert [recording.post(url, NOTE).status_code for _ in range(2)] == [201, 201]
    group.member.patch(f"{group.url}links/{listed(group)[1]['id']}/", {"name": "Screen"})
    assert recording.post(url, NOTE).status_code == 201
    names = [row["who"]["name"] for row in recording.get(url).json()["events"]]
    assert names == ["Scoreboard", "Scoreboard", "Screen"]


def test_a_renamed_scorekeeper_link_appears_under_its_new_name(table, ann):
    url = f"{TABLES}{table.code}/"
    assert ann.post(f"{url}events/", NOTE).status_code == 201
    ann.patch(f"{url}links/{ann.get(f'{url}links/').json()['rights'][0]['id']}/", {"name": "Ann’s phone"})
    assert ann.post(f"{url}events/", NOTE).json()["version"] == 2
    assert [row["who"]["name"] for row in ann.get(f"{url}events/").json()["events"]] == ["", "Ann’s phone"]


def test_a_group_token_cannot_choose_for_players_with_phones(group):
    table, recording = group.open_table(game="ransom-trump"), bot(group, "record")
    table.link("player", 1)
    ransom = {"type": "ransom", "cards": ["8MS"], "sealed": True}
    url = f"{TABLES}{table.code}/events/"
    assert recording.post(url, ransom | {"seat": 1}).status_code in (403, 422)
    assert recording.post(url, ransom | {"seat": 0}).status_code == 201
    assert "8MS" not in recording.get(url).content.decode()


def test_a_key_of_another_group_reads_nothing(group):
    stranger = bot(make_group(name="Others"), "manage")
    table, private = group.open_table(), group.open_table(private=True)
    assert stranger.post(f"{TABLES}{table.code}/events/", NOTE).status_code == 401
    assert stranger.post(f"{TABLES}{private.code}/events/", NOTE).status_code == 404
    assert stranger.post(f"{TABLES}{open_table().code}/events/", NOTE).status_code == 401
    assert not Link.objects.exclude(scope="").exists()


def test_a_retry_by_a_group_token_records_once(group):
    table, recording = group.open_table(), bot(group, "record")
    key = {"HTTP_IDEMPOTENCY_KEY": "0b1e9f0a-2d7d-4b62-9c1e-5a3d1f6f0a11"}
    first, again = (recording.post(f"{TABLES}{table.code}/events/", NOTE, **key) for _ in range(2))
    assert (first.json(), again["Idempotent-Replayed"]) == (again.json(), "true")
    assert Table.objects.get(code=table.code).version == 1


def test_an_archive_contains_no_keys(group):
    backup = bot(group, "manage", "Backup")
    lines = b"".join(backup.get(f"{group.url}archive/").streaming_content).decode()
    assert "Backup" not in lines
    restored = APIClient().post("/api/v1/groups/import/", lines, content_type="text/plain").json()
    assert len(holder(restored["token"]).get(f"{restored['links']['self']}links/").json()["rights"]) == 1
