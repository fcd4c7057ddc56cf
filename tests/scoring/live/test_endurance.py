"""What streams cost and what they survive: crowds, gone or idle readers, Ctrl-C, a database restart."""

import asyncio
import contextlib
import time
from pathlib import Path

import pytest

from scoring.tables.live.hub import SECONDS_BETWEEN_LOOKS_POSTGRESQL
from tests.postgres import Postgres
from tests.scoring.live.crowd import gathered, latencies
from tests.scoring.live.driving import Stream, open_sockets, serving, serving_without_streams

QUICK = "tests.scoring.live.quick_settings"
PATIENT = "tests.deploy.patient_settings"


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    with serving(tmp_path_factory.mktemp("quick"), settings=QUICK) as server:
        yield server


def until(condition):
    deadline = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.05)


def threads(pid):
    return len(list(Path(f"/proc/{pid}/task").iterdir()))


def test_a_quiet_stream_is_kept_alive_by_comments(server):
    with Stream(server, server.open_table()) as stream:
        assert stream.version() == 0
        assert [stream.block(), stream.block()] == [{"": "ping"}, {"": "ping"}]


def test_streams_take_no_thread_and_end_with_their_readers(server):
    (worker,) = server.workers
    table = server.open_table()
    with Stream(server, table) as one:
        one.version()
        before = open_sockets(worker), threads(worker)

        async def come_and_go():
            async with gathered([server], [table], 100):
                return open_sockets(worker), threads(worker)

        sockets, busy = asyncio.run(come_and_go())
        assert sockets >= before[0] + 100
        assert busy <= before[1] + 2
        until(lambda: open_sockets(worker) <= before[0] + 1)
        server.note(table)
        assert one.version() == 1


def test_an_idle_reader_delays_no_one(server):
    table = server.open_table()
    with Stream(server, table), Stream(server, table) as awake:
        for _ in range(50):
            version = server.note(table)
        awake.wait_for(version)


def test_the_server_stops_with_streams_open(tmp_path):
    with serving(tmp_path, settings=PATIENT) as server, contextlib.ExitStack() as streams:
        table = server.open_table()
        for _ in range(5):
            assert streams.enter_context(Stream(server, table)).version() == 0
        assert server.stop() == 0
        said = server.log.read_text()
        assert not any(word in said for word in ("WARNING", "ERROR", "Traceback"))


@pytest.fixture
def own_postgres():
    """A PostgreSQL server that a test may restart."""
    with Postgres.started() as server:
        yield server


def wait_until_it_listens(postgres):
    with postgres.connect() as connection:
        until(lambda: connection.execute("SELECT FROM pg_stat_activity WHERE query LIKE 'LISTEN%'").fetchall())


def test_an_open_stream_survives_a_restart_of_the_database(own_postgres, tmp_path):
    database = own_postgres.url(own_postgres.create_migrated_database())
    with serving(tmp_path, database) as streams, serving(tmp_path, database) as writes:
        table = writes.open_table()
        with Stream(streams, table) as stream:
            assert stream.version() == 0
            writes.note(table)
            assert stream.version() == 1
            own_postgres.restart()
            version = writes.note(table)
            assert stream.version() == version == 2
            # It receives notifications again, instead of only polling.
            wait_until_it_listens(own_postgres)
            for _ in range(3):
                version = writes.note(table)
                written = time.monotonic()
                assert stream.version() == version
                assert time.monotonic() - written < SECONDS_BETWEEN_LOOKS_POSTGRESQL - 1


def test_pages_and_api_can_run_in_separate_processes(postgres, tmp_path):
    database = postgres.url(postgres.create_migrated_database())
    with serving(tmp_path, database) as streams, serving_without_streams(tmp_path, database) as writes:
        table = writes.open_table()
        with Stream(streams, table) as stream, Stream(writes, table) as refused:
            assert refused.answer.status == 503
            assert stream.version() == 0
            version = writes.note(table)
            assert stream.version() == version


def test_every_change_reaches_a_hundred_streams_on_two_processes(postgres, tmp_path):
    database = postgres.url(postgres.create_migrated_database())
    with serving(tmp_path, database) as first, serving(tmp_path, database) as second:
        tables = [first.open_table() for _ in range(20)]
        took = asyncio.run(latencies([first, second], tables, readers=100, changes=60, seconds_between=0.02))
    assert len(took) == 60 * 5, "how soon is measured by `make bench`"
