"""The server: a parent that holds the port, and workers that answer, each replaced when it dies."""

import asyncio
import logging
import multiprocessing
import os
import signal
import socket
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

from django.conf import settings
from granian.constants import HTTPModes, Interfaces
from granian.log import LogLevels
from granian.net import SocketHolder, SocketSpec
from granian.server.mp import MPServer

from deploy.measuring import metrics_are_kept
from deploy.network import why_not_free
from deploy.write_ahead_log import WriteAheadLog

logger = logging.getLogger(__name__)

# A worker that still has requests under way is ended after this many seconds.
SECONDS_TO_STOP = 3
# Requests under way at once in one worker. An open stream is one all the time; beyond this number nobody is answered.
MOST_REQUESTS = 10_000
SECONDS_BETWEEN_LOOKS = 0.1
SECONDS_TO_PROVE = 1.0
"""A worker that dies younger is replaced no sooner than it would have been this old."""
LISTEN_BACKLOG = 4096
"""Connections that wait for a worker to take them."""
END_STREAMS = signal.SIGUSR1
"""What tells a worker that its streams are to end: by themselves they never do."""


class TableServer(MPServer):
    """Granian's server with a supervision of its own.

    Granian's gives up when a worker dies twice in a few seconds, misses a signal that comes while it replaces one, and
    on Linux has each worker hold the port for itself, so that nobody is there between two workers.
    """

    def __init__(
        self,
        host: str,
        port: int,
        *,
        workers: int,
        certificate: tuple[Path, Path] | None = None,
        held: int | None = None,
    ) -> None:
        """`certificate` is the file of a certificate and that of its key; without it the server speaks no TLS.

        `held` is the number of a socket that listens already, and will go on when this server has ended.
        """
        self._held = held
        kept, key = certificate or (None, None)
        super().__init__(
            "deploy.asgi:application",
            address=host,
            port=port,
            ssl_cert=kept,
            ssl_key=key,
            interface=Interfaces.ASGINL,
            # On a line of HTTP/2 a hundred answers may wait for a reader, and the line is never found dead.
            http=HTTPModes.http1,
            workers=workers,
            websockets=False,
            backlog=LISTEN_BACKLOG,
            workers_kill_timeout=1,  # the last of SECONDS_TO_STOP
            backpressure=MOST_REQUESTS,
            log_level=LogLevels.warning,
            # The server's own messages go where all others go.
            log_dictconfig={"handlers": {}, "loggers": {"_granian": {"propagate": True}}},
        )

    def run(self) -> None:
        """Serve until SIGINT or SIGTERM; SIGHUP puts new workers in the place of all there are."""
        os.register_at_fork(after_in_child=_heed_the_parent_alone)
        if metrics_are_kept():
            self._serve_metrics()
        self._log = WriteAheadLog(settings.DATABASES["default"])
        try:
            self.serve(target_loader=_load, wrap_loader=False)
        finally:
            self._log.carry_over()

    def _serve_metrics(self) -> None:
        """Answer Prometheus. Where nothing can listen, all else goes on: a card matters more than a number."""
        from deploy import metrics  # its folder is there by now

        self.metrics: Any = metrics
        database = settings.DATABASES["default"]
        sqlite = str(database["NAME"]) if database["ENGINE"] == "deploy.sqlite" else ""
        host, port = settings.METRICS_HOST, settings.METRICS_PORT
        try:
            socket_of_metrics = metrics.serve(host, port, sqlite=sqlite)
        except OSError as problem:
            trouble = why_not_free(host, port, choose="METRICS_PORT") or f"Port {port}: {problem}."
            logger.error("There are no metrics. %s", trouble)
            os.environ.pop("PROMETHEUS_MULTIPROC_DIR")  # no worker counts what nobody can ask for
            return
        # A worker that outlived its parent would hold the port.
        os.register_at_fork(after_in_child=partial(os.close, socket_of_metrics))

    def signal_handler_interrupt(self, *_: object, **__: object) -> None:
        # No lock is taken here: this runs between any two steps of the code that it interrupts.
        self.interrupt_signal = True
        for worker in self.wrks:
            worker.interrupt_by_parent = True

    def signal_handler_reload(self, *_: object, **__: object) -> None:
        self.reload_signal = True

    def _init_shared_socket(self) -> None:
        """Hold the port in the parent: who knocks while a worker is replaced waits, and is not refused."""
        if self._held is None:
            held = SocketSpec(self.bind_addr, self.bind_port, self.backlog).build()
        else:
            held = SocketHolder(self._held, False, self.backlog)  # type: ignore[call-arg]  # granian's own stub has none
        self._shd: Any = held
        self._sso = socket.socket(fileno=held.get_fd())
        if hasattr(socket, "TCP_USER_TIMEOUT"):  # on Linux; each line takes it over from the socket that listens
            # A line is cut whose other end takes nothing of what it is sent for so long: a phone that left the network,
            # or one that asks for much and reads none of it. With a ping every fifteen seconds, streams end in thirty.
            self._sso.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, settings.SECONDS_UNTIL_DEAD * 1000)
        self._sso.listen(self.backlog)
        self._sso.set_inheritable(True)

    def _serve_loop(self, spawn_target: Any, target_loader: Any) -> None:
        while not self.interrupt_signal:
            time.sleep(SECONDS_BETWEEN_LOOKS)
            self._log.look()
            if self.reload_signal:
                self.reload_signal = False
                self._replace_all(spawn_target, target_loader)
            for place, worker in enumerate(self.wrks):
                if not worker.is_alive() and time.monotonic() - worker.birth > SECONDS_TO_PROVE:
                    if metrics_are_kept():
                        self.metrics.forget_worker(worker.inner.pid)
                    self.wrks[place] = self._spawn_worker(place, spawn_target, target_loader)
                    self.wrks[place].start()
        self.interrupt_children.clear()

    def _replace_all(self, spawn_target: Any, target_loader: Any) -> None:
        old, self.wrks = self.wrks, []
        self._spawn_workers(spawn_target, target_loader)  # type: ignore[no-untyped-call]  # granian has no types here
        self.wrks, new = old, self.wrks
        self._stop_workers()
        self.wrks = new

    def _stop_workers(self) -> None:
        for worker in self.wrks:
            with suppress(ProcessLookupError):  # it has ended already
                os.kill(worker.inner.pid, END_STREAMS)
            worker.terminate()
        # Granian itself takes a worker for stuck when the system has not told within a thousandth of a second that it
        # has ended, and warns of it.
        until = time.monotonic() + SECONDS_TO_STOP - 1
        while any(worker.is_alive() for worker in self.wrks) and time.monotonic() < until:
            time.sleep(0.01)
        super()._stop_workers()  # type: ignore[no-untyped-call]  # granian has no types here


def _heed_the_parent_alone() -> None:
    """A terminal sends Ctrl-C to every process: a worker leaves it to its parent, and acts on no signal as its copy."""
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    for each in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(each, signal.SIG_DFL)


_watching: list[asyncio.Task[None]] = []
"""Tasks that nobody else holds would be collected."""


def _load() -> Callable[..., Any]:
    """Load the application in a worker."""
    threading.Thread(target=_end_with_parent, name="parent", daemon=True).start()
    from deploy.asgi import application
    from scoring.live.hub import current_hub

    loop = asyncio.get_event_loop_policy().get_event_loop()
    loop.add_signal_handler(END_STREAMS, lambda: current_hub().end_streams())
    if metrics_are_kept():
        from deploy.metrics import watch_worker

        _watching.append(loop.create_task(watch_worker(), name="metrics"))
    return application


def _end_with_parent() -> None:
    """A parent that was killed takes no leave: without this its workers would hold the port for ever."""
    parent = multiprocessing.parent_process()
    assert parent is not None
    parent.join()
    os._exit(1)
