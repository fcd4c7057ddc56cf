"""The lean ASGI handler: one thread for everything synchronous, none for streams."""

import asyncio
import threading

import pytest
from asgiref.testing import ApplicationCommunicator
from django.http import HttpResponse
from django.test import override_settings
from django.urls import path

from deploy.handler import LeanASGIHandler
from tests.deploy.streaming_urls import endless

threads = []


def synchronous(request):
    threads.append(threading.get_ident())
    return HttpResponse("synchronous")


def broken(request):
    raise RuntimeError("broken on purpose")


urlpatterns = [path("synchronous/", synchronous), path("broken/", broken), path("endless/", endless)]


@pytest.fixture
def handler():
    threads.clear()
    with override_settings(ROOT_URLCONF=__name__):
        yield LeanASGIHandler()


def scope(address):
    return {"type": "http", "method": "GET", "path": address, "headers": [], "query_string": b""}


async def ask(handler, address):
    """Return the status and the body of an answer."""
    caller = ApplicationCommunicator(handler, scope(address))
    await caller.send_input({"type": "http.request", "body": b""})
    start = await caller.receive_output(5)
    body = await caller.receive_output(5)
    await caller.wait(5)
    return start["status"], body["body"]


def test_it_works(handler):
    assert asyncio.run(ask(handler, "/synchronous/")) == (200, b"synchronous")


def test_all_requests_share_one_thread(handler):
    async def several():
        return await asyncio.gather(*(ask(handler, "/synchronous/") for _ in range(5)))

    assert asyncio.run(several()) == [(200, b"synchronous")] * 5
    assert len(set(threads)) == 1
    assert threads[0] != threading.get_ident()


def test_a_page_that_is_not_there(handler):
    status, _ = asyncio.run(ask(handler, "/nowhere/"))
    assert status == 404


def test_a_view_that_breaks(handler, caplog):
    status, _ = asyncio.run(ask(handler, "/broken/"))
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
        # One thread does the synchronous work of all of them.
        assert threading.active_count() <= before + 1
        assert await ask(handler, "/synchronous/") == (200, b"synchronous")
        for reader in readers:
            await reader.send_input({"type": "http.disconnect"})
            await reader.wait(5)

    asyncio.run(read_a_little())


def test_it_speaks_http_only(handler):
    with pytest.raises(ValueError, match="speaks HTTP, not websocket"):
        asyncio.run(handler({"type": "websocket"}, None, None))
