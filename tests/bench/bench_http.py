"""Requests per second through the server, one connection, on this machine."""

import http.client
import os
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
PATHS = ("/", "/api/v1/schema/")
SECONDS = 2.0


def main() -> None:
    with tempfile.TemporaryDirectory() as var, socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port = int(taken.getsockname()[1])
        taken.close()
        environment = os.environ | {"VAR_DIR": var, "HOST": "127.0.0.1", "PORT": str(port)}
        environment.pop("DATABASE_URL", None)
        started = time.perf_counter()
        server = subprocess.Popen(
            [sys.executable, "-m", "deploy.run"], cwd=ROOT, env=environment, stdout=subprocess.DEVNULL
        )
        try:
            connection = _connected(port, server)
            print(f"  {'start to first answer':<32}{time.perf_counter() - started:>10.2f} s")
            for path in PATHS:
                print(f"  {'GET ' + path:<32}{_rate(connection, path):>10,.0f} a second")
            connection.close()
        finally:
            server.terminate()
            server.wait()


def _connected(port: int, server: subprocess.Popen[bytes]) -> http.client.HTTPConnection:
    for _ in range(600):
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
        try:
            _get(connection, "/")
        except OSError:
            if server.poll() is not None:
                break
            time.sleep(0.05)
        else:
            return connection
    raise RuntimeError("The server did not start.")


def _rate(connection: http.client.HTTPConnection, path: str) -> float:
    _get(connection, path)
    requests, started = 0, time.perf_counter()
    while time.perf_counter() - started < SECONDS:
        _get(connection, path)
        requests += 1
    return requests / (time.perf_counter() - started)


def _get(connection: http.client.HTTPConnection, path: str) -> None:
    connection.request("GET", path)
    answer = connection.getresponse()
    answer.read()
    if answer.status != 200:
        raise RuntimeError(f"{path} answered {answer.status}.")


if __name__ == "__main__":
    main()
