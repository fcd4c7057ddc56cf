"""What all tests share: quick settings, how hard hypothesis tries, and a PostgreSQL for who asks for one."""

import os
from collections.abc import Iterator

import pytest
from django.test.utils import override_settings
from hypothesis import HealthCheck, settings

from tests.postgres import Postgres

# No deadlines: the machine that runs the tests may be busy with other things.
settings.register_profile("default", deadline=None)
# The same examples on every run, so that a red build is red again when looked into.
settings.register_profile("ci", deadline=None, derandomize=True, database=None, print_blob=True)
settings.register_profile(
    "thorough",
    deadline=None,
    max_examples=2000,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE") or ("ci" if os.environ.get("CI") else "default"))


@pytest.fixture(scope="session", autouse=True)
def _static_files_need_no_collecting() -> Iterator[None]:
    """Templates name static files as they are, so that no test depends on collected ones."""
    storages = {
        "default": {"BACKEND": "django.core.files.storage.InMemoryStorage"},
        "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
    }
    with override_settings(STORAGES=storages):
        yield


@pytest.fixture(scope="session")
def postgres(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Postgres]:
    """A private PostgreSQL server, one per test process, reached through a socket in a directory of its own."""
    with Postgres.started() as server:
        yield server


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Let the browser come last: where it runs, an event loop runs, and others cannot start one of their own."""
    items.sort(key=lambda item: "e2e" in item.path.parts)
