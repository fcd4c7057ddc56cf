"""Static files and pages go over the wire compressed for who takes that; nothing outside the folder is served."""

import asyncio
import gzip
import json

import pytest

from deploy.assets import Assets

STYLE = "body { margin: 0 }\n" * 50


@pytest.fixture
def ask(tmp_path):
    """Return a function that asks for a path, and returns status, headers and body."""
    folder = tmp_path / "static"
    folder.mkdir()
    (folder / "style.css").write_text(STYLE)
    (folder / "icon.png").write_bytes(b"\x89PNG" + bytes(99))
    (tmp_path / "secret_key").write_text("secret")

    async def elsewhere(scope, receive, send):
        await send({"type": "http.response.start", "status": 299, "headers": []})
        await send({"type": "http.response.body", "body": b"elsewhere"})

    assets = Assets(elsewhere, prefix="/static/", folder=folder)

    def ask(path, method="GET", **headers):
        sent = []

        async def send(message):
            sent.append(message)

        given = [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]
        asyncio.run(assets({"type": "http", "method": method, "path": path, "headers": given}, None, send))
        start, body = sent
        return start["status"], dict(start["headers"]), body["body"]

    return ask


def test_it_works(ask):
    status, headers, body = ask("/static/style.css", accept_encoding="gzip, deflate, br")
    assert (status, headers[b"content-encoding"], headers[b"vary"]) == (200, b"gzip", b"accept-encoding")
    assert gzip.decompress(body).decode() == STYLE
    assert headers[b"content-type"] == b"text/css; charset=utf-8"
    assert b"immutable" in headers[b"cache-control"]


@pytest.mark.parametrize("takes", ["", "br", "gzip;q=0", "gzip; q=0.0"])
def test_who_takes_nothing_compressed_gets_it_plain(ask, takes):
    _, headers, body = ask("/static/style.css", accept_encoding=takes)
    assert b"content-encoding" not in headers
    assert body.decode() == STYLE


def test_a_picture_is_not_compressed_again(ask):
    _, headers, body = ask("/static/icon.png", accept_encoding="gzip")
    assert b"content-encoding" not in headers
    assert body.startswith(b"\x89PNG")


def test_head_tells_only_the_size(ask):
    status, headers, body = ask("/static/style.css", "HEAD")
    assert (status, headers[b"content-length"], body) == (200, str(len(STYLE)).encode(), b"")


@pytest.mark.parametrize("name", ["../secret_key", "..%2fsecret_key", "", "none.css", "/etc/passwd", "a\0b", "a" * 999])
def test_nothing_else_is_served(ask, name):
    assert ask(f"/static/{name}")[0] == 404


@pytest.mark.parametrize(
    "name", ["x/../style.css", "./style.css", "/style.css", "style.css/", "x/../../static/style.css"]
)
def test_a_file_has_one_name(ask, name):
    """Or whoever makes names up could have the same file kept in memory under all of them."""
    assert ask(f"/static/{name}")[0] == 404


def test_a_file_is_not_written_to(ask):
    assert ask("/static/style.css", "POST")[0] == 405


def test_other_paths_go_on_to_the_application(ask):
    assert ask("/")[2] == b"elsewhere"


def test_pages_and_what_programs_read_are_compressed(client, db):
    page = client.get("/new/", headers={"Accept-Encoding": "gzip"})
    assert page["Content-Encoding"] == "gzip"
    assert b"<title>" in gzip.decompress(page.content)
    answer = client.get("/api/v1/games/", headers={"Accept-Encoding": "gzip"})
    assert (answer["Content-Encoding"], "Accept-Encoding" in answer["Vary"]) == ("gzip", True)
    assert json.loads(gzip.decompress(answer.content)) == client.get("/api/v1/games/").json()
    again = client.get("/api/v1/games/", headers={"Accept-Encoding": "gzip", "If-None-Match": answer["ETag"]})
    assert (again.status_code, again.content) == (304, b"")


def test_an_answer_that_tells_a_secret_is_not_compressed(client, db):
    """How long it gets would tell what stands in it, to who can have other words put beside it."""
    table = {"game": "ace-trump", "seats": ["Ann", "Bob"], "first_dealer": 0}
    opened = client.post("/api/v1/tables/", table, "application/json", headers={"Accept-Encoding": "gzip"})
    assert "Content-Encoding" not in opened
    assert len(opened.content) > 1000
    read = client.get(opened.json()["links"]["self"], headers={"Accept-Encoding": "gzip"})
    assert (read["Content-Encoding"], read["ETag"][:5]) == ("gzip", 'W/"0-')
    page = client.get(f"/t/{opened.json()['code']}/", headers={"Accept-Encoding": "gzip"})
    assert (page["Content-Encoding"], page["Cache-Control"]) == ("gzip", "no-store")
