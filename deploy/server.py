"""The HTTP server, its socket and its certificate: Gunicorn manages workers, each of which runs Uvicorn."""

import asyncio
import errno
import os
import signal
import socket
import subprocess
from collections.abc import Callable
from hashlib import sha256
from ipaddress import ip_address
from pathlib import Path
from ssl import PEM_cert_to_DER_cert
from typing import Any

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from gunicorn.app.base import BaseApplication
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn_worker import UvicornWorker

from deploy.startup import checkpoint, metrics_are_kept

# Addresses reserved for documentation and for private networks. "Connecting" a UDP socket sends nothing: the kernel
# only picks the local address it would use, first for the default route, then for common home networks.
PROBES = ("192.0.2.1", "192.168.255.254", "10.255.255.254", "172.31.255.254")
WILDCARDS = {"0.0.0.0", "::", ""}


def local_network_address() -> str | None:
    """Return this machine's address in the local network; ``None`` if it is in none."""
    for probe in PROBES:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as knocker:
            try:
                knocker.connect((probe, 9))
            except OSError:
                continue
            found = str(knocker.getsockname()[0])
        address = ip_address(found)
        if not (address.is_loopback or address.is_unspecified or address.is_link_local):
            return found
    return None


FIRST_HELD = 3  # the first file descriptor that systemd passes
MOST_KNOCKING = 4096  # the backlog of connections not accepted yet


class CannotListenError(Exception):
    """An address that cannot be bound; the message says why."""


def held_socket() -> socket.socket | None:
    """Return the socket inherited by socket activation (`LISTEN_PID`, `LISTEN_FDS`), if there is one.

    With a `.socket` unit, systemd keeps it open, so connections wait in its backlog during a restart. Raises
    ``ImproperlyConfigured`` for several sockets, since only one of them would be served.
    """
    here = os.environ.pop("LISTEN_PID", "") == str(os.getpid())
    count = os.environ.pop("LISTEN_FDS", "")
    if not here or count in ("", "0"):
        return None
    if count != "1":
        raise ImproperlyConfigured(
            f"systemd passed {count} sockets, but this service listens on one. To listen somewhere else, start a"
            " drop-in of the .socket with an empty ListenStream=, which clears the address of the unit."
        )
    return socket.socket(fileno=FIRST_HELD)


def listen(host: str, port: int) -> socket.socket:
    """Return a socket listening on the address; raises ``CannotListenError``."""
    listening = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((host, port))
        listening.listen(MOST_KNOCKING)
    except OSError as problem:
        listening.close()
        raise CannotListenError(why_not(problem, host, port)) from problem
    return listening


def why_not(problem: OSError, host: str, port: int, *, choose: str = "make run PORT") -> str:
    """Explain why the address cannot be bound; ``choose`` names the setting for another port."""
    if problem.errno == errno.EADDRINUSE:
        other = port + 1 if port < 65535 else 8000
        return f"Port {port} is busy: another program is using it. Choose another one: {choose}={other}"
    if problem.errno == errno.EACCES:
        return f"Port {port} is reserved for root. Choose one above 1023: {choose}=8000"
    return f"This machine cannot listen on {host}: {problem.strerror or problem}."


# --- A certificate generated for a laptop at the table that has no domain name
# It is self-signed, so every browser warns once. After that the page is a secure context: the wake lock API works, and
# cards can be dictated. Browsers start no service worker behind an untrusted certificate, so pages open offline only
# where the certificate was installed as trusted.

DAYS_KEPT = 397  # browsers reject certificates with a longer validity
SECONDS_BEFORE_RENEWAL = 30 * 24 * 3600
CONFIGURATION = """
[req]
prompt = no
distinguished_name = subject
x509_extensions = extensions
[subject]
# A phone tells its certificates apart by this name.
CN = Card table at {first}
[extensions]
subjectAltName = {names}
basicConstraints = critical, CA:FALSE
extendedKeyUsage = serverAuth
"""


def certificate_for(names: list[str], folder: Path) -> tuple[Path, Path]:
    """Return the paths of a certificate for these names and of its key; files that remain valid are reused."""
    kept, key, configuration = folder / "certificate.pem", folder / "key.pem", folder / "openssl.cnf"
    wanted = CONFIGURATION.format(first=names[0], names=", ".join(map(_general, names)))
    lasts = ("x509", "-noout", "-in", str(kept), "-checkend", str(SECONDS_BEFORE_RENEWAL))
    stays = key.exists() and configuration.exists() and configuration.read_text() == wanted and not _openssl(*lasts)
    if not stays:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        configuration.write_text(wanted)
        made = ("-x509", "-days", str(DAYS_KEPT), "-config", str(configuration), "-out", str(kept))
        curve = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-keyout", str(key))
        if _openssl("req", *made, *curve):
            raise ImproperlyConfigured("HTTPS=1: the program openssl could not make a certificate.")
    return kept, key


def fingerprint(certificate: Path) -> str:
    """Return a certificate's fingerprint as browsers show it."""
    return sha256(PEM_cert_to_DER_cert(certificate.read_text())).digest().hex(":").upper()


def _openssl(*words: str) -> int:
    try:
        return subprocess.run(["openssl", *words], capture_output=True, umask=0o077, check=False).returncode
    except FileNotFoundError:
        raise ImproperlyConfigured("HTTPS=1 needs the program openssl to make the certificate.") from None


def _general(name: str) -> str:
    try:
        return f"IP:{ip_address(name)}"
    except ValueError:
        return f"DNS:{name}"


# --- The server


# A worker that still has requests in flight is killed after this many seconds.
SECONDS_TO_STOP = 3
# A worker whose event loop has been blocked for this long is killed too.
SECONDS_STUCK = 60
SECONDS_TO_KEEP_ALIVE = 30
# A connection without a complete request head is closed after one to two times this long.
SECONDS_SILENT = 15
SECONDS_TO_ASK = 0.3


class Line(H11Protocol):
    """An HTTP connection that closes when idle, but never while a request is in flight."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as in Uvicorn
        super().connection_made(transport)
        self._looking = self.loop.call_later(SECONDS_SILENT, self._look, None)

    def connection_lost(self, exc: Exception | None) -> None:
        self._looking.cancel()
        super().connection_lost(exc)

    def _look(self, before: object) -> None:
        last: Any = self.cycle  # None before the first request, despite its type
        if last is before and (last is None or last.response_complete):
            self.transport.close()
        else:
            self._looking = self.loop.call_later(SECONDS_SILENT, self._look, last)

    def shutdown(self) -> None:
        """Close on shutdown; a connection just accepted gets a moment for a first request in flight."""
        last: Any = self.cycle
        if last is None:
            self._looking.cancel()
            self._looking = self.loop.call_later(SECONDS_TO_ASK, super().shutdown)
        else:
            super().shutdown()


class Worker(UvicornWorker):  # type: ignore[misc]  # it has no types
    """Uvicorn worker without WebSockets; proxy headers are handled by the application (`PROXIES`)."""

    CONFIG_KWARGS = {
        "http": Line,  # h11 limits the size of a request head; httptools is faster but does not
        "ws": "none",
        "lifespan": "on",
        "proxy_headers": False,
        "server_header": False,
        "access_log": False,
        "timeout_graceful_shutdown": SECONDS_TO_STOP - 1,
    }


class TableServer(BaseApplication):  # type: ignore[misc]  # gunicorn has no types
    """Serves until SIGINT or SIGTERM; SIGHUP replaces all workers."""

    def __init__(
        self, listening: socket.socket, *, certificate: tuple[Path, Path] | None, announce: Callable[[], None]
    ) -> None:
        """``certificate`` holds the paths of a certificate and its key; without it the server does not use TLS."""
        self._handle, self._certificate, self._announce = listening.detach(), certificate, announce
        super().__init__()

    def load_config(self) -> None:
        kept, key = map(str, self._certificate) if self._certificate else (None, None)
        chosen: dict[str, Any] = {
            "bind": f"fd://{self._handle}",
            "workers": settings.WORKERS,
            "worker_class": Worker,
            "certfile": kept,
            "keyfile": key,
            # Workers are forked from this process, so none of them has to import the application, even when replacing
            # one that was killed.
            "preload_app": True,
            "timeout": SECONDS_STUCK,
            "graceful_timeout": SECONDS_TO_STOP,
            "keepalive": SECONDS_TO_KEEP_ALIVE,
            "control_socket_disable": True,
            "logconfig_dict": settings.LOGGING,
            "when_ready": self._opened,
            "child_exit": _forget,
            "on_exit": lambda _server: checkpoint(),
        }
        for name, value in chosen.items():
            self.cfg.set(name, value)

    def load(self) -> Any:
        from deploy.asgi import application

        return application

    def _opened(self, _server: Any) -> None:
        # Ctrl-C lets requests in flight finish, as SIGTERM does.
        signal.signal(signal.SIGINT, lambda *_: os.kill(os.getpid(), signal.SIGTERM))
        self._announce()


def _forget(_server: Any, worker: Any) -> None:
    if metrics_are_kept() and worker.pid is not None:
        from prometheus_client.multiprocess import mark_process_dead

        mark_process_dead(worker.pid)  # type: ignore[no-untyped-call]  # it has no types
