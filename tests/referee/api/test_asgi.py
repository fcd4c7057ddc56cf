"""The same answers through the ASGI handler the server runs."""

import asyncio
import json

import pytest
from asgiref.testing import ApplicationCommunicator

from deploy.handler import LeanASGIHandler


@pytest.fixture
def send():
    handler = LeanASGIHandler()

    async def exchange(parts, headers):
        scope = {
            "type": "http",
            "method": "POST",
            "path": "/api/v1/referee/deal/",
            "query_string": b"",
            "headers": headers,
        }
        caller = ApplicationCommunicator(handler, scope)
        for number, part in enumerate(parts, start=1):
            await caller.send_input({"type": "http.request", "body": part, "more_body": number < len(parts)})
        start = await caller.receive_output(20)
        body = await caller.receive_output(20)
        await caller.wait(20)
        return start["status"], json.loads(body["body"])

    return lambda parts, **headers: asyncio.run(
        exchange(parts, [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()])
    )


ASKED = b'{"game": "ace-trump", "players": 3}'
KIND = {"content_type": "application/json", "host": "localhost"}


def test_a_body_in_one_piece_is_read(send):
    status, answer = send([ASKED], content_length=str(len(ASKED)), **KIND)
    assert (status, answer["cards_each"]) == (200, [12, 12, 12])


def test_a_body_in_chunks_is_read(send):
    status, answer = send([ASKED[:9], ASKED[9:]], transfer_encoding="chunked", **KIND)
    assert (status, answer["cards_each"]) == (200, [12, 12, 12])


@pytest.mark.parametrize(
    "headers", [{"transfer_encoding": "chunked"}, {"content_length": "10000000"}, {"content_length": "9"}]
)
def test_a_body_of_ten_megabytes_is_413(send, headers):
    status, answer = send([b" " * 1_000_000] * 10, **headers, **KIND)
    assert (status, answer["code"]) == (413, "too-large")


def test_an_unknown_address_returns_a_problem():
    async def ask():
        scope = {"type": "http", "method": "GET", "path": "/api/nothing/", "query_string": b"", "headers": []}
        caller = ApplicationCommunicator(LeanASGIHandler(), scope)
        await caller.send_input({"type": "http.request"})
        return await caller.receive_output(20)

    start = asyncio.run(ask())
    assert start["status"] == 404
    assert (b"Content-Type", b"application/problem+json") in start["headers"]
