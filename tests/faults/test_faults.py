"""The short form of `make faults`: what no other test breaks, done to a service while phones write."""

import re
from functools import partial
from pathlib import Path

import pytest

from tests.faults import database, network
from tests.faults.__main__ import BOTH, FAULTS, POSTGRES, SQLITE
from tests.faults.load import Load
from tests.faults.service import Service
from tests.postgres import DURABLE, SETTINGS, Postgres
from tests.scoring.concurrency.phones import verify

PAGE = Path(__file__).resolve().parents[2] / "docs/explanation/faults.md"
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
    """One for both services, so that static files are collected once."""
    return tmp_path_factory.mktemp("faults")


@pytest.fixture(scope="module")
def on_sqlite(folder):
    with Service.started(folder) as service:
        yield service
        service.stop()
    verify(folder, "")


@pytest.fixture(scope="module")
def on_postgres(folder):
    """A service on a PostgreSQL of its own, which is killed."""
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


def test_the_page_tells_of_every_fault_on_what_it_is_done_and_where_each_is_tested():
    rows = re.findall(r"^\| \*\*(.*?)\*\* \| (.*?) \|.*\| (.*?) \|$", PAGE.read_text(), re.MULTILINE)
    assert [name for name, _, _ in rows] == [fault.name for fault in FAULTS]
    short = dict.fromkeys((*ON_SQLITE, "clock jumps"), SQLITE)
    short |= {name: f"{SQLITE}, {POSTGRES}" if name in short else POSTGRES for name in ON_POSTGRES}
    for (name, on, tests), fault in zip(rows, FAULTS, strict=True):
        assert on == ("both" if fault.bases == BOTH else fault.bases[0]), name
        assert re.findall(r"`tests/faults/test_faults.py` \((SQLite, PostgreSQL|SQLite|PostgreSQL)\b", tests) == (
            [short[name]] if name in short else []
        ), name
        paths = re.findall(r"`([\w/.]+\.py)`", tests)
        assert paths, name
        assert [path for path in paths if not (PAGE.parents[2] / path).exists()] == [], name


def test_a_disk_is_filled_at_as_many_sizes_as_the_page_says():
    rows = dict(re.findall(r"^\| \*\*(disk full|volume full)\*\* \| (.*)$", PAGE.read_text(), re.MULTILINE))
    for name, sizes in (("disk full", database.LEFT), ("volume full", database.LEFT_ON_VOLUME)):
        assert len(set(sizes)) == 200
        assert "200 sizes" in rows[name]
        assert f"{sizes[0]} to {sizes[-1] // 1024} kB" in rows[name]
