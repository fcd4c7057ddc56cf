"""What the settings promise."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from django.conf import settings
from django.db import connection

ROOT = Path(__file__).resolve().parent.parent.parent


@pytest.mark.django_db
def test_a_record_on_sqlite_survives_a_power_cut():
    with connection.cursor() as cursor:
        assert cursor.execute("PRAGMA synchronous").fetchone() == (2,)  # FULL
        assert cursor.execute("PRAGMA busy_timeout").fetchone() == (20_000,)
    assert settings.DATABASES["default"]["OPTIONS"]["transaction_mode"] == "IMMEDIATE"


def test_pages_allow_no_inline_code(client):
    policy = client.get("/").headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy


def test_only_the_documentation_styles_itself(client):
    policy = client.get("/api/v1/docs/").headers["Content-Security-Policy"]
    assert "style-src 'self' 'unsafe-inline'" in policy
    assert "script-src 'self';" in f"{policy};"


def test_what_one_page_allows_no_other_does(client):
    for _ in range(2):
        own = [
            client.get(f"/{page}").headers["Content-Security-Policy"] for page in ("api/v1/docs/", "", "api/v1/games/")
        ]
        assert ["unsafe" in policy for policy in own] == [True, False, False]
        assert own[1] == own[2]


def test_a_cookie_is_renewed_by_a_page_and_not_by_a_copy_of_it(client):
    assert "csrftoken" in client.get("/", headers={"Sec-Fetch-Dest": "empty"}).cookies, "it has none yet"
    assert "csrftoken" in client.get("/", headers={"Sec-Fetch-Dest": "document"}).cookies
    assert "csrftoken" in client.get("/").cookies, "an old browser does not say"
    assert "csrftoken" not in client.get("/", headers={"Sec-Fetch-Dest": "empty"}).cookies


def test_the_schema_is_json_of_openapi_3_1(client):
    answer = client.get("/api/v1/schema/")
    assert answer.headers["Content-Type"].startswith("application/vnd.oai.openapi+json")
    assert answer.json()["openapi"].startswith("3.1")


@pytest.mark.parametrize("page", ["schema", "docs"])
@pytest.mark.parametrize("odd", ["version=a%0ab", "version=../..", "lang=x%0a", "lang=../..", "script=", "format=%0a"])
def test_nothing_in_a_query_breaks_the_schema_or_its_page(client, page, odd):
    assert client.get(f"/api/v1/{page}/?{odd}").status_code in (200, 400, 404)


@pytest.mark.parametrize(("language", "expected"), [("de", "de"), ("de-AT,de;q=0.9", "de"), ("en", "en"), ("fr", "en")])
def test_pages_speak_the_language_of_the_browser(client, language, expected):
    assert client.get("/", headers={"accept-language": language}).headers["Content-Language"] == expected


def test_the_asgi_application_loads():
    subprocess.run([sys.executable, "-c", "import deploy.asgi"], cwd=ROOT, check=True)


@pytest.mark.parametrize(("proxies", "scheme"), [("0", "http"), ("1", "https")])
def test_a_proxy_of_our_own_says_whether_tls_was_spoken(proxies, scheme, tmp_path):
    lines = (
        "import django; django.setup(set_prefix=False); from django.test import RequestFactory as R;"
        " print(R().get('/', headers={'X-Forwarded-Proto': 'https'}).scheme)"
    )
    around = os.environ | {"DJANGO_SETTINGS_MODULE": "deploy.settings", "PROXIES": proxies, "VAR_DIR": str(tmp_path)}
    ran = subprocess.run(
        [sys.executable, "-c", lines], cwd=ROOT, env=around, check=True, capture_output=True, text=True
    )
    assert ran.stdout == f"{scheme}\n"
