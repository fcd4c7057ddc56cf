"""HTTP server: Gunicorn holds the port and manages workers, each of which runs Uvicorn."""

import asyncio
import os
import signal
import socket
from collections.abc import Callable
from pathlib import Path
from typing import Any

from django.conf import settings
from gunicorn.app.base import BaseApplication
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn_worker import UvicornWorker

from deploy.startup import checkpoint, metrics_are_kept

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
