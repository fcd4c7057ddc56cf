"""The admin, plain text files, request ids, the schema, and other origins."""

import gzip
import http.client
import json
import logging
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from datetime import UTC, datetime, timedelta
from urllib.robotparser import RobotFileParser

import pytest
from django.conf import settings
from drf_spectacular.views import SpectacularAPIView

from deploy.logs import WithRequestId, begin_request
from scoring import api_urls
from scoring.models import Group, Table
from tests.deploy.managing import manage
from tests.scoring.conftest import ACE_TRUMP, holder, open_table, play
from tests.scoring.live.driving import serving

# --- Django's admin: off by default; then for operators with accounts, to read and to close

LOOKED = """
import json, re
from django.contrib.auth import get_user_model
from django.contrib.sessions.models import Session
from django.test import Client
from django.test.utils import override_settings
from scoring.models import Link, OperatorAct, Table
from scoring.groups.acts.groups import create_group
from scoring.tables.acts.opening import create_table
plain = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
override_settings(STORAGES={"staticfiles": plain}).enable()  # nothing has been collected here
opened = create_table({"game": "ace-trump", "seats": ["Ann", "Bob", "Cy"], "first_dealer": 2})
group = create_group("Thursday", ["Ann"]).link.group
get_user_model().objects.create_superuser("olga", password="long enough to be one")
stranger, olga = Client(headers={"host": "localhost"}), Client(headers={"host": "localhost"})
tried = [stranger.post("/admin/login/", {"username": "olga", "password": "guessed"}).status_code for _ in range(2)]
signed_in = olga.post("/admin/login/", {"username": "olga", "password": "long enough to be one"})
assert signed_in.status_code == 302, signed_in.content
row, pages = opened.table, {}
for path in ("", "scoring/table/", f"scoring/table/{row.pk}/change/", "scoring/group/", "scoring/person/",
             "scoring/operatoract/", f"scoring/table/{row.pk}/delete/", "scoring/table/add/"):
    answer = olga.get(f"/admin/{path}")
    text = answer.content.decode()
    inline = re.findall(r"<style|<script>| on[a-z]+=| style=", text)
    pages[path.replace(str(row.pk), "N")] = [answer.status_code, inline, opened.token in text]
form = {"action": "close_them", "_selected_action": [str(row.pk)]}
closed = olga.post("/admin/scoring/table/", form).status_code
def thief(row):
    client = Client(headers={"host": "localhost"})
    client.cookies["sessionid"] = row.session_key
    return client
print(json.dumps({
    "tried": tried, "stranger": stranger.get("/admin/scoring/table/").status_code,
    "policy": olga.get("/admin/").headers["Content-Security-Policy"],
    "pages": pages, "closed": closed, "private": Table.objects.get().private,
    "standing": Link.objects.filter(revoked=None).count(),
    "log": list(OperatorAct.objects.values_list("who", "what")),
    "cookie": olga.cookies["sessionid"]["path"],
    "stolen": [thief(row).get("/admin/").status_code for row in Session.objects.all()],
    "home": stranger.get("/").status_code,
}))
"""


@pytest.fixture(scope="module")
def seen(tmp_path_factory):
    around = {"VAR_DIR": tmp_path_factory.mktemp("admin"), "ADMIN": "1"}
    made = manage("migrate", "--verbosity", "0", **around)
    assert made.returncode == 0, made.stderr
    looked = manage("shell", "--verbosity", "0", "-c", LOOKED, **around)
    assert looked.returncode == 0, looked.stderr
    return {**json.loads(looked.stdout.strip().splitlines()[-1]), "told": looked.stderr}


def test_the_admin_is_off_by_default(client):
    assert not settings.ADMIN
    assert not {"django.contrib.admin", "django.contrib.auth"} & set(settings.INSTALLED_APPS)
    assert client.get("/admin/").status_code == client.get("/admin/login/").status_code == 404


def test_only_operators_can_open_the_admin(seen):
    assert (seen["stranger"], seen["cookie"], seen["home"]) == (302, "/admin/", 200)


def test_the_database_contents_cannot_hijack_a_session(seen):
    assert seen["stolen"]
    assert set(seen["stolen"]) == {302}


def test_the_admin_is_read_only_and_obeys_the_content_policy(seen):
    assert "script-src 'self'" in seen["policy"]
    forbidden = {"scoring/table/N/delete/", "scoring/table/add/"}
    for path, (status, inline, told) in seen["pages"].items():
        assert (status, told) == (403 if path in forbidden else 200, False), path
        assert inline == [], path


def test_a_table_closed_in_the_admin_is_private_and_logged(seen):
    assert (seen["closed"], seen["private"], seen["standing"]) == (302, True, 0)
    assert seen["log"] == [["admin olga", "close"]]


def test_failed_logins_are_logged_without_the_password(seen):
    assert seen["tried"] == [200, 200]
    assert seen["told"].count("Failed login to the admin.") == 2
    assert "guessed" not in seen["told"]


# --- Files at well-known addresses, such as the security contact (RFC 9116)

WHERE = "/.well-known/security.txt"


def test_security_txt_names_the_contact(client, settings):
    settings.SECURITY_CONTACT = ["mailto:holes@cards.example", "https://cards.example/holes"]
    settings.SECURITY_POLICY = "https://cards.example/policy"
    settings.PUBLIC_URL = "https://cards.example"
    answer = client.get(WHERE)
    assert (answer.status_code, answer["Content-Type"]) == (200, "text/plain; charset=utf-8")
    lines = [line.split(": ", 1) for line in answer.content.decode().splitlines()]
    told = dict(lines)
    assert [value for name, value in lines if name == "Contact"] == settings.SECURITY_CONTACT
    assert told["Canonical"] == f"https://cards.example{WHERE}"
    assert told["Policy"] == "https://cards.example/policy"
    assert told["Preferred-Languages"] == "en, de, es, fr, it, nl"
    assert [name for name, _ in lines].count("Expires") == 1
    left = datetime.fromisoformat(told["Expires"]) - datetime.now(UTC)
    assert timedelta(days=170) < left < timedelta(days=365)


def test_without_a_contact_there_is_no_security_txt(client):
    assert client.get(WHERE).status_code == 404


def test_security_txt_omits_unset_fields(client, settings):
    settings.SECURITY_CONTACT = ["mailto:holes@cards.example"]
    told = client.get(WHERE).content.decode()
    assert "Canonical" not in told
    assert "Policy" not in told
    assert client.post(WHERE).status_code == 405


def test_search_engines_are_kept_out_of_tables_and_groups(client):
    robots = RobotFileParser()
    robots.parse(client.get("/robots.txt").content.decode().splitlines())
    alone = ("/t/ABCD2345/", "/t/ABCD2345/hands/1/", "/g/ABCD2345/", "/read/7/", "/api/v1/tables/ABCD2345/")
    assert [robots.can_fetch("*", address) for address in alone] == [False] * len(alone)
    assert robots.can_fetch("*", "/games/ace-trump/")


def test_the_default_icon_path_works(client):
    answer = client.get("/favicon.ico")
    assert answer.status_code == 302
    assert answer["Location"].endswith("/icon.svg")


# --- Every request has an id, which is in its answer and in each of its log lines


def test_the_callers_request_id_is_echoed(client):
    assert client.get("/api/v1/games/", headers={"X-Request-Id": "app-17.a"})["X-Request-Id"] == "app-17.a"


@pytest.mark.parametrize("given", ["", "two words", "a" * 65, "a\u00e4"])
def test_an_unsafe_request_id_is_replaced(client, given):
    answer = client.get("/api/v1/games/", HTTP_X_REQUEST_ID=given)
    assert len(answer["X-Request-Id"]) == 32
    assert answer["X-Request-Id"] != client.get("/api/v1/games/")["X-Request-Id"]


def test_pages_and_404s_have_a_request_id_too(client, db):
    for address in ("/", "/nowhere/", "/api/v1/nowhere/", "/api/v1/docs/"):
        assert client.get(address)["X-Request-Id"]


def test_a_log_line_names_its_request():
    begin_request("app-17")
    record = logging.LogRecord("x", logging.ERROR, __file__, 1, "broken", (), None)
    assert WithRequestId().filter(record)
    assert logging.Formatter("{name}{request}: {message}", style="{").format(record) == "x [app-17]: broken"


# --- The API's schema: built once, without delaying others

ADDRESS = "/api/v1/schema/"
LARGEST_SCHEMA = 450_000
CALLERS = 60
MAKINGS = 5
"""How much longer than building the schema a card may wait. When every caller had it built and compressed again, a card
waited up to ten seconds.
"""


def test_concurrent_requests_build_the_schema_once(monkeypatch):
    made = []
    monkeypatch.setattr(api_urls, "_written", {})
    api_urls.whole_schema.cache_clear()
    make = SpectacularAPIView.generator_class.get_schema

    def counted(*args, **kwargs):
        made.append(1)
        return make(*args, **kwargs)

    monkeypatch.setattr(SpectacularAPIView.generator_class, "get_schema", counted)
    with ThreadPoolExecutor(8) as callers:
        found = list(callers.map(lambda _: api_urls.schema_as(api_urls.PlainJson()), range(8)))
    assert made == [1]
    assert all(each is found[0] for each in found)
    assert gzip.decompress(found[0].small) == found[0].plain


def test_the_schema_is_sent_only_when_changed(client):
    plain = client.get(ADDRESS)
    small = client.get(ADDRESS, headers={"Accept-Encoding": "gzip"})
    assert small["Content-Encoding"] == "gzip"
    assert gzip.decompress(small.content) == plain.content
    assert len(small.content) < len(plain.content) / 5
    assert len(plain.content) <= LARGEST_SCHEMA
    assert "Accept-Encoding" in small["Vary"]
    for tag in (plain["ETag"], small["ETag"]):
        assert client.get(ADDRESS, headers={"If-None-Match": tag}).status_code == 304
    yaml = client.get(ADDRESS, headers={"Accept": "application/yaml"})
    assert yaml["Content-Type"].startswith("application/yaml")
    assert yaml["ETag"] != plain["ETag"]


def test_sixty_requests_for_the_schema_hold_up_no_card(tmp_path):
    """The process has not built the schema yet."""
    making = seconds_of_making()
    with serving(tmp_path) as server, ThreadPoolExecutor(CALLERS) as callers:
        table = server.open_table()

        def ask(_):
            with closing(http.client.HTTPConnection("127.0.0.1", server.port, timeout=60)) as line:
                line.request("GET", ADDRESS, headers={"Accept-Encoding": "gzip"})
                answer = line.getresponse()
                return answer.status, json.loads(gzip.decompress(answer.read()))["openapi"]

        asked = [callers.submit(ask, number) for number in range(CALLERS)]
        slowest = 0.0
        while not all(each.done() for each in asked) or not slowest:
            began = time.monotonic()
            server.note(table)
            slowest = max(slowest, time.monotonic() - began)
            time.sleep(0.05)
        assert {each.result() for each in asked} == {(200, "3.1.0")}
    # The machine may be busier now than before.
    assert slowest < MAKINGS * max(making, seconds_of_making())


def seconds_of_making():
    api_urls.whole_schema.cache_clear()
    began = time.monotonic()
    api_urls.whole_schema()
    return time.monotonic() - began


# --- Other origins may use the API with a token or read public data; our pages never answer them

ORIGIN = {"Origin": "https://app.example", "Sec-Fetch-Site": "cross-site"}
OPEN, EXPOSED, NEEDED = "Access-Control-Allow-Origin", "Access-Control-Expose-Headers", "Access-Control-Allow-Headers"
WRITING = (
    "authorization, content-type, idempotency-key, if-match, if-none-match, accept-language, x-request-id,"
    " last-event-id, cache-control"
)
pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("address", ["games/", "decks/decktet/", "games/ace-trump/rulebook/", "schema/", "nowhere/"])
def test_any_origin_may_read_public_data(client, address):
    answer = client.get(f"/api/v1/{address}", headers=ORIGIN)
    assert answer[OPEN] == "*"
    assert "Access-Control-Allow-Credentials" not in answer
    assert {"ETag", "Location", "Retry-After", "Idempotent-Replayed", "X-Request-Id"} <= set(
        answer[EXPOSED].split(", ")
    )


@pytest.mark.parametrize("address", ["/", "/new/", "/rules/", "/api/v1/docs/"])
def test_our_pages_allow_no_other_origin(client, address):
    assert OPEN not in client.get(address, headers=ORIGIN)


def test_a_cors_preflight_lists_what_may_be_sent(client):
    asked = {"Access-Control-Request-Method": "POST", "Access-Control-Request-Headers": WRITING}
    answer = client.options("/api/v1/tables/AAAAAAAA/events/", headers=ORIGIN | asked)
    assert (answer.status_code, answer[OPEN]) == (200, "*")
    assert set(WRITING.split(", ")) <= set(answer[NEEDED].split(", "))


def test_another_origin_needs_a_token_only_to_record(client):
    table = open_table()
    address = f"/api/v1/tables/{table.code}/"
    assert holder(table.token).post(f"{address}events/", play(0, "8MS"), headers=ORIGIN).status_code == 201
    assert client.get(address, headers=ORIGIN).json()["version"] == 1
    assert client.post(f"{address}events/", play(1, "XS"), "application/json", headers=ORIGIN).status_code == 401


def test_other_origins_store_nothing_without_a_token(client):
    for address, body in (("tables/", ACE_TRUMP), ("tables/import/", ACE_TRUMP), ("groups/", {"name": "Us"})):
        answer = client.post(f"/api/v1/{address}", body, "application/json", headers=ORIGIN)
        assert (answer.status_code, answer.json()["code"]) == (403, "other-site")
    assert not Table.objects.exists()
    assert not Group.objects.exists()


def test_another_origin_opens_tables_with_a_group_token(client):
    made = client.post("/api/v1/groups/", {"name": "Us", "people": ["Ann", "Bob", "Cy"]}, "application/json").json()
    answer = holder(made["token"]).post("/api/v1/tables/", ACE_TRUMP, headers=ORIGIN)
    assert answer.status_code == 201, answer.json()
