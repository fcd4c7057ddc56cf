"""The command that serves: what it says, how it stops, and what it says when it cannot start."""

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

import pytest

from deploy.certificate import fingerprint
from deploy.network import local_network_address
from tests.deploy.managing import running, surroundings
from tests.scoring.live.driving import bring_up_to_date, free_port, serving

ROOT = Path(__file__).resolve().parent.parent.parent


@dataclass
class Run:
    """The command, started; what it says on both channels goes to a file."""

    process: subprocess.Popen[bytes]
    output: Path
    reader: threading.Thread

    @property
    def said(self) -> str:
        return self.output.read_text()

    def url(self) -> str:
        """Wait until it serves, and return the address that it gives."""
        deadline = time.monotonic() + 60
        while "Ctrl-C stops it." not in self.said:
            assert self.process.poll() is None, self.said
            assert time.monotonic() < deadline, f"It does not serve:\n{self.said}"
            time.sleep(0.05)
        return first_group(re.search(r"On this computer:\s+(\S+)/\n", self.said))

    def ctrl_c(self) -> str:
        """Press Ctrl-C: like from a terminal, it reaches every process of the group. Return what was said of it."""
        before = self.said
        os.killpg(self.process.pid, signal.SIGINT)
        assert self.process.wait(timeout=60) == 0
        self.reader.join(timeout=60)
        return self.said.removeprefix(before)

    def excuse(self) -> str:
        """Wait until it gives up, and return why."""
        assert self.process.wait(timeout=60) == 1
        self.reader.join(timeout=60)
        assert "Traceback" not in self.said
        return self.said.strip()


def note_down(terminal: int, output: Path) -> None:
    """Write down what a terminal shows until nobody writes to it any more."""
    with output.open("ab", buffering=0) as file, contextlib.suppress(OSError):
        while shown := os.read(terminal, 65536):
            file.write(shown)
    os.close(terminal)


def first_group(match: re.Match[str] | None) -> str:
    assert match
    return match[1]


@pytest.fixture
def start(tmp_path):
    """Start the command with variables of the environment; what still runs at the end of the test is ended.

    Static files and an empty database are there already, unless it is to be the first start in its folder.
    """
    runs: list[Run] = []

    def start(*, first: bool = False, **environment: str) -> Run:
        if not first:
            bring_up_to_date(tmp_path, environment.get("DATABASE_URL", ""))
        # A terminal, for people: without one there is a line of the log instead.
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
def test_it_works(start, tmp_path):
    run = start(first=True)
    url = run.url()
    assert "localhost" in url
    with get(url) as answer:
        assert "<title>" in answer.read().decode()
    assert (tmp_path / "db.sqlite3").exists()
    assert run.ctrl_c() == ""


def test_static_files_are_served_under_names_with_a_hash(start):
    url = start(first=True).url()
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


def test_static_files_are_collected_once(start, tmp_path):
    first = start(first=True)
    first.url()
    first.ctrl_c()
    manifest = tmp_path / "static" / "staticfiles.json"
    collected = manifest.stat().st_mtime_ns
    start().url()
    assert manifest.stat().st_mtime_ns == collected


def test_an_answer_that_never_ends_is_cut(start):
    run = start(DJANGO_SETTINGS_MODULE="tests.deploy.streaming_settings", WORKERS="1")
    with get(f"{run.url()}/endless/") as stream:
        assert stream.readline() == b": ping\n"
        assert "running task(s), timeout graceful shutdown exceeded" in run.ctrl_c()


def test_a_body_that_stalls_is_answered_and_its_line_closed(start):
    run = start(HOST="127.0.0.1", SECONDS_FOR_BODY="4", REQUESTS_OF_ADDRESS="2", WORKERS="1")
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


def test_what_is_sent_from_localhost_leads_phones_here(start):
    url = start().url()
    phones = local_network_address()
    with get(f"{url}/ask/ace-trump/trick/?cards=8MS&cards=XS") as answer:
        page = answer.read().decode()
    expected = url if phones is None else url.replace("localhost", phones)
    assert f"{expected}/ask/ace-trump/trick/" in page


def test_people_are_shown_a_code_for_their_phones(start):
    run = start()
    run.url()
    assert ("On phones in the same network:" in run.said) == ("\033[97;40m" in run.said)
    assert "The table is open.\n" in run.said


def test_nobody_is_shown_anything_where_there_is_no_terminal(tmp_path, monkeypatch):
    monkeypatch.setenv("PUBLIC_URL", "https://cards.example")
    with serving(tmp_path) as server:
        assert server.stop() == 0
    (line,) = server.log.read_text().splitlines()
    said = f"The table is open for https://cards.example; it listens on http://127.0.0.1:{server.port}/"
    assert line.endswith(f"INFO deploy.run: {said}")


def test_a_log_says_what_a_terminal_would(tmp_path, monkeypatch):
    """That a proxy has no name, and by which fingerprint the own certificate is known."""
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


def test_host_restricts_who_reaches_it(start):
    run = start(HOST="127.0.0.1")
    assert "127.0.0.1" in run.url()
    assert "No phone can reach it: it listens on 127.0.0.1 only." in run.said


def test_another_database(start, tmp_path):
    start(DATABASE_URL=f"sqlite:///{tmp_path}/elsewhere.sqlite3").url()
    assert (tmp_path / "elsewhere.sqlite3").exists()
    assert not (tmp_path / "db.sqlite3").exists()


@pytest.mark.smoke
def test_on_postgresql(start, postgres):
    run = start(DATABASE_URL=postgres.url(postgres.create_database()))
    with get(run.url()) as answer:
        assert answer.status == 200
    assert run.ctrl_c() == ""


def test_with_a_certificate_made_on_the_spot(start, tmp_path):
    run = start(HTTPS="1", WORKERS="1")
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


def test_a_busy_port(start):
    with socket.socket() as listener:
        listener.bind(("0.0.0.0", 0))
        listener.listen(1)
        port = listener.getsockname()[1]
        assert start(PORT=str(port)).excuse().startswith(f"Port {port} is busy")


@pytest.mark.parametrize("port", ["http", "0", "65536", "-1", "²"])
def test_a_port_that_is_none(start, port):
    assert start(PORT=port).excuse().startswith("A setting is wrong: PORT must be a whole number from 1 to 65535")


@pytest.mark.parametrize(
    ("url", "sentence"),
    [
        ("mysql://host/name", "A setting is wrong: DATABASE_URL must start with sqlite:// or postgres://."),
        ("sqlite:////nowhere/at/all.sqlite3", "The database cannot be reached: unable to open database file."),
        ("postgres://127.0.0.1:1/name", "The database cannot be reached: connection failed"),
    ],
)
def test_a_database_that_is_not_there(start, url, sentence):
    assert start(DATABASE_URL=url).excuse().startswith(sentence)


def test_an_unknown_page_is_an_answer_not_an_error(start):
    run = start()
    url = run.url()
    before = run.said
    with pytest.raises(urllib.error.HTTPError, match="404"):
        get(f"{url}/nowhere/")
    assert run.said == before
