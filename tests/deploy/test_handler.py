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


async def opened(handler, asked):
    """Send a request without a body; return the caller."""
    caller = ApplicationCommunicator(handler, asked)
    await caller.send_input({"type": "http.request", "body": b""})
    return caller


async def hang_up(caller):
    await caller.send_input({"type": "http.disconnect"})
    await caller.wait(5)


async def ask(handler, address):
    caller = await opened(handler, scope(address))
    start = await caller.receive_output(5)
    body = await caller.receive_output(5)
    await caller.wait(5)
    return start["status"], body["body"]


async def test_all_requests_share_one_thread(handler):
    answers = await asyncio.gather(*(ask(handler, "/synchronous/") for _ in range(5)))
    assert answers == [(200, b"synchronous")] * 5
    assert len(set(threads)) == 1
    assert threads[0] != threading.get_ident()


@pytest.mark.parametrize("slow", ["long", "history"])
async def test_slow_and_history_requests_do_not_delay_a_card(handler, slow):
    carded.clear()
    asked = asyncio.create_task(ask(handler, f"/{slow}/"))
    await asyncio.sleep(0)
    assert await ask(handler, "/card/") == (200, b"card")
    assert await asked == (200, slow.encode())


async def test_slow_requests_run_one_at_a_time(handler):
    carded.set()
    await asyncio.gather(ask(handler, "/long/"), ask(handler, "/long/"))
    assert len(set(threads)) == 1


async def test_streamed_work_yields_to_cards_between_chunks(handler, recwarn):
    carded.clear()
    caller = await opened(handler, scope("/parts/"))
    assert (await caller.receive_output(5))["status"] == 200
    told = b""
    for _ in range(3):
        assert await ask(handler, "/card/") == (200, b"card")
        told += (await caller.receive_output(5))["body"]
    assert await caller.receive_output(5) == {"type": "http.response.body"}
    await caller.wait(5)
    assert told == b"0 1 2 "
    assert len(set(threads)) == 1, "one thread, which is not that of the cards"
    assert not [each for each in recwarn if "synchronous iterator" in str(each.message)]


async def test_a_request_is_resolved_once(handler):
    with patch.object(URLResolver, "resolve", autospec=True, side_effect=URLResolver.resolve) as resolve:
        assert await ask(handler, "/synchronous/") == (200, b"synchronous")
    assert resolve.call_count == 1


def test_garbage_collection_does_not_run_after_every_request():
    before = gc.get_threshold()
    try:
        load_all()
        assert gc.get_threshold()[0] == NEW_OBJECTS
    finally:
        gc.set_threshold(*before)


async def test_a_missing_page_is_404(handler):
    assert (await ask(handler, "/nowhere/"))[0] == 404


async def test_a_view_that_raises_is_500_and_logged(handler, caplog):
    assert (await ask(handler, "/broken/"))[0] == 500
    assert "broken on purpose" in caplog.text


async def test_a_stream_holds_no_thread_and_ends_with_its_reader(handler):
    before = threading.active_count()
    readers = [await opened(handler, scope("/endless/")) for _ in range(20)]
    for reader in readers:
        assert (await reader.receive_output(5))["status"] == 200
        assert (await reader.receive_output(5))["body"] == b": ping\n\n"
    # One thread does all synchronous work.
    assert threading.active_count() <= before + 1
    assert await ask(handler, "/synchronous/") == (200, b"synchronous")
    for reader in readers:
        await hang_up(reader)


def posting(client=()):
    headers = [(b"content-length", b"100"), *client]
    return scope("/synchronous/") | {"method": "POST", "client": ("192.0.2.1", 5), "headers": headers}


async def begin(handler, asked, *pieces, every=0.0):
    """Send pieces of a body that never ends; return the caller."""
    caller = ApplicationCommunicator(handler, asked)
    for piece in pieces:
        await caller.send_input({"type": "http.request", "body": piece, "more_body": True})
        await asyncio.sleep(every)
    return caller


async def end(caller):
    """Send the end of a body; return the status of the answer."""
    await caller.send_input({"type": "http.request", "body": b"", "more_body": False})
    return (await caller.receive_output(5))["status"]


async def answer(caller):
    start, body = await caller.receive_output(5), await caller.receive_output(5)
    await caller.wait(5)
    return start["status"], dict(start["headers"]), json.loads(body["body"])


@pytest.fixture
def quick(monkeypatch):
    monkeypatch.setattr(callers, "STRETCH", 0.1)


@override_settings(SECONDS_FOR_BODY=0, LEAST_BODY_RATE=100)
async def test_a_stalled_body_is_abandoned(handler, quick):
    status, headers, problem = await answer(await begin(handler, posting(), b"x" * 50))
    assert (status, problem["code"]) == (408, "too-slow")
    assert headers[b"Content-Type"] == b"application/problem+json"
    assert headers[b"Connection"] == b"close"
    assert threads == []


@override_settings(SECONDS_FOR_BODY=0, LEAST_BODY_RATE=1000)
async def test_a_trickling_body_is_abandoned(handler, quick):
    assert (await answer(await begin(handler, posting(), *[b"x"] * 10, every=0.03)))[0] == 408


@override_settings(SECONDS_FOR_BODY=0, LEAST_BODY_RATE=100)
async def test_a_slow_but_steady_body_is_accepted(handler, quick):
    assert await end(await begin(handler, posting(), *[b"x" * 10] * 8, every=0.05)) == 200


@override_settings(SECONDS_FOR_BODY=1, LEAST_BODY_RATE=1)
async def test_the_whole_body_has_a_deadline(handler):
    assert (await answer(await begin(handler, posting(), *[b"x" * 100] * 12, every=0.1)))[0] == 408


@override_settings(SECONDS_FOR_BODY=0, LEAST_BODY_RATE=0)
async def test_a_body_gets_a_grace_period_at_shutdown(handler, monkeypatch):
    monkeypatch.setattr(callers, "SECONDS_AT_A_STOP", 0.2)
    monkeypatch.setattr(callers, "_stop", [float("inf")])
    slow, quick = [await begin(handler, posting(), b"x") for _ in range(2)]
    await asyncio.sleep(0.05)
    callers.give_up_bodies()
    await quick.send_input({"type": "http.request", "body": b"", "more_body": False})
    late = await begin(handler, posting(), b"x")
    assert (await quick.receive_output(5))["status"] == 200
    for refused in (slow, late):
        status, headers, problem = await answer(refused)
        assert (status, problem["code"], headers[b"Retry-After"]) == (503, "not-now", b"1")


@override_settings(SECONDS_FOR_BODY=0, LEAST_BODY_RATE=0)
async def test_without_limits_a_slow_body_is_awaited(handler, quick):
    assert await end(await begin(handler, posting(), b"x", every=0.3)) == 200


@override_settings(REQUESTS_OF_ADDRESS=2, SECONDS_FOR_BODY=0, LEAST_BODY_RATE=0)
async def test_an_address_is_limited_to_its_share_of_requests(handler):
    waiting = [await begin(handler, posting(), b"x") for _ in range(2)]
    await asyncio.sleep(0.05)
    status, headers, problem = await answer(await begin(handler, posting(), b"x"))
    assert (status, problem["code"], headers[b"Retry-After"]) == (429, "throttled", b"1")
    assert await ask(handler, "/synchronous/") == (200, b"synchronous")
    for caller in waiting:
        assert await end(caller) == 200
        await caller.receive_output(5)
        await caller.wait(5)
    assert await end(await begin(handler, posting())) == 200


@override_settings(REQUESTS_OF_ADDRESS=2)
async def test_open_streams_do_not_count_toward_the_share(handler):
    readers = []
    for _ in range(5):
        readers.append(await opened(handler, scope("/endless/")))
        assert (await readers[-1].receive_output(5))["status"] == 200
    assert await ask(handler, "/synchronous/") == (200, b"synchronous")
    for reader in readers:
        await hang_up(reader)


@override_settings(REQUESTS_OF_ADDRESS=1, PROXIES=1, SECONDS_FOR_BODY=0, LEAST_BODY_RATE=0)
async def test_clients_behind_a_proxy_are_distinguished(handler):
    one, other = (posting([(b"x-forwarded-for", guest)]) for guest in (b"198.51.100.1", b"198.51.100.2"))
    first = await begin(handler, one, b"x")
    await asyncio.sleep(0.05)
    assert (await answer(await begin(handler, one, b"x")))[0] == 429
    assert await end(await begin(handler, other)) == 200
    await hang_up(first)
