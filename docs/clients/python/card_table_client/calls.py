"""One request after the other: with the token, and with a key that makes it safe to send a write again."""

import json
import time
from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Any, NamedTuple
from uuid import uuid4

import httpx

from card_table_client.problems import check

TRIES = 6
AGAIN = (
    httpx.codes.TOO_MANY_REQUESTS,
    httpx.codes.BAD_GATEWAY,  # a proxy, while the process behind it is restarted
    httpx.codes.SERVICE_UNAVAILABLE,
    httpx.codes.GATEWAY_TIMEOUT,
)
LONGEST_WAIT = 30.0
PATIENCE = httpx.Timeout(10.0, read=40.0)
"""Seconds; an open stream sends a comment every 15."""

Query = Mapping[str, object]


class Message(NamedTuple):
    """One message of a stream."""

    event: str
    id: str
    data: Any


class Calls:
    """A connection to a server."""

    def __init__(self, url: str, language: str = "en", transport: httpx.BaseTransport | None = None) -> None:
        base, headers = f"{url.rstrip('/')}/api/v1/", {"Accept-Language": language}
        self.http = httpx.Client(base_url=base, headers=headers, transport=transport, timeout=PATIENCE)

    @cached_property
    def operations(self) -> dict[str, tuple[str, str]]:
        """The method and the address of every operation of the server, by its id."""
        paths = self.read("schema/")["paths"]
        return {
            operation["operationId"]: (method, path.removeprefix("/api/v1/"))
            for path, operations in paths.items()
            for method, operation in operations.items()
        }

    def read(self, path: str, token: str = "", query: Query | None = None) -> Any:
        """Return what an address answers: JSON, or text."""
        return _content(self._send(self.http.build_request("GET", path, params=_given(query), headers=_headers(token))))

    def write(
        self, method: str, path: str, token: str, query: Query | None, body: object, version: int | None = None
    ) -> Any:
        """Do something once, however often it has to be sent. ``version``: only if it is still at that version."""
        headers = {**_headers(token), "Idempotency-Key": str(uuid4())}
        if version is not None:
            headers["If-Match"] = f'"{version}"'
        if isinstance(body, str):  # a record as text or CSV
            headers["Content-Type"] = "text/csv" if body.startswith("format,") else "text/plain"
            sent: dict[str, Any] = {"content": body}
        else:
            sent = {} if body is None else {"json": body}
        return _content(
            self._send(self.http.build_request(method, path, params=_given(query), headers=headers, **sent))
        )

    def stream(
        self, path: str, token: str = "", query: Query | None = None, last_id: str | None = None
    ) -> Iterator[Message]:
        """Yield the messages of a stream; one that breaks off goes on behind the last that came."""
        failed = 0
        while True:
            headers = {**_headers(token), "Accept": "text/event-stream"}
            if last_id:
                headers["Last-Event-ID"] = last_id
            try:
                with self.http.stream("GET", path, params=_given(query), headers=headers) as answer:
                    if not answer.is_success:
                        answer.read()
                        if answer.status_code not in AGAIN:
                            check(answer)
                    else:
                        for message in _messages(answer.iter_lines()):
                            failed, last_id = 0, message.id or last_id
                            yield message
                            if message.event == "revoked":
                                return
            except httpx.TransportError:
                if failed >= TRIES:
                    raise
            failed += 1
            time.sleep(min(0.5 * 2**failed, LONGEST_WAIT))

    def _send(self, request: httpx.Request) -> httpx.Response:
        for left in reversed(range(TRIES)):
            try:
                answer = self.http.send(request)
            except httpx.TransportError:
                if not left:
                    raise
                time.sleep(0.5)
                continue
            if not (left and answer.status_code in AGAIN):
                return check(answer)
            time.sleep(min(float(answer.headers.get("Retry-After", 1)), LONGEST_WAIT))
        raise AssertionError("The last try answers or raises.")


def _messages(lines: Iterator[str]) -> Iterator[Message]:
    event, name, data = "message", "", list[str]()
    for line in lines:
        field, _, value = line.partition(": ")
        if field == "event":
            event = value
        elif field == "id":
            name = value
        elif field == "data":
            data.append(value)
        elif not line and data:
            yield Message(event, name, json.loads("\n".join(data)))
            event, name, data = "message", "", []


def _content(answer: httpx.Response) -> Any:
    if answer.status_code == httpx.codes.NO_CONTENT:
        return None
    return answer.json() if "json" in answer.headers.get("Content-Type", "") else answer.text


def _given(query: Query | None) -> dict[str, Any]:
    """Return the parameters that are set; options stand beside the others."""
    found: dict[str, Any] = {}
    for name, value in (query or {}).items():
        if isinstance(value, Mapping):
            found |= value
        elif value is not None:
            found[name] = value
    return found


def _headers(token: str) -> Mapping[str, str]:
    return {"Authorization": f"Bearer {token}"} if token else {}
