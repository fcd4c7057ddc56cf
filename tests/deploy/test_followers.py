"""Pages that look on, on what serves them: rights are asked for each, and what they see alike is drawn once."""

import asyncio
import http.client

import pytest
from django.db import InterfaceError
from django.test import override_settings

from deploy import followers
from deploy.followers import Followers
from scoring.pages.device.access import LOOK
from scoring.queries.looking_on import Look
from tests.bench.bench_taps import Phone
from tests.clock import by_the_clock
from tests.scoring.live.driving import serving

OPEN_LOG = {"Table-Open": "log"}


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    with serving(tmp_path_factory.mktemp("followers")) as server:
        yield server


def link(server, table, role, seat=None):
    status, made = server.post(f"tables/{table.code}/links/", {"role": role, "seat": seat}, table.token)
    assert status == 201, made
    return made


def fetch(server, phone, **headers):
    """Fetch what a page fetches, whole; return the status and the text."""
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=60)
    cookie = "; ".join(f"{name}={value}" for name, value in phone.cookies.items())
    connection.request("GET", phone.path, headers={"HX-Request": "true", "Cookie": cookie, **headers})
    answer = connection.getresponse()
    return answer.status, answer.read().decode()


def test_all_who_look_on_read_the_same_and_every_change(server):
    table = server.open_table()
    one, other = Phone(server.port, table.code), Phone(server.port, table.code)
    for text in ("The first note.", "The second note."):
        server.post(f"tables/{table.code}/events/", {"type": "note", "text": text}, table.token)
        first = fetch(server, one, **OPEN_LOG)
        assert first == fetch(server, one, **OPEN_LOG) == fetch(server, other, **OPEN_LOG)
        assert first[0] == 200
        assert text in first[1]


def test_each_reads_what_is_open_on_its_page(server):
    table = server.open_table()
    phone = Phone(server.port, table.code)
    server.post(f"tables/{table.code}/events/", {"type": "note", "text": "The first note."}, table.token)
    assert "The first note." not in fetch(server, phone)[1]
    assert "The first note." in fetch(server, phone, **OPEN_LOG)[1]
    assert "The first note." not in fetch(server, phone)[1]


def test_a_page_that_is_left_open_puts_its_table_on_the_device(server):
    """Nobody has opened it twice; but a stream comes with the cookie that the page was given."""
    phone = Phone(server.port, server.open_table().code)
    listed = f'href="{phone.path}"'
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=60)
    cookie = "; ".join(f"{name}={value}" for name, value in phone.cookies.items())
    for kept in (False, True):
        connection.request("GET", "/", headers={"Cookie": cookie})
        assert (listed in connection.getresponse().read().decode()) is kept
        stream = http.client.HTTPConnection("127.0.0.1", server.port, timeout=60)
        stream.request("GET", f"/api/v1/tables/{phone.path.split('/')[2]}/stream/", headers={"Cookie": cookie})
        assert stream.getresponse().status == 200
        stream.close()


def test_each_reads_its_own_language(server):
    phone = Phone(server.port, server.open_table().code)
    english, german = fetch(server, phone), fetch(server, phone, **{"Accept-Language": "de"})
    assert english != german
    assert fetch(server, phone) == english


def test_who_records_is_given_nothing_of_it(server):
    table = server.open_table()
    looks_on = Phone(server.port, table.code)
    keeps, plays = (
        Phone(server.port, table.code, token) for token in (table.token, link(server, table, "player", 1)["token"])
    )
    _, seen = fetch(server, looks_on)
    for phone in (keeps, plays):
        status, own = fetch(server, phone)
        assert status == 200
        assert "<form" in own
        assert "<form" not in seen


def test_a_right_that_is_gone_is_gone_at_once(server):
    table = server.open_table()
    spectator = link(server, table, "spectator")
    stranger, invited = Phone(server.port, table.code), Phone(server.port, table.code, spectator["token"])
    assert fetch(server, stranger)[0] == fetch(server, invited)[0] == 200
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=60)
    headers = {"Authorization": f"Bearer {table.token}", "Content-Type": "application/json"}
    connection.request("PATCH", f"/api/v1/tables/{table.code}/", '{"private": true}', headers)
    assert connection.getresponse().status == 200
    assert [fetch(server, phone)[0] for phone in (stranger, invited)] == [404, 200]
    assert server.delete(f"tables/{table.code}/links/{spectator['id']}/", table.token) == 204
    assert fetch(server, invited)[0] == 404


def test_a_header_that_comes_twice_gives_nobody_else_another_answer(server):
    table = server.open_table()
    phone, odd = Phone(server.port, table.code), Phone(server.port, table.code)
    for twice in ([("HX-Request", "false")], [("Table-Open", "log"), ("Table-Open", "")]):
        server.post(f"tables/{table.code}/events/", {"type": "note", "text": "A note."}, table.token)
        fetch_oddly(server, odd, [*twice, ("HX-Request", "true")])
        seen = fetch(server, phone)[1]
        assert "<!doctype" not in seen
        assert "A note." not in seen


def test_who_sends_half_a_body_lets_nobody_wait(server):
    table = server.open_table()
    phone, slow = Phone(server.port, table.code), Phone(server.port, table.code)
    fetch(server, slow)
    server.post(f"tables/{table.code}/events/", {"type": "note", "text": "A note."}, table.token)
    answer = fetch_oddly(server, slow, [("HX-Request", "true"), ("Content-Length", "100")])
    assert "A note." not in answer
    assert 'id="table"' in answer, "what was drawn, and not after some seconds that the body was too slow"
    assert fetch(server, phone) == (200, answer)


def fetch_oddly(server, phone, headers):
    """Fetch with headers that a dictionary cannot hold."""
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=60)
    connection.putrequest("GET", phone.path)
    for name, value in [("Cookie", "; ".join(f"{each}={value}" for each, value in phone.cookies.items())), *headers]:
        connection.putheader(name, value)
    connection.endheaders()
    return connection.getresponse().read().decode()


def looking_on(callers):
    return {caller: Look(1, caller[0], 3, "") for caller in callers}


HEADERS = [(b"hx-request", b"true"), (b"host", b"localhost")]
SCOPE = {"type": "http", "method": "GET", "path": "/t/ABCDEFGH/", "query_string": b"", "headers": HEADERS}


async def answers(application, *, callers):
    """Return what callers get, one after the other."""
    bodies, front = [], Followers(application)

    async def send(message):
        bodies.append(message.get("body"))

    for _ in range(callers):
        await asyncio.wait_for(front(SCOPE, None, send), timeout=5)
    return bodies[1::2]


def test_what_was_drawn_of_another_moment_is_kept_for_nobody_else(monkeypatch):
    bodies = [b"of a later moment", b"of this moment"]

    async def application(scope, receive, send):
        if len(bodies) == 2:
            del scope[LOOK]
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": bodies.pop(0)})

    monkeypatch.setattr(followers, "_found", looking_on)
    monkeypatch.setattr(followers, "devices_of", lambda cookies: ("device",))
    with override_settings(ALLOWED_HOSTS=["*"]):
        told = by_the_clock(answers(application, callers=3))
    assert told == [b"of a later moment", b"of this moment", b"of this moment"]


def test_a_database_that_fails_once_is_asked_again(monkeypatch):
    looks = []

    def found(callers):
        looks.append(callers)
        raise InterfaceError("the connection is closed")

    async def application(scope, receive, send):
        await send({"type": "http.response.start", "status": 503, "headers": []})
        await send({"type": "http.response.body", "body": b"not now"})

    monkeypatch.setattr(followers, "_found", found)
    monkeypatch.setattr(followers, "devices_of", lambda cookies: ("device",))
    with override_settings(ALLOWED_HOSTS=["*"]):
        assert by_the_clock(answers(application, callers=2)) == [b"not now", b"not now"]
    assert len(looks) == 2


def test_a_thousand_who_ask_at_once_are_a_few_looks_and_one_drawing(monkeypatch):
    looks, drawn = [], []

    def found(callers):
        looks.append(callers)
        return looking_on(callers)

    async def application(scope, receive, send):
        drawn.append(scope)
        await asyncio.sleep(0.01)
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b"the fragment"})

    monkeypatch.setattr(followers, "_found", found)
    monkeypatch.setattr(followers, "devices_of", lambda cookies: ("device",))

    async def crowd():
        front, bodies = Followers(application), []

        async def send(message):
            bodies.append(message.get("body"))

        await asyncio.gather(*(front(SCOPE, None, send) for _ in range(1000)))
        return bodies.count(b"the fragment")

    with override_settings(ALLOWED_HOSTS=["*"]):
        assert by_the_clock(crowd()) == 1000
    assert len(drawn) == 1
    assert len(looks) < 5
