"""A few keep-alive connections that each send requests one after another, as fast as they are answered."""

import json
import selectors
import socket
import time
import uuid
from collections.abc import Iterator
from dataclasses import dataclass

END_OF_HEAD = b"\r\n\r\n"


@dataclass(slots=True)
class Caller:
    """One connection and the requests it has yet to send."""

    port: int
    path: str
    token: str
    events: Iterator[dict[str, object]]
    done: int = 0
    connection: socket.socket | None = None

    def send(self) -> None:
        """Send the next event with its own idempotency key."""
        body = json.dumps(next(self.events)).encode()
        head = (
            f"POST /api/v1/{self.path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
            f"Accept: application/json\r\nAuthorization: Bearer {self.token}\r\n"
            f"Idempotency-Key: {uuid.uuid4()}\r\nContent-Length: {len(body)}\r\n\r\n"
        )
        self.open().sendall(head.encode() + body)

    def open(self) -> socket.socket:
        if self.connection is None:
            self.connection = socket.create_connection(("127.0.0.1", self.port))
            self.connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return self.connection

    def hang_up(self) -> None:
        if self.connection is not None:
            self.connection.close()
            self.connection = None

    def take(self) -> None:
        answer = self.open().recv(65536)
        while END_OF_HEAD not in answer:
            answer += self.open().recv(65536)
        head, _, body = answer.partition(END_OF_HEAD)
        assert head.startswith(b"HTTP/1.1 201"), answer.decode()
        lower = head.lower()
        length = int(lower[lower.index(b"content-length:") + 15 :].split(b"\r\n", 1)[0])
        while len(body) < length:
            body += self.open().recv(65536)
        self.done += 1


def rate(callers: list[Caller], seconds: float) -> float:
    """Run all callers for this long; return the answers per second."""
    chosen = selectors.DefaultSelector()
    before = sum(caller.done for caller in callers)
    started = time.perf_counter()
    for caller in callers:
        chosen.register(caller.open(), selectors.EVENT_READ, caller)
        caller.send()
    waiting = len(callers)
    while waiting:
        for key, _ in chosen.select():
            key.data.take()
            if time.perf_counter() - started < seconds:
                key.data.send()
            else:
                waiting -= 1
    taken = time.perf_counter() - started
    chosen.close()
    return (sum(caller.done for caller in callers) - before) / taken
