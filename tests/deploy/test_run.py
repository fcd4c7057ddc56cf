"""`make run`: network, certificate, and the first start."""

import contextlib
import gzip
import os
import pty
import re
import signal
import socket
import ssl
import subprocess
import sys
import threading
import time
import tty
import urllib.error
import urllib.request
from dataclasses import dataclass
from http.client import HTTPResponse
from pathlib import Path
from ssl import cert_time_to_seconds

import pytest
from django.core.exceptions import ImproperlyConfigured

from deploy import server
from deploy.server import certificate_for, fingerprint, local_network_address
from tests.deploy.managing import kill, running, start, surroundings
from tests.scoring.live.driving import bring_up_to_date, free_port, serving

# --- The server command: its messages, how it stops, and why it cannot start

ROOT = Path(__file__).resolve().parent.parent.parent


@dataclass
class Run:
    """The running command; its output on both streams goes to a file."""

    process: subprocess.Popen[bytes]
    output: Path
    reader: threading.Thread

    @property
    def said(self) -> str:
        return self.output.read_text()

    def url(self) -> str:
        deadline = time.monotonic() + 60
        while "Ctrl-C stops it." not in self.said:
            assert self.process.poll() is None, self.said
            assert time.monotonic() < deadline, f"It does not serve:\n{self.said}"
            time.sleep(0.05)
        return first_group(re.search(r"On this computer:\s+(\S+)/\n", self.said))

    def ctrl_c(self) -> str:
        """Press Ctrl-C: as in a terminal, it reaches every process of the group. Return what was printed then."""
        before = self.said
        os.killpg(self.process.pid, signal.SIGINT)
        assert self.process.wait(timeout=60) == 0
        self.reader.join(timeout=60)
        return self.said.removeprefix(before)

    def excuse(self) -> str:
        assert self.process.wait(timeout=60) == 1
        self.reader.join(timeout=60)
        assert "Traceback" not in self.said
        return self.said.strip()


def note_down(terminal: int, output: Path) -> None:
    """Write down what a terminal shows until no process writes to it."""
    with output.open("ab", buffering=0) as file, contextlib.suppress(OSError):
        while shown := os.read(terminal, 65536):
            file.write(shown)
    os.close(terminal)


def first_group(match: re.Match[str] | None) -> str:
    assert match
    return match[1]


@pytest.fixture
def start_run(tmp_path):
    """Start the command with environment variables; what still runs after the test is ended.

    Static files and an empty database already exist, unless this is to be the first start in its directory.
    """
    runs: list[Run] = []

    def start(*, first: bool = False, **environment: str) -> Run:
        if not first:
            bring_up_to_date(tmp_path, environment.get("DATABASE_URL", ""))
        # A terminal, for people: without one, a log line is written instead.
        terminal, end = pty.openpty()
        tty.setraw(end)
        inherited = {name: value for name, value in os.environ.items() if name not in {"DATABASE_URL", "HOST"}}
        output = tmp_path / f"output-{len(runs)}"
        output.touch()
        process = subprocess.Popen(
            [sys.executable, "-m", "deploy.run"],
            cwd=ROOT,
            env=inherited | {"VAR_DIR": str(tmp_path), "PORT": str(free_port())} | environment,
            stdin=subprocess.DEVNULL,
            stdout=end,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        os.close(end)
        reader = threading.Thread(target=note_down, args=(terminal, output), daemon=True)
        reader.start()
        runs.append(Run(process, output, reader))
        return runs[-1]

    yield start
    for run in runs:
        if run.process.poll() is None:
            os.killpg(run.process.pid, signal.SIGKILL)
            run.process.wait()


def get(url: str | urllib.request.Request) -> HTTPResponse:
    answer = urllib.request.urlopen(url, timeout=60)
    assert isinstance(answer, HTTPResponse)
    return answer


@pytest.mark.smoke
def test_the_server_serves_pages_and_stops_quietly(start_run, tmp_path):
    run = start_run(first=True)
    url = run.url()
    assert "localhost" in url
    with get(url) as answer:
        assert "<title>" in answer.read().decode()
    assert (tmp_path / "db.sqlite3").exists()
    assert run.ctrl_c() == ""


def test_static_files_are_served_under_names_with_a_hash(start_run):
    url = start_run(first=True).url()
    with get(f"{url}/api/v1/docs/") as answer:
        address = first_group(re.search(r'href="(/static/[^"]+\.[0-9a-f]{12}\.css)"', answer.read().decode()))
    with get(url + address) as answer:
        assert str(answer.headers["content-type"]).startswith("text/css")
        assert "immutable" in str(answer.headers["cache-control"])
        plain = answer.read()
    with get(urllib.request.Request(url + address, headers={"Accept-Encoding": "gzip"})) as answer:
        assert gzip.decompress(answer.read()) == plain
    for other in ("/static/../secret_key", "/static/..%2fsecret_key", "/static/none.css", "/static//etc/passwd"):
        with pytest.raises(urllib.error.HTTPError, match="404"):
            get(url + other)


def test_static_files_are_collected_once(start_run, tmp_path):
    first = start_run(first=True)
    first.url()
    first.ctrl_c()
    manifest = tmp_path / "static" / "staticfiles.json"
    collected = manifest.stat().st_mtime_ns
    start_run().url()
    assert manifest.stat().st_mtime_ns == collected


def test_an_endless_answer_is_cut_off_at_shutdown(start_run):
    run = start_run(DJANGO_SETTINGS_MODULE="tests.deploy.streaming_settings", WORKERS="1")
    with get(f"{run.url()}/endless/") as stream:
        assert stream.readline() == b": ping\n"
        assert "running task(s), timeout graceful shutdown exceeded" in run.ctrl_c()


def test_a_stalled_body_is_answered_and_its_connection_closed(start_run):
    run = start_run(HOST="127.0.0.1", SECONDS_FOR_BODY="4", REQUESTS_OF_ADDRESS="2", WORKERS="1")
    host, port = run.url().removeprefix("http://").split(":")
    head = b"POST /api/v1/referee/judge/ HTTP/1.1\r\nHost: x\r\nContent-Length: 900\r\n\r\n{"

    def answer(line):
        told = b"".join(iter(lambda: line.recv(65536), b""))
        return told.split(b"\r\n", 1)[0].split()[1]

    lines = [socket.create_connection((host, int(port)), timeout=60) for _ in range(3)]
    began = time.monotonic()
    for line in lines:
        line.sendall(head)
    assert sorted(answer(line) for line in lines) == [b"408", b"408", b"429"]
    assert 3.9 < time.monotonic() - began < 60
    with get(f"http://{host}:{port}/") as page:
        assert page.status == 200


def test_links_sent_from_localhost_open_on_phones(start_run):
    url = start_run().url()
    phones = local_network_address()
    with get(f"{url}/ask/ace-trump/trick/?cards=8MS&cards=XS") as answer:
        page = answer.read().decode()
    expected = url if phones is None else url.replace("localhost", phones)
    assert f"{expected}/ask/ace-trump/trick/" in page


def test_nothing_is_printed_without_a_terminal(tmp_path, monkeypatch):
    monkeypatch.setenv("PUBLIC_URL", "https://cards.example")
    with serving(tmp_path) as server:
        assert server.stop() == 0
    (line,) = server.log.read_text().splitlines()
    said = f"The table is open for https://cards.example; it listens on http://127.0.0.1:{server.port}/"
    assert line.endswith(f"INFO deploy.run: {said}")


def test_the_log_matches_the_terminal_output(tmp_path, monkeypatch):
    for name in ("PROXIES", "HTTPS"):
        monkeypatch.setenv(name, "1")
    log = tmp_path / "log"
    around = surroundings(VAR_DIR=tmp_path, HOST="127.0.0.1", PORT=free_port(), WORKERS="1")
    bring_up_to_date(tmp_path, "")
    with running([sys.executable, "-m", "deploy.run"], log, around):
        deadline = time.monotonic() + 60
        while "The table is open" not in log.read_text():
            assert time.monotonic() < deadline, log.read_text()
            time.sleep(0.05)
    warned, opened = log.read_text().splitlines()
    assert "WARNING deploy.run: PROXIES is 1, but " in warned
    assert opened.endswith(f", with the certificate {fingerprint(tmp_path / 'https' / 'certificate.pem')}")


def test_the_host_setting_limits_who_can_connect(start_run):
    run = start_run(HOST="127.0.0.1")
    assert "127.0.0.1" in run.url()
    assert "Phones can't reach it: it listens on 127.0.0.1 only." in run.said


def test_the_database_setting_is_used(start_run, tmp_path):
    start_run(DATABASE_URL=f"sqlite:///{tmp_path}/elsewhere.sqlite3").url()
    assert (tmp_path / "elsewhere.sqlite3").exists()
    assert not (tmp_path / "db.sqlite3").exists()


@pytest.mark.smoke
def test_the_server_runs_on_postgresql(start_run, postgres):
    run = start_run(DATABASE_URL=postgres.url(postgres.create_database()))
    with get(run.url()) as answer:
        assert answer.status == 200
    assert run.ctrl_c() == ""


def test_a_certificate_is_generated_on_demand(start_run, tmp_path):
    run = start_run(HTTPS="1", WORKERS="1")
    url = run.url()
    assert url.startswith("https://localhost:")
    trusting = ssl.create_default_context(cafile=tmp_path / "https" / "certificate.pem")
    with urllib.request.urlopen(f"{url}/", timeout=60, context=trusting) as answer:
        assert answer.status == 200
    phones = local_network_address()
    with urllib.request.urlopen(f"{url}/ask/ace-trump/trick/?cards=8MS&cards=XS", timeout=60, context=trusting) as page:
        assert (url if phones is None else url.replace("localhost", phones)) in page.read().decode()
    with pytest.raises(urllib.error.URLError, match="CERTIFICATE_VERIFY_FAILED"):
        get(url)
    assert fingerprint(tmp_path / "https" / "certificate.pem") in run.said
    assert (tmp_path / "https" / "key.pem").stat().st_mode & 0o777 == 0o600


def test_a_busy_port_is_named(start_run):
    with socket.socket() as listener:
        listener.bind(("0.0.0.0", 0))
        listener.listen(1)
        port = listener.getsockname()[1]
        assert start_run(PORT=str(port)).excuse().startswith(f"Port {port} is busy")


@pytest.mark.parametrize("port", ["http", "0", "65536", "-1", "²"])
def test_an_invalid_port_is_refused(start_run, port):
    assert start_run(PORT=port).excuse().startswith("A setting is wrong: PORT must be a whole number from 1 to 65535")


@pytest.mark.parametrize(
    ("url", "sentence"),
    [
        ("mysql://host/name", "A setting is wrong: DATABASE_URL must start with sqlite:// or postgres://."),
        ("sqlite:////nowhere/at/all.sqlite3", "The database cannot be reached: unable to open database file."),
        ("postgres://127.0.0.1:1/name", "The database cannot be reached: connection failed"),
    ],
)
def test_a_missing_database_is_reported(start_run, url, sentence):
    assert start_run(DATABASE_URL=url).excuse().startswith(sentence)


def test_an_unknown_page_is_404_and_logs_nothing(start_run):
    run = start_run()
    url = run.url()
    before = run.said
    with pytest.raises(urllib.error.HTTPError, match="404"):
        get(f"{url}/nowhere/")
    assert run.said == before


# --- The addresses of this machine, and those it cannot listen on


@pytest.fixture
def busy_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen(1)
        yield listener.getsockname()[1]


class Kernel:
    """A stand-in for the operating system's routing table: which local address routes to which remote one."""

    def __init__(self, routes):
        self.routes = routes

    def socket(self, *_):
        return self

    def __enter__(self):
        return self

    def __exit__(self, *_):
        return None

    def connect(self, address):
        if address[0] not in self.routes:
            raise OSError("Network is unreachable")
        self.own = self.routes[address[0]]

    def getsockname(self):
        return (self.own, 40000)


@pytest.mark.parametrize(
    ("routes", "address"),
    [
        ({"192.0.2.1": "192.168.1.20"}, "192.168.1.20"),
        ({"10.255.255.254": "10.0.0.7"}, "10.0.0.7"),  # a network without a gateway
        ({}, None),
        ({"192.0.2.1": "127.0.0.1"}, None),
        ({"192.0.2.1": "169.254.3.4"}, None),  # a self-assigned link-local address
        ({"192.0.2.1": "169.254.3.4", "192.168.255.254": "192.168.0.3"}, "192.168.0.3"),
    ],
)
def test_the_local_network_address_is_found(monkeypatch, routes, address):
    monkeypatch.setattr(socket, "socket", Kernel(routes).socket)
    assert server.local_network_address() == address


@pytest.mark.parametrize(("count", "whose", "handle"), [("1", 0, 3), ("0", 0, None), ("1", 1, None), ("2", 1, None)])
def test_a_socket_passed_by_systemd_is_used(monkeypatch, count, whose, handle):
    monkeypatch.setenv("LISTEN_PID", str(os.getpid() + whose))
    monkeypatch.setenv("LISTEN_FDS", count)
    monkeypatch.setattr(socket, "socket", lambda fileno: fileno)
    assert server.held_socket() == handle
    assert not {"LISTEN_PID", "LISTEN_FDS"} & {*os.environ}, "what this process starts is not meant"


def test_several_sockets_are_refused_as_ambiguous(tmp_path):
    """A drop-in can add an address to the unit's own: the second socket would be held but never answered."""
    log = tmp_path / "log"
    with socket.create_server(("127.0.0.1", 0)) as held:
        around = surroundings(VAR_DIR=tmp_path / "var")
        command = [sys.executable, "-m", "deploy.run"]
        process = start(command, log, around, held=held.fileno(), sockets=2)
        try:
            assert process.wait(timeout=60) == 1
        finally:
            kill(process)
    assert log.read_text().startswith("A setting is wrong: systemd passed 2 sockets, but this service")
    assert "an empty ListenStream=" in log.read_text()
    assert len(log.read_text().splitlines()) == 1


@pytest.mark.parametrize("host", ["127.0.0.1", "0.0.0.0"])
def test_a_busy_port_is_reported_in_one_sentence(busy_port, host):
    with pytest.raises(server.CannotListenError, match=f"^Port {busy_port} is busy"):
        server.listen(host, busy_port)


@pytest.mark.parametrize("host", ["192.0.2.77", "no-such-host.invalid"])
def test_another_machines_address_is_refused(host):
    with pytest.raises(server.CannotListenError, match=f"cannot listen on {host}"):
        server.listen(host, 8000)


# --- The certificate a laptop makes for itself: kept while valid, so that a phone asks once


@pytest.fixture
def made(tmp_path):
    return certificate_for(["192.168.1.20", "localhost"], tmp_path / "https")


def text_of(path):
    return subprocess.run(["openssl", "x509", "-noout", "-text", "-in", path], capture_output=True, text=True).stdout


def test_the_certificate_names_its_hosts(made):
    told = text_of(made[0])
    assert "IP Address:192.168.1.20, DNS:localhost" in told
    assert "CA:FALSE" in told
    assert "CN = Card table at 192.168.1.20" in told
    assert [path.stat().st_mode & 0o777 for path in made] == [0o600, 0o600]


def test_the_certificate_is_valid_no_longer_than_browsers_accept(made):
    begins, ends = map(cert_time_to_seconds, re.findall(r"Not (?:Before|After) *: (.*)", text_of(made[0])))
    assert ends - begins <= 398 * 24 * 3600


def test_a_missing_openssl_is_named(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(ImproperlyConfigured, match="needs the program openssl"):
        certificate_for(["localhost"], tmp_path)


def test_the_certificate_is_kept_while_valid(made, tmp_path):
    before = fingerprint(made[0])
    assert certificate_for(["192.168.1.20", "localhost"], tmp_path / "https") == made
    assert fingerprint(made[0]) == before


@pytest.mark.parametrize("names", [["192.168.1.21", "localhost"], ["table.local"]])
def test_another_address_gets_another_certificate(made, tmp_path, names):
    before = fingerprint(made[0])
    certificate_for(names, tmp_path / "https")
    assert fingerprint(made[0]) != before


def test_a_certificate_about_to_expire_is_replaced(tmp_path, monkeypatch):
    monkeypatch.setattr(server, "DAYS_KEPT", 20)
    before = fingerprint(certificate_for(["localhost"], tmp_path)[0])
    assert fingerprint(certificate_for(["localhost"], tmp_path)[0]) != before


@pytest.mark.parametrize("lost", ["certificate.pem", "key.pem"])
def test_incomplete_or_broken_certificate_files_are_replaced(made, tmp_path, lost):
    before = fingerprint(made[0])
    (tmp_path / "https" / lost).unlink()
    certificate_for(["localhost"], tmp_path / "https")
    assert fingerprint(made[0]) != before
    made[0].write_text("not a certificate")
    certificate_for(["localhost"], tmp_path / "https")
    assert len(fingerprint(made[0])) == 95
