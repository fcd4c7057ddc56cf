"""The files for systemd, nginx, Caddy and containers: what stands in them is run as far as a machine can."""

import http.client
import json
import os
import re
import shlex
import shutil
import signal
import socket
import ssl
import subprocess
import sys
import time
from contextlib import closing, contextmanager, suppress

import pytest
import yaml
from django.core.management import get_commands

from deploy.certificate import certificate_for
from tests.deploy.managing import ROOT, surroundings
from tests.scoring.live.driving import NEW_TABLE, free_port

FILES = ROOT / "deploy"
UNIT = FILES / "systemd/card-table.service"
SETTINGS = set(re.findall(r"^### `(\w+)`$", (ROOT / "docs/reference/settings.md").read_text(), re.MULTILINE))
HOST = "cards.example"


def needs(program):
    return pytest.mark.skipif(not shutil.which(program), reason=f"{program} is not on this machine")


def in_unit(name):
    return re.findall(rf"^{name}=(.*)$", UNIT.read_text(), re.MULTILINE)


def here(text):
    """Return a text of the unit with the places of this machine."""
    return text.replace("/opt/card-table/.venv/bin/python", sys.executable).replace("/opt/card-table", str(ROOT))


@contextmanager
def running(command, log, **more):
    with log.open("wb") as output:
        process = subprocess.Popen(command, stdout=output, stderr=subprocess.STDOUT, start_new_session=True, **more)
    try:
        yield process
    finally:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def patiently(ask):
    """Ask until there is an answer."""
    deadline = time.monotonic() + 40
    while True:
        try:
            return ask()
        except OSError:
            assert time.monotonic() < deadline
            time.sleep(0.1)


def plain(port, path):
    with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=20)) as line:
        line.request("GET", path)
        return line.getresponse().status


@pytest.fixture(scope="module")
def unit(tmp_path_factory):
    """The service as its unit starts it, for https://cards.example; yields its port and process."""
    folder, port = tmp_path_factory.mktemp("unit"), free_port()
    (line,) = in_unit("Environment")
    around = dict(word.split("=", 1) for word in shlex.split(line))
    assert set(around) <= SETTINGS
    around |= {"VAR_DIR": str(folder / "var"), "PORT": str(port), "METRICS_PORT": str(free_port()), "WORKERS": "1"}
    command = shlex.split(here(in_unit("ExecStart")[0]))
    with running(
        command, folder / "log", cwd=ROOT, env=surroundings(**around, PUBLIC_URL=f"https://{HOST}")
    ) as process:
        assert patiently(lambda: plain(port, "/health/ready")) == 200, (folder / "log").read_text()
        yield port, process


class OverTls(http.client.HTTPSConnection):
    """A line to a proxy on this machine, which is asked for by its public name."""

    def __init__(self, port):
        context = ssl.create_default_context()
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
        super().__init__(HOST, port, timeout=20, context=context)
        self._own = context

    def connect(self):
        line = socket.create_connection(("127.0.0.1", self.port), 20)
        self.sock = self._own.wrap_socket(line, server_hostname=HOST)

    def ask(self, method, path, body=None, **headers):
        headers = {"Host": HOST, "Content-Type": "application/json"} | headers
        try:
            self.request(method, path, body and json.dumps(body), headers)
            answer = self.getresponse()
        except OSError:
            self.close()
            raise
        return answer, answer.read()


def a_table_is_kept(port, log):
    """Open a table through a proxy, follow it, share it; nothing that opens it is logged."""
    line = OverTls(port)
    answer, body = patiently(lambda: line.ask("POST", "/api/v1/tables/", NEW_TABLE))
    assert answer.status == 201, body
    table = json.loads(body)
    right = {"Authorization": f"Bearer {table['token']}"}
    path = f"/api/v1/tables/{table['code']}/"
    link = json.loads(line.ask("POST", f"{path}links/", {"role": "spectator"}, **right)[1])
    assert link["url"].startswith(f"https://{HOST}/t/")
    page, _ = line.ask("GET", f"/t/{table['code']}/?token={link['token']}")
    cookies = page.headers.get_all("Set-Cookie")
    assert cookies
    assert all("Secure" in cookie for cookie in cookies)
    assert page.headers["Strict-Transport-Security"]
    assert line.ask("GET", "/health/ready")[0].status == 404
    with closing(OverTls(port)) as stream:
        stream.request("GET", f"{path}stream/", headers={"Host": HOST})
        told = stream.getresponse()
        assert told.headers["Content-Type"].startswith("text/event-stream")
        begun = time.monotonic()
        line.ask("POST", f"{path}events/", {"type": "note", "text": "Hm."}, **right)
        while b'"version":1' not in told.readline().replace(b" ", b""):
            assert time.monotonic() - begun < 5
    line.close()
    assert link["token"] not in log.read_text()
    assert table["token"] not in log.read_text()


@needs("nginx")
def test_nginx(unit, tmp_path):
    port, _ = unit
    tls, http_port = free_port(), free_port()
    certificate, key = certificate_for([HOST], tmp_path / "https")
    site = (FILES / "nginx/card-table.conf").read_text()
    for old, new in (
        ("127.0.0.1:8000", f"127.0.0.1:{port}"),
        ("listen 443", f"listen 127.0.0.1:{tls}"),
        ("listen 80", f"listen 127.0.0.1:{http_port}"),
        ("/etc/letsencrypt/live/cards.example/fullchain.pem", str(certificate)),
        ("/etc/letsencrypt/live/cards.example/privkey.pem", str(key)),
        ("/var/log/nginx/card-table.log", str(tmp_path / "access.log")),
    ):
        assert old in site
        site = site.replace(old, new)
    site = re.sub(r".*listen \[::\].*\n", "", site)
    user = "user root;" if os.geteuid() == 0 else ""
    temporary = " ".join(f"{name}_temp_path {tmp_path}/{name};" for name in TEMPORARY)
    (tmp_path / "nginx.conf").write_text(
        f"daemon off; {user} pid {tmp_path}/pid; error_log {tmp_path}/error.log; events {{}}\n"
        f"http {{ {temporary}\n{site} }}\n"
    )
    command = ["nginx", "-p", str(tmp_path), "-c", str(tmp_path / "nginx.conf")]
    tried = subprocess.run([*command, "-t"], capture_output=True, text=True, check=False)
    assert tried.returncode == 0, tried.stderr
    assert "warn" not in tried.stderr, tried.stderr
    with running(command, tmp_path / "log"):
        a_table_is_kept(tls, tmp_path / "access.log")
        with closing(http.client.HTTPConnection("127.0.0.1", http_port, timeout=20)) as line:
            line.request("GET", "/", headers={"Host": HOST})
            answer = line.getresponse()
            assert (answer.status, answer.headers["Location"]) == (301, f"https://{HOST}/")


TEMPORARY = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")


@needs("caddy")
def test_caddy(unit, tmp_path):
    port, _ = unit
    tls = free_port()
    site = (FILES / "container/Caddyfile").read_text()
    site = site.replace("dynamic a app 8000", f"dynamic a localhost {port}")
    site = site.replace("{$SITE} {", "{$SITE} {\n\ttls internal")
    assert str(port) in site
    everywhere = (
        f"{{\n\tadmin off\n\tskip_install_trust\n\thttp_port {free_port()}\n\thttps_port {tls}\n"
        f"\tstorage file_system {tmp_path}/storage\n}}\n"
    )
    (tmp_path / "Caddyfile").write_text(everywhere + site)
    command = ["caddy", "run", "--adapter", "caddyfile", "--config", str(tmp_path / "Caddyfile")]
    around = os.environ | {"SITE": HOST, "HOME": str(tmp_path)}
    with running(command, tmp_path / "log", env=around):
        a_table_is_kept(tls, tmp_path / "log")


@needs("systemd-analyze")
def test_units(tmp_path):
    for path in (FILES / "systemd").iterdir():
        (tmp_path / path.name).write_text(here(path.read_text()))
    units = [str(tmp_path / name) for name in ("card-table.service", "card-table-night.timer")]
    ran = subprocess.run(["systemd-analyze", "verify", *units], capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stderr) == (0, "")


def test_the_unit_reloads_and_stops(unit):
    """The last one: it ends the service. While workers are replaced, everybody is answered."""
    port, process = unit
    assert in_unit("ExecReload") == ["/bin/kill -HUP $MAINPID"]
    process.send_signal(signal.SIGHUP)
    until = time.monotonic() + 3
    while time.monotonic() < until:
        assert plain(port, "/health/live") == 200
    process.send_signal(signal.SIGTERM)
    assert process.wait(timeout=20) == 0


def test_containers_name_what_is_there():
    image = (FILES / "container/Containerfile").read_text()
    ignored = (FILES / "container/Containerfile.dockerignore").read_text().splitlines()
    for sources in re.findall(r"^COPY (?!--from)(.*) \S+$", image, re.MULTILINE):
        for source in sources.split():
            assert (ROOT / source).exists()
            assert f"!{source}" in ignored
    assert "--require-hashes" in image
    (line,) = re.findall(r"^ENV (.*)$", image, re.MULTILINE)
    assert {word.split("=")[0] for word in line.split()} - {"PYTHONUNBUFFERED"} <= SETTINGS
    services = yaml.safe_load((FILES / "container/compose.yaml").read_text())["services"]
    assert set(services) == {"database", "app", "proxy"}
    assert set(services["app"]["environment"]) <= SETTINGS
    assert (FILES / "container" / services["app"]["build"]["context"]).resolve() == ROOT
    assert (ROOT / services["app"]["build"]["dockerfile"]).exists()


def test_two_that_start_at_once_do_not_collide(tmp_path, postgres):
    around = surroundings(DATABASE_URL=postgres.url(postgres.create_database()), HOST="127.0.0.1", WORKERS="1")
    ports = [free_port(), free_port()]
    command = [sys.executable, "-m", "deploy.run"]
    first, second = (
        running(
            command, tmp_path / f"log-{port}", cwd=ROOT, env=around | {"PORT": port, "VAR_DIR": f"{tmp_path}/{port}"}
        )
        for port in map(str, ports)
    )
    with first as one, second as other:
        for port in ports:
            assert patiently(lambda port=port: plain(port, "/health/ready")) == 200
        assert one.poll() is None
        assert other.poll() is None


def test_the_page_names_what_is_there():
    page = (ROOT / "docs/how-to/run-a-service.md").read_text()
    for path in re.findall(r"\bdeploy/[\w./-]*\w", page):
        assert [*ROOT.glob(f"{path}*")], path
    commands = set(re.findall(r"manage\.py (\w+)", page))
    assert commands <= set(get_commands())
    named = set(re.findall(r"`([A-Z]+_[A-Z_]+)(?:=[^`]*)?`", page))
    assert named <= SETTINGS
