"""Recorders that write without pause while a service restarts, and followers; afterwards they compare notes.

Cards are recorded by the client in `docs/clients/python`, which retries an act as `docs/reference/tables.md` says.
"""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import chain
from random import Random

import httpx
from card_table_client import CardTable, Refused
from card_table_client.client import Table

from tests.bench.bench_referee import honest_record
from tests.deploy.proxies import HOST, OverTls, Proxy

PEOPLE = ["Ann", "Bob", "Cy", "Dot"]
RECORDERS = 2


class Counting(httpx.HTTPTransport):
    """A transport to a server under its public host name that counts retries."""

    def __init__(self) -> None:
        super().__init__(verify=False)
        self.failed: list[object] = []

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        request.headers["Host"] = request.extensions["sni_hostname"] = HOST
        try:
            answer = super().handle_request(request)
        except httpx.TransportError as why:
            self.failed.append(repr(why))
            raise
        if answer.status_code >= 500:
            self.failed.append(answer.status_code)
        return answer


class Recorder(threading.Thread):
    """Records whole hands, card after card, as fast as they are accepted."""

    def __init__(self, url: str, seed: int) -> None:
        super().__init__(daemon=True)
        self.way = Counting()
        self.server = CardTable(url, transport=self.way)
        self.table = self.server.open("ace-trump", PEOPLE)
        self.cards = chain.from_iterable(hand["events"] for hand in honest_record(Random(seed), 200)["hands"])
        self.recorded: list[object] = []
        self.slowest, self.refused = 0.0, ""
        self.enough = threading.Event()

    def run(self) -> None:
        while not self.enough.is_set():
            card, began = next(self.cards), time.monotonic()
            try:
                self.table.record(card)
            except (httpx.HTTPError, Refused, ValueError) as why:
                self.refused = repr(why)
                return
            self.recorded.append(card)
            self.slowest = max(self.slowest, time.monotonic() - began)

    def check(self) -> None:
        self.enough.set()
        self.join(timeout=120)
        assert not self.refused, f"{self.refused} after {self.way.failed}"
        kept = [event for hand in self.table.whole_record()["hands"] for event in hand["events"]]
        assert kept == self.recorded
        self.server.calls.http.close()


class Follower(threading.Thread):
    """Follows a table: reopens its stream when it ends, and counts how often."""

    def __init__(self, proxy: Proxy, table: Table) -> None:
        super().__init__(daemon=True)
        self.proxy, self.path = proxy, f"/api/v1/tables/{table.code}/stream/"
        self.version, self.opened, self.enough = 0, 0, threading.Event()

    def run(self) -> None:
        while not self.enough.is_set():
            with suppress(OSError):  # the connection broke, as intended: reopen it
                line = OverTls(self.proxy.tls)
                line.request("GET", self.path)
                answer = line.getresponse()
                self.opened += answer.status == 200
                while not self.enough.is_set() and (told := answer.readline()):
                    if told.startswith(b"id: "):
                        self.version = int(told[4:])
                line.close()
            time.sleep(0.1)


@contextmanager
def recording(url: str) -> Iterator[list[Recorder]]:
    """Have players record meanwhile, each at their own table; afterwards every event must be there exactly once."""
    recorders = [Recorder(url, seed) for seed in range(RECORDERS)]
    for recorder in recorders:
        recorder.start()
    yield recorders
    for recorder in recorders:
        recorder.check()


def wait_for_more(recorders: list[Recorder], cards: int = 5) -> None:
    goal = [len(recorder.recorded) + cards for recorder in recorders]
    deadline = time.monotonic() + 120
    while any(len(each.recorded) < least for each, least in zip(recorders, goal, strict=True)):
        assert time.monotonic() < deadline, [(each.refused, each.way.failed) for each in recorders]
        time.sleep(0.02)
