"""Real proxies with the files of `deploy/`, on their own ports, in front of processes on this machine."""

import http.client
import json
import os
import re
import shutil
import socket
import ssl
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from deploy.server import certificate_for
from tests.deploy.managing import ROOT, running
from tests.scoring.live.driving import free_port

HOST = "cards.example"
FILES = ROOT / "deploy"
TEMPORARY = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")


@dataclass(frozen=True, slots=True)
class Proxy:
    """A proxy's TLS port, its plain port, and its log."""

    tls: int
    plain: int
    log: Path


class OverTls(http.client.HTTPSConnection):
    """A connection to a proxy on this machine under its public host name."""

    def __init__(self, port: int, *, offering: str = "http/1.1") -> None:
        context = ssl.create_default_context()
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
        context.set_alpn_protocols([offering])
        super().__init__(HOST, port, timeout=60, context=context)
        self._own = context

    sock: ssl.SSLSocket

    def connect(self) -> None:
        line = socket.create_connection(("127.0.0.1", self.port), 60)
        self.sock = self._own.wrap_socket(line, server_hostname=HOST)

    def ask(
        self, method: str, path: str, body: object = None, **headers: str
    ) -> tuple[http.client.HTTPResponse, bytes]:
        sent = {"Host": HOST, "Content-Type": "application/json"} | headers
        try:
            self.request(method, path, json.dumps(body) if body else None, sent)
            answer = self.getresponse()
            return answer, answer.read()
        except (OSError, http.client.HTTPException):
            self.close()
            raise

    def agreed(self) -> str | None:
        self.connect()
        agreed = self.sock.selected_alpn_protocol()
        self.close()
        return agreed


@contextmanager
def nginx(folder: Path, *ports: int) -> Iterator[Proxy]:
    proxy = Proxy(free_port(), free_port(), folder / "access.log")
    certificate, key = certificate_for([HOST], folder / "https")
    site = (FILES / "nginx/card-table.conf").read_text()
    server = re.search(r"^ +server 127.0.0.1:8000(.*;)\n(?: +# server 127.0.0.1:8010.*\n)", site, re.MULTILINE)
    assert server
    site = site.replace(server[0], "".join(f"    server 127.0.0.1:{port}{server[1]}\n" for port in ports))
    for old, new in (
        ("listen 443", f"listen 127.0.0.1:{proxy.tls}"),
        ("listen 80", f"listen 127.0.0.1:{proxy.plain}"),
        ("/etc/letsencrypt/live/cards.example/fullchain.pem", str(certificate)),
        ("/etc/letsencrypt/live/cards.example/privkey.pem", str(key)),
        ("/var/log/nginx/card-table.log", str(proxy.log)),
    ):
        assert old in site
        site = site.replace(old, new)
    site = re.sub(r".*listen \[::\].*\n", "", site)
    user = "user root;" if os.geteuid() == 0 else ""
    temporary = " ".join(f"{name}_temp_path {folder}/{name};" for name in TEMPORARY)
    (folder / "nginx.conf").write_text(
        f"daemon off; {user} pid {folder}/pid; error_log {folder}/error.log; events {{}}\n"
        f"http {{ {temporary}\n{site} }}\n"
    )
    program = shutil.which("nginx", path=f"{os.environ['PATH']}:/usr/sbin")
    assert program, "make tools installs it"
    command = [program, "-p", str(folder), "-c", str(folder / "nginx.conf")]
    tried = subprocess.run([*command, "-t"], capture_output=True, text=True, check=False)
    assert tried.returncode == 0, tried.stderr
    assert "warn" not in tried.stderr, tried.stderr
    with running(command, folder / "nginx-log"):
        yield proxy


@contextmanager
def caddy(folder: Path, *ports: int) -> Iterator[Proxy]:
    """Run Caddy in front of processes at these ports, as compose does in front of its containers."""
    proxy = Proxy(free_port(), free_port(), folder / "caddy-log")
    site = (FILES / "container/Caddyfile").read_text()
    everywhere = (
        f"{{\n\tadmin off\n\tskip_install_trust\n\thttp_port {proxy.plain}\n\thttps_port {proxy.tls}\n"
        f"\tstorage file_system {folder}/storage\n"
    )
    for old, new in (
        ("{\n", everywhere),
        ("{$SITE} {", "{$SITE} {\n\ttls internal"),
        ("app-1:8000 app-2:8000", " ".join(f"127.0.0.1:{port}" for port in ports)),
    ):
        assert old in site
        site = site.replace(old, new, 1)
    (folder / "Caddyfile").write_text(site)
    program = shutil.which("caddy")
    assert program, "make tools installs it"
    command = [program, "run", "--adapter", "caddyfile", "--config", str(folder / "Caddyfile")]
    with running(command, proxy.log, os.environ | {"SITE": HOST, "HOME": str(folder)}):
        yield proxy


def read(answer: bytes) -> Any:
    return json.loads(answer)
