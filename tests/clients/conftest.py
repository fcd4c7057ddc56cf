"""One server, and the generated clients, built once for all tests."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.clients.making import Made, make, only_one
from tests.scoring.live.driving import Server, serving


@pytest.fixture(scope="session")
def made(tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest) -> Made:
    """The generated clients, built by whichever test process comes first."""
    base = tmp_path_factory.getbasetemp()
    folder = (base.parent if hasattr(request.config, "workerinput") else base) / "made-clients"
    with only_one(folder):
        there = Made(folder)
        if not (folder / "done").exists():
            make(there)
            (folder / "done").touch()
    for package in (there.attrs_client, there.pydantic_client):
        if str(package) not in sys.path:
            sys.path.append(str(package))
    return there


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serving(Path(tmp_path_factory.mktemp("server"))) as running:
        yield running


@pytest.fixture(scope="session")
def url(server: Server) -> str:
    return f"http://127.0.0.1:{server.port}"
