"""The pocket app, built once for all its tests, on its own host."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Playwright, sync_playwright

from tests.pocket.host import Host, Pocket, browser_of

ROOT = Path(__file__).resolve().parent.parent.parent


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    if there := os.environ.get("POCKET"):
        return Path(there)
    folder = tmp_path_factory.mktemp("pocket") / "pocket"
    subprocess.run([sys.executable, "-m", "deploy.pocket.build", str(folder)], cwd=ROOT, check=True)
    return folder


@pytest.fixture
def host(built: Path) -> Iterator[Host]:
    running = Host(built).start()
    yield running
    running.stop()


@pytest.fixture(scope="package")
def playwright() -> Iterator[Playwright]:
    """Its scope ends with this folder: while Playwright runs, its thread has an event loop, which Django refuses."""
    with sync_playwright() as running:
        yield running


@pytest.fixture
def pocket(playwright: Playwright, host: Host, tmp_path: Path) -> Iterator[Pocket]:
    """A phone on which the pocket app is opened for the first time."""
    with browser_of(playwright, tmp_path / "profile") as browser:
        yield Pocket(browser.pages[0], host).open()
