"""One request after the other: with the token, and with a key that makes it safe to send an act again."""

import time
from collections.abc import Mapping
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


class Calls:
    """A connection to a server."""

    def __init__(self, url: str, transport: httpx.BaseTransport | None = None) -> None:
        self.http = httpx.Client(base_url=f"{url.rstrip('/')}/api/v1/", transport=transport)

    def get(self, path: str, token: str = "", **query: str | int) -> httpx.Response:
        """Ask for something."""
        return self._send(self.http.build_request("GET", path, params=query, headers=_headers(token)))

    def act(
        self, method: str, path: str, body: object, token: str = "", version: int | None = None, **query: str | int
    ) -> httpx.Response:
        """Do something once, however often it has to be sent."""
        headers = {**_headers(token), "Idempotency-Key": str(uuid4())}
        if version is not None:
            headers["If-Match"] = f'"{version}"'
        return self._send(self.http.build_request(method, path, params=query, json=body, headers=headers))

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


def _headers(token: str) -> Mapping[str, str]:
    return {"Authorization": f"Bearer {token}"} if token else {}
