"""The lean ASGI handler: one thread for all synchronous work, none for streams."""

import asyncio
import gc
import json
import threading
from unittest.mock import patch

import pytest
from asgiref.testing import ApplicationCommunicator
from django.http import HttpResponse, StreamingHttpResponse
from django.test import override_settings
from django.urls import URLResolver, path
from django.views.decorators.csrf import csrf_exempt

from deploy import handler as callers
from deploy.handler import LeanASGIHandler
from deploy.startup import NEW_OBJECTS, load_all
from scoring.operating.pages.site import costly, looks_back
from tests.clock import by_the_clock
from tests.deploy.streaming_urls import endless

threads = []
carded = threading.Event()


@csrf_exempt
def synchronous(request):
    threads.append(threading.get_ident())
    return HttpResponse("synchronous")


@csrf_exempt
@costly
def long(request):
    threads.append(threading.get_ident())
    return HttpResponse("long" if carded.wait(5) else "nobody came through")


@csrf_exempt
def card(request):
    carded.set()
    return HttpResponse("card")


@csrf_exempt
@costly
def parts(request):
    """Answer in parts, each only after a card has been answered meanwhile."""

    def each():
        for number in range(3):
            threads.append(threading.get_ident())
            came = carded.wait(5)
            carded.clear()
            yield f"{number} " if came else "nobody came through"

    return StreamingHttpResponse(each())


@csrf_exempt
@looks_back
def history(request):
    threads.append(threading.get_ident())
    return HttpResponse("history" if request.method != "GET" or carded.wait(5) else "nobody came through")


def broken(request):
    raise RuntimeError("broken on purpose")


urlpatterns = [
    path("synchronous/", synchronous),
    path("long/", long),
    path("card/", card),
    path("parts/", parts),
    path("history/", history),
    path("broken/", broken),
    path("endless/", endless),
]


@pytest.fixture
def handler():
    threads.clear()
    with override_settings(ROOT_URLCONF=__name__):
        yield LeanASGIHandler()


def scope(address):
    return {"type": "http", "method": "GET", "path": address, "headers": [], "query_string": b""}


async def ask(handler, address):
    caller = ApplicationCommunicator(handler, scope(address))
    await caller.send_input({"type": "http.request", "body": b""})
    start = await caller.receive_output(5)
    body = await caller.receive_output(5)
    await caller.wait(5)
    return start["status"], body["body"]


def test_all_requests_share_one_thread(handler):
    async def several():
        return await asyncio.gather(*(ask(handler, "/synchronous/") for _ in range(5)))

    assert by_the_clock(several()) == [(200, b"synchronous")] * 5
    assert len(set(threads)) == 1
    assert threads[0] != threading.get_ident()


def test_slow_requests_do_not_delay_a_card(handler):
    async def both():
        long = asyncio.create_task(ask(handler, "/long/"))
        await asyncio.sleep(0)
        return await ask(handler, "/card/"), await long

    carded.clear()
    assert by_the_clock(both()) == ((200, b"card"), (200, b"long"))


def test_slow_requests_run_one_at_a_time(handler):
    async def both():
        await asyncio.gather(ask(handler, "/long/"), ask(handler, "/long/"))

    carded.set()
    by_the_clock(both())
    assert len(set(threads)) == 1


def test_streamed_work_yields_to_cards_between_chunks(handler, recwarn):
    async def both():
        caller = ApplicationCommunicator(handler, scope("/parts/"))
        await caller.send_input({"type": "http.request", "body": b""})
        assert (await caller.receive_output(5))["status"] == 200
        told = b""
        for _ in range(3):
            assert await ask(handler, "/card/") == (200, b"card")
            told += (await caller.receive_output(5))["body"]
        assert await caller.receive_output(5) == {"type": "http.response.body"}
        await caller.wait(5)
        return told

    carded.clear()
    assert by_the_clock(both()) == b"0 1 2 "
    assert len(set(threads)) == 1, "one thread, which is not that of the cards"
    assert not [each for each in recwarn if "synchronous iterator" in str(each.message)]


def test_history_requests_do_not_delay_a_card(handler):
    async def both():
        looking = asyncio.create_task(ask(handler, "/history/"))
        await asyncio.sleep(0)
        return await ask(handler, "/card/"), await looking

    carded.clear()
    assert by_the_clock(both()) == ((200, b"card"), (200, b"history"))


def test_a_request_is_resolved_once(handler):
    with patch.object(URLResolver, "resolve", autospec=True, side_effect=URLResolver.resolve) as resolve:
        assert by_the_clock(ask(handler, "/synchronous/")) == (200, b"synchronous")
    assert resolve.call_count == 1


def test_garbage_collection_does_not_run_after_every_request():
    before = gc.get_threshold()
    try:
        load_all()
        assert gc.get_threshold()[0] == NEW_OBJECTS
    finally:
        gc.set_threshold(*before)


def test_a_missing_page_is_404(handler):
    status, _ = by_the_clock(ask(handler, "/nowhere/"))
    assert status == 404


def test_a_view_that_raises_is_500_and_logged(handler, caplog):
    status, _ = by_the_clock(ask(handler, "/broken/"))
    assert status == 500
    assert "broken on purpose" in caplog.text


def test_a_stream_holds_no_thread_and_ends_with_its_reader(handler):
    async def read_a_little():
        before = threading.active_count()
        readers = [ApplicationCommunicator(handler, scope("/endless/")) for _ in range(20)]
        for reader in readers:
            await reader.send_input({"type": "http.request", "body": b""})
        for reader in readers:
            assert (await reader.receive_output(5))["status"] == 200
            assert (await reader.receive_output(5))["body"] == b": ping\n\n"
        # One thread does all synchronous work.
        assert threading.active_count() <= before + 1
        assert await ask(handler, "/synchronous/") == (200, b"synchronous")
        for reader in readers:
            await reader.send_input({"type": "http.disconnect"})
            await reader.wait(5)

    by_the_clock(read_a_little())


def posting(address="/synchronous/", client="192.0.2.1"):
    headers = [(b"content-length", b"100")]
    return scope(address) | {"method": "POST", "client": (client, 5), "headers": headers}


async def begin(handler, asked, *pieces, every=0.0):
    """Send pieces of a body that never ends; return the caller."""
    caller = ApplicationCommunicator(handler, asked)
    for piece in pieces:
        await caller.send_input({"type": "http.request", "body": piece, "more_body": True})
        await asyncio.sleep(every)
    return caller


async def answer(caller):
    start, body = await caller.receive_output(5), await caller.receive_output(5)
    await caller.wait(5)
    return start["status"], dict(start["headers"]), json.loads(body["body"])


@pytest.fixture
def quick(monkeypatch):
    monkeypatch.setattr(callers, "STRETCH", 0.1)


@override_settings(SECONDS_FOR_BODY=0, LEAST_BODY_RATE=100)
def test_a_stalled_body_is_abandoned(handler, quick):
    async def stall():
        return await answer(await begin(handler, posting(), b"x" * 50))

    status, headers, problem = by_the_clock(stall())
    assert (status, problem["code"]) == (408, "too-slow")
    assert headers[b"Content-Type"] == b"application/problem+json"
    assert headers[b"Connection"] == b"close"
    assert threads == []


@override_settings(SECONDS_FOR_BODY=0, LEAST_BODY_RATE=1000)
def test_a_trickling_body_is_abandoned(handler, quick):
    async def drip():
        return await answer(await begin(handler, posting(), *[b"x"] * 10, every=0.03))

    assert by_the_clock(drip())[0] == 408


@override_settings(SECONDS_FOR_BODY=0, LEAST_BODY_RATE=100)
def test_a_slow_but_steady_body_is_accepted(handler, quick):
    async def slowly():
        caller = await begin(handler, posting(), *[b"x" * 10] * 8, every=0.05)
        await caller.send_input({"type": "http.request", "body": b"", "more_body": False})
        return (await caller.receive_output(5))["status"]

    assert by_the_clock(slowly()) == 200


@override_settings(SECONDS_FOR_BODY=1, LEAST_BODY_RATE=1)
def test_the_whole_body_has_a_deadline(handler):
    async def long():
        return await answer(await begin(handler, posting(), *[b"x" * 100] * 12, every=0.1))

    assert by_the_clock(long())[0] == 408


@override_settings(SECONDS_FOR_BODY=0, LEAST_BODY_RATE=0)
def test_a_body_gets_a_grace_period_at_shutdown(handler, monkeypatch):
    monkeypatch.setattr(callers, "SECONDS_AT_A_STOP", 0.2)
    monkeypatch.setattr(callers, "_stop", [float("inf")])

    async def stop():
        slow, quick = [await begin(handler, posting(), b"x") for _ in range(2)]
        await asyncio.sleep(0.05)
        callers.give_up_bodies()
        await quick.send_input({"type": "http.request", "body": b"", "more_body": False})
        late = await begin(handler, posting(), b"x")
        return (await quick.receive_output(5))["status"], await answer(slow), await answer(late)

    taken, *refused = by_the_clock(stop())
    assert taken == 200
    for status, headers, problem in refused:
        assert (status, problem["code"], headers[b"Retry-After"]) == (503, "not-now", b"1")


@override_settings(SECONDS_FOR_BODY=0, LEAST_BODY_RATE=0)
def test_without_limits_a_slow_body_is_awaited(handler, quick):
    async def wait():
        caller = await begin(handler, posting(), b"x", every=0.3)
        await caller.send_input({"type": "http.request", "body": b"", "more_body": False})
        return (await caller.receive_output(5))["status"]

    assert by_the_clock(wait()) == 200


@override_settings(REQUESTS_OF_ADDRESS=2, SECONDS_FOR_BODY=0, LEAST_BODY_RATE=0)
def test_an_address_is_limited_to_its_share_of_requests(handler):
    async def crowd():
        waiting = [await begin(handler, posting(), b"x") for _ in range(2)]
        await asyncio.sleep(0.05)
        refused = await answer(await begin(handler, posting(), b"x"))
        elsewhere = await ask(handler, "/synchronous/")
        for caller in waiting:
            await caller.send_input({"type": "http.request", "body": b"", "more_body": False})
            assert (await caller.receive_output(5))["status"] == 200
            await caller.receive_output(5)
            await caller.wait(5)
        again = await begin(handler, posting())
        await again.send_input({"type": "http.request", "body": b""})
        return refused, elsewhere, (await again.receive_output(5))["status"]

    (status, headers, problem), elsewhere, again = by_the_clock(crowd())
    assert (status, problem["code"], headers[b"Retry-After"]) == (429, "throttled", b"1")
    assert elsewhere == (200, b"synchronous")
    assert again == 200


@override_settings(REQUESTS_OF_ADDRESS=2)
def test_open_streams_do_not_count_toward_the_share(handler):
    async def follow():
        readers = [ApplicationCommunicator(handler, scope("/endless/")) for _ in range(5)]
        for reader in readers:
            await reader.send_input({"type": "http.request", "body": b""})
            assert (await reader.receive_output(5))["status"] == 200
        assert await ask(handler, "/synchronous/") == (200, b"synchronous")
        for reader in readers:
            await reader.send_input({"type": "http.disconnect"})
            await reader.wait(5)

    by_the_clock(follow())


@override_settings(REQUESTS_OF_ADDRESS=1, PROXIES=1, SECONDS_FOR_BODY=0, LEAST_BODY_RATE=0)
def test_clients_behind_a_proxy_are_distinguished(handler):
    def of(guest):
        asked = posting()
        return asked | {"headers": [*asked["headers"], (b"x-forwarded-for", guest)]}

    async def crowd():
        first = await begin(handler, of(b"198.51.100.1"), b"x")
        await asyncio.sleep(0.05)
        assert (await answer(await begin(handler, of(b"198.51.100.1"), b"x")))[0] == 429
        second = await begin(handler, of(b"198.51.100.2"))
        await second.send_input({"type": "http.request", "body": b""})
        assert (await second.receive_output(5))["status"] == 200
        await first.send_input({"type": "http.disconnect"})
        await first.wait(5)

    by_the_clock(crowd())
