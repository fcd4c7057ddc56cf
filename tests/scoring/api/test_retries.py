"""Retried requests: idempotency keys, ETags, and unchanged answers."""

import gzip
import json
from datetime import timedelta
from uuid import uuid4

import pytest
from django.core.management import call_command
from django.http import QueryDict
from django.test import Client
from django.utils import timezone
from rest_framework.test import APIClient

from scoring.models import Table
from scoring.tables.acts.keys import KEYS_ARE_KEPT
from tests.scoring.api.conftest import kept
from tests.scoring.api.test_log import TEXT
from tests.scoring.conftest import ACE_TRUMP, holder, open_table, play
from tests.scoring.groups import make_group

# --- The Idempotency-Key: retries happen once and get the first answer

MARK = "Idempotent-Replayed"
pytestmark = pytest.mark.django_db
RECORD = ACE_TRUMP | {"format": "table-record/1", "hands": [{"events": [play(0, "8MS"), play(1, "XS")]}]}
NOTE = {"type": "note", "text": "Hm."}
SCORES = [{"name": "Ann", "points": 4}, {"name": "Bob", "points": 3}]
PAST = {"game": "ace-trump", "date": "2019-03-12", "players": SCORES}
DECIDED = {"question": "?", "decision": "A"}
RULED = {"situation": "exposed-card", "answers": {"who": 0}, "remedy": "note"}
RETRIED: dict[str, tuple[str, str, dict, dict | None]] = {
    "opening a table": ("", "/api/v1/tables/", ACE_TRUMP, ACE_TRUMP | {"first_dealer": 1}),
    "importing a record": ("", "/api/v1/tables/import/", RECORD, RECORD | {"first_dealer": 0}),
    "importing a text": ("", "/api/v1/tables/import/", {"text": TEXT}, {"text": TEXT.replace("Cy XM", "Cy 9MS")}),
    "creating a group": ("", "/api/v1/groups/", {"name": "Us"}, {"name": "Them"}),
    "recording": ("keeper", "{table}events/", play(1, "8MS"), play(1, "9MS")),
    "recording as a program": ("bot", "{table}events/", NOTE, NOTE | {"text": "Well."}),
    "undoing": ("keeper", "{table}undo/", {}, None),
    "amending": ("keeper", "{table}amendments/", {"seq": 1, "event": None}, {"seq": 2, "event": None}),
    "making a link": ("keeper", "{table}links/", {"role": "player", "seat": 1}, {"role": "spectator"}),
    "continuing": ("keeper", "{table}continue/", {"seats": ["Ann", "Cy", "Dee"]}, {"seats": ["Ann", "Cy"]}),
    "ruling": ("keeper", "{table}guide/", RULED, RULED | {"answers": {"who": 1}}),
    "agreeing with a result": ("player", "{table}hands/1/confirmation/", {}, None),
    "raising a dispute": ("player", "{table}disputes/", {"claim": "Yes."}, {"claim": "No."}),
    "setting a precedent": ("member", "{group}precedents/", DECIDED, DECIDED | {"decision": "B"}),
    "adding past games": ("member", "{group}imports/", {"games": [PAST]}, {"games": [PAST] * 2}),
}
"""For each act, who does it where, its body, and the body of another such act if there are others."""


@pytest.mark.parametrize("name", RETRIED)
def test_a_retry_happens_once_and_gets_the_first_answer(group, name):
    who, address, body, another = RETRIED[name]
    table = group.open_table()
    table.record({"type": "result", "tricks": [12, 0, 0]})
    tokens = {"keeper": table.token, "player": table.link("player", 1), "member": group.token}
    tokens["bot"] = group.link("bot", "Scoreboard", "record")
    client = holder(tokens[who]) if who else APIClient()
    url, key = address.format(table=table.url, group=group.url), {"Idempotency-Key": str(uuid4())}
    first = client.post(url, body, headers=key)
    assert (first.status_code, MARK in first) == (201, False), first.json()
    table.record(NOTE)
    if "token" in first.json() and name in ("opening a table", "continuing"):
        holder(first.json()["token"]).post(first.json()["links"]["events"], NOTE)
    before = kept()
    again = client.post(url, body, headers=key)
    assert (again.status_code, again[MARK], again.json()) == (201, "true", first.json())
    assert again.get("ETag") == first.get("ETag")
    if another is not None:
        reused = client.post(url, another, headers=key)
        assert (reused.status_code, reused.json()["code"]) == (422, "key-reused")
    assert kept() == before
    assert MARK not in client.post(url, body, headers={"Idempotency-Key": str(uuid4())})


def test_a_retry_imports_no_second_group(group):
    key = {"Idempotency-Key": str(uuid4())}
    first, again = (APIClient().post("/api/v1/groups/import/", {"text": group.archive()}, headers=key) for _ in "ab")
    assert (again.json()["code"], again.json()["token"]) == (first.json()["code"], first.json()["token"])


@pytest.fixture
def keyed():
    return {"HTTP_IDEMPOTENCY_KEY": str(uuid4())}


def test_an_idempotency_key_belongs_to_its_event(ann, url, keyed):
    assert ann.post(f"{url}events/", play(0, "8MS"), **keyed).status_code == 201
    answer = ann.post(f"{url}links/", {"role": "spectator"}, **keyed)
    assert (answer.status_code, answer.json()["code"]) == (422, "key-reused")


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("links/", {"role": "player", "seat": 1}),
        ("continue/", {"seats": ["Ann", "Bob", "Dee"]}),
        ("events/", {"type": "note", "text": "Hm."}),
    ],
)
def test_reusing_the_key_as_another_scorekeeper_returns_nothing(ann, table, url, keyed, path, body):
    assert ann.post(f"{url}{path}", body, **keyed).status_code == 201
    second = holder(table.link("scorekeeper")).post(f"{url}{path}", body, **keyed)
    assert (second.status_code, second.json()["code"]) == (422, "key-reused")
    assert "token" not in second.json()


def test_a_retried_revocation_happens_once(ann, url, keyed):
    number = ann.post(f"{url}links/", {"role": "spectator"}).json()["id"]
    assert ann.delete(f"{url}links/{number}/", **keyed).status_code == 204
    assert ann.delete(f"{url}links/{number}/", **keyed).status_code == 204
    assert ann.delete(f"{url}links/{number}/").status_code == 404


def test_a_retried_privacy_change_happens_once(ann, url, keyed):
    assert ann.patch(url, {"private": True}, **keyed).status_code == 200
    assert ann.patch(url, {"private": False}).status_code == 200
    ann.patch(url, {"private": True}, **keyed)
    assert not Table.objects.get().private
    answer = ann.patch(url, {"private": False}, **keyed)
    assert (answer.status_code, answer.json()["code"]) == (422, "key-reused")


# --- Retries: the first answer for seven days, and nothing twice

KEY = "5f0c7f5e-7a0b-4a55-9d59-3f0a3a5c1c14"
TABLES = "/api/v1/tables/"


def send(client, url, body, key=KEY):
    return client.post(url, body, HTTP_IDEMPOTENCY_KEY=key)


def days_pass():
    row = Table.objects.get()
    long_ago = timezone.now() - KEYS_ARE_KEPT - timedelta(minutes=1)
    row.log.update(at=long_ago)
    Table.objects.update(created=long_ago)


def test_after_seven_days_a_key_opens_another_table(stranger):
    first = send(stranger, TABLES, ACE_TRUMP).json()
    days_pass()
    assert send(stranger, TABLES, ACE_TRUMP).json()["code"] != first["code"]


def test_after_seven_days_a_key_may_be_used_for_another_event(scorekeeper, table):
    url = f"{table.url}events/"
    assert send(scorekeeper, url, play(0, "8MS")).status_code == 201
    days_pass()
    assert send(scorekeeper, url, play(1, "XS")).json()["version"] == 2
    assert send(scorekeeper, url, play(1, "XS")).json()["version"] == 2


def test_old_keys_can_be_cleared_away(scorekeeper, table, capsys):
    send(scorekeeper, f"{table.url}events/", play(0, "8MS"))
    days_pass()
    send(scorekeeper, f"{table.url}undo/", {}, "5f0c7f5e-7a0b-4a55-9d59-3f0a3a5c1c15")
    call_command("forget_keys")
    assert capsys.readouterr().out == "Keys deleted: 1, devices deleted: 0.\n"
    assert [entry.key is None for entry in table.row.log.order_by("seq")] == [True, False]


@pytest.mark.parametrize("path", ["", "{code}/events/", "{code}/undo/"])
def test_a_key_is_a_uuid_everywhere(scorekeeper, table, path):
    answer = send(scorekeeper, TABLES + path.format(code=table.code), ACE_TRUMP, "once more")
    assert answer.status_code == 400


@pytest.mark.parametrize("key", [KEY.upper(), KEY.replace("-", ""), f'"{KEY}"', f"{{{KEY}}}"])
def test_a_key_is_the_same_in_any_notation(scorekeeper, table, key):
    url = f"{table.url}events/"
    first = send(scorekeeper, url, play(0, "8MS"))
    assert send(scorekeeper, url, play(0, "8MS"), key).json() == first.json()
    assert table.row.version == 1


@pytest.mark.parametrize("digit", "0f")
def test_an_unknown_key_is_refused(stranger, digit):
    """Otherwise clients that send a constant key would get the first one's table and token."""
    answer = send(stranger, TABLES, ACE_TRUMP, "-".join(digit * length for length in (8, 4, 4, 4, 12)))
    assert answer.status_code == 400
    assert "made for this request" in answer.json()["detail"]
    assert not Table.objects.exists()


# --- Conditional requests, whatever the version says; and the index of addresses


def again(client, address, tag):
    return client.get(address, headers={"If-None-Match": tag})


@pytest.mark.parametrize("address", ["games/", "games/ace-trump/", "games/ace-trump/rulebook/", "decks/french/", ""])
def test_the_catalogue_is_cacheable_for_an_hour(client, address):
    first = client.get(f"/api/v1/{address}")
    assert {"max-age=3600", "public"} <= set(first["Cache-Control"].split(", "))
    second = again(client, f"/api/v1/{address}", first["ETag"])
    assert (second.status_code, second.content) == (304, b"")
    assert again(client, f"/api/v1/{address}", '"other"').status_code == 200


def test_not_found_answers_are_not_cached(client):
    assert "max-age" not in client.get("/api/v1/games/no-such-game/").get("Cache-Control", "")


@pytest.mark.parametrize("address", ["events/", "record/", "record/?as=text", "record/?as=csv"])
def test_the_log_and_the_record_have_their_own_etags(table, stranger, address):
    table.record(play(0, "8MS"), play(1, "XS"))
    url = f"{table.url}{address}"
    first = stranger.get(url)
    assert again(stranger, url, first["ETag"]).status_code == 304
    table.record(play(2, "XM"))
    assert again(stranger, url, first["ETag"]).status_code == 200


@pytest.mark.parametrize("address", ["", "events/", "record/"])
def test_a_write_precondition_does_not_block_reads(table, scorekeeper, address):
    answer = scorekeeper.get(f"{table.url}{address}", headers={"If-Match": '"4"'})
    assert answer.status_code == 200


def test_each_format_of_a_record_has_its_own_etag(table, stranger):
    table.record(play(0, "8MS"))
    url = f"{table.url}record/"
    assert len({stranger.get(url, {"as": kind})["ETag"] for kind in ("json", "text", "csv")}) == 3


@pytest.mark.parametrize("change", [{"private": True}, {"seats": ["Anna", "Bob", "Cy"]}])
def test_changes_beside_the_record_change_the_etag(table, scorekeeper, change):
    url = table.url
    table.record(play(0, "8MS"))
    tag = scorekeeper.get(url)["ETag"]
    assert (tag.partition("-")[0], again(scorekeeper, url, tag).status_code) == ('"1', 304)
    changed = scorekeeper.patch(url, change)
    told = again(scorekeeper, url, tag)
    assert (told.status_code, told["ETag"]) == (200, changed["ETag"])
    assert told["ETag"] != tag
    assert again(scorekeeper, f"{url}asks/", tag).status_code == 200
    assert again(scorekeeper, url, told["ETag"]).status_code == 304
    events, more = f"{url}events/", play(1, "XS")
    for seen in (tag, told["ETag"]):  # no event has been recorded since either of them
        assert scorekeeper.post(f"{events}?dry_run=1", more, headers={"If-Match": seen}).status_code == 200
    assert scorekeeper.post(events, more, headers={"If-Match": told["ETag"]}).status_code == 201
    assert scorekeeper.get(url)["ETag"].startswith('"2-')
    assert scorekeeper.post(events, play(2, "XM"), headers={"If-Match": told["ETag"]}).status_code == 412


# -- lists a part at a time -----------------------------------------------------------------


def followed(client, address, key):
    """Read a list to its end, two entries at a time."""
    found, next_ = [], f"{address}?limit=2"
    while next_:
        answer = client.get(next_)
        part, next_ = answer.json()[key], answer.json()["next"]
        assert answer.get("Link") == (f'<{next_}>; rel="next"' if next_ else None)
        assert 0 < len(part) <= 2
        found += part
    return found


def test_growing_lists_are_paginated(table, scorekeeper, stranger):
    url = table.url
    for number in range(5):
        scorekeeper.post(f"{url}links/", {"role": "spectator", "name": f"Phone {number}"})
        scorekeeper.post(f"{url}disputes/", {"claim": f"That was not so, {number}."})
    made = stranger.post("/api/v1/groups/", {"name": "Us", "people": list("ABCDE")}).json()
    stranger.credentials(HTTP_AUTHORIZATION=f"Bearer {made['token']}")
    group = f"/api/v1/groups/{made['code']}/"
    for number in range(5):
        stranger.post(f"{group}links/", {"role": "viewer", "name": f"Phone {number}"})
        stranger.post(
            f"{group}precedents/", {"question": f"What of {number}?", "decision": "It counts.", "clause": "AT-9"}
        )
    for client, address, key, count in (
        (scorekeeper, f"{url}links/", "rights", 6), (scorekeeper, f"{url}disputes/", "disputes", 5),
        (scorekeeper, f"{url}events/", "events", 5), (stranger, f"{group}people/", "people", 5),
        (stranger, f"{group}links/", "rights", 6), (stranger, f"{group}precedents/", "precedents", 5),
    ):  # fmt: skip
        whole = client.get(address).json()
        assert (len(whole[key]), whole["next"]) == (count, None), key
        assert followed(client, address, key) == whole[key]
        for limit in (0, 501):
            refused = client.get(f"{address}?limit={limit}").json()
            assert (refused["code"], refused["errors"][0]["parameter"]) == ("bad-query", "limit")
        assert client.get(f"{address}?limit=500").status_code == 200
    cursor = QueryDict(stranger.get(f"{group}people/?limit=2").json()["next"].partition("?")[2])["cursor"]
    assert stranger.get(f"{group}people/?cursor={cursor}").status_code == 200
    for address in ("people", "links", "precedents", "tables", "evenings", "rulings", "what-if"):
        for nothing in (
            "x",
            "7",
            "1.2",
            f"{2**63}",
            "Wzdd",
            f"{cursor}x",
            f"A{cursor[1:]}",
            cursor,
            "2026-01-01",
            "%FF",
        ):
            if (address, nothing) != ("people", cursor):
                refused = stranger.get(f"{group}{address}/?cursor={nothing}")
                assert (refused.status_code, refused.json()["code"]) == (400, "bad-query"), (address, nothing)
                assert refused.json()["errors"][0]["parameter"] == "cursor"


def test_a_cursor_is_stable_under_inserts_and_deletes(stranger):
    group = make_group(*"ABCDEF")
    for number in range(4):
        group.member.post(f"{group.url}precedents/", {"question": f"{number}?", "decision": "Yes.", "clause": "AT-9"})
    first = group.member.get(f"{group.url}precedents/?limit=2").json()
    group.member.post(f"{group.url}precedents/", {"question": "New?", "decision": "Yes.", "clause": "AT-9"})
    group.member.delete(f"{group.url}precedents/{first['precedents'][-1]['id']}/")
    rest = group.member.get(first["next"]).json()
    assert [each["question"] for each in rest["precedents"]] == ["1?", "0?"]


# -- addresses ------------------------------------------------------------------------------


def test_the_index_lists_every_address(client):
    told = client.get("/api/v1/").json()
    assert told["links"]["tables"] == "/api/v1/tables/"
    for address in (*told["links"].values(), *told["questions"].values()):
        assert client.get(address).status_code in (200, 401, 405), address


@pytest.mark.parametrize(
    ("address", "code"),
    [
        ("tables/ZZZZZZZZ/", "no-such-table"),
        ("tables/ZZZZZZZZ/events/", "no-such-table"),
        ("games/bridge/", "unknown-game"),
        ("decks/tarot/", "unknown-deck"),
        ("nowhere/", "not-found"),
    ],
)
def test_each_kind_of_missing_target_has_its_own_error_code(client, address, code):
    answer = client.get(f"/api/v1/{address}")
    assert (answer.status_code, answer.json()["code"]) == (404, code)


def test_links_and_people_have_their_own_error_codes(table, scorekeeper, stranger):
    assert scorekeeper.delete(f"{table.url}links/99999/").json()["code"] == "no-such-link"
    made = stranger.post("/api/v1/groups/", {"name": "Us"}).json()
    stranger.credentials(HTTP_AUTHORIZATION=f"Bearer {made['token']}")
    answer = stranger.patch(f"/api/v1/groups/{made['code']}/people/99999/", {"name": "x"})
    assert answer.json()["code"] == "no-such-person"


def test_a_post_without_the_trailing_slash_names_the_right_address(client):
    answer = client.post("/api/v1/tables", {}, "application/json")
    assert (answer.status_code, answer.json()["code"]) == (404, "no-slash")
    assert "/api/v1/tables/." in answer.json()["detail"]


# --- An ETag identifies the bytes of an answer: it depends on the token and the language if the answer does

LANGUAGES = ("en", "de")
AFTER = (
    "", "asks/", "events/", "record/", "disputes/", "guide/", "hands/1/audit/", "hands/1/confirmation/", "what-if/",
    "record/?as=text", "guide/?situation=lead-out-of-turn", "record/?as=bgstats", "?hidden_points=1", "links/",
)  # fmt: skip
OF_GROUP = (
    "", "people/", "links/", "tables/", "evenings/", "statistics/", "statistics/?by=evening", "rulings/", "precedents/",
    "statistics/?part=ratings", "statistics/?part=hands",
)  # fmt: skip
CATALOGUE = (
    "", "games/", "games/ace-trump/", "games/ace-trump/rulebook/", "decks/french/",
    "referee/guides/?game=oh-hell", "schema/",
)  # fmt: skip


@pytest.fixture
def house(db):
    """A table of a group with an irregularity, and everyone's tokens."""
    group = make_group()
    table = group.open_table()
    table.record(play(0, "8MS"), play(2, "XM", accepted=True), {"type": "note", "text": "Hm."})
    tokens = {
        "": "", "spectator": table.link("spectator"), "player": table.link("player", 1), "keeper": table.token,
        "member": group.token, "viewer": group.link("viewer"),
    }  # fmt: skip
    return table, group, tokens


def asked(path, token="", language="en", *, head=False, **more):
    headers = {"Accept-Language": language} | ({"Authorization": f"Bearer {token}"} if token else {}) | more
    return (Client().head if head else Client().get)(path, headers=headers)


def every_answer(house):
    table, group, tokens = house
    for end in AFTER:
        yield f"{table.url}{end}", tokens
    for end in OF_GROUP:
        yield f"/api/v1/groups/{group.code}/{end}", {name: tokens[name] for name in ("member", "viewer")}
    for end in CATALOGUE:
        yield f"/api/v1/{end}", {"": "", "keeper": tokens["keeper"]}


@pytest.mark.smoke
def test_the_same_etag_means_the_same_bytes(house):
    seen = 0
    for path, tokens in every_answer(house):
        known: dict[str, bytes] = {}
        for token in tokens.values():
            for language in LANGUAGES:
                answer = asked(path, token, language)
                vary = {word.strip() for word in answer["Vary"].split(",")}
                assert {"Authorization", "Accept-Language"} <= vary, path
                if answer.status_code != 200:
                    assert "ETag" not in answer, path
                    continue
                body, seen = answer.getvalue(), seen + 1
                assert known.setdefault(answer["ETag"], body) == body, (path, language)
                again = asked(path, token, language, **{"If-None-Match": answer["ETag"]})
                assert (again.status_code, again["ETag"]) == (304, answer["ETag"]), path
                assert vary <= {word.strip() for word in again["Vary"].split(",")}, path
                assert asked(path, token, language, head=True)["ETag"] == answer["ETag"], path
        for tag, body in known.items():
            for token in tokens.values():
                for language in LANGUAGES:
                    other = asked(path, token, language, **{"If-None-Match": tag})
                    if other.status_code == 304:
                        assert asked(path, token, language).getvalue() == body, path
    assert seen > 150


def test_a_page_that_signs_in_keeps_its_controls(house):
    table, _, tokens = house
    path = f"{table.url}asks/"
    before = asked(path)
    assert not any(ask["yours"] for ask in before.json()["asks"])
    signed_in = asked(path, tokens["keeper"], **{"If-None-Match": before["ETag"]})
    assert signed_in.status_code == 200
    assert any(ask["yours"] for ask in signed_in.json()["asks"])


def test_a_compressed_answer_has_a_weak_etag(house):
    table, _, tokens = house
    path = table.url
    plain, small = asked(path), asked(path, **{"Accept-Encoding": "gzip"})
    assert small["Content-Encoding"] == "gzip"
    assert json.loads(gzip.decompress(small.content)) == plain.json()
    assert small["ETag"] == f"W/{plain['ETag']}"
    assert asked(path, **{"If-None-Match": small["ETag"]}).status_code == 304
    for tag in (small["ETag"], plain["ETag"], '"3"'):
        answer = Client().post(
            f"{path}events/?dry_run=1", {"type": "note", "text": "x"}, "application/json",
            headers={"Authorization": f"Bearer {tokens['keeper']}", "If-Match": tag},
        )  # fmt: skip
        assert answer.status_code == 200, tag


@pytest.mark.parametrize("end", [{"kind": "time", "value": 60}, {"kind": "hands", "value": 1}])
def test_changes_without_an_event_change_the_etag(end):
    table = open_table(end=end)
    table.record(play(0, "8MS"))
    path = table.url
    first = asked(path, table.token)
    assert first["ETag"].startswith('"1-')
    assert asked(path, table.token, **{"If-None-Match": first["ETag"]}).status_code == 304
    for change in ({"private": True}, {"seats": ["Ann", "Bo", "Cy"]}, {"shares_rulings": True}):
        Table.objects.filter(code=table.code).update(**change)
        later = asked(path, table.token, **{"If-None-Match": first["ETag"]})
        assert later.status_code == 200, change
        first = later


def test_seating_and_the_next_table_change_the_etag(house):
    table, group, _ = house
    path = table.url
    tag = asked(path)["ETag"]
    people = group.people()
    merged = group.member.post(f"/api/v1/groups/{group.code}/people/", {"name": "Annie"}).json()["id"]
    assert merged != people["Ann"]
    table.row.people.filter(seat=0).update(person=merged)
    later = asked(path, **{"If-None-Match": tag})
    assert (later.status_code, later.json()["people"][0]) == (200, merged)
