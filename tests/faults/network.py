"""Faults of clocks, callers and the network: each happens while phones write, and reports what was seen."""

import contextlib
import http.client
import json
import os
import re
import shutil
import socket
import subprocess
import threading
import time
from collections.abc import Iterator
from contextlib import closing
from datetime import datetime
from pathlib import Path

from tests.e2e.test_budgets import pump
from tests.faults.load import Load
from tests.faults.service import Service
from tests.scoring.concurrency.phones import log_of
from tests.scoring.live.driving import NEW_TABLE, Server, Stream, free_port, open_sockets

# -- the clock -----------------------------------------------------------------------------------


def clock_jumps(service: Service, load: Load) -> str:
    """Set a running service's clock forward and back by a day, then by 400 days."""
    clock = Path(os.environ["FAKETIME_TIMESTAMP_FILE"])
    with Stream(service.server, load.tables[0]) as stream:
        stream.version()
        for jump in ("+1d", "-1d", "+400d", "-400d", "+0d"):
            _put(clock, jump)
            load.more(20)
            stream.version()
    days = _days_in_log(service, load)
    assert days > 700, f"the clock did not move: {days} days lie in the log"
    return "cards and streams went on through all of them"


def _put(clock: Path, jump: str) -> None:
    """Write another time atomically: a reader sees the old one or the new one."""
    new = clock.with_suffix(".new")
    new.write_text(f"{jump}\n")
    new.replace(clock)


def _days_in_log(service: Service, load: Load) -> int:
    """Return the days between the earliest and the latest log entry."""
    entries = (entry for table in load.tables for entry in log_of(service.port, table))
    times = [datetime.fromisoformat(entry["at"]) for entry in entries]
    return (max(times) - min(times)).days


@contextlib.contextmanager
def settable_clock(folder: Path) -> Iterator[None]:
    found = [*Path("/usr/lib").glob("*/faketime/libfaketimeMT.so.1"), *Path("/usr/lib/faketime").glob("*MT.so.1")]
    if not found:
        raise RuntimeError("libfaketime is not on this machine: apt-get install libfaketime")
    clock = folder / "clock"
    clock.write_text("+0d\n")
    around = {"LD_PRELOAD": str(found[0]), "FAKETIME_TIMESTAMP_FILE": str(clock), "FAKETIME_NO_CACHE": "1"}
    os.environ.update(around | {"FAKETIME_DONT_FAKE_MONOTONIC": "1", "DONT_FAKE_MONOTONIC": "1"})
    try:
        yield
    finally:
        for name in (*around, "FAKETIME_DONT_FAKE_MONOTONIC", "DONT_FAKE_MONOTONIC"):
            del os.environ[name]


# -- callers -------------------------------------------------------------------------------------


def slow_readers(service: Service, load: Load, *, callers: int = 60, seconds: float = 20) -> str:
    """Request a long answer and read a byte a second; and send a body as slowly."""
    began = time.monotonic()
    with contextlib.ExitStack() as lines:
        readers = [_line(service, f"127.4.0.{1 + number}", lines, small=True) for number in range(callers)]
        writers = [_line(service, f"127.5.0.{1 + number}", lines) for number in range(callers)]
        for line in readers:
            line.sendall(b"GET /api/v1/schema/ HTTP/1.1\r\nHost: localhost\r\n\r\n")
        for line in writers:
            line.sendall(b"POST /api/v1/tables/ HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\n")
        cut = 0
        while time.monotonic() - began < seconds:
            time.sleep(1)
            for line in readers:
                with contextlib.suppress(OSError):  # the server cut it: counted below
                    line.recv(1)
            cut = 0
            for line in writers:
                try:
                    line.send(b"x")
                except OSError:
                    cut += 1
    return f"{2 * callers} of them; the slowest card took {load.slowest(began):.1f} s; {cut} slow bodies were given up"


def half_open(service: Service, load: Load, *, lines: int = 10_000) -> str:
    """Open connections, send half a request's headers on each, then leave."""
    worker, began = service.server.workers, time.monotonic()
    before = sum(map(open_sockets, worker))
    with contextlib.ExitStack() as opened:
        for number in range(lines):
            line = _line(service, f"127.6.{number // 200}.{1 + number % 200}", opened)
            line.sendall(b"GET /api/v1/games/ HTTP/1.1\r\nHost: loc")
        held = sum(map(open_sockets, worker)) - before
        load.more(20)
        slowest = load.slowest(began)
    _wait(lambda: sum(map(open_sockets, worker)) < before + 50)
    return f"{held:,} held at once; the slowest card took {slowest:.1f} s; all are gone with their callers"


def _line(service: Service, source: str, lines: contextlib.ExitStack, *, small: bool = False) -> socket.socket:
    line = lines.enter_context(socket.socket())
    if small:
        line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    line.settimeout(30)
    line.bind((source, 0))
    line.connect(("127.0.0.1", service.port))
    return line


def _wait(condition, seconds: float = 60) -> None:
    until = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < until
        time.sleep(0.05)


def wrong_codes(service: Service, load: Load, *, tries: int = 1000) -> str:
    """Guess codes from one address; others and link holders go on."""
    letters, began = "23456789", time.monotonic()
    codes = ["X" + "".join(letters[number // 8**place % 8] for place in range(7)) for number in range(tries)]
    told = [service.get(f"/api/v1/tables/{code}/", source="127.7.0.1") for code in codes]
    assert set(told) == {404, 429}
    assert 100 <= told.count(404) < 110
    table = load.tables[0]
    path, right = f"/api/v1/tables/{table.code}/", f"Bearer {table.token}"
    assert service.get(path, source="127.7.0.2") == 200
    assert service.get(path, source="127.7.0.1", Authorization=right) == 200

    slowest = load.slowest(began)
    return f"{tries:,} tries, {told.count(404)} answered, the rest 429; the slowest card took {slowest:.1f} s"


def new_tables(service: Service, load: Load, *, tries: int = 1000) -> str:
    """Open tables endlessly from one address."""
    began = time.monotonic()
    told = [_open(service, "198.51.100.1") for _ in range(tries)]
    assert set(told) == {201, 429}
    assert _open(service, "198.51.100.2") == 201
    slowest = load.slowest(began)
    return f"{tries:,} tries, {told.count(201)} opened, the rest 429; the slowest card took {slowest:.1f} s"


def _open(service: Service, source: str) -> int:
    """Open a table from elsewhere, as a proxy would say: this machine itself has no limit."""
    headers = {"Content-Type": "application/json", "X-Forwarded-For": source}
    with closing(http.client.HTTPConnection("127.0.0.1", service.port, timeout=60)) as line:
        line.request("POST", "/api/v1/tables/", json.dumps(NEW_TABLE), headers)
        return line.getresponse().status


@contextlib.contextmanager
def behind_a_proxy(folder: Path) -> Iterator[None]:
    """Make services started meanwhile trust what a proxy says about its clients."""
    os.environ["PROXIES"] = "1"
    try:
        yield
    finally:
        del os.environ["PROXIES"]


# -- between ---------------------------------------------------------------------------------------


def hub_dies(service: Service, load: Load) -> str:
    """Take away the hub's listening connection or its mailboxes, then kill the process that holds the stream."""
    with Stream(service.server, load.tables[0]) as stream:
        stream.version()
        if service.postgres:
            with service.postgres.connect() as connection:
                asked = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE 'LISTEN%'"
                # A stream may begin before the hub listens.
                _wait(lambda: bool(connection.execute(asked.encode()).fetchall()))
        else:
            boxes = service.var / "db.sqlite3-streams"
            _wait(lambda: boxes.exists() and any(boxes.iterdir()))
            shutil.rmtree(boxes, ignore_errors=True)
        deaf = _seconds_to_hear(service, load, stream)
    service.kill_workers()
    load.more(1)
    with Stream(service.server, load.tables[0]) as stream:
        stream.version()
        return f"a stream heard of a card {deaf:.1f} s later; a new one begins with the newest version"


def _seconds_to_hear(service: Service, load: Load, stream: Stream) -> float:
    """Return how long the stream takes to report a version newer than all current ones."""
    newest = max(max(each.taken, default=0) for each in load.writers if each.table == load.tables[0])
    began = time.monotonic()
    stream.wait_for(newest + 1)
    return time.monotonic() - began


NGINX = """daemon off; {user} pid {folder}/pid; error_log {folder}/error.log; events {{}}
http {{ access_log off; {temporary}
server {{ listen 127.0.0.1:{port}; location / {{ proxy_pass http://127.0.0.1:{service}; }} }} }}
"""


def proxy_buffers(service: Service, load: Load) -> str:
    """Follow a table through a proxy unaware of streams, and through one that buffers everything."""
    told = []
    if shutil.which("nginx"):
        with _nginx(service) as port:
            server = Server(port, service.server.process, service.server.log)
            with Stream(server, load.tables[0]) as stream:
                stream.version()
                told.append(f"nginx as it comes lets a card through in {_seconds_to_hear(service, load, stream):.1f} s")
    with _keeper(service) as port:
        server = Server(port, service.server.process, service.server.log)
        table = server.open_table()
        versions = [server.note(table) for _ in range(5)]
        assert versions == [1, 2, 3, 4, 5]
    told.append("one that keeps all takes cards and lets no stream through")
    return "; ".join(told)


@contextlib.contextmanager
def _nginx(service: Service) -> Iterator[int]:
    folder, port = service.var / "nginx", free_port()
    folder.mkdir()
    names = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    temporary = " ".join(f"{name}_temp_path {folder}/{name};" for name in names)
    user = "user root;" if os.geteuid() == 0 else ""
    text = NGINX.format(folder=folder, port=port, service=service.port, temporary=temporary, user=user)
    (folder / "nginx.conf").write_text(text)
    process = subprocess.Popen(["nginx", "-p", folder, "-c", folder / "nginx.conf"], stderr=subprocess.DEVNULL)
    try:
        _wait(lambda: not _refuses(port))
        yield port
    finally:
        process.terminate()
        process.wait()


def _refuses(port: int) -> bool:
    with closing(socket.socket()) as line:
        return line.connect_ex(("127.0.0.1", port)) != 0


@contextlib.contextmanager
def _keeper(service: Service) -> Iterator[int]:
    """A proxy that forwards only complete answers, so none of a stream."""
    with socket.socket() as door:
        door.bind(("127.0.0.1", 0))
        door.listen()
        threading.Thread(target=_keep, args=(door, service.port), daemon=True).start()
        yield int(door.getsockname()[1])


def _keep(door: socket.socket, port: int) -> None:
    with contextlib.suppress(OSError):  # the socket was closed: the test is over
        while True:
            line, _ = door.accept()
            threading.Thread(target=_keep_line, args=(line, port), daemon=True).start()


def _keep_line(line: socket.socket, port: int) -> None:
    # Either end may close the connection at any time.
    with line, contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port)) as server:
        threading.Thread(target=pump, args=(line, server, []), daemon=True).start()
        kept = b""
        while came := server.recv(65536):
            kept += came
            if _whole(kept):
                line.sendall(kept)
                kept = b""


def _whole(answer: bytes) -> bool:
    head, _, body = answer.partition(b"\r\n\r\n")
    length = re.search(rb"content-length: (\d+)", head.lower())
    return bool(length and len(body) >= int(length[1]))
