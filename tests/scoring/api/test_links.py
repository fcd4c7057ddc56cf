"""Links: what each opens, to whom, from where, and until when."""

import json
from io import BytesIO

import pytest
from django.test import Client, override_settings

from scoring.models import Link, Role, Table
from scoring.tables.acts.access import remembered_link
from scoring.tables.acts.keys import Caller
from scoring.tables.acts.links import revoke_link
from scoring.tables.reads.access import token_hash
from tests.scoring.api.test_log import RECORD, TEXT, URL
from tests.scoring.conftest import ACE_TRUMP, AS_ONE, holder, open_table, play, refusal
from tests.scoring.pages.conftest import Device
from tests.scoring.pages.phones import with_link

# --- tables/{code}/links/


@pytest.fixture
def url(table):
    return f"{table.url}links/"


def test_a_new_link_comes_with_its_url(ann, table, url):
    answer = ann.post(url, {"role": "player", "seat": 1})
    made = answer.json()
    assert (made["role"], made["seat"], made["own"]) == ("player", 1, False)
    assert made["url"] == f"http://testserver/t/{table.code}/join/#{made['token']}"
    assert answer["Cache-Control"] == "no-store"


def test_a_token_is_kept_as_a_hash_and_shown_once(ann, url):
    made = ann.post(url, {"role": "spectator"}).json()
    assert Link.objects.get(pk=made["id"]).token_hash == token_hash(made["token"])
    told = ann.get(url)
    assert made["token"] not in told.content.decode()
    assert {link["role"]: link["own"] for link in told.json()["rights"]} == {"scorekeeper": True, "spectator": False}


def test_the_last_scorekeeper_cannot_leave(ann, url):
    own = ann.get(url).json()["rights"][0]["id"]
    assert refusal(ann.delete(f"{url}{own}/")) == (409, "last-scorekeeper")
    other = holder(ann.post(url, {"role": "scorekeeper"}).json()["token"])
    assert ann.delete(f"{url}{own}/").status_code == 204
    assert ann.get(url).status_code == 401
    assert other.get(url).status_code == 200


def test_a_link_opens_only_its_own_table(ann, url):
    other = open_table()
    assert ann.get(f"{other.url}links/").status_code == 401
    assert ann.delete(f"{url}{Link.objects.get(table=other.row).pk}/").status_code == 404


def test_the_number_of_links_is_limited(ann, table, url, monkeypatch):
    monkeypatch.setattr("scoring.tables.acts.links.MOST_LINKS", 2)
    assert ann.post(url, {"role": "spectator"}).status_code == 201
    assert refusal(ann.post(url, {"role": "spectator"})) == (409, "too-many-links")


# --- Reading links: a table or one hand of it, on any number of devices


@pytest.fixture
def reader(ann, table, url):
    """Make a reading link, as described by ``told``."""
    table.record(play(0, "8MS"))
    return lambda **told: ann.post(url, {"role": "reader", **told})


def opens(made):
    """Return whether a reading link's page opens with its token on a new device."""
    path, token = made["url"].removeprefix("http://testserver").split("#")
    return Client().post(path, {"token": token}).status_code == 302


def test_a_reading_link_is_made(reader):
    answer = reader()
    made = answer.json()
    assert (made["role"], made["seat"], made["hand"]) == ("reader", None, None)
    assert made["url"] == f"http://testserver/read/{made['id']}/#{made['token']}"
    assert answer["Cache-Control"] == "no-store"
    assert opens(made)


def test_a_reading_link_is_listed_with_its_hand(ann, reader, url):
    made = reader(hand=1, name="Aunt Eve").json()
    told = ann.get(url)
    assert made["token"] not in told.content.decode()
    assert [(each["role"], each["hand"], each["name"]) for each in told.json()["rights"]] == [
        ("scorekeeper", None, ""),
        ("reader", 1, "Aunt Eve"),
    ]
    assert ann.patch(f"{url}{made['id']}/", {"name": "Eve"}).json()["name"] == "Eve"


def test_a_reading_token_opens_only_its_page(ann, table, reader):
    made = reader().json()
    assert ann.patch(table.url, {"private": True}).status_code == 200
    client = holder(made["token"])
    assert client.get(table.url).status_code == 404
    assert client.post(f"{table.url}events/", play(1, "XS")).status_code == 404
    assert client.post("/api/v1/tables/", ACE_TRUMP).status_code == 401
    assert Client().post(f"/t/{table.code}/join/", {"token": made["token"]}).status_code == 404
    assert ann.patch(table.url, {"rules_by": "neutral", "referee": made["id"]}).status_code == 422


def test_a_reading_link_is_revoked_on_every_device(ann, reader, url):
    made = reader().json()
    assert ann.delete(f"{url}{made['id']}/").status_code == 204
    assert not opens(made)
    assert [each["role"] for each in ann.get(url).json()["rights"]] == ["scorekeeper"]
    assert ann.delete(f"{url}{made['id']}/").json()["code"] == "no-such-link"


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        ({"hand": 2}, 404, "no-such-hand"),
        ({"hand": 10**9}, 404, "no-such-hand"),
        ({"hand": 0}, 404, "no-such-hand"),
        ({"hand": "1"}, 400, "wrong-type"),
        ({"trick": 1}, 400, "unknown-key"),
        ({"seat": 1}, 422, "bad-value"),
        ({"role": "spectator", "hand": 1}, 422, "bad-value"),
    ],
)
def test_a_missing_target_gets_no_link(reader, body, status, code):
    answer = reader(**body)
    assert answer.status_code == status
    assert code in (answer.json()["code"], *(each["code"] for each in answer.json().get("errors", ())))
    assert Link.objects.count() == 1


# --- A table names the previous and the next one; a private one only to those with access

NAMES = ["Ann", "Bob", "Cy"]


@pytest.fixture(params=["previous", "continued_by"])
def linked(request, db):
    """A table, another one that is its previous or next, and the name of that relation."""
    first = open_table()
    second = first.go_on(*NAMES)
    return (first, second, request.param) if request.param == "continued_by" else (second, first, request.param)


def close(table):
    Table.objects.filter(code=table.code).update(private=True)


def test_continued_public_tables_link_to_each_other_for_everyone(stranger, linked):
    table, other, side = linked
    assert stranger.get(table.url).json()[side] == other.code


def test_a_private_next_table_is_named_to_the_scorekeeper_alone(stranger, linked):
    table, other, side = linked
    close(other)
    assert table.keeper.get(table.url).json()[side] == other.code
    for caller in (stranger, holder(table.link("player", 1)), holder(table.link("spectator"))):
        assert caller.get(table.url).json()[side] is None


@pytest.mark.parametrize(
    ("at", "role", "seat", "shown"),
    [
        ("first", "scorekeeper", None, True),
        ("first", "player", 1, False),
        ("first", "spectator", None, False),
        ("second", "scorekeeper", None, True),
        ("second", "player", 1, True),
        ("second", "spectator", None, True),
        (None, None, None, False),
    ],
)
def test_a_page_shows_a_private_next_table_to_its_links_and_the_scorekeeper(db, at, role, seat, shown):
    first = open_table()
    second = first.go_on(*NAMES)
    close(second)
    phone = with_link(first if at == "first" else second, role, seat) if role else Device()
    assert (second.code in phone.get(f"/t/{first.code}/").content.decode()) is shown


# --- Another site's page opens no table on a server in its visitor's network

ELSEWHERE = [
    {"Sec-Fetch-Site": "cross-site"},
    {"Sec-Fetch-Site": "cross-site", "Origin": "https://elsewhere.example"},
    {"Sec-Fetch-Site": "cross-site", "Origin": "http://testserver"},
    {"Sec-Fetch-Site": "same-site", "Origin": "http://testserver:8001"},
    {"Origin": "https://elsewhere.example"},
    {"Origin": "http://testserver.elsewhere.example"},
    {"Origin": "http://testserver:8001"},
    {"Origin": "null"},
    {"Origin": ""},
]
HERE = [
    {},
    {"Sec-Fetch-Site": "none"},
    {"Sec-Fetch-Site": "same-origin", "Origin": "http://testserver"},
    {"Origin": "http://testserver"},
    {"Origin": "https://testserver"},
]


def send(client, headers):
    """Send a record as a form on any page can."""
    return client.post(URL, TEXT, content_type="text/plain", headers=headers)


@pytest.mark.parametrize("headers", ELSEWHERE)
def test_cross_site_browser_requests_are_refused(stranger, headers):
    for answer in (send(stranger, headers), stranger.post(URL, RECORD, headers=headers)):
        assert refusal(answer) == (403, "other-site")
        assert answer.json()["title"] == "This request came from another site"
    assert not Table.objects.exists()


@pytest.mark.parametrize("headers", HERE)
def test_programs_and_own_pages_can_import_records(stranger, headers):
    assert send(stranger, headers).status_code == 201


@override_settings(CSRF_TRUSTED_ORIGINS=["https://cards.example"])
def test_a_trusted_site_can_import_records(stranger):
    trusted = {"Origin": "https://cards.example", "Sec-Fetch-Site": "cross-site"}
    assert send(stranger, trusted).status_code == 201


@pytest.mark.parametrize(
    "kind", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", ""]
)
def test_endpoints_other_than_imports_accept_only_json(stranger, kind):
    answer = stranger.generic("POST", "/api/v1/tables/", json.dumps(ACE_TRUMP), content_type=kind)
    assert answer.status_code == 415
    assert not Table.objects.exists()


# --- A right revoked during a request no longer counts: a sender can delay a body at will

ACTS = [
    ("post", "events/", {"type": "note", "text": "Still here."}),
    ("post", "events/", {"events": [play(0, "8MS"), play(1, "XS")]}),
    ("post", "undo/", {}),
    ("post", "amendments/", {"seq": 1, "event": None}),
    ("post", "amendments/?dry_run=1", {"seq": 1, "event": None}),
    ("post", "links/", {"role": "scorekeeper"}),
    ("post", "continue/", {"seats": ["Ann", "Bob", "Cy"]}),
    ("patch", "", {"private": True}),
    ("patch", "", {}),
    ("post", "disputes/", {"claim": "Whose trick was that?"}),
    ("post", "links/", {"role": "reader"}),
    ("patch", "links/1/", {"name": "Mallory"}),
    ("post", "guide/", {"situation": "bid-out-of-turn", "answers": {}, "remedy": "stand"}),
]


class Hanging(BytesIO):
    """A body that arrives only after something else has happened."""

    def __init__(self, body, *, before):
        super().__init__(body)
        self.before = before

    def read(self, *most):
        if self.before:
            self.before()
            self.before = None
        return super().read(*most)


@pytest.fixture
def mallory(table):
    """Mallory, a second scorekeeper: her token, and how Ann revokes it."""
    token = table.link("scorekeeper")
    number = Link.objects.get(token_hash=token_hash(token)).pk
    return token, lambda: revoke_link(table.code, number, Caller())


def send_revoked_meanwhile(method, path, body, *, before, content_type="application/json; charset=utf-8", **headers):
    given = {"wsgi.input": Hanging(body, before=before), "CONTENT_LENGTH": str(len(body)), "CONTENT_TYPE": content_type}
    return Client().generic(method.upper(), path, headers=headers, **given)


def assert_nothing_happened(table):
    """Check that the table has only what was recorded before, and one scorekeeper."""
    row = table.row
    assert (row.version, row.private, row.finished) == (1, False, False)
    assert Link.objects.filter(role=Role.SCOREKEEPER, revoked=None).count() == 1


@pytest.mark.parametrize(("method", "path", "body"), ACTS)
def test_a_link_revoked_during_the_upload_does_nothing(table, mallory, method, path, body):
    table.record({"type": "note", "text": "Hm."})
    token, ann_revokes_it = mallory
    sent, bearer = json.dumps(body).encode(), {"Authorization": f"Bearer {token}"}
    answer = send_revoked_meanwhile(method, f"{table.url}{path}", sent, before=ann_revokes_it, **bearer)
    assert refusal(answer) == (401, "authentication-failed")
    assert answer["WWW-Authenticate"] == "Bearer"
    assert_nothing_happened(table)


@pytest.mark.parametrize(("method", "path", "body"), [*ACTS, ("delete", "", {}), ("delete", "links/1/", {})])
def test_a_cached_revoked_link_does_nothing(table, mallory, method, path, body):
    token, ann_revokes_it = mallory
    client, address = holder(token), table.url
    assert client.post(f"{address}events/", {"type": "note", "text": "Hm."}).status_code == 201
    assert remembered_link(table.code, token=token)
    ann_revokes_it()
    assert refusal(getattr(client, method)(f"{address}{path}", body)) == (401, "authentication-failed")
    assert_nothing_happened(table)


@pytest.mark.parametrize(
    ("path", "form"),
    [
        ("record/", "event=note&text=Still+here."),
        ("undo/", "version=1"),
        ("links/", "for=scorekeeper"),
        ("private/", "private=1"),
        ("continue/", "name=Ann&name=Bob&name=Cy"),
        ("amend/1/", "strike=1"),
    ],
)
def test_a_form_with_a_revoked_link_does_nothing(table, mallory, path, form):
    table.record(play(0, "8MS"))
    token, ann_revokes_it = mallory
    browser = Client()
    browser.post(f"/t/{table.code}/join/", {"token": token})
    cookie = "; ".join(f"{name}={morsel.value}" for name, morsel in browser.cookies.items())
    more = {"content_type": "application/x-www-form-urlencoded", "Cookie": cookie}
    where = f"/t/{table.code}/{path}"
    answer = send_revoked_meanwhile("post", where, form.encode(), before=ann_revokes_it, **more)
    if answer.status_code == 302:
        assert "You are watching" in browser.get(answer["Location"]).content.decode()
    else:
        assert answer.status_code == 403, answer.content.decode()
        assert "only watching" in answer.content.decode() or "not keep the score" in answer.content.decode()
    assert_nothing_happened(table)


# --- A private table: open to those with a link, and to no one else

PARTS = ["", "events/", "record/", "what-if/", "links/"]


@pytest.fixture
def private(ann, table):
    """Ann's table, which she has made private."""
    assert ann.patch(table.url, {"private": True}).status_code == 200
    return table


@pytest.mark.parametrize("part", PARTS)
def test_eve_cannot_open_anns_private_table_by_code(eve, private, part):
    answer = eve.get(f"{private.url}{part}", headers=AS_ONE)
    nothing = eve.get(f"/api/v1/tables/ZZZZZZZZ/{part}", headers=AS_ONE)
    assert answer.status_code == nothing.status_code == 404
    assert answer.json() == nothing.json()


def test_a_table_can_be_opened_as_private(eve):
    made = eve.post("/api/v1/tables/", ACE_TRUMP | {"private": True}).json()
    assert made["private"] is True
    assert eve.get(f"/api/v1/tables/{made['code']}/").status_code == 404
    assert eve.post("/api/v1/tables/", ACE_TRUMP | {"private": "yes"}).status_code == 400


def test_ann_can_make_her_table_public_and_private_again(ann, bob, eve, private):
    url = private.url
    assert bob.patch(url, {"private": False}).status_code == 403
    assert ann.patch(url, {"private": False}).json()["private"] is False
    assert eve.get(url).status_code == 200
    assert ann.patch(url, {"private": True}).status_code == 200
    assert eve.get(url).status_code == 404
    assert ann.patch(url, {}).json()["private"] is True
