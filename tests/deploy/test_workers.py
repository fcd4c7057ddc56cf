"""The workers of the server command: how they are replaced and how they end."""

import contextlib
import http.client
import os
import signal
import socket
import subprocess
import threading
import time
from pathlib import Path

import pytest

from deploy.server import CannotListenError, listen
from tests.scoring.live.driving import Server, Stream, serving

PATIENT = "tests.deploy.patient_settings"


@pytest.fixture
def server(tmp_path, monkeypatch):
    monkeypatch.setenv("WORKERS", "2")
    with serving(tmp_path, settings=PATIENT) as server:
        yield server


def wait_until(condition):
    deadline = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.02)


def wait_for_two_others(server: Server, old: list[int]) -> None:
    """Wait for two new workers and until no old one accepts connections: it could accept one and hang up."""
    wait_until(lambda: len({*server.workers} - {*old}) == 2)
    wait_until(lambda: not any(map(is_alive, old)))


def is_alive(pid):
    try:
        return ") Z " not in Path(f"/proc/{pid}/stat").read_text()
    except FileNotFoundError:
        return False


def answers(server: Server) -> bool:
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=60)
    with contextlib.closing(connection):
        connection.request("GET", "/api/v1/games/")
        return connection.getresponse().status == 200


def test_connections_are_answered_while_workers_die(server):
    for _ in range(2):
        killed = server.workers
        assert len(killed) == 2
        for pid in killed:
            os.kill(pid, signal.SIGKILL)
        assert answers(server)
        wait_for_two_others(server, killed)
    assert server.stop() == 0


def is_free(port):
    try:
        listen("127.0.0.1", port).close()
    except CannotListenError:
        return False
    return True


def test_a_killed_server_frees_its_port(server):
    workers = server.workers
    with Stream(server, server.open_table()) as stream:
        assert stream.version() == 0
        server.process.kill()
        server.process.wait()
        wait_until(lambda: not any(map(is_alive, workers)))
        wait_until(lambda: is_free(server.port))


def test_sighup_replaces_all_workers(server):
    old, table = server.workers, server.open_table()
    with Stream(server, table) as stream:
        assert stream.version() == 0
        server.process.send_signal(signal.SIGHUP)
        assert answers(server)
        assert stream.event() is None, "its reader comes again: nothing is revoked"
    wait_for_two_others(server, old)
    with Stream(server, table) as stream:
        assert stream.version() == 0
    assert server.stop() == 0
    lines = server.log.read_text().splitlines()
    assert [line for line in lines if any(word in line for word in ("WARNING", "ERROR", "Traceback"))] == []


def all_of(line: socket.socket) -> bytes:
    return b"".join(iter(lambda: line.recv(65536), b""))


def test_a_stopping_worker_still_answers_new_connections(server):
    old = server.workers
    lines = [http.client.HTTPConnection("127.0.0.1", server.port, timeout=60) for _ in range(4)]
    for line in lines:
        line.connect()
    time.sleep(0.5)
    server.process.send_signal(signal.SIGHUP)
    wait_until(lambda: {*server.workers} - {*old})
    time.sleep(0.5)
    for line in lines:
        line.request("GET", "/api/v1/games/")
        assert line.getresponse().status == 200
        line.close()
    wait_for_two_others(server, old)


def test_idle_connections_are_closed(tmp_path):
    with serving(tmp_path, settings="tests.deploy.impatient_settings") as server, contextlib.ExitStack() as opened:
        table = server.open_table()
        stream = opened.enter_context(Stream(server, table))
        assert stream.version() == 0
        whole = b"GET /api/v1/games/ HTTP/1.1\r\nHost: x\r\n\r\n"
        for sent in (b"", whole[:30], whole + whole[:30]):
            line = opened.enter_context(socket.create_connection(("127.0.0.1", server.port), timeout=60))
            line.sendall(sent)
            answered = all_of(line)
            assert answered.startswith(b"HTTP/1.1 200") == (len(sent) > len(whole))
        noting = threading.Thread(target=server.note, args=[table])  # over its own connection
        noting.start()
        assert stream.version() == 1, "who reads a stream asks for nothing more"
        noting.join()


@pytest.mark.parametrize("to_all", [False, True], ids=["to the parent", "to the group"])
def test_sigterm_stops_the_server_whatever_is_running(server, to_all):
    table = server.open_table()
    with contextlib.ExitStack() as opened:
        for _ in range(4):
            assert opened.enter_context(Stream(server, table)).version() == 0
            idle = opened.enter_context(contextlib.closing(http.client.HTTPConnection("127.0.0.1", server.port)))
            idle.request("GET", "/")
            idle.getresponse().read()

        written = []

        def write_on():
            with contextlib.suppress(OSError, http.client.HTTPException):  # the server is gone: that is enough
                while True:
                    written.append(server.note(table))

        writers = [threading.Thread(target=write_on) for _ in range(3)]
        for writer in writers:
            writer.start()
        wait_until(lambda: len(written) >= 3)
        began = time.monotonic()
        (os.killpg if to_all else os.kill)(server.process.pid, signal.SIGTERM)
        assert server.process.wait(timeout=60) == 0
        assert time.monotonic() - began < 30, "no stream had to be cut"
        for writer in writers:
            writer.join()
    assert "Traceback" not in server.log.read_text()


def test_a_slow_body_does_not_delay_a_stop(server):
    head = b"POST /api/v1/referee/judge/ HTTP/1.1\r\nHost: x\r\nContent-Length: 900\r\n\r\n{"
    with contextlib.ExitStack() as opened:
        lines = [opened.enter_context(socket.create_connection(("127.0.0.1", server.port))) for _ in range(4)]
        for line in lines:
            line.sendall(head)
        assert answers(server)
        time.sleep(0.5)
        began = time.monotonic()
        server.process.terminate()
        told = [all_of(line) for line in lines]
        assert server.process.wait(timeout=60) == 0
        assert time.monotonic() - began < 20, "it had a minute for who is slow"
    for answer in told:
        assert answer.startswith(b"HTTP/1.1 503"), answer
        assert b"retry-after: 1\r\n" in answer.lower()
        assert b'"code":"not-now"' in answer.replace(b" ", b"")
    assert "Traceback" not in server.log.read_text()


def test_sigterm_stops_workers_that_are_still_starting(server):
    first = server.workers
    server.process.send_signal(signal.SIGHUP)
    wait_until(lambda: {*server.workers} - {*first})
    server.process.terminate()
    began = time.monotonic()
    with contextlib.suppress(subprocess.TimeoutExpired):  # then there is no return code; the next line fails
        server.process.wait(timeout=60)
    assert server.process.returncode == 0
    assert time.monotonic() - began < 30, "none had to be killed"


def is_held(port, line):
    """Return whether the server still holds its end of a connection, found in /proc/net by its hexadecimal ports."""
    ends = [f"0100007F:{port:04X}", f"0100007F:{line.getsockname()[1]:04X}"]
    return any(row.split()[1:4] == [*ends, "01"] for row in Path("/proc/net/tcp").read_text().splitlines())


@pytest.mark.skipif(not hasattr(socket, "TCP_USER_TIMEOUT"), reason="only Linux can do it")
def test_a_client_that_never_reads_is_disconnected(tmp_path, monkeypatch):
    monkeypatch.setenv("SECONDS_UNTIL_DEAD", "1")
    with serving(tmp_path) as server, contextlib.ExitStack() as opened:
        lines = []
        for _ in range(3):
            line = opened.enter_context(socket.socket())
            line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            line.connect(("127.0.0.1", server.port))
            line.sendall(b"GET /api/v1/schema/ HTTP/1.1\r\nHost: localhost\r\n\r\n")
            assert line.recv(12) == b"HTTP/1.1 200"
            lines.append(line)
        wait_until(lambda: not any(is_held(server.port, line) for line in lines))


def test_no_connection_buffers_many_unread_answers(server):
    """HTTP/2 would allow a hundred unread answers; it is off."""
    with socket.create_connection(("127.0.0.1", server.port), timeout=60) as line:
        line.sendall(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\4\0\0\0\0\0")
        assert line.recv(100)[:8] in (b"HTTP/1.1", b"")
