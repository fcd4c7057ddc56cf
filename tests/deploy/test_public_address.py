"""One address for all: what a request to the machine behind a proxy is answered."""

import json
import subprocess
import sys

import pytest

from tests.deploy.managing import ROOT, surroundings
from tests.deploy.test_environment_variables import settings

STORY = """
import asyncio, json, os, sys
from io import BytesIO
import deploy.asgi, deploy.wsgi
from django.core.management import call_command
call_command("migrate", verbosity=0)
call_command("collectstatic", interactive=False, verbosity=0)

def ask(method, path, body=b"", **headers):
    told = {}
    parts = [{"type": "http.request", "body": body, "more_body": False}]
    async def receive():
        return parts.pop() if parts else await asyncio.Event().wait()
    async def send(message):
        told.setdefault("status", message.get("status"))
        told["headers"] = told.get("headers", []) + [
            (name.decode().lower(), value.decode()) for name, value in message.get("headers", [])]
        told["body"] = told.get("body", "") + message.get("body", b"").decode("utf-8", "replace")
    sent = [(b"host", b"127.0.0.1:8000"), (b"content-length", b"%d" % len(body))]
    sent += [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]
    scope = {"type": "http", "method": method, "path": path, "raw_path": path.encode(), "query_string": b"",
             "headers": sent, "client": ("127.0.0.1", 1), "server": ("127.0.0.1", 8000), "scheme": "http",
             "root_path": ""}
    asyncio.run(deploy.asgi.application(scope, receive, send))
    return told

opening = json.dumps({"game": "wildcat-chicane", "seats": ["A", "B", "C"], "first_dealer": 0}).encode()
table = json.loads(ask("POST", "/api/v1/tables/", opening, content_type="application/json")["body"])
link = ask("POST", f"/api/v1/tables/{table['code']}/links/", b'{"role": "spectator"}',
           content_type="application/json", authorization=f"Bearer {table['token']}")
home = ask("GET", "/")
crumb = next(value.split(";")[0] for name, value in home["headers"] if value.startswith("__Host-csrftoken="))
form = f"language=de&next=/&csrfmiddlewaretoken={crumb.partition('=')[2]}".encode()
language = ask("POST", "/language/", form, content_type="application/x-www-form-urlencoded",
               origin="https://cards.example:8443", cookie=crumb)
plain = ask("GET", "/", x_forwarded_proto="http")
told_off = ask("GET", "/api/v1/games/", x_forwarded_proto="http")
status = []
environ = {"REQUEST_METHOD": "GET", "PATH_INFO": "/", "SERVER_NAME": "127.0.0.1", "SERVER_PORT": "8000",
           "wsgi.input": BytesIO(), "wsgi.url_scheme": "http"}
deploy.wsgi.application(environ, lambda code, headers: status.append(code))
print(json.dumps({"table": table, "link": link, "language": language, "home": home, "plain": plain,
                  "told_off": told_off, "wsgi": status}))
"""


@pytest.fixture(scope="module")
def answers(tmp_path_factory):
    """What a service at https://cards.example:8443 answers behind one proxy."""
    around = surroundings(
        VAR_DIR=tmp_path_factory.mktemp("var"), PUBLIC_URL="https://cards.example:8443", PROXIES="1", LOG_LEVEL="ERROR"
    )
    ran = subprocess.run(
        [sys.executable, "-c", STORY], cwd=ROOT, env=around, capture_output=True, text=True, timeout=60, check=False
    )
    assert ran.returncode == 0, ran.stderr
    return json.loads(ran.stdout)


def test_links_begin_with_it(answers):
    url = json.loads(answers["link"]["body"])["url"]
    assert url.startswith(f"https://cards.example:8443/t/{answers['table']['code']}/")


def test_cookies_go_over_tls_alone(answers):
    for answer in (answers["home"], answers["language"]):
        cookies = [value for name, value in answer["headers"] if name == "set-cookie"]
        assert all("Secure" in cookie for cookie in cookies)
    assert any("language=de" in value for name, value in answers["language"]["headers"])


def test_no_other_host_can_put_a_cookie_there(answers):
    """A browser takes a name that begins so from this host alone, over TLS, for all of its addresses."""
    cookies = [value for name, value in answers["home"]["headers"] if name == "set-cookie"]
    assert cookies
    for cookie in cookies:
        assert cookie.startswith("__Host-")
        assert "Path=/;" in f"{cookie};"
        assert "Domain" not in cookie


def test_names_below_it_keep_to_tls_where_that_is_said(monkeypatch, tmp_path):
    for said in ("0", "1"):
        found = settings(monkeypatch, tmp_path, PUBLIC_URL="https://cards.example", HSTS_SUBDOMAINS=said)
        assert found["SECURE_HSTS_INCLUDE_SUBDOMAINS"] is (said == "1")


def test_browsers_keep_to_tls(answers):
    assert dict(answers["home"]["headers"])["strict-transport-security"] == "max-age=31536000"


def test_a_form_of_its_own_page_is_taken(answers):
    assert answers["language"]["status"] == 302


def test_who_came_to_the_proxy_without_tls_is_sent_there(answers):
    assert answers["plain"]["status"] == 301
    assert dict(answers["plain"]["headers"])["location"] == "https://cards.example:8443/"


def test_a_program_without_tls_is_told_so_and_not_sent_on(answers):
    assert answers["told_off"]["status"] == 400
    assert "https://cards.example:8443/api/v1/" in json.loads(answers["told_off"]["body"])["detail"]


def test_pages_without_streams_see_it_too(answers):
    assert answers["wsgi"] == ["200 OK"]
