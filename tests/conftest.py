"""What all tests share: fast settings, hypothesis profiles, and a PostgreSQL server for tests that request it."""

import gc
import inspect
import os
import secrets
import shutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from unittest.mock import patch

import pytest
from django.test.utils import override_settings
from hypothesis import HealthCheck, settings

from tests.clock import by_the_clock
from tests.postgres import Postgres
from tests.seeds import AGAIN, HUNT, QUICK

# The same examples in every run, so that failures can be reproduced. No deadlines, because the machine
# may be busy. A hunt draws other examples: see tests/hunt.
settings.register_profile("always", deadline=None, derandomize=True, database=None, print_blob=True)
settings.register_profile(AGAIN, settings.get_profile("always"), max_examples=25)
settings.register_profile(QUICK, settings.get_profile("always"), max_examples=33)
settings.register_profile(
    HUNT,
    deadline=None,
    database=None,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE") or "always")


# Hundreds of servers and commands are started: they share compiled files, whatever the
# environment says.
sys.dont_write_bytecode = False
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

MEMORY = Path("/dev/shm")
ROOM = 4 << 30
"""Free bytes needed to keep all of a run's files in memory."""

if "TMPDIR" not in os.environ and os.access(MEMORY, os.W_OK) and shutil.disk_usage(MEMORY).free > ROOM:
    # Nothing the tests write outlives them, and waiting for the disk would take much of their time.
    os.environ["TMPDIR"], tempfile.tempdir = str(MEMORY), None


@pytest.fixture(scope="session", autouse=True)
def _static_files_need_no_collecting() -> Iterator[None]:
    """Templates name static files directly, so no test depends on collected ones."""
    storages = {
        "default": {"BACKEND": "django.core.files.storage.InMemoryStorage"},
        "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
    }
    with override_settings(STORAGES=storages):
        yield


@pytest.fixture(scope="session", autouse=True)
def _codes_look_like_no_number_and_no_card() -> Iterator[None]:
    """Draw codes only from letters that name no rank and no suit, so "95" on a page is never part of a code."""
    drawn = SimpleNamespace(choice=lambda _alphabet: secrets.choice("BEFGNPRUVZ"))
    with patch("scoring.models.table.secrets", drawn):
        yield


@pytest.fixture(scope="session")
def postgres(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Postgres]:
    """A private PostgreSQL server, one per test process, reached through a socket in its own directory."""
    with Postgres.started() as server:
        yield server


SLOW = {"clients", "concurrency", "deploy", "e2e", "faults", "hunt", "live"}
"""Folders whose tests start servers, browsers or other programs, as does every test on PostgreSQL. `make quick` runs
none of them; `make test` runs those marked as smoke.
"""


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Import no file of slow tests only, if none of them is to run."""
    if config.option.markexpr != "not slow":
        return None
    if collection_path.suffix != ".py":
        return collection_path.name in SLOW or None
    return "\npytestmark = pytest.mark.slow\n" in collection_path.read_text() or None


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark slow tests, and run browser tests last: no other event loop can start beside theirs.

    Their longest tests come first, so that no process is left waiting at the end.
    """
    for item in items:
        opened = {*item.path.parts, *getattr(item, "fixturenames", ())}
        if opened & {*SLOW, "postgres"} or item.get_closest_marker("smoke"):
            item.add_marker(pytest.mark.slow)
    items.sort(key=lambda item: "e2e" in item.path.parts and 1 + (item.path.stem not in LONGEST))


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> bool | None:
    """Run an asynchronous test on a virtual clock."""
    if not inspect.iscoroutinefunction(pyfuncitem.obj):
        return None
    by_the_clock(pyfuncitem.obj(**{name: pyfuncitem.funcargs[name] for name in pyfuncitem._fixtureinfo.argnames}))
    return True


def pytest_collection_finish() -> None:
    """Make the garbage collector ignore long-lived objects, as the servers do; it took a seventh of the time."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(100_000, 20, 100)


LONGEST = ("test_every_page", "test_whole_hands")
