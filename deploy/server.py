"""The server: Gunicorn holds the port and replaces its workers, and in each of these Uvicorn answers."""

import os
import signal
import socket
import sqlite3
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

from django.conf import settings
from gunicorn.app.base import BaseApplication
from uvicorn_worker import UvicornWorker

from deploy.measuring import metrics_are_kept

# A worker that still has requests under way is killed after this many seconds.
SECONDS_TO_STOP = 3
# A worker whose event loop has not moved for so long is killed as well.
SECONDS_STUCK = 60
SECONDS_TO_KEEP_ALIVE = 75


class Worker(UvicornWorker):
    """Uvicorn without WebSockets, and without opinions of its own about proxies: `PROXIES` says whom to believe."""

    CONFIG_KWARGS = {
        "http": "h11",  # it bounds the head of a request; httptools is a tenth faster and does not
        "ws": "none",
        "lifespan": "on",
        "proxy_headers": False,
        "server_header": False,
        "access_log": False,
        "timeout_graceful_shutdown": SECONDS_TO_STOP - 1,
    }


class TableServer(BaseApplication):  # type: ignore[misc]  # gunicorn has no types
    """Serves until SIGINT or SIGTERM; SIGHUP puts new workers in the place of all there are."""

    def __init__(
        self, listening: socket.socket, *, certificate: tuple[Path, Path] | None, announce: Callable[[], None]
    ) -> None:
        """`certificate` is the file of a certificate and that of its key; without it the server speaks no TLS."""
        self._handle, self._certificate, self._announce = listening.detach(), certificate, announce
        super().__init__()

    def load_config(self) -> None:
        kept, key = self._certificate or (None, None)
        chosen: dict[str, Any] = {
            "bind": f"fd://{self._handle}",
            "workers": settings.WORKERS,
            "worker_class": Worker,
            "certfile": kept and str(kept),
            "keyfile": key and str(key),
            # Workers are copies of this process: what it has loaded none of them has to load, also when one takes the
            # place of another that was killed.
            "preload_app": True,
            "timeout": SECONDS_STUCK,
            "graceful_timeout": SECONDS_TO_STOP,
            "keepalive": SECONDS_TO_KEEP_ALIVE,
            "control_socket_disable": True,
            "logconfig_dict": settings.LOGGING,
            "when_ready": self._opened,
            "child_exit": _forget,
            "on_exit": _carry_log_over,
        }
        for name, value in chosen.items():
            self.cfg.set(name, value)

    def load(self) -> Any:
        from deploy.asgi import application

        return application

    def _opened(self, _server: Any) -> None:
        # Ctrl-C lets requests under way come to their end, as SIGTERM does.
        signal.signal(signal.SIGINT, lambda *_: os.kill(os.getpid(), signal.SIGTERM))
        self._announce()


def _forget(_server: Any, worker: Any) -> None:
    """Count on what a worker had counted, and no more what it was doing when it ended."""
    if metrics_are_kept():
        from deploy.metrics import forget_worker

        forget_worker(worker.pid)


def _carry_log_over(_server: Any) -> None:
    """Leave everything in the file of the database, so that whoever copies it alone has it."""
    database = settings.DATABASES["default"]
    if database["ENGINE"] == "deploy.sqlite" and Path(database["NAME"]).exists():
        with suppress(sqlite3.Error), closing(sqlite3.connect(database["NAME"], timeout=0.2)) as connection:
            connection.execute("PRAGMA synchronous=FULL")
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
