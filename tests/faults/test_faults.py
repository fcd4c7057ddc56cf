"""The short form of `make faults`: faults no other test covers, while phones write."""

from functools import partial

import pytest

from tests.faults import database, network
from tests.faults.load import Load
from tests.faults.service import Service
from tests.postgres import DURABLE, SETTINGS, Postgres
from tests.scoring.concurrency.phones import verify

ON_SQLITE = {
    "disk full": partial(database.disk_full, sizes=database.LEFT[::50]),
    "read only": database.read_only,
    "log torn": partial(database.log_torn, images=8, verified=0),
    "half open": partial(network.half_open, lines=300),
    "hub dies": network.hub_dies,
}
ON_POSTGRES = {
    "database killed": database.database_killed,
    "database silent": partial(database.database_silent, seconds=0.5),
    "connections lost": partial(database.connections_lost, times=5),
    "read only": database.read_only,
    "hub dies": network.hub_dies,
}


def tried(service, act):
    with Load(service.port) as load:
        load.more(10)
        act(service, load)
        load.more(10)
        load.end()
        load.check(service.port)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """One directory for both services, so that static files are collected once."""
    return tmp_path_factory.mktemp("faults")


@pytest.fixture(scope="module")
def on_sqlite(folder):
    with Service.started(folder) as service:
        yield service
        service.stop()
    verify(folder, "")


@pytest.fixture(scope="module")
def on_postgres(folder):
    with pytest.MonkeyPatch.context() as patch:
        for name, value in DURABLE.items():
            patch.setitem(SETTINGS, name, value)
        with Postgres.started() as postgres, Service.started(folder, postgres) as service:
            yield service
            service.stop()
            verify(folder, service.database)


@pytest.mark.parametrize("act", ON_SQLITE.values(), ids=ON_SQLITE)
def test_nothing_is_lost_on_sqlite(on_sqlite, act):
    tried(on_sqlite, act)


def test_nothing_is_lost_when_the_clock_jumps(folder, tmp_path, monkeypatch):
    clock = tmp_path / "clock"
    clock.write_text("+0d\n")
    monkeypatch.setenv("FAKETIME_TIMESTAMP_FILE", str(clock))
    with Service.started(folder, settings="tests.faults.clock_settings") as service:
        tried(service, network.clock_jumps)
        service.stop()
    verify(folder, "")


@pytest.mark.parametrize("act", ON_POSTGRES.values(), ids=ON_POSTGRES)
def test_nothing_is_lost_on_postgresql(on_postgres, act):
    tried(on_postgres, act)
