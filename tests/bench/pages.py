"""Many open pages in one loop: each has a stream, fetches its table when that names a newer version, and may tap."""

import gzip
import re
import selectors
import socket
import sys
import time
import uuid
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from urllib.parse import urlencode

from tests.bench.bench_taps import NAMED, Phone

VERSIONS = re.compile(rb"^id: (\d+)", re.MULTILINE)
"""What a stream says; the head of its answer has the id of a request."""
LENGTH = re.compile(rb"\r\ncontent-length: (\d+)", re.IGNORECASE)
AT = re.compile(rb"\r\ntable-version: (\d+)", re.IGNORECASE)
END_OF_HEAD = b"\r\n\r\n"
GZIP = b"\x1f\x8b"
"""How a body begins that is packed; a short one is not."""
learnt: dict[tuple[str, bytes], str] = {}
"""What a page has after an answer, by what it had: in a crowd, all work out the same, and each phone does so itself."""


def learn(known: str, body: bytes) -> str:
    """Return the marks of the parts that a page has once it has put an answer in."""
    if (known, body) not in learnt:
        had = known.split(",")
        marks: list[str] = []
        for mark, first, last in NAMED.findall((gzip.decompress(body) if body.startswith(GZIP) else body).decode()):
            marks += [mark] if mark else had[int(first) : int(last) + 1]
        learnt[known, body] = ",".join(dict.fromkeys(marks))
    return learnt[known, body]


@dataclass(slots=True, eq=False)
class Page:
    """One page that somebody has open; ``shown`` is the version on it, ``came`` when each version was there,
    ``answered`` how many seconds the tap that made a version took.
    """

    home: tuple[str, int]
    address: str
    path: str
    cookie: str
    token: str
    known: str
    shown: int
    newest: int = 0
    came: list[tuple[int, float]] = field(default_factory=list)
    answered: list[tuple[int, float]] = field(default_factory=list)
    _line: socket.socket | None = None
    _events: socket.socket | None = None
    _came: bytearray = field(default_factory=bytearray)
    _sent: float = 0.0
    _tapped: float = 0.0
    _taps: list[tuple[float, dict[str, object]]] = field(default_factory=list)

    @classmethod
    def like(cls, phone: Phone, number: int, cookie: str = "") -> "Page":
        """Open what a phone has open, from another address, and on another device if its cookie is given."""
        cookie = cookie or "; ".join(f"{name}={value}" for name, value in phone.cookies.items())
        home = (phone.connection.host, phone.connection.port)
        address = f"127.1.{number // 250}.{number % 250 + 1}"
        return cls(home, address, phone.path, cookie, phone.mark, ",".join(phone.known), int(phone.version))

    def watch(self, chosen: selectors.BaseSelector) -> None:
        """Open the stream."""
        self._events = self._connect(chosen, self.hear)
        code = self.path.split("/")[2]
        self._events.sendall(self._head("GET", f"/api/v1/tables/{code}/stream/?presence=1").encode() + b"\r\n")

    def _connect(self, chosen: selectors.BaseSelector, act: Callable[[], None]) -> socket.socket:
        line = socket.create_connection(self.home, source_address=(self.address, 0))
        line.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        chosen.register(line, selectors.EVENT_READ, act)
        return line

    def _head(self, method: str, path: str) -> str:
        return f"{method} {path} HTTP/1.1\r\nHost: localhost\r\nAccept-Encoding: gzip\r\nCookie: {self.cookie}\r\n"

    def open(self, chosen: selectors.BaseSelector) -> None:
        """Open the line over which it fetches and taps."""
        self._line = self._connect(chosen, self.read)

    def hear(self) -> None:
        """Read what the stream says."""
        assert self._events
        said = self._events.recv(65536)
        assert said, "The stream has ended."
        for version in VERSIONS.findall(said):
            self.newest = max(self.newest, int(version))
        self.catch_up()

    def catch_up(self) -> None:
        """Fetch the table where there is something newer, and no request of the page itself under way."""
        if self.newest > self.shown and not self._sent:
            self._send("GET", self.path, "")

    def tap(self, event: dict[str, object]) -> None:
        """Send a card, as soon as the line is free."""
        self._taps.append((time.perf_counter(), event))
        if not self._sent:
            self._send_tap()

    @property
    def waits(self) -> bool:
        """Whether a tap has not been answered yet."""
        return bool(self._taps or self._tapped)

    def _send_tap(self) -> None:
        self._tapped, event = self._taps.pop(0)
        fields = {"event": event["type"], "seat": "", "version": self.shown}
        fields |= {name: value for name, value in event.items() if name not in ("type", "seat")}
        self._send("POST", f"{self.path}record/", urlencode(fields, doseq=True))

    def _send(self, method: str, path: str, body: str) -> None:
        assert self._line
        head = f"{self._head(method, path)}HX-Request: true\r\nTable-Parts: {self.known}\r\n"
        if body:
            head += f"X-CSRFToken: {self.token}\r\nIdempotency-Key: {uuid.uuid4()}\r\n"
            head += f"Content-Type: application/x-www-form-urlencoded\r\nContent-Length: {len(body)}\r\n"
        self._sent = time.perf_counter()
        self._line.sendall(f"{head}\r\n{body}".encode())

    def read(self) -> None:
        """Read an answer, and put it in the page once it is whole."""
        assert self._line
        self._came += self._line.recv(65536)
        head, found, body = self._came.partition(END_OF_HEAD)
        if not found or len(body) < int(LENGTH.search(head)[1]):  # type: ignore[index]  # a whole head has it
            return
        assert head.startswith(b"HTTP/1.1 200"), self._came.decode(errors="replace")
        self.known, self.shown = learn(self.known, bytes(body)), int(AT.search(head)[1])  # type: ignore[index]  # as every page
        now = time.perf_counter()
        self.came.append((self.shown, now))
        if self._tapped:
            self.answered.append((self.shown, now - self._tapped))
        self._came.clear()
        self._sent = self._tapped = 0.0
        if self._taps:
            self._send_tap()
        else:
            self.catch_up()


def run(chosen: selectors.BaseSelector, plan: Iterator[tuple[float, Callable[[], None]]], *, rest: float) -> None:
    """Do each act of a plan in its moment, then wait on for so many seconds; moments are seconds from the start."""
    started = time.perf_counter()
    planned = next(plan, None)
    until = started + rest
    while planned or time.perf_counter() < until:
        if planned and time.perf_counter() - started >= planned[0]:
            planned[1]()
            until = time.perf_counter() + rest
            planned = next(plan, None)
        for key, _ in chosen.select(0.001):
            key.data()


def finish(
    chosen: selectors.BaseSelector, keepers: Sequence[Page], pages: Sequence[Page] = (), *, seconds: float = 30
) -> None:
    """Let every tap be answered, and those who look on at the first keeper's table see it, but not for ever."""
    until = time.perf_counter() + seconds
    while any(page.waits for page in keepers) or any(page.shown < keepers[0].shown for page in pages):
        if time.perf_counter() > until:
            behind = sum(page.shown < keepers[0].shown for page in pages)
            print(
                f"{sum(page.waits for page in keepers)} taps are not answered, {behind} pages are behind.",
                file=sys.stderr,
            )
            return
        for key, _ in chosen.select(0.1):
            key.data()
