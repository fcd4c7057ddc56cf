"""Runs `manage.py` and the other commands an operator starts."""

import http.client
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import TypeVar

ROOT = Path(__file__).resolve().parent.parent.parent
OWN = {"DATABASE_URL", "SECRET_KEY", "VAR_DIR", "HOST"}
SECONDS_OF_PATIENCE = 40
Answer = TypeVar("Answer")
HANDING = """
import os, sys
os.dup2(int(sys.argv[1]), 3)
os.environ.update(LISTEN_PID=str(os.getpid()), LISTEN_FDS=sys.argv[2])
os.execv(sys.argv[3], sys.argv[3:])
"""


def surroundings(**variables: object) -> dict[str, str]:
    """Return an installation's environment with these variables and none of this process's."""
    inherited = {name: value for name, value in os.environ.items() if name not in OWN}
    return inherited | {name: str(value) for name, value in variables.items()}


def manage(*words: object, **variables: object) -> subprocess.CompletedProcess[str]:
    """Run a command with these environment variables."""
    command = [sys.executable, "manage.py", *map(str, words)]
    around = surroundings(**variables)
    return subprocess.run(command, cwd=ROOT, env=around, capture_output=True, text=True, timeout=120, check=False)


def start(
    command: Sequence[str], log: Path, environment: Mapping[str, str], *, held: int | None = None, sockets: int = 1
) -> subprocess.Popen[bytes]:
    """Start a process in its own group; `held` is a socket passed as systemd passes one to a service.

    `sockets` is the number of sockets announced to it.
    """
    more: tuple[int, ...] = ()
    if held is not None:
        command, more = [sys.executable, "-S", "-c", HANDING, str(held), str(sockets), *command], (held,)
    with log.open("ab") as output:
        return subprocess.Popen(
            command,
            cwd=ROOT,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
            pass_fds=more,
        )


def kill(process: subprocess.Popen[bytes]) -> None:
    """Kill it and everything it started."""
    with suppress(ProcessLookupError):  # it has ended by itself
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


@contextmanager
def running(
    command: Sequence[str], log: Path, environment: Mapping[str, str] | None = None
) -> Iterator[subprocess.Popen[bytes]]:
    process = start(command, log, environment or os.environ)
    try:
        yield process
    finally:
        kill(process)


def patiently(ask: Callable[[], Answer]) -> Answer:
    deadline = time.monotonic() + SECONDS_OF_PATIENCE
    while True:
        try:
            return ask()
        except OSError:
            assert time.monotonic() < deadline
            time.sleep(0.05)


def plain(port: int, path: str) -> int:
    """Send a request to a process itself, without TLS; return the status of its answer."""
    with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=60)) as line:
        line.request("GET", path)
        return line.getresponse().status
