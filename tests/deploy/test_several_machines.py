"""Several processes with one PostgreSQL behind a proxy, as on separate machines; any of them may be down or lost."""

import os
import signal
import sys
import time
from contextlib import ExitStack

import pytest

from tests.deploy.managing import kill, manage, patiently, plain, start, surroundings
from tests.deploy.proxies import OverTls, nginx
from tests.deploy.recording import RECORDERS, Follower, recording, wait_for_more
from tests.scoring.live.driving import free_port


class Machine:
    """A process with its own directory, as on its own machine; everything shared is in the environment."""

    def __init__(self, folder, **shared):
        self.port, self.log = free_port(), folder / "log"
        self.around = surroundings(
            VAR_DIR=folder / "var",
            HOST="127.0.0.1",
            PORT=self.port,
            WORKERS=1,
            PROXIES=1,
            WRITES_PER_MINUTE=0,
            **shared,
        )
        self.start()

    def start(self):
        self.process = start([sys.executable, "-m", "deploy.run"], self.log, self.around)

    def end(self):
        kill(self.process)

    def is_ready(self):
        return patiently(lambda: plain(self.port, "/health/ready")) == 200


@pytest.fixture(scope="module")
def machines(postgres, tmp_path_factory):
    """Two machines started together on an empty database: one creates the tables, the other waits."""
    folder = tmp_path_factory.mktemp("machines")
    shared = {"DATABASE_URL": postgres.url(postgres.create_database()), "SECRET_KEY": "k" * 50}
    for name in ("one", "two"):
        (folder / name).mkdir()
    with ExitStack() as stack:
        both = [Machine(folder / name, **shared) for name in ("one", "two")]
        for each in both:
            stack.callback(each.end)
        for each in both:
            assert each.is_ready(), each.log.read_text()
        proxy = stack.enter_context(nginx(folder, *(each.port for each in both)))
        patiently(lambda: OverTls(proxy.tls).ask("GET", "/"))
        yield *both, proxy, shared


def test_the_service_survives_an_update_and_the_loss_of_a_machine(machines, tmp_path):
    """One machine is restarted; then the other is lost without warning, in the middle of everything."""
    one, two, proxy, shared = machines
    with recording(f"https://127.0.0.1:{proxy.tls}") as recorders:
        follower = Follower(proxy, recorders[0].table)
        follower.start()
        wait_for_more(recorders)
        one.process.terminate()
        assert one.process.wait(timeout=60) == 0
        wait_for_more(recorders)
        one.start()
        assert one.is_ready()
        wait_for_more(recorders)
        os.killpg(two.process.pid, signal.SIGKILL)
        wait_for_more(recorders)
    assert all(recorder.slowest < 60 for recorder in recorders)
    deadline = time.monotonic() + 60
    while follower.version != len(recorders[0].recorded):
        assert time.monotonic() < deadline, (follower.version, follower.opened)
        time.sleep(0.05)
    assert follower.opened >= 2, "its stream ended with a machine, and went on with the other one"
    follower.enough.set()
    checked = manage("verify_tables", "--expect", RECORDERS, VAR_DIR=tmp_path, **shared)
    assert checked.returncode == 0, checked.stdout + checked.stderr
