"""A private, throwaway PostgreSQL server made from the system's binaries.

It listens on a Unix socket in its own directory and on no port, so any number of servers run side by side and no one
else can reach them. PostgreSQL refuses to run as root; then it runs as another user.
"""

import contextlib
import os
import pwd
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Any
from urllib.parse import quote

import psycopg
from psycopg import sql

# A database that lives for minutes does not need durability.
SETTINGS = {
    "listen_addresses": "",
    "fsync": "off",
    "synchronous_commit": "off",
    "full_page_writes": "off",
    "shared_buffers": "64MB",
    "max_connections": "100",
    "autovacuum": "off",
    "timezone": "UTC",
}
DURABLE = {"fsync": "on", "synchronous_commit": "on", "full_page_writes": "on"}
"""Settings that make a commit wait for the disk: for measurements, and for servers that are killed."""
SECONDS_TO_START = 120
ROOT = Path(__file__).resolve().parent.parent
Launch = Callable[[], subprocess.Popen[bytes]]
SUPERUSER = "postgres"


@dataclass(frozen=True, slots=True)
class Postgres:
    directory: Path
    _launch: Launch
    _processes: list[subprocess.Popen[bytes]] = field(default_factory=list)
    _names: Iterator[int] = field(default_factory=lambda: count(1))
    _migrated: list[str] = field(default_factory=list)

    def url(self, database: str = "postgres") -> str:
        """Return a database's URL for `DATABASE_URL`."""
        return f"postgres://{SUPERUSER}@{quote(str(self.directory), safe='')}/{database}"

    def connect(self, database: str = "postgres") -> psycopg.Connection[tuple[Any, ...]]:
        return psycopg.connect(host=str(self.directory), user=SUPERUSER, dbname=database, autocommit=True)

    def create_database(self, like: str = "template1") -> str:
        """Make an empty database and return its name."""
        name = f"database_{next(self._names)}"
        with self.connect() as connection:
            copied = sql.SQL("CREATE DATABASE {} TEMPLATE {}").format(sql.Identifier(name), sql.Identifier(like))
            connection.execute(copied)
        return name

    def create_migrated_database(self) -> str:
        """Create an empty database with all tables; migrated once, then copied."""
        if not self._migrated:
            name = self.create_database()
            environment = os.environ | {"DATABASE_URL": self.url(name), "VAR_DIR": str(self.directory)}
            subprocess.run([sys.executable, "manage.py", "migrate", "-v0"], cwd=ROOT, env=environment, check=True)
            self._migrated.append(name)
        return self.create_database(like=self._migrated[0])

    @classmethod
    @contextlib.contextmanager
    def started(cls, folder: Path | None = None) -> Iterator["Postgres"]:
        """Start a server with its files in its own directory; at the end stop it and leave nothing behind."""
        binaries = find_binaries()
        # A socket's path is limited to about a hundred bytes, so it is not below pytest's directories.
        directory = Path(tempfile.mkdtemp(prefix="pg-", dir=folder))
        try:
            server = cls(directory, _initialised(binaries, directory, _unprivileged(directory)))
            server.start()
            try:
                yield server
            finally:
                server._stop()
        finally:
            shutil.rmtree(directory, ignore_errors=True)

    def start(self) -> None:
        """Start it, or restart it after it was killed: it recovers from its log."""
        deadline = time.monotonic() + SECONDS_TO_START
        self._processes.append(self._launch())
        while True:
            try:
                self.connect().close()
            except psycopg.OperationalError as problem:
                if time.monotonic() > deadline or (
                    self._processes[-1].poll() is not None and len(self._processes) == 1
                ):
                    log = (self.directory / "log").read_text(errors="replace")
                    raise RuntimeError(f"PostgreSQL did not start ({problem}):\n{log}") from problem
                if self._processes[-1].poll() is not None:  # backends of the killed server are still running
                    self._processes[-1] = self._launch()
                time.sleep(0.05)
            else:
                return

    def restart(self) -> None:
        """Stop it as an administrator does, which closes open connections, and start it again."""
        self._stop()
        self.start()

    @property
    def ended(self) -> bool:
        return self._processes[-1].poll() is not None

    def kill(self) -> None:
        """Kill it; its backends notice, and end without a word to the clients."""
        self._processes[-1].kill()
        self._processes[-1].wait()

    def _stop(self) -> None:
        process = self._processes[-1]
        process.send_signal(signal.SIGINT)  # "fast shutdown": open connections are closed
        try:
            process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def find_binaries() -> Path:
    """Return the directory of `initdb` and `postgres`: the newest Debian package, or the one in the path."""
    installed = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=_version)
    found = str(installed[-1]) if installed else shutil.which("initdb")
    if not found:
        raise RuntimeError("There is no PostgreSQL server on this machine; `sh tests/tools.sh` installs one.")
    return Path(found).resolve().parent


def _version(path: Path) -> int:
    number = re.search(r"postgresql/(\d+)", str(path))
    return int(number[1]) if number else 0


def _unprivileged(directory: Path) -> Mapping[str, Any]:
    """Return what to run the server as, if the current user is root, and give that user the directory."""
    if os.geteuid() != 0:
        return {}
    known = {entry.pw_name: entry for entry in pwd.getpwall()}
    user = known.get("postgres") or known["nobody"]
    os.chown(directory, user.pw_uid, user.pw_gid)
    return {
        "user": user.pw_uid,
        "group": user.pw_gid,
        "extra_groups": [],
        "env": {**os.environ, "HOME": str(directory)},
    }


def _initialised(binaries: Path, directory: Path, identity: Mapping[str, Any]) -> Launch:
    """Create a server's files; return the command that launches it."""
    options = ["--no-sync", "--auth=trust", "--encoding=UTF8", "--locale=C", "-U", SUPERUSER, "-D", f"{directory}/data"]
    made: subprocess.CompletedProcess[bytes] = subprocess.run(
        [f"{binaries}/initdb", *options], cwd=directory, capture_output=True, check=False, **identity
    )
    if made.returncode:
        raise RuntimeError(f"initdb failed:\n{made.stderr.decode(errors='replace')}")

    def launch() -> subprocess.Popen[bytes]:
        options = [word for name, value in SETTINGS.items() for word in ("-c", f"{name}={value}")]
        with (directory / "log").open("ab") as log:
            return subprocess.Popen(
                [binaries / "postgres", "-D", directory / "data", "-k", directory, *options],
                cwd=directory,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,  # Ctrl-C in the terminal is for the tests; they stop the server themselves
                **identity,
            )

    return launch
