"""`make run`: bring the database and the static files up to date, say where to go, and serve until Ctrl-C."""

import contextlib
import hashlib
import io
import os
import resource
import sys
from functools import partial
from pathlib import Path
from typing import NoReturn

import django
import segno
from django.conf import settings
from django.contrib.staticfiles.finders import get_finders
from django.core.exceptions import ImproperlyConfigured
from django.core.management import call_command
from django.db import connections
from django.db.utils import OperationalError

from deploy import static_files
from deploy.network import WILDCARDS, local_network_address, why_not_free
from deploy.server import TableServer


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "deploy.settings")
    host = os.environ.get("HOST") or "0.0.0.0"
    port = _port(os.environ.get("PORT") or "8000")
    if trouble := why_not_free(host, port):
        _give_up(trouble)
    if host in WILDCARDS and (phones := local_network_address()):
        os.environ.setdefault("PHONE_ADDRESS", _url(phones, port).rstrip("/"))
    try:
        django.setup(set_prefix=False)
        _migrate()
        _collect_static_files()
    except ImproperlyConfigured as problem:
        _give_up(f"A setting is wrong: {problem}")
    _allow_open_files()
    _serve(host, port)


def _port(text: str) -> int:
    if not (text.isdecimal() and len(text) < 6 and 0 < int(text) < 65536):
        _give_up(f"PORT must be a number from 1 to 65535, not {text!r}.")
    return int(text)


def _give_up(sentence: str) -> NoReturn:
    print(sentence, file=sys.stderr)
    sys.exit(1)


def _migrate() -> None:
    try:
        call_command("migrate", interactive=False, verbosity=0)
    except OperationalError as problem:
        _give_up(f"The database cannot be reached: {str(problem).strip()}. DATABASE_URL says where it is.")
    finally:
        # The server's workers are copies of this process, and no database likes a connection used from two.
        connections.close_all()


def _collect_static_files() -> None:
    """Collect static files if any of them, or how they are joined, changed since the last time."""
    stamp = Path(settings.STATIC_ROOT).with_name("static.stamp")
    fingerprint = _fingerprint_of_static_files()
    if stamp.exists() and stamp.read_text() == fingerprint and Path(settings.STATIC_ROOT).exists():
        return
    call_command("collectstatic", interactive=False, verbosity=0)
    stamp.write_text(fingerprint)


def _fingerprint_of_static_files() -> str:
    digest = hashlib.sha256(Path(static_files.__file__).read_bytes())
    for finder in get_finders():
        for name, storage in finder.list([]):
            status = os.stat(storage.path(name))
            digest.update(f"{name}\0{status.st_size}\0{status.st_mtime_ns}\n".encode())
    return digest.hexdigest()


def _allow_open_files() -> None:
    """Take what the system grants at most: each stream is an open file, and the usual limit is low."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    with contextlib.suppress(ValueError, OSError):  # some systems promise more than they give
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def _serve(host: str, port: int) -> None:
    server = TableServer(host, port, workers=settings.WORKERS)
    server.on_startup(partial(_announce, host, port))  # from then on, who follows the address meets no closed door
    server.run()


def _announce(host: str, port: int) -> None:
    everywhere = host in WILDCARDS
    here = "localhost" if everywhere else host
    print(f"\nThe table is open.\n\n  On this computer:  {_url(here, port)}")
    phones = local_network_address() if everywhere else host
    if phones is None:
        print("  No phone can reach it: this computer is in no local network.")
    elif phones.startswith("127.") or phones in {"::1", "localhost"}:
        print(f"  No phone can reach it: it listens on {host} only. Without HOST it listens on every address.")
    else:
        print(f"  On phones in the same network:  {_url(phones, port)}\n")
        _print_qr_code(_url(phones, port))
    print("\nCtrl-C stops it.", flush=True)


def _url(host: str, port: int) -> str:
    return f"http://[{host}]:{port}/" if ":" in host else f"http://{host}:{port}/"


def _print_qr_code(url: str) -> None:
    drawing = io.StringIO()
    segno.make(url, micro=False).terminal(drawing, border=2, compact=True)
    # The drawing is meant for light on dark; a terminal that knows colours is told so, whatever its own are.
    start, end = ("\033[97;40m", "\033[0m") if sys.stdout.isatty() else ("", "")
    for line in drawing.getvalue().splitlines():
        print(f"  {start}{line}{end}")


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        sys.exit(130)
