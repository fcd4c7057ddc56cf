"""What all tests share: quick settings, how hard hypothesis tries, and a PostgreSQL for who asks for one."""

import gc
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

from tests.postgres import Postgres
from tests.seeds import AGAIN, HUNT

# The same examples in every run and for everybody: what is red is red again when it is looked into. No deadlines, for
# the machine that runs the tests may be busy with other things. A hunt looks for other examples: see tests/hunt.
settings.register_profile("always", deadline=None, derandomize=True, database=None, print_blob=True)
settings.register_profile(AGAIN, settings.get_profile("always"), max_examples=25)
settings.register_profile(
    HUNT,
    deadline=None,
    database=None,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE") or "always")


# Hundreds of servers and commands are started: what the first one compiles, the others need not, whatever the
# environment says.
sys.dont_write_bytecode = False
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

MEMORY = Path("/dev/shm")
ROOM = 4 << 30
"""Bytes that are free where all that a run writes fits into memory."""

if "TMPDIR" not in os.environ and os.access(MEMORY, os.W_OK) and shutil.disk_usage(MEMORY).free > ROOM:
    # What the tests write is gone with them, and waiting for a disk is a good part of their time.
    os.environ["TMPDIR"], tempfile.tempdir = str(MEMORY), None


@pytest.fixture(scope="session", autouse=True)
def _static_files_need_no_collecting() -> Iterator[None]:
    """Templates name static files as they are, so that no test depends on collected ones."""
    storages = {
        "default": {"BACKEND": "django.core.files.storage.InMemoryStorage"},
        "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
    }
    with override_settings(STORAGES=storages):
        yield


@pytest.fixture(scope="session", autouse=True)
def _codes_look_like_no_number_and_no_card() -> Iterator[None]:
    """Codes are drawn from letters alone that name no rank and no suit: "95" on a page is never a part of one."""
    drawn = SimpleNamespace(choice=lambda _alphabet: secrets.choice("BEFGNPRUVZ"))
    with patch("scoring.models.table.secrets", drawn):
        yield


@pytest.fixture(scope="session")
def postgres(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Postgres]:
    """A private PostgreSQL server, one per test process, reached through a socket in a directory of its own."""
    with Postgres.started() as server:
        yield server


SLOW = {"clients", "concurrency", "deploy", "e2e", "faults", "hunt", "live"}
"""Folders whose tests start servers, browsers or other programs; so does every test on PostgreSQL. `make quick` runs
none of them, `make test` those that are marked as smoke."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what is slow, and run the browser last: beside its event loop others cannot start one of their own.

    Its longest tests come first, so that no process waits for the other in the end.
    """
    for item in items:
        opened = {*item.path.parts, *getattr(item, "fixturenames", ())}
        if opened & {*SLOW, "postgres"} or item.get_closest_marker("smoke"):
            item.add_marker(pytest.mark.slow)
    items.sort(key=lambda item: "e2e" in item.path.parts and 1 + (item.path.stem not in LONGEST))


def pytest_collection_finish() -> None:
    """Let the garbage collector look past what stays, as the servers do: a seventh of the time went there."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(100_000, 20, 100)


LONGEST = ("test_every_page", "test_whole_hands")
