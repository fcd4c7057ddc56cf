"""Settings, the environment, and what follows from the public URL."""

import json
import os
import runpy
import stat
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.conf import settings as active_settings
from django.core.exceptions import ImproperlyConfigured
from django.db import connection

from deploy.environment import flag, kept_secret, words
from tests.deploy.managing import ROOT, manage, surroundings

# --- What the settings guarantee


@pytest.mark.django_db
def test_a_record_on_sqlite_survives_a_power_cut():
    with connection.cursor() as cursor:
        assert cursor.execute("PRAGMA synchronous").fetchone() == (2,)  # FULL
        assert cursor.execute("PRAGMA busy_timeout").fetchone() == (20_000,)
    assert active_settings.DATABASES["default"]["OPTIONS"]["transaction_mode"] == "IMMEDIATE"


def test_pages_allow_no_inline_code(client):
    policy = client.get("/").headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy


def test_a_policy_exception_applies_to_one_page_only(client):
    for _ in range(2):
        own = [
            client.get(f"/{page}").headers["Content-Security-Policy"] for page in ("api/v1/docs/", "", "api/v1/games/")
        ]
        assert ["unsafe" in policy for policy in own] == [True, False, False]
        assert own[1] == own[2]


def test_a_page_renews_the_cookie_but_a_cached_copy_does_not(client):
    assert "csrftoken" in client.get("/", headers={"Sec-Fetch-Dest": "empty"}).cookies, "it has none yet"
    assert "csrftoken" in client.get("/", headers={"Sec-Fetch-Dest": "document"}).cookies
    assert "csrftoken" in client.get("/").cookies, "an old browser does not say"
    assert "csrftoken" not in client.get("/", headers={"Sec-Fetch-Dest": "empty"}).cookies


def test_the_schema_is_openapi_3_1_json(client):
    answer = client.get("/api/v1/schema/")
    assert answer.headers["Content-Type"].startswith("application/vnd.oai.openapi+json")
    assert answer.json()["openapi"].startswith("3.1")


@pytest.mark.parametrize("page", ["schema", "docs"])
@pytest.mark.parametrize("odd", ["version=a%0ab", "version=../..", "lang=x%0a", "lang=../..", "script=", "format=%0a"])
def test_nothing_in_a_query_breaks_the_schema_or_its_page(client, page, odd):
    assert client.get(f"/api/v1/{page}/?{odd}").status_code in (200, 400, 404)


@pytest.mark.parametrize(
    ("language", "expected"),
    [
        ("de", "de"), ("de-AT,de;q=0.9", "de"), ("en", "en"), ("pl", "en"), ("fr-CA", "fr"), ("es-419", "es"),
        ("nl-BE,en;q=0.5", "nl"), ("it-CH", "it"), ("pl, fr-BE;q=0.9, en;q=0.5", "fr"), ("rm-CH,it-CH;q=0.8", "it"),
    ],
)  # fmt: skip
def test_pages_use_the_browsers_language(client, language, expected):
    assert client.get("/", headers={"accept-language": language}).headers["Content-Language"] == expected


@pytest.mark.parametrize(("proxies", "scheme"), [("0", "http"), ("1", "https")])
def test_our_own_proxy_reports_the_forwarded_scheme(proxies, scheme, tmp_path):
    lines = (
        "import django; django.setup(set_prefix=False); from django.test import RequestFactory as R;"
        " print(R().get('/', headers={'X-Forwarded-Proto': 'https'}).scheme)"
    )
    around = os.environ | {"DJANGO_SETTINGS_MODULE": "deploy.settings", "PROXIES": proxies, "VAR_DIR": str(tmp_path)}
    ran = subprocess.run(
        [sys.executable, "-c", lines], cwd=ROOT, env=around, check=True, capture_output=True, text=True
    )
    assert ran.stdout == f"{scheme}\n"


# --- Settings from the environment: values are taken literally, and missing ones have defaults


@pytest.mark.parametrize(
    ("text", "value"), [("1", True), ("yes", True), ("TRUE", True), ("0", False), ("off", False), ("", False)]
)
def test_boolean_settings_are_read(monkeypatch, text, value):
    monkeypatch.setenv("FLAG", text)
    assert flag("FLAG") is value


def test_an_unclear_flag_is_refused(monkeypatch):
    monkeypatch.setenv("FLAG", "perhaps")
    with pytest.raises(ImproperlyConfigured, match="FLAG must be 1 or 0"):
        flag("FLAG")


def test_comma_separated_settings_are_read(monkeypatch):
    monkeypatch.setenv("HOSTS", " a.example, b.example ,")
    assert words("HOSTS") == ["a.example", "b.example"]
    monkeypatch.delenv("HOSTS")
    assert words("HOSTS", default="*") == ["*"]


def test_the_secret_key_is_kept_and_private(tmp_path):
    path = tmp_path / "var" / "secret_key"
    secret = kept_secret(path)
    assert len(secret) > 50
    assert kept_secret(path) == secret
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_processes_starting_together_share_the_secret_key(tmp_path):
    with ThreadPoolExecutor(8) as pool:
        assert len(set(pool.map(kept_secret, [tmp_path / "secret_key"] * 8))) == 1


def test_an_empty_secret_is_an_error(tmp_path):
    (tmp_path / "secret_key").touch()
    with pytest.raises(ImproperlyConfigured, match="is empty"):
        kept_secret(tmp_path / "secret_key")


# --- One public URL: what requests through a proxy are answered

STORY = """
import asyncio, json, httpx
import deploy.wsgi, deploy.asgi
from django.core.management import call_command
call_command("migrate", verbosity=0)
call_command("collectstatic", interactive=False, verbosity=0)
INSIDE = "http://127.0.0.1:8000"

async def asked(method, path, **more):
    async with httpx.AsyncClient(transport=httpx.ASGITransport(deploy.asgi.application), base_url=INSIDE) as client:
        return await client.request(method, path, **more)

def ask(method, path, **more):
    return asyncio.run(asked(method, path, **more))

def told(answer):
    return {"status": answer.status_code, "headers": answer.headers.multi_items(), "body": answer.text}

opening = {"game": "wildcat-chicane", "seats": ["A", "B", "C"], "first_dealer": 0}
table = ask("POST", "/api/v1/tables/", json=opening).json()
link = ask("POST", f"/api/v1/tables/{table['code']}/links/", json={"role": "spectator"},
           headers={"Authorization": f"Bearer {table['token']}"})
home = ask("GET", "/")
mark = home.cookies["__Host-csrftoken"]
language = ask("POST", "/language/", data={"language": "de", "next": "/", "csrfmiddlewaretoken": mark},
               headers={"Origin": "https://cards.example:8443", "Cookie": f"__Host-csrftoken={mark}"})
plain = ask("GET", "/", headers={"X-Forwarded-Proto": "http"})
told_off = ask("GET", "/api/v1/games/", headers={"X-Forwarded-Proto": "http"})
with httpx.Client(transport=httpx.WSGITransport(deploy.wsgi.application), base_url=INSIDE) as client:
    wsgi = client.get("/")
answers = {"link": link, "language": language, "home": home, "plain": plain, "told_off": told_off, "wsgi": wsgi}
print(json.dumps({"table": table, **{name: told(answer) for name, answer in answers.items()}}))
"""


@pytest.fixture(scope="module")
def answers(tmp_path_factory):
    """The answers of a service at https://cards.example:8443 behind one proxy."""
    around = surroundings(
        VAR_DIR=tmp_path_factory.mktemp("var"), PUBLIC_URL="https://cards.example:8443", PROXIES="1", LOG_LEVEL="ERROR"
    )
    ran = subprocess.run(
        [sys.executable, "-c", STORY], cwd=ROOT, env=around, capture_output=True, text=True, timeout=60, check=False
    )
    assert ran.returncode == 0, ran.stderr
    return json.loads(ran.stdout)


def test_links_begin_with_the_public_url(answers):
    url = json.loads(answers["link"]["body"])["url"]
    assert url.startswith(f"https://cards.example:8443/t/{answers['table']['code']}/")


def test_cookies_are_secure(answers):
    for answer in (answers["home"], answers["language"]):
        cookies = [value for name, value in answer["headers"] if name == "set-cookie"]
        assert all("Secure" in cookie for cookie in cookies)
    assert any("language=de" in value for name, value in answers["language"]["headers"])


def test_no_other_host_can_set_our_cookies(answers):
    """A browser accepts a cookie with this prefix only from this host, over TLS, for all paths."""
    cookies = [value for name, value in answers["home"]["headers"] if name == "set-cookie"]
    assert cookies
    for cookie in cookies:
        assert cookie.startswith("__Host-")
        assert "Path=/;" in f"{cookie};"
        assert "Domain" not in cookie


def test_hsts_covers_subdomains_when_enabled(monkeypatch, tmp_path):
    for said in ("0", "1"):
        found = settings(monkeypatch, tmp_path, PUBLIC_URL="https://cards.example", HSTS_SUBDOMAINS=said)
        assert found["SECURE_HSTS_INCLUDE_SUBDOMAINS"] is (said == "1")


def test_pages_send_hsts(answers):
    assert dict(answers["home"]["headers"])["strict-transport-security"] == "max-age=31536000"


def test_a_same_origin_form_is_accepted(answers):
    assert answers["language"]["status"] == 302


def test_plain_http_at_the_proxy_is_redirected_to_https(answers):
    assert answers["plain"]["status"] == 301
    assert dict(answers["plain"]["headers"])["location"] == "https://cards.example:8443/"


def test_plain_http_api_requests_are_refused_not_redirected(answers):
    assert answers["told_off"]["status"] == 400
    assert "https://cards.example:8443/api/v1/" in json.loads(answers["told_off"]["body"])["detail"]


def test_the_wsgi_application_serves_pages(answers):
    assert answers["wsgi"]["status"] == 200


# --- Environment variables: what follows from them, and how an invalid value stops the start with one sentence


def settings(monkeypatch, tmp_path, **variables):
    for name in ("PUBLIC_URL", "DATABASE_URL", "SECRET_KEY", "ALLOWED_HOSTS"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("VAR_DIR", str(tmp_path / "var"))
    for name, value in variables.items():
        monkeypatch.setenv(name, str(value))
    return runpy.run_path(str(ROOT / "deploy/settings.py"))


def test_there_is_one_worker_per_core_up_to_four(monkeypatch, tmp_path):
    monkeypatch.delenv("WORKERS", raising=False)
    for cores, workers in ((1, 1), (3, 3), (64, 4)):
        monkeypatch.setattr(os, "cpu_count", lambda cores=cores: cores)
        assert settings(monkeypatch, tmp_path)["WORKERS"] == workers


def test_an_unknown_time_zone_is_refused(monkeypatch, tmp_path):
    assert settings(monkeypatch, tmp_path, TIME_ZONE="")["TIME_ZONE"] == "UTC"
    assert settings(monkeypatch, tmp_path, TIME_ZONE="Pacific/Auckland")["TIME_ZONE"] == "Pacific/Auckland"
    with pytest.raises(ImproperlyConfigured, match="TIME_ZONE must be an IANA time zone"):
        settings(monkeypatch, tmp_path, TIME_ZONE="Auckland")


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("PUBLIC_URL", "cards.example"),
        ("PUBLIC_URL", "ftp://cards.example"),
        ("PUBLIC_URL", "https://cards.example/table"),
        ("PUBLIC_URL", "https://cards example"),
        ("PUBLIC_URL", "https://cards.example:port"),
        ("PUBLIC_URL", "https://me@cards.example"),
        ("PROXIES", "one"),
        ("PROXIES", "11"),
        ("ALLOWED_HOSTS", "https://cards.example"),
        ("CSRF_TRUSTED_ORIGINS", "cards.example"),
        ("PHONE_ADDRESS", "192.168.1.20"),
        ("DATABASE_URL", "mysql://cards"),
        ("DATABASE_URL", "postgres://localhost"),
        ("VAR_DIR", "/proc/nowhere"),
        ("SECRET_KEY", "short"),
        ("LOG_LEVEL", "LOUD"),
        ("DEBUG", "perhaps"),
        ("LOG_FORMAT", "xml"),
        ("ACCESS_LOG", "all"),
        ("METRICS_PORT", "65536"),
        ("LEAST_FREE_MEGABYTES", "-5"),
        ("WORKERS", "0"),
        ("WORKERS", "many"),
        ("SECONDS_UNTIL_DEAD", "0"),
        ("WRITES_PER_MINUTE", "-1"),
        ("SECONDS_TO_JUDGE", "1.5"),
        ("SECONDS_FOR_BODY", "a minute"),
        ("LEAST_BODY_RATE", "²"),
        ("REQUESTS_OF_ADDRESS", "1e3"),
        ("WRONG_CODES_PER_HOUR", "1 000"),
        ("ADMIN", "perhaps"),
        ("HSTS_SUBDOMAINS", "all"),
        ("SECURITY_CONTACT", "me@cards.example"),
        ("SECURITY_CONTACT", "http://cards.example/tell"),
        ("SECURITY_CONTACT", "mailto:me@cards.example, tel:nobody"),
        ("SECURITY_POLICY", "ask me"),
        ("KEEP_TABLES_DAYS", "a year"),
        ("KEEP_TABLES_DAYS", "-1"),
    ],
)
def test_an_invalid_value_is_named(monkeypatch, tmp_path, name, value):
    with pytest.raises(ImproperlyConfigured, match=f"^{name} "):
        settings(monkeypatch, tmp_path, **{name: value})


def test_an_invalid_hsts_setting_is_named(monkeypatch, tmp_path):
    with pytest.raises(ImproperlyConfigured, match=r"^HSTS_SECONDS must be a whole number"):
        settings(monkeypatch, tmp_path, PUBLIC_URL="https://cards.example", HSTS_SECONDS="ever")


def test_the_public_host_must_be_an_allowed_host(monkeypatch, tmp_path):
    with pytest.raises(ImproperlyConfigured, match=r"^ALLOWED_HOSTS must have cards.example in it"):
        settings(monkeypatch, tmp_path, PUBLIC_URL="https://cards.example", ALLOWED_HOSTS="club.example")
    settings(monkeypatch, tmp_path, PUBLIC_URL="https://cards.example", ALLOWED_HOSTS=".example")


@pytest.mark.parametrize(
    ("url", "origin", "host"),
    [
        ("https://cards.example/", "https://cards.example", "cards.example"),
        ("https://cards.example:443", "https://cards.example", "cards.example"),
        ("HTTPS://Cards.Example:8443", "https://cards.example:8443", "cards.example"),
        ("http://[2001:db8::1]:8000", "http://[2001:db8::1]:8000", "[2001:db8::1]"),
    ],
)
def test_the_public_url_sets_host_and_origin(monkeypatch, tmp_path, url, origin, host):
    found = settings(monkeypatch, tmp_path, PUBLIC_URL=url)
    assert (found["PUBLIC_URL"], found["CSRF_TRUSTED_ORIGINS"]) == (origin, [origin])
    assert found["ALLOWED_HOSTS"] == [host, "localhost", "127.0.0.1", "[::1]"]
    secure = url.lower().startswith("https")
    assert found["LANGUAGE_COOKIE_SECURE"] is found["CSRF_COOKIE_SECURE"] is found["SECURE_SSL_REDIRECT"] is secure
    assert bool(found["SECURE_HSTS_SECONDS"]) is secure


def test_an_invalid_setting_fails_a_command_with_one_sentence(tmp_path):
    ran = manage("check", VAR_DIR=tmp_path, PUBLIC_URL="cards.example")
    said = "PUBLIC_URL must be an address such as https://cards.example, not 'cards.example'."
    assert (ran.returncode, ran.stderr) == (1, f"A setting is wrong: {said}\n")


def test_django_checks_pass(tmp_path):
    ran = manage("check", "--deploy", "--fail-level", "WARNING", VAR_DIR=tmp_path, PUBLIC_URL="https://cards.example")
    assert ran.returncode == 0, ran.stderr
    ran = manage("check", "--deploy", "--fail-level", "WARNING", VAR_DIR=tmp_path)
    assert ran.returncode == 1
    assert "PUBLIC_URL is not set" in ran.stderr
