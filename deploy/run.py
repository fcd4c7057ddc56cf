"""`make run`: migrate, collect static files, print the address, and serve until Ctrl-C."""

import contextlib
import fcntl
import hashlib
import io
import logging
import os
import resource
import socket
import sys
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import segno
from django.conf import settings
from django.contrib.staticfiles.finders import get_finders
from django.core.exceptions import ImproperlyConfigured
from django.core.management import CommandError, call_command
from django.db import connection, connections
from django.db.utils import OperationalError

from deploy import server, static_files
from deploy.environment import flag, text, whole
from deploy.server import WILDCARDS, CannotListenError, TableServer
from deploy.startup import set_up
from scoring.apps import NO_ADDRESS

logger = logging.getLogger("deploy.run")  # a fixed name: run as a command, the module is `__main__`
LOCK_NUMBER = 0x63617264
"""Key of the PostgreSQL advisory lock for processes that start at once; an arbitrary number used nowhere else."""
SECURE = """
  The certificate was made on this computer, so every browser warns once. Continue if it shows this fingerprint:
  {proof}
  With HTTPS, the browser itself keeps screens awake, and cards can be dictated."""
PLAIN = """
  HTTPS=1 make run  serves over HTTPS with a certificate made on this computer; every browser warns once."""


@dataclass(frozen=True, slots=True)
class Address:
    """Host and port to listen on, and whether to use TLS."""

    host: str
    port: int
    tls: bool

    def url(self, host: str) -> str:
        bracketed = f"[{host}]" if ":" in host else host
        return f"{'https' if self.tls else 'http'}://{bracketed}:{self.port}/"

    @property
    def phones(self) -> str | None:
        """Host under which phones can reach the server; ``None`` if they cannot."""
        return server.local_network_address() if self.host in WILDCARDS else self.host


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "deploy.settings")
    certificate = proof = None
    try:
        chosen = text("HOST", default="0.0.0.0"), whole("PORT", default=8000, least=1, most=65535)
        listening = server.held_socket() or server.listen(*chosen)
        host, port, *_ = listening.getsockname()
        address = Address(host, port, flag("HTTPS"))
        phones = address.phones
        if host in WILDCARDS and phones:
            os.environ.setdefault("PHONE_ADDRESS", address.url(phones).rstrip("/"))
        set_up()
        _bring_up_to_date()
        if address.tls:
            names = [phones, "localhost", "127.0.0.1"] if host in WILDCARDS else [host]
            certificate = server.certificate_for([name for name in names if name], settings.VAR_DIR / "https")
            proof = server.fingerprint(certificate[0])
    except ImproperlyConfigured as problem:
        sys.exit(f"A setting is wrong: {problem}")
    except CannotListenError as problem:
        sys.exit(str(problem))
    if hasattr(socket, "TCP_USER_TIMEOUT"):  # Linux; connections inherit it from the listening socket
        # Drop connections whose other end acknowledges nothing for this long, such as a phone that left the network or
        # a client that does not read. With a ping every fifteen seconds, streams end within thirty.
        listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, settings.SECONDS_UNTIL_DEAD * 1000)
    # Each stream needs a file descriptor, and the default limit is low: raise it to the maximum.
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    with contextlib.suppress(ValueError, OSError):  # some systems report a higher maximum than they allow
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    if settings.METRICS_PORT:
        _serve_metrics()
    # Announce the address only once it is served.
    TableServer(listening, certificate=certificate, announce=partial(_announce, address, proof)).run()


def _bring_up_to_date() -> None:
    """Migrate and collect static files, one process at a time; closing the connection releases the database lock."""
    try:
        with (settings.VAR_DIR / "start.lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if connection.vendor == "postgresql":
                with connection.cursor() as cursor:
                    cursor.execute("SELECT pg_advisory_lock(%s)", [LOCK_NUMBER])
            call_command("migrate", interactive=False, verbosity=0)
            _collect_static_files()
    except CommandError as problem:
        sys.exit(str(problem))
    except OperationalError as problem:
        sys.exit(f"The database cannot be reached: {str(problem).strip()}. Check DATABASE_URL.")
    finally:
        # Workers are forked from this process, and a database connection must not be shared.
        connections.close_all()


def _collect_static_files() -> None:
    """Collect static files if any of them, or the code that joins them, has changed."""
    digest = hashlib.sha256(Path(static_files.__file__).read_bytes())
    for finder in get_finders():
        for name, storage in finder.list([]):
            status = os.stat(storage.path(name))
            digest.update(f"{name}\0{status.st_size}\0{status.st_mtime_ns}\n".encode())
    root, stamp = Path(settings.STATIC_ROOT), settings.VAR_DIR / "static.stamp"
    if not (stamp.exists() and stamp.read_text() == digest.hexdigest() and root.exists()):
        call_command("collectstatic", interactive=False, verbosity=0)
        stamp.write_text(digest.hexdigest())


def _serve_metrics() -> None:
    """Start the metrics server before workers count anything; a busy port only logs an error."""
    folder = settings.VAR_DIR / "metrics"
    folder.mkdir(mode=0o700, exist_ok=True)
    for file in folder.glob("*.db"):
        file.unlink(missing_ok=True)
    os.environ["PROMETHEUS_MULTIPROC_DIR"] = str(folder)
    from deploy import metrics  # needs PROMETHEUS_MULTIPROC_DIR

    try:
        metrics.serve(settings.METRICS_HOST, settings.METRICS_PORT)
    except OSError as problem:
        trouble = server.why_not(problem, settings.METRICS_HOST, settings.METRICS_PORT, choose="METRICS_PORT")
        logger.error("Metrics are not served. %s", trouble)
        os.environ.pop("PROMETHEUS_MULTIPROC_DIR")  # workers need not count


def _announce(address: Address, proof: str | None) -> None:
    """Print the address for people at a terminal; otherwise log one line."""
    if settings.PROXIES and not settings.PUBLIC_URL:
        logger.warning("PROXIES is %s, but %s %s", settings.PROXIES, NO_ADDRESS.msg, NO_ADDRESS.hint)
    if not sys.stdout.isatty():
        public = f" for {settings.PUBLIC_URL}" if settings.PUBLIC_URL else ""
        shown = f", with the certificate {proof}" if proof else ""
        logger.info("The table is open%s; it listens on %s%s", public, address.url(address.host), shown)
        return
    if settings.PUBLIC_URL:
        print(f"\nThe table is open.\n\n  For everyone:  {settings.PUBLIC_URL}/\n")
        _print_qr_code(f"{settings.PUBLIC_URL}/")
        print(f"\n  Listening on {address.url(address.host)}\n\nCtrl-C stops it.", flush=True)
        return
    here = "localhost" if address.host in WILDCARDS else address.host
    print(f"\nThe table is open.\n\n  On this computer:  {address.url(here)}")
    phones = address.phones
    if phones is None:
        print("  Phones can't reach it: this computer is not on a local network.")
    elif phones.startswith("127.") or phones in {"::1", "localhost"}:
        print(f"  Phones can't reach it: it listens on {address.host} only. Unset HOST to listen on every address.")
    else:
        print(f"  On phones on the same network:  {address.url(phones)}\n")
        _print_qr_code(address.url(phones))
    print(SECURE.format(proof=proof) if proof else PLAIN)
    print("\nCtrl-C stops it.", flush=True)


def _print_qr_code(url: str) -> None:
    drawing = io.StringIO()
    segno.make(url, micro=False).terminal(drawing, border=2, compact=True)
    # The code is drawn light on dark; set both colours, whatever the terminal's are.
    for line in drawing.getvalue().splitlines():
        print(f"  \033[97;40m{line}\033[0m")


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        sys.exit(130)
