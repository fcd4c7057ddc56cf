"""Real servers, tables on them, and readers of their streams."""

import atexit
import contextlib
import functools
import http.client
import itertools
import json
import os
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar

from tests.deploy import managing
from tests.deploy.managing import ROOT, surroundings

SECONDS_TO_START = 120
SECONDS_IDLE = 10
NEW_TABLE = {
    "game": "ace-trump",
    "seats": ["Ann", "Bob", "Cy"],
    "first_dealer": 0,
    "end": {"kind": "hands", "value": 9},
}


@dataclass(frozen=True)
class Followed:
    """What has a stream, and the token of a link to it."""

    code: str
    token: str
    kind: ClassVar[str]

    @property
    def path(self) -> str:
        return f"{self.kind}/{self.code}/"

    @property
    def stream(self) -> str:
        return f"/api/v1/{self.path}stream/"


class TableLink(Followed):
    kind = "tables"


class GroupLink(Followed):
    kind = "groups"


@dataclass(slots=True)
class Server:
    """What `make run` starts."""

    port: int
    process: subprocess.Popen[bytes]
    log: Path
    _mine: threading.local = field(default_factory=threading.local)

    def post(self, path: str, body: object, token: str = "") -> tuple[int, dict[str, Any]]:
        """Send a request over this thread's connection; return the status and body of the answer."""
        headers = {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {token}"} if token else {})
        connection = self._connection()
        connection.request("POST", f"/api/v1/{path}", json.dumps(body), headers)
        answer = connection.getresponse()
        return answer.status, json.loads(answer.read())

    def delete(self, path: str, token: str) -> int:
        connection = self._connection()
        connection.request("DELETE", f"/api/v1/{path}", headers={"Authorization": f"Bearer {token}"})
        answer = connection.getresponse()
        answer.read()
        return answer.status

    def _connection(self) -> http.client.HTTPConnection:
        # A server closes idle connections after a while.
        idle = time.monotonic() - getattr(self._mine, "used", float("-inf"))
        self._mine.used = time.monotonic()
        if idle > SECONDS_IDLE:
            self._mine.connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        connection: http.client.HTTPConnection = self._mine.connection
        return connection

    def make(self, path: str, body: object, token: str = "") -> dict[str, Any]:
        """Send a request that must create something; return the answer."""
        status, answer = self.post(path, body, token)
        assert status == 201, answer
        return answer

    def open_table(self) -> TableLink:
        table = self.make("tables/", NEW_TABLE)
        return TableLink(table["code"], table["token"])

    def make_group(self, name: str = "Thursday") -> GroupLink:
        group = self.make("groups/", {"name": name, "people": ["Ann", "Bob", "Cy"]})
        return GroupLink(group["code"], group["token"])

    def open_in(self, group: GroupLink, **changes: object) -> TableLink:
        table = self.make("tables/", NEW_TABLE | changes, group.token)
        return TableLink(table["code"], table["token"])

    def make_link(self, to: Followed, role: str, **more: object) -> dict[str, Any]:
        return self.make(f"{to.path}links/", {"role": role, **more}, to.token)

    def revoke(self, link: dict[str, Any], to: Followed) -> None:
        assert self.delete(f"{to.path}links/{link['id']}/", to.token) == 204

    def record(self, table: TableLink, *events: dict[str, Any]) -> int:
        return int(self.make(f"{table.path}events/", {"events": events}, table.token)["version"])

    def note(self, table: TableLink, text: str = "Hm.") -> int:
        """Change a table in the smallest way; return its new version."""
        return self.record(table, {"type": "note", "text": text})

    @property
    def workers(self) -> list[int]:
        children = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text()
        return [int(pid) for pid in children.split()]

    def stop(self) -> int:
        """Press Ctrl-C; return the exit status."""
        os.killpg(self.process.pid, signal.SIGINT)
        return self.process.wait(timeout=60)


@contextlib.contextmanager
def serving(var: Path, database: str = "", *, port: int = 0, settings: str = "deploy.settings") -> Iterator[Server]:
    """Start a server and end it; `database` is empty for the SQLite file in `var`."""
    port = port or free_port()
    bring_up_to_date(var, database)
    environment = surroundings(
        VAR_DIR=var, HOST="127.0.0.1", PORT=port, DJANGO_SETTINGS_MODULE=settings, **database_at(database)
    )
    with running([sys.executable, "-m", "deploy.run"], environment, port, var / f"log-{port}") as server:
        yield server


def database_at(url: str) -> dict[str, str]:
    """Return the variable for a database; none for the SQLite file of a directory."""
    return {"DATABASE_URL": url} if url else {}


def bring_up_to_date(var: Path, database: str) -> None:
    """Prepare a directory as a first start would, if it is empty.

    The first start itself is covered by the tests of the server command.
    """
    names = ["static", "static.stamp"] if database else ["static", "static.stamp", "db.sqlite3"]
    if any((var / name).exists() for name in names):
        return
    for name in names:
        source = begun() / name
        (shutil.copytree if source.is_dir() else shutil.copy2)(source, var / name)


@functools.cache
def begun() -> Path:
    """Return a directory in which a server has started once, made by each test process that needs one."""
    var = Path(tempfile.mkdtemp(prefix="begun-"))
    atexit.register(shutil.rmtree, var, ignore_errors=True)
    environment = surroundings(VAR_DIR=var, DJANGO_SETTINGS_MODULE="deploy.settings")
    start = "from deploy import run; run.set_up(); run._bring_up_to_date()"
    subprocess.run([sys.executable, "-c", start], cwd=ROOT, env=environment, check=True, timeout=SECONDS_TO_START)
    return var


@contextlib.contextmanager
def serving_without_streams(
    var: Path, database: str, *, port: int = 0, settings: str = "deploy.settings"
) -> Iterator[Server]:
    """Start pages and API as a service with several processes runs them."""
    port = port or free_port()
    environment = os.environ | {"VAR_DIR": str(var), "DATABASE_URL": database, "DJANGO_SETTINGS_MODULE": settings}
    command = [sys.executable, "-m", "gunicorn", "-k", "gthread", "-w", os.environ.get("WORKERS", "1")]
    command += ["-b", f"127.0.0.1:{port}", "deploy.wsgi:application"]
    with running(command, environment, port, var / f"log-{port}") as server:
        yield server


@contextlib.contextmanager
def running(command: list[str], environment: dict[str, str], port: int, log: Path) -> Iterator[Server]:
    # Machines write faster than people, and most tests need only one process.
    environment = {"WRITES_PER_MINUTE": "0", "WORKERS": "1", **environment}
    log.unlink(missing_ok=True)
    with managing.running(command, log, environment) as process:
        deadline, server = time.monotonic() + SECONDS_TO_START, Server(port, process, log)
        while not _answers(port) or len(server.workers) < int(environment["WORKERS"]):
            assert process.poll() is None, log.read_text()
            assert time.monotonic() < deadline, log.read_text()
            time.sleep(0.05)
        yield server


def _answers(port: int) -> bool:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    try:
        connection.request("GET", "/api/v1/games/")
        return connection.getresponse().status == 200
    except OSError:
        return False
    finally:
        connection.close()


PORTS, OF_ONE = range(10_000, 30_000), 10_000
"""Ports below those the system assigns to clients, divided among the test processes."""
_next_port = itertools.count(secrets.randbelow(OF_ONE))


def free_port() -> int:
    """Return a port no one listens on and no other test of this run is given."""
    process = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw"))
    while True:
        port = PORTS[(process * OF_ONE + next(_next_port) % OF_ONE) % len(PORTS)]
        with socket.socket() as taken, contextlib.suppress(OSError):  # the port is in use: try another
            taken.bind(("127.0.0.1", port))
            return port


class Stream:
    """A reader of a stream that stops waiting after `patience` seconds; `asking` follows the address.

    `behind` is the id of the last message seen.
    """

    def __init__(
        self,
        server: Server,
        to: Followed,
        *,
        token: str = "",
        patience: float = 60,
        asking: str = "",
        behind: str = "",
    ) -> None:
        self._connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=patience)
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        headers |= {"Last-Event-ID": behind} if behind else {}
        self._connection.request("GET", to.stream + asking, headers=headers)
        self.answer = self._connection.getresponse()

    def __enter__(self) -> "Stream":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self.answer.close()
        self._connection.close()

    def block(self) -> dict[str, str] | None:
        """Return the next block, comments as `""`; nothing if the stream has ended."""
        block: dict[str, str] = {}
        while line := self.answer.readline().decode():
            if line == "\n":
                return block
            name, _, value = line.rstrip("\n").partition(":")
            block[name] = value.strip()
        return None

    def event(self) -> dict[str, str] | None:
        while (block := self.block()) is not None:
            if "event" in block:
                return block
        return None

    def kind(self) -> str:
        """Return the kind of the next event; empty if the stream has ended."""
        return (self.event() or {"event": ""})["event"]

    def expected(self) -> dict[str, str]:
        event = self.event()
        assert event, "The stream has ended."
        return event

    def version(self) -> int:
        event = self.expected()
        assert event["event"] == "changed"
        assert json.loads(event["data"]) == {"version": int(event["id"])}
        return int(event["id"])

    def follow(self, until: int) -> list[tuple[str, Any]]:
        """Return the ids and contents of rows until a table is reported at a version."""
        rows: list[tuple[str, Any]] = []
        while event := self.event():
            data = json.loads(event["data"])
            if event["event"] == "changed" and data["version"] >= until:
                return rows
            if event["event"] == "recorded":
                rows.append((event["id"], data))
        raise AssertionError("The stream has ended.")

    def next(self, *kinds: str) -> list[dict[str, Any]]:
        """Return the next events of some kinds, in this order, skipping all others."""
        found: list[dict[str, Any]] = []
        while len(found) < len(kinds):
            event = self.expected()
            if event["event"] in ("recorded", "opened", "finished", "revoked"):
                assert event["event"] == kinds[len(found)], event
                found.append({**event, "data": json.loads(event["data"])})
        return found

    def company(self) -> dict[str, Any]:
        """Return who is connected, according to the next event."""
        event = self.expected()
        assert event["event"] == "presence"
        assert set(event) == {"event", "data"}
        told: dict[str, Any] = json.loads(event["data"])
        return told

    def wait_for_company(self, company: dict[str, Any]) -> None:
        while self.company() != company:
            pass  # reading waits by itself

    def wait_for(self, version: int) -> list[int]:
        """Read until a version arrives; return everything that came."""
        came = [self.version()]
        while came[-1] < version:
            came.append(self.version())
        return came


def run_python(var: Path, database: str, code: str) -> None:
    """Run some code in another process with the same database."""
    environment = os.environ | {"VAR_DIR": str(var)} | database_at(database)
    prelude = "import django\ndjango.setup(set_prefix=False)\n"
    environment |= {"DJANGO_SETTINGS_MODULE": "deploy.settings"}
    subprocess.run([sys.executable, "-c", prelude + code], cwd=ROOT, env=environment, check=True, timeout=60)


def open_sockets(pid: int) -> int:
    count = 0
    for entry in Path(f"/proc/{pid}/fd").iterdir():
        with contextlib.suppress(FileNotFoundError):  # it was closed meanwhile
            count += os.readlink(entry).startswith("socket:")
    return count
