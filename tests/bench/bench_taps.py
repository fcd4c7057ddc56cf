"""A card tapped on the page and a follower's update, beside an API event and the barest view; bytes on the wire."""

import gzip
import http.client
import json
import os
import re
import tempfile
import time
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import median
from urllib.parse import urlencode

from tests import postgres
from tests.bench.bench_writes import PREPARE, SETTINGS, grow, plays
from tests.bench.table import Figure
from tests.scoring.live.driving import Server, run_python, serving

ROUNDS = int(os.environ.get("ROUNDS", "5"))
TAPS = 40
TABLE = {"game": "ace-trump", "seats": ["Ann", "Bob", "Cy", "Dot"], "first_dealer": 0}
NAMED = re.compile(r"<!--(?:\[([\w-]{7})|=(\d+)-(\d+))-->")
VERSION = re.compile(r'data-version="(\d+)"')


class Phone:
    """A browser with a table's page open: it sends what the page would and names the parts it has."""

    def __init__(self, port: int, code: str, token: str = "") -> None:
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
        self.path = f"/t/{code}/"
        self.known: list[str] = []
        self.older: dict[str, None] = {}
        self.cookies: dict[str, str] = {}
        if token:
            self.ask("GET", f"{self.path}join/")
            form = urlencode({"token": token, "csrfmiddlewaretoken": self.cookies["csrftoken"]})
            kind = {"Content-Type": "application/x-www-form-urlencoded"}
            self.ask("POST", f"{self.path}join/", form, **kind)
        page = self.ask("GET", self.path)
        self.mark = re.search(r'data-token="(\w+)"', page)[1]  # type: ignore[index]  # every table has it
        self.bytes: list[int] = []
        self.seconds = 0.0
        self.learn(page, [])

    def ask(self, method: str, path: str, body: str | None = None, **headers: str) -> str:
        headers |= {"Accept-Encoding": "gzip", "Cookie": "; ".join(f"{k}={v}" for k, v in self.cookies.items())}
        started = time.perf_counter()
        self.connection.request(method, path, body, headers)
        answer = self.connection.getresponse()
        content = answer.read()
        self.seconds = time.perf_counter() - started
        for name, value in answer.getheaders():
            if name.lower() == "set-cookie":
                key, _, rest = value.partition("=")
                self.cookies[key] = rest.partition(";")[0]
        assert answer.status in (200, 302), (answer.status, content[:300])
        self.size = len(content)
        return (gzip.decompress(content) if answer.getheader("Content-Encoding") == "gzip" else content).decode()

    def learn(self, html: str, had: list[str]) -> None:
        parts = [mark or range(int(first), int(last) + 1) for mark, first, last in NAMED.findall(html)]
        marks = [m for p in parts for m in ([p] if isinstance(p, str) else [had[place] for place in p])]
        self.known = list(dict.fromkeys(marks))
        self.older = {mark: None for mark in self.older if mark not in marks} | dict.fromkeys(marks)
        self.version = VERSION.search(html)[1]  # type: ignore[index]  # likewise

    def fetch(self) -> float:
        """Fetch the update as a notified page would; return the seconds it took."""
        had = self.known
        self.learn(self.ask("GET", self.path, **{"HX-Request": "true", "Table-Parts": ",".join(had)}), had)
        return self.seconds

    def load(self, page: str = "") -> float:
        """Open a page; return the seconds it took."""
        self.ask("GET", self.path + page)
        return self.seconds

    def tap(self, event: dict[str, object]) -> float:
        """Send a card; return the seconds it took."""
        fields = {"event": event["type"], "seat": "", "version": self.version}
        fields |= {name: value for name, value in event.items() if name not in ("type", "seat")}
        headers = {"HX-Request": "true", "X-CSRFToken": self.mark, "Idempotency-Key": str(uuid.uuid4())}
        had = [*self.known, *[mark for mark in self.older if mark not in self.known][-60:]]
        headers |= {"Table-Parts": ",".join(had), "Content-Type": "application/x-www-form-urlencoded"}
        self.learn(self.ask("POST", f"{self.path}record/", urlencode(fields, doseq=True), **headers), had)
        self.bytes.append(self.size)
        return self.seconds


def figures() -> Iterator[Figure]:
    os.environ["WRITES_PER_MINUTE"] = str(10**9)  # counted as usual, but never limited
    yield from measure_on("sqlite")
    postgres.SETTINGS.update(postgres.DURABLE)
    with postgres.Postgres.started() as database:
        yield from measure_on("postgres", database.url(database.create_database()))


def measure_on(base: str, database: str = "") -> Iterator[Figure]:
    with tempfile.TemporaryDirectory() as var, serving(Path(var), database, settings=SETTINGS) as server:
        run_python(Path(var), database, PREPARE)
        yield from compare(base, server)
        yield from young_and_old(base, server)


def young_and_old(base: str, server: Server) -> Iterator[Figure]:
    """Compare a new table with one that has seen five thousand events, alternately."""
    tables = [opened(server) for _ in range(2)]
    old_code, old_token = tables[1]
    grow(server, f"tables/{old_code}/events/", old_token)
    phones = [Phone(server.port, code, token) for code, token in tables]
    cards = [plays(number) for number in range(2)]
    acts: dict[str, Callable[[int], float]] = {
        "late-tap": lambda which: phones[which].tap(next(cards[which])),
        "late-page": lambda which: phones[which].load(),
        "late-log": lambda which: phones[which].load("log/"),
    }
    for name, act in acts.items():
        times = [(act(0), act(1)) for _ in range(TAPS * ROUNDS)]
        young, old = (median(each) for each in zip(*times, strict=True))
        yield Figure(f"taps/{name}/{base}", 1000 * old, old / young)


def compare(base: str, server: Server) -> Iterator[Figure]:
    """Measure all four alternately so that they meet the same load; the median of all rounds counts."""
    code, token = opened(server)
    phone, follower, cards = Phone(server.port, code, token), Phone(server.port, code), plays(3)
    bare = program(server, "barest/7/")
    api_code, api_token = opened(server)
    api = program(server, f"tables/{api_code}/events/", api_token)
    kinds: dict[str, Callable[[dict[str, object]], float]] = {
        "tap": phone.tap, "follow": lambda _: follower.fetch(), "event": api, "barest": bare
    }  # fmt: skip
    rounds = [measure(kinds, cards) for _ in range(ROUNDS + 1)][1:]
    seconds = {kind: median(each[kind] for each in rounds) for kind in kinds}
    for kind, beside in (("event", "barest"), ("tap", "barest"), ("follow", "event")):
        ratio = median(each[kind] / each[beside] for each in rounds)
        yield Figure(f"taps/{kind}/{base}", 1000 * seconds[kind], ratio)
    size = median(phone.bytes[-len(phone.bytes) // 2 :])
    phone.load()
    yield Figure(f"taps/bytes/{base}", size, size / phone.size)


def measure(
    kinds: dict[str, Callable[[dict[str, object]], float]], cards: Iterator[dict[str, object]]
) -> dict[str, float]:
    taken = dict.fromkeys(kinds, 0.0)
    for _ in range(TAPS):
        card = next(cards)
        for kind, act in kinds.items():
            taken[kind] += act(card) / TAPS
    return taken


def opened(server: Server) -> tuple[str, str]:
    status, table = server.post("tables/", TABLE)
    assert status == 201, table
    return table["code"], table["token"]


def program(server: Server, path: str, token: str = "") -> Callable[[dict[str, object]], float]:
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=30)
    headers = {"Content-Type": "application/json", "Authorization": f"Bearer {token}"}

    def send(event: dict[str, object]) -> float:
        body = json.dumps(event)
        started = time.perf_counter()
        connection.request("POST", f"/api/v1/{path}", body, headers | {"Idempotency-Key": str(uuid.uuid4())})
        answer = connection.getresponse()
        content = answer.read()
        assert answer.status == 201, content
        return time.perf_counter() - started

    return send
