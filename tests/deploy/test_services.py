"""The files for systemd, nginx, Caddy and containers, and several machines behind a proxy."""

import gzip
import http.client
import os
import re
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import time
from contextlib import ExitStack, closing

import pytest

from tests.deploy.managing import ROOT, kill, manage, patiently, plain, start, surroundings
from tests.deploy.proxies import FILES, HOST, OverTls, caddy, nginx, read
from tests.deploy.recording import RECORDERS, Follower, recording, wait_for_more
from tests.scoring.live.driving import NEW_TABLE, free_port

UNITS = FILES / "systemd"
SETTINGS = set(re.findall(r"`([A-Z_]+)`", (ROOT / "docs/reference/settings.md").read_text()))
FILE = re.compile(rb"/static/scoring/app\.[0-9a-f]{12}\.css")


def in_unit(name, *, kind="service"):
    return re.findall(rf"^{name}=(.*)$", (UNITS / f"card-table.{kind}").read_text(), re.MULTILINE)


def here(text):
    return text.replace("/opt/card-table/.venv/bin/python", sys.executable).replace("/opt/card-table", str(ROOT))


class Unit:
    """The service started as by its units for https://cards.example; this holds its port as systemd does."""

    def __init__(self, folder):
        (listen,), (backlog,) = in_unit("ListenStream", kind="socket"), in_unit("Backlog", kind="socket")
        self.held = socket.create_server((listen.rpartition(":")[0], 0), backlog=int(backlog))
        self.port = self.held.getsockname()[1]
        self.log = folder / "log"
        (line,) = in_unit("Environment")
        around = dict(word.split("=", 1) for word in shlex.split(line))
        assert set(around) <= SETTINGS
        around |= {"VAR_DIR": str(folder / "var"), "METRICS_PORT": str(free_port()), "WORKERS": "1"}
        assert in_unit("Type") == ["notify"]
        self.told = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.told.bind(str(folder / "notify"))
        self.told.settimeout(60)
        around["NOTIFY_SOCKET"] = str(folder / "notify")
        self.around = surroundings(**around, PUBLIC_URL=f"https://{HOST}", WRITES_PER_MINUTE="0")
        self.start()

    def start(self):
        command = shlex.split(here(in_unit("ExecStart")[0]))
        self.process = start(command, self.log, self.around, held=self.held.fileno())
        assert b"READY=1" in self.told.recv(1000), "systemd waits for this"

    def reload(self):
        assert in_unit("ExecReload") == ["/bin/kill -HUP $MAINPID"]
        self.process.send_signal(signal.SIGHUP)

    def stop(self):
        self.process.terminate()
        assert self.process.wait(timeout=60) == 0, self.log.read_text()


@pytest.fixture(scope="module")
def unit(tmp_path_factory):
    unit = Unit(tmp_path_factory.mktemp("unit"))
    assert plain(unit.port, "/health/ready") == 200, "whoever knocks before it is there, waits"
    yield unit
    kill(unit.process)
    unit.held.close()


def a_table_is_kept(proxy):
    """Open a table through a proxy, follow it and share it; nothing that opens it is logged."""
    line = OverTls(proxy.tls)
    answer, body = patiently(lambda: line.ask("POST", "/api/v1/tables/", NEW_TABLE))
    assert answer.status == 201, body
    table = read(body)
    right = {"Authorization": f"Bearer {table['token']}"}
    path = f"/api/v1/tables/{table['code']}/"
    link = read(line.ask("POST", f"{path}links/", {"role": "spectator"}, **right)[1])
    assert link["url"].startswith(f"https://{HOST}/t/")
    page, _ = line.ask("GET", f"/t/{table['code']}/")
    cookies = page.headers.get_all("Set-Cookie")
    assert cookies
    assert all("Secure" in cookie for cookie in cookies)
    assert page.headers["Strict-Transport-Security"]
    assert line.ask("GET", "/health/ready")[0].status == 404
    with closing(OverTls(proxy.tls)) as stream:
        stream.request("GET", f"{path}stream/", headers={"Host": HOST})
        told = stream.getresponse()
        assert told.headers["Content-Type"].startswith("text/event-stream")
        begun = time.monotonic()
        line.ask("POST", f"{path}events/", {"type": "note", "text": "Hm."}, **right)
        while b'"version":1' not in told.readline().replace(b" ", b""):
            assert time.monotonic() - begun < 60
    line.close()
    assert "/api/v1/tables/-/" in proxy.log.read_text()
    assert table["code"] not in proxy.log.read_text()
    assert link["token"] not in proxy.log.read_text()
    assert table["token"] not in proxy.log.read_text()


def files_come_small_and_stay(proxy):
    """A page and its files: compressed, over HTTP/2 if supported, and static files cached for a year."""
    assert OverTls(proxy.tls, offering="h2").agreed() == "h2"
    with closing(OverTls(proxy.tls)) as line:
        page, body = line.ask("GET", "/", **{"Accept-Encoding": "gzip"})
        assert (page.status, page.headers["Content-Encoding"]) == (200, "gzip")
        (name, *_) = FILE.findall(gzip.decompress(body))
        file, style = line.ask("GET", name.decode(), **{"Accept-Encoding": "gzip"})
        assert (file.status, file.headers["Content-Encoding"]) == (200, "gzip")
        assert file.headers["Content-Type"].startswith("text/css")
        assert "immutable" in file.headers["Cache-Control"]
        assert b"{" in gzip.decompress(style)
        schema, body = line.ask("GET", "/api/v1/games/", **{"Accept-Encoding": "gzip"})
        assert (schema.status, schema.headers["Content-Encoding"]) == (200, "gzip")


@pytest.mark.parametrize("in_front", [nginx, caddy])
def test_a_proxy_serves_the_unit(unit, tmp_path, in_front):
    with in_front(tmp_path, unit.port) as proxy:
        a_table_is_kept(proxy)
        files_come_small_and_stay(proxy)
        with closing(http.client.HTTPConnection("127.0.0.1", proxy.plain, timeout=60)) as line:
            line.request("GET", "/", headers={"Host": HOST})
            answer = line.getresponse()
            assert answer.status in (301, 308)
            assert answer.headers["Location"] in (f"https://{HOST}/", f"https://{HOST}:{proxy.tls}/")
            answer.read()
            line.request("GET", "/api/v1/games/", headers={"Host": HOST})
            assert line.getresponse().status == (400 if in_front is nginx else 308), "a program is not sent on"


def test_a_reload_and_a_restart_lose_no_request(unit):
    """systemd holds the port, so clients wait while the service is down."""
    with recording(f"http://127.0.0.1:{unit.port}") as recorders:
        wait_for_more(recorders)
        unit.reload()
        wait_for_more(recorders)
        unit.stop()
        unit.start()
        wait_for_more(recorders)
        refused = [failed for each in recorders for failed in each.way.failed if "ConnectError" in str(failed)]
        assert refused == [], "nobody meets a closed door"


def test_systemd_accepts_the_units(tmp_path):
    for path in UNITS.glob("*.*"):
        (tmp_path / path.name).write_text(here(path.read_text()))
    units = [str(tmp_path / name) for name in ("card-table.service", "card-table.socket", "card-table-night.timer")]
    analyze = shutil.which("systemd-analyze")
    if analyze is None:
        assert not shutil.which("systemctl")
        return
    ran = subprocess.run([analyze, "verify", *units], capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stderr) == (0, "")


# --- Several processes with one PostgreSQL, as on separate machines; any of them may be down or lost


class Machine:
    """A process with its own directory, as on its own machine; everything shared is in the environment."""

    def __init__(self, folder, **shared):
        self.port, self.log = free_port(), folder / "log"
        self.around = surroundings(
            VAR_DIR=folder / "var",
            HOST="127.0.0.1",
            PORT=self.port,
            WORKERS=1,
            PROXIES=1,
            WRITES_PER_MINUTE=0,
            **shared,
        )
        self.start()

    def start(self):
        self.process = start([sys.executable, "-m", "deploy.run"], self.log, self.around)

    def end(self):
        kill(self.process)

    def is_ready(self):
        return patiently(lambda: plain(self.port, "/health/ready")) == 200


@pytest.fixture(scope="module")
def two_machines(postgres, tmp_path_factory):
    """Two two_machines started together on an empty database: one creates the tables, the other waits."""
    folder = tmp_path_factory.mktemp("machines")
    shared = {"DATABASE_URL": postgres.url(postgres.create_database()), "SECRET_KEY": "k" * 50}
    for name in ("one", "two"):
        (folder / name).mkdir()
    with ExitStack() as stack:
        both = [Machine(folder / name, **shared) for name in ("one", "two")]
        for each in both:
            stack.callback(each.end)
        for each in both:
            assert each.is_ready(), each.log.read_text()
        proxy = stack.enter_context(nginx(folder, *(each.port for each in both)))
        patiently(lambda: OverTls(proxy.tls).ask("GET", "/"))
        yield *both, proxy, shared


def test_the_service_survives_an_update_and_the_loss_of_a_machine(two_machines, tmp_path):
    """One machine is restarted; then the other is lost without warning, in the middle of everything."""
    one, two, proxy, shared = two_machines
    with recording(f"https://127.0.0.1:{proxy.tls}") as recorders:
        follower = Follower(proxy, recorders[0].table)
        follower.start()
        wait_for_more(recorders)
        one.process.terminate()
        assert one.process.wait(timeout=60) == 0
        wait_for_more(recorders)
        one.start()
        assert one.is_ready()
        wait_for_more(recorders)
        os.killpg(two.process.pid, signal.SIGKILL)
        wait_for_more(recorders)
    assert all(recorder.slowest < 60 for recorder in recorders)
    deadline = time.monotonic() + 60
    while follower.version != len(recorders[0].recorded):
        assert time.monotonic() < deadline, (follower.version, follower.opened)
        time.sleep(0.05)
    assert follower.opened >= 2, "its stream ended with a machine, and went on with the other one"
    follower.enough.set()
    checked = manage("verify_tables", "--expect", RECORDERS, VAR_DIR=tmp_path, **shared)
    assert checked.returncode == 0, checked.stdout + checked.stderr
