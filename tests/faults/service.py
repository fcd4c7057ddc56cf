"""A service under faults: started, killed, and restarted on the same port with the same database."""

import http.client
import os
import signal
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

from tests.postgres import Postgres
from tests.scoring.live.driving import Server, free_port, serving


@dataclass
class Service:
    """What `make run` starts, with the SQLite file in ``var`` or a database of that PostgreSQL."""

    var: Path
    postgres: Postgres | None = None
    settings: str = "deploy.settings"
    port: int = field(default_factory=free_port)
    database: str = field(init=False)
    _running: ExitStack = field(default_factory=ExitStack)

    def __post_init__(self) -> None:
        self.database = self.postgres.url(self.postgres.create_database()) if self.postgres else ""

    @classmethod
    @contextmanager
    def started(
        cls, var: Path, postgres: Postgres | None = None, settings: str = "deploy.settings"
    ) -> Iterator["Service"]:
        service = cls(var, postgres, settings)
        service.start()
        try:
            yield service
        finally:
            service._running.close()

    def start(self) -> float:
        """Start the service; return the seconds until it answered."""
        began = time.monotonic()
        served = serving(self.var, self.database, port=self.port, settings=self.settings)
        self.server: Server = self._running.enter_context(served)
        return time.monotonic() - began

    def kill(self) -> None:
        """Kill the service and all its workers, as a power cut would."""
        os.killpg(self.server.process.pid, signal.SIGKILL)
        self.server.process.wait()
        self._running.close()

    def stop(self) -> None:
        self.server.stop()
        self._running.close()

    def kill_workers(self) -> None:
        """Kill the workers; the parent is to replace them."""
        for pid in self.server.workers:
            with suppress(ProcessLookupError):  # it was just replaced
                os.kill(pid, signal.SIGKILL)

    def get(self, path: str, *, source: str = "127.0.0.1", **headers: str) -> int:
        """Request an address from this machine; return the status of the answer."""
        line = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60, source_address=(source, 0))
        with closing(line):
            line.request("GET", path, headers=headers)
            answer = line.getresponse()
            answer.read()
            return answer.status
